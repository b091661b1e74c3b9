#include <taut/task/number/assemble.hpp>

#include <taut/calibrate/calibration_kind.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/data/inputs/scaling.hpp>
#include <taut/model/file.hpp>
#include <taut/plan/columns.hpp>
#include <taut/task/number/number_task.hpp>

#include <algorithm>
#include <array>

namespace taut {

namespace {

// The archive of the model's file. Entries that a replacement does not use remain in the archive, are not read, and disappear
// when the model is saved.
Archive to_archive(const Regressor& model) {
  const std::string bytes = model.to_bytes();
  return Archive::decode(unframe(bytes));
}

Regressor from_archive(const Archive& archive) { return Regressor::from_bytes(frame(archive.encode())); }

std::string numbered(const char* name, std::size_t number) { return name + std::to_string(number); }

Forest forest_of(const OutsideTrees& given, Index inputs) {
  Forest forest(inputs, 1);
  for (const auto& tree : given.trees) forest.add_tree(tree);
  return forest;
}

void save_predictor(Archive archive, const OutsidePredictor& predictor, const Encoder& encoder) {
  archive.put("name", std::string("boost"));
  archive.put("centre", predictor.centre);
  archive.put("unit", predictor.unit);
  archive.put("members", static_cast<std::int64_t>(predictor.members.size()));
  encoder.save(archive.scope("encoder"));
  for (std::size_t m = 0; m < predictor.members.size(); ++m) {
    Archive own = archive.scope(numbered("member", m));
    own.put("centre", predictor.members[m].initial);
    forest_of(predictor.members[m], encoder.columns()).save(own.scope("trees"));
  }
}

// The transformation `exp` has log s = −g/2. Leaves are therefore multiplied by −2, which is exact. Trees of two sides alternate;
// a side with fewer trees is filled up with trees that add 0.
Forest forest_of_scale(const OutsideScale::Member& member, Index inputs) {
  const std::size_t sides = member.sides.size();
  Forest forest(inputs, static_cast<Index>(sides));
  std::size_t rounds = 0;
  for (const OutsideTrees& side : member.sides) rounds = std::max(rounds, side.trees.size());
  for (std::size_t round = 0; round < rounds; ++round)
    for (const OutsideTrees& side : member.sides) {
      std::vector<TreeNode> tree = round < side.trees.size() ? side.trees[round] : std::vector<TreeNode>(1);
      for (TreeNode& node : tree)
        if (node.left < 0) node.value *= -2;
      forest.add_tree(tree);
    }
  return forest;
}

void save_localization(Archive archive, const std::vector<OutsideScale::Member>& members, double exponent, Index inputs) {
  archive.put("localizer", std::string("boost"));
  archive.put("sides", static_cast<std::int64_t>(members.front().sides.size()));
  archive.put("exponents", std::vector<double>{exponent});
  archive.put("members", static_cast<std::int64_t>(members.size()));
  for (std::size_t m = 0; m < members.size(); ++m) {
    const OutsideScale::Member& member = members[m];
    if (member.sides.empty() || member.sides.size() != members.front().sides.size())
      throw Error("the members of a scale must all have trees for one side, or all for two");
    Archive own = archive.scope(numbered("member", m));
    own.put("centre", exponent * member.centre);
    std::vector<double> initial;
    for (const OutsideTrees& side : member.sides) initial.push_back(-2 * side.initial);
    own.put("stage0/initial", initial);
    forest_of_scale(member, inputs).save(own.scope("stage0/trees"));
  }
}

// Without members the width is the same everywhere: the transformation `fixed`.
void save_scale(Archive archive, const OutsideScale& scale, const Encoder& encoder) {
  archive.put("transform", std::string(scale.members.empty() ? "fixed" : "exp"));
  archive.put("unit", scale.members.empty() ? 1.0 : scale.unit);
  if (scale.members.empty()) return;
  archive.put("sees_prediction", std::int64_t{1});
  archive.put("prediction_offset", scale.prediction_offset);
  encoder.save(archive.scope("localizer_encoder"));
  save_localization(archive.scope("localization"), scale.members, scale.exponent, encoder.columns() + 1);
  if (!scale.other.empty())
    save_localization(archive.scope("localization/other"), scale.other, scale.exponent, encoder.columns() + 1);
}

std::size_t sides_of(const OutsideScale& scale) {
  std::size_t sides = 0;
  for (const auto* members : {&scale.members, &scale.other})
    for (const auto& member : *members) sides = std::max(sides, member.sides.size());
  return sides;
}

const Encoder& encoder_of(const Regressor& model) {
  const auto& parts = number_task(model.parts()).predictor.parts();
  if (parts.size() != 1 || parts.front().predictor.needs() != Encoding::raw)
    throw Error("only a model that begin_assembly made can be completed: this one has a predictor of another kind");
  return number_task(model.parts()).predictor.encoder(Encoding::raw);
}

// The model keeps a sample of training rows with their f and log s, which are computed anew here.
Regressor with_training_outputs(Regressor model, int threads) {
  const ModelParts& parts = model.parts();
  if (!parts.training.is_known()) return model;
  Archive archive = to_archive(model);
  const TableView rows = parts.training.table(parts.schema);
  archive.put("training_sample/outputs", parts.see(rows, threads)->outputs());
  return from_archive(archive);
}

}  // namespace

Regressor begin_assembly(const TableView& training_rows, FitOptions options, const ExecutionContext& context) {
  if (options.is_monotone())
    throw UsageError("--increasing and --decreasing are not known where trees are grown outside of Taut; fit with 'taut fit'");
  if (options.repeats > 1 || options.has_time())
    throw UsageError(format_text("--{} repeats trainings of Taut, and trees are grown outside of it; fit with 'taut fit'",
                                 options.has_time() ? "time" : "repeats"));
  options.predictor = "linear";  // the cheapest fit that determines the columns; its weights are discarded
  options.target_scale.clear();
  options.score_scale = "as-is";
  options.transform = "fixed";
  options.localizer = "constant";
  options.objective.clear();
  options.split = "cross";
  const TableView none(training_rows.source(), 0);
  const Regressor columns = Regressor::fit(training_rows, options, context, none);

  options.predictor = options.localizer = "boost";
  options.transform = "exp";
  const TableView table = training_rows.with_missing(options.na);
  const TableView x = columns.parts().inputs_of(table);
  const Encoder encoder(Encoding::raw, x, usable_rows(table, options, columns.target()));
  Archive archive = to_archive(columns);
  options.save(archive.scope("options"));
  save_predictor(archive.scope("predictor"), {.members = std::vector<OutsideTrees>(1)}, encoder);
  return from_archive(archive);
}

MatrixF inputs_of_trees(const Regressor& model, const TableView& table, int threads) {
  const TableView known = table.with_missing(model.options().na);
  return encoder_of(model).encode(model.parts().inputs_of(known), threads);
}

float prediction_input(double prediction, double offset, double unit) { return to_float((prediction - offset) / unit); }

std::vector<double> targets_or_missing(const Regressor& model, const TableView& given) {
  const TableView table = given.with_missing(model.options().na);
  const Rows rows = usable_rows(table, model.options(), model.target());
  const auto y = targets_of(table, model.target(), rows, model.target_range());
  std::vector<double> result(static_cast<std::size_t>(table.rows()), missing);
  for (std::size_t i = 0; i < rows.size(); ++i) result[static_cast<std::size_t>(rows[i])] = y[i];
  return result;
}

Regressor assemble(const Regressor& begun, const OutsidePredictor& predictor, const OutsideScale& scale,
                   const OutsideRecord& record, int threads) {
  if (predictor.members.empty()) throw Error("a predictor needs the trees of at least one member, got none");
  const Encoder encoder = encoder_of(begun);
  Archive archive = to_archive(begun);
  save_predictor(archive.scope("predictor"), predictor, encoder);
  save_scale(archive, scale, encoder);
  archive.put("record/source", record.source);
  archive.put("record/rows", static_cast<std::int64_t>(record.rows));
  archive.put("record/skipped_rows", static_cast<std::int64_t>(record.skipped_rows));
  archive.put("record/predictor_rows", static_cast<std::int64_t>(record.rows - record.skipped_rows));
  archive.put("record/transform_rows", static_cast<std::int64_t>(record.rows - record.skipped_rows));
  archive.put("record/validation_rows", static_cast<std::int64_t>(record.validation_rows));
  // Those of the fit that determined the columns, not of these trees.
  archive.put("record/out_of_fold_rows", std::int64_t{0});
  archive.put("record/out_of_fold", std::vector<double>{missing, missing});
  archive.put("record/fell_back", static_cast<std::int64_t>(scale.members.empty()));
  const auto n_scales = static_cast<Index>(sides_of(scale));
  const Index remembered = begun.parts().training.outputs().rows();
  if (remembered > 0) archive.put("training_sample/outputs", Matrix(Matrix::Zero(remembered, 1 + n_scales)));
  return with_training_outputs(from_archive(archive), threads);
}

std::vector<SignedScore> scores_of_rows(const Regressor& model, const TableView& given, int threads) {
  const ModelParts& parts = model.parts();
  const TableView table = given.with_missing(parts.options.na);
  const Rows rows = usable_rows(table, parts.options, parts.target());
  const auto y = parts.targets(table, rows);
  const auto seen = parts.see(table, rows, threads);
  std::vector<SignedScore> scores;
  for (Index i = 0; i < std::ssize(y); ++i) scores.push_back(seen->score(i, row_target(y, i, 1), 0));
  return scores;
}

Regressor with_counted_distribution(const Regressor& model, std::vector<double> scores, const std::vector<SignedScore>& by_t) {
  if (scores.size() != by_t.size())
    throw Error(
        format_text("order statistics: expected as many signed scores as scores ({}), got {}", scores.size(), by_t.size()));
  if (model.sure() > 0)
    throw UsageError(
        "--sure needs the scores of all calibration rows, and order statistics are only some of them; raise max_rows, or "
        "calibrate with --sure 0");
  if (kind_of(model) != CalibrationKind::plain)
    throw Error(format_text("order statistics of scores need a plain calibration; this model has the kind '{}'",
                            model.calibration_kind()));
  std::vector<double> below, above;
  for (const SignedScore& t : by_t) (t.side == Side::below ? below : above).push_back(t.score);
  std::reverse(below.begin(), below.end());
  Archive archive = to_archive(model);
  archive.put("calibration/scores", std::move(scores));
  archive.put("calibration/scores_below", std::move(below));
  archive.put("calibration/scores_above", std::move(above));
  // The kept rows belong to the old scores. None are known for the new ones, which were computed elsewhere.
  if (!model.parts().kept.empty()) archive.put("calibration/kept/numbers", Matrix());
  return from_archive(archive);
}

// Fits to arrays instead of a table, and with a function instead of given predictions.

namespace {
constexpr const char* prediction_name = "prediction";
constexpr const char* lower_name = "lower_prediction";
constexpr const char* upper_name = "upper_prediction";
constexpr const char* target_name = "y";
}  // namespace

Table Regressor::table_of(const Arrays& arrays) {
  const Matrix& x = arrays.x;
  struct Given {
    std::span<const double> values;
    const char *what, *column;
  };
  const std::array given = {Given{arrays.predictions, "predictions", prediction_name},
                            Given{arrays.lower_predictions, "lower_predictions", lower_name},
                            Given{arrays.upper_predictions, "upper_predictions", upper_name}, Given{arrays.y, "y", target_name}};
  for (const Given& one : given)
    if (!one.values.empty() && std::ssize(one.values) != x.rows())
      throw UsageError(
          format_text("{}: expected one number for each of the {} rows of x, got {}", one.what, x.rows(), one.values.size()));
  Table table;
  table.source = "the arrays";
  for (Index column = 0; column < x.cols(); ++column) table.columns.push_back({"x" + std::to_string(column)});
  for (const Given& one : given)
    if (!one.values.empty()) table.columns.push_back({one.column});
  table.values.resize(x.rows(), static_cast<Index>(table.columns.size()));
  table.values.leftCols(x.cols()) = x;
  Index next = x.cols();
  for (const Given& one : given)
    if (!one.values.empty()) table.values.col(next++) = Eigen::Map<const Eigen::VectorXd>(one.values.data(), x.rows());
  return table;
}

Regressor Regressor::fit(const Arrays& arrays, FitOptions options, const ExecutionContext& context) {
  options.target = target_name;
  if (!arrays.predictions.empty()) options.prediction = prediction_name;
  if (!arrays.lower_predictions.empty()) options.lower_prediction = lower_name;
  if (!arrays.upper_predictions.empty()) options.upper_prediction = upper_name;
  return fit(table_of(arrays), options, context);
}

// The function's predictions become a column of given predictions.
Regressor Regressor::fit(const TableView& given, FitOptions options, PointFunction function, const ExecutionContext& context) {
  const TableView table = given.with_missing(options.na);
  if (options.prediction.empty()) options.prediction = prediction_name;
  if (find_column(table.columns(), options.prediction))
    throw UsageError(
        format_text("the table has a column '{}' already; name another with options.prediction", options.prediction));
  if (options.has_past())
    throw UsageError(
        "lags and rolling make inputs that a predicting function does not know; let Taut fit the predictor, or give the "
        "predictions as a column");
  FitOptions without = options;
  without.prediction.clear();
  const TableView inputs = table.matched(input_columns(table, without));
  std::vector<double> predictions = function(inputs);
  if (std::ssize(predictions) != table.rows())
    throw Error(format_text("the predicting function gave {} numbers for {} rows", predictions.size(), table.rows()));
  TableView with_predictions = table;
  with_predictions.add({options.prediction}, std::move(predictions));
  Regressor model = fit(with_predictions, options, context);
  dynamic_cast<NumberTask&>(*model.parts_->task).function = std::move(function);
  return model;
}

}  // namespace taut
