#include <taut/time/control/level_stream.hpp>

#include <taut/calibrate/rank.hpp>
#include <taut/core/format.hpp>
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
  return format_text("controller {}, window {}, delay {}{}{}", controller, print_count(window), print_count(delay),
                     half_life > 0 ? ", half-life " + print_number(half_life) : "", at_least ? ", at least the level" : "");
}

LevelStream::LevelStream(const StreamSettings& settings, std::span<const SignedScore> scores) : settings_(settings) {
  settings.check();
  settings_.usual_window = settings_.usual_window || settings_.window == 0;
  if (settings_.usual_window)
    settings_.window = std::clamp(std::ssize(scores), StreamSettings::min_window, StreamSettings::max_window);
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
    // The sets of a new level for earlier rows are not known.
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
  // The forecast has learnt sizes of errors about another f, so it must not make intervals empty.
  if (shift_ != 0 && forecast_ < 0) {
    const double minimum = relative_.threshold(0.5) - relative_.threshold(0.1);
    if (forecast_ < minimum) forecast_ = minimum;  // not if either is infinite or NaN
  }
  // Controllers are independent, so thresholds may cross for a row. A level then gets the larger set of the level below it. A
  // level that misses too often still gets the set that it asks for. One that misses too rarely learns from the misses of the
  // level below, which are more frequent than its own should be.
  nested_.clear();
  double maximum = missing;
  for (const auto& controller : controllers_) {
    const double own = controller->threshold(relative_);
    if (!(own <= maximum) && !std::isnan(own)) maximum = own;
    nested_.push_back(maximum);
  }
  for (double& threshold : nested_) threshold += forecast_;
  return nested_;
}

void LevelStream::continue_from(LevelStream&& before) {
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

// Saving and loading a stream. Everything in a file is checked.

namespace {

void require_whole(bool holds) {
  if (!holds) throw Error("the model file's stream does not fit together: it is damaged");
}

void save_scores(Archive& archive, std::string_view name, const std::vector<SignedScore>& scores) {
  std::vector<double> sizes;
  std::vector<std::uint8_t> sides;
  for (const SignedScore& score : scores) {
    sizes.push_back(score.score);
    sides.push_back(score.side == Side::above ? 1 : 0);
  }
  archive.put(name, sizes);
  archive.put(std::string(name) + "_above", sides);
}

std::vector<SignedScore> load_scores(const Archive& archive, std::string_view name) {
  const auto& sizes = archive.get<std::vector<double>>(name);
  const auto& sides = archive.get<std::vector<std::uint8_t>>(std::string(name) + "_above");
  require_whole(sizes.size() == sides.size());
  std::vector<SignedScore> scores;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    require_whole(!std::isnan(sizes[i]) && sides[i] <= 1);
    scores.push_back({sides[i] == 1 ? Side::above : Side::below, sizes[i]});
  }
  return scores;
}

struct PendingErrors {
  std::vector<StreamError> errors;
  std::vector<Location::Means> means;
};

PendingErrors pending_errors(const Archive& archive, const std::vector<SignedScore>& scores) {
  PendingErrors result;
  constexpr std::size_t paces = Location::paces;
  const auto& errors = archive.get<std::vector<double>>("pending_errors");
  const auto& means = archive.get<std::vector<double>>("pending_means");
  require_whole(errors.size() == 3 * scores.size() && means.size() == paces * scores.size());
  for (const auto* numbers : {&errors, &means})
    for (const double number : *numbers) require_whole(!std::isnan(number));
  for (std::size_t i = 0; i < scores.size(); ++i) {
    result.errors.push_back({errors[3 * i], errors[3 * i + 1], errors[3 * i + 2]});
    std::copy_n(means.begin() + static_cast<std::ptrdiff_t>(paces * i), paces, result.means.emplace_back().begin());
  }
  return result;
}

}  // namespace

void LevelStream::load_location(const Archive& archive) {
  settings_.recentre = archive.integer_in("recentre", 0, 1) == 1;
  location_.restore(archive.get<std::vector<double>>("location_state"));
  const auto& usual = archive.get<std::vector<double>>("usual_score");
  require_whole(usual.size() <= 1 && (usual.empty() || !std::isnan(usual[0])));
  if (!usual.empty()) usual_score_ = usual[0];
}

void LevelStream::save(Archive archive) const {
  archive.put("controller", settings_.controller);
  archive.put("window", static_cast<std::int64_t>(settings_.window));
  archive.put("half_life", settings_.half_life);
  archive.put("delay", static_cast<std::int64_t>(settings_.delay));
  archive.put("scorecast", static_cast<std::int64_t>(settings_.scorecast));
  archive.put("recentre", static_cast<std::int64_t>(settings_.recentre));
  archive.put("at_least", static_cast<std::int64_t>(settings_.at_least));
  archive.put("usual_window", static_cast<std::int64_t>(settings_.usual_window));
  archive.put("rows", static_cast<std::int64_t>(row_));
  archive.put("targets", static_cast<std::int64_t>(targets_));
  save_scores(archive, "scores", scores());
  archive.put("relative", std::vector<double>(relative_.scores().begin(), relative_.scores().end()));
  archive.put("plain", std::vector<double>(plain_.scores().begin(), plain_.scores().end()));
  archive.put("scorecast_state", cast_.state());
  archive.put("location_state", location_.state());
  archive.put("usual_score", std::vector<double>(std::isnan(usual_score_) ? 0 : 1, usual_score_));
  archive.put("levels", levels_);
  for (std::size_t i = 0; i < controllers_.size(); ++i) archive.put("controller" + std::to_string(i), controllers_[i]->state());

  std::vector<std::int64_t> rows;
  std::vector<SignedScore> scores_of_pending;
  std::vector<double> relative, p, plain_p, errors, means;
  std::vector<std::uint8_t> missed, of_other_model;
  for (const Pending& pending : pending_) {
    rows.push_back(pending.row);
    scores_of_pending.push_back(pending.score);
    relative.push_back(pending.relative);
    p.push_back(pending.p);
    plain_p.push_back(pending.plain_p);
    of_other_model.push_back(pending.of_other_model ? 1 : 0);
    errors.insert(errors.end(), {pending.moved.error, pending.moved.width, pending.moved.score});
    means.insert(means.end(), pending.means.begin(), pending.means.end());
    // `missed` is empty if no level learns from the row.
    for (std::size_t i = 0; i < levels_.size(); ++i)
      missed.push_back(pending.missed.empty() ? std::uint8_t{Missed::not_given} : pending.missed[i]);
  }
  archive.put("pending_rows", rows);
  save_scores(archive, "pending_scores", scores_of_pending);
  archive.put("pending_relative", relative);
  archive.put("pending_p", p);
  archive.put("pending_plain_p", plain_p);
  archive.put("pending_missed", missed);
  archive.put("pending_of_other_model", of_other_model);
  archive.put("pending_errors", errors);
  archive.put("pending_means", means);
}

LevelStream LevelStream::load(const Archive& archive) {
  constexpr std::int64_t maximum = std::int64_t{1} << 53;
  LevelStream stream;
  StreamSettings& settings = stream.settings_;
  settings.controller = archive.text("controller");
  settings.window = archive.integer("window");
  settings.half_life = archive.number("half_life");
  settings.delay = archive.integer("delay");
  settings.scorecast = archive.integer_in("scorecast", 0, 1) == 1;
  settings.at_least = archive.integer_in("at_least", 0, 1) == 1;
  settings.usual_window = archive.integer_in("usual_window", 0, 1) == 1;
  settings.check();
  require_whole(settings.window > 0);
  stream.row_ = archive.integer_in("rows", 0, maximum);
  stream.targets_ = archive.integer_in("targets", 0, stream.row_);
  const auto scores = load_scores(archive, "scores");
  stream.recent_.assign(scores.begin(), scores.end());
  stream.plain_ = stream.relative_ = ScoreWindow(settings.window, settings.half_life);
  const auto fill = [&](ScoreWindow& window, std::string_view name) {
    const auto& numbers = archive.get<std::vector<double>>(name);
    require_whole(std::ssize(numbers) <= settings.window);
    for (const double number : numbers) {
      require_whole(!std::isnan(number));
      window.add(number);
    }
  };
  fill(stream.relative_, "relative");
  fill(stream.plain_, "plain");
  require_whole(stream.relative_.size() == std::ssize(scores));
  stream.cast_.restore(archive.get<std::vector<double>>("scorecast_state"));
  stream.levels_ = archive.get<std::vector<double>>("levels");
  require_whole(std::is_sorted(stream.levels_.begin(), stream.levels_.end()));
  stream.load_location(archive);
  for (std::size_t i = 0; i < stream.levels_.size(); ++i) {
    require_whole(stream.levels_[i] > 0 && stream.levels_[i] < 1 && (i == 0 || stream.levels_[i] > stream.levels_[i - 1]));
    stream.controllers_.push_back(stream.started(stream.levels_[i]));
    stream.controllers_.back()->restore(archive.get<std::vector<double>>("controller" + std::to_string(i)));
  }

  const auto& rows = archive.get<std::vector<std::int64_t>>("pending_rows");
  const auto pending_scores = load_scores(archive, "pending_scores");
  const auto& relative = archive.get<std::vector<double>>("pending_relative");
  const auto& p = archive.get<std::vector<double>>("pending_p");
  const auto& plain_p = archive.get<std::vector<double>>("pending_plain_p");
  const auto& missed = archive.get<std::vector<std::uint8_t>>("pending_missed");
  for (const std::uint8_t one : missed) require_whole(one <= 2);  // no, yes, not_given
  const auto& of_other_model = archive.get<std::vector<std::uint8_t>>("pending_of_other_model");
  const auto [errors, means] = pending_errors(archive, pending_scores);
  const std::size_t levels = stream.levels_.size();
  require_whole(pending_scores.size() == rows.size() && relative.size() == rows.size() && p.size() == rows.size() &&
                plain_p.size() == rows.size() && missed.size() == rows.size() * levels && of_other_model.size() == rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    require_whole(rows[i] >= 0 && rows[i] < stream.row_ && (i == 0 || rows[i] > rows[i - 1]));
    require_whole(!std::isnan(relative[i]) && p[i] >= 0 && p[i] <= 1 && plain_p[i] >= 0 && plain_p[i] <= 1);
    const auto first = missed.begin() + static_cast<std::ptrdiff_t>(i * levels);
    stream.pending_.push_back({static_cast<Index>(rows[i]),
                               pending_scores[i],
                               relative[i],
                               p[i],
                               plain_p[i],
                               {first, first + static_cast<std::ptrdiff_t>(levels)},
                               of_other_model[i] != 0,
                               errors[i],
                               means[i]});
  }
  return stream;
}

}  // namespace taut
