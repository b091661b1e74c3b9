// A model in the plain terms that other languages have: what its parts say of themselves, and one formula for the ends. A part
// that says nothing is an Error that names it and the option that helps.
#pragma once

#include <taut/core/description.hpp>
#include <taut/core/formula.hpp>
#include <taut/foreign/foreign_model.hpp>
#include <taut/predict/target_scale.hpp>
#include <taut/task/number/regressor.hpp>

#include <optional>
#include <string>
#include <vector>

namespace taut {

// weight · backward(centre + unit · mean over members), held within the limits.
struct ExportedPart {
  std::string name;
  double weight = 1;
  bool is_standardised = false;
  double centre = 0, unit = 1;
  TargetScale scale = {};
  double lower_limit = -infinity, upper_limit = infinity;  // of predictions in units of the target
  std::vector<DescribedFunction> members = {};

  bool has_limits() const { return lower_limit > -infinity; }

  // Of networks the library adds floats in an order of its own, of processes it takes another exp: what is exported agrees up to
  // a slack that it computes.
  bool has_slack() const { return has<DescribedNetworks>() || has<DescribedProcess>(); }
  template <class Body>
  bool has() const {
    return std::any_of(members.begin(), members.end(), contains<Body>);
  }
};

// g of each side: a mean over members of sums over stages; of a scale the mean is that of log s.
struct ExportedLocalization {
  int sides = 1;
  Index params = 1;  // of each side
  std::vector<double> exponents;
  struct Member {
    double centre = 0;
    std::vector<DescribedLocalizer> stages;
  };
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
  std::vector<DescribedInput> raw = {}, standardised = {};
  std::vector<ExportedPart> parts = {};

  double unit = 1;
  DescribedTransform transform = {};  // or what its shape stands on
  bool sees_prediction = false;
  double prediction_offset = 0;
  std::vector<DescribedInput> localizer_inputs = {};
  std::optional<ExportedLocalization> localization = {}, other = {};  // none: one width everywhere
  std::optional<DescribedQuantiles> quantiles = {};                   // of what the scale leaves over, where there is a shape
  double y_min = -infinity, y_max = infinity;                         // with a step: the least and the largest multiple
  // Ends are left where they are instead of at multiples, and hold at least those within a step of the centre: so they hold
  // every possible value that the library's hold.
  double y_step = 0;

  bool has_slack() const;
  // Whether the transformation, or what its shape stands on, is a scale; otherwise it has a formula for every level.
  bool has_scale() const { return std::holds_alternative<DescribedScale>(transform); }
  const DescribedScale& scale() const { return std::get<DescribedScale>(transform); }
  Formula half_width(std::size_t level) const;
};

// Of a network: how far its library may be from real numbers, in roundings of floats. The activation takes a root by one step of
// Newton's on some machines, which is off by two of its own.
inline constexpr double float_rounding = 5.9604644775390625e-08;  // 2^-24
inline constexpr double activation_roundings = 10;
inline constexpr double second_order = 1.1;  // slacks follow first derivatives: what is left of the second is far below a tenth

// The sum of |heights|, and how far two ways to compute the process may be apart that differ in their exp and in the order of
// sums.
double total_height(const DescribedProcess& process);
double rounding_of(const DescribedProcess& process);

// The scores at the knots of one side, from 0 on: log-odds, log p − log(1 − p), of the median and the quantiles above it.
std::vector<double> log_odds_above(const DescribedQuantiles& quantiles);

// The model must outlive the result. `levels`: confidence levels, as numbers and as they were written.
Exported exported(const Regressor& model, const std::vector<double>& levels, const std::vector<std::string>& texts);

// A dependency-free C99 file with one function: void NAME(const double* cells, double* out).
std::string c_source(const Exported& model, const std::string& function);
// The same as a file of ONNX.
std::string onnx_bytes(const Exported& model);
// Every entry of the model file, as JSON.
std::string json_of_file(std::string_view bytes);  // of a model of any kind

// A bound of the error of `formula`, itself a formula of the same variables and of what `errors` are made of: one for each
// variable, never negative. Every operation adds a rounding of its own, because other libraries have another exp.
Formula error_of(const Formula& formula, const std::vector<Formula>& errors);

}  // namespace taut
