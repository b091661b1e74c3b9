// The training plan as data: every candidate for g and its stages, before anything is computed.
#pragma once

#include <taut/train/trainer.hpp>

#include <optional>
#include <string>
#include <vector>

namespace taut {

// The options of a user for the training of g.
struct LocalizationOptions {
  std::string localizer = "boost";
  std::string objective{};          // empty: the default for the transformation and the focus
  std::optional<double> focus{};    // the single confidence level to optimise
  std::vector<int> sides = {1, 2};  // validation rows choose among these
  TrainingSettings training{};
};

// One step of a candidate's training. It starts from the result of the previous step.
struct Stage {
  enum class Kind {
    train,            // a localizer for all parameters of φ
    train_moving,     // a localizer for only those parameters that move the whole curve
    choose_exponent,  // no training: s becomes s^e with the e that is best on validation rows
  };
  Kind kind = Kind::train;
  std::string objective{};  // the name of the objective; empty for choose_exponent

  bool operator==(const Stage&) const = default;
};

// Candidates with the same first stages share the training of these.
struct CandidatePlan {
  std::string name;  // ends in "^ e" if the last stage chooses the exponent e, whose value then replaces the letter
  int sides = 1;
  std::vector<Stage> stages{};
};

struct LocalizationPlan {
  std::string transform = "exp";
  std::string localizer = "boost";
  std::vector<CandidatePlan> candidates{};
  bool tries_mean = false;  // also compare the mean of the best candidate with one side and the best with two
  std::string validation_objective = "conditional";  // its validation loss compares all candidates if there is no focus
  std::optional<double> focus{};                     // if given, the mean width at this level compares them
  TrainingSettings training{};
};

// The objective that trains this transformation: the one in `options`, otherwise the default of the class. Competing classes that
// the named objective cannot train also get their default, except the `first`.
std::string objective_for(const LocalizationOptions& options, const std::string& transform, bool first = true);

// A plan for each of the competing classes, all with the same validation loss. Throws UsageError if the named objective cannot
// train the first class.
std::vector<LocalizationPlan> localization_plans(const LocalizationOptions& options, const std::vector<std::string>& transforms);
LocalizationPlan localization_plan(const LocalizationOptions& options, const std::string& transform);

}  // namespace taut
