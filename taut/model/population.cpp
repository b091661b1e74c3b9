#include <taut/model/population.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/guard/row_hash.hpp>

#include <algorithm>
#include <map>

namespace taut {

namespace {

// A random number in [0, 1) for each row, from its contents. Equal rows are counted, so that they get different numbers.
std::vector<double> uniforms_of(const std::vector<std::uint64_t>& hashes, std::uint64_t seed) {
  std::map<std::uint64_t, std::uint64_t> seen;
  std::vector<double> result;
  for (const std::uint64_t hash : hashes)
    result.push_back(static_cast<double>(mixed(mixed(hash + seed) ^ mixed(++seen[hash])) >> 11) * 0x1.0p-53);
  return result;
}

std::vector<std::uint64_t> hashes_of(const GroupedRows& rows, int threads) {
  return row_hashes(rows.x, std::vector<double>(rows.rows.size()), rows.rows, threads);
}

InputSummary summary_of(const GroupedRows& rows, const Rows& chosen, int threads) {
  Rows own;
  Matrix made(std::ssize(chosen), rows.outputs.cols());
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    own.push_back(rows.rows[static_cast<std::size_t>(chosen[i])]);
    made.row(static_cast<Index>(i)) = rows.outputs.row(chosen[i]);
  }
  return {rows.x, own, made, threads};
}

}  // namespace

InputSummary population_summary(const FactReader& reader, const RowFacts& facts, const GroupedRows& rows,
                                const std::optional<TableView>& towards, const Matrix& made_of_others, int threads) {
  if (reader.is(CalibrationKind::towards) && towards) {
    const TableView x = towards->matched(rows.x.columns());
    return {x, all_rows(x.rows()), made_of_others, threads};
  }
  Rows chosen;
  if (reader.counts_groups()) {
    const auto hashes = hashes_of(rows, threads);
    std::map<Index, Index> of_group;  // the row with the smallest hash
    for (Index i = 0; i < std::ssize(hashes); ++i) {
      const auto [found, is_new] = of_group.try_emplace(facts.groups[static_cast<std::size_t>(i)], i);
      if (!is_new && hashes[static_cast<std::size_t>(i)] < hashes[static_cast<std::size_t>(found->second)]) found->second = i;
    }
    for (const auto& [group, row] : of_group) chosen.push_back(row);
  } else if (reader.is(CalibrationKind::weighted)) {
    const double largest = *std::max_element(facts.weights.begin(), facts.weights.end());
    const auto uniforms = uniforms_of(hashes_of(rows, threads), reader.settings().seed);
    for (Index i = 0; i < std::ssize(uniforms); ++i)
      if (uniforms[static_cast<std::size_t>(i)] < facts.weights[static_cast<std::size_t>(i)] / largest) chosen.push_back(i);
  } else {
    return {};
  }
  return summary_of(rows, chosen, threads);
}

DriftCheck drift_check(const FactReader& reader, const InputSummary& calibration, const InputSummary& population,
                       const std::vector<Column>& schema, const std::vector<std::string>& outputs) {
  const bool counts_groups = reader.counts_groups(), is_towards = reader.is(CalibrationKind::towards);
  if (!counts_groups && !reader.has_weights()) return {calibration, schema, outputs};
  if (population.rows() == 0)
    throw Error(
        format_text("the model was written before rows could be compared with those of its calibration ('{}'); calibrate "
                    "it anew, for example with 'taut calibrate'",
                    reader.kind()));
  const std::string of = counts_groups ? "group of calibration rows"
                         : is_towards  ? "row that the model was calibrated towards"
                                       : "calibration row sampled by its weight";
  return {population,
          schema,
          outputs,
          {.one = of,
           .many = counts_groups ? "groups of calibration rows"
                   : is_towards  ? "rows that the model was calibrated towards"
                                 : "calibration rows sampled by their weights",
           .groups = counts_groups}};
}

void add_to_check(DriftCheck& check, const FactReader& reader, const GroupedRows& rows, int threads) {
  if (!reader.counts_groups()) return check.add(rows.x, rows.outputs);
  for (const Column& column : reader.groups().further_columns())
    if (!find_column(rows.table.columns(), column.name))
      throw Error(
          format_text("{}: a check for shift counts groups, because the rows of a group are not independent; the column "
                      "'{}', which defines the groups, is missing",
                      rows.table.source(), column.name));
  GroupColumns own = reader.groups();
  own.find_groups(rows);
  std::vector<std::string> names;
  for (const Index group : own.groups_of(rows)) names.push_back(own.names()[static_cast<std::size_t>(group)]);
  check.add_groups(rows.x, rows.outputs, names, hashes_of(rows, threads));
}

}  // namespace taut
