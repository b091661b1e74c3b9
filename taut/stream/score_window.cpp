#include <taut/stream/score_window.hpp>

#include <taut/calibrate/rank.hpp>
#include <taut/core/error.hpp>
#include <taut/core/text.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

constexpr Index least_scores_of_tail = 5;
constexpr Index share_of_tail = 10;

}  // namespace

ScoreWindow::ScoreWindow(Index most, double half_life) : most_(most), half_life_(half_life) { change(most, half_life); }

void ScoreWindow::change(Index most, double half_life) {
  if (most < 1) throw UsageError("a window holds at least 1 score, got " + std::to_string(most));
  if (!(half_life >= 0 && std::isfinite(half_life)))
    throw UsageError("a half-life is a number of rows that is not negative, got " + print_number(half_life));
  most_ = most;
  half_life_ = half_life;
  by_age_.clear();
  of_newest_ = {0};
  if (half_life > 0)
    for (Index age = 0; age < most; ++age) {
      by_age_.push_back(std::exp2(-static_cast<double>(age + 1) / half_life));
      of_newest_.push_back(of_newest_.back() + by_age_.back());
    }
  while (size() > most_) drop_oldest();
}

void ScoreWindow::add(double score) {
  if (std::isnan(score)) throw Error("a conformity score is not a number; look for missing or infinite predictions or targets");
  const Entry entry{score, next_};
  const auto place = std::upper_bound(sorted_.begin(), sorted_.end(), entry);
  if (size() < most_) {
    sorted_.insert(place, entry);
  } else {
    // Only the scores between the oldest and the new one move.
    const auto oldest = std::lower_bound(sorted_.begin(), sorted_.end(), Entry{arrived_.front(), next_ - size()});
    arrived_.pop_front();
    if (oldest < place) {
      std::move(oldest + 1, place, oldest);
      *(place - 1) = entry;
    } else {
      std::move_backward(place, oldest, oldest + 1);
      *place = entry;
    }
  }
  arrived_.push_back(score);
  ++next_;
}

void ScoreWindow::drop_oldest() {
  const Entry entry{arrived_.front(), next_ - size()};
  arrived_.pop_front();
  sorted_.erase(std::lower_bound(sorted_.begin(), sorted_.end(), entry));
}

double ScoreWindow::weight_of(const Entry& entry) const {
  return by_age_.empty() ? 1 : by_age_[static_cast<std::size_t>(next_ - 1 - entry.number)];
}

double ScoreWindow::threshold(double alpha) const {
  if (alpha <= 0 || 1 - alpha == 1) return infinity;
  if (alpha >= 1) return missing;
  if (by_age_.empty()) {
    const Index k = exact_rank(size(), 1 - alpha);
    return k > size() ? infinity : sorted_[static_cast<std::size_t>(k - 1)].score;
  }
  const double all = weight();
  // From the top, where thresholds are: how much weight may lie above it.
  const double spare = all - (1 - alpha) * (all + 1);
  const double rounding = std::numeric_limits<double>::epsilon() * static_cast<double>(size() + 4) * (all + 1);
  if (spare < -rounding) return infinity;
  double above = 0;
  for (auto entry = sorted_.rbegin(); entry != sorted_.rend(); ++entry) {
    above += weight_of(*entry);
    if (above > spare + rounding) return entry->score;
  }
  return sorted_.empty() ? infinity : sorted_.front().score;
}

double ScoreWindow::mean_excess() const {
  const Index tail = std::max(least_scores_of_tail, size() / share_of_tail);
  if (tail >= size()) return 0;
  const double from = sorted_[static_cast<std::size_t>(size() - tail - 1)].score;
  double sum = 0;
  for (Index i = size() - tail; i < size(); ++i) sum += sorted_[static_cast<std::size_t>(i)].score - from;
  const double mean = sum / static_cast<double>(tail);
  return std::isfinite(mean) ? mean : 0;
}

double ScoreWindow::threshold_beyond(double alpha) const {
  const double within = threshold(alpha);
  if (within != infinity || alpha <= 0 || sorted_.empty()) return within;
  const double excess = mean_excess();
  if (excess <= 0) return infinity;
  return sorted_.back().score + excess * std::max(0.0, std::log(least_alpha() / alpha));
}

double ScoreWindow::weight_from(double score) const {
  const auto first = std::lower_bound(sorted_.begin(), sorted_.end(), Entry{score, -1});
  if (by_age_.empty()) return static_cast<double>(sorted_.end() - first);
  double weight = 0;
  for (auto entry = first; entry != sorted_.end(); ++entry) weight += weight_of(*entry);
  return weight;
}

double ScoreWindow::p_value(double score) const {
  const double p = (weight_from(score) + 1) / (weight() + 1);
  if (sorted_.empty() || score <= sorted_.back().score) return p;
  const double excess = mean_excess();
  return excess > 0 ? p * std::exp(-(score - sorted_.back().score) / excess) : p;
}

}  // namespace taut
