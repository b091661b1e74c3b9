#include <taut/fit/repeats.hpp>

#include <taut/core/format.hpp>
#include <taut/core/threads.hpp>
#include <taut/core/trace.hpp>
#include <taut/fit/disagreement.hpp>
#include <taut/plan/other_folds.hpp>

#include <algorithm>
#include <chrono>

namespace taut {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

ExecutionContext context_of_repeat(const ExecutionContext& context, Index repeat, const std::function<bool()>& gives_up) {
  ExecutionContext own = context;
  own.details = {};  // it has been said of the first
  if (context.progress)
    own.progress = [&context, repeat](std::string_view stage, double done) {
      context.progress(format_text("{}, repeat {}", stage, print_count(repeat)), done);
    };
  if (gives_up) own.cancelled = [&context, gives_up] { return gives_up() || (context.cancelled && context.cancelled()); };
  return own;
}

// Predictions of `order`, one row of outputs after another, in the order of the rows.
std::vector<double> in_order_of_rows(const std::vector<double>& predictions, const Rows& order, std::size_t outputs) {
  std::vector<double> of_rows(predictions.size());
  for (std::size_t i = 0; i < predictions.size(); ++i)
    of_rows[static_cast<std::size_t>(order[i / outputs]) * outputs + i % outputs] = predictions[i];
  return of_rows;
}

}  // namespace

Repeats::Repeats(TrainedStack& trained, const StackRows& rows, FoldInputs& inputs, RowsView groups,
                 const PredictorSettings& settings, const ExecutionContext& context)
    : trained_(trained), rows_(rows), inputs_(inputs), groups_(groups), settings_(settings), context_(context) {
  std::size_t position = 0;
  for (const StackMemberRecord& member : trained.record) {
    if (member.weight > 0) records_.push_back(position);
    ++position;
  }
  for (const TrainedCandidate& member : trained.members) seconds_ += member.seconds;
  const auto jobs = static_cast<int>(std::min<std::size_t>(1'000'000, trained.members.size() * rows.folds.size()));
  if (rows.loss == nullptr) seconds_ /= std::clamp(jobs, 1, resolve_threads(context.threads));
}

std::vector<StackCandidate> Repeats::candidates() const {
  std::vector<StackCandidate> result;
  for (const TrainedCandidate& member : trained_.members) {
    const FoldedPredictor& own = member.predictor;
    result.push_back({own.name(), own.scale_name(), own.limits().exist(), own.units()});
  }
  return result;
}

bool Repeats::add(const std::function<bool()>& gives_up) {
  const Traced traced("repeat f");
  const auto start = Clock::now();
  inputs_.free_pools();
  const OtherFolds other = other_folds(std::ssize(rows_.rows), groups_, std::ssize(rows_.folds), settings_.seed, done_);
  Rows own_rows;
  for (const Index position : other.order) own_rows.push_back(rows_.rows[static_cast<std::size_t>(position)]);
  // A predictor that holds nothing out has no folds.
  const bool has_folds = rows_.folds.size() > 1 || rows_.folds.front().validation_rows() > 0;
  const StackRows rows{rows_.x,
                       own_rows,
                       pick(rows_.y, other.order),
                       has_folds ? other.folds : rows_.folds,
                       false,
                       pick_weights(rows_.weights, other.order),
                       rows_.loss};
  PredictorSettings settings = settings_;
  settings.seed = seed_of_repeat(settings_.seed, done_);
  FoldInputs inputs(inputs_, other.order, own_rows, rows.folds);
  std::vector<TrainedCandidate> own;
  try {
    own = train_over_folds(candidates(), rows, inputs, settings, context_of_repeat(context_, done_ + 1, gives_up));
  } catch (const Interrupted&) {
    if (!gives_up || !gives_up() || (context_.cancelled && context_.cancelled())) throw;
    return false;
  }
  average(own, other.order);
  ++done_;
  seconds_ = done_ == 2 ? seconds_since(start) : std::max(seconds_, seconds_since(start));
  weigh();
  return true;
}

std::vector<std::vector<double>> Repeats::held_out() const {
  std::vector<std::vector<double>> of_members;
  for (const TrainedCandidate& member : trained_.members) of_members.push_back(member.held_out);
  return of_members;
}

void Repeats::average(const std::vector<TrainedCandidate>& own, const Rows& order) {
  const double share = 1.0 / static_cast<double>(done_ + 1);
  if (held_out_.empty()) held_out_.push_back(held_out());
  held_out_.emplace_back();
  for (std::size_t k = 0; k < own.size(); ++k) {
    TrainedCandidate& member = trained_.members[k];
    member.predictor.append(own[k].predictor);
    std::vector<double> of_rows = in_order_of_rows(own[k].held_out, order, member.predictor.outputs());
    for (std::size_t i = 0; i < of_rows.size(); ++i) member.held_out[i] += share * (of_rows[i] - member.held_out[i]);
    held_out_.back().push_back(std::move(of_rows));
  }
}

std::vector<double> Repeats::disagreement() const {
  std::vector<double> sum;
  const double share = 1 / static_cast<double>(done_);
  if (held_out_.empty()) add_disagreement(sum, held_out(), trained_.weights, share);
  for (const auto& of_repeat : held_out_) add_disagreement(sum, of_repeat, trained_.weights, share);
  return sum;
}

void Repeats::weigh() {
  if (records_.empty()) return;  // a single predictor
  const std::vector<double> errors = weigh_stack(trained_, rows_, settings_.mean);
  for (std::size_t k = 0; k < records_.size(); ++k) {
    StackMemberRecord& record = trained_.record[records_[k]];
    record.error = errors[k];
    record.weight = trained_.weights[k];
  }
}

}  // namespace taut
