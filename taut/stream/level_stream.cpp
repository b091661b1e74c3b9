#include <taut/stream/level_stream.hpp>

#include <taut/calibrate/rank.hpp>
#include <taut/core/text.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

void StreamSettings::check() const {
  (void)controllers().make(controller);
  if (window != 0 && window < 10) throw UsageError("--window: a window holds at least 10 scores, got " + std::to_string(window));
  if (window > 10'000'000) throw UsageError("--window: at most 10,000,000 scores, got " + std::to_string(window));
  if (!(half_life >= 0 && std::isfinite(half_life)) || (half_life > 0 && half_life < 1))
    throw UsageError("--half-life: a number of rows that is at least 1, or 0 for none; got " + print_number(half_life));
  if (delay < 0 || delay > 10'000'000)
    throw UsageError("--delay: a number of rows from 0 to 10,000,000, got " + std::to_string(delay));
}

std::string StreamSettings::describe() const {
  return "controller " + controller + ", window " + print_count(window) + ", delay " + print_count(delay) +
         (half_life > 0 ? ", half-life " + print_number(half_life) : "") + (at_least ? ", at least the level" : "");
}

LevelStream::LevelStream(const StreamSettings& settings, std::span<const SignedScore> scores) : settings_(settings) {
  settings.check();
  settings_.usual_window = settings_.usual_window || settings_.window == 0;
  if (settings_.usual_window)
    settings_.window = std::clamp(std::ssize(scores), StreamSettings::least_window, StreamSettings::most_window);
  plain_ = relative_ = ScoreWindow(settings_.window, settings_.half_life);
  for (const SignedScore& score : scores) {
    const double p = plain_.p_value(score.score);
    take(score, score.score, score.score - cast_.forecast(), p);
  }
  find_usual_score();
}

void LevelStream::find_usual_score() {
  std::vector<double> scores;
  for (const SignedScore& score : recent_) scores.push_back(score.score);
  if (scores.empty()) return;
  const auto at =
      scores.begin() + static_cast<std::ptrdiff_t>(std::min(exact_rank(std::ssize(scores), 0.9), std::ssize(scores)) - 1);
  std::nth_element(scores.begin(), at, scores.end());
  usual_score_ = *at;
}

void LevelStream::change(const StreamSettings& settings) {
  settings.check();
  const bool other_controller = settings.controller != settings_.controller;
  const bool other_control = settings.delay != settings_.delay || settings.at_least != settings_.at_least;
  const Index window = settings.window == 0 ? settings_.window : settings.window;
  settings_ = settings;
  settings_.window = window;
  plain_.change(window, settings.half_life);
  relative_.change(window, settings.half_life);
  while (std::ssize(recent_) > window) recent_.pop_front();
  if (other_control)
    for (const auto& controller : controllers_) controller->change(control());
  if (!other_controller) return;
  for (std::size_t i = 0; i < levels_.size(); ++i) controllers_[i] = started(levels_[i]);
  for (Pending& pending : pending_) pending.missed.clear();
}

std::unique_ptr<Controller> LevelStream::started(double level) const {
  auto controller = controllers().make(settings_.controller);
  controller->start(level, control());
  return controller;
}

void LevelStream::add_levels(std::span<const double> levels) {
  for (const double level : levels) {
    check_confidence(level);
    const auto at = std::lower_bound(levels_.begin(), levels_.end(), level);
    if (at != levels_.end() && *at == level) continue;
    const auto position = at - levels_.begin();
    levels_.insert(at, level);
    controllers_.insert(controllers_.begin() + position, started(level));
    // What a new level would have said of rows before it is not known.
    for (Pending& pending : pending_)
      if (!pending.missed.empty()) pending.missed.insert(pending.missed.begin() + position, Missed::not_given);
  }
}

void LevelStream::release() {
  while (!pending_.empty() && pending_.front().row + settings_.delay < row_) {
    learn_from(pending_.front());
    pending_.pop_front();
  }
}

void LevelStream::learn_from(const Pending& pending) {
  for (std::size_t i = 0; i < pending.missed.size(); ++i)
    if (pending.missed[i] != Missed::not_given) controllers_[i]->learn({pending.p, pending.missed[i] == Missed::yes});
  if (!pending.of_other_model) {
    take(pending.score, pending.moved.score, pending.relative, pending.plain_p);
    location_.learn(pending.moved, pending.means);
  }
  ++targets_;
}

void LevelStream::take(const SignedScore& score, double moved, double relative, double plain_p) {
  if (std::ssize(recent_) == settings_.window) recent_.pop_front();
  recent_.push_back(score);
  relative_.add(relative);
  if (!settings_.scorecast) return;
  cast_.learn(moved, plain_p, plain_);
  plain_.add(moved);
}

std::span<const double> LevelStream::thresholds() {
  release();
  forecast_ = settings_.scorecast ? cast_.forecast() : 0;
  shift_ = settings_.recentre ? location_.shift() : 0;
  // What the forecast knows of sizes it has learnt while f stood elsewhere: it must not make intervals empty.
  if (shift_ != 0 && forecast_ < 0) {
    const double least = relative_.threshold(0.5) - relative_.threshold(0.1);
    if (forecast_ < least) forecast_ = least;  // not where either is infinite or missing
  }
  // Each controller goes its own way, so two may cross for a row: a level's set then is the larger one of the level below it. A
  // level that misses too often still gets the set that it asks for; one that misses too rarely learns from the misses of the
  // level below, which come more often than its own should.
  nested_.clear();
  double most = missing;
  for (const auto& controller : controllers_) {
    const double own = controller->threshold(relative_);
    if (!(own <= most) && !std::isnan(own)) most = own;
    nested_.push_back(most);
  }
  for (double& threshold : nested_) threshold += forecast_;
  return nested_;
}

void LevelStream::go_on_from(LevelStream&& before) {
  levels_ = std::move(before.levels_);
  controllers_ = std::move(before.controllers_);
  for (const auto& controller : controllers_) controller->change_model();
  location_ = before.location_;
  location_.change_model();
  pending_ = std::move(before.pending_);
  for (Pending& pending : pending_) pending.of_other_model = true;
  row_ = before.row_;
  targets_ = before.targets_;
}

Index LevelStream::first_covering(double score) const {
  return std::find_if(nested_.begin(), nested_.end(), [score](double threshold) { return score <= threshold; }) - nested_.begin();
}

void LevelStream::learn(const std::optional<SignedScore>& score, const std::optional<StreamError>& moved,
                        std::optional<Index> covered_from) {
  if (score) {
    const StreamError error = moved.value_or(StreamError{0, 0, score->score});
    const double relative = error.score - forecast_;
    std::vector<std::uint8_t> missed(nested_.size(), Missed::no);
    std::fill_n(missed.begin(), std::clamp<Index>(covered_from.value_or(first_covering(error.score)), 0, std::ssize(missed)),
                Missed::yes);
    Pending next{row_,
                 *score,
                 relative,
                 relative_.p_value(relative),
                 settings_.scorecast ? plain_.p_value(error.score) : 1,
                 std::move(missed),
                 false,
                 error,
                 location_.means()};
    pending_.push_back(std::move(next));
  }
  ++row_;
}

std::vector<double> LevelStream::asked() const {
  std::vector<double> result;
  for (const auto& controller : controllers_) result.push_back(controller->asked());
  return result;
}

}  // namespace taut
