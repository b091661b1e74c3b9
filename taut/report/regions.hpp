// Finds regions where intervals miss too often: grows a shallow tree on the misses and describes its leaves by the columns.
//
// The tree is grown on one random half of the rows and evaluated on the other half, because coverage on the rows that selected a
// region is biased downwards.
#pragma once

#include <taut/data/table_view.hpp>
#include <taut/report/bins.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace taut {

struct Region {
  std::string words;                    // "grade ≥ 11 and sqft_living ≥ 4,200"
  Index rows = 0, covered = 0;          // of the held-out half
  Index all_rows = 0, all_covered = 0;  // of both halves; only counted if coverage on the held-out half is too low
  double search_coverage = 0;           // on the half that grew the tree; biased downwards
  bool clearly_low = false;             // both the held-out rows and all rows lie below what chance explains
};

class RegionSearch {
 public:
  static constexpr std::size_t max_regions = 3;

  // Each column has at most 33 bins. Large tables are searched and evaluated on a random part of their rows.
  RegionSearch(const TableView& features, std::uint64_t seed);

  // Up to max_regions leaves with the largest excess of misses over 1 - level on the search rows, if their coverage on the
  // held-out rows is below the level too. Clearly low regions come first. `covered` is 1 for each row whose interval contains its
  // target.
  std::vector<Region> find(std::span<const std::uint8_t> covered, double level, const ExpectedRanges& expected) const;

 private:
  using BinSet = std::uint64_t;  // one bit per bin of a column

  struct BinnedColumn {
    std::string name;
    bool is_categorical = false;
    bool has_missing = false;             // its bin is the last
    std::vector<double> cuts;             // numbers: bin b holds cuts[b - 1] <= value < cuts[b]
    std::vector<std::string> categories;  // the most frequent, one bin each; then all others
    std::vector<std::int16_t> bin_of_code;
    std::size_t bins = 0;
    std::vector<std::uint8_t> bin_of_row;  // search rows first, then held-out rows

    std::size_t bin_of(double value) const;
  };

  struct Split {
    std::size_t column = 0;
    BinSet left = 0;
    double gain = 0;
  };

  struct Node {
    std::vector<std::uint32_t> rows;  // positions among the search rows
    std::vector<BinSet> allowed;      // per column
  };

  BinnedColumn binned_numbers(Index column) const;
  BinnedColumn binned_categories(Index column) const;
  void assign_rows(Index column, BinnedColumn& binned) const;
  Split best_split(const Node& node, std::span<const std::uint8_t> covered) const;
  void grow(Node node, std::span<const std::uint8_t> covered, int depth, std::vector<Node>& leaves) const;
  Region judge(const Node& leaf, std::span<const std::uint8_t> covered, const ExpectedRanges& expected) const;
  void count_all_rows(const Node& leaf, std::span<const std::uint8_t> covered, Region& region) const;
  std::vector<std::size_t> restricted_columns(const Node& leaf) const;
  std::string words(const Node& leaf) const;
  static std::string category_condition(const BinnedColumn& column, BinSet allowed);
  static std::string number_condition(const BinnedColumn& column, BinSet allowed);

  TableView features_;
  Rows search_rows_, held_out_rows_;
  std::size_t min_rows_ = 20;
  std::vector<BinnedColumn> columns_;
};

}  // namespace taut
