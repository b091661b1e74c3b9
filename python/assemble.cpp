// Models that were trained on a cluster: the functions that taut.engines needs.
#include <python/arrays.hpp>
#include <python/table.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/task/number/assemble.hpp>

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

namespace taut {

namespace {

// Trees from one array for each property of the nodes; the nodes of all trees are concatenated.
OutsideTrees trees_of(const nb::dict& given) {
  const auto of = [&](const char* name) { return given[name]; };
  const auto sizes = nb::cast<PackedArray<std::int32_t>>(of("sizes")), left = nb::cast<PackedArray<std::int32_t>>(of("left")),
             right = nb::cast<PackedArray<std::int32_t>>(of("right")),
             feature = nb::cast<PackedArray<std::int32_t>>(of("feature"));
  const auto missing_left = nb::cast<PackedArray<std::uint8_t>>(of("missing_left"));
  const auto value = nb::cast<PackedArray<float>>(of("value")), cover = nb::cast<PackedArray<float>>(of("cover"));
  OutsideTrees result{nb::cast<double>(of("initial")), {}};
  std::size_t node = 0;
  const std::size_t nodes = value.size();
  for (const std::size_t length : {left.size(), right.size(), feature.size(), missing_left.size(), cover.size()})
    if (length != nodes) throw Error("the arrays of a tree's nodes differ in length");
  for (std::size_t t = 0; t < sizes.size(); ++t) {
    if (sizes.data()[t] < 1 || static_cast<std::size_t>(sizes.data()[t]) > nodes - node)
      throw Error("a tree has more nodes than its arrays");
    auto& tree = result.trees.emplace_back();
    for (std::int32_t i = 0; i < sizes.data()[t]; ++i, ++node)
      tree.push_back({left.data()[node], right.data()[node], feature.data()[node], missing_left.data()[node] != 0,
                      value.data()[node], cover.data()[node]});
  }
  return result;
}

std::vector<OutsideTrees> all_trees_of(const nb::handle& given) {
  std::vector<OutsideTrees> result;
  for (const nb::handle one : given) result.push_back(trees_of(nb::cast<nb::dict>(one)));
  return result;
}

std::pair<std::unique_ptr<Regressor>, Words> begin_one(const PythonTable& table, const nb::dict& given, int threads) {
  const FitOptions options = options_from(given);
  std::unique_ptr<Regressor> model;
  Words messages = work(threads, [&](const ExecutionContext& context) {
    model = std::make_unique<Regressor>(begin_assembly(table.view(), options, context));
  });
  return {std::move(model), std::move(messages)};
}

std::unique_ptr<Regressor> assemble_one(const Regressor& begun, const nb::dict& predictor, const nb::object& scale,
                                        const std::string& source, Index rows, Index skipped_rows, Index validation_rows,
                                        int threads) {
  const OutsidePredictor f{nb::cast<double>(predictor["centre"]), nb::cast<double>(predictor["unit"]),
                           all_trees_of(predictor["members"])};
  OutsideScale s;
  if (!scale.is_none()) {
    s.unit = nb::cast<double>(scale["unit"]);
    s.prediction_offset = nb::cast<double>(scale["prediction_offset"]);
    s.exponent = nb::cast<double>(scale["exponent"]);
    const auto add = [](std::vector<OutsideScale::Member>& members, const nb::handle given) {
      for (const nb::handle member : given)
        members.push_back({all_trees_of(member["sides"]), nb::cast<double>(member["centre"])});
    };
    add(s.members, scale["members"]);
    add(s.other, scale["other"]);
  }
  return std::make_unique<Regressor>(assemble(begun, f, s, {source, rows, skipped_rows, validation_rows}, threads));
}

nb::object tree_inputs(const Regressor& model, const PythonTable& table, int threads) {
  MatrixF inputs;
  {
    const nb::gil_scoped_release no_lock;
    inputs = inputs_of_trees(model, table.view(), threads);
  }
  return matrix_as_array(std::move(inputs));
}

nb::object prediction_inputs(const PackedArray<double>& predictions, double offset, double unit) {
  std::vector<float> result;
  for (std::size_t i = 0; i < predictions.size(); ++i) result.push_back(prediction_input(predictions.data()[i], offset, unit));
  return as_array(std::move(result));
}

// Scores of the rows with a target, and 1 for each row with y >= f(x), else 0.
nb::tuple row_scores(const Regressor& model, const PythonTable& table, int threads) {
  std::vector<double> scores;
  std::vector<std::uint8_t> above;
  {
    const nb::gil_scoped_release no_lock;
    for (const SignedScore& t : scores_of_rows(model, table.view(), threads)) {
      scores.push_back(t.score);
      above.push_back(t.side == Side::above ? 1 : 0);
    }
  }
  return nb::make_tuple(as_array(std::move(scores)), as_array(std::move(above)));
}

std::unique_ptr<Regressor> count_distribution(const Regressor& model, const PackedArray<double>& scores,
                                              const PackedArray<double>& scores_of_t, const PackedArray<std::uint8_t>& above) {
  if (above.size() != scores_of_t.size())
    throw Error(format_text("a counted distribution needs a side for every signed score, got {} scores and {} sides",
                            scores_of_t.size(), above.size()));
  std::vector<SignedScore> by_t;
  for (std::size_t i = 0; i < above.size(); ++i)
    by_t.push_back({above.data()[i] != 0 ? Side::above : Side::below, scores_of_t.data()[i]});
  return std::make_unique<Regressor>(with_counted_distribution(model, {scores.data(), scores.data() + scores.size()}, by_t));
}

}  // namespace

void bind_assemble(nb::module_& module) {
  module.def("begin_assembly", &begin_one, nb::arg("table"), nb::arg("options"), nb::arg("threads") = 0);
  module.def("assemble", &assemble_one, nb::arg("begun"), nb::arg("predictor"), nb::arg("scale").none(), nb::arg("source"),
             nb::arg("rows"), nb::arg("skipped_rows"), nb::arg("validation_rows"), nb::arg("threads") = 0);
  module.def("tree_inputs", &tree_inputs, nb::arg("model"), nb::arg("table"), nb::arg("threads") = 0);
  module.def("prediction_inputs", &prediction_inputs, nb::arg("predictions"), nb::arg("offset"), nb::arg("unit"));
  module.def(
      "row_targets",
      [](const Regressor& model, const PythonTable& table) { return as_array(targets_or_missing(model, table.view())); },
      nb::arg("model"), nb::arg("table"));
  module.def("row_scores", &row_scores, nb::arg("model"), nb::arg("table"), nb::arg("threads") = 0);
  module.def("with_counted_distribution", &count_distribution, nb::arg("model"), nb::arg("scores"), nb::arg("scores_of_t"),
             nb::arg("above"));
}

}  // namespace taut
