// Rows that were met before: rows of the fit among later ones, and copies of training rows.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/guard/alarm.hpp>
#include <taut/guard/row_hash.hpp>

#include <deque>
#include <string>

namespace taut {

// Whether rows that are to evaluate or calibrate a model took part in its fit.
//
// Equal rows are no proof: data repeat. If the rows are new, as many of them are found in the sketch of the training rows as of
// the calibration rows, which did not train. Of h rows found among m new ones and c among n others the first number has a
// hypergeometric law, whatever the data are: h + c rows are found among m + n, and each is as likely to be one as another. More
// than that law explains is the alarm, and the least number of rows that, taken away, leaves what it does explain is a lower
// bound on the rows that were not new.

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

// Calibration rows that are copies of training rows, as after a join that matched each row several times, or after files that
// overlap were put together. f has seen the targets of such rows, so their errors are too small, and new rows are covered less
// often than promised.
//
// Rows repeat in honest tables too, where there are few possible rows: a few columns of categories and a target with few values.
// There a row that comes twice has neighbours, rows that differ from it in one input or in the target only, and each of its
// values occurs in other rows as well. A copy lacks one of the two: it agrees with a row in all columns although no other row
// agrees with it in all but one, or although one of its values occurs in no other row. Such copies are counted. Where they are
// most of the repeated rows, and at least `least_share` of the calibration rows, it is an alarm.

// Rows in the model's columns, and their targets.
struct KnownRows {
  TableView x;
  Rows rows;
  std::vector<double> y;
};

struct RepeatedRows {
  Index calibration_rows = 0;
  Index repeated = 0;  // that are equal to a training row
  Index copies = 0;    // of these: not explained by how often rows repeat by chance
  Index kinds = 0;     // different rows among the copies
  Index trained = 0;   // training rows that these are equal to

  bool is_alarming() const;
};

// Of the calibration rows. If a share s of them are copies, at worst all of these are covered, and of new rows at a level c about
// (c − s) / (1 − s): a tenth costs 0.011 at 0.9, a half 0.1, eight tenths 0.4. Real tables have a few copies.
inline constexpr double least_share = 0.1;
// Different rows among the copies. A handful of rows that come again and again are what the table is made of, unless each comes a
// few times only.
inline constexpr Index least_kinds = 10, enough_kinds = 30, most_times = 20;

// `is_same`: every row both trains and calibrates, as in CV+; a row is then no copy of itself.
RepeatedRows find_repeated(const KnownRows& trained, const KnownRows& calibration, bool is_same = false);

// One or none. `sketched`: what the sketch of training rows found of the calibration rows. Where that is little, nothing else is
// looked at; so a fit of rows that do not repeat pays nothing.
std::vector<Alarm> alarms_of_repeated(const Found& sketched, const KnownRows& trained, const KnownRows& calibration,
                                      bool is_same = false);
bool may_repeat(const Found& sketched);

}  // namespace taut
