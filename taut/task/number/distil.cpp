// Distillation: a smaller, faster model learns f and φ of another one from its predictions, instead of targets.
//
// f learns the teacher's f(x), and the scale and the curve learn the quantiles of the teacher's predictive distributions, without
// the noise of targets. Few rows are completed by rows that are made from them. The distributions are those that the teacher's φ
// was trained to describe; its calibration scores, which change the levels of all rows alike, take no part, so that they may
// calibrate the student too.
#include <taut/calibrate/groups/group_columns.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/random.hpp>
#include <taut/core/text.hpp>
#include <taut/core/threads.hpp>
#include <taut/core/trace.hpp>
#include <taut/data/split.hpp>
#include <taut/fit/imitate_score.hpp>
#include <taut/fit/made_rows.hpp>
#include <taut/guard/row_hash.hpp>
#include <taut/plan/columns.hpp>
#include <taut/task/number/number_task.hpp>

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace taut {

namespace {

constexpr Index min_rows_to_distil = 20;
// of all rows together
constexpr double calibration_share = 0.2;

[[noreturn]] void refuse(const std::string& what, const std::string& why) {
  throw UsageError(format_text("distil: {}: {}", what, why));
}

void check_teacher(const ModelParts& parts) {
  const FitOptions& options = parts.options;
  parts.require_distribution("'taut distil' needs");
  if (options.has_past())
    refuse("the teacher has inputs that are made from earlier rows (--lags, --rolling)",
           "a student knows single rows only; distil a model without them");
  if (!options.exposure.empty())
    refuse("the teacher has an exposure (--exposure)", "a student would not scale with it; distil a model without one");
  if (!options.increasing.empty() || !options.decreasing.empty())
    refuse("the teacher is monotone (--increasing, --decreasing)", "a student would not be; distil a model without these");
  if (parts.schema.empty()) refuse("the teacher has no inputs", "a student predicts from inputs alone");
}

// Scores with the probabilities that φ was trained for.
class TeacherScores {
 public:
  explicit TeacherScores(const ModelParts& parts) : score_(number_task(parts).score), distribution_(parts.distribution) {
    const Transform& transform = score_.transform();
    uses_calibration_ = !score_.has_shape() && !transform.is_scale();
    if (!uses_calibration_) {
      g_.resize(static_cast<std::size_t>(transform.n_params()));
      if (!score_.has_shape()) transform.params_of_log_scale(0, g_.data());
    } else if (distribution_.rows() == 0 || !distribution_.has_sides()) {
      refuse(format_text("the teacher's transformation '{}' does not say how likely a score is", score_.transform_name()),
             "its calibration scores are needed, and it has none; calibrate it first");
    }
  }

  // The calibration scores of the teacher took part.
  bool uses_calibration() const { return uses_calibration_; }

  // The score that a target has with probability `u` of a lower one, in the order of t. A curve has log-odds as scores. A scale
  // has no probabilities; any distribution that is the same for all rows gives the same scale, here the logistic one.
  SignedScore at(double u) const {
    if (uses_calibration_)
      return distribution_.signed_score(
          std::clamp<Index>(1 + static_cast<Index>(u * static_cast<double>(distribution_.rows())), 1, distribution_.rows()));
    const Side side = u < 0.5 ? Side::below : Side::above;
    const double tail = std::min(u, 1 - u), log_odds = std::log1p(-tail) - std::log(tail);
    if (score_.has_shape()) return {side, log_odds};
    constexpr double mean_size = 1.3862943611198906;  // of a logistic variable: log 4
    return {side, score_.transform().conformity(log_odds / mean_size, g_.data())};
  }

 private:
  const ScoreModel& score_;
  const ScoreDistribution& distribution_;
  bool uses_calibration_ = false;
  std::vector<double> g_;  // of scale 1
};

FitOptions options_of_student(const ModelParts& teacher, const DistilOptions& how) {
  const FitOptions defaults;
  FitOptions own = teacher.options;
  const ScoreModel& score = number_task(teacher).score;
  own.prediction.clear();
  own.lower_prediction.clear();
  own.upper_prediction.clear();
  own.quantile_columns.clear();
  own.sample_columns.clear();
  own.sample_weight.clear();
  own.calibrate_by_weight = false;
  own.predictor = "stack";
  own.target_scale.clear();
  own.localizer = defaults.localizer;
  const bool is_fixed = score.transform().n_params() == 0 && !teacher.options.predicts_ends();
  own.transform = is_fixed ? "fixed" : score.transform().is_scale() && score.sides() == 1 ? "exp" : "curve";
  own.score_scale = score.score_scale().name();
  own.objective.clear();
  own.focus = 0;
  own.sides = defaults.sides;
  own.split.clear();
  own.max_rows = 0;
  own.effort = defaults.effort;
  own.repeats = 1;
  own.see_prediction = defaults.see_prediction;
  own.rate = own.min_weight = 0;
  own.batch = own.epochs = own.patience = own.depth = 0;
  if (how.seed) own.seed = *how.seed;
  return own;
}

// Rows of ROWS that train the student and, if they have targets and no other rows calibrate, those that do.
struct RowsOfStudent {
  Rows train, calibration;
  Index left_out = 0;  // rows that calibrate it in another file
};

RowsOfStudent rows_of_student(const ModelParts& teacher, const TableView& table, const TableView& x,
                              const std::optional<TableView>& calibration, bool knows_calibration, std::uint64_t seed,
                              const ExecutionContext& context) {
  RowsOfStudent result;
  const Rows order = shuffled(table.rows(), seed);
  const Matrix none;
  if (calibration && calibration->rows() > 0) {
    // The student would imitate its teacher better on these rows than on new ones.
    const TableView other = teacher.inputs_of(calibration->with_missing(teacher.options.na));
    const auto hashes = input_hashes(other, none, all_rows(other), context.threads);
    const std::unordered_set<std::uint64_t> known(hashes.begin(), hashes.end());
    const auto own = input_hashes(x, none, order, context.threads);
    for (std::size_t i = 0; i < order.size(); ++i)
      if (!known.contains(own[i])) result.train.push_back(order[i]);
    result.left_out = std::ssize(order) - std::ssize(result.train);
    return result;
  }
  result.train = order;
  if (calibration || !find_column(table.columns(), teacher.target().name)) return result;
  FitOptions skipping = teacher.options;
  skipping.skip_missing_target = true;
  Rows labelled = usable_rows(table, skipping, teacher.target());
  if (labelled.empty()) return result;
  const auto y = teacher.targets(table, labelled);
  const auto hashes = row_hashes(x, y, labelled, context.threads);
  const SeenRows& seen = teacher.seen_rows;
  if (!(knows_calibration ? seen.when_evaluating(hashes) : seen.when_calibrating(hashes)).empty()) {
    context.tell(format_text("the teacher has seen rows of {}: none of them calibrates the student", table.source()));
    return result;
  }
  std::vector<bool> has_target(static_cast<std::size_t>(table.rows()));
  for (const Index row : labelled) has_target[static_cast<std::size_t>(row)] = true;
  const auto wanted = static_cast<Index>(std::lround(calibration_share * static_cast<double>(labelled.size())));
  result.train.clear();
  for (const Index row : order)
    (has_target[static_cast<std::size_t>(row)] && std::ssize(result.calibration) < wanted ? result.calibration : result.train)
        .push_back(row);
  std::sort(result.calibration.begin(), result.calibration.end());
  return result;
}

// The teacher's kind of calibration, if the calibration rows have its columns. Other kinds than groups are chosen by `taut
// calibrate`.
CalibrationOptions calibration_of_student(const ModelParts& teacher, const TableView& rows, const ExecutionContext& context) {
  CalibrationOptions how;
  const FitOptions& options = teacher.options;
  if (teacher.reader.is_by_group() && !options.by.empty()) {
    how.by = options.by;
    how.other_groups = options.other_groups;
  } else if (teacher.reader.counts_groups() && !options.keep_together.empty()) {
    how.keep_together = options.keep_together;
  } else if (!teacher.reader.is_plain()) {
    context.tell(format_text("the teacher's calibration is {}, the student's is plain; 'taut calibrate' changes it",
                             teacher.calibration_kind()));
    return how;
  }
  try {
    GroupColumns::check(how.by, "--by", rows, teacher.schema);
    if (!how.keep_together.empty()) rows.require(how.keep_together);
  } catch (const Error& error) {
    context.tell(format_text("the student is calibrated without the groups of its teacher: {}", error.what()));
    return {};
  }
  return how;
}

// Some rows of a table, in this order.
TableView rows_of(const TableView& table, RowsView rows) {
  TableView result(table.source(), std::ssize(rows));
  for (std::size_t c = 0; c < table.columns().size(); ++c) {
    std::vector<double> cells;
    cells.reserve(rows.size());
    for (const Index row : rows) cells.push_back(table(row, static_cast<Index>(c)));
    result.add(table.columns()[c], std::move(cells));
  }
  return result;
}

// The teacher's quantiles of y for each row, in the columns of taught_probabilities().
Matrix quantiles_of(const NumberRows& seen, const TeacherScores& scores, int threads) {
  std::vector<SignedScore> at;
  for (const double p : taught_probabilities()) at.push_back(scores.at(p));
  Matrix result(std::ssize(seen.rows), std::ssize(at));
  parallel_blocks(result.rows(), 1024, threads, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const RowScore score = seen.at(i);
      for (std::size_t k = 0; k < at.size(); ++k) result(i, static_cast<Index>(k)) = score.value_at(at[k]);
    }
  });
  if (!result.allFinite()) throw Error("the teacher's intervals are not finite for some rows, so that they cannot be imitated");
  return result;
}

}  // namespace

Regressor Regressor::distil(const TableView& given, const DistilOptions& how, const ExecutionContext& context,
                            const std::optional<TableView>& calibration) const {
  const ModelParts& teacher = *parts_;
  check_teacher(teacher);
  if (how.learn_from < 0)
    throw UsageError(format_text("--learn-from takes a number of rows, at least 0, got {}", how.learn_from));
  const TeacherScores scores(teacher);
  const TableView table = given.with_missing(options().na);
  const TableView x = teacher.inputs_of(table);
  const FitOptions own = options_of_student(teacher, how);
  const auto seed = static_cast<std::uint64_t>(own.seed);
  const RowsOfStudent rows = rows_of_student(teacher, table, x, calibration, scores.uses_calibration(), seed, context);
  const Index n = std::ssize(rows.train);
  if (n < min_rows_to_distil)
    throw Error(format_text("{}: a student needs at least {} rows to learn from, there are {}{}", table.source(),
                            min_rows_to_distil, print_count(n),
                            rows.left_out > 0 ? format_text(", and {} that calibrate it", print_count(rows.left_out)) : ""));
  if (rows.left_out > 0)
    context.tell(format_text("{} of {} are among the calibration rows and do not train the student",
                             counted(rows.left_out, "row"), table.source()));

  auto parts = std::make_unique<ModelParts>();
  auto task = std::make_unique<NumberTask>();
  task->options = parts->options = own;
  task->range = number().range;
  task->student =
      StudentRecord{how.teacher.empty() ? "a model of " + record().source : how.teacher, describe_parts(), table.source(), n, 0};
  {
    const bool can_make = !teacher.options.has_given_predictions() || number().function;
    const TableView taught = can_make ? with_made_rows(x, rows.train, how.learn_from, seed, context.threads) : table;
    const Rows places = can_make ? shuffled(taught.rows(), seed) : rows.train;
    task->student->made = std::ssize(places) - n;
    const NumberRows seen = see_numbers(teacher, taught, places, context.threads);
    const TableView inputs = rows_of(seen.x, places);
    PointPredictor::Fitted f = PointPredictor::imitate(inputs, all_rows(inputs.rows()), seen.predicted.f(), own, context);
    if (own.transform != "fixed")
      task->score =
          imitate_score({inputs, f.out_of_sample.f(), quantiles_of(seen, scores, context.threads),
                         number().score.beyond_training().empty() ? 0 : number().score.unit(), own.transform == "curve"},
                        number().score.score_scale(), seed, context);
    task->predictor = std::move(f.predictor);
    FitRecord& made = parts->record;
    made.stack = std::move(f.stack);
  }
  parts->record.source = table.source();
  parts->record.rows = table.rows();
  parts->record.predictor_rows = n;
  parts->record.transform_rows = n;
  parts->record.columns = record().columns;
  parts->schema = teacher.schema;
  parts->target_columns = teacher.target_columns;
  parts->time = teacher.time;
  parts->latest = teacher.latest;
  parts->sure = teacher.sure;
  parts->seen_rows = teacher.seen_rows;
  parts->task = std::move(task);
  Regressor student(std::move(parts));
  student.parts_->remember(table, rows.train, context.threads);
  student.calibrate_student(*this, table, rows.calibration, rows.train, calibration, context);
  return student;
}

void Regressor::calibrate_student(const Regressor& teacher, const TableView& table, const Rows& rows, const Rows& trained,
                                  const std::optional<TableView>& calibration, const ExecutionContext& context) {
  const bool is_elsewhere = calibration && calibration->rows() > 0;
  if (!is_elsewhere && rows.empty()) return;
  const TableView labelled = is_elsewhere ? calibration->with_missing(options().na) : table;
  const CalibrationOptions how = calibration_of_student(*teacher.parts_, labelled, context);
  if (how.by.empty()) parts_->options.by.clear();
  auto alarms = is_elsewhere ? calibrate(*calibration, context, how) : parts_->calibrate(table, rows, how, trained, context);
  if (TeacherScores(*teacher.parts_).uses_calibration()) {
    const Rows all = is_elsewhere ? usable_rows(labelled, options(), target()) : rows;
    const auto hashes = row_hashes(parts_->inputs_of(labelled), parts_->targets(labelled, all), all, context.threads);
    for (Alarm& alarm : teacher.parts_->seen_rows.when_evaluating(hashes))
      if (alarm.kind == AlarmKind::calibration_rows) alarms.push_back(std::move(alarm));
  }
  for (Alarm& alarm : alarms) parts_->alarms_of_fit.push_back(std::move(alarm));
}

}  // namespace taut
