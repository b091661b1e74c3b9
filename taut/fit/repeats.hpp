// f is trained again over other partitions of the same rows, and its members are added. (Averages over partitions depend less on
// the luck of one, and each row gets the mean of several out-of-fold predictions.)
#pragma once

#include <taut/calibrate/row_score.hpp>
#include <taut/fit/stack.hpp>

#include <functional>

namespace taut {

class Repeats {
 public:
  // `trained` is the first of the repeats. All arguments must outlive this. `groups`: of the rows, see other_folds().
  Repeats(TrainedStack& trained, const StackRows& rows, FoldInputs& inputs, RowsView groups, const PredictorSettings& settings,
          const ExecutionContext& context);

  Index done() const { return done_; }
  // The expected duration of the next one in seconds.
  double seconds() const { return seconds_; }
  // Trains the members of the stack once more. Their out-of-fold predictions become means over all repeats, and the weights of
  // the stack come from these. Changes nothing and returns false if gives_up() became true while it trained.
  bool add(const std::function<bool()>& gives_up = {});
  // Of each row: how far the out-of-fold predictions of the stack's members lie apart, mean over repeats.
  std::vector<double> disagreement() const;

 private:
  std::vector<StackCandidate> candidates() const;
  std::vector<std::vector<double>> held_out() const;  // predictions by member, mean over repeats
  void average(const std::vector<TrainedCandidate>& own, const Rows& order);
  void weigh();

  TrainedStack& trained_;
  const StackRows& rows_;
  FoldInputs& inputs_;
  RowsView groups_;
  const PredictorSettings& settings_;
  const ExecutionContext& context_;
  std::vector<std::vector<std::vector<double>>> held_out_;  // by repeat and member; empty after the first repeat
  std::vector<std::size_t> records_;                        // of each member, its position in the record of the stack
  Index done_ = 1;
  double seconds_ = 0;
};

// Whether f is trained once more, instead of as often as the options say. `out_of_sample` computes the predictions so far for
// plan.transform. While f is trained, gives_up() may end that.
struct WantsRepeat {
  std::function<bool(const Repeats& repeats, const std::function<RowPredictions()>& out_of_sample)> another{};
  std::function<bool()> gives_up{};
};

}  // namespace taut
