// Bindings of streams: rows that come one after another.
#include <python/models.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/model/stream_options.hpp>
#include <taut/model/stream_report.hpp>
#include <taut/task/label/classifier.hpp>
#include <taut/task/several/joint_regressor.hpp>
#include <taut/task/several/several_stream.hpp>

#include <map>
#include <type_traits>

namespace taut {

namespace {

StreamOptions stream_options(const nb::dict& given) {
  StreamOptions options;
  std::map<std::string, nb::handle> left;
  for (const auto& [key, value] : given)
    if (!value.is_none()) left[nb::cast<std::string>(key)] = value;
  for_each_stream_option(options, [&left]<class T>(const OptionText& text, T& value) {
    const auto found = left.extract(python_name(text.name));
    if (found.empty()) return;
    if constexpr (std::is_same_v<T, bool>)
      value = nb::cast<bool>(found.mapped());
    else
      value = nb::cast<typename T::value_type>(found.mapped());
  });
  if (!left.empty()) throw UsageError(format_text("a stream has no option '{}'", left.begin()->first));
  options.applied_to({}).check();
  return options;
}

// Returns f(x) as (rows) and the intervals as (rows, 2, levels).
nb::tuple stream(Regressor& model, const PythonTable& table, const std::vector<double>& levels, const nb::dict& given,
                 int threads) {
  const StreamOptions options = stream_options(given);
  auto streamed = std::make_unique<Streamed>();
  work(threads, [&](const ExecutionContext& context) {
    *streamed = model.stream(table.view(), levels, options, context);
    model.end_stream();
  });
  return predictions_and_intervals(std::move(streamed), levels.size());
}

void begin_with(Regressor& model, const PythonTable& before, const nb::dict& given, int threads) {
  const StreamOptions options = stream_options(given);
  work(threads, [&](const ExecutionContext& context) { take_history(model, before.view(), options, context); });
}

// Returns the members of the sets as (rows, levels, labels).
nb::object stream_sets(Classifier& model, const PythonTable& table, const std::vector<double>& levels, const nb::dict& given,
                       int threads, bool allow_empty) {
  StreamOptions options = stream_options(given);
  options.allow_empty = allow_empty;
  std::vector<std::uint8_t> members;
  work(threads, [&](const ExecutionContext& context) {
    members = model.stream(table.view(), levels, options, context).sets.members;
    model.end_stream();
  });
  return as_array(std::move(members), {static_cast<std::size_t>(table.view().rows()), levels.size(), model.labels().size()});
}

// Returns predictions (rows, targets) and the boxes around the regions (rows, targets, 2, levels).
nb::tuple stream_regions(JointRegressor& model, const PythonTable& table, const std::vector<double>& levels,
                         const nb::dict& given, int threads) {
  const StreamOptions options = stream_options(given);
  std::unique_ptr<Streamed> streamed;
  work(threads, [&](const ExecutionContext& context) {
    streamed = model.Model::stream(table.view(), levels, options, context);
    model.end_stream();
  });
  auto regions = std::unique_ptr<StreamedRegions>(static_cast<StreamedRegions*>(streamed.release()));
  for (Interval& interval : regions->boxes)
    if (interval.empty()) interval = {missing, missing};
  const std::size_t rows = static_cast<std::size_t>(table.view().rows()), targets = model.target_names().size();
  const auto of_level = static_cast<std::int64_t>(2 * targets), of_row = of_level * static_cast<std::int64_t>(levels.size());
  double* const f = regions->predictions.data();
  auto* const ends = reinterpret_cast<double*>(regions->boxes.data());
  const nb::capsule owner = kept(std::move(regions));
  const Numbers predictions(f, {rows, targets}, owner);
  const Numbers boxes(ends, {rows, targets, 2, levels.size()}, owner, {of_row, 2, 1, of_level});
  return nb::make_tuple(predictions, boxes);
}

// Returns the number of targets that were learnt from.
Index update(Model& model, const PythonTable& table, const std::vector<double>& levels, const nb::dict& given, int threads) {
  const StreamOptions options = stream_options(given);
  Index targets = 0;
  work(threads,
       [&](const ExecutionContext& context) { targets = model.update(table.view(), options, context, levels)->targets(); });
  return targets;
}

// The state of the stream; None if nothing was streamed.
nb::object stream_state(const Model& model) {
  const LevelStream* state = model.stream_state();
  if (state == nullptr) return nb::none();
  Value facts = facts_of(*state);
  facts.set("refits", model.refits());
  return object_of(facts);
}

}  // namespace

void bind_stream(nb::class_<Model>& bound) {
  bound.def("update", &update, nb::arg("table"), nb::arg("levels"), nb::arg("options"), nb::arg("threads") = 0)
      .def_prop_ro("stream_state", &stream_state);
}

void bind_stream(nb::class_<Regressor, Model>& bound) {
  bound.def("stream", &stream, nb::arg("table"), nb::arg("levels"), nb::arg("options"), nb::arg("threads") = 0)
      .def("begin_with", &begin_with, nb::arg("table"), nb::arg("options"), nb::arg("threads") = 0);
}

void bind_stream(nb::class_<Classifier, Model>& bound) {
  bound.def("stream", &stream_sets, nb::arg("table"), nb::arg("levels"), nb::arg("options"), nb::arg("threads") = 0,
            nb::arg("allow_empty") = false);
}

void bind_stream(nb::class_<JointRegressor, Model>& bound) {
  bound.def("stream", &stream_regions, nb::arg("table"), nb::arg("levels"), nb::arg("options"), nb::arg("threads") = 0);
}

}  // namespace taut
