#include <taut/report/answer.hpp>

#include <taut/calibrate/rank.hpp>
#include <taut/core/beta.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

namespace taut {

namespace {

std::string fixed_point(double value, int decimals) {
  std::array<char, 400> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::fixed, decimals).ptr;
  return {digits.data(), end};
}

// The shortest fixed-point text that reads back as the same number.
std::string fixed_point(double value) {
  std::array<char, 400> digits{};
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::fixed).ptr};
}

// 1.5e-07 -> 1.5e−7, 1e+12 -> 1e12.
std::string short_exponent(const std::string& text) {
  const auto e = text.find('e');
  if (e == std::string::npos) return text;
  const long long power = std::stoll(text.substr(e + 1));
  return text.substr(0, e) + "e" + (power < 0 ? "−" : "") + std::to_string(std::abs(power));
}

}  // namespace

std::string number_text(double value, int digits) {
  if (std::isnan(value)) return "unknown";
  if (value < 0) return "−" + number_text(-value, digits);
  if (std::isinf(value)) return "∞";
  if (value != 0 && (value >= 1e12 || value < 1e-4)) return short_exponent(print_rounded(value, digits));
  const double rounded = *parse_number(print_rounded(value, digits));
  const std::string whole = print_count(static_cast<long long>(rounded));
  if (rounded == std::floor(rounded)) return whole;
  const std::string text = fixed_point(rounded);
  return whole + text.substr(text.find('.'));
}

std::string text_with_unit(double value, const std::string& unit) {
  return number_text(value) + (unit.empty() || !std::isfinite(value) ? "" : " " + unit);
}

std::string share_text(double share) {
  // The same steps as in format.js, so that rounded numbers in sentences and in charts agree. 99.96 % must not become
  // "100.0 %".
  double power = 10, rounded = std::round(100 * share * power) / power;
  int decimals = 1;
  for (; share < 1 && rounded == 100 && decimals < 9; ++decimals) {
    power *= 10;
    rounded = std::round(100 * share * power) / power;
  }
  return fixed_point(rounded, decimals) + " %";
}

std::string level_text(double level) { return print_rounded(100 * level, 10) + " %"; }

std::string two_shares(double low, const std::string& between, double high) {
  const std::string first = share_text(low);
  return first.substr(0, first.size() - 2) + " " + between + " " + share_text(high);
}

std::string shortened(std::string_view text, std::size_t maximum) {
  std::size_t count = 0, end = 0, cut = 0;
  for (; end < text.size(); ++end) {
    if ((text[end] & 0xC0) == 0x80) continue;
    if (++count == maximum) cut = end;
  }
  return count <= maximum ? std::string(text) : std::string(text.substr(0, cut)) + "…";
}

namespace {

constexpr Index few_rows = 100;

double share_of(Index count, Index rows) { return static_cast<double>(count) / static_cast<double>(rows); }

std::string found_share(const AnswerInputs& inputs) { return share_text(share_of(inputs.covered, inputs.rows)); }

// Ties and a known range of the target can only raise the coverage.
bool has_ties(const AnswerInputs& inputs) { return inputs.expected.maximum > inputs.max_without_ties; }

Tone tone_of(const AnswerInputs& inputs) {
  if (inputs.is_plain && inputs.rank > inputs.calibration_rows) return Tone::no_quantile;
  if (inputs.covered < inputs.expected.minimum) return Tone::too_low;
  if (inputs.covered <= inputs.expected.maximum) return Tone::as_promised;
  return inputs.range_restricts ? Tone::more : Tone::too_high;
}

std::string headline(const AnswerInputs& inputs, Tone tone) {
  const std::string level = level_text(inputs.confidence);
  if (tone == Tone::no_quantile) return format_text("There are too few calibration rows for {}.", level);
  const bool one = inputs.rows == 1;
  std::string found = one ? "The only test row " + (inputs.covered == 1 ? inputs.words.one_holds : inputs.words.one_misses)
                          : format_text("{} of {} {}", found_share(inputs), counted(inputs.rows, "test row"), inputs.words.hold);
  if (tone == Tone::too_low && !one) found = "Only " + found;
  const bool above = tone == Tone::more || tone == Tone::too_high;
  return above ? format_text("{}, more often than the {} asked for.", found, level)
               : format_text("{}; {} were asked for.", found, level);
}

Statement promised(const AnswerInputs& inputs) {
  if (!inputs.is_plain)
    return {"Promised", format_text("At least {} of new cases, on average, under the assumptions of the model's calibration.",
                                    level_text(inputs.confidence))};
  const std::string share = share_text(share_of(inputs.rank, inputs.calibration_rows + 1));
  const std::string rank = print_count(inputs.rank), ranks = print_count(inputs.calibration_rows + 1);
  if (inputs.in_order)
    return {"Promised",
            format_text("Nothing for a single row: rows that follow one another in time are not exchangeable with the "
                        "calibration rows. If they were, at least {} of new cases ({} of {}) on average. 'taut stream' keeps its "
                        "level in the long run.",
                        share, rank, ranks)};
  if (inputs.sure > 0)
    return {"Promised",
            format_text("At least {} of new cases with a probability of {} over calibration sets (--sure), on average {} "
                        "({} of {}), if they come from the same source as the calibration rows.",
                        level_text(inputs.confidence), level_text(inputs.sure), share, rank, ranks)};
  return {"Promised", format_text("At least {} of new cases ({} of {}), on average, if they come from the same source as the "
                                  "calibration rows.",
                                  share, rank, ranks)};
}

std::string found_and_expected(const AnswerInputs& inputs) {
  const double low = share_of(inputs.expected.minimum, inputs.rows), high = share_of(inputs.expected.maximum, inputs.rows);
  const std::string found = inputs.rows == 1 ? format_text("1 test row, which is {}covered", inputs.covered == 1 ? "" : "not ")
                                             : format_text("{} of {}", found_share(inputs), counted(inputs.rows, "test row"));
  return format_text(
      "{}. With {} and {}, {} anything from {} (99 times in 100)", found,
      inputs.rows == 1 ? "one test row" : "this many test rows", counted(inputs.calibration_rows, "calibration row"),
      has_ties(inputs) ? "chance and equal calibration scores explain" : "chance explains", two_shares(low, "to", high));
}

std::string conclusion(const AnswerInputs& inputs, Tone tone) {
  const std::string other_source =
      "these rows probably do not come from the same source as the calibration rows (they are not exchangeable with them): "
      "another time, place or population.";
  switch (tone) {
    case Tone::too_low:
      return ", but not this. So " + other_source;
    case Tone::too_high:
      return format_text(", but not this. The {} are safe here but {} than they need to be, and {}", inputs.words.things,
                         inputs.words.larger, other_source);
    case Tone::more:
      return format_text(". {}: nothing is wrong.", inputs.words.more_because);
    default:
      return share_of(inputs.covered, inputs.rows) < inputs.confidence ? ", so chance can explain the difference."
                                                                       : ", so this agrees with the promise.";
  }
}

// The coverage given the calibration set follows Beta(k, n + 1 - k). Ties and a known range of the target can only raise it.
Statement how_sure(const AnswerInputs& inputs) {
  const auto k = static_cast<double>(inputs.rank), rest = static_cast<double>(inputs.calibration_rows + 1 - inputs.rank);
  const auto quantile = [&](double p) { return beta_quantile(p, k, rest); };
  const std::string set = counted(inputs.calibration_rows, "calibration row");
  const std::string range =
      has_ties(inputs) || inputs.range_restricts
          ? format_text("at least {} for 19 of 20, and at least {} for 199 of 200", share_text(quantile(0.05)),
                        share_text(quantile(0.005)))
          : format_text("between {} for 9 of 10, and between {} for 99 of 100", two_shares(quantile(0.05), "and", quantile(0.95)),
                        two_shares(quantile(0.005), "and", quantile(0.995)));
  return {"How sure",
          format_text("The promise is an average over all sets of {} that might have been drawn. For one set, the share of new "
                      "cases covered in the long run is {} sets. More calibration rows make this more certain.",
                      set, range)};
}

std::optional<Statement> what_to_do(const AnswerWords& words, Tone tone) {
  if (tone == Tone::too_low)
    return Statement{"What to do",
                     format_text("Do not rely on the {} for rows like these. Collect fresh rows with known targets and run "
                                 "'taut calibrate', or fit anew.",
                                 words.things)};
  if (tone == Tone::too_high)
    return Statement{"What to do",
                     format_text("Collect fresh rows with known targets and run 'taut calibrate': it makes the {} {}.",
                                 words.things, words.smaller)};
  return {};
}

std::optional<Statement> widths(const AnswerInputs& inputs, Tone tone) {
  const WidthSummary& width = inputs.width;
  if (std::isnan(width.narrow)) return {};
  const std::string mean = text_with_unit(width.mean, inputs.unit), narrow = text_with_unit(width.narrow, inputs.unit),
                    wide = text_with_unit(width.wide, inputs.unit);
  if (inputs.rows == 1) return Statement{"Width", format_text("The interval is {} wide.", mean)};
  if (width.all_equal) return Statement{"Width", format_text("Every interval is {} wide: the width does not depend on x.", mean)};
  if (inputs.infinite > 0)
    return Statement{
        "Width", format_text("The other intervals are from {} for their narrowest tenth to {} for their widest.", narrow, wide)};
  const std::string range = format_text("from {} for the narrowest tenth of the rows to {} for the widest", narrow, wide);
  // Do not praise narrow intervals that cover too few rows.
  if (tone == Tone::too_low || !width.against_constant) return Statement{"Width", format_text("Widths go {}.", range)};
  const std::string other = "one width for all rows that covers as many of them";
  const int percent = *width.against_constant;
  if (percent == 0) return Statement{"Width", format_text("On average intervals are as wide as {}: {}.", other, range)};
  return Statement{"Width", format_text("Intervals are {} % {} on average than {}: {}.", std::abs(percent),
                                        percent < 0 ? "narrower" : "wider", other, range)};
}

Answer without_quantile(const AnswerInputs& inputs) {
  return {Tone::no_quantile,
          headline(inputs, Tone::no_quantile),
          {{"Why", format_text("{} cannot promise {}, so {}.", counted(inputs.calibration_rows, "calibration row"),
                               level_text(inputs.confidence), inputs.words.whole)},
           {"What to do",
            format_text("At least {} are needed: give the model more with 'taut calibrate', or move the slider to a lower level.",
                        counted(min_calibration_rows(inputs.confidence, inputs.sure), "calibration row"))}}};
}

std::string as_sentence(std::string words) {
  if (!words.empty()) words.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(words.front())));
  return words + ".";
}

Answer answer_without_alarms(const AnswerInputs& inputs) {
  const Tone tone = tone_of(inputs);
  if (tone == Tone::no_quantile) return without_quantile(inputs);
  Answer result{
      tone, headline(inputs, tone), {promised(inputs), {"Found", found_and_expected(inputs) + conclusion(inputs, tone)}}};
  const auto add = [&](std::optional<Statement> statement) {
    if (statement) result.statements.push_back(std::move(*statement));
  };
  if (inputs.rows < few_rows)
    add(Statement{"Few rows", format_text("{} {} little about the coverage.", counted(inputs.rows, "test row"),
                                          inputs.rows == 1 ? "says" : "say")});
  // The Beta distribution of the coverage assumes exchangeable rows.
  if (inputs.is_plain && !inputs.in_order && (tone == Tone::as_promised || tone == Tone::more)) add(how_sure(inputs));
  add(what_to_do(inputs.words, tone));
  if (inputs.infinite > 0)
    add(Statement{"No end", format_text("{} of the intervals ({} of {}) have an infinite end, so the mean width and the interval "
                                        "score are infinite.",
                                        share_text(share_of(inputs.infinite, inputs.rows)), print_count(inputs.infinite),
                                        print_count(inputs.rows))});
  add(inputs.size ? inputs.size : widths(inputs, tone));
  if (inputs.weakest) {
    const WeakGroup& weak = *inputs.weakest;
    add(Statement{"Weakest", format_text("Where {}, only {} of {} were covered: see 'Where it fails'.", weak.words,
                                         share_text(share_of(weak.covered, weak.rows)), counted(weak.rows, "row"))});
  }
  return result;
}

}  // namespace

std::string tone_name(Tone tone) {
  constexpr std::array names{"as-promised", "more", "too-high", "too-low", "no-quantile"};
  return names[static_cast<std::size_t>(tone)];
}

Answer answer(const AnswerInputs& inputs) {
  Answer result = answer_without_alarms(inputs);
  std::vector<Statement> first;
  for (const auto& alarm : inputs.alarms) first.push_back({"Take care", as_sentence(alarm)});
  result.statements.insert(result.statements.begin(), first.begin(), first.end());
  return result;
}

}  // namespace taut
