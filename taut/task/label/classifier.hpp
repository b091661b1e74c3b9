// A model of a target that is one of a few labels: probabilities and prediction sets.
#pragma once

#include <taut/model/model.hpp>
#include <taut/task/label/label_options.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace taut {

// Probabilities and sets of rows, for every requested level.
struct PredictedSets {
  Matrix probabilities;           // rows x labels
  std::vector<Index> prediction;  // the most probable label
  std::vector<double> levels;
  std::vector<std::uint8_t> members;    // rows x levels x labels: 1 if the set contains the label
  std::vector<std::uint8_t> completed;  // rows x levels: 1 if the exact set is empty and one label was added
  UnseenGroups unseen = {};             // rows of groups without calibration rows

  Index classes() const { return probabilities.cols(); }
  std::span<const std::uint8_t> set(Index row, std::size_t level) const {
    const auto labels = static_cast<std::size_t>(classes());
    return std::span(members).subspan((static_cast<std::size_t>(row) * levels.size() + level) * labels, labels);
  }
  Index size(Index row, std::size_t level) const;
  bool is_completed(Index row, std::size_t level) const {
    return completed[static_cast<std::size_t>(row) * levels.size() + level] != 0;
  }
};

// Details of the sets of one level.
struct SetBreakdown {
  std::vector<CoverageLine> by_label, by_size;
  // labels x labels: the share of rows with the true label i whose sets contain the label j.
  Matrix confusion;
};

struct LabelEvaluation : Evaluation {
  std::vector<std::string> labels;
  Index unknown_labels = 0;              // number of rows whose label no training row had
  Figures probabilities;                 // metrics of the probabilities: accuracy, log loss, ...
  std::vector<SetBreakdown> breakdowns;  // one for each level

 private:
  std::string metric_summary(const std::string& name) const override;
  void add_facts(Value& evaluation) const override;
  void add_level_facts(std::size_t level, Value& report) const override;
  std::string describe_more() const override;
};

// A set at a level contains the labels whose p-value exceeds 1 − level. This exact set has the exact distribution of the
// coverage, and it may be empty. By default an empty set gets the label with the largest p-value, which is the most probable one
// if all labels have the same cut-off. Sets stay nested, and the coverage can only grow.
struct SetAskOptions {
  std::optional<std::uint64_t> smoothing = {};  // seed of randomised ranks, which make the mean coverage exact
  Index first_row = 0;                          // number of the table's first row; used by models of earlier versions
  bool allow_empty = false;                     // exact sets
};

// The sets of a stream, each made before the label of its row was known. They are also stored as intervals whose length is the
// size of the set and which contain the target 0.5 if the set contains the label. The code for streams of numbers then works for
// labels.
struct StreamedSets : Streamed {
  PredictedSets sets;
  std::vector<Index> labels;  // -1: not known yet; classes() and more: no label of the model

  static Interval interval_of(const PredictedSets& sets, Index row, std::size_t level, Index label);
};

// The results of model selection.
struct LabelRecord {
  double inverse_temperature = 1;  // of the logits, after their correction if there is one
  bool corrected = false;          // given probabilities are corrected by boosted trees
  // See CorrectedLogits::Fitted and ClassPredictor::Fitted.
  double loss_without = missing, loss_with = missing, loss_error = missing;
  bool trained = false;                                       // g was trained and kept
  std::string objective;                                      // objective of g: size, conditional; empty: g was not trained
  double without = missing, with = missing, error = missing;  // see SetShift::Fitted
};

class LabelTask;

class Classifier : public Model {
 public:
  static Classifier fit(const TableView& table, const FitOptions& options, const LabelOptions& label_options = {},
                        const ExecutionContext& context = {}, const std::optional<TableView>& calibration = {});
  // Throws Error if the model does not predict labels.
  explicit Classifier(Model model);

  Matrix probabilities(const TableView& table, const ExecutionContext& context = {}) const;
  PredictedSets predict_sets(const TableView& table, std::span<const double> levels, const ExecutionContext& context = {},
                             const SetAskOptions& asked = {}) const;
  LabelEvaluation evaluate(const TableView& table, std::span<const double> levels, const ExecutionContext& context = {},
                           const std::vector<std::string>& by = {}, bool allow_empty = false) const;
  // See Model. The scores are those of the true labels.
  StreamedSets stream(const TableView& rows, std::span<const double> levels, const StreamOptions& options = {},
                      const ExecutionContext& context = {});
  StreamedSets update(const TableView& rows, const StreamOptions& options = {}, const ExecutionContext& context = {},
                      std::span<const double> levels = {});

  const LabelOptions& label_options() const;
  const std::vector<std::string>& labels() const;
  const LabelRecord& label_record() const;
  Index trees() const;  // of f; 0 if probabilities are given
  // Members of f and their weights: boost, and also logistic and boost_from_logistic if they improve f.
  std::vector<std::pair<std::string, double>> predictor_members() const;
  std::string describe_predictor() const;  // "boosted trees (550 trees)"; empty if probabilities are given
  Index correction_trees() const;          // number of trees that correct given probabilities
  Index members() const;                   // of g; 0: there is no g
  bool by_label() const;

  static Classifier load(const std::string& path);
  static Classifier from_bytes(std::string_view bytes);

 private:
  const LabelTask& labels_task() const;  // the constructor has checked the type
};

}  // namespace taut
