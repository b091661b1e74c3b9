// The options of a fit of labels. FitOptions has those that all tasks share.
#pragma once

#include <taut/data/table_view.hpp>
#include <taut/model/task.hpp>

#include <string>

namespace taut {

struct LabelOptions {
  std::string task = "auto";
  std::string probabilities;  // prefix of the names of columns with given probabilities
  std::string score;          // empty: lac
  bool by_label = false;

  std::string score_in_force() const { return score.empty() ? "lac" : score; }
  void use_current_names();  // in place of those of earlier versions
  // Whether one of these options is given, so that the target must be labels.
  bool ask_for_classes() const { return !probabilities.empty() || !score.empty() || by_label; }

  // Throw UsageError for invalid options; check_with() also for options that `shared` rules out.
  void check() const;
  void check_with(const FitOptions& shared) const;

  // Reads the options by their names. Unknown names belong to other tasks and are ignored.
  static LabelOptions from(const TaskOptions& own);
  TaskOptions as_task_options() const;
  void save(Archive archive) const;
  static LabelOptions load(const Archive& archive);
};

std::string listed_class_scores();

// Calls visit(OptionText, member) for every option, in the order of --help.
template <class Options, class Visit>
void for_each_label_option(Options&& options, Visit&& visit) {
  visit(OptionText{"task", "regression|classification|auto",
                   "what the target is: a number, or one of a few labels; auto: labels where it holds texts"},
        options.task);
  visit(OptionText{"probabilities", "PREFIX",
                   "classes: columns with the probabilities of your own model, the prefix and a label: p_ for p_cat, p_dog"},
        options.probabilities);
  visit(OptionText{"score", "NAME", "classes: conformity score: " + listed_class_scores() + "; by default lac"}, options.score);
  visit(OptionText{"by-label", "",
                   "classes: class-conditional coverage, for the rows of each true class instead of all rows together",
                   "class-conditional"},
        options.by_label);
}

// Whether the target contains labels. If the options do not say so, the rows used for model selection decide.
bool predicts_labels(const TableView& table, const FitOptions& shared, const LabelOptions& options, bool calibration_elsewhere);

}  // namespace taut
