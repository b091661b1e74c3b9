// Evaluates intervals and predictive distributions on rows with known targets.
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/metric/interval.hpp>
#include <taut/metric/metric.hpp>
#include <taut/task/number/number_task.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

Matrix Regressor::log_scales(const TableView& table, const ExecutionContext& context) const {
  const NumberRows seen = see_numbers(*parts_, table, context.threads);
  if (!transform().is_scale() || models_held_out() > 0 || !seen.exposure.empty() || !number().score.score_scale().is_identity() ||
      number().score.is_of_probability())
    return Matrix(table.rows(), 0);
  const double log_unit = std::log(number().score.unit());
  if (transform().n_params() == 0 && (seen.predicted.has_ends() || seen.predicted.has_quantiles()))
    return Matrix(table.rows(), 0);
  if (transform().n_params() == 0) return Matrix::Constant(table.rows(), 1, log_unit);
  return number().score.log_scales(seen.g).array() + log_unit;
}

bool lies_outside(double f, const Interval& interval, const TargetRange& range) {
  if (!(interval.lower <= interval.upper)) return false;
  const double possible = range.restricts() ? range.nearest_possible(f) : f;
  return possible < interval.lower || possible > interval.upper;
}

std::string describe_outside(Index outside, Index rows, double confidence) {
  return format_text(
      "in {} of {} the prediction lies outside of its own interval at {}: f is near a mean, which few large "
      "targets move far, and the interval is where most of the distribution lies; --quantiles 0.5 gives its "
      "median",
      print_count(outside), counted(rows, "row"), print_number(confidence));
}

namespace {

// At most one alarm for all quantiles, because their bands are simultaneous. It is not called if the coverage of intervals raised
// an alarm. P-values raise none: the share of p-values up to a is the share of rows that intervals at 1 − a do not cover. If the
// target's range restricts, only a broken guarantee is an alarm, as for intervals: too many rows below a low quantile, or above a
// high one.
std::vector<Alarm> quantile_alarms(const DistributionReport& distribution, bool range_restricts) {
  for (const QuantileReport& quantile : distribution.quantiles) {
    if (quantile.chance_explains()) continue;
    const bool too_many = quantile.below > quantile.expected.high;
    const bool breaks_guarantee = too_many ? quantile.p < 0.5 : quantile.p > 0.5;
    if (range_restricts && !breaks_guarantee) continue;
    const double share = too_many ? quantile.below : quantile.at_or_below;
    return {{AlarmKind::coverage,
             format_text("the share of rows {} the quantile {} is {}, outside the band from {} to {} that chance explains: these "
                         "rows are probably not exchangeable with the calibration rows, even if intervals cover them; collect "
                         "fresh rows like them and use 'taut calibrate', or fit anew",
                         too_many ? "below" : "at or below", print_number(quantile.p), print_rounded(share),
                         print_rounded(quantile.expected.low), print_rounded(quantile.expected.high)),
             "",
             {},
             {{"quantile", quantile.p}, {"share", share}, {"low", quantile.expected.low}, {"high", quantile.expected.high}}}};
  }
  return {};
}

class NumberEvaluator final : public RegionEvaluator {
 public:
  explicit NumberEvaluator(const EvaluationRequest& request)
      : request_(request),
        task_(number_task(request.parts)),
        seen_(static_cast<const NumberRows&>(request.seen)),
        is_held_out_(!request.parts.held_out.empty()) {
    if (is_held_out_)  // all levels at once, because every model has to predict every row
      held_out_ = predict_held_out(request.parts, request.table, seen_.rows, request.levels, request.context.threads);
  }

  EvaluatedRegions regions(std::size_t level) override {
    const double confidence = request_.levels[level];
    const ScoreDistribution* const shared = request_.distributions.shared();
    const double quantile = shared != nullptr ? shared->quantile(confidence) : missing;
    intervals_.clear();
    Index outside = 0;
    for (Index row = 0; row < std::ssize(request_.y); ++row) {
      double prediction;
      if (is_held_out_) {
        intervals_.push_back(held_out_.at(row, level));
        prediction = held_out_.prediction[static_cast<std::size_t>(row)];
      } else {
        const RowScore score = seen_.at(row);
        const double threshold = shared != nullptr ? quantile : request_.distributions[row].quantile(confidence);
        intervals_.push_back(score.at_most(threshold, task_.range));
        prediction = score.prediction();
      }
      outside += lies_outside(prediction, intervals_.back(), task_.range) ? 1 : 0;
    }
    result_.predictions_outside.push_back(outside);
    return evaluate_intervals(intervals_, request_.y, confidence);
  }

  Figures metrics(std::size_t, Judged facts) const override {
    facts.intervals = intervals_;
    facts.y = request_.y;
    Figures figures;
    for (const auto& entry : taut::metrics().entries())
      figures.emplace_back(entry.name, taut::metrics().make(entry.name)->value(facts));
    return figures;
  }

  // If the target's range restricts, ends are rounded to possible values, which can only raise the coverage.
  bool rounds_up() const override { return task_.range.restricts(); }
  std::vector<Alarm> further_alarms() override {
    evaluate_whole_distribution();
    return quantile_alarms(result_.distribution, task_.range.restricts());
  }
  std::unique_ptr<Evaluation> finish() override {
    evaluate_whole_distribution();
    return std::make_unique<NumberEvaluation>(std::move(result_));
  }

 private:
  // Runs once. CV+ has no distribution.
  void evaluate_whole_distribution() {
    if (is_held_out_ || is_distribution_judged_) return;
    is_distribution_judged_ = true;
    const ModelParts& parts = request_.parts;
    const int threads = request_.context.threads;
    const auto score_of_row = [this](Index i) { return seen_.at(i); };
    const RowUniforms uniforms(static_cast<std::uint64_t>(parts.options.seed), parts.keys_of(seen_, threads), 0);
    const ScoreDistribution* const shared = request_.distributions.shared();
    if (shared != nullptr && shared->is_plain())
      result_.distribution = evaluate_distribution(*shared, task_.range, score_of_row, request_.y, uniforms, threads,
                                                   seen_.predicted.has_ends() || seen_.predicted.has_quantiles());
    else if (request_.distributions[0].has_ranks())
      result_.distribution = evaluate_distributions([this](Index i) { return request_.distributions[i]; }, task_.range,
                                                    score_of_row, request_.y, uniforms, threads);
  }

  EvaluationRequest request_;
  const NumberTask& task_;
  const NumberRows& seen_;
  bool is_held_out_;  // CV+
  bool is_distribution_judged_ = false;
  Predicted held_out_;
  std::vector<Interval> intervals_;  // of the last call of regions()
  NumberEvaluation result_;
};

// A row of numbers, one for each entry.
template <class Entries, class ValueOf>
void add_row(TextTable& table, const std::string& name, const std::string& meaning, const Entries& entries, ValueOf value_of) {
  std::vector<std::string> cells = {name};
  for (const auto& entry : entries) cells.push_back(print_rounded(value_of(entry), 4));
  table.row(std::move(cells), meaning);
}

template <class Entries>
void add_band(TextTable& table, const Entries& entries) {
  add_row(table, "expected from", "the band that chance explains,", entries, [](const auto& one) { return one.expected.low; });
  add_row(table, "to", "all of them together 99 times in 100", entries, [](const auto& one) { return one.expected.high; });
}

std::string describe_quantiles(const DistributionReport& distribution) {
  TextTable table;
  const auto& all = distribution.quantiles;
  add_row(table, "quantile", "", all, [](const auto& one) { return one.p; });
  // Targets that equal a quantile, for example zeros, are at it but not below it; show both shares if they differ.
  if (std::any_of(all.begin(), all.end(), [](const auto& one) { return one.below != one.at_or_below; }))
    add_row(table, "below", "share of rows whose y is below it", all, [](const auto& one) { return one.below; });
  add_row(table, "at or below", "share of rows whose y is at or below it", all, [](const auto& one) { return one.at_or_below; });
  add_band(table, all);
  add_row(table, "pinball loss", "of the quantile, in units of y; smaller is better", all,
          [](const auto& one) { return one.pinball; });
  return format_text("\nThe predictive distribution of y: CRPS {}, mean pinball loss {}\n\n{}",
                     print_rounded(distribution.crps, 5), print_rounded(distribution.pinball, 5), table.text());
}

std::string describe_p_values(const DistributionReport& distribution) {
  TextTable table;
  add_row(table, "p-value at most", "", distribution.p_values, [](const auto& one) { return one.at_most; });
  add_row(table, "share", "share of rows with such a smoothed p-value; uniform is the same number", distribution.p_values,
          [](const auto& one) { return one.share; });
  add_band(table, distribution.p_values);
  return "\n" + table.text();
}

}  // namespace

std::unique_ptr<RegionEvaluator> NumberTask::judge(const EvaluationRequest& request) const {
  return std::make_unique<NumberEvaluator>(request);
}

RegionWords NumberTask::region_words() const {
  return {.one = "interval",
          .size = "width",
          .size_meaning = "in units of y",
          .covered = "share of targets in their intervals",
          .unbounded = "the whole line",
          .are_intervals = true};
}

NumberEvaluation Regressor::evaluate(const TableView& table, std::span<const double> levels, const ExecutionContext& context,
                                     const std::vector<std::string>& by) const {
  return std::move(static_cast<NumberEvaluation&>(*Model::evaluate(table, levels, context, by)));
}

void NumberEvaluation::add_facts(Value& evaluation) const {
  Value::List outside;
  for (std::size_t i = 0; i < predictions_outside.size(); ++i)
    outside.push_back(Value::object({{"confidence", levels[i].confidence}, {"rows", predictions_outside[i]}}));
  evaluation.set("predictions_outside", outside);
  const Value quantiles = value_list(distribution.quantiles, [](const QuantileReport& one) {
    return Value::object({{"p", one.p},
                          {"pinball", one.pinball},
                          {"below", one.below},
                          {"at_or_below", one.at_or_below},
                          {"low", one.expected.low},
                          {"high", one.expected.high}});
  });
  const Value p_values = value_list(distribution.p_values, [](const PValueReport& one) {
    return Value::object(
        {{"at_most", one.at_most}, {"share", one.share}, {"low", one.expected.low}, {"high", one.expected.high}});
  });
  evaluation.set(
      "distribution",
      Value::object(
          {{"crps", distribution.crps}, {"pinball", distribution.pinball}, {"quantiles", quantiles}, {"p_values", p_values}}));
}

std::string NumberEvaluation::describe_more() const {
  if (distribution.p_values.empty()) return "";
  return (distribution.quantiles.empty() ? "" : describe_quantiles(distribution)) + describe_p_values(distribution);
}

std::vector<std::string> NumberEvaluation::remarks() const {
  std::vector<std::string> remarks;
  for (std::size_t i = 0; i < predictions_outside.size(); ++i)
    if (predictions_outside[i] > 0) remarks.push_back(describe_outside(predictions_outside[i], rows, levels[i].confidence));
  return remarks;
}

}  // namespace taut
