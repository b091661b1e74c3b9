// Settings and losses of the library, with which engines train trees.
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

// Settings of the trees of f, and of g = −2 log s.
nb::dict training_settings(Index rows, Index columns) {
  const BoostingPlan f = usual_boosting_plan(rows, {}, 1);
  const BoostPlan g = boost_plan(rows, columns, 1);
  return dict_of("predictor", settings_of(f.booster, f.max_rounds, f.patience), "localizer",
                 settings_of(g.booster, g.rounds, g.patience));
}

// The loss of f for each error, with its gradient and curvature.
nb::tuple predictor_loss(const PackedArray<double>& errors) {
  std::vector<double> value, gradient, curvature;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    const auto slopes = PseudoHuberLoss::slopes(errors.data()[i]);
    value.push_back(PseudoHuberLoss::value(errors.data()[i]));
    gradient.push_back(slopes.first);
    curvature.push_back(slopes.second);
  }
  return nb::make_tuple(as_array(std::move(value)), as_array(std::move(gradient)), as_array(std::move(curvature)));
}

// Rows of the transformation `exp`, from signed residuals and log s. log s is (rows, 1), or (rows, 2) for the sides below and
// above f.
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

// Gradient and curvature of the loss of g with respect to log s, summed over rows. Each side learns from the rows on its side.
nb::tuple scale_slopes(const PackedArray<double>& residual, const PackedArray<double, 2>& log_scale) {
  const ScaledRows scaled(residual, log_scale);
  Matrix gradient, curvature;
  objectives().make("sidewise")->evaluate(scaled.rows(), &gradient, &curvature);
  const double by_log_scale = -2 * static_cast<double>(gradient.rows());  // g = −2 log s, and means become sums
  gradient *= by_log_scale;
  curvature *= -2 * by_log_scale;
  return nb::make_tuple(matrix_as_array(std::move(gradient)), matrix_as_array(std::move(curvature)));
}

// `total` is None, or a function that sums an array over all workers.
double interval_score(const PackedArray<double>& residual, const PackedArray<double, 2>& log_scale, const nb::object& total) {
  SumOverProcesses sum_all;
  if (!total.is_none())
    sum_all = [&total](std::span<double> values) {
      const auto sums = nb::cast<PackedArray<double>>(total(as_array(std::vector<double>(values.begin(), values.end()))));
      std::copy_n(sums.data(), values.size(), values.begin());
    };
  return log_mean_interval_score(ScaledRows(residual, log_scale).rows(), sum_all);
}

// The offset that is subtracted from predictions before they become float inputs; from a subset if there are many rows.
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
  module.def("log_mean_interval_score", &interval_score, nb::arg("residual"), nb::arg("log_scale"),
             nb::arg("total").none() = nb::none());
  module.def(
      "scale_exponent", [](const std::string& objective) { return objectives().make(objective)->scale_exponent(); },
      nb::arg("objective"), "The exponent e if the optimum of the objective is s = E[r|x]^e, else None.");
  module.def("prediction_offset", &prediction_offset, nb::arg("predictions"));
}

}  // namespace taut
