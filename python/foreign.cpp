// Models of other libraries, read from their bytes or from arrays of a Python object.
#include <python/arrays.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/foreign/foreign_forest.hpp>
#include <taut/foreign/read.hpp>

#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

namespace taut {

namespace {

std::unique_ptr<ForeignModel> read_bytes(const nb::bytes& bytes, const std::string& source) {
  return std::make_unique<ForeignModel>(read_foreign({bytes.c_str(), bytes.size()}, source));
}

// Adds all trees; their nodes are concatenated, and the indices of children are relative to their tree.
void add_trees(ForeignModel& model, const PackedArray<std::int64_t>& sizes, const PackedArray<std::int32_t>& left,
               const PackedArray<std::int32_t>& right, const PackedArray<std::int32_t>& feature,
               const PackedArray<std::int32_t>& set, const PackedArray<std::uint8_t>& missing_left,
               const PackedArray<double>& value) {
  const std::size_t nodes = value.size();
  if (left.size() != nodes || right.size() != nodes || feature.size() != nodes || set.size() != nodes ||
      missing_left.size() != nodes)
    throw Error("the arrays of the trees differ in length");
  std::size_t at = 0;
  for (std::size_t t = 0; t < sizes.size(); ++t) {
    const std::int64_t size = sizes.data()[t];
    if (size < 1 || static_cast<std::uint64_t>(size) > nodes - at) throw Error("a tree is longer than its arrays");
    ForeignTree tree;
    for (std::int64_t i = 0; i < size; ++i, ++at)
      tree.push_back({.left = left.data()[at],
                      .right = right.data()[at],
                      .feature = feature.data()[at],
                      .set = set.data()[at],
                      .missing = missing_left.data()[at] != 0 ? ForeignMissing::left : ForeignMissing::right,
                      .value = value.data()[at]});
    model.trees.push_back(std::move(tree));
  }
}

std::unique_ptr<ForeignModel> from_arrays(const std::string& version, const std::string& objective, const std::string& source,
                                          const std::vector<std::vector<std::string>>& texts,
                                          const std::vector<std::vector<double>>& numbers, const PackedArray<std::int64_t>& sizes,
                                          const PackedArray<std::int32_t>& left, const PackedArray<std::int32_t>& right,
                                          const PackedArray<std::int32_t>& feature, const PackedArray<std::int32_t>& set,
                                          const PackedArray<std::uint8_t>& missing_left, const PackedArray<double>& value,
                                          const std::vector<std::vector<std::uint32_t>>& sets, bool float_inputs, double start,
                                          double divisor, bool is_exponential) {
  auto model = std::make_unique<ForeignModel>();
  model->library = "scikit-learn";
  model->version = version;
  model->objective = objective;
  model->source = source;
  if (texts.size() != numbers.size())
    throw Error(format_text("expected categories for each of {} columns, got {}", texts.size(), numbers.size()));
  for (std::size_t f = 0; f < texts.size(); ++f) model->features.push_back({.texts = texts[f], .numbers = numbers[f]});
  model->sets = sets;
  model->float_inputs = float_inputs;
  model->start = start;
  model->divisor = divisor;
  model->link = is_exponential ? ForeignLink::exp : ForeignLink::identity;
  add_trees(*model, sizes, left, right, feature, set, missing_left, value);
  model->settle();
  return model;
}

// Predictions of the trees for rows of numbers; for tests and comparisons.
std::vector<double> predict(const ForeignModel& model, const PackedArray<double, 2>& x, int threads) {
  if (std::ssize(model.features) != static_cast<Index>(x.shape(1)))
    throw Error(format_text("the model has {} columns, got {}", model.features.size(), x.shape(1)));
  const ForeignForest forest(model);
  std::vector<double> result(x.shape(0));
  const std::size_t columns = x.shape(1);
  const nb::gil_scoped_release no_lock;
  forest.predict(
      std::ssize(result),
      [&](Index first, Index count, double* cells) {
        for (std::size_t f = 0; f < columns; ++f, cells += ForeignCodes::width)
          for (Index i = 0; i < count; ++i) cells[i] = x.data()[static_cast<std::size_t>(first + i) * columns + f];
      },
      result, threads);
  return result;
}

void set_names(ForeignModel& model, const std::vector<std::string>& names) {
  if (names.size() != model.features.size())
    throw Error(format_text("the model has {} columns, X has {}", model.features.size(), names.size()));
  for (std::size_t f = 0; f < names.size(); ++f) model.features[f].name = names[f];
  model.has_names = true;
}

// Predictions for the rows of a fit, each by models that were not trained on the row.
void set_out_of_fold(ForeignModel& model, const PackedArray<double>& predictions) {
  model.out_of_fold.assign(predictions.data(), predictions.data() + predictions.size());
}

std::vector<std::string> names(const ForeignModel& model) {
  std::vector<std::string> result;
  if (model.has_names)
    for (const ForeignFeature& feature : model.features) result.push_back(feature.name);
  return result;
}

}  // namespace

void bind_foreign(nb::module_& module) {
  nb::class_<ForeignModel>(module, "ForeignModel", "The trees of a model of another library.")
      .def_static("read", &read_bytes, nb::arg("bytes"), nb::arg("source"))
      .def_static("from_arrays", &from_arrays, nb::arg("version"), nb::arg("objective"), nb::arg("source"), nb::arg("texts"),
                  nb::arg("numbers"), nb::arg("sizes"), nb::arg("left"), nb::arg("right"), nb::arg("feature"), nb::arg("set"),
                  nb::arg("missing_left"), nb::arg("value"), nb::arg("sets"), nb::arg("float_inputs"), nb::arg("start"),
                  nb::arg("divisor"), nb::arg("is_exponential"))
      .def("predict", &predict, nb::arg("x"), nb::arg("threads") = 0)
      .def("set_names", &set_names, nb::arg("names"))
      .def("add", &ForeignModel::add, nb::arg("other"), "Adds a model of the same columns: f becomes the mean of all.")
      .def("set_out_of_fold", &set_out_of_fold, nb::arg("predictions"))
      .def_prop_ro("nodes", &ForeignModel::nodes)
      .def_prop_ro("names", &names)
      .def_prop_ro("columns", [](const ForeignModel& model) { return model.features.size(); })
      .def_prop_ro("notes", [](const ForeignModel& model) { return model.notes; })
      .def_prop_ro("words", &ForeignModel::describe);
}

}  // namespace taut
