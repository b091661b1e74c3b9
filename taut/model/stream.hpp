// Online prediction: each row is predicted, and its target updates the levels as soon as it is known.
#pragma once

#include <taut/calibrate/row_score.hpp>
#include <taut/time/control/level_stream.hpp>

#include <optional>
#include <string>
#include <vector>

namespace taut {

// The user's settings of a stream. A setting that is not given stays as the model has it.
struct StreamOptions {
  std::optional<std::string> controller = {};
  std::optional<Index> window = {};
  std::optional<double> half_life = {};
  std::optional<Index> delay = {};
  std::optional<bool> scorecast = {};
  std::optional<bool> recentre = {};
  std::optional<bool> at_least = {};
  std::optional<Index> refit_every = {};  // 0: never
  std::optional<Index> refit_rows = {};   // maximal number of recent rows that a refit trains on
  std::optional<Index> refit_lag = {};    // rows between the begin of a refit and its first use; default: refit_every / 10
  bool allow_older = false;               // accepts rows that are older than the latest that the model has seen
  bool allow_empty = false;               // sets without any label stay empty: see SetAskOptions
  // Whether a refit runs on other threads while the stream goes on, so that no row has to wait for it. The results are the same.
  bool refits_in_background = false;

  StreamSettings applied_to(StreamSettings settings) const;
};

struct FitOptions;  // taut/options/options.hpp

// The stream of a model after new calibration rows with these scores. A stream that has begun keeps its settings; its levels are
// reset. Returns nothing if the calibration is not plain, or if there was no stream and rows do not come in order. Adds sentences
// for the user to `notes`.
std::optional<LevelStream> restarted_stream(const std::optional<LevelStream>& before, const FitOptions& options,
                                            const std::vector<SignedScore>& scores, bool is_plain,
                                            std::vector<std::string>& notes);

// What a stream keeps of a row.
struct StreamRecord {
  std::optional<SignedScore> score = {};   // empty without a target
  std::optional<StreamError> moved = {};   // the error of f; empty if intervals are not recentred
  std::optional<Index> covered_from = {};  // the first of the stream's levels whose set contains the target; empty: use `score`
  std::optional<std::uint64_t> hash = {};  // of inputs and target, see row_hash.hpp; empty without a target
  double latest = -infinity;               // the latest time up to this row
  std::vector<double> cells = {};          // of the columns that later rows or a refit need
};

// The predictions of a stream, each made before the target of its row was known.
struct Streamed {
  virtual ~Streamed() = default;

  std::vector<double> prediction;
  std::vector<double> levels;
  std::vector<Interval> intervals;  // rows x levels, row-major
  std::vector<double> asked;        // rows x levels: the adapted level that was used instead of the requested one
  std::vector<double> y;            // on the scale of the intervals; NaN if the target is not known
  std::vector<StreamRecord> records = {};
  Index repeated_times = 0;  // number of rows with the same time as the row before
  bool allow_empty = false;  // of the StreamOptions

  Index rows() const { return std::ssize(prediction); }
  const Interval& at(Index row, std::size_t level) const {
    return intervals[static_cast<std::size_t>(row) * levels.size() + level];
  }
  Index targets() const;
};

}  // namespace taut
