// What a trained part computes, as a small graph of terms that other languages have: tables, trees, sums, splines, networks, and
// formulas of these. Every part describes itself; who writes C or ONNX knows these terms and no part.
#pragma once

#include <taut/core/formula.hpp>
#include <taut/core/types.hpp>

#include <algorithm>
#include <functional>
#include <optional>
#include <variant>
#include <vector>

namespace taut {

// One number that predictors and localizers see.
struct DescribedInput {
  enum class Kind {
    number,        // float(cell − offset), held within the range of floats; NaN stays
    standardised,  // float((cell − offset − centre) / scale), held between ±1e9; 0 where the cell is no finite number
    table,         // of a category: values[code]
    known          // values[0] where the cell is a finite number, else values[1]
  };
  Kind kind = Kind::number;
  Index column = 0;
  double offset = 0, centre = 0, scale = 1;
  std::vector<float> values = {};  // of a table, one more than there are categories: the last for any other value
  float if_missing = 0;            // of a table
  int date_part = -1;              // of a date: which part of it (DatePart) takes the place of the cell
  double origin = 0;               // of a date: elapsed days are counted from here
};

// The sum of trees, in float and in order. Nodes stand breadth first: the k-th inner node of a tree has its children at 2k + 1
// and 2k + 2. Left when input < value.
struct DescribedTrees {
  std::vector<std::int32_t> sizes = {}, features = {};  // −1: a leaf
  std::vector<std::uint8_t> missing_left = {};
  std::vector<float> values = {};
  Index outputs = 1;  // trees alternate between them
};

// The same of complete trees of one depth, whose leaves add to every output at once.
struct DescribedCompleteTrees {
  Index depth = 0;
  std::vector<std::int32_t> features = {};
  std::vector<std::uint8_t> missing_left = {};
  std::vector<float> values = {};  // of inner nodes
  std::vector<float> leaves = {};  // trees x leaves x outputs
};

// weights · some of the inputs.
struct DescribedWeights {
  std::vector<std::int32_t> inputs;
  std::vector<double> weights;
};

// constant + d · (slope + d · (square + d · cube)), d = input − from, where the input is held between low and high; low where it
// is missing.
struct DescribedSpline {
  std::int32_t input = 0;
  std::vector<double> knots;
  struct Piece {
    double from, constant, slope, square, cube;
  };
  std::vector<Piece> pieces;  // one more than there are knots
  double low = 0, high = 0;
};

// The sum of them.
struct DescribedSplines {
  std::vector<DescribedSpline> splines;
};

// What networks and Gaussian processes see of the standardised inputs: robust ones, z, and how far z has come through each bin.
struct DescribedBins {
  std::vector<double> centre, scale;  // of z: 1/unit, 0 for a constant input
  std::vector<std::int32_t> input;    // of each bin, in order
  std::vector<float> from, factor;    // of each bin
  std::vector<std::int32_t> rank;     // where the rank of a bin's input stands, behind all z
  std::vector<float> part;            // what a bin that is passed adds to it
  Index ranked = 0;
};

struct DescribedLayer {
  Index inputs = 0, outputs = 0;
  std::vector<float> weights, bias;  // weights: inputs x outputs, row after row
};

// The mean of networks of z and of how far it has come through each bin. Between layers stands Activation::smooth.
struct DescribedNetworks {
  DescribedBins bins;
  std::vector<std::vector<DescribedLayer>> networks;
};

// Of z and its ranks: level + slopes · z + sum over rows of heights · (1 + d + d²/3)·exp(-d), d the distance from z to the row,
// both scaled.
struct DescribedProcess {
  DescribedBins bins;
  std::vector<float> rows;  // one after another
  std::vector<double> scale, slopes, heights;
  double level = 0;
};

struct DescribedFunction;

// A formula whose variables are other functions of the same inputs: of one input as it is, DescribedWeights with a weight of 1.
struct DescribedFormula {
  Formula value;
  std::vector<DescribedFunction> of;
};

// centre + unit · body. With a unit of 1 sums of weights and splines start from the centre; all others add it at the end.
struct DescribedFunction {
  using Body =
      std::variant<DescribedTrees, DescribedWeights, DescribedSplines, DescribedNetworks, DescribedProcess, DescribedFormula>;
  double centre = 0, unit = 1;
  Body body;
};

// Whether a term of this kind is part of it.
template <class Body>
bool contains(const DescribedFunction& function) {
  if (std::holds_alternative<Body>(function.body)) return true;
  const auto* formula = std::get_if<DescribedFormula>(&function.body);
  return formula != nullptr && std::any_of(formula->of.begin(), formula->of.end(), contains<Body>);
}

// initial + trees, one number an output; without trees initial alone.
struct DescribedLocalizer {
  std::vector<double> initial;
  DescribedTrees trees = {};
};

// A transformation whose parameter is a scale: log s = factor · g, and back g = back · log s. Of a score q the half-width is
// e^(q + log s), and as much more as rounding may have taken.
struct DescribedScale {
  double factor = 1, back = 1;
};

// Any other: the half-width at a finite score q, negative where the set is empty, as a formula of the parameters g. It is what
// half_width() of the class gives or, where that has no formula, a little more. Scores are known when a model is written, so that
// a formula may depend on where q lies.
struct DescribedWidth {
  std::function<Formula(double q)> half_width;
};

using DescribedTransform = std::variant<DescribedScale, DescribedWidth>;

// Quantiles of the scaled residual at `probabilities`: a mean over members of initial + lines + trees.
struct DescribedQuantiles {
  // A cell is moved into its range, becomes (cell − centre) / unit, and adds that times a slope to each quantile; a missing cell
  // and one with a unit of 0 add nothing.
  struct Lines {
    std::vector<double> least, most, centre, unit;  // of each input
    std::vector<double> slopes;                     // inputs x quantiles
  };
  struct Member {
    std::vector<double> initial;
    std::optional<Lines> lines;
    DescribedCompleteTrees trees;
  };
  std::vector<double> probabilities;
  std::vector<Member> members;
};

}  // namespace taut
