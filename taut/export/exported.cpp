#include <taut/export/exported.hpp>

#include <taut/calibrate/calibration_kind.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/localize/localizer.hpp>
#include <taut/model/parts.hpp>
#include <taut/predict/predictor.hpp>
#include <taut/task/number/number_task.hpp>
#include <taut/task/several/several_task.hpp>
#include <taut/transform/transform.hpp>

#include <cmath>

namespace taut {

namespace {

[[noreturn]] void refuse_export(const std::string& reason, const std::string& help) {
  throw Error(format_text("this model cannot be exported: {}; {}", reason, help));
}

void refuse_unsupported(const Model& model) {
  const FitOptions& options = model.options();
  if (model.models_held_out() > 0) refuse_export("--split cv+ keeps one model for each fold", "fit with --split cross");
  if (kind_of(model) != CalibrationKind::plain)
    refuse_export(format_text("its calibration '{}' gives rows different distributions of scores", model.calibration_kind()),
                  "recalibrate it with one distribution for all rows: 'taut calibrate --plain'");
  if (options.has_past()) refuse_export("inputs are computed from earlier rows (--lags, --rolling)", "fit without them");
  if (options.predicts_distribution())
    refuse_export("it is built on a given predictive distribution (--quantile-columns, --sample-columns)",
                  "fit with --predictor boost, or with one column of predictions");
  if (options.predicts_ends())
    refuse_export("it predicts two ends instead of one number", "fit with --predictor boost, or with one column of predictions");
}

template <class Part>
std::string described_names(const Registry<Part>& list) {
  std::vector<std::string> names;
  for (const auto& entry : list.entries())
    if (list.make(entry.example)->describe()) names.push_back(entry.name);
  return join(names, ", ");
}

// The regions of several targets that are no box have no ends to export.
void refuse_region(const SeveralTask& task) {
  if (task.region->is_box()) return;
  refuse_export(format_text("its joint region is {} '{}', and C and ONNX compute the intervals of a box",
                            task.region_name.starts_with("e") ? "an" : "a", task.region_name),
                "fit with --region box, or fit and export a model for each target, for intervals of each target alone");
}

ExportedPart part_of(const PointPredictor::Part& from) {
  const FoldedPredictor& own = from.predictor;
  ExportedPart part{.name = own.name(),
                    .weight = from.weight,
                    .is_standardised = own.needs() == Encoding::standardised,
                    .centre = own.units().centre,
                    .unit = own.units().unit,
                    .scale = own.scale(),
                    .lower_limit = own.limits().low(),
                    .upper_limit = own.limits().high()};
  for (Index m = 0; m < own.n_members(); ++m) part.members.push_back(*own.member(m).describe());
  return part;
}

void add_parts(const PointPredictor& predictor, const std::vector<Column>& schema, ExportedTarget& out) {
  const auto& found = predictor.parts();
  std::vector<std::string> refused;
  for (const auto& one : found)
    if (!one.predictor.member(0).describe()) refused.push_back(one.predictor.name());
  if (!refused.empty())
    refuse_export(found.size() > 1 ? format_text("these predictors of the stack have no export: {}", join(refused, ", "))
                                   : format_text("the predictor '{}' has no export", refused.front()),
                  "fit with --predictor and one of " + described_names(predictors()));
  for (const auto& one : found) {
    out.parts.push_back(part_of(one));
    auto& inputs = out.parts.back().is_standardised ? out.standardised : out.raw;
    if (inputs.empty()) inputs = predictor.encoder(one.predictor.needs()).describe(schema);
  }
}

ExportedLocalization localization_of(const Localization& from, Index params) {
  ExportedLocalization result{.sides = from.own_sides(), .params = params, .exponents = from.exponents(), .members = {}};
  for (const auto& member : from.members()) {
    result.members.push_back({member.centre, {}});
    for (const auto& stage : member.stages) {
      auto own = stage->describe();
      if (!own)
        refuse_export(format_text("the localizer '{}' has no export", from.localizer_name()),
                      "fit with --localizer and one of " + described_names(localizers()));
      result.members.back().stages.push_back(std::move(*own));
    }
  }
  return result;
}

void add_score(const ScoreModel& score, const std::vector<Column>& schema, ExportedTarget& out) {
  out.unit = score.unit();
  out.score_scale = score.score_scale();
  const auto own = score.scale().describe();
  if (score.has_shape()) out.quantiles = score.shape().describe();
  // A shape can only be exported on top of a scale.
  const bool has_form = own && (!score.has_shape() || (out.quantiles && std::holds_alternative<DescribedScale>(*own)));
  if (!has_form)
    refuse_export(format_text("the transformation '{}' has no export", score.transform_name()),
                  "fit with --transform and one of " + described_names(transforms()));
  out.transform = *own;
  const Index params = score.scale().n_params();
  if (params == 0) return;
  out.uses_prediction = score.uses_prediction();
  out.prediction_offset = score.prediction_offset();
  out.uses_disagreement = score.uses_disagreement();
  out.min_disagreement = ScoreModel::min_disagreement;
  out.localizer_inputs = score.encoder().describe(schema);
  out.beyond_training = score.beyond_training();
  out.localization = localization_of(score.localization(), params);
  if (const Localization* other = score.localization().other()) out.other = localization_of(*other, params);
}

ExportedTarget target_of(const NumberTask& task, const std::string& name, const ModelParts& parts) {
  const FitOptions& options = parts.options;
  ExportedTarget out;
  out.name = name;
  out.transform_name = task.score.transform_name();
  out.y_min = task.range.lowest_possible(task.options.y_min);
  out.y_max = task.range.highest_possible(task.options.y_max);
  out.y_step = task.options.y_step;
  if (options.has_given_predictions()) out.given_column = std::ssize(parts.prediction_schema()) - 1;
  if (const ImportedPredictor* imported = task.predictor.imported()) {
    out.foreign = &imported->model();
    out.foreign_columns = imported->columns();
  } else if (!out.given_column) {
    add_parts(task.predictor, parts.schema, out);
  }
  add_score(task.score, parts.schema, out);
  return out;
}

std::vector<ExportedEnds> ends_around(const std::vector<double>& q) {
  std::vector<ExportedEnds> ends;
  for (const double score : q) ends.push_back({{Side::below, score}, {Side::above, score}});
  return ends;
}

void add_side_of_box(const CommonScale& scale, const std::vector<double>& q, ExportedTarget& out) {
  for (const double score : q) out.ends.push_back({scale.lowest_at(-score), scale.highest_at(score)});
  out.median = scale.at(0);
}

std::string describe(const Exported& model) {
  if (model.has_one_target()) {
    const ExportedTarget& target = model.targets.front();
    return format_text("target '{}', transformation {}, {} calibration rows", target.name, target.transform_name,
                       print_count(model.calibration_rows));
  }
  std::vector<std::string> names;
  for (const ExportedTarget& target : model.targets)
    names.push_back(format_text("'{}' (transformation {})", target.name, target.transform_name));
  return format_text("a box of the targets {}, {} calibration rows", join(names, ", "), print_count(model.calibration_rows));
}

}  // namespace

double total_height(const DescribedProcess& process) {
  double sum = 0;
  for (const double height : process.heights) sum += std::abs(height);
  return sum;
}

double rounding_of(const DescribedProcess& process) {
  constexpr double largest = 3;  // bound of |z|
  double size = std::abs(process.level);
  for (const double slope : process.slopes) size += largest * std::abs(slope);
  return 1e-15 * (static_cast<double>(process.heights.size() + process.slopes.size() + 64) * total_height(process) +
                  static_cast<double>(process.slopes.size() + 8) * size);
}

std::vector<double> log_odds_above(const DescribedQuantiles& quantiles) {
  std::vector<double> odds = {0};
  const auto& all = quantiles.probabilities;
  for (std::size_t k = all.size() / 2 + 1; k < all.size(); ++k) odds.push_back(std::log(all[k]) - std::log1p(-all[k]));
  return odds;
}

bool ExportedTarget::has_slack() const {
  for (const ExportedPart& part : parts)
    if (part.has_slack()) return true;
  return false;
}

Formula ExportedTarget::half_width(double score) const {
  if (std::isinf(score)) return score > 0 ? infinity : -1;
  return std::get<DescribedWidth>(transform).half_width(score);
}

Exported exported(const Model& model, const std::vector<double>& levels, const std::vector<std::string>& texts) {
  const ModelParts& parts = model.parts();
  const auto* several = dynamic_cast<const SeveralTask*>(&model.task());
  const auto* one = dynamic_cast<const NumberTask*>(&model.task());
  if (several == nullptr && one == nullptr)
    throw Error("the model predicts labels, not numbers; --json writes all that the model file holds");
  if (several != nullptr) refuse_region(*several);
  refuse_unsupported(model);
  parts.refuse_exposure("an export");
  Exported out;
  out.columns = model.prediction_schema();
  out.levels = levels;
  out.level_texts = texts;
  out.calibration_rows = model.distribution().rows();
  std::vector<double> q;
  for (const double level : levels) q.push_back(model.distribution().quantile(level));
  if (several == nullptr) {
    out.targets.push_back(target_of(*one, model.options().target, parts));
    out.targets.front().ends = ends_around(q);
  } else {
    for (std::size_t j = 0; j < several->of_target.size(); ++j) {
      out.targets.push_back(target_of(*several->of_target[j], several->joint.names[j], parts));
      add_side_of_box(several->joint.scales[j], q, out.targets.back());
    }
    if (several->of_target.size() == 1) {  // a box of one target is its interval
      out.targets.front().ends = ends_around(q);
      out.targets.front().median.reset();
    }
  }
  out.description = describe(out);
  return out;
}

}  // namespace taut
