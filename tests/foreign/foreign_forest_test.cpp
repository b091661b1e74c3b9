// The evaluator against a walk that compares doubles node by node, over random models of every kind.
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/foreign/foreign_forest.hpp>

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>

namespace taut {
namespace {

bool goes_left(const ForeignModel& model, const ForeignNode& node, double cell) {
  if (model.float_inputs) cell = static_cast<double>(static_cast<float>(cell));
  if (model.tiny_is_zero && std::abs(cell) <= foreign_tiny) cell = 0;
  if (node.set >= 0) {
    if (std::isnan(cell)) return node.missing == ForeignMissing::left;
    const auto& words = model.sets[static_cast<std::size_t>(node.set)];
    if ((model.strict ? cell < 0 : cell <= -1) || cell >= static_cast<double>(32 * words.size())) return false;
    const auto category = static_cast<std::size_t>(cell);
    return ((words[category / 32] >> (category % 32)) & 1U) != 0;
  }
  const bool is_zero = std::abs(cell) <= foreign_tiny;
  switch (node.missing) {
    case ForeignMissing::left:
      if (std::isnan(cell)) return true;
      break;
    case ForeignMissing::right:
      if (std::isnan(cell)) return false;
      break;
    case ForeignMissing::as_zero:
      if (std::isnan(cell)) cell = 0;
      break;
    case ForeignMissing::zero_left:
      if (std::isnan(cell) || is_zero) return true;
      break;
    case ForeignMissing::zero_right:
      if (std::isnan(cell) || is_zero) return false;
      break;
  }
  return model.strict ? cell < node.value : cell <= node.value;
}

double walked(const ForeignModel& model, const std::vector<double>& cells) {
  double sum = model.start;
  auto narrow = static_cast<float>(model.start);
  for (const ForeignTree& tree : model.trees) {
    const ForeignNode* node = tree.data();
    while (!node->is_leaf())
      node = &tree[static_cast<std::size_t>(
          goes_left(model, *node, cells[static_cast<std::size_t>(node->feature)]) ? node->left : node->right)];
    sum += node->value;
    narrow += static_cast<float>(node->value);
  }
  if (model.float_sums) return static_cast<double>(narrow);
  return sum / model.divisor * model.scale + model.bias;
}

double some_cell(Random& random) {
  constexpr std::array odd = {0.0, 1e-36, missing, -0.0, 1.0, 1e300};
  const Index which = random.below(12);
  return which < 6 ? odd[static_cast<std::size_t>(which)] : std::round(4 * random.normal()) / 2;
}

struct Kind {
  bool symmetric, sets, many_thresholds;
};

ForeignModel random_model(Random& random, const Kind& kind) {
  ForeignModel model;
  const Index features = 1 + random.below(5);
  model.features.resize(static_cast<std::size_t>(features));
  model.strict = random.below(2) == 0;
  model.float_inputs = random.below(2) == 0;
  model.float_sums = !kind.symmetric && random.below(2) == 0;
  model.tiny_is_zero = random.below(2) == 0;
  model.start = static_cast<double>(static_cast<float>(random.normal()));
  if (!model.float_sums) model.divisor = static_cast<double>(1 + random.below(5));
  if (!model.float_sums) model.bias = random.normal();
  if (kind.sets)
    for (int i = 0; i < 4; ++i)
      model.sets.push_back({static_cast<std::uint32_t>(random.below(1 << 30)), static_cast<std::uint32_t>(random.below(99))});
  const auto leaf = [&] { return static_cast<double>(static_cast<float>(random.normal())); };
  const auto split = [&] {
    ForeignNode node{.feature = static_cast<std::int32_t>(random.below(features)),
                     .missing = static_cast<ForeignMissing>(random.below(5)),
                     .value = kind.many_thresholds ? random.normal() : std::round(2 * random.normal()) / 2};
    if (kind.sets && random.below(3) == 0) {
      node.set = static_cast<std::int32_t>(random.below(4));
      node.missing = static_cast<ForeignMissing>(random.below(2));
    }
    return node;
  };
  for (Index trees = 1 + random.below(kind.many_thresholds ? 300 : 20); trees > 0; --trees) {
    ForeignTree tree;
    const Index depth = random.below(kind.symmetric ? 9 : 12);
    if (kind.symmetric) {
      for (Index level = 0; level < depth; ++level) {
        const ForeignNode node = split();
        for (Index i = 0; i < Index{1} << level; ++i) tree.push_back(node);
      }
      for (std::size_t i = 0; i < tree.size(); ++i) {
        tree[i].left = static_cast<std::int32_t>(2 * i + 1);
        tree[i].right = tree[i].left + 1;
      }
      for (Index i = 0; i < Index{1} << depth; ++i) tree.push_back({.value = leaf()});
    } else {
      tree.push_back({.value = leaf()});
      for (Index grows = 0; grows < 3 * depth; ++grows) {
        const auto at = static_cast<std::size_t>(random.below(std::ssize(tree)));
        if (!tree[at].is_leaf()) continue;
        const auto child = static_cast<std::int32_t>(tree.size());
        tree.push_back({.value = leaf()});
        tree.push_back({.value = leaf()});
        tree[at] = split();
        tree[at].left = child;
        tree[at].right = child + 1;
      }
    }
    model.trees.push_back(std::move(tree));
  }
  model.settle();
  return model;
}

void expect_same_bits(double a, double b) {
  EXPECT_EQ(std::bit_cast<std::uint64_t>(a), std::bit_cast<std::uint64_t>(b)) << a << " and " << b;
}

TEST(ForeignForest, EqualsAWalkNodeByNode) {
  for (const Kind& kind : {Kind{false, false, false}, {true, false, false}, {false, true, false}, {false, false, true}})
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      Random random(seed);
      const ForeignModel model = random_model(random, kind);
      const ForeignForest forest(model);
      const Index rows = 1 + random.below(300);
      std::vector<std::vector<double>> cells(static_cast<std::size_t>(rows), std::vector<double>(model.features.size()));
      for (auto& row : cells)
        for (double& cell : row) cell = some_cell(random);
      std::vector<double> out(cells.size());
      const auto copy = [&](Index first, Index count, double* to) {
        for (std::size_t f = 0; f < model.features.size(); ++f, to += ForeignCodes::width)
          for (Index i = 0; i < count; ++i) to[i] = cells[static_cast<std::size_t>(first + i)][f];
      };
      forest.predict(rows, copy, out, 2);
      for (std::size_t row = 0; row < cells.size(); ++row) {
        expect_same_bits(out[row], walked(model, cells[row]));
        if (row < 5) expect_same_bits(forest.predict(cells[row].data()), out[row]);
      }
      Archive archive;
      model.save(archive.scope("m"));
      const ForeignForest back(ForeignModel::load(Archive::decode(archive.encode()).scope("m")));
      expect_same_bits(back.predict(cells[0].data()), out[0]);
      if (HasFailure()) return;
    }
}

TEST(ForeignForest, CategoriesByNumberAndByText) {
  ForeignModel model;
  model.features = {{.texts = {"u", "v", "w"}}, {.numbers = {-2, 5, 70}}};
  model.sets = {{0b010}};  // the second category
  const auto tree = [](std::int32_t feature) {
    return ForeignTree{
        {.left = 1, .right = 2, .feature = feature, .set = 0, .missing = ForeignMissing::right}, {.value = 1}, {.value = 0}};
  };
  model.trees = {tree(0), tree(1)};
  model.settle();
  const ForeignForest forest(model);
  const auto at = [&](double text, double number) { return forest.predict(std::array{text, number}.data()); };
  EXPECT_EQ(at(1, -2), 1);
  EXPECT_EQ(at(0, 5), 1);
  EXPECT_EQ(at(1, 5), 2);
  EXPECT_EQ(at(3, 6), 0);  // both categories are unknown
  EXPECT_EQ(at(missing, missing), 0);
}

TEST(ForeignModel, RefusesWhatIsNoTree) {
  const auto refuses = [](ForeignTree tree, const std::string& words) {
    ForeignModel model;
    model.features.resize(2);
    model.trees = {std::move(tree)};
    try {
      model.settle();
      ADD_FAILURE() << words;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  };
  refuses({}, "no nodes");
  refuses({{.left = 0, .right = 1, .feature = 0}, {.value = 1}}, "cycle");
  refuses({{.left = 1, .right = 1, .feature = 0}, {.value = 1}}, "cycle");
  refuses({{.left = 1, .right = 9, .feature = 0}, {.value = 1}, {.value = 1}}, "does not have");
  refuses({{.left = 1, .right = 2, .feature = 2}, {.value = 1}, {.value = 1}}, "column 2 of 2");
  refuses({{.left = 1, .right = 2, .feature = 0, .set = 0}, {.value = 1}, {.value = 1}}, "set of categories");
  refuses({{.left = 1, .right = 2, .feature = 0, .value = missing}, {.value = 1}, {.value = 1}}, "not a number");
  refuses({{.value = infinity}}, "finite");
}

}  // namespace
}  // namespace taut
