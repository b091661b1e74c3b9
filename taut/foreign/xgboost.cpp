// Reads XGBoost's gbtree and dart models from JSON or UBJSON. Thresholds, leaves and sums are floats; x < threshold goes left.
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/foreign/document.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

struct XgboostParts {
  const Document* trees = nullptr;  // the object with all trees
  std::vector<float> weights;       // dart: the weight of each tree
};

XgboostParts booster_of(const Document& learner) {
  const Document& booster = learner.at("gradient_booster");
  const std::string& name = booster.at("name").text("name");
  if (name == "gbtree") return {&booster.at("model"), {}};
  if (name == "dart") return {&booster.at("gbtree").at("model"), booster.at("weight_drop").floats("weight_drop")};
  throw Error(format_text("XGBoost's booster '{}' has no trees; supported are gbtree and dart{}", name,
                          name == "gblinear" ? "; 'taut fit --predictor elastic' fits a linear model" : ""));
}

ForeignLink link_of_xgboost(const std::string& objective) {
  for (const char* name : {"reg:squarederror", "reg:linear", "reg:squaredlogerror", "reg:pseudohubererror", "reg:absoluteerror",
                           "reg:quantileerror", "reg:expectileerror"})
    if (objective == name) return ForeignLink::identity;
  for (const char* name : {"reg:gamma", "reg:tweedie", "count:poisson"})
    if (objective == name) return ForeignLink::exp_float;
  if (objective == "reg:logistic") return ForeignLink::logistic_float;
  const auto is = [&](std::string_view prefix) { return objective.starts_with(prefix); };
  refuse_objective("XGBoost", objective,
                   is("binary:") || is("multi:") ? "is classification: Taut predicts numbers"
                   : is("rank:")                 ? "is ranking: its scores do not predict a target"
                   : is("survival:")             ? "is survival analysis: censored targets are not supported"
                                                 : "is not supported: how it transforms the sum of the trees is unknown");
}

// The start of the sum of the trees, from base_score, which is on the scale of the prediction. Newer versions write "[5E-1]".
float margin_of(const std::string& text, ForeignLink link) {
  std::string_view inner = trim(text);
  if (inner.starts_with('[') && inner.ends_with(']')) inner = trim(inner.substr(1, inner.size() - 2));
  const auto value = parse_number(inner);
  if (inner.find(',') != std::string_view::npos)
    throw Error("base_score has several values: models of several outputs are not supported");
  if (!value) throw Error(format_text("base_score is not a number: '{}'", text));
  const auto score = static_cast<float>(*value);
  float margin = score;
  if (link == ForeignLink::exp_float) margin = std::log(score);
  if (link == ForeignLink::logistic_float) margin = -std::log(1.0F / score - 1.0F);
  if (!std::isfinite(margin)) throw Error(format_text("base_score '{}' is outside the range of the objective", text));
  return margin;
}

// The number of trees that early stopping kept, which are the ones that XGBoost predicts with.
std::size_t trees_used(const Document& learner, const Document& trees, std::size_t all, ForeignModel& model) {
  const Document* attributes = learner.find("attributes");
  const Document* best = attributes != nullptr ? attributes->find("best_iteration") : nullptr;
  if (best == nullptr) return all;
  const std::int64_t rounds = best->integer("best_iteration") + 1;
  if (rounds <= 0) return all;
  std::size_t kept = all;
  if (const Document* starts = trees.find("iteration_indptr")) {
    const auto first = starts->integers("iteration_indptr");
    if (rounds < std::ssize(first))
      kept = static_cast<std::size_t>(std::max<std::int64_t>(0, first[static_cast<std::size_t>(rounds)]));
  } else {
    const std::int64_t parallel =
        std::max<std::int64_t>(1, trees.at("gbtree_model_param").at("num_parallel_tree").integer("num_parallel_tree"));
    if (rounds <= static_cast<std::int64_t>(all) / parallel) kept = static_cast<std::size_t>(rounds * parallel);
  }
  kept = std::min(kept, all);
  if (kept < all)
    model.notes.push_back(format_text("early stopping kept {} of {} trees", print_count(static_cast<long long>(kept)),
                                      print_count(static_cast<long long>(all))));
  return kept;
}

// Reads the model's table of categories, which numbers the categories of each column.
void read_categories(const Document& trees, ForeignModel& model) {
  const Document* categories = trees.find("cats");
  const Document* encodings = categories != nullptr ? categories->find("enc") : nullptr;
  if (encodings == nullptr || !encodings->is_list()) return;
  const auto& columns = encodings->items("enc");
  for (std::size_t f = 0; f < std::min(columns.size(), model.features.size()); ++f) {
    const Document* values = columns[f].find("values");
    if (values == nullptr) continue;
    const Document* offsets = columns[f].find("offsets");
    if (offsets == nullptr) {
      auto numbers = values->doubles("values");
      // The position of a category is found by a search in a sorted list.
      if (!std::is_sorted(numbers.begin(), numbers.end()))
        throw Error(format_text("column '{}': categories that are numbers must be in ascending order", model.features[f].name));
      model.features[f].numbers = std::move(numbers);
      continue;
    }
    const auto bytes = values->integers("values");
    const auto ends = offsets->integers("offsets");
    for (std::size_t c = 0; c + 1 < ends.size(); ++c) {
      if (ends[c] < 0 || ends[c] > ends[c + 1] || ends[c + 1] > std::ssize(bytes))
        throw Error("categories of a column overlap: the file is damaged");
      std::string text;
      for (auto i = ends[c]; i < ends[c + 1]; ++i) text += static_cast<char>(bytes[static_cast<std::size_t>(i)]);
      model.features[f].texts.push_back(std::move(text));
    }
  }
}

void read_columns(const Document& learner, std::size_t count, ForeignModel& model) {
  model.features.resize(count);
  const Document* names = learner.find("feature_names");
  if (names == nullptr || !names->is_list() || names->items("feature_names").empty()) return;
  const auto& items = names->items("feature_names");
  if (items.size() != count)
    throw Error(format_text("there are {} names for {} columns: the file is damaged", items.size(), count));
  for (std::size_t f = 0; f < count; ++f) model.features[f].name = items[f].text("feature_names");
  model.has_names = true;
}

class XgboostTree {
 public:
  explicit XgboostTree(const Document& tree)
      : left_(tree.at("left_children").integers("left_children")),
        right_(tree.at("right_children").integers("right_children")),
        features_(tree.at("split_indices").integers("split_indices")),
        default_left_(tree.at("default_left").integers("default_left")),
        values_(tree.at("split_conditions").floats("split_conditions")) {
    const std::size_t n = left_.size();
    if (right_.size() != n || features_.size() != n || default_left_.size() != n || values_.size() != n)
      throw Error("the arrays of a tree differ in length: the file is damaged");
    if (const Document* parameters = tree.find("tree_param"))
      if (const Document* outputs = parameters->find("size_leaf_vector");
          outputs != nullptr && outputs->integer("size_leaf_vector") > 1)
        throw Error("trees with several outputs (multi_strategy=multi_output_tree) are not supported");
    sets_.assign(n, -1);
  }

  // Reads the sets of categories. In XGBoost, categories of the set go right; nodes() swaps the children of such nodes.
  void read_sets(const Document& tree, ForeignModel& model, std::size_t& words) {
    const Document* nodes = tree.find("categories_nodes");
    if (nodes == nullptr) return;
    const auto which = nodes->integers("categories_nodes");
    if (which.empty()) return;
    const auto categories = tree.at("categories").integers("categories");
    const auto starts = tree.at("categories_segments").integers("categories_segments");
    const auto sizes = tree.at("categories_sizes").integers("categories_sizes");
    if (starts.size() != which.size() || sizes.size() != which.size())
      throw Error("sets of categories are inconsistent: the file is damaged");
    for (std::size_t i = 0; i < which.size(); ++i) {
      const bool good = which[i] >= 0 && which[i] < std::ssize(sets_) && starts[i] >= 0 && sizes[i] >= 0 &&
                        starts[i] <= std::ssize(categories) && sizes[i] <= std::ssize(categories) - starts[i];
      if (!good) throw Error("sets of categories are inconsistent: the file is damaged");
      const auto from = categories.begin() + starts[i];
      model.sets.push_back(set_of({from, from + sizes[i]}));
      words += model.sets.back().size();
      if (words > max_set_words) throw Error("the model's sets of categories are too large: more than 256 MB");
      sets_[static_cast<std::size_t>(which[i])] = static_cast<std::int32_t>(model.sets.size() - 1);
    }
  }

  // dart multiplies by its weight what a tree adds to the base score. XGBoost computes that as a difference of floats, whose
  // rounding is part of the prediction.
  static float weighted(float leaf, float base, float weight) {
    const volatile float sum = base + leaf;
    return (sum - base) * weight;
  }

  ForeignTree nodes(float base, const float* weight) const {
    ForeignTree result;
    for (std::size_t i = 0; i < left_.size(); ++i) {
      ForeignNode node;
      if (left_[i] == -1) {
        node.value = static_cast<double>(weight != nullptr ? weighted(values_[i], base, *weight) : values_[i]);
      } else {
        const bool swap = sets_[i] >= 0;
        node.left = place(swap ? right_[i] : left_[i]);
        node.right = place(swap ? left_[i] : right_[i]);
        node.feature = place(features_[i]);
        node.set = sets_[i];
        node.missing = (default_left_[i] != 0) != swap ? ForeignMissing::left : ForeignMissing::right;
        node.value = static_cast<double>(values_[i]);
      }
      result.push_back(node);
    }
    return result;
  }

 private:
  static std::int32_t place(std::int64_t value) {
    if (value < 0 || value > std::numeric_limits<std::int32_t>::max())
      throw Error("a tree has an invalid node or column number: the file is damaged");
    return static_cast<std::int32_t>(value);
  }

  std::vector<std::int64_t> left_, right_, features_, default_left_;
  std::vector<float> values_;
  std::vector<std::int32_t> sets_;
};

}  // namespace

ForeignModel read_xgboost(const Document& document) {
  const Document& learner = document.at("learner");
  const Document& parameters = learner.at("learner_model_param");
  const auto parts = booster_of(learner);

  ForeignModel model;
  model.library = "XGBoost";
  if (const Document* version = document.find("version")) {
    std::vector<std::string> numbers;
    for (const auto number : version->integers("version")) numbers.push_back(std::to_string(number));
    model.version = join(numbers, ".");
  }
  model.objective = learner.at("objective").at("name").text("objective");
  model.link = link_of_xgboost(model.objective);
  if (parameters.at("num_class").integer("num_class") > 1) throw Error("it has several classes: Taut predicts numbers");
  if (const Document* targets = parameters.find("num_target"); targets != nullptr && targets->integer("num_target") > 1)
    throw Error("it has several targets; fit one model for each");
  model.strict = model.float_inputs = model.float_sums = true;
  model.start = static_cast<double>(margin_of(parameters.at("base_score").text("base_score"), model.link));

  constexpr std::int64_t max_columns = 1'000'000;  // the limit of a table
  const std::int64_t columns = parameters.at("num_feature").integer("num_feature");
  if (columns < 1 || columns > max_columns) throw Error(format_text("it has {} columns: the file is damaged", columns));
  const auto& trees = parts.trees->at("trees").items("trees");
  if (trees.empty()) throw Error("it has no trees");
  if (!parts.weights.empty() && parts.weights.size() < trees.size())
    throw Error("there are fewer weights than trees: the file is damaged");
  read_columns(learner, static_cast<std::size_t>(columns), model);
  read_categories(*parts.trees, model);
  const std::size_t kept = trees_used(learner, *parts.trees, trees.size(), model);
  std::size_t words = 0;
  for (std::size_t t = 0; t < kept; ++t) {
    XgboostTree tree(trees[t]);
    tree.read_sets(trees[t], model, words);
    model.trees.push_back(tree.nodes(static_cast<float>(model.start), parts.weights.empty() ? nullptr : &parts.weights[t]));
  }
  return model;
}

}  // namespace taut
