// Rows that were seen before: rows of the fit among later ones, and copies of training rows.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/guard/alarm.hpp>
#include <taut/guard/row_hash.hpp>

#include <deque>
#include <string>

namespace taut {

// Whether rows that are to evaluate or calibrate a model took part in its fit.
//
// Equal rows are no proof, because rows may repeat by chance. If the rows are new, the expected share of them in the sketch of
// the training rows is that of the calibration rows, which were not used for training. If h of m new rows and c of n others are
// found, h is hypergeometric for any data: h + c of m + n rows are found, and all of them are equally likely to be found. A
// larger h than chance explains is an alarm. The smallest number of rows whose removal makes h plausible is a lower bound on the
// rows that were not new.

class SeenRows {
 public:
  static constexpr double false_alarms = 0.001;  // at most, per file
  static constexpr Index max_streamed = 20'000;

  void train(std::vector<std::uint64_t> hashes) { training_ = RowSketch(std::move(hashes)); }
  void calibrate(std::vector<std::uint64_t> hashes);
  // A row of a stream, whose score calibrates from now on. The last `max_streamed` are kept.
  void stream(std::uint64_t hash);

  // Alarms for rows that trained the model, and for rows that calibrated it or were streamed.
  std::vector<Alarm> when_evaluating(std::span<const std::uint64_t> hashes) const;
  // Alarms for rows that trained the model. Calibrating with the same rows again is no mistake.
  std::vector<Alarm> when_calibrating(std::span<const std::uint64_t> hashes) const;

  const Found& calibration_in_training() const { return calibration_in_training_; }

  void save_training(Archive archive) const;
  void save_calibration(Archive archive) const;
  void load_training(const Archive& archive) { training_ = RowSketch::load(archive); }
  void load_calibration(const Archive& archive);
  // The rows of a stream, oldest first; none where nothing was streamed.
  std::vector<std::int64_t> streamed() const;
  void load_streamed(std::span<const std::int64_t> hashes);
  // Takes over the streamed rows of another model of the same stream.
  void take_streamed(const SeenRows& before) { streamed_ = before.streamed_; }
  bool knows_training() const { return !training_.empty(); }
  bool knows_calibration() const { return !calibration_.empty(); }

 private:
  const Found& others_in_training() const;

  RowSketch training_, calibration_;
  std::deque<std::uint64_t> streamed_;
  Found calibration_in_training_;  // calibration rows looked up among the training rows
};

// A lower bound on the number of rows that were not new; 0 if all may be new. `rate`: the probability that the bound is too high.
Index min_seen(const Found& rows, const Found& others, double rate);

// Calibration rows that are copies of training rows, as after a join that matched each row several times, or after files that
// overlap were put together. f was trained with the targets of such rows, so their errors are too small, and new rows are covered
// less often than promised.
//
// Rows also repeat by chance if few different rows are possible: a few categorical columns and a target with few values. There a
// repeated row has neighbours, rows that differ from it in one input or in the target only, and each of its values occurs in
// other rows as well. A copy lacks one of the two: no other row agrees with it in all columns but one, or one of its values
// occurs in no other row. Such copies are counted. It is an alarm if they are most of the repeated rows, and at least `min_share`
// of the calibration rows.

// Rows in the model's columns, and their targets: one number for each row, or several, row after row.
struct KnownRows {
  TableView x;
  Rows rows;
  std::vector<double> y;
};

struct RepeatedRows {
  Index calibration_rows = 0;
  Index repeated = 0;  // calibration rows that are equal to a training row
  Index copies = 0;    // of these: not explained by chance
  Index kinds = 0;     // distinct rows among the copies
  Index trained = 0;   // training rows that these are equal to

  bool is_alarming() const;
};

// Minimum share of copies among the calibration rows. If a share s are copies, at worst all of these are covered, and at level c
// a share of about (c − s) / (1 − s) of new rows. At 0.9 the loss is 0.011 for a tenth, 0.1 for a half and 0.4 for eight tenths.
// Real tables have a few copies.
inline constexpr double min_share = 0.1;
// Distinct rows among the copies. A few rows that repeat very often are a property of the table, unless each repeats only a few
// times.
inline constexpr Index min_kinds = 10, enough_kinds = 30, max_times = 20;

// `is_same`: every row both trains and calibrates, as in CV+; a row is then no copy of itself.
RepeatedRows find_repeated(const KnownRows& trained, const KnownRows& calibration, bool is_same = false);

// One or none. `sketched`: calibration rows found in the sketch of the training rows. If they are few, the exact check is
// skipped, so a fit without repeated rows costs nothing.
std::vector<Alarm> alarms_of_repeated(const Found& sketched, const KnownRows& trained, const KnownRows& calibration,
                                      bool is_same = false);
bool may_repeat(const Found& sketched);

}  // namespace taut
