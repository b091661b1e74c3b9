// f that imitates another model: known values instead of noisy targets, and few trees, because the student is made to be fast.
#include <taut/core/trace.hpp>
#include <taut/fit/point_predictor.hpp>
#include <taut/fit/stack.hpp>

#include <algorithm>
#include <array>

namespace taut {

namespace {

// The predictors that predict a row in a few microseconds. Trees are the best choice for most tables. A network follows smooth
// teachers, whose functions trees would need many more rows for.
constexpr std::array<const char*, 2> fast_predictors = {"boost", "network"};
constexpr Index share_that_weights = 10;  // one row in ten weights the members, and trains none of them
// A member with a smaller weight is not worth its time.
constexpr double min_weight_of_student = 0.1;

// The weights of the members, without small ones.
std::vector<double> weights_of(const std::vector<TrainedCandidate>& trained, std::span<const double> y) {
  Matrix columns(std::ssize(y), std::ssize(trained));
  for (std::size_t k = 0; k < trained.size(); ++k)
    columns.col(static_cast<Index>(k)) = Eigen::Map<const Eigen::VectorXd>(trained[k].held_out.data(), std::ssize(y));
  std::vector<double> weights = stack_weights(columns, y);
  double sum = 0;
  for (double& weight : weights) sum += weight = weight < min_weight_of_student ? 0 : weight;
  for (double& weight : weights) weight /= sum;
  return weights;
}

}  // namespace

PointPredictor::Fitted PointPredictor::imitate(const TableView& x, RowsView rows, std::span<const double> values,
                                               const FitOptions& options, const ExecutionContext& context) {
  const Traced traced("imitate f");
  const Index n = std::ssize(rows);
  const PredictorSettings settings{.seed = static_cast<std::uint64_t>(options.seed), .knn_rows = options.knn_rows, .exact = true};
  const TrainingPart last{.rows = n, .begin = n - std::max<Index>(1, n / share_that_weights), .end = n};
  const StackRows all{x, rows, {values.begin(), values.end()}, {last}};
  FoldInputs inputs(x, rows, all.y, all.folds, settings.seed);
  FitOptions of_scale = options;
  of_scale.predictor = fast_predictors.front();
  of_scale.target_scale = "auto";
  const std::string scale = scale_in_force(of_scale, all, settings, context);
  std::vector<StackCandidate> candidates;
  for (const char* name : fast_predictors) candidates.push_back({name, scale});
  std::vector<TrainedCandidate> trained = train_over_folds(candidates, all, inputs, settings, context);

  const std::span own(all.y.begin() + last.begin, all.y.end());
  const std::vector<double> weights = weights_of(trained, own);
  Fitted fitted;
  for (std::size_t k = 0; k < trained.size(); ++k) {
    const Matrix column = Eigen::Map<const Eigen::VectorXd>(trained[k].held_out.data(), std::ssize(own));
    fitted.stack.push_back(
        {candidates[k].predictor, candidates[k].scale, mean_absolute_error(column, 0, own), weights[k], false});
    if (weights[k] > 0) fitted.predictor.add(std::move(trained[k].predictor), weights[k], inputs);
  }
  fitted.out_of_sample = fitted.predictor.predict(x, rows, context.threads);
  return fitted;
}

}  // namespace taut
