// How good g is on rows that trained none of it: the validation loss, by which candidates are compared.
#pragma once

#include <taut/train/plan.hpp>
#include <taut/train/training_part.hpp>

#include <memory>

namespace taut {

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

}  // namespace taut
