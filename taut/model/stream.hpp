// Rows that come one after another: each is predicted, then learnt from as soon as its target is known.
#pragma once

#include <taut/calibrate/row_score.hpp>
#include <taut/time/control/level_stream.hpp>

#include <optional>
#include <string>
#include <vector>

namespace taut {

// How a stream goes on. What is not given stays as the model has it.
struct StreamOptions {
  std::optional<std::string> controller = {};
  std::optional<Index> window = {};
  std::optional<double> half_life = {};
  std::optional<Index> delay = {};
  std::optional<bool> scorecast = {};
  std::optional<bool> recentre = {};
  std::optional<bool> at_least = {};
  std::optional<Index> refit_every = {};  // 0: never
  std::optional<Index> refit_rows = {};   // at most so many of the last rows train
  std::optional<Index> refit_lag = {};    // so many rows later the new model takes over; a tenth of refit_every where not given
  bool allow_older = false;               // rows that are older than the latest that the model has seen
  // Whether training goes on beside the stream, on threads of its own, until the new model takes over: for rows that somebody
  // waits for. The same bits with and without.
  bool trains_beside = false;

  StreamSettings applied_to(StreamSettings settings) const;
};

struct FitOptions;  // taut/options/options.hpp

// The stream of a model after new calibration rows, of which these are the scores: one that has begun keeps its settings, and its
// levels begin anew. None where there was none and rows do not come in order, and where the calibration is not plain. What people
// should know is added to `notes`.
std::optional<LevelStream> restarted_stream(const std::optional<LevelStream>& before, const FitOptions& options,
                                            const std::vector<SignedScore>& scores, bool is_plain,
                                            std::vector<std::string>& notes);

// What a row left behind.
struct StreamRecord {
  std::optional<SignedScore> score = {};   // none without a target
  std::optional<StreamError> moved = {};   // none where nothing is moved
  std::optional<Index> covered_from = {};  // the first of the stream's levels whose set held the target; none: by the score
  std::optional<std::uint64_t> hash = {};  // of its inputs and its target, see row_hash.hpp; none without a target
  double latest = -infinity;               // of all times up to this row
  std::vector<double> cells = {};          // of the columns that later rows or a later fit ask for
};

// What was said of each row before its target was learnt.
struct Streamed {
  virtual ~Streamed() = default;

  std::vector<double> prediction;
  std::vector<double> levels;
  std::vector<Interval> intervals;  // rows x levels, row-major
  std::vector<double> asked;        // rows x levels: the confidence that stood for the level
  std::vector<double> y;            // in the intervals' terms; NaN where the target is not known
  std::vector<StreamRecord> records = {};
  Index repeated_times = 0;  // rows whose time the row before has

  Index rows() const { return std::ssize(prediction); }
  const Interval& at(Index row, std::size_t level) const {
    return intervals[static_cast<std::size_t>(row) * levels.size() + level];
  }
  Index targets() const;
};

}  // namespace taut
