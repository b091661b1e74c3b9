// Questions at a confidence level or a probability: bounds, intervals, quantiles.
#include <taut/calibrate/question.hpp>
#include <taut/calibrate/rank.hpp>
#include <taut/core/format.hpp>

#include <algorithm>

namespace taut {

// Base class of questions at a confidence level or a probability.

class LevelQuestion : public Question {
 public:
  // The text becomes part of the column's name, as the user wrote it.
  LevelQuestion(std::string_view text, std::string_view what) : text_(text), level_(parse_number_or_throw(text, what)) {
    if (!(level_ > 0 && level_ < 1))
      throw UsageError(format_text("{} must lie between 0 and 1, both excluded, for example 0.9; got {}", what, text_));
  }

  const std::string& text() const { return text_; }
  double level() const { return level_; }

 private:
  std::string text_;
  double level_;
};

// The list entry of a question that is written as "name:0.9".
template <class Asked>
Listed<Question> listed_at_level(std::string name, std::string summary) {
  const std::string example = name + ":0.9";
  return {name, std::move(summary), [](std::string_view level) { return std::make_unique<Asked>(level); }, example, true};
}

namespace {

class IntervalQuestion final : public LevelQuestion {
 public:
  explicit IntervalQuestion(std::string_view level) : LevelQuestion(level, "the confidence of an interval") {}

  std::vector<std::string> columns(const Asked&) const override { return {"lower_" + text(), "upper_" + text()}; }
  void answer(const PredictiveDistribution& distribution, const Asked& asked, double* out) const override {
    const Interval set = asked.uniform ? distribution.smoothed_interval(level(), *asked.uniform) : distribution.interval(level());
    out[0] = set.empty() ? missing : set.lower;
    out[1] = set.empty() ? missing : set.upper;
  }
  std::optional<double> interval_level() const override { return level(); }
  std::string too_few(Index rows, double sure) const override { return too_few_rows(rows, level(), sure); }
};

}  // namespace

Listed<Question> interval_question() {
  return listed_at_level<IntervalQuestion>("interval", "a prediction interval that contains y with this confidence");
}

namespace {

class EqualTailedQuestion final : public LevelQuestion {
 public:
  explicit EqualTailedQuestion(std::string_view level) : LevelQuestion(level, "the confidence of an interval with equal tails") {}

  std::vector<std::string> columns(const Asked&) const override { return {"lower_" + text(), "upper_" + text()}; }
  void answer(const PredictiveDistribution& distribution, const Asked&, double* out) const override {
    const Interval set = distribution.equal_tailed(level());
    out[0] = set.lower;
    out[1] = set.upper;
  }
  std::string too_few(Index rows, double sure) const override {
    return too_few_for_bound(rows, 0.5 + 0.5 * level(), "each tail of an interval at " + text(), sure_of_each(sure, 2));
  }
};

}  // namespace

Listed<Question> equal_question() {
  return listed_at_level<EqualTailedQuestion>(
      "equal", "a prediction interval with equal tails: y lies beyond each end with at most half of the error rate");
}

namespace {

class LowerBoundQuestion final : public LevelQuestion {
 public:
  explicit LowerBoundQuestion(std::string_view level) : LevelQuestion(level, "the confidence of a lower bound") {}

  std::vector<std::string> columns(const Asked&) const override { return {"lower_bound_" + text()}; }
  void answer(const PredictiveDistribution& distribution, const Asked&, double* out) const override {
    out[0] = distribution.lower(level());
  }
  std::string too_few(Index rows, double sure) const override {
    return too_few_for_bound(rows, level(), "the lower bound at " + text(), sure);
  }
};

}  // namespace

Listed<Question> lower_question() {
  return listed_at_level<LowerBoundQuestion>("lower", "a lower bound: y is at least this value with this confidence");
}

namespace {

class UpperBoundQuestion final : public LevelQuestion {
 public:
  explicit UpperBoundQuestion(std::string_view level) : LevelQuestion(level, "the confidence of an upper bound") {}

  std::vector<std::string> columns(const Asked&) const override { return {"upper_bound_" + text()}; }
  void answer(const PredictiveDistribution& distribution, const Asked&, double* out) const override {
    out[0] = distribution.upper(level());
  }
  std::string too_few(Index rows, double sure) const override {
    return too_few_for_bound(rows, level(), "the upper bound at " + text(), sure);
  }
};

}  // namespace

Listed<Question> upper_question() {
  return listed_at_level<UpperBoundQuestion>("upper", "an upper bound: y is at most this value with this confidence");
}

namespace {

class QuantileQuestion final : public LevelQuestion {
 public:
  explicit QuantileQuestion(std::string_view level) : LevelQuestion(level, "the probability of a quantile") {}

  std::vector<std::string> columns(const Asked&) const override { return {"q" + text()}; }
  void answer(const PredictiveDistribution& distribution, const Asked&, double* out) const override {
    out[0] = distribution.quantile(level());
  }
  std::string too_few(Index rows, double sure) const override {
    return too_few_for_bound(rows, std::max(level(), 1 - level()), "the quantile " + text(), sure);
  }
};

}  // namespace

Listed<Question> quantile_question() {
  return listed_at_level<QuantileQuestion>("quantile",
                                           "the value that y stays below with this probability; quantiles never cross");
}

}  // namespace taut
