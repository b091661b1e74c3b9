// The distribution of the coverage of test rows if the guarantee holds, for every kind of calibration. It gives bands and
// p-values for all test rows or for some of them.
#pragma once

#include <taut/metric/chance.hpp>
#include <taut/model/parts.hpp>

namespace taut {

class CoverageChance {
 public:
  struct Source {
    const Calibration* calibration = nullptr;  // null: a plain calibration with the scores of `distribution`
    const ScoreDistribution* distribution = nullptr;
    Index rows = 0;                               // number of test rows
    RowFacts facts = {};                          // of the test rows, as `calibration` needs them
    std::vector<Index> groups = {};               // --keep-together: the group of each row; empty if it is not known
    std::vector<std::uint8_t> never{};            // 1: no set can contain the row's label; empty: there are no such rows
    bool never_apart = false;                     // no calibration rows count for such rows (--by-label)
    Index held_out_rows = 0, held_out_parts = 0;  // CV+
  };
  explicit CoverageChance(Source source) : source_(std::move(source)) {}
  // `seen`: the test rows, `y`: their targets. The table may lack the column of --keep-together; groups are not known then.
  CoverageChance(const ModelParts& model, const TableView& table, const ScoredRows& seen, std::span<const double> y, int threads);

  // `rows`: positions among the test rows; by default all of them.
  CoverageSpread at(double confidence, RowsView rows) const { return CoverageSpread(strata(confidence, rows)); }
  CoverageSpread at(double confidence) const { return at(confidence, all_rows(source_.rows)); }
  std::vector<CoverageStratum> strata(double confidence, RowsView rows) const;

  // The coverage that the bands refer to: the share of covered rows, or its mean over groups if each group counts once. `covered`
  // has an entry for every test row.
  double coverage(std::span<const std::uint8_t> covered, RowsView rows) const;
  bool counts_groups() const { return !source_.groups.empty(); }

 private:
  std::vector<CoverageStratum> strata_of_kind(double confidence, RowsView rows) const;

  Source source_;
};

// The groups of --keep-together, by the columns of the calibration; empty if the table lacks a column or has unknown cells in it.
std::vector<Index> groups_that_count_once(const FactReader& reader, const GroupedRows& rows);

}  // namespace taut
