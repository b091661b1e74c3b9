// Groups of rows that are covered less often than chance explains: bins of the coverage chart, regions that a search found, and
// the worst slab. All use the same ExpectedRanges, so that no two parts of the page contradict each other.
#pragma once

#include <taut/metric/slab.hpp>
#include <taut/report/answer.hpp>
#include <taut/report/bins.hpp>
#include <taut/report/regions.hpp>

#include <optional>
#include <string>
#include <vector>

namespace taut {

struct WidthBin {
  double low, high;  // range of the widths; may be infinite
  Index rows, covered;
};

// The worst slab, found on one half of the rows: coverage on the other half and on all rows.
struct SlabDescription {
  std::string words;    // "the rows have mostly high x and low z": continues "where"
  std::string formula;  // "0.1 ≤ 0.8 x − 0.6 z ≤ 1.2"
  Index rows = 0, covered = 0;
  Index all_rows = 0, all_covered = 0;
  bool clearly_low = false;
};

struct Failure : WeakGroup {
  Index minimum = 0;                    // the smallest number of covered rows that chance explains
  Index all_rows = 0, all_covered = 0;  // of both halves of the rows, if the group was found by a search on one half; else 0
};

// Results for groups of rows at one level.
struct LevelGroups {
  std::vector<WidthBin> by_width;
  std::vector<std::vector<Index>> covered;  // per drawn column, per bin
  std::vector<Region> regions;
  std::optional<SlabDescription> slab;  // only at levels where it is searched
};

// Regions first, then the slab, then bins; bins are sorted by shortfall. `by_size` groups rows by the width of intervals or the
// size of sets.
std::vector<Failure> list_failures(const LevelGroups& groups, const ChartColumns& drawn, const ExpectedRanges& expected,
                                   const std::vector<WeakGroup>& by_size);

// `inputs` are the standardised inputs computed from `features`; columns[input] is the column of an input. A date gives several
// inputs.
SlabDescription describe_slab(const TableView& features, const MatrixF& inputs, std::span<const Index> columns,
                              const HeldOutSlab& found, std::span<const std::uint8_t> covered, const ExpectedRanges& expected);

}  // namespace taut
