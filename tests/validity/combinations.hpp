// Every combination of the listed parts. A class that is added to its list is added to these combinations.
#pragma once

#include <taut/localize/localizer.hpp>
#include <taut/options/options.hpp>
#include <taut/predict/predictor.hpp>
#include <taut/train/objective.hpp>
#include <taut/transform/transform.hpp>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

namespace taut::testing {

// How rows are used, and where f comes from.
struct SplitMode {
  std::string name;
  bool given = false;  // f is the column p
  std::string split{};
  bool elsewhere = false;  // calibration rows from another table
  bool ends = false;       // the columns lo and hi are given instead of p

  friend void PrintTo(const SplitMode& mode, std::ostream* out) { *out << mode.name; }
};

inline const std::vector<SplitMode>& split_modes() {
  static const std::vector<SplitMode> modes = {
      {"cross"},
      {"shares", false, "0.35,0.3,0.15,0.2"},
      {"given", true},
      {"given-shares", true, "0.6,0.15,0.25"},
      {"cross-elsewhere", false, "", true},
      {"given-elsewhere", true, "", true},
      {"given-ends", true, "", false, true},
  };
  return modes;
}

struct Combination {
  FitOptions options;
  SplitMode mode;
  bool refused = false;  // the objective is not valid for the transformation
  std::string name;
  bool positive = false;  // to be tested on positive targets
};

// Small and fast, but trained: with fewer rounds where a round is slow.
inline FitOptions tiny(const std::string& localizer, const std::string& transform) {
  FitOptions options;
  options.target = "y";
  options.localizer = localizer;
  options.transform = transform;
  options.hidden = {8};
  options.epochs = (localizer == "mlp" ? 12 : 6) / (transforms().make(trained_first(transform))->is_scale() ? 1 : 3);
  options.rate = localizer == "mlp" ? 0.02 : 0.5;
  options.depth = 2;
  options.min_weight = 1;
  options.effort = "quick";
  return options;
}

inline bool suits(const std::string& objective, const std::string& transform) {
  return objectives().make(objective)->fits(*transforms().make(trained_first(transform)));
}

inline void place(Combination& one, const std::string& predictor) {
  const auto& [name, given, split, elsewhere, ends] = one.mode;
  one.options.split = split;
  one.options.predictor = predictor;
  (given && !ends ? one.options.prediction : one.options.drop.emplace_back()) = "p";
  (ends ? one.options.lower_prediction : one.options.drop.emplace_back()) = "lo";
  (ends ? one.options.upper_prediction : one.options.drop.emplace_back()) = "hi";
  one.name += " " + name + " " + (ends ? "lo and hi" : given ? "p" : predictor);
}

// Each predictor of the list with an argument that it takes.
inline std::vector<std::string> all_predictors() {
  std::vector<std::string> all;
  for (const auto& predictor : predictors().entries()) all.push_back(predictor.example);
  return all;
}

struct Pair {
  std::string localizer, predictor;
};

// Every listed localizer and predictor at least once, or every pair of them. Where f is given, predictors have no effect.
inline std::vector<Pair> pairs_of_parts(const SplitMode& mode, bool every_pair) {
  const auto localizer_names = localizers().names();
  const auto predictor_names = all_predictors();
  std::vector<Pair> all;
  if (every_pair && !mode.given)
    for (const auto& localizer : localizer_names)
      for (const auto& predictor : predictor_names) all.push_back({localizer, predictor});
  else
    for (std::size_t i = 0; i < (mode.given ? localizer_names.size() : std::max(localizer_names.size(), predictor_names.size()));
         ++i)
      all.push_back({localizer_names[i % localizer_names.size()], predictor_names[i % predictor_names.size()]});
  return all;
}

// Choices that validation rows make: the class, the number of sides, the power of a scale. Scores on another scale are added.
inline std::vector<Combination> chosen_by_validation() {
  std::vector<Combination> all;
  std::size_t turn = 0;
  const auto predictor_names = all_predictors();
  for (const auto& localizer : localizers().entries())
    for (const auto& mode : split_modes())
      for (const std::string what : {"auto", "focus", "defaults", "root", "log", "scale"}) {
        Combination one{tiny(localizer.name, "exp"), mode, false, what + " " + localizer.name};
        if (what == "focus") one.options.focus = 0.9;
        one.positive = what == "root" || what == "log" || what == "scale";
        one.options.score_scale = !one.positive ? "as-is" : what == "scale" ? "auto" : what;
        if (what == "log" || what == "scale") one.options.transform = "curve";
        if (what == "auto") {
          one.options.transform = "auto";
          one.options.epochs = 2;
        }
        place(one, predictor_names[turn++ % predictor_names.size()]);
        const bool two_ends = mode.ends || (!mode.given && predictors().make(one.options.predictor)->outputs() == 2);
        one.refused = two_ends && (what == "root" || what == "log");
        all.push_back(std::move(one));
      }
  return all;
}

// Every transformation with every localizer, objective, split and number of sides. Predictors take turns, so that each is
// combined with every other part.
inline std::vector<Combination> all_combinations() {
  std::vector<Combination> all;
  std::size_t turn = 0;
  const auto predictor_names = all_predictors();
  for (const auto& transform : transforms().entries())
    for (const auto& localizer : localizers().entries())
      for (const auto& objective : objectives().entries()) {
        ++turn;
        for (const auto& mode : split_modes())
          for (const char* sides : {"one", "two"}) {
            Combination one{tiny(localizer.name, transform.example), mode, !suits(objective.example, transform.example),
                            transform.name + " " + localizer.name + " " + objective.name + " " + sides};
            one.options.objective = objective.example;
            one.options.sides = sides;
            place(one, predictor_names[turn++ % predictor_names.size()]);
            all.push_back(std::move(one));
          }
      }
  for (auto& one : chosen_by_validation()) all.push_back(std::move(one));
  return all;
}

}  // namespace taut::testing
