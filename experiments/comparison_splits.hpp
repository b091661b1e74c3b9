// Splits the rows of a table into rows to fit and rows to test, for a comparison.
//
// rows    Exchangeable rows: random halvings. Each half is fitted once and tested once, and so are the two quarters of each half.
//         The two halves share no row, so they show the random variation of a difference (paired.hpp).
// groups  --keep-together: the same with whole groups, so that test groups are new to the model.
// time    --in-order, --order-by: consecutive blocks of the later half of the rows. Each is tested by a fit to all rows before
// it,
//         without the first --gap rows of the block.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/data/table.hpp>
#include <taut/options/options.hpp>

#include <optional>
#include <vector>

namespace taut {

enum class Design { rows, groups, time };

// One fit and its test.
struct ComparisonSplit {
  Index repeat = 0;                        // halving or block, from 0
  std::size_t tested = 0;                  // the half that is tested, 0 or 1; in time always 0
  std::optional<std::size_t> within = {};  // for quarters: the half that contains them
};

// Every fit has a different seed: the effect of a shared seed would cancel in the difference of two halves.
Index seed_of(const ComparisonSplit& split, Index first);

struct SplitTable {
  Table fitted, tested;
};

class ComparedRows {
 public:
  // Throws Error if there are too few groups, or too few rows for the blocks. The table must outlive this object.
  ComparedRows(const Table& table, const FitOptions& common, Index repeats, const ExecutionContext& context);

  Design design() const { return design_; }
  Index units() const { return std::ssize(units_); }  // rows or groups
  Index rows_of_block() const;                        // in time: test rows of a block; some blocks have one more
  // The splits of the results: two for each halving, one for each block.
  std::vector<ComparisonSplit> splits() const;
  // Nested splits: four for each halving, in the order that paired_difference expects; none in time.
  std::vector<ComparisonSplit> nested() const;
  SplitTable cut(const ComparisonSplit& split) const;

 private:
  SplitTable halves(const ComparisonSplit& split) const;
  SplitTable block(const ComparisonSplit& split) const;

  const Table& table_;
  Design design_;
  Index repeats_, seed_, gap_;
  std::vector<Rows> units_;
};

// At most `maximum` rows for a quick comparison: random rows, random whole groups, or the latest rows.
Table sample_of(const Table& table, const FitOptions& common, Index maximum, const ExecutionContext& context);

}  // namespace taut
