// Reads CatBoost's JSON: symmetric trees and others. Cells and borders are floats, leaves and sums are doubles; x > border goes
// right.
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/foreign/document.hpp>

namespace taut {

namespace {

ForeignLink link_of_catboost(const std::string& loss) {
  for (const char* name : {"RMSE", "MAE", "Quantile", "GroupQuantile", "Expectile", "LogLinQuantile", "MAPE", "Huber", "Lq",
                           "LogCosh", "MSLE", "MedianAbsoluteError", "SMAPE", "R2"})
    if (loss == name) return loss == "LogLinQuantile" ? ForeignLink::exp : ForeignLink::identity;
  for (const char* name : {"Poisson", "Tweedie"})
    if (loss == name) return ForeignLink::exp;
  const bool classes =
      loss == "Logloss" || loss == "CrossEntropy" || loss.starts_with("MultiC") || loss == "MultiLogloss" || loss == "Focal";
  const bool outputs = loss.starts_with("MultiRMSE") || loss == "MultiQuantile" || loss == "RMSEWithUncertainty";
  refuse_objective("CatBoost", loss,
                   classes   ? "is classification: Taut predicts numbers"
                   : outputs ? "predicts several numbers for a row; fit one model for each"
                             : "is ranking, or is not supported: how it transforms the sum of the trees is unknown");
}

struct CatboostColumns {
  std::vector<std::int32_t> place;  // for each float feature, its position among all columns
  std::vector<ForeignMissing> missing;
};

[[noreturn]] void refuse_feature(const std::string& kind, const std::string& name) {
  throw Error(format_text(
      "column '{}' is a {} feature: CatBoost keeps hashes and statistics of it (CTRs), which are not supported; encode it as "
      "numbers before training, or give a column of predictions (--prediction COL)",
      name, kind));
}

CatboostColumns read_columns(const Document& info, ForeignModel& model) {
  for (const auto& [key, kind] :
       {std::pair{"categorical_features", "categorical"}, {"text_features", "text"}, {"embedding_features", "embedding"}})
    if (const Document* features = info.find(key); features != nullptr && features->is_list() && !features->items(key).empty()) {
      const Document* name = features->items(key).front().find("feature_id");
      refuse_feature(kind, name != nullptr && name->is_text() ? name->text("feature_id") : "");
    }
  const auto& features = info.at("float_features").items("float_features");
  CatboostColumns columns;
  bool numbered = true;
  model.features.resize(features.size());
  for (std::size_t f = 0; f < features.size(); ++f) {
    const std::int64_t place = features[f].at("flat_feature_index").integer("flat_feature_index");
    if (place < 0 || place >= std::ssize(features))
      throw Error("a column has an invalid position (flat_feature_index): the file is damaged");
    const std::string name = features[f].find("feature_id") != nullptr ? features[f].at("feature_id").text("feature_id") : "";
    model.features[static_cast<std::size_t>(place)].name = name;
    numbered = numbered && (name.empty() || name == std::to_string(place));
    columns.place.push_back(static_cast<std::int32_t>(place));
    const std::string treatment = features[f].find("nan_value_treatment") != nullptr
                                      ? features[f].at("nan_value_treatment").text("nan_value_treatment")
                                      : "AsIs";
    columns.missing.push_back(treatment == "AsTrue" ? ForeignMissing::right : ForeignMissing::left);
  }
  model.has_names = !numbered;
  return columns;
}

ForeignNode split_of(const Document& split, const CatboostColumns& columns) {
  const std::string& type = split.at("split_type").text("split_type");
  if (type != "FloatFeature")
    throw Error(format_text("a split of type {} needs CatBoost's statistics of categories; such models are not supported", type));
  const std::int64_t feature = split.at("float_feature_index").integer("float_feature_index");
  if (feature < 0 || feature >= std::ssize(columns.place))
    throw Error("a split refers to a column that does not exist: the file is damaged");
  const auto at = static_cast<std::size_t>(feature);
  return {.feature = columns.place[at],
          .missing = columns.missing[at],
          .value = static_cast<double>(static_cast<float>(split.at("border").number("border")))};
}

// The first split is the lowest bit of a leaf's number, so the last split is the root.
ForeignTree symmetric_tree(const Document& tree, const CatboostColumns& columns) {
  const auto leaves = tree.at("leaf_values").doubles("leaf_values");
  std::vector<ForeignNode> splits;
  if (const Document* listed = tree.find("splits"); listed != nullptr && listed->is_list())
    for (const Document& split : listed->items("splits")) splits.push_back(split_of(split, columns));
  constexpr std::size_t max_depth = 24;
  if (splits.size() > max_depth || leaves.size() != std::size_t{1} << splits.size())
    throw Error(format_text("a tree of {} splits has {} leaves: the file is damaged, or has several outputs", splits.size(),
                            leaves.size()));
  ForeignTree result;
  for (std::size_t level = 0; level < splits.size(); ++level)
    for (std::size_t i = 0; i < std::size_t{1} << level; ++i) {
      ForeignNode node = splits[splits.size() - 1 - level];
      node.left = static_cast<std::int32_t>(2 * result.size() + 1);
      node.right = node.left + 1;
      result.push_back(node);
    }
  for (const double value : leaves) result.push_back({.value = value});
  return result;
}

void add_node(const Document& given, const CatboostColumns& columns, ForeignTree& tree) {
  const std::size_t at = tree.size();
  if (const Document* value = given.find("value")) {
    tree.push_back({.value = value->number("value")});
    return;
  }
  tree.push_back(split_of(given.at("split"), columns));
  tree[at].left = static_cast<std::int32_t>(tree.size());
  add_node(given.at("left"), columns, tree);
  tree[at].right = static_cast<std::int32_t>(tree.size());
  add_node(given.at("right"), columns, tree);
}

std::string version_in(const Document& information) {
  const Document* text = information.find("catboost_version_info");
  if (text == nullptr || !text->is_text()) return "";
  const std::string& words = text->text("version");
  const auto at = words.find("release ");
  if (at == std::string::npos) return "";
  const auto end = words.find_first_not_of("0123456789.", at + 8);
  std::string version = words.substr(at + 8, end == std::string::npos ? end : end - at - 8);
  while (version.ends_with('.')) version.pop_back();
  return version;
}

}  // namespace

ForeignModel read_catboost(const Document& document) {
  const Document& information = document.at("model_info");
  ForeignModel model;
  model.library = "CatBoost";
  model.version = version_in(information);
  model.objective = information.at("params").at("loss_function").at("type").text("loss_function");
  model.link = link_of_catboost(model.objective);
  model.float_inputs = true;
  const CatboostColumns columns = read_columns(document.at("features_info"), model);
  if (const Document* trees = document.find("oblivious_trees"))
    for (const Document& tree : trees->items("oblivious_trees")) model.trees.push_back(symmetric_tree(tree, columns));
  else
    for (const Document& tree : document.at("trees").items("trees")) add_node(tree, columns, model.trees.emplace_back());
  if (const Document* constants = document.find("scale_and_bias")) {
    const auto& both = constants->items("scale_and_bias");
    if (both.size() != 2) throw Error("scale_and_bias is not two values: the file is damaged");
    model.scale = both[0].number("scale");
    const auto biases = both[1].doubles("bias");
    if (biases.size() > 1) throw Error("it predicts several numbers for a row; fit one model for each");
    model.bias = biases.empty() ? 0 : biases.front();
  }
  return model;
}

}  // namespace taut
