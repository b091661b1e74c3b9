// Rows that come one after another, for Python.
#include <python/bind.hpp>
#include <python/table.hpp>
#include <python/work.hpp>
#include <taut/task/label/classifier.hpp>
#include <taut/core/error.hpp>
#include <taut/task/number/regressor.hpp>
#include <taut/model/stream_history.hpp>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <map>
#include <type_traits>

namespace taut {

namespace {

using Numbers = nb::ndarray<nb::numpy, double>;

StreamOptions stream_options(const nb::dict& given) {
  StreamOptions options;
  std::map<std::string, nb::handle> left;
  for (const auto& [key, value] : given)
    if (!value.is_none()) left[nb::cast<std::string>(key)] = value;
  for_each_stream_option(options, [&left]<class T>(const OptionText& text, T& value) {
    std::string name(text.name);
    std::replace(name.begin(), name.end(), '-', '_');
    const auto found = left.extract(name);
    if (found.empty()) return;
    if constexpr (std::is_same_v<T, bool>)
      value = nb::cast<bool>(found.mapped());
    else
      value = nb::cast<typename T::value_type>(found.mapped());
  });
  if (!left.empty()) throw UsageError("a stream has no option '" + left.begin()->first + "'");
  options.applied_to({}).check();
  return options;
}

// f(x) as (rows), the intervals as (rows, 2, levels).
nb::tuple stream(Regressor& model, const PythonTable& table, const std::vector<double>& levels, const nb::dict& given, int threads) {
  const StreamOptions options = stream_options(given);
  auto streamed = std::make_unique<Streamed>();
  std::vector<std::string> said;
  work(threads, said, [&](const ExecutionContext& context) {
    *streamed = model.stream(table.view(), levels, options, context);
    model.end_stream();
  });
  for (Interval& interval : streamed->intervals)
    if (interval.empty()) interval = {missing, missing};
  const std::size_t rows = streamed->prediction.size(), count = levels.size();
  const auto step = static_cast<std::int64_t>(2 * count);
  Streamed* raw = streamed.release();
  const nb::capsule owner(raw, [](void* pointer) noexcept { delete static_cast<Streamed*>(pointer); });
  auto* ends = reinterpret_cast<double*>(raw->intervals.data());
  return nb::make_tuple(Numbers(raw->prediction.data(), {rows}, owner), Numbers(ends, {rows, 2, count}, owner, {step, 1, 2}));
}

void begin_with(Regressor& model, const PythonTable& before, const nb::dict& given, int threads) {
  const StreamOptions options = stream_options(given);
  std::vector<std::string> said;
  work(threads, said, [&](const ExecutionContext& context) { take_history(model, before.view(), options, context); });
}

// Members of sets (rows, levels, labels).
nb::object stream_sets(Classifier& model, const PythonTable& table, const std::vector<double>& levels, const nb::dict& given,
                       int threads) {
  const StreamOptions options = stream_options(given);
  auto members = std::make_unique<std::vector<std::uint8_t>>();
  std::vector<std::string> said;
  work(threads, said, [&](const ExecutionContext& context) {
    *members = model.stream(table.view(), levels, options, context).sets.members;
    model.end_stream();
  });
  auto* raw = members.release();
  const nb::capsule owner(raw, [](void* pointer) noexcept { delete static_cast<std::vector<std::uint8_t>*>(pointer); });
  const auto rows = static_cast<std::size_t>(table.view().rows());
  return nb::cast(nb::ndarray<nb::numpy, std::uint8_t>(raw->data(), {rows, levels.size(), model.labels().size()}, owner));
}

// How many targets were learnt from.
template <class AnyKindOfModel>
Index update(AnyKindOfModel& model, const PythonTable& table, const std::vector<double>& levels, const nb::dict& given, int threads) {
  const StreamOptions options = stream_options(given);
  Index targets = 0;
  std::vector<std::string> said;
  work(threads, said,
       [&](const ExecutionContext& context) { targets = model.update(table.view(), options, context, levels).targets(); });
  return targets;
}

// What has moved, or None.
template <class AnyKindOfModel>
nb::object stream_state(const AnyKindOfModel& model) {
  const LevelStream* state = model.stream_state();
  if (state == nullptr) return nb::none();
  nb::dict result;
  result["controller"] = state->settings().controller;
  result["window"] = state->settings().window;
  result["half_life"] = state->settings().half_life;
  result["delay"] = state->settings().delay;
  result["scorecast"] = state->settings().scorecast;
  result["recentre"] = state->settings().recentre;
  result["at_least"] = state->settings().at_least;
  result["rows"] = state->rows();
  result["targets"] = state->targets();
  result["levels"] = state->levels();
  result["asked"] = state->asked();
  if constexpr (std::is_same_v<AnyKindOfModel, Regressor>) result["refits"] = model.refits();
  return result;
}

}  // namespace

void bind_stream(nb::class_<Regressor>& model) {
  model.def("stream", &stream, nb::arg("table"), nb::arg("levels"), nb::arg("options"), nb::arg("threads") = 0)
      .def("update", &update<Regressor>, nb::arg("table"), nb::arg("levels"), nb::arg("options"), nb::arg("threads") = 0)
      .def("begin_with", &begin_with, nb::arg("table"), nb::arg("options"), nb::arg("threads") = 0)
      .def_prop_ro("stream_state", &stream_state<Regressor>);
}

void bind_stream(nb::class_<Classifier>& model) {
  model.def("stream", &stream_sets, nb::arg("table"), nb::arg("levels"), nb::arg("options"), nb::arg("threads") = 0)
      .def("update", &update<Classifier>, nb::arg("table"), nb::arg("levels"), nb::arg("options"), nb::arg("threads") = 0)
      .def_prop_ro("stream_state", &stream_state<Classifier>);
}

}  // namespace taut
