// What will be trained, as data: every candidate for g, stage by stage, before anything is computed.
#pragma once

#include <taut/train/trainer.hpp>

#include <optional>
#include <string>
#include <vector>

namespace taut {

// What a user may decide about the training of g.
struct LocalizationOptions {
  std::string localizer = "boost";
  std::string objective{};          // empty: the one that suits transformation and focus
  std::optional<double> focus{};    // the one confidence level that matters
  std::vector<int> sides = {1, 2};  // validation rows choose among them
  TrainingSettings training{};
};

// One step of a candidate's training. It starts from the result of the step before it.
struct Stage {
  enum class Kind {
    train,            // a localizer for all parameters of φ
    train_moving,     // a localizer for the parameters that move the whole curve only
    choose_exponent,  // nothing is trained: s becomes s^e with the e that is best on validation rows
  };
  Kind kind = Kind::train;
  std::string objective{};  // its name in the list; empty for choose_exponent

  bool operator==(const Stage&) const = default;
};

// Candidates whose stages begin alike share the training of these.
struct CandidatePlan {
  std::string name;  // ends in "^ e" where the last stage chooses the exponent e, which then replaces the letter
  int sides = 1;
  std::vector<Stage> stages{};
};

struct LocalizationPlan {
  std::string transform = "exp";
  std::string localizer = "boost";
  std::vector<CandidatePlan> candidates{};
  bool tries_mean = false;  // whether the mean of the best candidate with one side and the best with two competes too
  std::string validation_objective = "conditional";  // whose validation loss compares all candidates, unless there is a focus
  std::optional<double> focus{};                     // then the mean width at this level does
  TrainingSettings training{};
};

// The objective that trains this transformation: the one named, else what suits the class. Where classes compete, one that the
// named objective cannot train is trained by what suits it, unless it is `first`.
std::string objective_for(const LocalizationOptions& options, const std::string& transform, bool first = true);

// A plan for each of the competing classes; all are compared by the same validation loss. Throws UsageError where the first class
// cannot be trained by the objective named.
std::vector<LocalizationPlan> localization_plans(const LocalizationOptions& options, const std::vector<std::string>& transforms);
LocalizationPlan localization_plan(const LocalizationOptions& options, const std::string& transform);

}  // namespace taut
