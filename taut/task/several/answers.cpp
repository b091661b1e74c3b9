// Predictions of several targets as columns.
#include <taut/calibrate/rank.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/plan/columns.hpp>
#include <taut/task/several/joint_answers.hpp>
#include <taut/task/several/linear_sum.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

double level_of(const std::string& text) { return parse_number_or_throw(text, "a confidence level"); }

// The questions that have an answer for several targets.
struct JointQuestions {
  std::vector<std::string> quantile_texts;
  std::vector<double> quantiles;
  Index samples = 0;

  explicit JointQuestions(const std::vector<std::string>& asked) {
    for (const auto& question : asked) {
      const auto colon = question.find(':');
      const std::string name = question.substr(0, colon), argument = colon == std::string::npos ? "" : question.substr(colon + 1);
      if (name == "quantile") {
        const double p = parse_number_or_throw(argument, "--quantiles");
        if (!(p > 0 && p < 1)) throw UsageError(format_text("--quantiles: a quantile is between 0 and 1, got {}", argument));
        quantile_texts.push_back(argument);
        quantiles.push_back(p);
      } else if (name == "samples") {
        const double count = parse_number_or_throw(argument, "--samples");
        constexpr double maximum = 10'000;
        if (!(count >= 1 && count <= maximum && count == std::floor(count)))
          throw UsageError(format_text("--samples takes a whole number from 1 to {}, got {}", print_number(maximum), argument));
        samples = static_cast<Index>(count);
      } else {
        throw UsageError(
            format_text("the question '{}' is about one number, and this model predicts several targets: it answers "
                        "--confidence, --each, --contains, --samples, --quantiles and --sum",
                        question));
      }
    }
  }
};

void check_weights_of_sum(std::span<const double> weights, Index targets) {
  const bool are_finite = std::all_of(weights.begin(), weights.end(), [](double weight) { return std::isfinite(weight); });
  if (std::ssize(weights) != targets || !are_finite)
    throw UsageError(format_text("a sum takes a finite weight for each of the {} targets", targets));
}

class SeveralAnswers final : public Answering {
 public:
  SeveralAnswers(const ModelParts& parts, const Asking& asking)
      : parts_(parts), task_(several_task(parts)), asking_(asking), questions_(asking.questions) {
    if (asking.wide) throw UsageError("--wide is about models of labels, and this one predicts numbers; leave it out");
    if (asking.smoothing)
      throw UsageError("--smooth is for one target: regions of several targets have no random ranks; leave it out");
    if (!asking.value_column.empty()) throw UsageError("--value and --p-value name one column; give --contains for all targets");
    if (asking.band) throw UsageError("--band goes with --below, which is about one number; leave it out");
    weights_ = asking.sum ? parse_linear_sum(*asking.sum, task_.joint.names) : asking.sum_weights;
    if (!weights_.empty()) check_weights_of_sum(weights_, task_.targets_count());
    for (const auto& level : asking.levels) levels_.push_back(level_of(level));
    if (asking.each && levels_.empty())
      throw UsageError("--each is about intervals, and no level is asked for: give --confidence too, or leave it out");
    const bool reads_kept = questions_.samples > 0 || !questions_.quantiles.empty() || !weights_.empty();
    if ((asking.each && !EachTarget::is_possible(parts)) || (reads_kept && parts.kept.empty()))
      throw Error(
          "there are no calibration rows for intervals of each target, random values and sums; calibrate the model first");
  }

  // Large, because trees are prepared for each batch. Samples are many columns.
  Index batch_rows() const override { return questions_.samples > 0 ? Answering::batch_rows() : 1 << 16; }

  std::vector<AnswerColumn> columns() const override {
    std::vector<AnswerColumn> columns;
    const auto add_ends = [&](const std::string& prefix, const std::string& level) {
      for (const auto& name : task_.joint.names)
        for (const std::string end : {"lower_", "upper_"}) columns.push_back({prefix + end + name + "_" + level});
    };
    for (const auto& name : task_.joint.names) columns.push_back({"prediction_" + name});
    for (const auto& level : asking_.levels) {
      add_ends("", level);
      if (!task_.region->is_box()) columns.push_back({"volume_" + level});
    }
    if (asking_.each)
      for (const auto& level : asking_.levels) add_ends("each_", level);
    if (asking_.contains) {
      for (const auto& level : asking_.levels) columns.push_back({"contains_" + level});
      columns.push_back({"p_value"});
    }
    if (!weights_.empty()) {
      columns.push_back({"sum_mean"});
      for (const auto& text : questions_.quantile_texts) columns.push_back({"sum_q" + text});
      for (const auto& level : asking_.levels)
        for (const std::string end : {"sum_lower_", "sum_upper_"}) columns.push_back({end + level});
    } else {
      for (const auto& name : task_.joint.names)
        for (const auto& text : questions_.quantile_texts) columns.push_back({"q" + text + "_" + name});
    }
    for (Index i = 1; i <= questions_.samples; ++i)
      for (const auto& name : task_.joint.names) columns.push_back({format_text("sample_{}_{}", i, name)});
    return columns;
  }

  std::vector<Column> schema() const override {
    std::vector<Column> schema = parts_.prediction_schema();
    for (const Column& target : parts_.target_columns)
      if (asking_.contains && !find_column(schema, target.name)) {
        schema.push_back(target);
        schema.back().is_strict = true;
      }
    return schema;
  }

  std::vector<ResultColumn> answer(const TableView& rows, const ExecutionContext& context) override {
    std::vector<double> y;
    if (asking_.contains) y = parts_.targets(rows, all_rows(rows.rows()));
    const JointPredictions predictions(parts_, rows, context, &unseen_);
    const Index n = predictions.rows(), d = task_.targets_count();
    std::vector<ResultColumn> result(columns().size());
    for (ResultColumn& column : result) column.numbers.resize(static_cast<std::size_t>(n));
    std::optional<EachTarget> each;
    if (asking_.each) each.emplace(parts_, levels_, predictions.distributions(), n);
    const bool samples = questions_.samples > 0 || !questions_.quantiles.empty() || !weights_.empty();
    std::vector<std::uint64_t> keys;
    if (questions_.samples > 0) keys = parts_.keys_of(predictions.seen(), context.threads);
    const Matrix f = predictions.predictions();
    predictions.for_each_row(levels_, [&](Index row, const JointRow& scores, std::span<const RegionAt* const> regions) {
      std::size_t column = 0;
      const auto put = [&](double value) { result[column++].numbers[static_cast<std::size_t>(row)] = value; };
      const auto put_ends = [&](const Interval& interval) {
        put(interval.empty() ? missing : interval.lower);
        put(interval.empty() ? missing : interval.upper);
      };
      for (Index j = 0; j < d; ++j) put(f(row, j));
      std::vector<Interval> box(static_cast<std::size_t>(d));
      for (const RegionAt* region : regions) {
        region->enclose(scores, box);
        for (const Interval& side : box) put_ends(side);
        if (!task_.region->is_box()) put(region->volume(scores));
      }
      for (std::size_t level = 0; each && level < levels_.size(); ++level)
        for (Index j = 0; j < d; ++j) put_ends(each->at(scores, row, j, level));
      if (asking_.contains) {
        const RowTarget own = row_target(y, row, d);
        const ScoreDistribution distribution = predictions.distributions()[row];
        const double score = predictions.seen().score(row, own, 0).score;
        for (std::size_t level = 0; level < levels_.size(); ++level)
          put(predictions.holds(scores, *regions[level], own, score, distribution.quantile(levels_[level])) ? 1 : 0);
        put(predictions.p_value(row, scores, own));
      }
      if (!samples) return;
      const KeptOfGroup kept(parts_.kept, predictions.distributions().group(row));
      const Matrix values = joint_values(scores, kept);
      put_of_distribution(values, kept, put);
      if (questions_.samples > 0) {
        const auto at = static_cast<std::size_t>(row);
        const auto number = static_cast<std::uint64_t>(rows_ + row);
        Random random = keys.empty() ? Random(asking_.seed).fork(number) : Random(asking_.seed).fork(keys[at]).fork(number);
        for (Index i = 0; i < questions_.samples; ++i) {
          const Index place = sampled(kept, random);
          for (Index j = 0; j < d; ++j) put(place < 0 ? missing : values(place, j));
        }
      }
    });
    rows_ += n;
    for (Index row = 0; row < n; ++row) {
      bool is_infinite = false;
      for (const ResultColumn& column : result)
        is_infinite = is_infinite || std::isinf(column.numbers[static_cast<std::size_t>(row)]);
      infinite_ += is_infinite ? 1 : 0;
    }
    return result;
  }

  std::vector<std::string> remarks() const override {
    std::vector<std::string> remarks;
    if (!task_.region->is_box() && !levels_.empty()) {
      remarks.push_back(
          format_text("regions are of the kind '{}': lower and upper are the box around each; --contains FILE says "
                      "which targets are inside",
                      task_.region_name));
      if (const auto note = task_.region->note_on_volume(); !note.empty()) remarks.push_back(note);
    }
    if (!weights_.empty())
      remarks.emplace_back(
          "the distribution of the sum is read off the joint distribution of calibration rows: an "
          "estimate, whose coverage is not exact");
    return remarks;
  }

  std::vector<Alarm> alarms() const override {
    if (parts_.reader.is_plain()) return alarms_of_too_few_rows(parts_.calibration_rows(), levels_, parts_.distribution.sure());
    return infinite_ > 0 ? std::vector{alarm_of_infinite_answers(infinite_, rows_)} : std::vector<Alarm>{};
  }

 private:
  // Quantiles of the sum, or of each target.
  template <class Put>
  void put_of_distribution(const Matrix& values, const KeptOfGroup& kept, Put put) const {
    const auto quantile = [&](const std::vector<double>& of, double p) {
      return quantile_with_new(of, kept.weights(), kept.own_weight(), p);
    };
    if (weights_.empty()) {
      for (Index j = 0; j < values.cols() && !questions_.quantiles.empty(); ++j) {
        const std::vector<double> own(values.col(j).begin(), values.col(j).end());
        for (const double p : questions_.quantiles) put(quantile(own, p));
      }
      return;
    }
    std::vector<double> sums(static_cast<std::size_t>(values.rows()));
    double mean = 0, weight = 0;
    for (Index i = 0; i < values.rows(); ++i) {
      double sum = 0;
      for (Index j = 0; j < values.cols(); ++j)
        if (weights_[static_cast<std::size_t>(j)] != 0) sum += weights_[static_cast<std::size_t>(j)] * values(i, j);
      if (!std::isfinite(sum) && values.row(i).allFinite())
        throw Error("the sum of the targets is larger than a number can hold; give smaller weights");
      sums[static_cast<std::size_t>(i)] = sum;
      const double own = kept.weights().empty() ? 1 : kept.weights()[static_cast<std::size_t>(i)];
      weight += own;
      if (own > 0) mean += (sum - mean) * own / weight;
    }
    put(weight > 0 ? mean : missing);
    for (const double p : questions_.quantiles) put(quantile(sums, p));
    for (const double level : levels_) {
      put(quantile(sums, (1 - level) / 2));
      put(quantile(sums, (1 + level) / 2));
    }
  }

  static Index sampled(const KeptOfGroup& kept, Random& random) {
    const double uniform = random.uniform();
    if (kept.rows() == 0) return -1;
    if (kept.weights().empty()) return static_cast<Index>(uniform * static_cast<double>(kept.rows()));
    double all = 0, sum = 0;
    for (const double weight : kept.weights()) all += weight;
    for (Index i = 0; i < kept.rows(); ++i) {
      sum += kept.weights()[static_cast<std::size_t>(i)];
      if (uniform * all < sum) return i;
    }
    return kept.rows() - 1;
  }

  const ModelParts& parts_;
  const SeveralTask& task_;
  Asking asking_;
  JointQuestions questions_;
  std::vector<double> levels_, weights_;
  Index rows_ = 0, infinite_ = 0;
};

}  // namespace

std::unique_ptr<Answering> SeveralTask::answering(const ModelParts& parts, const Asking& asking) const {
  return std::make_unique<SeveralAnswers>(parts, asking);
}

}  // namespace taut
