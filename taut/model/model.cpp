// The story of a fit, in the paper's order: split → f → out-of-sample scores → train g → calibrate.
#include <taut/model/model.hpp>

#include <taut/core/error.hpp>
#include <taut/core/memory.hpp>
#include <taut/model/columns.hpp>
#include <taut/model/fit_rows.hpp>
#include <taut/model/parts.hpp>
#include <taut/model/row_hash.hpp>

namespace taut {

namespace {

// Given predictions are out of sample by themselves: the user's model has not seen these rows.
PointPredictor::Fitted point_predictions(const FitRows& rows, const RowPlan& plan, const FitOptions& options,
                                         const ExecutionContext& context) {
  if (!options.has_given_predictions()) return PointPredictor::fit(rows.x, rows.y, plan, options, context);
  return {{}, predictions_of(rows.table, options, plan.transform), {}};
}

FitRecord record_of(const TableView& table, const RowPlan& plan, const ScoreModel::Fitted& g) {
  FitRecord record;
  record.source = table.source();
  record.rows = table.rows();
  record.predictor_rows = std::ssize(plan.predictor);
  record.fell_back = g.fell_back;
  record.candidates = g.candidates;
  record.validation_curve = g.first_member.curve;
  record.best_epoch = g.first_member.best_epoch;
  return record;
}

}  // namespace

Model Model::fit(const TableView& given, const FitOptions& options, const ExecutionContext& context,
                 const std::optional<TableView>& calibration) {
  options.check();
  const TableView table = given.with_missing(options.na);
  table.require(options.target);  // a wrong name is said before anything else
  const Rows usable = usable_rows(table, options);
  RowPlan plan = plan_rows(std::ssize(usable), options, options.localizer_crosses(), calibration.has_value(), table.source());
  plan.place(usable);
  const FitRows rows = fit_rows(table, options, plan, context);
  auto [predictor, predicted, stack] = point_predictions(rows, plan, options, context);
  return_free_memory();
  auto g = ScoreModel::fit(rows.x, predicted, rows.targets(plan.transform), plan, options, context);

  auto parts = std::make_unique<ModelParts>();
  parts->options = options;
  parts->record = record_of(table, plan, g);
  parts->record.columns = rows.notes;
  parts->record.stack = std::move(stack);
  parts->record.skipped_rows = table.rows() - std::ssize(usable);
  if (options.adapts()) {
    parts->record.transform_rows = plan.transform_training_rows();
    parts->record.validation_rows = plan.validation_rows();
  }
  parts->schema = rows.schema;
  parts->target = rows.target;
  parts->predictor = std::move(predictor);
  parts->score = std::move(g.score);
  parts->range = rows.range;
  const Rows trained = plan.choosing();
  parts->seen_rows.train(row_hashes(rows.x, rows.targets(trained), trained, context.threads));

  Model model(std::move(parts));
  if (!calibration)
    model.parts_->calibrate(table, plan.calibration, context);
  else if (calibration->rows() > 0)
    for (const Alarm& alarm : model.calibrate(*calibration, context)) context.tell(alarm.words);
  return model;
}

std::vector<Alarm> Model::calibrate(const TableView& given, const ExecutionContext& context) {
  const TableView table = given.with_missing(options().na);
  const TableView x = parts_->inputs_of(table);
  const Rows rows = usable_rows(table, options());
  const auto y = targets_of(table, parts_->target, rows, parts_->range);
  std::vector<Alarm> alarms = alarms_of(x.mismatches());
  const auto seen = parts_->seen_rows.when_calibrating(row_hashes(x, y, rows, context.threads));
  for (const auto& more : {seen, alarms_of_crossed(count_crossed(table, options()), table.rows(), options())})
    alarms.insert(alarms.end(), more.begin(), more.end());
  parts_->calibrate(table, rows, context);
  return alarms;
}

void ModelParts::calibrate(const TableView& table, Rows rows, const ExecutionContext& context) {
  if (rows.empty()) throw Error(table.source() + ": there are no rows to calibrate on");
  const auto y = targets_of(table, target, rows, range);
  const SeenByModel seen = see(table, std::move(rows), context.threads);
  std::vector<double> scores;
  std::vector<Side> sides;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const SignedScore t = score.at(seen.predicted[i], seen.g.row(static_cast<Index>(i)).data()).signed_at(y[i]);
    scores.push_back(t.score);
    sides.push_back(t.side);
  }
  law = Law(std::move(scores), std::move(sides));
  calibration_inputs = InputSummary(seen.x, seen.rows, outputs(seen), context.threads);
  seen_rows.calibrate(row_hashes(seen.x, y, seen.rows, context.threads));
}

Model::Model(std::unique_ptr<ModelParts> parts) : parts_(std::move(parts)) {}
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(Model&&) noexcept = default;
Model::~Model() = default;

const FitOptions& Model::options() const { return parts_->options; }
const FitRecord& Model::record() const { return parts_->record; }
const Column& Model::target() const { return parts_->target; }
const Law& Model::law() const { return parts_->law; }
const TargetRange& Model::target_range() const { return parts_->range; }
const std::string& Model::transform_name() const { return parts_->score.transform_name(); }
const Transform& Model::transform() const { return parts_->score.transform(); }
Index Model::members() const { return parts_->score.localization().n_members(); }
int Model::sides() const { return parts_->score.localization().sides(); }
const std::vector<double>& Model::exponents() const { return parts_->score.localization().exponents(); }

}  // namespace taut
