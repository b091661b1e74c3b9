// The half-widths of the paper's table, real sets: N. Colombo, On training locally adaptive CP, COPA 2023.
#include <experiments/data_sets.hpp>

#include <map>

namespace taut {

namespace {

using Sizes = std::array<double, 3>;  // at alpha .05, .1, .32

const std::map<std::string, std::map<std::string, Sizes>> table = {
    {"energy",
     {{"erc (error fit)", {0.860, 0.431, 0.103}},
      {"erc", {0.259, 0.184, 0.083}},
      {"linear", {0.172, 0.134, 0.078}},
      {"exp", {0.161, 0.131, 0.075}},
      {"sigma", {0.169, 0.135, 0.078}},
      {"fixed", {0.192, 0.143, 0.082}}}},
    {"concrete",
     {{"erc (error fit)", {0.736, 0.484, 0.270}},
      {"erc", {0.903, 0.637, 0.290}},
      {"linear", {0.569, 0.457, 0.267}},
      {"exp", {0.567, 0.450, 0.274}},
      {"sigma", {0.557, 0.453, 0.268}},
      {"fixed", {0.610, 0.472, 0.271}}}},
    {"homes",
     {{"erc (error fit)", {1.664, 0.864, 0.234}},
      {"erc", {0.526, 0.409, 0.195}},
      {"linear", {0.522, 0.425, 0.206}},
      {"exp", {0.521, 0.392, 0.197}},
      {"sigma", {0.533, 0.421, 0.203}},
      {"fixed", {0.721, 0.484, 0.192}}}},
    {"CASP",
     {{"erc (error fit)", {1.375, 1.073, 0.643}},
      {"erc", {1.412, 1.045, 0.637}},
      {"linear", {1.392, 1.018, 0.631}},
      {"exp", {1.363, 1.014, 0.635}},
      {"sigma", {1.321, 1.030, 0.629}},
      {"fixed", {1.492, 1.093, 0.659}}}},
    {"facebook_1",
     {{"erc (error fit)", {3.404, 1.473, 0.281}},
      {"erc", {3.332, 1.389, 0.282}},
      {"linear", {3.091, 1.523, 0.289}},
      {"exp", {3.268, 1.534, 0.281}},
      {"sigma", {3.088, 1.376, 0.292}},
      {"fixed", {3.612, 1.519, 0.276}}}},
};

}  // namespace

std::optional<Sizes> published_sizes(const std::string& set, const std::string& method) {
  const auto rows = table.find(set);
  if (rows == table.end()) return std::nullopt;
  const auto found = rows->second.find(method);
  if (found == rows->second.end()) return std::nullopt;
  return found->second;
}

}  // namespace taut
