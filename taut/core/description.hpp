// An intermediate representation of what a trained part computes: tables, trees, sums, splines, networks, and formulas of these.
// Every part describes itself in these terms. The writers of C and ONNX handle the terms and depend on no part.
#pragma once

#include <taut/core/formula.hpp>
#include <taut/core/types.hpp>

#include <algorithm>
#include <functional>
#include <optional>
#include <variant>
#include <vector>

namespace taut {

// One input of predictors and localizers.
struct DescribedInput {
  enum class Kind {
    number,        // float(cell − offset), clamped to the range of floats; NaN stays NaN
    standardised,  // float((cell − offset − centre) / scale), clamped to ±1e9; 0 if the cell is not a finite number
    table,         // of a category: values[code]
    known          // values[0] if the cell is a finite number, else values[1]
  };
  Kind kind = Kind::number;
  Index column = 0;
  double offset = 0, centre = 0, scale = 1;
  std::vector<float> values = {};  // for a table: one per category, and a last one for any other value
  float if_missing = 0;            // for a table
  int date_part = -1;              // for a date: the part of it (DatePart) that replaces the cell
  double origin = 0;               // for a date: the day from which elapsed days are counted
  bool orders_infinite = false;    // standardised and known: an infinite cell counts as ±1e290
};

// The sum of trees, added as floats and in order. Nodes are stored breadth first: the k-th inner node of a tree has its children
// at 2k + 1 and 2k + 2. A row goes left if input < value.
struct DescribedTrees {
  std::vector<std::int32_t> sizes = {}, features = {};  // feature −1: a leaf
  std::vector<std::uint8_t> missing_left = {};
  std::vector<float> values = {};
  Index outputs = 1;  // tree t adds to output t % outputs
};

// The sum of complete trees of one depth. Each leaf holds one value for every output.
struct DescribedCompleteTrees {
  Index depth = 0;
  std::vector<std::int32_t> features = {};
  std::vector<std::uint8_t> missing_left = {};
  std::vector<float> values = {};  // of inner nodes
  std::vector<float> leaves = {};  // trees x leaves x outputs
};

// The sum of weights[i] · inputs[i].
struct DescribedWeights {
  std::vector<std::int32_t> inputs;
  std::vector<double> weights;
};

// constant + d · (slope + d · (square + d · cube)) with d = input − from. The input is clamped to [low, high]; a missing one is
// replaced by low.
struct DescribedSpline {
  std::int32_t input = 0;
  std::vector<double> knots;
  struct Piece {
    double from, constant, slope, square, cube;
  };
  std::vector<Piece> pieces;  // one more than there are knots
  double low = 0, high = 0;
};

// A sum of splines.
struct DescribedSplines {
  std::vector<DescribedSpline> splines;
};

// The inputs of networks and Gaussian processes, computed from the standardised inputs: robust values z, and for each bin the
// share of it that lies below z, clamp((z − from) · factor, 0, 1).
struct DescribedBins {
  std::vector<double> centre, scale;  // of z; scale = 1/unit, 0 for a constant input
  std::vector<std::int32_t> input;    // of each bin, in order
  std::vector<float> from, factor;    // of each bin
  std::vector<std::int32_t> rank;     // position of the rank of the bin's input; ranks are stored after all z
  std::vector<float> part;            // the rank is the sum of part · share over the bins of an input
  Index ranked = 0;                   // number of inputs with a rank
};

struct DescribedLayer {
  Index inputs = 0, outputs = 0;
  std::vector<float> weights, bias;  // weights: inputs x outputs, row after row
};

// The mean of networks. Their inputs are z and the shares of the bins; the activation between layers is Activation::smooth.
struct DescribedNetworks {
  DescribedBins bins;
  std::vector<std::vector<DescribedLayer>> networks;
};

// A Gaussian process of z and its ranks: level + slopes · z + the sum over rows of heights · (1 + d + d²/3)·exp(-d). d is the
// distance from z to the row, both multiplied by `scale`.
struct DescribedProcess {
  DescribedBins bins;
  std::vector<float> rows;  // concatenated
  std::vector<double> scale, slopes, heights;
  double level = 0;
};

struct DescribedFunction;

// A formula whose variables are other functions of the same inputs. A single input is DescribedWeights with one weight of 1.
struct DescribedFormula {
  Formula value;
  std::vector<DescribedFunction> of;
};

// centre + unit · body. If unit is 1, sums of weights and of splines start from the centre; all other bodies add it at the end.
// The order matters because floating-point sums depend on it.
struct DescribedFunction {
  using Body =
      std::variant<DescribedTrees, DescribedWeights, DescribedSplines, DescribedNetworks, DescribedProcess, DescribedFormula>;
  double centre = 0, unit = 1;
  Body body;
};

// Whether the function is, or contains, a term of type Body.
template <class Body>
bool contains(const DescribedFunction& function) {
  if (std::holds_alternative<Body>(function.body)) return true;
  const auto* formula = std::get_if<DescribedFormula>(&function.body);
  return formula != nullptr && std::any_of(formula->of.begin(), formula->of.end(), contains<Body>);
}

// initial + trees, one number per output. `trees` may be empty.
struct DescribedLocalizer {
  std::vector<double> initial;
  DescribedTrees trees = {};
};

// A transformation whose parameter is a scale: log s = factor · g, and inversely g = back · log s. The half-width at a score q is
// e^(q + log s), enlarged by the possible rounding error.
struct DescribedScale {
  double factor = 1, back = 1;
};

// Any other transformation: the half-width at a finite score q as a formula of the parameters g, negative if the set is empty. It
// equals half_width() of the class, or is slightly larger if that has no closed form. The score is a constant when a model is
// exported, so the formula may depend on the range that q lies in.
struct DescribedWidth {
  std::function<Formula(double q)> half_width;
};

using DescribedTransform = std::variant<DescribedScale, DescribedWidth>;

// Quantiles of the scaled residual at `probabilities`: the mean over members of initial + lines + trees.
struct DescribedQuantiles {
  // A cell is clamped to [minimum, maximum] and adds slope · (cell − centre) / unit to each quantile. A missing cell and a cell
  // with a unit of 0 add nothing.
  struct Lines {
    std::vector<double> minimum, maximum, centre, unit;  // of each input
    std::vector<double> slopes;                          // inputs x quantiles
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
