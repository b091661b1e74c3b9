// What a fit of labels found, for `info`.
#include <taut/core/text.hpp>
#include <taut/task/label/label_task.hpp>

#include <cmath>

namespace taut {

namespace {

// Members of f and how much each counts; none where probabilities are given.
std::vector<std::pair<std::string, double>> members_of(const LabelTask& task) {
  if (!task.given.empty()) return {};
  return task.predictor.members_that_count();
}

Value compared(double without, double with, double error) {
  return Value::object({{"without", without}, {"with", with}, {"standard_error", error}});
}

}  // namespace

std::vector<std::pair<std::string, double>> Classifier::predictor_members() const { return members_of(labels_task()); }

Value LabelTask::facts(const ModelParts&) const {
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
                                        {"mended_trees", mended.trees()},
                                        {"temperature", 1 / own.inverse_temperature},
                                        {"score", options.score_in_force()},
                                        {"transform", own.trained ? "odds" : "fixed"},
                                        {"objective", own.objective},
                                        {"members", shift.members()}});
  return Value::object({{"labels", labels},
                        {"parts", of_parts},
                        {"validation", compared(own.without, own.with, own.error)},
                        {"mending", members.empty() ? losses : unknown},
                        {"pooling", members.empty() ? unknown : losses},
                        {"options", asked}});
}

std::string LabelTask::describe_fit(const ModelParts& parts) const {
  const LabelRecord& own = record;
  std::string text = "  probabilities at temperature " + print_rounded(1 / own.inverse_temperature) + "\n";
  const auto members = members_of(*this);
  if (!std::isnan(own.loss_with) && !members.empty()) {
    const bool alone = members.size() == 1 && members.front().first == "boost";
    text += "  log loss of out-of-fold rows: " + print_rounded(own.loss_without) + " by boosted trees alone, " +
            print_rounded(own.loss_with) + " with logistic regression beside them" + (alone ? ", which is not better" : "") +
            " (error of the difference " + print_rounded(own.loss_error, 2) + ")\n";
    if (!alone)
      for (const auto& [name, weight] : members) text += "    " + name + ": its logits count " + print_rounded(weight, 2) + "\n";
  } else if (!std::isnan(own.loss_with))
    text += "  log loss of validation rows: " + print_rounded(own.loss_without) + " as given, " + print_rounded(own.loss_with) +
            " mended by boosted trees" + (own.mended ? "" : ", which is not better") + " (error of the difference " +
            print_rounded(own.loss_error, 2) + ")\n";
  if (!own.objective.empty())
    text += std::string("  on validation rows: ") +
            (parts.options.objective == "conditional" ? "loss of equal coverage " : "mean size ") + print_rounded(own.without) +
            " with one cut-off everywhere, " + print_rounded(own.with) + " with one for each row, trained by " + own.objective +
            " (error of the difference " + print_rounded(own.error, 2) + ")\n";
  return text;
}

}  // namespace taut
