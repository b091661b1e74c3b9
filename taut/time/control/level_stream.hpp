// Intervals for a stream of rows: recent scores, levels that adapt, and rows whose outcomes are still pending. A model file keeps
// the complete state: a stream that is stopped and continued gives the same bits as one that was not.
#pragma once

#include <taut/calibrate/row_score.hpp>
#include <taut/time/control/controller.hpp>
#include <taut/time/control/forecasts.hpp>

#include <deque>
#include <memory>
#include <optional>

namespace taut {

struct StreamSettings {
  std::string controller = "dtaci";
  Index window = 0;      // number of scores kept; 0: that of the calibration rows, from min_window to max_window
  double half_life = 0;  // of a score's weight, in rows; 0: equal weights
  Index delay = 0;       // a target is known this many rows after its row
  bool scorecast = true;
  bool recentre = true;       // whether f is shifted if errors lie on one side of it
  bool at_least = false;      // guarantee at least the level: no set is made empty to reach it exactly
  bool usual_window = false;  // the window was not given but follows from the number of calibration scores

  static constexpr Index min_window = 1000, max_window = 5000;
  void check() const;
  std::string describe() const;  // "controller pid, window 500, delay 24"
  bool operator==(const StreamSettings&) const = default;
};

class LevelStream {
 public:
  LevelStream() = default;
  // `scores` of calibration rows, oldest first.
  LevelStream(const StreamSettings& settings, std::span<const SignedScore> scores);
  LevelStream(LevelStream&&) noexcept = default;
  LevelStream& operator=(LevelStream&&) noexcept = default;

  const StreamSettings& settings() const { return settings_; }
  // Uses other settings from the next row on. Another controller starts from its initial state. A larger window does not bring
  // back scores that were dropped.
  void change(const StreamSettings& settings);
  // Adds levels. A new one starts at its nominal confidence.
  void add_levels(std::span<const double> levels);
  const std::vector<double>& levels() const { return levels_; }  // ascending

  // Each row takes two steps. thresholds() first learns from the targets of rows that are more than `delay` rows old, and returns
  // a threshold for each of levels(), ascending like these. learn() then takes the row's score, or nothing if its target is not
  // known. Thresholds are for scores about f + shift(); `score` is about f, and moved->score about f + shift().
  //
  // The threshold of a level is the largest that controllers up to this level ask for, so sets are nested, and controllers learn
  // from the sets that were issued. `covered_from` is the first of levels() whose set contained the target (levels().size() for
  // none), for callers whose sets differ from the thresholds by rounding; by default the thresholds decide.
  std::span<const double> thresholds();
  double shift() const { return shift_; }
  void learn(const std::optional<SignedScore>& score, const std::optional<StreamError>& moved = {},
             std::optional<Index> covered_from = {});
  // The first of levels() whose threshold is at least this score about f + shift().
  Index first_covering(double score) const;
  // The 0.9-quantile of the scores before the stream began: how far intervals usually reach. NaN without scores.
  double usual_score() const { return usual_score_; }

  // Continues another stream with the scores of a new model: takes over its levels with their sums of misses, and its pending
  // rows.
  void continue_from(LevelStream&& before);

  // Learns from all targets that are known by now, as the next row would do first.
  void catch_up() { release(); }

  Index rows() const { return row_; }         // rows so far
  Index targets() const { return targets_; }  // targets learnt from so far
  // The current confidence of each level.
  std::vector<double> asked() const;
  // The recent scores, oldest first.
  std::vector<SignedScore> scores() const { return {recent_.begin(), recent_.end()}; }

  void save(Archive archive) const;
  static LevelStream load(const Archive& archive);

 private:
  // not_given: the level was added after the row was predicted.
  enum Missed : std::uint8_t { no = 0, yes = 1, not_given = 2 };
  struct Pending {
    Index row;
    SignedScore score;
    double relative, p, plain_p;       // p and plain_p: p-values among relative and plain scores
    std::vector<std::uint8_t> missed;  // of each level; empty if no level learns from the row
    bool of_other_model = false;       // a score that cannot be compared with recent ones
    StreamError moved;
    Location::Means means;  // when the row was predicted
  };
  void take(const SignedScore& score, double moved, double relative, double plain_p);
  void find_usual_score();
  void load_location(const Archive& archive);
  void learn_from(const Pending& pending);
  void release();
  std::unique_ptr<Controller> started(double level) const;
  ControlSettings control() const { return {settings_.delay, settings_.at_least}; }

  StreamSettings settings_;
  std::deque<SignedScore> recent_;  // about f
  ScoreWindow plain_, relative_;    // about the shifted f: as they are, and minus the forecast
  Scorecast cast_;
  Location location_;
  double usual_score_ = missing;
  double forecast_ = 0, shift_ = 0;  // of the row that is being predicted
  std::vector<double> levels_;
  std::vector<std::unique_ptr<Controller>> controllers_;
  std::vector<double> nested_;  // of the row that is being predicted
  std::deque<Pending> pending_;
  Index row_ = 0, targets_ = 0;
};

}  // namespace taut
