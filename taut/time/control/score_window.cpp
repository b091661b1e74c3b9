#include <taut/time/control/score_window.hpp>

#include <taut/calibrate/rank.hpp>
#include <taut/core/error.hpp>
#include <taut/core/text.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace taut {

namespace {

constexpr std::size_t max_of_block = 256;

}  // namespace

// The last block that begins at or before the entry.
std::size_t RankedScores::block_of(const RankedScore& entry) const {
  const auto after =
      std::upper_bound(blocks_.begin(), blocks_.end(), entry,
                       [](const RankedScore& a, const std::vector<RankedScore>& block) { return a < block.front(); });
  return after == blocks_.begin() ? 0 : static_cast<std::size_t>(after - blocks_.begin()) - 1;
}

void RankedScores::insert(const RankedScore& entry) {
  ++size_;
  if (blocks_.empty()) {
    blocks_.push_back({entry});
    return;
  }
  const std::size_t at = block_of(entry);
  auto& block = blocks_[at];
  block.insert(std::upper_bound(block.begin(), block.end(), entry), entry);
  if (block.size() <= max_of_block) return;
  const auto middle = block.begin() + static_cast<std::ptrdiff_t>(max_of_block / 2);
  std::vector<RankedScore> upper(middle, block.end());
  block.erase(middle, block.end());
  blocks_.insert(blocks_.begin() + static_cast<std::ptrdiff_t>(at) + 1, std::move(upper));
}

void RankedScores::erase(const RankedScore& entry) {
  const std::size_t at = block_of(entry);
  auto& block = blocks_[at];
  block.erase(std::lower_bound(block.begin(), block.end(), entry));
  if (block.empty()) blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(at));
  --size_;
}

// Searches from the nearer end, because levels need places near the top.
RankedScores::Position RankedScores::find(Index place) const {
  if (place >= size_) return {blocks_.size(), 0};
  if (place < size_ / 2) {
    auto within = static_cast<std::size_t>(place);
    std::size_t block = 0;
    while (within >= blocks_[block].size()) within -= blocks_[block++].size();
    return {block, within};
  }
  auto from_top = static_cast<std::size_t>(size_ - place);  // 1 for the largest
  std::size_t block = blocks_.size() - 1;
  while (from_top > blocks_[block].size()) from_top -= blocks_[block--].size();
  return {block, blocks_[block].size() - from_top};
}

double RankedScores::at(Index place) const {
  const Position found = find(place);
  return blocks_[found.block][found.within].score;
}

Index RankedScores::count_from(double score) const {
  if (empty()) return 0;
  const RankedScore first{score, -1};
  const std::size_t at = block_of(first);
  const auto& block = blocks_[at];
  Index count = block.end() - std::lower_bound(block.begin(), block.end(), first);
  for (std::size_t above = at + 1; above < blocks_.size(); ++above) count += std::ssize(blocks_[above]);
  return count;
}

namespace {

constexpr Index min_scores_of_tail = 5;
constexpr Index share_of_tail = 10;

}  // namespace

ScoreWindow::ScoreWindow(Index maximum, double half_life) : maximum_(maximum), half_life_(half_life) {
  change(maximum, half_life);
}

void ScoreWindow::change(Index maximum, double half_life) {
  if (maximum < 1) throw UsageError("a window holds at least 1 score, got " + std::to_string(maximum));
  if (!(half_life >= 0 && std::isfinite(half_life)))
    throw UsageError("a half-life is a number of rows that is not negative, got " + print_number(half_life));
  maximum_ = maximum;
  half_life_ = half_life;
  by_age_.clear();
  of_newest_ = {0};
  if (half_life > 0)
    for (Index age = 0; age < maximum; ++age) {
      by_age_.push_back(std::exp2(-static_cast<double>(age + 1) / half_life));
      of_newest_.push_back(of_newest_.back() + by_age_.back());
    }
  while (size() > maximum_) drop_oldest();
}

void ScoreWindow::add(double score) {
  if (std::isnan(score)) throw Error("a conformity score is not a number; look for missing or infinite predictions or targets");
  if (size() == maximum_) drop_oldest();
  sorted_.insert({score, next_});
  arrived_.push_back(score);
  ++next_;
}

void ScoreWindow::drop_oldest() {
  sorted_.erase({arrived_.front(), next_ - size()});
  arrived_.pop_front();
}

double ScoreWindow::weight_of(const RankedScore& entry) const {
  return by_age_.empty() ? 1 : by_age_[static_cast<std::size_t>(next_ - 1 - entry.number)];
}

double ScoreWindow::threshold(double alpha) const {
  if (alpha <= 0 || 1 - alpha == 1) return infinity;
  if (alpha >= 1) return missing;
  if (by_age_.empty()) {
    const Index k = exact_rank(size(), 1 - alpha);
    return k > size() ? infinity : sorted_.at(k - 1);
  }
  const double all = weight();
  // Search from the top, where thresholds are. `spare` is the weight that may lie above the threshold.
  const double spare = all - (1 - alpha) * (all + 1);
  const double rounding = std::numeric_limits<double>::epsilon() * static_cast<double>(size() + 4) * (all + 1);
  if (spare < -rounding) return infinity;
  double above = 0, found = sorted_.empty() ? infinity : sorted_.minimum();
  sorted_.descending([&](const RankedScore& entry) {
    above += weight_of(entry);
    if (above <= spare + rounding) return true;
    found = entry.score;
    return false;
  });
  return found;
}

double ScoreWindow::mean_excess() const {
  const Index tail = std::max(min_scores_of_tail, size() / share_of_tail);
  if (tail >= size()) return 0;
  const double from = sorted_.at(size() - tail - 1);
  double sum = 0;
  sorted_.ascending_from(size() - tail, [&](const RankedScore& entry) { sum += entry.score - from; });
  const double mean = sum / static_cast<double>(tail);
  return std::isfinite(mean) ? mean : 0;
}

double ScoreWindow::tail_unit(double alpha) const {
  const double shown = threshold(alpha / std::numbers::e) - threshold(alpha), mean = mean_excess();
  return shown > 0 ? std::min(shown, mean) : mean;  // the mean if the difference is infinite, NaN or 0
}

double ScoreWindow::threshold_beyond(double alpha) const {
  const double within = threshold(alpha);
  if (within != infinity || alpha <= 0 || sorted_.empty()) return within;
  const double excess = mean_excess();
  if (excess <= 0) return infinity;
  return sorted_.maximum() + excess * std::max(0.0, std::log(min_alpha() / alpha));
}

double ScoreWindow::weight_from(double score) const {
  const Index count = sorted_.count_from(score);
  if (by_age_.empty()) return static_cast<double>(count);
  double weight = 0;
  sorted_.ascending_from(size() - count, [&](const RankedScore& entry) { weight += weight_of(entry); });
  return weight;
}

double ScoreWindow::p_value(double score) const {
  const double p = (weight_from(score) + 1) / (weight() + 1);
  if (sorted_.empty() || score <= sorted_.maximum()) return p;
  const double excess = mean_excess();
  return excess > 0 ? p * std::exp(-(score - sorted_.maximum()) / excess) : p;
}

}  // namespace taut
