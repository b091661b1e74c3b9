// How good g is on rows that trained none of it (losses, widths and interval scores), and which candidate is kept.
#pragma once

#include <taut/data/split.hpp>
#include <taut/train/objective.hpp>
#include <taut/train/plan.hpp>

#include <functional>
#include <memory>
#include <span>
#include <string>

namespace taut {

// Widths and interval scores on validation rows, as a user would see them.

// The smallest of `values` that at least this share of them does not exceed.
double sample_quantile(std::vector<double> values, double confidence);

// The mean full width and the mean interval score at one confidence level, calibrated on the same rows. Used only to choose
// between candidates, on rows that never calibrate the final model.
struct IntervalQuality {
  double width = 0;
  double interval_score = 0;
};

IntervalQuality interval_quality(const ObjectiveRows& rows, double confidence);

// Replaces each number by its sum over all processes that train together.
using SumOverProcesses = std::function<void(std::span<double>)>;

// Mean over the levels .68, .9 and .95 of the log interval score: one number for "good at all levels". With `sum_all` it is the
// same number on every process, that of the rows of all of them: their quantiles are read off a histogram of the conformity
// scores of a scale family, log r − log s, in bins of half a per cent, which is fine enough for choosing.
double mean_log_interval_score(const ObjectiveRows& rows, const SumOverProcesses& sum_all = {});

// How good g is on rows that trained none of it: the validation loss, by which candidates are compared.

class Validation {
 public:
  Validation(const Transform& transform, const Residuals& residuals, const std::vector<TrainingPart>& parts,
             const LocalizationPlan& plan);

  // How many parts, from the first on, train and compare every candidate; the others train only the one that is kept.
  std::size_t parts() const { return parts_; }

  // `g` has one row for each validation row of these parts, in their order.
  double loss(const Matrix& g, int sides, int threads) const { return loss(transform_, residuals_, g, sides, threads); }

  // The same on other rows.
  double loss_on(const Residuals& residuals, const Matrix& g, int sides, int threads) const {
    return loss(transform_, residuals, g, sides, threads);
  }

  // The loss in each of up to twenty groups of the rows, for the standard error of a difference.
  std::vector<double> loss_of_groups(const Matrix& g, int sides, int threads) const {
    return loss_of_groups(transform_, g, sides, threads);
  }

  // The same for what nothing is trained for: one width everywhere or, where half-widths were predicted, one width added to them.
  double fixed_loss(int threads) const;
  std::vector<double> fixed_loss_of_groups(int threads) const;

 private:
  double loss(const Transform& transform, const Residuals& residuals, const Matrix& g, int sides, int threads) const;
  std::vector<double> loss_of_groups(const Transform& transform, const Matrix& g, int sides, int threads) const;
  Matrix fixed_params() const;

  const Transform& transform_;
  std::unique_ptr<const Transform> shift_;  // where half-widths were predicted: `fixed` is r − half-width then
  std::size_t parts_;
  Residuals residuals_;  // of their validation rows
  std::optional<double> focus_;
  std::unique_ptr<const Objective> objective_;
};

// One candidate and its validation loss, for the model file and the user.
struct CandidateRecord {
  std::string name;
  int sides = 1;
  double validation_loss = 0;  // the mean width at the focus level, else what the objective is compared by
  bool kept = false;
  std::string transform{};
  double standard_error = 0;  // of the difference from the best simpler class, where classes compete
};

// The position of the least loss. The first, that of `fixed`, is kept where none is smaller.
std::size_t choose(std::span<const double> losses);

struct ClassLoss {
  double validation_loss = 0;
  std::span<const double> of_groups{};  // the losses of groups of validation rows, the same groups for all classes
};
// Of the difference, paired over the groups; infinite where there are fewer than two.
double standard_error(const ClassLoss& richer, const ClassLoss& simpler);
// Whether the loss of `richer` is smaller by more than the standard error of the difference.
bool is_clearly_better(const ClassLoss& richer, const ClassLoss& simpler);

}  // namespace taut
