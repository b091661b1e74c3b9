#include <taut/calibrate/calibrator.hpp>

#include <taut/calibrate/rank.hpp>
#include <taut/core/error.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

Calibrator::Calibrator(std::vector<double> scores) : scores_(std::move(scores)) {
  if (std::any_of(scores_.begin(), scores_.end(), [](double b) { return std::isnan(b); }))
    throw Error("calibration: a conformity score is not a number; look for missing or infinite predictions or targets");
  std::sort(scores_.begin(), scores_.end());
}

Index Calibrator::rank(double confidence) const { return exact_rank(rows(), confidence); }

double Calibrator::quantile(double confidence) const {
  const Index k = rank(confidence);
  return k > rows() ? infinity : scores_[static_cast<std::size_t>(k - 1)];
}

Index Calibrator::last_rank(double confidence) const {
  const Index k = rank(confidence);
  if (k > rows()) return k;
  return std::upper_bound(scores_.begin(), scores_.end(), scores_[static_cast<std::size_t>(k - 1)]) - scores_.begin();
}

double Calibrator::delivered(double confidence) const {
  return static_cast<double>(rank(confidence)) / static_cast<double>(rows() + 1);
}

std::optional<double> Calibrator::smoothed_quantile(double confidence, double uniform) const {
  const Index k = rank(confidence);
  const double excess = static_cast<double>(k) - static_cast<double>(rows() + 1) * confidence;
  const Index drawn = uniform < excess ? k - 1 : k;
  if (drawn < 1) return std::nullopt;
  return drawn > rows() ? infinity : scores_[static_cast<std::size_t>(drawn - 1)];
}

void Calibrator::save(Archive archive) const { archive.put("scores", scores_); }

Calibrator Calibrator::load(const Archive& archive) {
  Calibrator calibrator;
  calibrator.scores_ = archive.get<std::vector<double>>("scores");
  const auto& scores = calibrator.scores_;
  const bool usable = std::none_of(scores.begin(), scores.end(), [](double b) { return std::isnan(b); });
  if (!usable || !std::is_sorted(scores.begin(), scores.end()))
    throw Error("the model file's calibration scores are not in order: it is damaged");
  return calibrator;
}

}  // namespace taut
