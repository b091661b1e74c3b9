#include <taut/export/exported.hpp>

#include <taut/calibrate/calibration_kind.hpp>
#include <taut/core/error.hpp>
#include <taut/core/text.hpp>
#include <taut/data/inputs/encoding.hpp>
#include <taut/data/kinds/kinds.hpp>
#include <taut/model/file.hpp>
#include <taut/task/number/number_task.hpp>

#include <bit>
#include <cmath>

namespace taut {

namespace {

[[noreturn]] void refuse_export(const std::string& what, const std::string& help) {
  throw Error("this model cannot be exported: " + what + "; " + help);
}

void refuse_what_has_no_form(const Regressor& model) {
  const FitOptions& options = model.options();
  if (model.models_held_out() > 0) refuse_export("--split cv+ keeps a model for each part of the rows", "fit with --split cross");
  if (kind_of(model) != CalibrationKind::plain)
    refuse_export("its calibration is '" + model.calibration_kind() + "', which gives rows laws of their own",
                  "'taut calibrate --plain' makes one law for all");
  if (options.has_past()) refuse_export("inputs are made from the rows before (--lags, --rolling)", "fit without them");
  if (options.predicts_ends())
    refuse_export("two ends are predicted instead of one number",
                  "fit with --predictor boost, or with one column of predictions");
}

std::vector<double> doubles_or_zeros(const Archive& archive, const char* name, std::size_t count) {
  return archive.has(name) ? archive.get<std::vector<double>>(name) : std::vector<double>(count);
}

int nth_bit(unsigned bits, std::size_t n) {
  for (; n > 0; --n) bits &= bits - 1;
  return std::countr_zero(bits);
}

// Of a category all inputs are a table, which the encoder itself fills; of a number they are formulas.
std::vector<ExportedInput> inputs_of(const Archive& archive, const std::vector<Column>& schema) {
  const Encoder encoder = Encoder::load(archive, schema);
  const bool is_raw = archive.text("encoding") == "raw";
  const auto offsets = doubles_or_zeros(archive, "offsets", schema.size());
  const auto& centre = archive.get<std::vector<double>>("centre");
  const auto& scale = archive.get<std::vector<double>>("scale");
  const auto columns = encoder.column_of_inputs();
  const auto encoded = [&](Index column, double cell, std::size_t input) {
    std::vector<double> row(schema.size(), missing);
    row[static_cast<std::size_t>(column)] = cell;
    std::vector<float> out(static_cast<std::size_t>(encoder.columns()));
    encoder.encode_row(row.data(), out.data());
    return out[input];
  };
  const auto parts =
      archive.has("date_parts") ? archive.get<std::vector<std::uint8_t>>("date_parts") : std::vector<std::uint8_t>();
  std::vector<ExportedInput> inputs;
  std::size_t place = 0, date = 0;  // of an input within its column; the next date
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto c = static_cast<std::size_t>(columns[i]);
    ExportedInput input{.column = columns[i]};
    place = i == 0 || columns[i - 1] != columns[i] ? 0 : place + 1;
    const bool is_date = schema[c].kind == ColumnKind::date;
    if (is_date && place == 0) ++date;
    const int parts_of_date = is_date ? std::popcount(parts[date - 1]) : 0;
    const bool is_value = is_date ? static_cast<int>(place) < parts_of_date : place == 0;
    if (schema[c].is_categorical()) {
      input.kind = ExportedInput::Kind::table;
      for (std::size_t code = 0; code <= schema[c].categories.size(); ++code)
        input.values.push_back(encoded(columns[i], static_cast<double>(code), i));
      input.if_missing = encoded(columns[i], missing, i);
    } else if (!is_value) {
      input.kind = ExportedInput::Kind::known;
      input.values = {encoded(columns[i], 0, i), encoded(columns[i], missing, i)};
    } else {
      input.kind = is_raw ? ExportedInput::Kind::number : ExportedInput::Kind::standardised;
      input.offset = offsets[c];
      if (!is_raw) input.centre = centre[i];
      if (!is_raw) input.scale = scale[i];
      if (is_date) {
        input.date_part = nth_bit(parts[date - 1], place);
        input.origin = archive.get<std::vector<double>>("date_origins")[date - 1];
      }
    }
    inputs.push_back(std::move(input));
  }
  return inputs;
}

ExportedPart part_of(const Archive& archive, double weight) {
  ExportedPart part;
  part.name = archive.text("name");
  part.weight = weight;
  part.is_standardised = part.name != "boost" && part.name != "symmetric";
  part.centre = archive.number("centre");
  part.unit = archive.number("unit");
  if (archive.has("target_scale")) part.target_scale = archive.text("target_scale");
  if (part.target_scale != "as-is") {
    part.least = archive.number("target_least");
    part.most = archive.number("target_most");
  }
  if (archive.has("lower_limit")) {
    part.lower_limit = archive.number("lower_limit");
    part.upper_limit = archive.number("upper_limit");
  }
  for (Index m = 0; m < archive.integer("members"); ++m)
    part.members.push_back(exported_member(archive.scope("member" + std::to_string(m)), part.name));
  return part;
}

void add_parts(const Archive& archive, Exported& out) {
  std::vector<std::pair<Archive, double>> found;
  if (archive.text("name") == "stack")
    for (Index k = 0; k < archive.integer("parts"); ++k) {
      const Archive own = archive.scope("part" + std::to_string(k));
      found.emplace_back(own, own.number("weight"));
    }
  else
    found.emplace_back(archive, 1.0);
  std::vector<std::string> refused;
  for (const auto& [own, weight] : found)
    if (!can_export_predictor(own.text("name"))) refused.push_back(own.text("name"));
  if (!refused.empty())
    refuse_export((found.size() > 1 ? "f is a stack, of which these have" : "f is " + refused.front() + ", which has") +
                      std::string(" no form that other languages share") + (found.size() > 1 ? ": " + join(refused, ", ") : ""),
                  "fit with --predictor and one of " + exported_predictors_in_words());
  for (const auto& [own, weight] : found) out.parts.push_back(part_of(own, weight));
}

ExportedLocalization localization_of(const Archive& archive) {
  if (archive.text("localizer") != "boost" && archive.text("localizer") != "constant")
    refuse_export("its localizer is '" + archive.text("localizer") + "'", "fit with --localizer boost or none");
  ExportedLocalization result;
  result.sides = static_cast<int>(archive.integer("sides"));
  result.exponents = archive.get<std::vector<double>>("exponents");
  for (Index m = 0; m < archive.integer("members"); ++m) {
    const Archive scope = archive.scope("member" + std::to_string(m));
    ExportedLocalization::Member member{scope.number("centre"), {}};
    for (std::size_t stage = 0; stage < result.exponents.size(); ++stage) {
      const Archive own = scope.scope("stage" + std::to_string(stage));
      if (archive.text("localizer") == "constant")
        member.stages.push_back({own.get<std::vector<double>>("value"), {}});
      else
        member.stages.push_back({own.get<std::vector<double>>("initial"), exported_trees(own.scope("trees"), result.sides)});
    }
    result.members.push_back(std::move(member));
  }
  return result;
}

ExportedCurve curve_of(const Archive& archive) {
  ExportedCurve curve;
  curve.probabilities = archive.get<std::vector<double>>("probabilities");
  for (Index m = 0; m < archive.integer("members"); ++m) {
    const Archive own = archive.scope("member" + std::to_string(m));
    const Archive trees = own.scope("trees");
    ExportedCurve::Member member;
    member.initial = own.get<std::vector<double>>("initial");
    if (own.has_scope("lines")) {
      const Archive lines = own.scope("lines");
      const auto numbers = [&](const char* name) { return lines.get<std::vector<double>>(name); };
      member.lines = {numbers("least"), numbers("most"), numbers("centre"), numbers("unit"), numbers("slopes")};
    }
    member.depth = trees.integer("depth");
    member.trees.features = trees.get<std::vector<std::int32_t>>("features");
    member.trees.missing_left = trees.get<std::vector<std::uint8_t>>("missing_left");
    member.trees.values = trees.get<std::vector<float>>("values");
    member.leaves = trees.get<std::vector<float>>("leaves");
    curve.members.push_back(std::move(member));
  }
  return curve;
}

void add_score(const Archive& archive, const ScoreModel& score, const std::vector<Column>& schema, Exported& out) {
  out.unit = archive.number("unit");
  if (score.transform().n_params() == 0) return;
  if (!score.scale().has_linear_log_scale())
    refuse_export("its transformation is '" + score.transform_name() + "'", "fit with --transform exp or curve");
  out.form = score.has_shape() ? Exported::Form::curve : Exported::Form::scale;
  out.sees_prediction = archive.integer("sees_prediction") != 0;
  if (archive.has("prediction_offset")) out.prediction_offset = archive.number("prediction_offset");
  out.localizer_inputs = inputs_of(archive.scope("localizer_encoder"), schema);
  const Archive localization = archive.scope("localization");
  out.localization = localization_of(localization);
  if (localization.has_scope("other")) out.other = localization_of(localization.scope("other"));
  if (out.form == Exported::Form::curve) out.curve = curve_of(archive.scope(score.transform_name()));
}

}  // namespace

bool Exported::has_slack() const {
  for (const ExportedPart& part : parts)
    if (part.has_slack()) return true;
  return false;
}

Exported exported(const Regressor& model, const std::vector<double>& levels, const std::vector<std::string>& texts) {
  refuse_what_has_no_form(model);
  const std::string bytes = model.to_bytes();
  const Archive archive = Archive::decode(unframe(bytes));
  const auto& schema = model.parts().schema;
  Exported out;
  out.columns = model.prediction_schema();
  out.levels = levels;
  out.level_texts = texts;
  for (const double level : levels) out.q.push_back(model.law().quantile(level));
  out.y_min = model.target_range().lowest_possible(model.options().y_min);
  out.y_max = model.target_range().highest_possible(model.options().y_max);
  out.y_step = model.options().y_step;
  out.f_is_given = model.options().has_given_predictions();
  out.foreign = model.imported();
  if (out.foreign != nullptr) {
    out.foreign_columns = number_task(model.parts()).predictor.imported()->columns();
  } else if (!out.f_is_given) {
    const Archive predictor = archive.scope("predictor");
    add_parts(predictor, out);
    for (const ExportedPart& part : out.parts) {
      auto& inputs = part.is_standardised ? out.standardised : out.raw;
      // A single predictor has one encoder, whichever it needs.
      const bool shared = part.is_standardised && predictor.has_scope("standardising_encoder");
      if (inputs.empty()) inputs = inputs_of(predictor.scope(shared ? "standardising_encoder" : "encoder"), schema);
    }
  }
  add_score(archive, number_task(model.parts()).score, schema, out);
  out.description = "target '" + model.options().target + "', transformation " + model.transform_name() + ", " +
                    print_count(model.law().rows()) + " calibration rows";
  return out;
}

}  // namespace taut
