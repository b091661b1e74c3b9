// Calibration rows that are copies of training rows, as after a join that matched each row several times, or after files that
// overlap were put together. f has seen the targets of such rows, so their errors are too small, and new rows are covered less
// often than promised.
//
// Rows repeat in honest tables too, where there are few possible rows: a few columns of categories and a target with few values.
// There a row that comes twice has neighbours, rows that differ from it in one column only, and each of its values occurs in
// other rows as well. A copy has neither: it agrees with a row in all columns, although hardly any row agrees with it in all but
// one, or although a value of it occurs in no other row. Repeated rows of this second kind are counted. Where they are most of
// the repeated rows, and more than `least_share` of the calibration rows, it is an alarm.
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

  bool is_alarming() const;
};

// Of the calibration rows. s of them that are copies can cost about s of the coverage: below a twentieth, less than half of what
// a level of 0.9 leaves uncovered. Real tables have a few copies.
inline constexpr double least_share = 0.05;
inline constexpr Index least_copies = 10;  // different rows

// `is_same`: every row both trains and calibrates, as in CV+; a row is then no copy of itself.
RepeatedRows find_repeated(const KnownRows& trained, const KnownRows& calibration, bool is_same = false);

// One or none. `sketched`: what the sketch of training rows found of the calibration rows. Where that is little, nothing else is
// looked at; so a fit of rows that do not repeat pays nothing.
std::vector<Alarm> alarms_of_repeated(const Found& sketched, const KnownRows& trained, const KnownRows& calibration,
                                      bool is_same = false);
bool may_repeat(const Found& sketched);

}  // namespace taut
