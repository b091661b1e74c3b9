#include <taut/foreign/foreign_model.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

// The message is built only for an error, because every node is checked.
void require_sound(bool holds, std::string_view where, std::string_view what = "") {
  if (!holds) throw Error(format_text("the trees are inconsistent: {}{}; the file is damaged", where, what));
}

void check_node(const ForeignNode& node, const ForeignModel& model, const std::string& where) {
  if (node.is_leaf()) {
    require_sound(std::isfinite(node.value), where, " has a leaf that is not a finite number");
    return;
  }
  if (node.feature < 0 || node.feature >= std::ssize(model.features))
    require_sound(false, where, format_text(" refers to column {} of {}", node.feature, model.features.size()));
  require_sound(node.set < std::ssize(model.sets), where, " refers to a set of categories that does not exist");
  require_sound(node.set >= 0 || !std::isnan(node.value), where, " has a threshold that is not a number");
  require_sound(node.missing <= ForeignMissing::zero_right, where, " does not say where missing cells go");
}

// The nodes in breadth-first order. A node that is reached twice, by a cycle or from two parents, makes the walk longer than the
// tree.
ForeignTree breadth_first(const ForeignTree& tree, const ForeignModel& model, const std::string& where) {
  require_sound(!tree.empty(), where, " has no nodes");
  ForeignTree result;
  std::vector<std::int32_t> order = {0};
  for (std::size_t i = 0; i < order.size(); ++i) {
    require_sound(order[i] >= 0 && static_cast<std::size_t>(order[i]) < tree.size(), where,
                  " refers to a node that it does not have");
    require_sound(order.size() <= tree.size(), where, " has a cycle");
    ForeignNode node = tree[static_cast<std::size_t>(order[i])];
    check_node(node, model, where);
    if (!node.is_leaf()) {
      const auto child = static_cast<std::int32_t>(order.size());
      order.insert(order.end(), {node.left, node.right});
      node.left = child;
      node.right = child + 1;
    } else {
      node = {.value = node.value};
    }
    result.push_back(node);
  }
  return result;
}

}  // namespace

Index ForeignModel::nodes() const {
  Index count = 0;
  for (const ForeignTree& tree : trees) count += std::ssize(tree);
  return count;
}

Index ForeignModel::n_trees() const {
  Index count = std::ssize(trees);
  for (const ForeignModel& other : others) count += other.n_trees();
  return count;
}

void ForeignModel::add(ForeignModel other) {
  const auto is_same = [](const ForeignFeature& one, const ForeignFeature& another) {
    return one.name == another.name && one.texts == another.texts;
  };
  if (!std::equal(features.begin(), features.end(), other.features.begin(), other.features.end(), is_same))
    throw Error("the models to average have different columns, or categories of columns");
  others.push_back(std::move(other));
}

std::string ForeignModel::describe() const {
  const std::string several = others.empty() ? "" : format_text("the mean of {} models of ", n_models());
  return format_text("{}{}{}, {}{}{}", several, library, version.empty() ? "" : " " + version, counted(n_trees(), "tree"),
                     objective.empty() ? "" : ", " + objective, source.empty() ? "" : ", from " + source);
}

void ForeignModel::settle() {
  require_sound(!trees.empty(), "there is no tree");
  require_sound(!features.empty(), "there is no column");
  std::size_t words = 0;
  for (const auto& set : sets) words += set.size();
  if (words > max_set_words) throw Error("the model's sets of categories are too large: more than 256 MB");
  for (const double number : {start, divisor, scale, bias})
    require_sound(std::isfinite(number), "a constant is not a finite number");
  require_sound(divisor > 0, "the divisor of the sum is not positive");
  for (const ForeignFeature& feature : features)
    for (std::size_t i = 0; i < feature.numbers.size(); ++i)
      require_sound(std::isfinite(feature.numbers[i]) && (i == 0 || feature.numbers[i - 1] < feature.numbers[i]),
                    "the categories of a column are not in order");
  for (std::size_t t = 0; t < trees.size(); ++t) trees[t] = breadth_first(trees[t], *this, "tree " + std::to_string(t));
}

// In breadth-first order the k-th inner node of a tree has its children at 2k + 1 and 2k + 2; the file therefore stores no links.
void ForeignModel::save(Archive archive) const {
  archive.put("library", library);
  archive.put("version", version);
  archive.put("objective", objective);
  archive.put("source", source);
  archive.put("notes", notes);
  archive.put("has_names", static_cast<std::int64_t>(has_names));
  Archive::Texts names;
  std::vector<std::int32_t> sizes, columns, set_of, set_sizes, set_words;
  std::vector<std::uint8_t> missing_cells;
  std::vector<double> values;
  for (std::size_t f = 0; f < features.size(); ++f) {
    names.push_back(features[f].name);
    if (!features[f].texts.empty()) archive.put("texts" + std::to_string(f), features[f].texts);
    if (!features[f].numbers.empty()) archive.put("numbers" + std::to_string(f), features[f].numbers);
  }
  for (const ForeignTree& tree : trees) {
    sizes.push_back(static_cast<std::int32_t>(tree.size()));
    for (const ForeignNode& node : tree) {
      columns.push_back(node.feature);
      set_of.push_back(node.set);
      missing_cells.push_back(static_cast<std::uint8_t>(node.missing));
      values.push_back(node.value);
    }
  }
  for (const auto& set : sets) {
    set_sizes.push_back(static_cast<std::int32_t>(set.size()));
    for (const std::uint32_t word : set) set_words.push_back(static_cast<std::int32_t>(word));
  }
  archive.put("names", names);
  archive.put("sizes", std::move(sizes));
  archive.put("columns", std::move(columns));
  archive.put("missing", std::move(missing_cells));
  archive.put("values", std::move(values));
  if (!sets.empty()) {
    archive.put("sets", std::move(set_of));
    archive.put("set_sizes", std::move(set_sizes));
    archive.put("set_words", std::move(set_words));
  }
  archive.put("ways", std::vector<std::uint8_t>{strict, float_inputs, float_sums, tiny_is_zero, static_cast<std::uint8_t>(link)});
  archive.put("constants", std::vector<double>{start, divisor, scale, bias});
}

namespace {

void load_sets(const Archive& archive, ForeignModel& model) {
  const auto& sizes = archive.get<std::vector<std::int32_t>>("set_sizes");
  const auto& words = archive.get<std::vector<std::int32_t>>("set_words");
  std::size_t at = 0;
  for (const std::int32_t size : sizes) {
    require_sound(size >= 0 && static_cast<std::size_t>(size) <= words.size() - at,
                  "a set of categories is longer than its words");
    std::vector<std::uint32_t> set;
    for (std::int32_t i = 0; i < size; ++i) set.push_back(static_cast<std::uint32_t>(words[at++]));
    model.sets.push_back(std::move(set));
  }
}

void load_trees(const Archive& archive, ForeignModel& model) {
  const auto& sizes = archive.get<std::vector<std::int32_t>>("sizes");
  const auto& columns = archive.get<std::vector<std::int32_t>>("columns");
  const auto& missing_cells = archive.get<std::vector<std::uint8_t>>("missing");
  const auto& values = archive.get<std::vector<double>>("values");
  const std::vector<std::int32_t> none;
  const auto& set_of = archive.has("sets") ? archive.get<std::vector<std::int32_t>>("sets") : none;
  require_sound(columns.size() == values.size() && missing_cells.size() == values.size() &&
                    (set_of.empty() || set_of.size() == values.size()),
                "their arrays differ in length");
  std::size_t at = 0;
  for (const std::int32_t size : sizes) {
    require_sound(size > 0 && static_cast<std::size_t>(size) <= values.size() - at, "a tree is longer than its arrays");
    ForeignTree tree;
    std::int32_t child = 1;
    for (std::int32_t i = 0; i < size; ++i, ++at) {
      ForeignNode node{.feature = columns[at], .missing = static_cast<ForeignMissing>(missing_cells[at]), .value = values[at]};
      if (!set_of.empty()) node.set = set_of[at];
      if (node.feature != -1) {
        node.left = child++;
        node.right = child++;
      }
      tree.push_back(node);
    }
    model.trees.push_back(std::move(tree));
  }
  require_sound(at == values.size(), "nodes are left over");
}

}  // namespace

ForeignModel ForeignModel::load(const Archive& archive) {
  ForeignModel model;
  model.library = archive.text("library");
  model.version = archive.text("version");
  model.objective = archive.text("objective");
  model.source = archive.text("source");
  model.notes = archive.texts("notes");
  model.has_names = archive.integer_in("has_names", 0, 1) == 1;
  for (const auto& name : archive.texts("names")) {
    const std::string number = std::to_string(model.features.size());
    ForeignFeature feature{.name = name};
    if (archive.has("texts" + number)) feature.texts = archive.texts("texts" + number);
    if (archive.has("numbers" + number)) feature.numbers = archive.get<std::vector<double>>("numbers" + number);
    model.features.push_back(std::move(feature));
  }
  const auto& ways = archive.get<std::vector<std::uint8_t>>("ways");
  const auto& constants = archive.get<std::vector<double>>("constants");
  require_sound(ways.size() == 5 && constants.size() == 4 && ways[4] <= static_cast<std::uint8_t>(ForeignLink::signed_square),
                "the settings of the sum are missing or unknown");
  model.strict = ways[0] != 0;
  model.float_inputs = ways[1] != 0;
  model.float_sums = ways[2] != 0;
  model.tiny_is_zero = ways[3] != 0;
  model.link = static_cast<ForeignLink>(ways[4]);
  model.start = constants[0];
  model.divisor = constants[1];
  model.scale = constants[2];
  model.bias = constants[3];
  if (archive.has("sets")) load_sets(archive, model);
  load_trees(archive, model);
  model.settle();
  return model;
}

}  // namespace taut
