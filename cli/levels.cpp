#include <cli/levels.hpp>

#include <taut/core/error.hpp>
#include <taut/core/text.hpp>

#include <algorithm>

namespace taut {

namespace {

// For "90" and "90%".
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
  throw UsageError(option + ": a level is a number between 0 and 1, both excluded, for example " + example + "; got '" + text +
                   "'" + guess_of(text));
}

}  // namespace

void LevelOptions::add(Arguments& arguments) {
  arguments.option({"confidence", "LEVEL,...", "share of targets that the intervals are to hold, between 0 and 1 (default 0.9)"},
                   confidence_);
  arguments.option({"alpha", "LEVEL,...", "the same said the other way round: 0.1 is confidence 0.9"}, alpha_);
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
      throw UsageError("the confidence level " + texts_[i] + " is given twice; name each once");
}

}  // namespace taut
