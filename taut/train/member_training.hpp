// Trains the candidates of a plan: each member on its own part of the rows.
#pragma once

#include <taut/data/split.hpp>
#include <taut/train/localization.hpp>
#include <taut/train/objective.hpp>
#include <taut/train/plan.hpp>
#include <taut/train/trainer.hpp>
#include <taut/train/validation.hpp>

#include <memory>

namespace taut {

// A candidate for g while it is trained and compared.

struct Candidate {
  std::string name;
  Localization localization;            // only the members that validation needs are trained until it is chosen
  std::vector<TrainingRecord> records;  // of the last stage, one per member
  Matrix held_out;                      // g on the validation rows, each from the member that did not train on it
  double validation_loss = infinity;
  double averaging_gain = 0;  // by how much the mean of all members is expected to be better

  double expected_loss() const { return validation_loss - averaging_gain; }
};

// An objective restricted to the parameters that move the whole curve: those that bend it get no gradient.

class MovingOnly final : public Objective {
 public:
  explicit MovingOnly(std::unique_ptr<const Objective> whole) : whole_(std::move(whole)) {}

  Index least_batch() const override { return whole_->least_batch(); }
  double least_gain() const override { return whole_->least_gain(); }
  double evaluate(const ObjectiveRows& rows, Matrix* gradient, Matrix* curvature) const override {
    const double loss = whole_->evaluate(rows, gradient, curvature);
    const Index params = rows.transform.n_params(), moving = rows.transform.n_moving_params();
    if (gradient != nullptr)
      for (int side = 0; side < rows.sides; ++side) {
        gradient->middleCols(side * params + moving, params - moving).setZero();
        curvature->middleCols(side * params + moving, params - moving).setZero();
      }
    return loss;
  }

 private:
  std::unique_ptr<const Objective> whole_;
};

// Trains the members of a localization, each on its own part of the rows.

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

// Carries out a plan: trains every candidate on the parts that compare them.

// For each candidate the position of the earlier one that it continues: the longest whose stages it begins with; its own position
// where there is none.
std::vector<std::size_t> origins(const std::vector<CandidatePlan>& candidates);

// How many rows a member shall learn from, at most. Where there are many, a candidate is trained on a part of them, and on a
// quarter of that: where the larger part has hardly helped, it is enough.
Index rows_that_suffice(const MemberTraining& members, const Validation& validation, const LocalizationPlan& plan,
                        const ExecutionContext& context);

// In the order of the plan, each with its validation loss. Candidates that share no stage are trained side by side.
std::vector<Candidate> train_candidates(const MemberTraining& members, const Transform& transform, const Validation& validation,
                                        const LocalizationPlan& plan, const ExecutionContext& context);

// The mean of two candidates in log s.
Candidate mean_candidate(const MemberTraining& members, const Transform& transform, const Validation& validation,
                         const Candidate& one, const Candidate& other, int threads);

// Trains the members, from `first` on, that were not needed to compare candidates, by the same stages.
void train_other_members(const MemberTraining& members, const std::vector<Stage>& stages, std::size_t first, Candidate& candidate,
                         const ExecutionContext& context);

}  // namespace taut
