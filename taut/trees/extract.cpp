#include <taut/trees/extract.hpp>

#include <taut/core/error.hpp>

#include <nlohmann/json.hpp>

namespace taut {

void add_trees(std::string_view bytes, Forest& forest) {
  using Json = nlohmann::json;
  try {
    const Json model = Json::from_ubjson(bytes.begin(), bytes.end());
    const Json& booster = model.at("learner").at("gradient_booster").at("model");
    const Json& owner = booster.at("tree_info");
    std::vector<TreeNode> nodes;
    std::size_t number = 0;
    for (const Json& tree : booster.at("trees")) {
      if (owner.at(number++).get<Index>() != forest.trees() % forest.groups())
        throw Error("XGBoost grew its trees in an order that is not understood");
      const Json &left = tree.at("left_children"), &right = tree.at("right_children"), &feature = tree.at("split_indices");
      const Json &missing_left = tree.at("default_left"), &value = tree.at("split_conditions");
      nodes.clear();
      for (std::size_t i = 0; i < left.size(); ++i)
        nodes.push_back({left.at(i).get<std::int32_t>(), right.at(i).get<std::int32_t>(), feature.at(i).get<std::int32_t>(),
                         missing_left.at(i).get<int>() != 0, value.at(i).get<float>()});
      forest.add_tree(nodes);
    }
  } catch (const Json::exception& problem) {
    throw Error(std::string("XGBoost's saved model is not understood: ") + problem.what());
  }
}

}  // namespace taut
