// Evaluates joint regions on rows with known targets.
#include <taut/core/text.hpp>
#include <taut/core/threads.hpp>
#include <taut/metric/conditional.hpp>
#include <taut/metric/metric.hpp>
#include <taut/task/several/joint_answers.hpp>
#include <taut/task/several/several_evaluation.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace taut {

namespace {

class SeveralJudge final : public RegionEvaluator {
 public:
  explicit SeveralJudge(const EvaluationRequest& request)
      : request_(request), task_(several_task(request.parts)), seen_(static_cast<const SeveralRows&>(request.seen)) {
    request.parts.require_distribution("an evaluation of regions needs");
    result_.region = task_.region_name;
    for (const auto& name : task_.joint.names) result_.targets.push_back({name, {}, {}});
  }

  EvaluatedRegions regions(std::size_t level) override {
    const Index n = std::ssize(seen_.rows), d = task_.targets_count();
    const ScoreDistribution* const shared = request_.distributions.shared();
    const double confidence = request_.levels[level];
    std::unique_ptr<RegionAt> of_all;
    if (shared != nullptr) of_all = task_.region->at(shared->quantile(confidence), task_.joint);
    std::optional<EachTarget> each;
    if (EachTarget::is_possible(request_.parts))
      each.emplace(request_.parts, std::span(&confidence, 1), request_.distributions, n);
    EvaluatedRegions judged;
    judged.covered.resize(static_cast<std::size_t>(n));
    judged.sizes.resize(static_cast<std::size_t>(n));
    std::vector<std::uint8_t> in_box(static_cast<std::size_t>(n * d)), alone(static_cast<std::size_t>(n * d));
    parallel_blocks(n, 1 << 8, request_.context.threads, [&](Index begin, Index end) {
      std::vector<Interval> box(static_cast<std::size_t>(d));
      for (Index i = begin; i < end; ++i) {
        const JointRow row = seen_.at(i);
        const RowTarget y = row_target(request_.y, i, d);
        const double q = shared != nullptr ? shared->quantile(confidence) : request_.distributions[i].quantile(confidence);
        std::unique_ptr<RegionAt> own;
        if (shared == nullptr) own = task_.region->at(q, task_.joint);
        const RegionAt& region = own ? *own : *of_all;
        region.enclose(row, box);
        bool is_inside = task_.region->is_box() || seen_.score(i, y, 0).score <= q;
        for (Index j = 0; j < d; ++j) {
          const auto at = static_cast<std::size_t>(j);
          const bool holds = box[at].contains(y[at]);
          in_box[static_cast<std::size_t>(i * d + j)] = holds ? 1 : 0;
          if (task_.region->is_box()) is_inside = is_inside && holds;
          if (each) alone[static_cast<std::size_t>(i * d + j)] = each->at(row, i, j, 0).contains(y[at]) ? 1 : 0;
        }
        judged.covered[static_cast<std::size_t>(i)] = is_inside ? 1 : 0;
        judged.sizes[static_cast<std::size_t>(i)] = region.volume(row);
      }
    });
    judged.losses = judged.sizes;
    for (Index j = 0; j < d; ++j) {
      double of_box = 0, of_each = 0;
      for (Index i = 0; i < n; ++i) {
        of_box += in_box[static_cast<std::size_t>(i * d + j)];
        of_each += alone[static_cast<std::size_t>(i * d + j)];
      }
      TargetCoverage& own = result_.targets[static_cast<std::size_t>(j)];
      own.in_box.push_back(of_box / static_cast<double>(n));
      own.alone.push_back(each ? of_each / static_cast<double>(n) : missing);
    }
    covered_ = judged.covered;
    volumes_ = judged.sizes;
    return judged;
  }

  Figures metrics(std::size_t, Judged facts) const override {
    Figures figures = coverage_figures({"coverage", "coverage_low", "coverage_high", "ert"}, covered_, std::move(facts));
    const auto d = static_cast<double>(task_.targets_count());
    double volume = 0, side = 0, unbounded = 0;
    for (const double one : volumes_) {
      volume += one;
      side += std::pow(one, 1 / d);
      unbounded += std::isinf(one) ? 1 : 0;
    }
    const auto n = static_cast<double>(volumes_.size());
    std::vector<double> sorted = volumes_;
    std::sort(sorted.begin(), sorted.end());
    figures.emplace_back("mean_volume", volume / n);
    figures.emplace_back("median_volume", sorted[sorted.size() / 2]);
    figures.emplace_back("side", side / n);
    figures.emplace_back("unbounded", unbounded / n);
    return figures;
  }

  // If ends are rounded to possible values, coverage can only grow.
  bool rounds_up() const override {
    return std::any_of(task_.joint.ranges.begin(), task_.joint.ranges.end(), [](const auto& one) { return one.restricts(); });
  }

  std::unique_ptr<Evaluation> finish() override {
    const KeptRows& kept = request_.parts.kept;
    const Index n = std::ssize(seen_.rows), d = task_.targets_count();
    constexpr Index max_rows = 2000, max_values = 500;
    const Index step = n / max_rows + 1, count = (n + step - 1) / step;
    if (!kept.empty() && n > 0) {
      std::vector<double> scores(static_cast<std::size_t>(count));
      parallel_blocks(count, 1 << 5, request_.context.threads, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
          const KeptOfGroup own(kept, request_.distributions.group(i * step), max_values);
          const Matrix values = joint_values(seen_.at(i * step), own);
          scores[static_cast<std::size_t>(i)] =
              energy_score(values, row_target(request_.y, i * step, d), task_.joint.spreads, own.weights());
        }
      });
      double sum = 0;
      std::erase_if(scores, [](double score) { return std::isnan(score); });  // of groups with fewer than two kept rows
      for (const double score : scores) sum += score;
      if (!scores.empty()) result_.energy_score = sum / static_cast<double>(scores.size());
    }
    return std::make_unique<SeveralEvaluation>(std::move(result_));
  }

 private:
  EvaluationRequest request_;
  const SeveralTask& task_;
  const SeveralRows& seen_;
  std::vector<std::uint8_t> covered_;  // of the last call of regions()
  std::vector<double> volumes_;
  SeveralEvaluation result_;
};

}  // namespace

double energy_score(const Matrix& values, std::span<const double> y, std::span<const double> spreads,
                    std::span<const double> weights) {
  const Index n = values.rows(), d = values.cols();
  if (n < 2) return missing;
  const auto distance = [&](auto difference) {
    double sum = 0;
    for (Index j = 0; j < d; ++j) {
      const double own = difference(j) / spreads[static_cast<std::size_t>(j)];
      sum += own * own;
    }
    return std::sqrt(sum);
  };
  const auto weight = [&](Index i) { return weights.empty() ? 1 : weights[static_cast<std::size_t>(i)]; };
  // Kept rows may be in an order of their own, so pairs of neighbours after a permutation are random pairs.
  constexpr std::uint64_t seed_of_pairs = 0x7061697273;
  const Rows order = Random(seed_of_pairs).permutation(n);
  double to_y = 0, all = 0, between = 0, pairs = 0;
  for (Index i = 0; i < n; ++i) {
    const Index a = order[static_cast<std::size_t>(i)];
    to_y += weight(a) * distance([&](Index j) { return values(a, j) - y[static_cast<std::size_t>(j)]; });
    all += weight(a);
    for (const Index lag : {Index{1}, Index{2}, Index{3}, Index{5}}) {
      const Index b = order[static_cast<std::size_t>((i + lag) % n)];
      if (a == b) continue;
      between += weight(a) * weight(b) * distance([&](Index j) { return values(a, j) - values(b, j); });
      pairs += weight(a) * weight(b);
    }
  }
  return all > 0 ? to_y / all - (pairs > 0 ? between / pairs / 2 : 0) : missing;
}

std::unique_ptr<RegionEvaluator> SeveralTask::judge(const EvaluationRequest& request) const {
  return std::make_unique<SeveralJudge>(request);
}

RegionWords SeveralTask::region_words() const {
  return {.one = "region",
          .size = "volume",
          .size_meaning = "in the product of the targets' units",
          .covered = "share of rows with all targets in their region",
          .unbounded = "unbounded"};
}

std::string SeveralEvaluation::metric_summary(const std::string& name) const {
  if (name == "coverage") return "share of rows with all targets in their region";
  if (name == "mean_volume") return "volume of the region, in the product of the targets' units; smaller is better";
  if (name == "median_volume") return "the same of the median row";
  if (name == "side") return "mean of volume^(1/targets): the side of a cube as large as the region";
  if (name == "unbounded") return "share of regions without a finite volume";
  for (const auto& entry : taut::metrics().entries())
    if (entry.name == name) return entry.summary;
  return "";
}

void SeveralEvaluation::add_facts(Value& evaluation) const {
  evaluation.set("region", region);
  evaluation.set("energy_score", energy_score);
  evaluation.set("targets", value_list(targets, [](const TargetCoverage& one) {
                   return Value::object({{"target", one.target}, {"coverage_in_box", one.in_box}, {"coverage_alone", one.alone}});
                 }));
}

std::string SeveralEvaluation::describe_more() const {
  TextTable table;
  std::vector<std::string> heading = {"target"};
  for (const auto& level : levels) heading.push_back("in the region's box, " + print_number(level.confidence));
  for (const auto& level : levels) heading.push_back("alone, " + print_number(level.confidence));
  table.row(std::move(heading));
  for (const TargetCoverage& one : targets) {
    std::vector<std::string> cells = {one.target};
    for (const auto* shares : {&one.in_box, &one.alone})
      for (const double share : *shares) cells.push_back(with_decimals(share, 3));
    table.row(std::move(cells));
  }
  return "\nEach target: coverage by the box around the joint region (" + region + "), and by its own interval (--each)\n\n" +
         table.text() +
         "\nEnergy score of the joint distribution, in units of each target's spread: " + print_rounded(energy_score, 4) +
         "; smaller is better\n";
}

}  // namespace taut
