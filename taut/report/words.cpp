#include <taut/report/words.hpp>

#include <taut/calibrate/rank.hpp>
#include <taut/core/text.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <numeric>

namespace taut {

namespace {

constexpr Index few_rows = 100;

std::string fixed_point(double value, int decimals) {
  std::array<char, 400> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::fixed, decimals).ptr;
  return {digits.data(), end};
}

std::string counted(const AnswerFigures& figures) {
  return "On " + print_count(figures.rows) + (figures.rows == 1 ? " test row " : " test rows ") + spoken_share(figures.coverage) +
         " did";
}

std::string between(const AnswerFigures& figures) {
  const std::string low = spoken_share(figures.coverage_low);
  return "between " + low.substr(0, low.size() - 2) + " and " + spoken_share(figures.coverage_high);
}

std::string widths_in_words(const AnswerFigures& figures, bool boast) {
  if (!figures.adapts)
    return "Every interval is " + spoken_with(figures.mean_width, figures.unit) + " wide: nothing adapts to x.";
  const std::string range = "from " + spoken_with(figures.easiest, figures.unit) + " for the easiest tenth of the rows to " +
                            spoken_with(figures.hardest, figures.unit) + " for the hardest";
  const double change = figures.mean_width / figures.same_width - 1;
  if (!boast || !std::isfinite(change)) return "Widths go " + range + ".";
  const std::string other = "one width for all rows that covers as many of them: ";
  const double percent = std::round(100 * std::abs(change));
  if (percent < 1) return "On average intervals are as wide as " + other + range + ".";
  return "Intervals are " + fixed_point(percent, 0) + " % " + (change < 0 ? "narrower" : "wider") + " on average than " + other +
         range + ".";
}

Answer without_quantile(const AnswerFigures& figures) {
  return {"none",
          "There are too few calibration rows for this level.",
          {print_count(figures.calibration_rows) + " calibration rows cannot promise " + spoken_level(figures.confidence) +
               ", so every interval is the whole line, or what is known of the target's range.",
           "At least " + print_count(least_calibration_rows(figures.confidence)) +
               " are needed: give the model more with 'taut calibrate', or move the slider to a lower level."}};
}

Answer too_low(const AnswerFigures& figures) {
  return {
      "low",
      "Fewer cases than promised fall in their interval.",
      {counted(figures) + ", where " + spoken_level(figures.confidence) + " were promised and chance explains anything " +
           between(figures) + ".",
       "So these rows are probably not exchangeable with the rows that the model was calibrated on: they may come from another "
       "time, place or source, or the model may have drifted.",
       "Do not rely on the intervals for rows like these. Collect fresh rows with known targets and run 'taut calibrate', or "
       "fit anew."}};
}

Answer too_high(const AnswerFigures& figures) {
  Answer answer{"high",
                "More cases than asked for fall in their interval.",
                {counted(figures) + ", where " + spoken_level(figures.confidence) +
                 " were asked for and chance explains anything " + between(figures) + "."}};
  answer.sentences.push_back(
      figures.range_restricts
          ? "The target has steps or limits. They can only raise the coverage, so this need not mean that anything is wrong."
          : "So these rows are probably not exchangeable with the rows that the model was calibrated on, or many targets are "
            "equal. The intervals are safe here but wider than they need to be: 'taut calibrate' with fresh rows tightens them.");
  return answer;
}

Answer as_promised(const AnswerFigures& figures) {
  return {"good",
          spoken_odds(figures.confidence) + " new cases will fall in their interval.",
          {counted(figures) + " (expected " + between(figures) + ")."}};
}

}  // namespace

std::string spoken(double value, int digits) {
  if (std::isnan(value)) return "unknown";
  if (std::isinf(value)) return value > 0 ? "infinity" : "minus infinity";
  if (value < 0) return "−" + spoken(-value, digits);
  const double size = std::abs(value);
  if (size != 0 && (size >= 1e12 || size < 1e-4)) return print_rounded(value, digits);
  const double rounded = *parse_number(print_rounded(value, digits));
  if (std::abs(rounded) < 1000) return print_number(rounded);
  if (rounded != std::floor(rounded)) return print_number(rounded);
  return print_count(static_cast<long long>(rounded));
}

std::string spoken_with(double value, const std::string& unit) {
  return spoken(value) + (unit.empty() || !std::isfinite(value) ? "" : " " + unit);
}

std::string spoken_share(double share) {
  // Step by step as format.js does it, so that words and figures never differ by a rounding. 99.96 % must not become "100.0 %".
  double power = 10, rounded = std::round(100 * share * power) / power;
  int decimals = 1;
  for (; share < 1 && rounded == 100 && decimals < 9; ++decimals) {
    power *= 10;
    rounded = std::round(100 * share * power) / power;
  }
  return fixed_point(rounded, decimals) + " %";
}

std::string spoken_level(double level) { return print_rounded(100 * level, 10) + " %"; }

std::string spoken_odds(double level) {
  for (const long long whole : {100LL, 1000LL, 10000LL}) {
    const auto part = std::llround(level * static_cast<double>(whole));
    if (std::abs(static_cast<double>(part) - level * static_cast<double>(whole)) > 1e-9) continue;
    const long long common = std::gcd(part, whole);
    return print_count(part / common) + " of " + print_count(whole / common);
  }
  return spoken_level(level) + " of all";
}

std::string shortened(std::string_view text, std::size_t most) {
  std::size_t count = 0, end = 0, cut = 0;
  for (; end < text.size(); ++end) {
    if ((text[end] & 0xC0) == 0x80) continue;
    if (++count == most) cut = end;
  }
  return count <= most ? std::string(text) : std::string(text.substr(0, cut)) + "…";
}

Answer answer(const AnswerFigures& figures) {
  if (figures.rank > figures.calibration_rows) return without_quantile(figures);
  Answer result = figures.coverage < figures.coverage_low    ? too_low(figures)
                  : figures.coverage > figures.coverage_high ? too_high(figures)
                                                             : as_promised(figures);
  const bool low = result.tone == "low";
  result.sentences.push_back(widths_in_words(figures, !low && figures.rows >= few_rows));
  if (!figures.weak_region.empty())
    result.sentences.push_back((low ? "It is bad where " : "But not everywhere: where ") + figures.weak_region + ", only " +
                               figures.weak_share + " did.");
  if (figures.infinite > 0)
    result.sentences.push_back(print_count(figures.infinite) + " intervals have no end; widths are those of the others.");
  if (figures.rows < few_rows) result.sentences.push_back("With so few test rows this says little.");
  return result;
}

}  // namespace taut
