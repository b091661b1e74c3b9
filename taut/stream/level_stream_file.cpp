// A stream in a model file, and back. Nothing in a file is trusted.
#include <taut/stream/level_stream.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

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
    // A row that no level has to learn from has none.
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
  constexpr std::int64_t most = std::int64_t{1} << 53;
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
  stream.row_ = archive.integer_in("rows", 0, most);
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
  for (const std::uint8_t one : missed) require_whole(one <= 2);  // held, missed, not known
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
