// Trains g on every part of the rows, by every candidate that the user allows, and lets validation rows choose.
#pragma once

#include <taut/train/localization.hpp>
#include <taut/train/trainer.hpp>

#include <optional>

namespace taut {

// Of so many rows, those from `begin` to `end` stop and judge a member, and all others train it. Cross-fitting has one part per
// fold; the validation rows of different parts never overlap. Rows are listed when asked for: lists of all parts would be longer
// than the table has numbers in three columns.
struct TrainingPart {
  Index rows = 0;
  Index begin = 0, end = 0;

  Index validation_rows() const { return end - begin; }
  Rows validation() const;
  Rows train() const;
};

struct LocalizationPlan {
  std::string localizer = "boost";
  std::string objective = "conditional";
  std::string warm_up;                 // an objective that trains a first stage, for those that need a good start
  std::string judge;                   // the objective whose figure judges all candidates; empty: the same
  std::optional<double> focus;         // the one level that matters
  std::vector<int> sides = {1};        // candidates
  std::vector<std::string> two_sided;  // further objectives for two sides, taken where they are clearly better
  TrainingSettings training;
};

// One candidate as validation rows saw it: its figure is the mean width at the focus level, else that of the objective.
struct CandidateRecord {
  std::string name;
  int sides = 1;
  double figure = 0;
  bool kept = false;
  std::string transform{};
  double standard_error = 0;  // of the difference from the best simpler class, where classes compete
};

struct FittedLocalization {
  Localization localization;                // without members where nothing beat `fixed`
  std::vector<CandidateRecord> candidates;  // the first is `fixed`
  std::vector<TrainingRecord> records;      // of the kept candidate's last stage, one per member
  bool fell_back = false;
  double figure = 0;                    // of the kept candidate
  std::vector<double> figure_of_parts;  // the same in equal parts of the validation rows, to tell how sure it is
};

FittedLocalization fit_localization(const Transform& transform, const InputPool& x, const Residuals& residuals,
                                    const std::vector<TrainingPart>& parts, const LocalizationPlan& plan,
                                    const ExecutionContext& context);

}  // namespace taut
