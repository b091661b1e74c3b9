// Calibration rows that are copies of training rows, as after a join that matched each row several times, or after files that
// overlap were put together. f has seen the targets of such rows, so their errors are too small, and new rows are covered less
// often than promised.
//
// Rows repeat in honest tables too, where there are few possible rows: a few columns of categories and a target with few values.
// There a row that comes twice has neighbours, rows that differ from it in one input or in the target only, and each of its
// values occurs in other rows as well. A copy lacks one of the two: it agrees with a row in all columns although no other row
// agrees with it in all but one, or although one of its values occurs in no other row. Such copies are counted. Where they are
// most of the repeated rows, and at least `least_share` of the calibration rows, it is an alarm.
#pragma once

#include <taut/model/alarm.hpp>
#include <taut/model/row_sketch.hpp>

namespace taut {

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
