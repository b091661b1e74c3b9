// Which rows of a table are fitted and which are tested in a comparison.
//
// rows    exchangeable rows: random halvings; each half is fitted once and tested once. Inside each half the same is done with
// its
//         two quarters: nothing in one half knows of the other, so the two tell how far chance moves a difference (paired.hpp).
// groups  --keep-together: the same with whole groups, which is what a new group is like.
// time    --in-order, --order-by: blocks of the later half of the rows, one after another; each is tested by what was fitted to
// all
//         rows before it, less --gap.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/data/table.hpp>
#include <taut/options/options.hpp>

#include <optional>
#include <vector>

namespace taut {

enum class Design { rows, groups, time };

// One fit and its test.
struct Split {
  Index repeat = 0;                        // halving or block, from 0
  std::size_t tested = 0;                  // the half that is tested, 0 or 1; in time always 0
  std::optional<std::size_t> within = {};  // quarters: the half that these are the halves of
};

// Every fit has a seed of its own: the effect of a shared one would cancel in the difference of two halves.
Index seed_of(const Split& split, Index first);

struct SplitTable {
  Table fitted, tested;
};

class ComparedRows {
 public:
  // Too few groups or rows for the blocks are an Error. The table outlives this object.
  ComparedRows(const Table& table, const FitOptions& common, Index repeats, const ExecutionContext& context);

  Design design() const { return design_; }
  Index units() const { return std::ssize(units_); }  // rows or groups
  Index rows_of_block() const;                        // in time: rows that a block tests, or one more
  // What the results are made of: two for each halving, one for each block.
  std::vector<Split> splits() const;
  // Four for each halving, in the order in which paired_difference reads them; none in time.
  std::vector<Split> nested() const;
  SplitTable cut(const Split& split) const;

 private:
  SplitTable halves(const Split& split) const;
  SplitTable block(const Split& split) const;

  const Table& table_;
  Design design_;
  Index repeats_, seed_, gap_;
  std::vector<Rows> units_;
};

// At most `most` rows for a first impression: random ones, random whole groups, or the latest.
Table sample_of(const Table& table, const FitOptions& common, Index most, const ExecutionContext& context);

}  // namespace taut
