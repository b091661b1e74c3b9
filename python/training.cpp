// What engines need to train trees as the library does: its settings and its losses.
#include <python/arrays.hpp>
#include <taut/data/inputs/scaling.hpp>
#include <taut/localize/boost.hpp>
#include <taut/predict/boosting.hpp>
#include <taut/train/validation.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace taut {

namespace {

nb::dict settings_of(const BoosterSettings& booster, Index rounds, Index patience) {
  return dict_of("depth", booster.depth, "rate", booster.rate, "min_weight", booster.min_weight, "lambda", booster.lambda,
                 "row_share", booster.row_share, "column_share", booster.column_share, "bins", booster.bins, "rounds", rounds,
                 "patience", patience);
}

// Of f, and of g = −2 log s.
nb::dict training_settings(Index rows, Index columns) {
  const BoostingPlan f = usual_boosting_plan(rows);
  const BoostPlan g = boost_plan(rows, columns, 1);
  return dict_of("predictor", settings_of(f.booster, f.most_rounds, f.patience), "localizer",
                 settings_of(g.booster, g.rounds, g.patience));
}

// The loss of f by its errors, with its gradient and curvature.
nb::tuple predictor_loss(const PackedArray<double>& errors) {
  std::vector<double> value, gradient, curvature;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    const auto slopes = BentLoss::slopes(errors.data()[i]);
    value.push_back(BentLoss::value(errors.data()[i]));
    gradient.push_back(slopes.first);
    curvature.push_back(slopes.second);
  }
  return nb::make_tuple(as_array(std::move(value)), as_array(std::move(gradient)), as_array(std::move(curvature)));
}

// Rows of the transformation `exp` by their signed residuals and log s: (rows, 1), or (rows, 2) for below f and above it.
class ScaledRows {
 public:
  ScaledRows(const PackedArray<double>& residual, const PackedArray<double, 2>& log_scale)
      : transform_(transforms().make("exp")), sides_(static_cast<int>(log_scale.shape(1))) {
    for (std::size_t i = 0; i < residual.size(); ++i) {
      size_.push_back(std::abs(residual.data()[i]));
      side_.push_back(residual.data()[i] < 0 ? Side::below : Side::above);
    }
    g_.resize(static_cast<Index>(log_scale.shape(0)), sides_);
    for (Index i = 0; i < g_.size(); ++i) transform_->params_of_log_scale(log_scale.data()[i], g_.data() + i);
  }
  ObjectiveRows rows() const { return {size_, side_, *transform_, g_, sides_, true}; }

 private:
  std::unique_ptr<Transform> transform_;
  int sides_;
  std::vector<double> size_;
  std::vector<Side> side_;
  Matrix g_;
};

// ∂/∂(log s) of the loss of g, summed over rows, and its curvature; each side learns from its own rows.
nb::tuple scale_slopes(const PackedArray<double>& residual, const PackedArray<double, 2>& log_scale) {
  const ScaledRows scaled(residual, log_scale);
  Matrix gradient, curvature;
  objectives().make("sidewise")->evaluate(scaled.rows(), &gradient, &curvature);
  const double by_log_scale = -2 * static_cast<double>(gradient.rows());  // g = −2 log s, and means become sums
  gradient *= by_log_scale;
  curvature *= -2 * by_log_scale;
  return nb::make_tuple(matrix_as_array(std::move(gradient)), matrix_as_array(std::move(curvature)));
}

// `total`: None, or sums an array over all workers.
double interval_score(const PackedArray<double>& residual, const PackedArray<double, 2>& log_scale, const nb::object& total) {
  SumOverProcesses sum_all;
  if (!total.is_none())
    sum_all = [&total](std::span<double> values) {
      const auto sums = nb::cast<PackedArray<double>>(total(as_array(std::vector<double>(values.begin(), values.end()))));
      std::copy_n(sums.data(), values.size(), values.begin());
    };
  return mean_log_interval_score(ScaledRows(residual, log_scale).rows(), sum_all);
}

// What the inputs lose of predictions before they become floats; of many a sample tells.
double prediction_offset(const PackedArray<double>& predictions) {
  const std::size_t step = std::max<std::size_t>(1, predictions.size() / static_cast<std::size_t>(float_offset_sample));
  std::vector<double> sample;
  for (std::size_t i = 0; i < predictions.size(); i += step) sample.push_back(predictions.data()[i]);
  return sample.empty() ? 0 : float_offset(std::move(sample));
}

}  // namespace

void bind_training(nb::module_& module) {
  module.attr("held_out_share") = 1.0 / static_cast<double>(held_out_share);
  module.def("training_settings", &training_settings, nb::arg("rows"), nb::arg("columns"));
  module.def("predictor_loss", &predictor_loss, nb::arg("errors"));
  module.def("scale_slopes", &scale_slopes, nb::arg("residual"), nb::arg("log_scale"));
  module.def("mean_log_interval_score", &interval_score, nb::arg("residual"), nb::arg("log_scale"),
             nb::arg("total").none() = nb::none());
  module.def(
      "scale_exponent", [](const std::string& objective) { return objectives().make(objective)->scale_exponent(); },
      nb::arg("objective"), "The e of s = E[r|x]^e that the objective finds; None where that is not its form.");
  module.def("prediction_offset", &prediction_offset, nb::arg("predictions"));
}

}  // namespace taut
