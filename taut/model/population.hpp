// The rows that --check-shift compares new rows with, for kinds of calibration where these are not simply the calibration rows.
//
// The test of taut/guard/drift/drift_check.hpp is exact for rows that are exchangeable with those of its summary. The summary
// therefore contains
//   --keep-together   one row of each group: groups are exchangeable, rows of one group are not;
//   --weights         a random subset of the calibration rows, each kept with probability proportional to its weight: these rows
//                     are a sample of the population that the weights describe;
//   --towards         the rows that the option named.
// Random numbers depend only on the contents of rows, not on their order.
#pragma once

#include <taut/guard/drift/drift_check.hpp>
#include <taut/model/fact_reader.hpp>

namespace taut {

// `facts` and `rows`: the calibration rows. `towards` and `made_of_others`: the rows of --towards and their outputs. Empty for
// the other kinds of calibration.
InputSummary population_summary(const FactReader& reader, const RowFacts& facts, const GroupedRows& rows,
                                const std::optional<TableView>& towards, const Matrix& made_of_others, int threads);

// Throws Error if the model file is too old to contain the summary that its kind of calibration needs.
DriftCheck drift_check(const FactReader& reader, const InputSummary& calibration, const InputSummary& population,
                       const std::vector<Column>& schema, const std::vector<std::string>& outputs);
// Throws Error if the table lacks the column of --keep-together.
void add_to_check(DriftCheck& check, const FactReader& reader, const GroupedRows& rows, int threads);

}  // namespace taut
