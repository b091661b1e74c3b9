// Trains the candidates of a plan, with one member for each part of the rows.
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
  Localization localization;            // until the candidate is chosen, only the members for validation are trained
  std::vector<TrainingRecord> records;  // of the last stage, one per member
  Matrix held_out;                      // g on the validation rows, each from the member that was not trained on it
  double validation_loss = infinity;
  double averaging_gain = 0;  // expected loss of a single member minus that of the mean of all members

  double expected_loss() const { return validation_loss - averaging_gain; }
};

// An objective restricted to the parameters that move the whole curve. The parameters of its shape get no gradient.
class MovingOnly final : public Objective {
 public:
  explicit MovingOnly(std::unique_ptr<const Objective> whole) : whole_(std::move(whole)) {}

  Index min_batch() const override { return whole_->min_batch(); }
  double min_gain() const override { return whole_->min_gain(); }
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

// Trains the members of a localization, one for each part.
class MemberTraining {
 public:
  MemberTraining(const Transform& transform, const InputPool& x, const Residuals& residuals,
                 const std::vector<TrainingPart>& parts, const LocalizationPlan& plan);

  // From now on each member is trained on at most `maximum` rows.
  void limit_rows(Index maximum) { max_rows_ = maximum; }
  // The number of training rows of the first member, ignoring gaps.
  Index rows_to_learn_from() const { return parts_.front().rows - parts_.front().validation_rows(); }

  // A candidate with an untrained member for each part.
  Candidate untrained(int sides) const;

  // Trains another localizer for the members of the parts `first` ... `end` − 1. Its output is added to that of earlier stages.
  void add_stage(Candidate& candidate, const Stage& stage, std::size_t first, std::size_t end,
                 const ExecutionContext& context) const;

  // The approximate memory of one training, without what all trainings share: gradients, outputs and lists of rows.
  std::size_t bytes_of_one() const;

  // Shifts a member to a mean log-scale of 0 over rows that are the same for all members. A common factor of the scales changes
  // no interval.
  void centre(Localization& localization, std::size_t member, int threads) const;

  // g on the validation rows of the first `parts` parts, in their order.
  Matrix held_out(const Localization& localization, std::size_t parts, int threads) const;

  // By how much the loss of the mean of all members is expected to be below that of a single member. A validation row has only
  // one member that was not trained on it, but the model uses the mean. 0 if fewer than two members are trained for the
  // comparison.
  double averaging_gain(const Localization& localization, const Validation& validation, int threads) const;

 private:
  const Transform& transform_;
  const InputPool& x_;
  const Residuals& residuals_;
  const std::vector<TrainingPart>& parts_;
  const LocalizationPlan& plan_;
  Index max_rows_;
  MatrixF centring_rows_;
  std::vector<double> centring_half_widths_, centring_weights_;
};

// For each candidate, the position of the earlier candidate that it continues: the one with the most stages among those whose
// stages are its first stages. If there is none, its own position.
std::vector<std::size_t> origins(const std::vector<CandidatePlan>& candidates);

// The maximum number of training rows of a member. With more than `many_rows` rows, a candidate is trained on `many_rows` rows
// and on a quarter of them. If the larger number hardly helped, `many_rows` rows are enough.
Index sufficient_rows(const MemberTraining& members, const Validation& validation, const LocalizationPlan& plan,
                      const ExecutionContext& context);

// Trains every candidate on the parts that compare them. Returns them in the order of the plan, with their validation losses.
// Candidates that share no stage are trained concurrently.
std::vector<Candidate> train_candidates(const MemberTraining& members, const Transform& transform, const Validation& validation,
                                        const LocalizationPlan& plan, const ExecutionContext& context);

// The mean of two candidates in log s.
Candidate mean_candidate(const MemberTraining& members, const Transform& transform, const Validation& validation,
                         const Candidate& one, const Candidate& other, int threads);

// Trains the members from `first` on, which were not needed to compare candidates, by the same stages.
void train_other_members(const MemberTraining& members, const std::vector<Stage>& stages, std::size_t first, Candidate& candidate,
                         const ExecutionContext& context);

}  // namespace taut
