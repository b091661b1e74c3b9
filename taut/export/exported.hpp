// A model in the plain terms that other languages have: tables, trees, sums and one formula for the ends. What cannot be said in
// them is an Error that names the part and the option that helps.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/foreign/foreign_model.hpp>
#include <taut/task/number/regressor.hpp>

#include <optional>
#include <string>
#include <vector>

namespace taut {

// One number that predictors and localizers see.
struct ExportedInput {
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

// Trees in breadth-first order: the k-th inner node of a tree has its children at 2k + 1 and 2k + 2. Left when input < value.
struct ExportedTrees {
  std::vector<std::int32_t> sizes, features;  // −1: a leaf
  std::vector<std::uint8_t> missing_left;
  std::vector<float> values;
  Index outputs = 1;  // trees alternate between them
};

struct ExportedSpline {
  std::int32_t input = 0;
  std::vector<double> knots;
  struct Piece {
    double from, constant, slope, square, cube;
  };
  std::vector<Piece> pieces;  // one more than there are knots
  double low = 0, high = 0;
};

// What networks and Gaussian processes see of the standardised inputs: robust ones, z, and how far z has come through each bin.
struct ExportedBins {
  std::vector<double> centre, scale;    // of z: 1/unit, 0 for a constant input
  std::vector<std::int32_t> input;      // of each bin, in order
  std::vector<float> from, factor;      // of each bin
  std::vector<std::int32_t> rank = {};  // where the rank of a bin's input stands, behind all z
  std::vector<float> part = {};         // what a bin that is passed adds to it
  Index ranked = 0;
};

struct ExportedLayer {
  Index inputs = 0, outputs = 0;
  std::vector<float> weights, bias;  // weights: inputs x outputs, row after row
};

// level + slopes · z + sum over rows of heights · (1 + d + d²/3)·exp(-d), d the distance from z to the row, both scaled.
struct ExportedProcess {
  std::vector<float> rows;  // one after another
  std::vector<double> scale, slopes, heights;
  double level = 0;

  double total_height() const;
  // How far two ways to compute it may be apart that differ in their exp and in the order of sums.
  double rounding() const;
};

// centre + sum of the trees, or intercept + weights · inputs + curves of inputs, or centre + unit · (mean of networks, or
// process).
struct ExportedMember {
  double centre = 0, unit = 1;
  std::optional<ExportedTrees> trees = {};
  std::vector<std::int32_t> inputs = {};
  std::vector<double> weights = {};
  std::vector<ExportedSpline> splines = {};
  std::optional<ExportedBins> bins = {};
  std::vector<std::vector<ExportedLayer>> networks = {};
  std::optional<ExportedProcess> process = {};
};

// weight · backward(centre + unit · mean over members), held within the limits.
struct ExportedPart {
  std::string name;
  double weight = 1;
  bool is_standardised = false;
  double centre = 0, unit = 1;
  std::string target_scale = "as-is";
  double least = 0, most = 0;  // of what becomes a square or an exponential
  double lower_limit = -infinity, upper_limit = infinity;  // of predictions in units of the target
  std::vector<ExportedMember> members;

  bool has_limits() const { return lower_limit > -infinity; }

  // Of networks the library adds floats in an order of its own, of processes it takes another exp: what is exported agrees up to
  // a slack that it computes.
  bool has_slack() const { return members.front().bins.has_value(); }
};

// log s: a mean over members of sums over stages.
struct ExportedLocalization {
  int sides = 1;
  std::vector<double> exponents;
  struct Stage {
    std::vector<double> initial;
    ExportedTrees trees;
  };
  struct Member {
    double centre = 0;
    std::vector<Stage> stages;
  };
  std::vector<Member> members;
};

struct ExportedCurve {
  // A cell is moved into its range, becomes (cell − centre) / unit, and adds that times a slope to each quantile; a missing cell
  // and one with a unit of 0 add nothing.
  struct Lines {
    std::vector<double> least, most, centre, unit;  // of each input
    std::vector<double> slopes;                     // inputs x quantiles
  };
  struct Member {
    std::vector<double> initial;
    std::optional<Lines> lines;
    ExportedTrees trees;  // complete; values of inner nodes only
    std::vector<float> leaves;
    Index depth = 0;
  };
  std::vector<double> probabilities;
  std::vector<Member> members;
};

struct Exported {
  std::string description;      // a line for people
  std::vector<Column> columns;  // cells of a row, in order
  std::vector<std::string> level_texts;
  std::vector<double> levels, q;  // and which score each of them asks for

  // f: given as the last column, of another library, or ours.
  bool f_is_given = false;
  const ForeignModel* foreign = nullptr;
  std::vector<Index> foreign_columns = {};
  std::vector<ExportedInput> raw = {}, standardised = {};
  std::vector<ExportedPart> parts = {};

  enum class Form { fixed, scale, curve };
  Form form = Form::fixed;
  double unit = 1;
  bool sees_prediction = false;
  double prediction_offset = 0;
  std::vector<ExportedInput> localizer_inputs = {};
  std::optional<ExportedLocalization> localization = {}, other = {};
  std::optional<ExportedCurve> curve = {};
  double y_min = -infinity, y_max = infinity;  // with a step: the least and the largest multiple
  // Ends are left where they are instead of at multiples, and hold at least those within a step of the centre: so they hold
  // every possible value that the library's hold.
  double y_step = 0;

  bool has_slack() const;
};

// Of a network: how far its library may be from real numbers, in roundings of floats. The activation takes a root by one step of
// Newton's on some machines, which is off by two of its own.
inline constexpr double float_rounding = 5.9604644775390625e-08;  // 2^-24
inline constexpr double activation_roundings = 10;
inline constexpr double second_order = 1.1;  // slacks follow first derivatives: what is left of the second is far below a tenth

// The model must outlive the result. `levels`: confidence levels, as numbers and as they were written.
Exported exported(const Regressor& model, const std::vector<double>& levels, const std::vector<std::string>& texts);

// A dependency-free C99 file with one function: void NAME(const double* cells, double* out).
std::string c_source(const Exported& model, const std::string& function);
// The same as a file of ONNX.
std::string onnx_bytes(const Exported& model);
// Every entry of the model file, as JSON.
std::string json_of(const Regressor& model);
std::string json_of_file(std::string_view bytes);  // of a model of any kind

// One member of a predictor, read from its entries of the model file.

bool can_export_predictor(const std::string& predictor);
std::string exported_predictors_in_words();

ExportedMember exported_member(const Archive& archive, const std::string& predictor);
ExportedTrees exported_trees(const Archive& archive, Index outputs);

}  // namespace taut
