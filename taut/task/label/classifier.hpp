// Sets of labels, for a target that is one of a few labels.
#pragma once

#include <taut/model/model.hpp>
#include <taut/task/label/label_options.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace taut {

// Probabilities and sets of many rows, for every level asked for.
struct PredictedSets {
  Matrix probabilities;           // rows x labels
  std::vector<Index> prediction;  // the most probable label
  std::vector<double> levels;
  std::vector<std::uint8_t> members;  // rows x levels x labels: 1 where the set holds the label
  UnseenGroups unseen = {};           // rows of groups without calibration rows

  Index classes() const { return probabilities.cols(); }
  std::span<const std::uint8_t> set(Index row, std::size_t level) const {
    const auto labels = static_cast<std::size_t>(classes());
    return std::span(members).subspan((static_cast<std::size_t>(row) * levels.size() + level) * labels, labels);
  }
  Index size(Index row, std::size_t level) const;
};

// Sets of one level in detail.
struct SetBreakdown {
  std::vector<CoverageLine> by_label, by_size;
  // Rows of a true label whose sets hold another: labels x labels, shares of the rows of the first.
  Matrix confusion;
};

struct LabelEvaluation : Evaluation {
  std::vector<std::string> labels;
  Index unknown_labels = 0;              // rows whose label no training row had
  Figures probabilities;                 // how good they are: accuracy, log loss, ...
  std::vector<SetBreakdown> breakdowns;  // of each level in turn

 private:
  std::string metric_summary(const std::string& name) const override;
  void add_facts(Value& evaluation) const override;
  void add_level_facts(std::size_t level, Value& report) const override;
  std::string describe_more() const override;
};

struct SetAskOptions {
  std::optional<std::uint64_t> smoothing = {};  // a seed: ranks are drawn, so that coverage is exact on average
  Index first_row = 0;                          // of one batch of many, in models of earlier versions
};

// What a stream said of each row before its label was learnt. As intervals as long as the set, which hold the target 1/2 where
// the set holds the label, so that whatever judges and keeps streams of numbers does the same for labels.
struct StreamedSets : Streamed {
  PredictedSets sets;
  std::vector<Index> labels;  // -1: not known; classes() and more: one that the model does not know

  static Interval interval_of(const PredictedSets& sets, Index row, std::size_t level, Index label);
};

// What was chosen on rows for model selection.
struct LabelRecord {
  double inverse_temperature = 1;  // of logits as they are given or, where they are mended, after that
  bool mended = false;             // given probabilities, by boosted trees
  double loss_without = missing, loss_with = missing, loss_error = missing;  // see MendedLogits::Fitted, ClassPredictor::Fitted
  bool trained = false;                                                      // g, and kept
  std::string objective;                                      // that g was trained by: size, conditional; empty: nothing to train
  double without = missing, with = missing, error = missing;  // see SetShift::Fitted
};

class LabelTask;

class Classifier : public Model {
 public:
  static Classifier fit(const TableView& table, const FitOptions& options, const LabelOptions& label_options = {},
                        const ExecutionContext& context = {}, const std::optional<TableView>& calibration = {});
  // A model that predicts labels; an Error for any other.
  explicit Classifier(Model model);

  Matrix probabilities(const TableView& table, const ExecutionContext& context = {}) const;
  PredictedSets predict_sets(const TableView& table, std::span<const double> levels, const ExecutionContext& context = {},
                             const SetAskOptions& asked = {}) const;
  LabelEvaluation evaluate(const TableView& table, std::span<const double> levels, const ExecutionContext& context = {},
                           const std::vector<std::string>& by = {}) const;
  // As those of Model: levels move, scores are those of the true labels.
  StreamedSets stream(const TableView& rows, std::span<const double> levels, const StreamOptions& options = {},
                      const ExecutionContext& context = {});
  StreamedSets update(const TableView& rows, const StreamOptions& options = {}, const ExecutionContext& context = {},
                      std::span<const double> levels = {});

  const LabelOptions& label_options() const;
  const std::vector<std::string>& labels() const;
  const LabelRecord& label_record() const;
  Index trees() const;  // of f; 0 where probabilities are given
  // Members of f and how much each counts: boost, and where they are better together logistic and boost_from_logistic.
  std::vector<std::pair<std::string, double>> predictor_members() const;
  std::string predictor_in_words() const;  // "boosted trees (550 trees)"; empty where probabilities are given
  Index mended_trees() const;              // of those that correct given probabilities; 0: none
  Index members() const;                   // of g; 0: none
  bool by_label() const;

  static Classifier load(const std::string& path);
  static Classifier from_bytes(std::string_view bytes);

 private:
  const LabelTask& labels_task() const;  // the constructor has looked
};

}  // namespace taut
