#include <taut/model/coverage_chance.hpp>

#include <taut/model/held_out.hpp>

#include <algorithm>
#include <functional>
#include <map>

namespace taut {

std::vector<Index> groups_that_count_once(const FactReader& reader, const GroupedRows& rows) {
  if (!reader.counts_groups()) return {};
  for (const Column& column : reader.groups().further_columns())
    if (!find_column(rows.table.columns(), column.name)) return {};
  GroupColumns own = reader.groups();
  own.find_groups(rows, GroupColumns::Unknown::one_group);
  return own.has_unknown(rows) ? std::vector<Index>{} : own.groups_of(rows);
}

CoverageChance::CoverageChance(const ModelParts& model, const TableView& table, const ScoredRows& seen, std::span<const double> y,
                               int threads) {
  source_.distribution = &model.distribution;
  source_.rows = std::ssize(seen.rows);
  source_.calibration = model.calibration.get();
  const auto never = [&](double target) { return model.task->is_never_covered(target); };
  if (std::any_of(y.begin(), y.end(), never))
    for (const double target : y) source_.never.push_back(never(target) ? 1 : 0);
  source_.never_apart = model.by_label;
  if (!model.held_out.empty()) {
    source_.held_out_rows = model.calibration_rows();
    source_.held_out_parts = std::ssize(model.held_out);
  } else if (model.by_label) {
    for (const double target : y) source_.facts.groups.push_back(static_cast<Index>(target));
  } else if (model.calibration) {
    const Matrix made = seen.outputs();
    const GroupedRows rows = model.grouped(table, seen, made);
    source_.groups = groups_that_count_once(model.reader, rows);
    if (!model.calibration->is_shared()) source_.facts = model.reader.facts(rows, threads);
    if (!source_.groups.empty()) source_.facts.groups = source_.groups;
  }
}

std::vector<CoverageStratum> CoverageChance::strata(double confidence, RowsView rows) const {
  Rows possible(rows.begin(), rows.end());
  std::erase_if(possible, [&](Index row) { return !source_.never.empty() && source_.never[static_cast<std::size_t>(row)] != 0; });
  const Index never = std::ssize(rows) - std::ssize(possible);
  std::vector<CoverageStratum> result = strata_of_kind(confidence, source_.never_apart ? possible : rows);
  if (never == 0) return result;
  if (source_.never_apart) {
    result.push_back({never, 0, 1, 0, 1});
    return result;
  }
  for (CoverageStratum& one : result)  // even a set of all known labels does not contain an unknown label
    if (one.misses == 0) one = {one.units, 0, 1, 1, 0};
  return result;
}

std::vector<CoverageStratum> CoverageChance::strata_of_kind(double confidence, RowsView rows) const {
  const auto count = std::ssize(rows);
  if (source_.held_out_parts > 0)
    return {effective_stratum(count, static_cast<double>(source_.held_out_rows),
                              coverage_held_out(source_.held_out_rows, source_.held_out_parts, confidence), 1)};
  if (source_.calibration != nullptr) return source_.calibration->strata(source_.facts, rows, confidence);
  const ScoreDistribution& distribution = *source_.distribution;
  if (distribution.is_plain()) return {exact_stratum(distribution, count, confidence)};
  std::vector<double> weights;
  for (Index k = 1; k <= distribution.rows(); ++k)
    weights.push_back(distribution.weight_of_first(k) - distribution.weight_of_first(k - 1));
  std::sort(weights.begin(), weights.end(), std::greater<>());
  return {effective_stratum(count, effective_rows_at_worst(weights, confidence), confidence,
                            share_with_ties(distribution, confidence))};
}

double CoverageChance::coverage(std::span<const std::uint8_t> covered, RowsView rows) const {
  std::map<Index, std::pair<Index, Index>> counts;  // for each unit: rows, covered rows
  for (const Index row : rows) {
    auto& [all, hits] = counts[counts_groups() ? source_.groups[static_cast<std::size_t>(row)] : 0];
    ++all;
    hits += covered[static_cast<std::size_t>(row)];
  }
  double sum = 0;
  for (const auto& [unit, count] : counts) sum += static_cast<double>(count.second) / static_cast<double>(count.first);
  return counts.empty() ? missing : sum / static_cast<double>(counts.size());
}

}  // namespace taut
