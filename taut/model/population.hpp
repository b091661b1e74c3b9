// The rows that new rows are compared with by --check-shift, where these are not the calibration rows as they are.
//
// The test of taut/guard/drift/drift_check.hpp is exact for rows that are exchangeable with those of its summary. So the summary
// is of
//   --keep-together   one row of each group: groups are exchangeable, rows of one group are not;
//   --weights         a random subset of the calibration rows, each kept with a probability in proportion to its weight: such
//   rows are of
//                     the population that the weights describe;
//   --towards         the rows that it named.
// Random numbers depend on the contents of rows alone, not on their order.
#pragma once

#include <taut/guard/drift/drift_check.hpp>
#include <taut/model/fact_reader.hpp>

namespace taut {

// Of the calibration rows, with what the kind of calibration learnt of them, and of those that --towards named. Empty where the
// calibration rows count alike.
InputSummary population_summary(const FactReader& reader, const RowFacts& facts, const GroupedRows& rows,
                                const std::optional<TableView>& towards, const Matrix& made_of_others, int threads);

// An Error where the model file is older than what its kind of calibration asks for.
DriftCheck drift_check(const FactReader& reader, const InputSummary& calibration, const InputSummary& population,
                       const std::vector<Column>& schema);
// With --keep-together the table must have the column that tells groups.
void add_to_check(DriftCheck& check, const FactReader& reader, const GroupedRows& rows, int threads);

}  // namespace taut
