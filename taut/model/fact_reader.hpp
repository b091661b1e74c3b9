// Reads the facts of rows that a kind of calibration needs: groups from columns, weights from a column or from a learnt density
// ratio, and points of a neighbourhood from the model's predictions or from inputs.
#pragma once

#include <taut/calibrate/calibration_kind.hpp>
#include <taut/calibrate/groups/function_class.hpp>
#include <taut/calibrate/groups/neighbourhood.hpp>
#include <taut/guard/alarm.hpp>
#include <taut/guard/drift/population_ratio.hpp>

#include <memory>
#include <optional>

namespace taut {

// The user's options of a calibration; they must name at most one kind. By default the kind of the model stays the same.
struct CalibrationOptions {
  std::vector<std::string> by = {};           // --by
  std::string other_groups = "whole-line";    // or "pool"
  std::string weights = {};                   // --weights: a column
  std::optional<TableView> towards = {};      // rows of another population
  std::optional<Index> local = {};            // number of neighbours; 0: a default
  std::string local_in = "prediction";        // or "inputs"
  std::string keep_together = {};             // a column
  std::vector<std::string> overlapping = {};  // columns, each by itself
  bool plain = false;                         // all rows with equal weights, whatever kind the model had before
  std::optional<bool> by_label = {};          // class-conditional: each value of the target has its own calibration scores
  std::optional<double> sure = {};            // --sure; default: the model's; 0: guarantee on average over calibration sets

  // The given options that select a kind of calibration, with the kind that each one selects.
  struct Asked {
    std::string option;  // "--by"
    CalibrationKind kind;
  };
  std::vector<Asked> asked() const;
  bool pools_others() const { return other_groups == "pool"; }
  std::string given() const;  // the first option of asked(), or ""
  std::optional<CalibrationKind> kind() const;
  // Whether calibration reads columns of groups or weights from the table, besides the columns of the model's schema.
  bool reads_further_columns(CalibrationKind so_far) const;
  void check() const;
  // Throws UsageError for an option that names the target, which new rows do not have.
  void check_target(const std::string& target) const;
};

// Throws UsageError if `sure` is positive and there is no exact guarantee of --sure for this kind of calibration.
void check_sure_of_kind(double sure, const std::string& kind, bool pools);

class FactReader {
 public:
  // Rows that were used for model selection, which determine cut points and bandwidths. Calibration rows only cut columns that
  // are no inputs of the model, and note_cuts() tells the user.
  struct Source {
    const TrainingSample& training;
    const std::vector<Column>& schema;
    const GroupedRows& cut_rows;
    std::uint64_t seed;
    int threads;
  };
  // The facts of calibration rows, with notes and alarms on them.
  struct Learnt;

  const std::string& kind() const { return to_string(kind_); }
  CalibrationKind kind_of_rows() const { return kind_; }
  bool is(CalibrationKind kind) const { return kind_ == kind; }
  bool is_plain() const { return is(CalibrationKind::plain); }
  bool is_by_group() const { return is(CalibrationKind::by_group); }
  bool counts_groups() const { return is(CalibrationKind::hierarchical); }  // each group counts once
  bool uses_keys() const { return is(CalibrationKind::local); }             // needs random numbers of rows (RowFacts::keys)
  // The facts that calibration rows have.
  bool has_groups() const { return is_by_group() || counts_groups(); }
  bool has_weights() const { return is(CalibrationKind::weighted) || is(CalibrationKind::towards); }
  bool has_points() const { return is(CalibrationKind::local) || is(CalibrationKind::overlapping); }
  const GroupColumns& groups() const { return groups_; }
  // The columns that define the groups, overlapping or not: "region, age:5".
  std::string describe_groups() const { return is(CalibrationKind::overlapping) ? functions_.describe() : groups_.describe(); }
  const CalibrationSettings& settings() const { return settings_; }
  // Columns that a table must have besides those of the task. Inputs that define groups are among them, with all categories of
  // the calibration rows.
  std::vector<Column> columns_to_predict() const;
  std::vector<Column> columns_to_calibrate() const;

  // Sets the kind by the options; without such an option the kind, its columns and its cut points stay. `outputs_of_others`: the
  // model's outputs for the rows of options.towards, if there are any.
  Learnt learn(const CalibrationOptions& options, const GroupedRows& rows, const Source& source, const Matrix& outputs_of_others);
  RowFacts facts(const GroupedRows& rows, int threads, UnseenGroups* unseen = nullptr) const;

  void save(Archive archive, const RowFacts& facts) const;
  // `known`: the input columns, whose number is `inputs`, followed by further columns.
  static FactReader load(const Archive& archive, const std::vector<Column>& known, Index inputs, Index outputs,
                         std::uint64_t seed);
  // The facts of `rows` calibration rows. Throws Error for a damaged file.
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
  Index wanted_neighbours_ = 0;  // 0: a default
  CalibrationSettings settings_;
};

struct FactReader::Learnt {
  RowFacts facts;
  std::vector<std::string> notes = {};  // sentences for the user
  std::vector<Alarm> alarms = {};
  double separation = 0.5;  // of the two populations; see PopulationRatio
};

}  // namespace taut
