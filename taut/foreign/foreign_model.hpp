// A tree model of another library: its trees and everything else that its predictions depend on, to the last bit.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/core/types.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace taut {

// Where a missing cell (NaN) goes.
enum class ForeignMissing : std::uint8_t {
  left,
  right,
  as_zero,    // NaN is read as 0
  zero_left,  // NaN goes left, and so does 0
  zero_right  // NaN goes right, and so does 0
};

// A node of a tree. Children are given by their position in the same tree; node 0 is the root. A number goes left if it is below
// the threshold, or also if it equals it (see ForeignModel::strict). A category goes left if it is in the set.
struct ForeignNode {
  std::int32_t left = -1;  // −1: a leaf
  std::int32_t right = -1;
  std::int32_t feature = -1;
  std::int32_t set = -1;  // position in ForeignModel::sets; −1: a split of numbers
  ForeignMissing missing = ForeignMissing::left;
  double value = 0;  // the threshold, or the value of a leaf

  bool is_leaf() const { return left < 0; }
};

using ForeignTree = std::vector<ForeignNode>;

// One column of the model.
struct ForeignFeature {
  std::string name = {};
  // The categories, numbered in this order: texts, or numbers in ascending order. Both empty: the cell itself is used.
  std::vector<std::string> texts = {};
  std::vector<double> numbers = {};
};

enum class ForeignLink : std::uint8_t { identity, exp, exp_float, logistic_float, signed_square };

struct ForeignModel {
  std::string library;                  // "XGBoost"
  std::string version;                  // of the library, where the file says it
  std::string objective;                // the library's name for it
  std::string source;                   // the file, or the Python object
  std::vector<std::string> notes = {};  // for the user: rounds that were left out, for example

  bool has_names = false;  // otherwise columns are matched by position
  std::vector<ForeignFeature> features = {};
  std::vector<ForeignTree> trees = {};
  std::vector<std::vector<std::uint32_t>> sets = {};  // of categories, as bits: category c is bit c % 32 of word c / 32

  bool strict = false;        // left is x < threshold; otherwise x <= threshold
  bool float_inputs = false;  // cells are rounded to float before anything else
  bool float_sums = false;    // sums are computed in float
  bool tiny_is_zero = false;  // cells nearer to 0 than 1e-35 are 0
  // The prediction: link(scale · ((start + leaves in the order of the trees) / divisor) + bias).
  double start = 0, divisor = 1, scale = 1, bias = 0;
  ForeignLink link = ForeignLink::identity;

  // Further models of the same columns, from cross-fitting: f is the mean of this model and of these, added in this order.
  std::vector<ForeignModel> others = {};
  // For every row of the table of a fit a prediction by models that were not trained on the row; NaN: no model was trained on it.
  // Empty: no model was trained on any row. Not saved.
  std::vector<double> out_of_fold = {};

  // Adds a model to `others`. Throws Error if its columns or their categories are not those of this one.
  void add(ForeignModel other);
  Index n_models() const { return 1 + std::ssize(others); }
  Index n_trees() const;  // of all models
  Index nodes() const;    // of this model
  // "XGBoost 3.2.0, 100 trees, reg:squarederror, from xgb.json"; "the mean of 5 models of XGBoost 3.2.0, 500 trees, ...".
  std::string describe() const;

  // Checks the model and puts every tree in breadth-first order: siblings are adjacent and follow their parent. Unreachable nodes
  // are dropped. Unknown nodes or features, cycles, and numbers that are not finite are Errors.
  void settle();

  void save(Archive archive) const;
  static ForeignModel load(const Archive& archive);
};

// The maximum number of words in all sets of a model: 256 MB. Without a limit, a short file could ask for far more.
inline constexpr std::size_t max_set_words = std::size_t{1} << 26;

// LightGBM treats cells up to this size as 0. It compares doubles with a float constant.
inline constexpr double foreign_tiny = static_cast<double>(1e-35F);

}  // namespace taut
