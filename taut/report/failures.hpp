// Groups of rows that are covered less often than chance explains: bins of the coverage picture, regions that a search found, and
// the worst slab. All are judged by the same ranges, so that no two parts of the page contradict each other.
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
  double low, high;  // of the widths; infinite where they are
  Index rows, covered;
};

// The worst slab, as the other half of the rows and all rows see it.
struct SlabInWords {
  std::string words;    // "the rows have mostly high x and low z": continues "where"
  std::string formula;  // "0.1 ≤ 0.8 x − 0.6 z ≤ 1.2"
  Index rows = 0, covered = 0;
  Index all_rows = 0, all_covered = 0;
  bool clearly_low = false;
};

struct Failure : WeakGroup {
  Index least = 0;                      // covered rows that chance explains
  Index all_rows = 0, all_covered = 0;  // where half of the rows searched for the group: those of both halves
};

// What one level knows about groups of rows.
struct LevelGroups {
  std::vector<WidthBin> by_width;
  std::vector<std::vector<Index>> covered;  // per column that is drawn, per bin
  std::vector<Region> regions;
  std::optional<SlabInWords> slab;  // at levels for which it is searched
};

// Worst first: regions, the slab, then bins, those of `by_size` among them: parts by the width of intervals or the size of sets.
std::vector<Failure> list_failures(const LevelGroups& groups, const DrawnColumns& drawn, const ExpectedRanges& expected,
                                   const std::vector<WeakGroup>& by_size);

// `inputs` are standardised numbers of `features`; `columns`: which of them each comes from, for a date gives several.
SlabInWords slab_in_words(const TableView& features, const MatrixF& inputs, std::span<const Index> columns,
                          const HeldOutSlab& found, std::span<const std::uint8_t> covered, const ExpectedRanges& expected);

}  // namespace taut
