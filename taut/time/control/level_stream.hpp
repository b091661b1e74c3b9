// Intervals for rows that come one after another: recent scores, a level that moves, and what is still to come of rows that were
// predicted. All of it is state that a model file keeps: a stream that is stopped and continued gives the bits of one that was
// not.
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
  Index window = 0;      // scores that are kept; 0: as many as calibrated, from least_window to most_window
  double half_life = 0;  // of a score's weight, in rows; 0: all scores of the window count alike
  Index delay = 0;       // so many rows after its own a target is known
  bool scorecast = true;
  bool recentre = true;       // whether f is moved where errors lie to one side of it
  bool at_least = false;      // promise at least the level: no set is made empty to reach it exactly
  bool usual_window = false;  // the window was not given but follows from the number of calibration scores

  static constexpr Index least_window = 1000, most_window = 5000;
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
  // Other settings from the next row on. Controllers begin anew where another one is named; scores that a larger window would
  // have held are gone.
  void change(const StreamSettings& settings);
  // Levels besides those that there are; a new one begins where it was asked for.
  void add_levels(std::span<const double> levels);
  const std::vector<double>& levels() const { return levels_; }  // ascending

  // The next row, in two steps. First the thresholds of all levels(), ascending like these; by then the targets of rows that are
  // more than `delay` rows old have been learnt from. Then its score, or nothing where its target is not known. Thresholds are
  // for scores about f + shift(); `score` is about f itself, and `moved` says what it is about f + shift().
  //
  // The threshold of a level is the largest that controllers up to this level ask for, so sets are nested, and controllers learn
  // from the sets that were issued. `covered_from` is the first of levels() whose set held the target (levels().size() for none),
  // for callers whose sets differ from the thresholds by rounding; else the thresholds decide.
  std::span<const double> thresholds();
  double shift() const { return shift_; }
  void learn(const std::optional<SignedScore>& score, const std::optional<StreamError>& moved = {},
             std::optional<Index> covered_from = {});
  // The first of levels() whose threshold holds this score about f + shift().
  Index first_covering(double score) const;
  // Nine in ten scores were at most so large before the stream began: how far intervals usually reach. NaN without scores.
  double usual_score() const { return usual_score_; }

  // Takes over the levels of another stream, with what they know of misses, and what is still to come of its rows: the same
  // stream, with scores of another model.
  void go_on_from(LevelStream&& before);

  // Learns from all targets that are known by now, which the next row would do first.
  void catch_up() { release(); }

  Index rows() const { return row_; }         // so many have come
  Index targets() const { return targets_; }  // and so many of their targets have been learnt from
  // The confidence that stands for each level now.
  std::vector<double> asked() const;
  // The recent scores, oldest first.
  std::vector<SignedScore> scores() const { return {recent_.begin(), recent_.end()}; }

  void save(Archive archive) const;
  static LevelStream load(const Archive& archive);

 private:
  // Of a level that was added later its set is not known.
  enum Missed : std::uint8_t { no = 0, yes = 1, not_given = 2 };
  struct Pending {
    Index row;
    SignedScore score;
    double relative, p, plain_p;       // among relative scores, and among scores as they are
    std::vector<std::uint8_t> missed;  // of each level; empty where no level has to learn from the row
    bool of_other_model = false;       // a score that cannot be compared with recent ones
    StreamError moved;
    Location::Means means;  // as they were
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
  ScoreWindow plain_, relative_;    // about f where it is moved, as they are, and less what was forecast
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
