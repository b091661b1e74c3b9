// Where intervals miss more often than they should: a shallow tree on the misses, told in words of the columns.
//
// One random half of the rows grows the tree, the other half judges its leaves, so a region that chance made looks like chance.
#pragma once

#include <taut/data/table_view.hpp>
#include <taut/metric/beta.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace taut {

struct Region {
  std::string words;     // "grade >= 11 and sqft_living >= 4200"
  Index rows = 0;        // of the judging half
  double coverage = 0;   // of those
  Band band{0, 1};       // exact, at 99 % for all regions of a level together
  Index found_rows = 0;  // of the half that grew the tree, whose coverage flatters the search
  double found_coverage = 0;
  bool clearly_low = false;  // the band lies below the level
};

class RegionSearch {
 public:
  // Columns are looked at through at most 64 bins each. Large tables are searched and judged on a part of their rows.
  RegionSearch(const TableView& features, std::uint64_t seed);

  // The `most` most telling leaves whose coverage is below the level on the rows that grew them, of those the ones that the other
  // half finds below it too.
  std::vector<Region> find(std::span<const std::uint8_t> z, double level, std::size_t most = 3) const;

 private:
  using Mask = std::uint64_t;  // which bins of a column

  struct Cuts {
    std::string name;
    bool is_categorical = false;
    bool has_missing = false;             // its bin is the last
    std::vector<double> cuts;             // numbers: bin b holds cuts[b - 1] <= value < cuts[b]
    std::vector<std::string> categories;  // the most frequent, one bin each; then all other values
    std::vector<std::int16_t> bin_of_code;
    std::size_t bins = 0;
    std::vector<std::uint8_t> of_row;  // growing rows first, then judging rows
  };

  struct Split {
    std::size_t column = 0;
    Mask left = 0;
    double gain = 0;
  };

  struct Node {
    std::vector<std::uint32_t> rows;  // positions among the growing rows
    std::vector<Mask> allowed;        // per column
  };

  Cuts number_cuts(const TableView& features, Index column) const;
  Cuts category_cuts(const TableView& features, Index column) const;
  void put_rows(const TableView& features, Index column, Cuts& cuts) const;
  Split best_split(const Node& node, std::span<const std::uint8_t> z) const;
  void grow(Node node, std::span<const std::uint8_t> z, int depth, std::vector<Node>& leaves) const;
  Region judged(const Node& leaf, std::span<const std::uint8_t> z, double level, std::size_t regions) const;
  std::string words(const Node& leaf) const;

  Rows grow_rows_, judge_rows_;
  std::size_t least_rows_ = 20;
  std::vector<Cuts> columns_;
};

}  // namespace taut
