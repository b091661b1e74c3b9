#include <taut/task/several/joint_answers.hpp>

#include <taut/calibrate/rank.hpp>
#include <taut/core/error.hpp>
#include <taut/core/threads.hpp>
#include <taut/plan/columns.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

std::unique_ptr<SeveralRows> seen_of(const ModelParts& parts, const TableView& table, const Rows& rows, int threads) {
  return std::unique_ptr<SeveralRows>(static_cast<SeveralRows*>(parts.see(table, rows, threads).release()));
}

}  // namespace

JointPredictions::JointPredictions(const ModelParts& parts, const TableView& table, const ExecutionContext& context,
                                   UnseenGroups* unseen)
    : JointPredictions(parts, table, all_rows(table.rows()), context, unseen) {}

JointPredictions::JointPredictions(const ModelParts& parts, const TableView& table, const Rows& rows,
                                   const ExecutionContext& context, UnseenGroups* unseen)
    : parts_(parts),
      task_(several_task(parts)),
      context_(context),
      seen_(seen_of(parts, table, rows, context.threads)),
      distributions_(parts.distributions_of(table, *seen_, context.threads, unseen)) {}

Matrix JointPredictions::predictions() const {
  Matrix result(rows(), task_.targets_count());
  for (Index j = 0; j < result.cols(); ++j) {
    const auto& f = seen_->of_target[static_cast<std::size_t>(j)]->predicted.f();
    for (Index row = 0; row < result.rows(); ++row) result(row, j) = f[static_cast<std::size_t>(row)];
  }
  return result;
}

void JointPredictions::for_each_row(std::span<const double> levels, const Visit& visit) const {
  for (const double level : levels) check_confidence(level);
  const ScoreDistribution* const shared = distributions_.shared();
  std::vector<std::unique_ptr<RegionAt>> of_all;
  for (const double level : levels)
    if (shared != nullptr) of_all.push_back(task_.region->at(shared->quantile(level), task_.joint));
  constexpr Index block = 1 << 10;
  parallel_blocks(rows(), block, context_.threads, [&](Index begin, Index end) {
    std::vector<std::unique_ptr<RegionAt>> own(levels.size());
    std::vector<const RegionAt*> regions(levels.size());
    for (std::size_t level = 0; level < of_all.size(); ++level) regions[level] = of_all[level].get();
    for (Index row = begin; row < end; ++row) {
      if (shared == nullptr) {
        const ScoreDistribution of_row = distributions_[row];
        for (std::size_t level = 0; level < levels.size(); ++level) {
          own[level] = task_.region->at(of_row.quantile(levels[level]), task_.joint);
          regions[level] = own[level].get();
        }
      }
      visit(row, seen_->at(row), regions);
    }
  });
}

namespace {

bool holds_in_box(const JointRow& row, const RegionAt& region, RowTarget y) {
  std::vector<Interval> sides(y.size());
  region.enclose(row, sides);
  for (std::size_t j = 0; j < y.size(); ++j)
    if (!sides[j].contains(y[j])) return false;
  return true;
}

}  // namespace

bool JointPredictions::holds(const JointRow& row, const RegionAt& region, RowTarget y, double score, double threshold) const {
  return task_.region->is_box() ? holds_in_box(row, region, y) : score <= threshold;
}

double JointPredictions::p_value(Index place, const JointRow&, RowTarget y) const {
  const ScoreDistribution of_row = distributions_[place];
  if (!of_row.has_ranks()) return missing;
  const auto [beyond, equal, own, all] = of_row.weights_above(seen_->score(place, y, 0).score);
  return (beyond + equal + own) / all;
}

namespace {

ScoreEnds ends_at(const CommonScale& scale, double q) { return {scale.lowest_at(-q), scale.highest_at(q)}; }

}  // namespace

EachTarget::EachTarget(const ModelParts& parts, std::span<const double> levels, const RowDistributions& rows, Index count)
    : joint_(several_task(parts).joint), alone_(parts.alone), rows_(rows), levels_(levels.begin(), levels.end()) {
  if (alone_.empty()) {
    read_off(parts.kept, count);
    return;
  }
  for (Index target = 0; target < joint_.count(); ++target)
    if (const auto at = static_cast<std::size_t>(target); const auto* all = alone_.of_target[at].of_every_row())
      for (const double level : levels) ends_[KeptRows::every_row].push_back(ends_at(joint_.scales[at], all->quantile(level)));
}

// After a stream the kept rows are the recent ones, as the scores of the stream are.
void EachTarget::read_off(const KeptRows& kept, Index count) {
  for (Index place = 0; place < count; ++place) {
    const Index group = rows_.group(place);
    if (ends_.contains(group)) continue;
    const KeptOfGroup of_group(kept, group);
    auto& own = ends_[group];
    for (Index target = 0; target < joint_.count(); ++target) {
      const auto at = static_cast<std::size_t>(target);
      std::vector<double> sizes;
      for (Index i = 0; i < of_group.rows(); ++i) sizes.push_back(std::abs(of_group.row(i)[at]));
      const ScoreDistribution distribution(std::move(sizes), {}, {of_group.weights().begin(), of_group.weights().end()},
                                           of_group.weights().empty() ? 1 : of_group.own_weight());
      for (const double level : levels_) own.push_back(ends_at(joint_.scales[at], distribution.quantile(level)));
    }
  }
}

Interval EachTarget::at(const JointRow& row, Index place, Index target, std::size_t level) const {
  const auto at = static_cast<std::size_t>(target);
  if (ends_.empty())
    return row.interval(target, ends_at(joint_.scales[at], rows_.of(alone_.of_target[at], place).quantile(levels_[level])));
  const Index group = alone_.empty() ? rows_.group(place) : KeptRows::every_row;
  return row.interval(target, ends_.at(group)[at * levels_.size() + level]);
}

Matrix joint_values(const JointRow& row, const KeptOfGroup& kept) {
  const Index n = kept.rows(), d = row.count();
  Matrix values(n, d);
  for (Index i = 0; i < n; ++i) {
    const auto w = kept.row(i);
    for (Index j = 0; j < d; ++j) values(i, j) = row.value_at(j, w[static_cast<std::size_t>(j)]);
  }
  if (n == 0 || std::ssize(kept.row(0)) == d) return values;
  // The kept rows have whitened scores z after their common scores. Those of x are n = L(x) z; the values of a target are put
  // into the order of its n, so that each target keeps its calibrated distribution.
  const Correlation correlation{row.dependence, d};
  Matrix normal(n, d);
  for (Index i = 0; i < n; ++i)
    correlation.colour(kept.row(i).subspan(static_cast<std::size_t>(d)), {normal.row(i).data(), static_cast<std::size_t>(d)});
  Rows by_n(static_cast<std::size_t>(n)), by_value(by_n);
  Matrix result(n, d);
  for (Index j = 0; j < d; ++j) {
    std::iota(by_n.begin(), by_n.end(), Index{0});
    by_value = by_n;
    std::stable_sort(by_n.begin(), by_n.end(), [&](Index a, Index b) { return normal(a, j) < normal(b, j); });
    std::stable_sort(by_value.begin(), by_value.end(), [&](Index a, Index b) { return values(a, j) < values(b, j); });
    for (std::size_t rank = 0; rank < by_n.size(); ++rank) result(by_n[rank], j) = values(by_value[rank], j);
  }
  return result;
}

KeptOfGroup::KeptOfGroup(const KeptRows& kept, Index group, Index maximum) : kept_(&kept), own_weight_(kept.own_weight()) {
  const Index step = kept.used() / maximum + (kept.used() % maximum > 0 ? 1 : 0);
  for (Index i = 0; i < kept.used(); i += std::max<Index>(1, step)) {
    if (kept.has_groups() && group != KeptRows::every_row && kept.group(i) != group) continue;
    places_.push_back(i);
    if (kept.has_weights()) weights_.push_back(kept.weight(i));
  }
}

double quantile_with_new(std::vector<double> values, std::span<const double> weights, double own_weight, double p) {
  if (p < 0.5) {
    for (double& value : values) value = -value;
    return -quantile_with_new(std::move(values), weights, own_weight, 1 - p);
  }
  return ScoreDistribution(std::move(values), {}, {weights.begin(), weights.end()}, weights.empty() ? 1 : own_weight).quantile(p);
}

}  // namespace taut
