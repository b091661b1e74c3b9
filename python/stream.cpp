// Rows that come one after another, for Python.
#include <python/bind.hpp>
#include <python/table.hpp>
#include <python/work.hpp>
#include <taut/core/error.hpp>
#include <taut/model/model.hpp>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace taut {

namespace {

using Numbers = nb::ndarray<nb::numpy, double>;

StreamOptions stream_options(const nb::dict& given) {
  StreamOptions options;
  for (const auto& [key, value] : given) {
    const auto name = nb::cast<std::string>(key);
    if (value.is_none()) continue;
    if (name == "controller")
      options.controller = nb::cast<std::string>(value);
    else if (name == "window")
      options.window = nb::cast<Index>(value);
    else if (name == "half_life")
      options.half_life = nb::cast<double>(value);
    else if (name == "delay")
      options.delay = nb::cast<Index>(value);
    else if (name == "scorecast")
      options.scorecast = nb::cast<bool>(value);
    else if (name == "refit_every")
      options.refit_every = nb::cast<Index>(value);
    else if (name == "refit_rows")
      options.refit_rows = nb::cast<Index>(value);
    else if (name == "allow_older")
      options.allow_older = nb::cast<bool>(value);
    else
      throw UsageError("a stream has no option '" + name + "'");
  }
  options.applied_to({}).check();
  return options;
}

// f(x) as (rows), the intervals as (rows, 2, levels).
nb::tuple stream(Model& model, const PythonTable& table, const std::vector<double>& levels, const nb::dict& given, int threads) {
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

// How many targets were learnt from.
Index update(Model& model, const PythonTable& table, const std::vector<double>& levels, const nb::dict& given, int threads) {
  const StreamOptions options = stream_options(given);
  Index targets = 0;
  std::vector<std::string> said;
  work(threads, said,
       [&](const ExecutionContext& context) { targets = model.update(table.view(), options, context, levels).targets(); });
  return targets;
}

// What has moved, or None.
nb::object stream_state(const Model& model) {
  const LevelStream* state = model.stream_state();
  if (state == nullptr) return nb::none();
  nb::dict result;
  result["controller"] = state->settings().controller;
  result["window"] = state->settings().window;
  result["half_life"] = state->settings().half_life;
  result["delay"] = state->settings().delay;
  result["scorecast"] = state->settings().scorecast;
  result["rows"] = state->rows();
  result["targets"] = state->targets();
  result["levels"] = state->levels();
  result["asked"] = state->asked();
  result["refits"] = model.refits();
  return result;
}

}  // namespace

void bind_stream(nb::class_<Model>& model) {
  model.def("stream", &stream, nb::arg("table"), nb::arg("levels"), nb::arg("options"), nb::arg("threads") = 0)
      .def("update", &update, nb::arg("table"), nb::arg("levels"), nb::arg("options"), nb::arg("threads") = 0)
      .def_prop_ro("stream_state", &stream_state);
}

}  // namespace taut
