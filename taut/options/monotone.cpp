// Columns in which answers never fall, or never rise: --increasing and --decreasing.
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/data/column.hpp>
#include <taut/localize/localizer.hpp>
#include <taut/options/options.hpp>
#include <taut/predict/predictor.hpp>

#include <algorithm>
#include <utility>

namespace taut {

namespace {

constexpr const char* both = "--increasing and --decreasing";

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string names_that_keep_directions() {
  std::string names = "stack";
  for (const auto& entry : predictors().entries())
    if (predictors().make(entry.example)->keeps_directions()) names += ", " + entry.name;
  return names;
}

}  // namespace

InputDirections FitOptions::directions_of(const std::vector<Column>& columns) const {
  InputDirections result;
  if (!is_monotone()) return result;
  for (const Column& column : columns)
    result.push_back(has(increasing, column.name)   ? Direction::increasing
                     : has(decreasing, column.name) ? Direction::decreasing
                                                    : Direction::any);
  return result;
}

void FitOptions::check_monotone() const {
  if (!is_monotone()) return;
  for (const auto* list : {&increasing, &decreasing}) {
    const std::string option = list == &increasing ? "--increasing" : "--decreasing";
    const std::pair<std::string, std::vector<std::string>> others[] = {{"--target", {target}},
                                                                       {"--drop", drop},
                                                                       {"--categorical", categorical},
                                                                       {"--keep-together", {keep_together}},
                                                                       {"--sample-weight", {sample_weight}},
                                                                       {"--exposure", {exposure}},
                                                                       {"--decreasing", decreasing}};
    for (const auto& name : *list) {
      if (std::count(list->begin(), list->end(), name) > 1)
        throw UsageError(format_text("{} names '{}' twice; name it once", option, name));
      for (const auto& [other, names] : others)
        if (other != option && has(names, name))
          throw UsageError(format_text("{} and {} both name '{}': {}; take it out of one of them", option, other, name,
                                       other == "--target"        ? "the target has no direction of its own"
                                       : other == "--categorical" ? "a category has no order"
                                       : other == "--decreasing"  ? "an effect has one direction"
                                                                  : "it is no input"));
    }
  }
  if (has_f())
    throw UsageError(format_text(
        "{} are about predictors that Taut trains: nothing is known about predictions of your own; leave them out", both));
  if (!exposure.empty())
    throw UsageError(format_text("--exposure cannot be combined with {}: widths shrink as exposure grows; leave one out", both));
  if (!stacks() && !predictors().make(predictor)->keeps_directions())
    throw UsageError(format_text("--predictor {} cannot keep the directions of {}; these can: {}", predictor, both,
                                 names_that_keep_directions()));
  if (!localizers().make(localizer)->keeps_directions())
    throw UsageError(
        format_text("--localizer {} cannot keep the directions of {}; boost, constant and none can", localizer, both));
  if (see_prediction == "yes")
    throw UsageError(format_text(
        "--see-prediction yes cannot be combined with {}: widths that depend on f could turn an end around; leave it out", both));
  check_monotone_groups(by, "--by");
}

void FitOptions::check_monotone_groups(const std::vector<std::string>& specifications, const std::string& option) const {
  const auto refuse = [&](const std::string& specification, const std::string& why) {
    throw UsageError(
        format_text("{} {} cannot be combined with {}: {}, and ends are not in order across groups; group by another column, or "
                    "leave one out",
                    option, specification, both, why));
  };
  for (const auto& one : specifications) {
    const auto is_about = [&](const std::string& name) { return one == name || one.starts_with(name + ":"); };
    for (const auto* list : {&increasing, &decreasing})
      if (std::any_of(list->begin(), list->end(), is_about)) refuse(one, "it makes groups from a monotone column");
    if (is_monotone() && is_about("prediction")) refuse(one, "the prediction depends on the monotone columns");
  }
}

}  // namespace taut
