// Reads LightGBM's text format. All numbers are doubles; x <= threshold goes left; there are three treatments of missing cells.
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/foreign/document.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace taut {

namespace {

// Lines key=value up to an empty line, as views into the file.
class LightgbmBlock {
 public:
  std::map<std::string_view, std::string_view> values;

  std::string_view at(std::string_view key) const {
    const auto found = values.find(key);
    if (found == values.end())
      throw Error(format_text("there is no '{}': the file is damaged or cut off, or of an unsupported version", key));
    return found->second;
  }
  bool has(std::string_view key) const { return values.contains(key); }

  std::vector<double> numbers(std::string_view key) const {
    std::vector<double> result;
    std::string_view rest = at(key);
    while (!(rest = trim(rest)).empty()) {
      const auto end = std::min(rest.find(' '), rest.size());
      const auto value = parse_number(rest.substr(0, end));
      if (!value) throw Error(format_text("'{}' holds something that is not a number: the file is damaged", key));
      result.push_back(*value);
      rest.remove_prefix(end);
    }
    return result;
  }

  std::vector<std::int32_t> integers(std::string_view key) const {
    std::vector<std::int32_t> result;
    for (const double value : numbers(key)) result.push_back(whole_number(value, key));
    return result;
  }
  std::int32_t integer(std::string_view key) const {
    const auto all = integers(key);
    if (all.size() != 1) throw Error(format_text("'{}' is not one number: the file is damaged", key));
    return all.front();
  }

  static std::int32_t whole_number(double value, std::string_view key) {
    if (!(std::abs(value) <= 2147483647.0) || value != std::floor(value))
      throw Error(format_text("'{}' holds something that is not a whole number: the file is damaged", key));
    return static_cast<std::int32_t>(value);
  }
};

class LightgbmLines {
 public:
  explicit LightgbmLines(std::string_view text) : rest_(text) {}

  bool done() const { return rest_.empty(); }
  std::string_view next() {
    const auto end = std::min(rest_.find('\n'), rest_.size());
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }
  // The next lines up to an empty one; empty lines before them are skipped. `last` gets the last line without '='.
  LightgbmBlock block(std::string_view* last) {
    LightgbmBlock result;
    while (!done()) {
      const std::string_view line = next();
      if (line.empty()) {
        if (result.values.empty()) continue;
        return result;
      }
      const auto equals = line.find('=');
      if (equals == std::string_view::npos) {
        *last = line;
        if (line == "tree" || line == "average_output" || line == "linear_tree") {
          result.values.emplace(line, "");
          continue;
        }
        return result;
      }
      result.values.emplace(line.substr(0, equals), line.substr(equals + 1));
    }
    return result;
  }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

ForeignLink link_of_lightgbm(const std::string& objective) {
  const auto words = split_text(objective, ' ');
  const std::string& name = words.front();
  if (name == "regression" || name == "regression_l2") {
    for (const auto& word : words)
      if (word == "sqrt") return ForeignLink::signed_square;
    return ForeignLink::identity;
  }
  for (const char* plain : {"", "custom", "none", "regression_l1", "huber", "fair", "quantile", "mape"})
    if (name == plain) return ForeignLink::identity;
  for (const char* logarithmic : {"poisson", "gamma", "tweedie"})
    if (name == logarithmic) return ForeignLink::exp;
  const bool ranks = name == "lambdarank" || name == "rank_xendcg";
  const bool classes = name == "binary" || name.starts_with("multiclass") || name.starts_with("cross_entropy");
  refuse_objective("LightGBM", objective,
                   ranks     ? "is ranking: its scores do not predict a target"
                   : classes ? "is classification: Taut predicts numbers"
                             : "is not supported: how it transforms the sum of the trees is unknown");
}

ForeignMissing missing_of(int decision) {
  const bool left = (decision & 2) != 0;
  switch ((decision >> 2) & 3) {
    case 1:
      return left ? ForeignMissing::zero_left : ForeignMissing::zero_right;
    case 2:
      return left ? ForeignMissing::left : ForeignMissing::right;
    default:
      return ForeignMissing::as_zero;
  }
}

struct LightgbmSets {
  std::vector<std::int32_t> boundaries;
  std::vector<double> bits;
};

std::int32_t read_set(const LightgbmSets& sets, double which, ForeignModel& model, std::size_t& words) {
  const auto& [boundaries, bits] = sets;
  const auto at = LightgbmBlock::whole_number(which, "threshold");
  const bool known = at >= 0 && at + 1 < std::ssize(boundaries);
  const auto place = static_cast<std::size_t>(known ? at : 0);
  if (!known || boundaries[place] < 0 || boundaries[place] > boundaries[place + 1] || boundaries[place + 1] > std::ssize(bits))
    throw Error("sets of categories are inconsistent: the file is damaged");
  std::vector<std::uint32_t> set;
  for (auto i = boundaries[place]; i < boundaries[place + 1]; ++i) {
    const double word = bits[static_cast<std::size_t>(i)];
    if (!(word >= 0 && word <= 4294967295.0)) throw Error("a set of categories is not a bit set: the file is damaged");
    set.push_back(static_cast<std::uint32_t>(word));
  }
  words += set.size();
  if (words > max_set_words) throw Error("the model's sets of categories are too large: more than 256 MB");
  model.sets.push_back(std::move(set));
  return static_cast<std::int32_t>(model.sets.size() - 1);
}

// Inner nodes are numbered from 0; a leaf is the complement of its number.
ForeignTree read_tree(const LightgbmBlock& block, ForeignModel& model, std::size_t& words) {
  if (block.has("is_linear") && block.integer("is_linear") != 0)
    throw Error(
        "trees with linear leaves (linear_tree=true) are not supported; train with linear_tree=false, or give a column of "
        "predictions (--prediction COL)");
  const auto leaves = block.numbers("leaf_value");
  if (block.integer("num_leaves") == 1) {
    if (leaves.size() != 1) throw Error(format_text("a tree of one leaf has {} values: the file is damaged", leaves.size()));
    return {{.value = leaves.front()}};
  }
  const auto features = block.integers("split_feature"), decisions = block.integers("decision_type");
  const auto left = block.integers("left_child"), right = block.integers("right_child");
  const auto thresholds = block.numbers("threshold");
  const std::size_t inner = features.size();
  if (decisions.size() != inner || left.size() != inner || right.size() != inner || thresholds.size() != inner ||
      leaves.size() != inner + 1 || block.integer("num_leaves") != std::ssize(leaves))
    throw Error("the arrays of a tree differ in length: the file is damaged");
  // A leaf number that does not exist gives a position that settle() refuses.
  const auto place = [&](std::int32_t child) { return child >= 0 ? child : static_cast<std::int32_t>(inner) + ~child; };
  const auto checked = [&](std::int32_t child) {
    if (child >= std::ssize(features)) throw Error("a tree refers to a node that it does not have: the file is damaged");
    return place(child);
  };
  ForeignTree tree;
  LightgbmSets sets;
  if (block.has("cat_boundaries")) sets = {block.integers("cat_boundaries"), block.numbers("cat_threshold")};
  for (std::size_t i = 0; i < inner; ++i) {
    ForeignNode node{.left = checked(left[i]), .right = checked(right[i]), .feature = features[i], .value = thresholds[i]};
    node.missing = missing_of(decisions[i]);
    if ((decisions[i] & 1) != 0) {
      node.set = read_set(sets, thresholds[i], model, words);
      node.missing = ForeignMissing::right;
    }
    if (node.left < 0 || node.right < 0) throw Error("a tree refers to a node that it does not have: the file is damaged");
    tree.push_back(node);
  }
  for (const double value : leaves) tree.push_back({.value = value});
  return tree;
}

// pandas_categorical:[["u", "v"], ...]: the categories of the categorical columns, in the order of the columns.
void read_pandas_categories(std::string_view rest, const LightgbmBlock& head, ForeignModel& model) {
  constexpr std::string_view key = "pandas_categorical:";
  const auto at = rest.find(key);
  if (at == std::string_view::npos) return;
  std::string_view text = rest.substr(at + key.size());
  text = trim(text.substr(0, text.find('\n')));
  if (text.empty() || text == "null") return;
  const Document document = Document::of_json(text);
  const auto infos = split_text(head.at("feature_infos"), ' ');
  std::vector<std::size_t> categorical;
  for (std::size_t f = 0; f < std::min(infos.size(), model.features.size()); ++f)
    if (infos[f] != "none" && !infos[f].starts_with('[')) categorical.push_back(f);
  if (!document.is_list()) return;
  const auto& columns = document.items("pandas_categorical");
  if (columns.size() != categorical.size()) {
    if (columns.empty()) return;
    throw Error(
        format_text("categories are listed for {} columns, but {} columns are categorical: they cannot be matched; give a column "
                    "of predictions (--prediction COL)",
                    columns.size(), categorical.size()));
  }
  for (std::size_t c = 0; c < columns.size(); ++c) {
    ForeignFeature& feature = model.features[categorical[c]];
    if (columns[c].is_list() && !columns[c].items("categories").empty() && columns[c].items("categories").front().is_text()) {
      for (const Document& category : columns[c].items("categories")) feature.texts.push_back(category.text("categories"));
      continue;
    }
    feature.numbers = columns[c].doubles("categories");
    if (!std::is_sorted(feature.numbers.begin(), feature.numbers.end()))
      throw Error(format_text("column '{}': categories that are numbers must be in ascending order", feature.name));
  }
}

void read_head(const LightgbmBlock& head, ForeignModel& model) {
  if (head.integer("num_class") != 1 || head.integer("num_tree_per_iteration") != 1)
    throw Error("it has several classes or outputs: Taut predicts one number");
  model.objective = head.has("objective") ? std::string(trim(head.at("objective"))) : "";
  model.link = link_of_lightgbm(model.objective);
  const auto names = split_text(trim(head.at("feature_names")), ' ');
  if (std::ssize(names) != head.integer("max_feature_idx") + Index{1})
    throw Error("the number of column names is wrong: the file is damaged");
  bool numbered = true;
  for (std::size_t f = 0; f < names.size(); ++f) {
    model.features.push_back({.name = names[f]});
    numbered = numbered && names[f] == "Column_" + std::to_string(f);
  }
  model.has_names = !numbered;
}

}  // namespace

ForeignModel read_lightgbm(std::string_view text) {
  LightgbmLines lines(text);
  std::string_view last;
  const LightgbmBlock head = lines.block(&last);
  ForeignModel model;
  model.library = "LightGBM";
  model.tiny_is_zero = true;
  if (head.has("linear_tree"))
    throw Error("trees with linear leaves (linear_tree=true) are not supported; train with linear_tree=false");
  read_head(head, model);
  std::size_t words = 0;
  while (true) {
    if (lines.done()) throw Error("the trees have no end: the file is cut off");
    last = {};
    const LightgbmBlock block = lines.block(&last);
    if (block.has("Tree")) model.trees.push_back(read_tree(block, model, words));
    if (last == "end of trees") break;
  }
  if (model.trees.empty()) throw Error("it has no trees");
  if (head.has("average_output")) model.divisor = static_cast<double>(model.trees.size());
  read_pandas_categories(lines.rest(), head, model);
  return model;
}

}  // namespace taut
