// Alarms: signs that the guarantee does not hold for these rows. The command line, its JSON and Python take all kinds from this
// list.
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
  unusable_columns,
  repeated_rows,
  outside_rows
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
              "rows have a lower prediction above their upper one; the two are swapped"},
    AlarmText{AlarmKind::unseen_groups, "unseen_groups", "rows belong to a group without calibration rows"},
    AlarmText{AlarmKind::weights, "weights", "one calibration row has most of the weight"},
    AlarmText{AlarmKind::no_overlap, "no_overlap", "the rows to calibrate towards are unlike all calibration rows"},
    AlarmText{AlarmKind::empty_columns, "empty_columns",
              "columns are empty in every row, and hardly any calibration row lacked them"},
    AlarmText{AlarmKind::unusable_columns, "unusable_columns",
              "no cell of a column can be used: all categories are new, or no text can be read"},
    AlarmText{AlarmKind::repeated_rows, "repeated_rows", "calibration rows are copies of training rows"},
    AlarmText{AlarmKind::outside_rows, "outside_rows", "rows have numbers beyond those of all calibration rows"},
};

struct Alarm {
  AlarmKind kind;
  std::string words;                                         // a sentence for people
  std::string column = {};                                   // the column, if the alarm is about one
  std::vector<std::string> names = {};                       // of categories, or of the columns that differ
  std::vector<std::pair<std::string, double>> numbers = {};  // the numbers in the sentence

  std::string_view name() const;  // of its kind
};

// One for each column with mismatches.
std::vector<Alarm> alarms_of(const Mismatches& mismatches);
// One for each confidence for which there are too few calibration rows.
// `words`: the sentence of the question that has too few.
Alarm alarm_of_too_few_rows(std::string words, Index calibration_rows);
std::vector<Alarm> alarms_of_too_few_rows(Index calibration_rows, std::span<const double> confidences, double sure = 0);
// For rows with infinite answers, because too few calibration rows count for them.
Alarm alarm_of_infinite_answers(Index infinite, Index rows);
// One for all rows whose lower prediction is above the upper one, or none.
std::vector<Alarm> alarms_of_crossed(Index crossed, Index rows, const FitOptions& options);
// For two populations that a classifier separates almost perfectly, so that no weights can turn one into the other. `check`: of
// the calibration rows; `made`: the model's outputs for the rows `x` of the other population. The alarm names the columns that
// differ most clearly.
Alarm alarm_of_no_overlap(DriftCheck check, const TableView& x, const Matrix& made, double separation);
// Above this separation (the area under the ROC curve of the classifier) there is no overlap.
inline constexpr double no_overlap_separation = 0.99;
// One for all columns that differ, or none.
std::vector<Alarm> alarms_of(const DriftCheck& check);

}  // namespace taut
