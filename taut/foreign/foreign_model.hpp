// A model of another library, as it was read: its trees and everything else that its predictions depend on, to the last bit.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/core/types.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace taut {

// Where a cell goes that is missing (NaN).
enum class ForeignMissing : std::uint8_t {
  left,
  right,
  as_zero,    // it is read as 0
  zero_left,  // it goes left, and so does 0 itself
  zero_right
};

// A node of a tree, children by position in the same tree, node 0 is the root. A number goes left when it is below the threshold
// (or equal to it, as the model says), a category when the set has it.
struct ForeignNode {
  std::int32_t left = -1;  // −1: a leaf
  std::int32_t right = -1;
  std::int32_t feature = -1;
  std::int32_t set = -1;  // −1: a split of numbers
  ForeignMissing missing = ForeignMissing::left;
  double value = 0;  // the threshold, or what a leaf adds

  bool is_leaf() const { return left < 0; }
};

using ForeignTree = std::vector<ForeignNode>;

// What the model knows of one of its columns.
struct ForeignFeature {
  std::string name = {};
  // Categories are numbered in this order: by texts, or by numbers in ascending order. Both empty: the cell is the number.
  std::vector<std::string> texts = {};
  std::vector<double> numbers = {};
};

enum class ForeignLink : std::uint8_t { identity, exp, exp_float, logistic_float, signed_square };

struct ForeignModel {
  std::string library;                  // "XGBoost"
  std::string version;                  // of the library, where the file says it
  std::string objective;                // in the library's words
  std::string source;                   // the file, or the Python object
  std::vector<std::string> notes = {};  // what a user should know: rounds that were left out, say

  bool has_names = false;  // otherwise columns are matched by position
  std::vector<ForeignFeature> features = {};
  std::vector<ForeignTree> trees = {};
  std::vector<std::vector<std::uint32_t>> sets = {};  // of categories, as bits: category c is bit c % 32 of word c / 32

  bool strict = false;        // left is x < threshold; otherwise x <= threshold
  bool float_inputs = false;  // cells are rounded to float before anything else
  bool float_sums = false;    // sums are made in float
  bool tiny_is_zero = false;  // cells nearer to 0 than 1e-35 are 0
  // The prediction: link(scale · ((start + leaves in the order of the trees) / divisor) + bias).
  double start = 0, divisor = 1, scale = 1, bias = 0;
  ForeignLink link = ForeignLink::identity;

  Index nodes() const;
  // "XGBoost 3.2.0, 100 trees, reg:squarederror, from xgb.json".
  std::string in_words() const;

  // Puts every tree in breadth-first order, so that children stand side by side behind their parents, and drops nodes that no row
  // reaches. An Error for whatever does not fit together: unknown nodes and features, circles, numbers that are none.
  void settle();

  void save(Archive archive) const;
  static ForeignModel load(const Archive& archive);
};

// The most words that the sets of a model may take: 256 MB. A short file could name categories that ask for far more.
inline constexpr std::size_t most_set_words = std::size_t{1} << 26;

// The number from which cells are not 0 for LightGBM: a float in a comparison of doubles.
inline constexpr double foreign_tiny = static_cast<double>(1e-35F);

}  // namespace taut
