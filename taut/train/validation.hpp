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
  double loss(const Matrix& g, int sides, int threads) const { return loss(residuals_, g, sides, threads); }

  // The loss in each of up to twenty groups of the rows, for the standard error of a difference.
  std::vector<double> loss_of_groups(const Matrix& g, int sides, int threads) const;

  // One width everywhere, whatever the class.
  Matrix constant_params() const;

 private:
  double loss(const Residuals& residuals, const Matrix& g, int sides, int threads) const;

  const Transform& transform_;
  std::size_t parts_;
  Residuals residuals_;  // of their validation rows
  std::optional<double> focus_;
  std::unique_ptr<const Objective> objective_;
};

}  // namespace taut
