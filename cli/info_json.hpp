// What `info --json` says of models of numbers and of labels alike.
#pragma once

#include <cli/json.hpp>
#include <taut/model/model.hpp>

#include <algorithm>
#include <string>

namespace taut {

// `for_each(options, visit)` names every option once, as for_each_option does.
template <class Options, class ForEach>
void add_options(Json& json, const Options& options, ForEach for_each) {
  for_each(options, [&json]<class T>(const OptionText& text, const T& value) {
    std::string name(text.name);
    std::replace(name.begin(), name.end(), '-', '_');
    if constexpr (std::is_same_v<T, double>)
      json[name] = json_number(value);
    else
      json[name] = value;
  });
}

inline Json options_json(const FitOptions& options) {
  Json json = Json::object();
  add_options(json, options, [](const auto& all, auto visit) { for_each_option(all, visit); });
  return json;
}

// Which calibration rows count for a new row.
template <class AnyKindOfModel>
Json calibration_json(const AnyKindOfModel& model) {
  Json groups = Json::array();
  for (const GroupSize& group : model.calibration_groups()) groups.push_back({{"name", group.name}, {"rows", group.rows}});
  return {{"kind", model.calibration_kind()},
          {"by", model.groups_in_words()},
          {"groups", groups},
          {"notes", model.calibration_notes()}};
}

}  // namespace taut
