// Losses, widths and interval scores of g on validation rows, and the choice of a candidate.
#pragma once

#include <taut/data/split.hpp>
#include <taut/train/objective.hpp>
#include <taut/train/plan.hpp>

#include <functional>
#include <memory>
#include <span>
#include <string>

namespace taut {

// The smallest of `values` such that at least the share `confidence` of them, or of their weight, is not larger.
double sample_quantile(std::vector<double> values, double confidence, RowWeights weights = {});

// The mean full width and the mean interval score at one confidence level, calibrated on the same rows. They are used only to
// choose between candidates, on rows that are not in the calibration set.
struct IntervalQuality {
  double width = 0;
  double interval_score = 0;
};

IntervalQuality interval_quality(const ObjectiveRows& rows, double confidence);

// Replaces each number by its sum over all processes that train together.
using SumOverProcesses = std::function<void(std::span<double>)>;

// The logarithm of the interval score, mean over the levels .68, .9 and .95: a difference is about a relative difference of
// scores. (The mean of the three logarithms would count a gain at .68 as much as at .95 where most of the targets have few values
// and intervals at .68 are next to nothing.) With `sum_all` it is computed over the rows of all processes and is the same on each
// of them. The quantiles then come from a histogram of the conformity scores of a scale family, log r − log s, with bins of half
// a per cent, which is fine enough for a choice.
double log_mean_interval_score(const ObjectiveRows& rows, const SumOverProcesses& sum_all = {});

// The validation loss of g, which compares candidates.
class Validation {
 public:
  Validation(const Transform& transform, const Residuals& residuals, const std::vector<TrainingPart>& parts,
             const LocalizationPlan& plan);

  // The number of parts, from the first on, that train and compare every candidate. The others train only the chosen candidate.
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

  // The losses of `fixed`, which needs no training: one width everywhere or, if half-widths were predicted, one width added to
  // them.
  double fixed_loss(int threads) const;
  std::vector<double> fixed_loss_of_groups(int threads) const;

 private:
  double loss(const Transform& transform, const Residuals& residuals, const Matrix& g, int sides, int threads) const;
  std::vector<double> loss_of_groups(const Transform& transform, const Matrix& g, int sides, int threads) const;
  Matrix fixed_params() const;

  const Transform& transform_;
  std::unique_ptr<const Transform> shift_;  // set if half-widths were predicted; the score of `fixed` is then r − half-width
  std::size_t parts_;
  Residuals residuals_;  // of the validation rows of these parts
  std::optional<double> focus_;
  std::unique_ptr<const Objective> objective_;
};

// One candidate and its validation loss, for the model file and the user.
struct CandidateRecord {
  std::string name;
  int sides = 1;
  double validation_loss = 0;  // the mean width at the focus level, or without focus the validation loss of the objective
  bool kept = false;
  std::string transform{};
  double standard_error = 0;  // of the difference from the best simpler class, if classes compete
};

// The position of the lowest loss. The first, that of `fixed`, wins if no other finite loss is lower.
std::size_t choose(std::span<const double> losses);

struct ClassLoss {
  double validation_loss = 0;
  std::span<const double> of_groups{};  // the losses of groups of validation rows, the same groups for all classes
};
// The standard error of the difference, paired over the groups; infinite if there are fewer than two groups.
double standard_error(const ClassLoss& richer, const ClassLoss& simpler);
// True if the loss of `richer` is lower by more than the standard error of the difference.
bool is_clearly_better(const ClassLoss& richer, const ClassLoss& simpler);

}  // namespace taut
