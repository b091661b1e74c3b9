// Whether rows that are to evaluate or calibrate a model took part in its fit.
//
// Equal rows are no proof: data repeat. If the rows are new, as many of them are found in the sketch of the training rows as of
// the calibration rows, which did not train. Of h rows found among m new ones and c among n others the first number has a
// hypergeometric law, whatever the data are: h + c rows are found among m + n, and each is as likely to be one as another. More
// than that law explains is the alarm, and the least number of rows that, taken away, leaves what it does explain is a lower
// bound on the rows that were not new.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/model/alarm.hpp>
#include <taut/model/row_sketch.hpp>

#include <deque>
#include <string>

namespace taut {

class SeenRows {
 public:
  static constexpr double false_alarms = 0.001;  // at most, per file
  static constexpr Index most_streamed = 20'000;

  void train(std::vector<std::uint64_t> hashes) { training_ = RowSketch(std::move(hashes)); }
  void calibrate(std::vector<std::uint64_t> hashes);
  // A row of a stream, whose score calibrates from now on. The last `most_streamed` are kept.
  void stream(std::uint64_t hash);

  // Rows that trained, and rows that calibrated or were streamed.
  std::vector<Alarm> when_evaluating(std::span<const std::uint64_t> hashes) const;
  // Rows that trained. To calibrate with the same rows again is no mistake.
  std::vector<Alarm> when_calibrating(std::span<const std::uint64_t> hashes) const;

  const Found& calibration_in_training() const { return calibration_in_training_; }

  void save_training(Archive archive) const;
  void save_calibration(Archive archive) const;
  void load_training(const Archive& archive) { training_ = RowSketch::load(archive); }
  void load_calibration(const Archive& archive);
  // The rows of a stream, oldest first; none where nothing was streamed.
  std::vector<std::int64_t> streamed() const;
  void load_streamed(std::span<const std::int64_t> hashes);
  // Goes on with the rows that another model of the same stream has seen.
  void take_streamed(const SeenRows& before) { streamed_ = before.streamed_; }
  bool knows_training() const { return !training_.empty(); }
  bool knows_calibration() const { return !calibration_.empty(); }

 private:
  const Found& others_in_training() const;

  RowSketch training_, calibration_;
  std::deque<std::uint64_t> streamed_;
  Found calibration_in_training_;  // calibration rows looked up among the training rows
};

// A lower bound on the new rows that were not drawn like the others; 0 where all may have been. `rate`: the probability that it
// is too high.
Index least_seen(const Found& rows, const Found& others, double rate);

}  // namespace taut
