// Trains the members of a localization, each on its own part of the rows.
#pragma once

#include <taut/train/candidate.hpp>
#include <taut/train/plan.hpp>
#include <taut/train/training_part.hpp>
#include <taut/train/validation.hpp>

namespace taut {

class MemberTraining {
 public:
  MemberTraining(const Transform& transform, const InputPool& x, const Residuals& residuals,
                 const std::vector<TrainingPart>& parts, const LocalizationPlan& plan);

  // From now on members learn from so many rows at most.
  void limit_rows(Index most) { most_rows_ = most; }
  // What the first of them has to learn from, up to a gap.
  Index rows_to_learn_from() const { return parts_.front().rows - parts_.front().validation_rows(); }

  // As many members as there are parts, none of them trained.
  Candidate untrained(int sides) const;

  // Adds a localizer to the members of the parts `first` ... `end` − 1. Those of a later stage add to the result of
  // the earlier ones.
  void add_stage(Candidate& candidate, const Stage& stage, std::size_t first, std::size_t end,
                 const ExecutionContext& context) const;

  // About what the training of one takes besides what all share: gradients, outputs and lists of rows.
  std::size_t bytes_of_one() const;

  // A common factor of the scales means nothing: each member is shifted to a mean log-scale of 0 over some rows, the same for
  // all.
  void centre(Localization& localization, std::size_t member, int threads) const;

  // g on the validation rows of the first `parts` parts, in their order.
  Matrix held_out(const Localization& localization, std::size_t parts, int threads) const;

  // By how much the loss of the mean of all members is expected to be below that of one: validation rows have only one that has
  // not seen them, but the mean will be used. 0 where the parts that compare candidates have trained only one.
  double averaging_gain(const Localization& localization, const Validation& validation, int threads) const;

 private:
  const Transform& transform_;
  const InputPool& x_;
  const Residuals& residuals_;
  const std::vector<TrainingPart>& parts_;
  const LocalizationPlan& plan_;
  Index most_rows_;
  MatrixF centring_rows_;
  std::vector<double> centring_half_widths_;
};

}  // namespace taut
