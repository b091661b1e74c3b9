#include <taut/train/validation.hpp>

#include <taut/train/interval_quality.hpp>
#include <taut/train/localization.hpp>

#include <algorithm>

namespace taut {

namespace {

// This many validation rows are enough to tell candidates apart. Where the first few parts have them, only those parts train
// every candidate, and the others train the winner: on the data sets homes, CASP and facebook_1 that halves the time and chooses
// the same.
constexpr Index rows_to_compare = 4000;

std::size_t parts_to_compare(const std::vector<TrainingPart>& parts) {
  std::size_t count = 0;
  for (Index rows = 0; rows < rows_to_compare && count < parts.size(); ++count) rows += parts[count].validation_rows();
  return count;
}

Rows validation_rows(const std::vector<TrainingPart>& parts, std::size_t count) {
  Rows rows;
  for (std::size_t p = 0; p < count; ++p)
    for (Index row = parts[p].begin; row < parts[p].end; ++row) rows.push_back(row);
  return rows;
}

}  // namespace

Validation::Validation(const Transform& transform, const Residuals& residuals, const std::vector<TrainingPart>& parts,
                       const LocalizationPlan& plan)
    : transform_(transform),
      parts_(parts_to_compare(parts)),
      residuals_(pick(residuals, validation_rows(parts, parts_))),
      focus_(plan.focus),
      objective_(objectives().make(plan.validation_objective)) {
  if (!residuals.half_width.empty()) shift_ = transforms().make("shift");
}

double Validation::loss(const Transform& transform, const Residuals& residuals, const Matrix& g, int sides, int threads) const {
  const ObjectiveRows rows{residuals.size, residuals.side, transform, g, sides, false, threads};
  return focus_ ? interval_quality(rows, *focus_).width : objective_->validation_loss(rows);
}

std::vector<double> Validation::loss_of_groups(const Transform& transform, const Matrix& g, int sides, int threads) const {
  constexpr Index most_groups = 20, least_rows = 20;
  const Index n = residuals_.rows(), groups = std::min(most_groups, n / least_rows);
  std::vector<double> losses;
  for (Index group = 0; group < groups; ++group) {
    Rows rows;
    for (Index i = group; i < n; i += groups) rows.push_back(i);  // so that each group has rows of every fold
    Matrix own(std::ssize(rows), g.cols());
    for (std::size_t i = 0; i < rows.size(); ++i) own.row(static_cast<Index>(i)) = g.row(rows[i]);
    losses.push_back(loss(transform, pick(residuals_, rows), own, sides, threads));
  }
  return losses;
}

double Validation::fixed_loss(int threads) const {
  return loss(shift_ ? *shift_ : transform_, residuals_, fixed_params(), 1, threads);
}

std::vector<double> Validation::fixed_loss_of_groups(int threads) const {
  return loss_of_groups(shift_ ? *shift_ : transform_, fixed_params(), 1, threads);
}

Matrix Validation::fixed_params() const {
  if (shift_) return initial_params(*shift_, residuals_.half_width, 1);
  Matrix g(residuals_.rows(), transform_.n_params());
  for (Index i = 0; i < g.rows(); ++i) transform_.initial(g.row(i).data());
  return g;
}

}  // namespace taut
