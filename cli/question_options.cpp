#include <cli/question_options.hpp>

#include <taut/core/error.hpp>
#include <taut/core/text.hpp>

namespace taut {

void QuestionOptions::add(Arguments& arguments) {
  levels_.add(arguments);
  arguments.option({"tails", "both|equal",
                    "equal: each end of an interval is missed by at most half of what the confidence leaves; both: together"},
                   tails_);
  arguments.option({"upper", "LEVEL,...", "upper bounds: y is at most this with the given confidence"}, upper_);
  arguments.option({"lower", "LEVEL,...", "lower bounds: y is at least this with the given confidence"}, lower_);
  arguments.option({"quantiles", "P,...", "quantiles of y, which never cross: 0.1,0.5,0.9"}, quantiles_);
  arguments.option({"below", "Y,...", "the probability that y is at most each of these values, calibrated at the value itself"},
                   below_);
  arguments.flag({"band", "", "with --below: also the two ends (Venn-Abers) between which each probability is known"}, band_);
  arguments.option({"p-value", "COL", "how surprising the values of this column are: small where they are far out"}, p_value_);
  arguments.option({"alternative", "two-sided|less|greater",
                    "with --p-value: less is small where values are surprisingly low, greater where they are high"},
                   alternative_);
  arguments.option(
      {"samples", "N", "N random values from each row's predictive distribution, at most v as often as --below v says"},
      samples_);
  arguments.option({"seed", "N", "of these random values"}, seed_);
}

void QuestionOptions::ask(const std::string& question) { questions_.push_back(taut::questions().make(question)); }

void QuestionOptions::read() {
  if (tails_ != "both" && tails_ != "equal")
    throw UsageError(unknown_name("value of --tails", tails_, std::vector<std::string>{"both", "equal"}));
  if (band_ && below_.empty()) throw UsageError("--band goes with --below: name the values whose probability is asked for");
  if (!alternative_.empty() && p_value_.empty())
    throw UsageError("--alternative goes with --p-value: name the column whose values are judged");
  if (seed_ < 0) throw UsageError("--seed: a seed is at least 0, got " + std::to_string(seed_));
  const bool asks_more =
      !upper_.empty() || !lower_.empty() || !quantiles_.empty() || !below_.empty() || !p_value_.empty() || samples_ != 0;
  if (!asks_more || levels_.given() || tails_ != "both") {
    levels_.read();
    for (const auto& level : levels_.texts()) ask((tails_ == "equal" ? "equal:" : "interval:") + level);
    if (tails_ == "both") smoothed_ = questions_.size();
  }
  for (const auto& level : lower_) ask("lower:" + level);
  for (const auto& level : upper_) ask("upper:" + level);
  for (const auto& p : quantiles_) ask("quantile:" + p);
  for (const auto& y : below_) ask("below:" + y);
  if (!p_value_.empty()) ask(alternative_.empty() ? "p-value" : "p-value:" + alternative_);
  if (samples_ != 0) ask("samples:" + std::to_string(samples_));
}

std::vector<std::string> QuestionOptions::too_few(Index calibration_rows, double sure, bool smoothed) const {
  std::vector<std::string> sentences;
  for (std::size_t i = smoothed ? smoothed_ : 0; i < questions_.size(); ++i)
    if (auto words = questions_[i]->too_few(calibration_rows, sure); !words.empty()) sentences.push_back(std::move(words));
  return sentences;
}

}  // namespace taut
