// The results of a fit of numbers, for `info`.
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/foreign/foreign_model.hpp>
#include <taut/task/number/number_task.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

std::string describe_stack(const FitRecord& record) {
  if (record.stack.empty()) return "";
  TextTable table;
  table.row({"  predictor", "target", "error", "weight"});
  for (const StackMemberRecord& member : record.stack)
    table.row({"  " + member.predictor, member.scale, print_rounded(member.error, 4), print_rounded(member.weight, 2)},
              member.dropped ? "dropped: it was worse on a part of the rows" : "");
  return table.text();
}

std::string describe_directions(const FitOptions& options) {
  if (!options.is_monotone()) return "";
  std::vector<std::string> words;
  if (!options.increasing.empty()) words.push_back("never fall in " + join(options.increasing, ", "));
  if (!options.decreasing.empty()) words.push_back("never rise in " + join(options.decreasing, ", "));
  return format_text("  f, quantiles and both ends {}; the width depends on the other columns\n", join(words, " and "));
}

// The standard error is infinite if there are too few validation rows to estimate it.
std::string describe_error(double error) {
  if (std::isinf(error)) return "unknown: too few rows";
  return error > 0 ? print_rounded(error, 2) : "";
}

std::string describe_candidates(const FitRecord& record) {
  const auto& candidates = record.candidates;
  if (candidates.empty()) return "";
  const bool compete = std::any_of(candidates.begin(), candidates.end(), [](const auto& one) { return one.standard_error > 0; });
  TextTable table;
  table.row({"  candidate", "class", "sides", "validation loss", compete ? "error of the difference" : ""});
  for (const auto& one : candidates)
    table.row({"  " + one.name, one.transform, std::to_string(one.sides), print_rounded(one.validation_loss, 5),
               describe_error(one.standard_error)},
              one.kept ? "kept" : "");
  return table.text();
}

std::vector<LimitedMember> limited_members(const NumberTask& task) {
  std::vector<LimitedMember> members;
  for (const PointPredictor::Part& part : task.predictor.parts())
    if (const PredictionLimits& limits = part.predictor.limits(); limits.exist())
      members.push_back({part.predictor.name(), limits.low(), limits.high()});
  return members;
}

}  // namespace

std::vector<LimitedMember> Regressor::limited_members() const { return taut::limited_members(number()); }

Value NumberTask::facts(const ModelParts& parts) const {
  const FitRecord& record = parts.record;
  const Localization& localization = score.localization();
  Value of_parts = Value::object({{"predictor", options.predicts_distribution()   ? "distribution"
                                                : options.has_given_predictions() ? "column"
                                                                                  : options.predictor},
                                  {"transform", score.transform_name()},
                                  {"score_scale", score.is_of_probability() ? "probability" : score.score_scale().name()},
                                  {"localizer", score.transform().n_params() == 0 ? "none" : options.localizer},
                                  {"members", localization.n_members()},
                                  {"sides", localization.sides()},
                                  {"exponents", localization.exponents()}});
  if (const ImportedPredictor* imported = predictor.imported()) {
    const ForeignModel& foreign = imported->model();
    of_parts.set("imported", Value::object({{"library", foreign.library},
                                            {"version", foreign.version},
                                            {"objective", foreign.objective},
                                            {"source", foreign.source},
                                            {"trees", foreign.n_trees()},
                                            {"models", foreign.n_models()},
                                            {"notes", foreign.notes}}));
  }
  if (has_own_loss) of_parts.set("loss", "own");
  if (student) of_parts.set("student", student->facts());
  const Value stack = value_list(record.stack, [](const StackMemberRecord& member) {
    return Value::object({{"predictor", member.predictor},
                          {"target_scale", member.scale},
                          {"error", member.error},
                          {"weight", member.weight},
                          {"dropped", member.dropped}});
  });
  const Value candidates = value_list(record.candidates, [](const CandidateRecord& candidate) {
    return Value::object({{"name", candidate.name},
                          {"transform", candidate.transform},
                          {"sides", candidate.sides},
                          {"validation_loss", candidate.validation_loss},
                          {"standard_error", candidate.standard_error},
                          {"kept", candidate.kept}});
  });
  if (options.is_monotone()) {
    of_parts.set("increasing", options.increasing);
    of_parts.set("decreasing", options.decreasing);
  }
  return Value::object({{"parts", of_parts},
                        {"out_of_fold", Value::object({{"rows", record.out_of_fold.rows},
                                                       {"mean_absolute_error", record.out_of_fold.found},
                                                       {"of_a_constant", record.out_of_fold.constant}})},
                        {"stack", stack},
                        {"candidates", candidates},
                        {"validation_curve", record.validation_curve},
                        {"best_epoch", record.best_epoch}});
}

std::string NumberTask::describe_out_of_fold(const ModelParts& parts) const {
  const OutOfFoldRecord& own = parts.record.out_of_fold;
  if (own.rows == 0) return "";
  const std::string whose = options.has_given_predictions()   ? "of the given predictions"
                            : predictor.imported() != nullptr ? "of the imported model"
                                                              : "of out-of-fold rows";
  const std::string error = format_text("mean absolute error {} {}", whose, print_rounded(own.found, 3));
  return own.constant > 0 ? format_text("{}, {} of a constant's", error, print_rounded(own.found / own.constant, 2)) : error;
}

std::string NumberTask::describe_fit(const ModelParts& parts) const {
  const FitRecord& record = parts.record;
  std::string text = student ? student->describe() : std::string();
  text += describe_stack(record) + describe_directions(options);
  if (options.repeats > 1)
    text += format_text("  f is the mean of {} trainings over different folds of the same rows\n", print_count(options.repeats));
  if (has_own_loss) text += "  f minimises a loss of your own, which the model does not contain\n";
  for (const LimitedMember& member : limited_members(*this))
    text += format_text("  predictions of {} are held between {} and {}, near the training targets\n", member.predictor,
                        print_rounded(member.lower, 5), print_rounded(member.upper, 5));
  text += describe_candidates(record);
  if (!record.validation_curve.empty())
    text += format_text("  best after {} of {} epochs or rounds\n", print_count(record.best_epoch),
                        print_count(static_cast<long long>(record.validation_curve.size()) - 1));
  return text;
}

}  // namespace taut
