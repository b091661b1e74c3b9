#include <taut/task/label/set_metrics.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/random.hpp>
#include <taut/core/text.hpp>
#include <taut/metric/interval.hpp>
#include <taut/metric/metric.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace taut {

namespace {

struct MetricText {
  std::string_view name, summary;
};

constexpr std::array set_metric_texts = {
    MetricText{"coverage", "share of rows whose set holds their label"},
    MetricText{"coverage_low", "lower end of the exact 99 % band of the coverage (Beta-binomial)"},
    MetricText{"coverage_high", "upper end of that band"},
    MetricText{"mean_size", "labels in a set, on average"},
    MetricText{"median_size", "labels in a set, median"},
    MetricText{"singletons", "share of sets with one label"},
    MetricText{"correct_singletons", "share of singletons whose label is right"},
    MetricText{"empty", "share of sets without a label"},
    MetricText{"completed", "share of sets that would be empty, and have the most probable label instead"},
    MetricText{"exact_coverage", "coverage without the labels of completed sets: what the band is about"},
    MetricText{"full", "share of sets with every label"},
    MetricText{"worst_slab_coverage", "lowest coverage over slabs of the inputs, on the other half of the rows"},
    MetricText{"size_stratified_coverage", "lowest coverage over groups of sets of similar size"},
    MetricText{"ert", "L1-ERT: how far coverage given x is from the confidence, by a cross-fitted classifier"},
    MetricText{"accuracy", "share of rows whose most probable label is right"},
    MetricText{"log_loss", "mean of -log of the probability of the label; smaller is better"},
    MetricText{"brier", "mean squared distance of probabilities from what happened, 0 to 2"},
    MetricText{"calibration_error", "how far the largest probability is from how often it is right, in ten groups"},
    MetricText{"calibration_error_high", "99 % upper limit of the calibration error if the probabilities were right"},
};

// A set as an interval whose length is the size of the set. With the target 0.5 for a covered row and −1 for another one, metrics
// of intervals that depend only on sizes and coverage apply to sets.
Interval as_interval(Index size) { return size == 0 ? Interval{infinity, -infinity} : Interval{0, static_cast<double>(size)}; }

double median(std::vector<double> values) {
  if (values.empty()) return missing;
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::nth_element(values.begin(), middle, values.end());
  const double upper = *middle;
  return values.size() % 2 == 1 ? upper : 0.5 * (upper + *std::max_element(values.begin(), middle));
}

// The expected calibration error, with ten groups by the largest probability: Σ rows · |mean probability − share that is right| /
// all rows.
double calibration_error(std::span<const double> top, std::span<const std::uint8_t> right) {
  constexpr std::size_t groups = 10;
  std::array<double, groups> sum{}, hits{};
  for (std::size_t i = 0; i < top.size(); ++i) {
    const auto group = std::min(groups - 1, static_cast<std::size_t>(top[i] * static_cast<double>(groups)));
    sum[group] += top[i];
    hits[group] += right[i];
  }
  double error = 0;
  for (std::size_t g = 0; g < groups; ++g) error += std::abs(sum[g] - hits[g]);
  return error / static_cast<double>(top.size());
}

}  // namespace

bool EvaluatedSets::covered(Index row) const {
  const Index label = labels[static_cast<std::size_t>(row)];
  return label < sets.classes() && sets.set(row, level)[static_cast<std::size_t>(label)] != 0;
}

std::string_view set_metric_summary(std::string_view name) {
  for (const MetricText& text : set_metric_texts)
    if (text.name == name) return text.summary;
  throw UsageError(format_text("no metric of sets is called '{}'", name));
}

EvaluatedRegions EvaluatedSets::regions() const {
  EvaluatedRegions result;
  for (Index row = 0; row < std::ssize(labels); ++row) {
    result.covered.push_back(covered(row) ? 1 : 0);
    result.sizes.push_back(static_cast<double>(sets.size(row, level)));
    result.exactly_covered.push_back(covered(row) && !sets.is_completed(row, level) ? 1 : 0);
  }
  result.losses = result.sizes;
  return result;
}

Figures set_metrics(const EvaluatedSets& judged) {
  const Index rows = std::ssize(judged.labels);
  std::vector<Interval> intervals;
  std::vector<double> y, sizes;
  Index singles = 0, right = 0, empty = 0, full = 0, completed = 0, exactly_covered = 0;
  for (Index row = 0; row < rows; ++row) {
    const Index size = judged.sets.size(row, judged.level);
    const bool covered = judged.covered(row);
    intervals.push_back(as_interval(size));
    y.push_back(covered ? 0.5 : -1);
    sizes.push_back(static_cast<double>(size));
    singles += size == 1 ? 1 : 0;
    right += size == 1 && covered ? 1 : 0;
    empty += size == 0 ? 1 : 0;
    full += size == judged.sets.classes() ? 1 : 0;
    const bool is_completed = judged.sets.is_completed(row, judged.level);
    completed += is_completed ? 1 : 0;
    exactly_covered += covered && !is_completed ? 1 : 0;
  }
  const Judged as_intervals{intervals,
                            y,
                            judged.sets.levels[judged.level],
                            judged.x,
                            judged.calibration_rows,
                            judged.rank,
                            judged.last_rank,
                            judged.seed,
                            judged.threads,
                            judged.band};
  const auto of_intervals = [&](const std::string& name) { return metrics().make(name)->value(as_intervals); };
  const auto share = [](Index part, Index all) {
    return all > 0 ? static_cast<double>(part) / static_cast<double>(all) : missing;
  };
  double mean = 0;
  for (const double size : sizes) mean += size / static_cast<double>(rows);
  return {{"coverage", of_intervals("coverage")},
          {"coverage_low", of_intervals("coverage_low")},
          {"coverage_high", of_intervals("coverage_high")},
          {"mean_size", rows > 0 ? mean : missing},
          {"median_size", median(sizes)},
          {"singletons", share(singles, rows)},
          {"correct_singletons", share(right, singles)},
          {"empty", share(empty, rows)},
          {"completed", share(completed, rows)},
          {"exact_coverage", share(exactly_covered, rows)},
          {"full", share(full, rows)},
          {"worst_slab_coverage", of_intervals("worst_slab_coverage")},
          {"size_stratified_coverage", of_intervals("size_stratified_coverage")},
          {"ert", of_intervals("ert")}};
}

Figures probability_metrics(const Matrix& p, std::span<const Index> labels, std::uint64_t seed) {
  const Index rows = std::ssize(labels), classes = p.cols();
  std::vector<double> top;
  std::vector<std::uint8_t> right;
  double log_loss = 0, brier = 0, hits = 0;
  const auto n = static_cast<double>(rows);
  for (Index row = 0; row < rows; ++row) {
    const Index label = labels[static_cast<std::size_t>(row)];
    Index best = 0;
    top.push_back(p.row(row).maxCoeff(&best));
    right.push_back(best == label ? 1 : 0);
    hits += right.back();
    log_loss -= std::log(label < classes ? std::max(p(row, label), 1e-15) : 1e-15) / n;  // the bound of scikit-learn
    double distance = label < classes ? 0 : 1;
    for (Index k = 0; k < classes; ++k) distance += std::pow(p(row, k) - (k == label ? 1 : 0), 2);
    brier += distance / n;
  }
  // The distribution of the calibration error if the probabilities were right.
  constexpr std::size_t simulations = 200;
  std::vector<double> simulated;
  std::vector<std::uint8_t> would_be_right(top.size());
  for (std::size_t i = 0; i < simulations; ++i) {
    Random random = Random(seed).fork(i);
    for (std::size_t k = 0; k < top.size(); ++k) would_be_right[k] = random.uniform() < top[k] ? 1 : 0;
    simulated.push_back(calibration_error(top, would_be_right));
  }
  std::sort(simulated.begin(), simulated.end());
  return {{"accuracy", hits / n},
          {"log_loss", log_loss},
          {"brier", brier},
          {"calibration_error", calibration_error(top, right)},
          {"calibration_error_high", simulated[static_cast<std::size_t>(std::ceil(band_probability * simulations)) - 1]}};
}

std::vector<CoverageLine> lines_by_label(const EvaluatedSets& judged, const std::vector<std::string>& names) {
  std::vector<Index> of_row;
  for (const Index label : judged.labels) of_row.push_back(label < std::ssize(names) ? label : -1);
  return coverage_lines(names, of_row, judged.regions());
}

std::vector<CoverageLine> lines_by_size(const EvaluatedSets& judged) {
  std::map<Index, Index> place_of_size;
  for (Index row = 0; row < std::ssize(judged.labels); ++row) place_of_size[judged.sets.size(row, judged.level)] = 0;
  std::vector<std::string> names;
  for (auto& [size, place] : place_of_size) {
    place = std::ssize(names);
    names.push_back(std::to_string(size));
  }
  std::vector<Index> of_row;
  for (Index row = 0; row < std::ssize(judged.labels); ++row)
    of_row.push_back(place_of_size[judged.sets.size(row, judged.level)]);
  return coverage_lines(names, of_row, judged.regions());
}

Matrix set_confusion(const EvaluatedSets& judged) {
  const Index classes = judged.sets.classes();
  Matrix shares = Matrix::Zero(classes, classes);
  std::vector<double> rows(static_cast<std::size_t>(classes));
  for (Index row = 0; row < std::ssize(judged.labels); ++row) {
    const Index label = judged.labels[static_cast<std::size_t>(row)];
    if (label >= classes) continue;
    ++rows[static_cast<std::size_t>(label)];
    const auto set = judged.sets.set(row, judged.level);
    for (Index k = 0; k < classes; ++k) shares(label, k) += set[static_cast<std::size_t>(k)];
  }
  for (Index label = 0; label < classes; ++label)
    shares.row(label) /= rows[static_cast<std::size_t>(label)] > 0 ? rows[static_cast<std::size_t>(label)] : missing;
  return shares;
}

}  // namespace taut
