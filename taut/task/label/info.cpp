// The results of a fit of labels, for `info`.
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/task/label/label_task.hpp>

#include <cmath>

namespace taut {

namespace {

// Members of f and their weights; empty if probabilities are given.
std::vector<std::pair<std::string, double>> members_of(const LabelTask& task) {
  if (!task.given.empty()) return {};
  return task.predictor.members_that_count();
}

Value compared(double without, double with, double error) {
  return Value::object({{"without", without}, {"with", with}, {"standard_error", error}});
}

}  // namespace

std::vector<std::pair<std::string, double>> Classifier::predictor_members() const { return members_of(labels_task()); }

Value LabelTask::facts(const ModelParts& parts) const {
  const LabelRecord& own = record;
  const auto members = members_of(*this);
  Value weights = Value::object();
  for (const auto& [name, weight] : members) weights.set(name, weight);
  const Value losses = compared(own.loss_without, own.loss_with, own.loss_error), unknown = compared(missing, missing, missing);
  Value asked = Value::object();
  for_each_label_option(options, [&asked](const OptionText& text, const auto& value) { asked.set(fact_name(text), value); });
  const Value of_parts = Value::object({{"predictor", members.empty()      ? "columns"
                                                      : members.size() > 1 ? "pool"
                                                                           : members.front().first},
                                        {"predictor_weights", weights},
                                        {"trees", given.empty() ? predictor.trees() : 0},
                                        {"correction_trees", corrected.trees()},
                                        {"temperature", 1 / own.inverse_temperature},
                                        {"score", options.score_in_force()},
                                        {"transform", own.trained ? "odds" : "fixed"},
                                        {"objective", own.objective},
                                        {"members", shift.members()}});
  const OutOfFoldRecord& held = parts.record.out_of_fold;
  return Value::object(
      {{"labels", labels},
       {"parts", of_parts},
       {"out_of_fold", Value::object({{"rows", held.rows}, {"accuracy", held.found}, {"of_a_constant", held.constant}})},
       {"validation", compared(own.without, own.with, own.error)},
       {"correction", members.empty() ? losses : unknown},
       {"pooling", members.empty() ? unknown : losses},
       {"options", asked}});
}

std::string LabelTask::describe_out_of_fold(const ModelParts& parts) const {
  const OutOfFoldRecord& own = parts.record.out_of_fold;
  if (own.rows == 0) return "";
  return format_text("accuracy of {} {}, of a constant {}",
                     given.empty() || record.corrected ? "out-of-fold rows" : "the given probabilities",
                     print_rounded(own.found, 3), print_rounded(own.constant, 3));
}

std::string LabelTask::describe_fit(const ModelParts& parts) const {
  const LabelRecord& own = record;
  std::string text = format_text("  probabilities at temperature {}\n", print_rounded(1 / own.inverse_temperature));
  const auto members = members_of(*this);
  if (!std::isnan(own.loss_with) && !members.empty()) {
    const bool alone = members.size() == 1 && members.front().first == "boost";
    text += format_text(
        "  log loss of out-of-fold rows: {} by boosted trees alone, {} with logistic regression added{} (error of the difference "
        "{})\n",
        print_rounded(own.loss_without), print_rounded(own.loss_with), alone ? ", which is not better" : "",
        print_rounded(own.loss_error, 2));
    if (!alone)
      for (const auto& [name, weight] : members)
        text += format_text("    {}: weight {} of its logits\n", name, print_rounded(weight, 2));
  } else if (!std::isnan(own.loss_with)) {
    text +=
        format_text("  log loss of validation rows: {} as given, {} corrected by boosted trees{} (error of the difference {})\n",
                    print_rounded(own.loss_without), print_rounded(own.loss_with), own.corrected ? "" : ", which is not better",
                    print_rounded(own.loss_error, 2));
  }
  if (!own.objective.empty())
    text += format_text(
        "  on validation rows: {} {} with one cut-off everywhere, {} with one for each row, trained by {} (error of the "
        "difference {})\n",
        parts.options.objective == "conditional" ? "loss of equal coverage" : "mean size", print_rounded(own.without),
        print_rounded(own.with), own.objective, print_rounded(own.error, 2));
  return text;
}

}  // namespace taut
