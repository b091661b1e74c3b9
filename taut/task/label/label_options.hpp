// The options of a fit that only classes have; the others are those of FitOptions, which both tasks share.
#pragma once

#include <taut/data/table_view.hpp>
#include <taut/model/task.hpp>

#include <string>

namespace taut {

struct LabelOptions {
  std::string task = "auto";
  std::string probabilities;  // what the names of columns with given probabilities begin with
  std::string score;          // empty: least
  bool by_label = false;

  std::string score_in_force() const { return score.empty() ? "least" : score; }
  // One of these options is given, so that the target must be labels.
  bool ask_for_classes() const { return !probabilities.empty() || !score.empty() || by_label; }

  // Throws UsageError for what makes no sense, by itself or with the other options.
  void check() const;
  void check_with(const FitOptions& shared) const;

  // By the names of the options; a name that is none of them is for another task.
  static LabelOptions from(const TaskOptions& own);
  TaskOptions as_task_options() const;
  void save(Archive archive) const;
  static LabelOptions load(const Archive& archive);
};

std::string listed_class_scores();

// Calls visit(OptionText, member) for every option, in the order of --help.
template <class Options, class Visit>
void for_each_label_option(Options&& options, Visit&& visit) {
  visit(OptionText{"task", "regression|classes|auto",
                   "what the target is: a number, or one of a few labels; auto: labels where it holds texts"},
        options.task);
  visit(OptionText{"probabilities", "PREFIX",
                   "classes: columns with the probabilities of a model of your own, the prefix and a label: p_ for p_cat, p_dog"},
        options.probabilities);
  visit(
      OptionText{"score", "NAME", "classes: which labels come first into a set: " + listed_class_scores() + "; by default least"},
      options.score);
  visit(OptionText{"by-label", "", "classes: the guarantee for the rows of each true label instead of all rows together"},
        options.by_label);
}

// Does the target hold labels? Rows that may choose decide where the options do not.
bool predicts_labels(const TableView& table, const FitOptions& shared, const LabelOptions& options, bool calibration_elsewhere);

}  // namespace taut
