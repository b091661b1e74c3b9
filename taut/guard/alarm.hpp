// Signs that what is promised does not hold for these rows. All kinds stand here: the command line, its JSON and Python take them
// from this list.
#pragma once

#include <taut/data/table.hpp>
#include <taut/guard/drift/drift_check.hpp>
#include <taut/options/options.hpp>

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace taut {

enum class AlarmKind {
  coverage,
  shift,
  unseen_categories,
  text_among_numbers,
  training_rows,
  calibration_rows,
  too_few_rows,
  crossed_predictions,
  unseen_groups,
  weights,
  no_overlap,
  empty_columns,
  repeated_rows
};

struct AlarmText {
  AlarmKind kind;
  std::string_view name;     // for programs
  std::string_view summary;  // for the docs
};

inline constexpr std::array alarm_kinds = {
    AlarmText{AlarmKind::coverage, "coverage", "the coverage found is outside the band that chance explains"},
    AlarmText{AlarmKind::shift, "shift", "inputs differ from those of the calibration rows by more than chance explains"},
    AlarmText{AlarmKind::unseen_categories, "unseen_categories", "a column has categories that the fit has not seen"},
    AlarmText{AlarmKind::text_among_numbers, "text_among_numbers",
              "a column of numbers has cells of text, which count as missing"},
    AlarmText{AlarmKind::training_rows, "training_rows", "some of the rows trained the model"},
    AlarmText{AlarmKind::calibration_rows, "calibration_rows", "some of the rows calibrated the model"},
    AlarmText{AlarmKind::too_few_rows, "too_few_rows", "too few calibration rows for a confidence: answers are infinite"},
    AlarmText{AlarmKind::crossed_predictions, "crossed_predictions",
              "rows have a lower prediction above their upper one; they are taken in order"},
    AlarmText{AlarmKind::unseen_groups, "unseen_groups", "rows are of a group that no calibration row is of"},
    AlarmText{AlarmKind::weights, "weights", "one calibration row has most of the weight"},
    AlarmText{AlarmKind::no_overlap, "no_overlap", "the rows to calibrate towards are unlike all calibration rows"},
    AlarmText{AlarmKind::empty_columns, "empty_columns",
              "columns are empty in every row, and hardly any calibration row lacked them"},
    AlarmText{AlarmKind::repeated_rows, "repeated_rows", "calibration rows are copies of training rows"},
};

struct Alarm {
  AlarmKind kind;
  std::string words;                                         // a sentence for people
  std::string column = "";                                   // which it is about, if it is about one
  std::vector<std::string> names = {};                       // of categories, or of the columns that differ
  std::vector<std::pair<std::string, double>> numbers = {};  // behind the words

  std::string_view name() const;  // of its kind
};

// One for each column.
std::vector<Alarm> alarms_of(const Mismatches& mismatches);
// One for each confidence that so many calibration rows cannot serve.
std::vector<Alarm> alarms_of_too_few_rows(Index calibration_rows, std::span<const double> confidences, double sure = 0);
// One for all rows whose lower prediction is above the upper one, or none.
std::vector<Alarm> alarms_of_crossed(Index crossed, Index rows, const FitOptions& options);
// Two populations that trees tell apart nearly always, so that no weights can make one of the other. `made`: what the model
// computes for the rows `x` of the other population; the columns named are those that differ most clearly.
Alarm alarm_of_no_overlap(const InputSummary& calibration, const std::vector<Column>& schema, const TableView& x,
                          const Matrix& made, double separation);
// From this chance of telling a new row from a calibration row on there is no overlap.
inline constexpr double nothing_in_common = 0.99;
// One for all columns that differ, or none.
std::vector<Alarm> alarms_of(const DriftCheck& check);

}  // namespace taut
