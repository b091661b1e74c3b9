#include <taut/task/several/choose_region.hpp>

#include <taut/core/error.hpp>
#include <taut/core/threads.hpp>
#include <taut/core/trace.hpp>
#include <taut/data/inputs/scaling.hpp>
#include <taut/metric/conditional.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

constexpr double judged_level = 0.9;
constexpr Index max_judging_rows = 2000;  // that judge
constexpr Index max_volumes = 500;        // rows whose volume is computed

struct HalfTrial {
  std::vector<std::uint8_t> covered;
  std::vector<double> sides;  // volume^(1/targets) of some rows
};

// The threshold is the quantile of the judging rows' own scores, so that all kinds cover the same share of them.
HalfTrial judged(const JointRegion& region, const JointTargets& targets, std::span<const JointRow> rows, const Matrix& y,
                 const Rows& places, int threads) {
  HalfTrial trial;
  std::vector<double> scores(places.size());
  const auto row_of = [&](std::size_t i) -> const JointRow& { return rows[static_cast<std::size_t>(places[i])]; };
  parallel_blocks(std::ssize(places), 1 << 5, threads, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const auto at = static_cast<std::size_t>(i);
      scores[at] = region.score(row_of(at), {y.row(places[at]).data(), static_cast<std::size_t>(y.cols())});
    }
  });
  const double threshold = ScoreDistribution(scores).quantile(judged_level);
  for (const double score : scores) trial.covered.push_back(score <= threshold ? 1 : 0);
  const std::size_t step = scores.size() / static_cast<std::size_t>(max_volumes) + 1;
  trial.sides.resize((scores.size() + step - 1) / step);
  const auto at_threshold = region.at(threshold, targets);
  parallel_blocks(std::ssize(trial.sides), 1 << 4, threads, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const auto at = static_cast<std::size_t>(i);
      trial.sides[at] = std::pow(at_threshold->volume(row_of(at * step)), 1 / static_cast<double>(targets.count()));
    }
  });
  return trial;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

// Of the mean of the differences.
double standard_error(const std::vector<double>& a, const std::vector<double>& b) {
  double mean = 0, square = 0;
  const auto n = static_cast<double>(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    mean += (a[i] - b[i]) / n;
    square += (a[i] - b[i]) * (a[i] - b[i]) / n;
  }
  return std::sqrt(std::max(0.0, square - mean * mean) / n);
}

}  // namespace

std::vector<RegionTrial> try_regions(const JointTraining& training, const MatrixF& inputs, const ExecutionContext& context,
                                     std::uint64_t seed) {
  const Traced traced("try regions");
  const Index n = std::ssize(training.rows), step = n / max_judging_rows + 1;
  Rows halves[2];
  for (Index i = 0, count = 0; i < n; i += step, ++count) halves[count % 2].push_back(i);
  const auto part_of = [&](const Rows& places) {
    std::pair<std::vector<JointRow>, Matrix> part;
    part.second.resize(std::ssize(places), training.y.cols());
    for (std::size_t i = 0; i < places.size(); ++i) {
      part.first.push_back(training.rows[static_cast<std::size_t>(places[i])]);
      part.second.row(static_cast<Index>(i)) = training.y.row(places[i]);
    }
    return part;
  };
  MatrixF own_inputs(std::ssize(halves[0]) + std::ssize(halves[1]), inputs.cols());
  Index next = 0;
  for (const Rows& half : halves)
    for (const Index place : half) own_inputs.row(next++) = inputs.row(place);
  const MatrixF standard = standardised(std::move(own_inputs));
  std::vector<RegionTrial> trials;
  std::vector<double> of_first;
  for (const auto& entry : joint_regions().entries()) {
    std::vector<std::uint8_t> covered;
    std::vector<double> sides;
    for (const std::size_t half : {0U, 1U}) {
      const auto region = entry.make("");
      const auto [rows, y] = part_of(halves[1 - half]);
      region->fit({training.targets, rows, y});
      const HalfTrial trial = judged(*region, training.targets, training.rows, training.y, halves[half], context.threads);
      covered.insert(covered.end(), trial.covered.begin(), trial.covered.end());
      sides.insert(sides.end(), trial.sides.begin(), trial.sides.end());
    }
    if (trials.empty()) of_first = sides;
    trials.push_back({entry.name, mean_of(sides), standard_error(sides, of_first),
                      ert(Inputs(standard), covered, judged_level, seed, context.threads)});
  }
  return trials;
}

std::string best_region(const std::vector<RegionTrial>& trials) {
  const auto smallest = std::min_element(
      trials.begin(), trials.end(), [](const RegionTrial& a, const RegionTrial& b) { return is_lower_loss(a.side, b.side); });
  constexpr double close = 1.01;
  const RegionTrial* best = &*smallest;
  for (const RegionTrial& one : trials)
    if (one.side <= close * smallest->side && std::max(0.0, one.ert) < std::max(0.0, best->ert)) best = &one;
  return best->region;
}

void save_trials(Archive archive, const std::vector<RegionTrial>& trials) {
  Archive::Texts names;
  std::vector<double> figures;
  for (const RegionTrial& one : trials) {
    names.push_back(one.region);
    for (const double figure : {one.side, one.standard_error, one.ert}) figures.push_back(figure);
  }
  archive.put("regions", names);
  archive.put("figures", figures);
}

std::vector<RegionTrial> load_trials(const Archive& archive) {
  const auto& names = archive.texts("regions");
  const auto& figures = archive.get<std::vector<double>>("figures");
  if (figures.size() != 3 * names.size()) throw Error("the model file's trials of regions do not fit together: it is damaged");
  std::vector<RegionTrial> trials;
  for (std::size_t i = 0; i < names.size(); ++i)
    trials.push_back({names[i], figures[3 * i], figures[3 * i + 1], figures[3 * i + 2]});
  return trials;
}

}  // namespace taut
