// How the facts that a kind of calibration asks for are read from rows: groups from columns, weights from a column or learnt,
// places from what the model predicts.
#pragma once

#include <taut/calibrate/calibration_kind.hpp>
#include <taut/calibrate/groups/function_class.hpp>
#include <taut/calibrate/groups/neighbourhood.hpp>
#include <taut/guard/alarm.hpp>
#include <taut/guard/drift/population_ratio.hpp>

#include <memory>
#include <optional>

namespace taut {

// What a user says about calibration; at most one kind at a time. Nothing: as the model is calibrated already.
struct CalibrationOptions {
  std::vector<std::string> by = {};           // --by
  std::string other_groups = "whole-line";    // or "pool"
  std::string weights = {};                   // --weights: a column
  std::optional<TableView> towards = {};      // rows of another population
  std::optional<Index> local = {};            // how many rows are to count; 0: our choice
  std::string local_in = "prediction";        // or "inputs"
  std::string keep_together = {};             // a column
  std::vector<std::string> overlapping = {};  // columns, each by itself
  bool plain = false;                         // every row counts alike, whatever the model had before
  std::optional<bool> by_label = {};          // each value of the target has calibration scores of its own
  std::optional<double> sure = {};            // --sure; nothing: as the model has it, 0: on average over calibration sets

  // Every option that is given and says which rows count, with the kind that it asks for.
  struct Asked {
    std::string option;  // "--by"
    CalibrationKind kind;
  };
  std::vector<Asked> asked() const;
  bool pools_others() const { return other_groups == "pool"; }
  std::string given() const;  // the first of them, or ""
  std::optional<CalibrationKind> kind() const;
  // Whether calibration reads columns that the model does not know yet: groups and weights are found in the file itself.
  bool reads_further_columns(CalibrationKind so_far) const;
  void check() const;
  // Throws UsageError for an option that looks at the target, which new rows do not have.
  void check_target(const std::string& target) const;
};

// Throws UsageError for a kind of calibration that --sure has no exact statement for.
void check_sure_of_kind(double sure, const std::string& kind, bool pools);

class FactReader {
 public:
  // Where rows may choose: cut points, bandwidths.
  struct Source {
    const TrainingSample& training;
    const std::vector<Column>& schema;
    const GroupedRows& cut_rows;
    std::uint64_t seed;
    int threads;
  };
  // The facts of calibration rows, and words about them.
  struct Learnt;

  const std::string& kind() const { return to_string(kind_); }
  CalibrationKind kind_of_rows() const { return kind_; }
  bool is(CalibrationKind kind) const { return kind_ == kind; }
  bool is_plain() const { return is(CalibrationKind::plain); }
  bool is_by_group() const { return is(CalibrationKind::by_group); }
  bool counts_groups() const { return is(CalibrationKind::hierarchical); }  // a group counts once, whatever its rows
  bool uses_keys() const { return is(CalibrationKind::local); }             // random numbers of rows (RowFacts::keys)
  // Which facts calibration rows have.
  bool has_groups() const { return is_by_group() || counts_groups(); }
  bool has_weights() const { return is(CalibrationKind::weighted) || is(CalibrationKind::towards); }
  bool has_points() const { return is(CalibrationKind::local) || is(CalibrationKind::overlapping); }
  const GroupColumns& groups() const { return groups_; }
  // "region, age:5": what makes groups, overlapping or not.
  std::string groups_in_words() const { return is(CalibrationKind::overlapping) ? functions_.in_words() : groups_.in_words(); }
  const CalibrationSettings& settings() const { return settings_; }
  // Columns that tables must have besides those that prediction needs, and inputs with the values that groups know of them.
  std::vector<Column> columns_to_predict() const;
  std::vector<Column> columns_to_calibrate() const;

  // Decides the kind by the options; without any the kind stays, with its columns and cuts. `outputs_of_others`: what the model
  // makes of the rows of options.towards, where there are any.
  Learnt learn(const CalibrationOptions& options, const GroupedRows& rows, const Source& source, const Matrix& outputs_of_others);
  RowFacts facts(const GroupedRows& rows, int threads, UnseenGroups* unseen = nullptr) const;

  void save(Archive archive, const RowFacts& facts) const;
  // `known`: the inputs, of which there are so many, and the further columns.
  static FactReader load(const Archive& archive, const std::vector<Column>& known, Index inputs, Index outputs,
                         std::uint64_t seed);
  // Of as many calibration rows; what makes no sense is an Error.
  RowFacts load_facts(const Archive& archive, Index rows) const;

 private:
  void choose(const CalibrationOptions& options, const GroupedRows& rows, const Source& source, Learnt& learnt);
  void choose_groups(const CalibrationOptions& options, const GroupedRows& rows, const Source& source, Learnt& learnt);
  void note_cuts(const std::vector<std::string>& columns, const Source& source, Learnt& learnt) const;
  void choose_neighbours(const CalibrationOptions& options, const GroupedRows& rows, const Source& source, Learnt& learnt);
  std::vector<double> weights_of(const GroupedRows& rows) const;

  CalibrationKind kind_ = CalibrationKind::plain;
  GroupColumns groups_;
  Column weight_;
  PopulationRatio ratio_;
  Neighbourhood neighbourhood_;
  FunctionClass functions_;
  Index wanted_neighbours_ = 0;  // 0: our choice
  CalibrationSettings settings_;
};

struct FactReader::Learnt {
  RowFacts facts;
  std::vector<std::string> notes = {};  // sentences for the user
  std::vector<Alarm> alarms = {};
  double separation = 0.5;  // of the two populations, see PopulationRatio
};

}  // namespace taut
