// What chance makes of the coverage of test rows, whatever the kind of calibration: bands and p-values of all rows or of some.
#pragma once

#include <taut/metric/chance.hpp>
#include <taut/model/parts.hpp>

namespace taut {

class CoverageChance {
 public:
  struct Source {
    const Calibration* calibration = nullptr;  // none: all calibration rows count alike, as in `law`
    const Law* law = nullptr;
    Index rows = 0;                               // to be judged
    RowFacts facts = {};                          // of these, as the calibration asks for them
    std::vector<Index> groups = {};               // --keep-together: which belong together; empty where that is not known
    std::vector<std::uint8_t> never{};            // 1: cannot be covered, a label that no set can hold; empty: none
    bool never_apart = false;                     // and such rows have no calibration rows (--by-label)
    Index held_out_rows = 0, held_out_parts = 0;  // CV+
  };
  explicit CoverageChance(Source source) : source_(std::move(source)) {}
  // `seen`: the test rows, `y`: their targets. The table may lack the column of --keep-together; then it is not known which rows
  // belong together.
  CoverageChance(const ModelParts& model, const TableView& table, const ScoredRows& seen, std::span<const double> y, int threads);

  // Of these of the test rows, by their positions; without them of all.
  CoverageSpread at(double confidence, RowsView rows) const { return CoverageSpread(strata(confidence, rows)); }
  CoverageSpread at(double confidence) const { return at(confidence, all_rows(source_.rows)); }
  std::vector<CoverageStratum> strata(double confidence, RowsView rows) const;

  // What the bands are about: of rows that are covered or not, by position, the share; where each group counts once, the mean
  // over groups of their shares.
  double coverage(std::span<const std::uint8_t> covered, RowsView rows) const;
  bool counts_groups() const { return !source_.groups.empty(); }

 private:
  std::vector<CoverageStratum> strata_of_kind(double confidence, RowsView rows) const;

  Source source_;
};

// Of rows that belong together by the columns of the calibration; nothing where the table does not tell.
std::vector<Index> groups_that_count_once(const FactReader& reader, const GroupedRows& rows);

}  // namespace taut
