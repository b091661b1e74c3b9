// The results of a fit of several targets, for `info`.
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/task/several/several_task.hpp>

namespace taut {

namespace {

// The parts of one target, as of a model of that target.
ModelParts alone(const SeveralTask& task, std::size_t target) {
  ModelParts parts;
  parts.record = task.records[target];
  return parts;
}

}  // namespace

std::string SeveralTask::describe_parts(const ModelParts&) const {
  std::string words = format_text("region '{}' of {} targets", region_name, joint.count());
  for (std::size_t j = 0; j < of_target.size(); ++j)
    words += format_text("; {}: {}", joint.names[j], of_target[j]->describe_parts(alone(*this, j)));
  return words;
}

std::string SeveralTask::describe_target(const ModelParts&, std::size_t) const { return ""; }

std::string SeveralTask::describe_out_of_fold(const ModelParts&) const {
  std::vector<std::string> words;
  for (std::size_t j = 0; j < of_target.size(); ++j)
    if (const auto own = of_target[j]->describe_out_of_fold(alone(*this, j)); !own.empty())
      words.push_back(joint.names[j] + ": " + own);
  return join(words, "; ");
}

Value SeveralTask::facts(const ModelParts&) const {
  Value::List targets;
  for (std::size_t j = 0; j < of_target.size(); ++j) {
    Value own = of_target[j]->facts(alone(*this, j));
    own.set("target", joint.names[j]);
    targets.push_back(std::move(own));
  }
  const Value compared = value_list(trials, [](const RegionTrial& one) {
    return Value::object({{"region", one.region}, {"side", one.side}, {"standard_error", one.standard_error}, {"ert", one.ert}});
  });
  return Value::object({{"parts", Value::object({{"region", region_name},
                                                 {"y_range", options.y_range},
                                                 {"local_correlation", !region->is_box() && !dependence.is_constant()}})},
                        {"regions", compared},
                        {"targets", targets}});
}

std::string SeveralTask::describe_fit(const ModelParts&) const {
  std::string text;
  if (!trials.empty()) {
    TextTable table;
    table.row({"  region", "side at 0.9", "L1-ERT"});
    for (const RegionTrial& one : trials)
      table.row({"  " + one.region, print_rounded(one.side, 4), print_rounded(one.ert, 3)},
                one.region == region_name ? "kept" : "");
    text += table.text();
  }
  for (std::size_t j = 0; j < of_target.size(); ++j) {
    const std::string own = of_target[j]->describe_fit(alone(*this, j));
    if (!own.empty()) text += format_text("  {}\n", joint.names[j]) + own;
  }
  return text;
}

}  // namespace taut
