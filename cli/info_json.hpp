// What `info` says of models of numbers and of labels alike.
#pragma once

#include <cli/json.hpp>
#include <taut/core/text.hpp>
#include <taut/task/number/regressor.hpp>
#include <taut/time/time_column.hpp>

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

inline Json numbers_json(const std::vector<double>& values) {
  Json json = Json::array();
  for (const double value : values) json.push_back(json_number(value));
  return json;
}

// null where nothing was streamed.
inline Json stream_state_json(const LevelStream* stream) {
  if (stream == nullptr) return Json();
  const StreamSettings& settings = stream->settings();
  return {{"controller", settings.controller},   {"window", settings.window},
          {"half_life", settings.half_life},     {"delay", settings.delay},
          {"scorecast", settings.scorecast},     {"recentre", settings.recentre},
          {"at_least", settings.at_least},       {"rows", stream->rows()},
          {"targets", stream->targets()},        {"scores", std::ssize(stream->scores())},
          {"levels", numbers_json(stream->levels())}, {"asked", numbers_json(stream->asked())}};
}

inline std::string stream_state_in_words(const LevelStream* stream) {
  if (stream == nullptr || stream->rows() == 0) return "";
  std::string text = "  a stream of " + counted(stream->rows(), "row") + ", " + counted(stream->targets(), "target") +
                     " learnt from, by " + stream->settings().controller +
                     (stream->settings().at_least ? ", at least the level" : "") + "; for";
  for (std::size_t i = 0; i < stream->levels().size(); ++i)
    text += (i == 0 ? " " : ", ") + print_number(stream->levels()[i]) + " it asks " + print_rounded(stream->asked()[i], 4);
  return text + "\n";
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

// What columns of the training table were taken for.
inline Json notes_json(const FitRecord& record) {
  Json json = Json::array();
  for (const ColumnNote& note : record.columns)
    json.push_back({{"name", note.column}, {"kind", note.taken_for}, {"left_out", note.is_left_out}, {"words", note.words}});
  return json;
}

// What has moved with time, or null.
template <class AnyKindOfModel>
Json stream_json(const AnyKindOfModel& model) {
  Json json = stream_state_json(model.stream_state());
  if (json.is_null()) return json;
  json["time"] = model.time().name;
  json["latest"] = model.time().name.empty() ? Json() : Json(time_in_words(model.latest_time(), model.time()));
  return json;
}

template <class AnyKindOfModel>
std::string stream_in_words(const AnyKindOfModel& model) {
  std::string text;
  if (!model.time().name.empty())
    text += "  rows up to " + time_in_words(model.latest_time(), model.time()) + " by '" + model.time().name + "'\n";
  return text + stream_state_in_words(model.stream_state());
}

}  // namespace taut
