#include <cli/question_options.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>

#include <algorithm>

namespace taut {

namespace {

// A suggestion for "90" and "90%": " (did you mean 0.9?)".
std::string guess_of(std::string_view text) {
  if (text.ends_with('%')) text.remove_suffix(1);
  const auto number = parse_number(text);
  if (!number || !(*number >= 10 && *number < 100)) return "";
  return " (did you mean " + print_rounded(*number / 100, 6) + "?)";
}

double read_share(const std::string& option, const std::string& text) {
  const auto number = parse_number(text);
  if (number && *number > 0 && *number < 1) return *number;
  const std::string example = option == "--alpha" ? "0.1" : "0.9";
  throw UsageError(format_text("{}: a level is a number between 0 and 1, both excluded, for example {}; got '{}'{}", option,
                               example, text, guess_of(text)));
}

}  // namespace

void LevelOptions::add(Arguments& arguments) {
  arguments.option({"confidence", "LEVEL,...", "share of targets that the intervals should cover, between 0 and 1 (default 0.9)"},
                   confidence_);
  arguments.option({"alpha", "LEVEL,...", "miscoverage, 1 - confidence: 0.1 is confidence 0.9"}, alpha_);
}

void LevelOptions::read() {
  if (confidence_.empty() && alpha_.empty()) confidence_ = {"0.9"};
  for (const auto& text : confidence_) {
    values_.push_back(read_share("--confidence", text));
    texts_.push_back(text);
  }
  for (const auto& text : alpha_) {
    // 1 − 0.32 is 0.6799999999999999 in doubles, but 0.68 is what was meant.
    texts_.push_back(print_rounded(1 - read_share("--alpha", text), 15));
    values_.push_back(read_share("--alpha", texts_.back()));
  }
  for (std::size_t i = 0; i < values_.size(); ++i)
    if (std::count(values_.begin(), values_.end(), values_[i]) > 1)
      throw UsageError(format_text("the confidence level {} is given twice; name each once", texts_[i]));
}

void EmptySetOption::add(Arguments& arguments) {
  arguments.flag(
      {"allow-empty", "",
       "classes: exact sets, which may be empty; by default an empty set gets the most probable class, so that coverage "
       "can only grow"},
      is_given_);
}

bool EmptySetOption::checked(const Model& model) const {
  if (is_given_ && model.task().n_target_values() == 0)
    throw UsageError("--allow-empty is about models of labels, and this one predicts numbers; leave it out");
  return is_given_;
}

void QuestionOptions::add(Arguments& arguments) {
  levels_.add(arguments);
  arguments.option(
      {"ask", "NAME[:ARG],...",
       "questions by their names in 'taut lists': interval:0.9, upper:0.95, quantile:0.5, mean; the options below are "
       "short forms; for classification set:0.9"},
      ask_);
  arguments.option({"value", "COL", "with --ask cdf, crps or p-value: the column with the values to evaluate"}, value_);
  arguments.option({"tails", "both|equal",
                    "equal: y is below the interval, and above it, with probability (1 - confidence) / 2 at most; both: together "
                    "1 - confidence"},
                   tails_);
  arguments.option({"upper", "LEVEL,...", "upper bounds: y is at most this with the given confidence"}, upper_);
  arguments.option({"lower", "LEVEL,...", "lower bounds: y is at least this with the given confidence"}, lower_);
  arguments.option({"quantiles", "P,...", "quantiles of y, which never cross: 0.1,0.5,0.9"}, quantiles_);
  arguments.option({"below", "Y,...", "the probability that y is at most each of these values, calibrated at the value itself"},
                   below_);
  arguments.flag({"band", "", "with --below: also the lower and the upper Venn-Abers probability"}, band_);
  arguments.option({"p-value", "COL", "conformal p-values of the values in this column: small where they are extreme"}, p_value_);
  arguments.option({"alternative", "two-sided|less|greater",
                    "with --p-value: less is small where values are surprisingly low, greater where they are high"},
                   alternative_);
  arguments.option({"samples", "N", "N random values drawn from each row's predictive distribution, consistent with --below"},
                   samples_);
  arguments.option({"seed", "N", "random seed of --samples"}, seed_);
  arguments.flag({"each", "", "several targets: also an interval for each target alone, at its own level"}, each_);
  arguments.option({"sum", "SUM",
                    "several targets: the distribution of a linear combination of them, such as 'y1 + 2*y2', with --quantiles or "
                    "--confidence; read off the joint distribution"},
                   sum_);
}

void QuestionOptions::read() {
  if (tails_ != "both" && tails_ != "equal")
    throw UsageError(unknown_name("value of --tails", tails_, std::vector<std::string>{"both", "equal"}));
  if (band_ && below_.empty()) throw UsageError("--band goes with --below: name the values whose probability is asked for");
  if (!alternative_.empty() && p_value_.empty())
    throw UsageError("--alternative goes with --p-value: name the column whose values are tested");
  if (seed_ < 0) throw UsageError("--seed: a seed is at least 0, got " + std::to_string(seed_));
  asking_.each = each_;
  asking_.sum = sum_;
  const bool asks_more = !ask_.empty() || !upper_.empty() || !lower_.empty() || !quantiles_.empty() || !below_.empty() ||
                         !p_value_.empty() || samples_ != 0;
  std::vector<std::string>& questions = asking_.questions;
  if (!asks_more || levels_.given() || tails_ != "both") {
    levels_.read();
    if (tails_ == "both") asking_.levels = levels_.texts();
    for (const auto& level : levels_.texts())
      if (tails_ == "equal") questions.push_back("equal:" + level);
  }
  const auto add = [&](const char* name, const std::vector<std::string>& arguments) {
    for (const auto& argument : arguments) questions.push_back(name + argument);
  };
  add("", ask_);
  add("lower:", lower_);
  add("upper:", upper_);
  add("quantile:", quantiles_);
  add("below:", below_);
  if (!p_value_.empty()) questions.push_back(alternative_.empty() ? "p-value" : "p-value:" + alternative_);
  if (samples_ != 0) questions.push_back("samples:" + std::to_string(samples_));
  if (!value_.empty() && !p_value_.empty() && value_ != p_value_)
    throw UsageError("--value and --p-value name two columns of values; give one");
  asking_.value_column = p_value_.empty() ? value_ : p_value_;
  asking_.seed = static_cast<std::uint64_t>(seed_);
  asking_.band = band_;
}

}  // namespace taut
