// The results of a level in sentences, and numbers as a reader of English expects them.
#pragma once

#include <taut/core/types.hpp>
#include <taut/report/bins.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace taut {

// Numbers as text, the way a reader of English expects them. report-page/src/format.js has the same for the page.

inline constexpr std::size_t longest_name = 60;  // of a column or label

// 3 significant digits: "0.0123", "4.56", "12,300"; powers of ten where that would be unreadable: "1.5e−7".
std::string number_text(double value, int digits = 3);
// With its unit behind it, if there is one.
std::string text_with_unit(double value, const std::string& unit);
// A measured share, 0.9017 -> "90.2 %"; and a confidence level, 0.9 -> "90 %".
std::string share_text(double share);
std::string level_text(double level);
// "89.1 and 90.9 %", "89.1 to 90.9 %": two shares with one percent sign.
std::string two_shares(double low, const std::string& between, double high);

// At most `most` characters (code points, not bytes), with an ellipsis if something was left out.
std::string shortened(std::string_view text, std::size_t most);

// The results of a level in sentences: what is promised, what was found, how sure that is.

// How wide the finite intervals of a level are.
struct WidthSummary {
  double mean = missing;
  double narrow = missing, wide = missing;  // means of the narrowest and of the widest tenth of the rows
  bool all_equal = false;
  // In percent: how much wider (below 0: narrower) the mean is than one width for all rows that covers as many of them.
  std::optional<int> against_constant{};
};

struct Statement {
  std::string label;  // "Promised"
  std::string text;
};

// A group of rows that is covered too rarely.
struct WeakGroup {
  std::string words;  // "grade ≥ 11": continues "where"
  Index rows = 0, covered = 0;
};

// What the sentences are about; these are the words for intervals.
struct AnswerWords {
  std::string one_holds = "falls in its interval", one_misses = "falls outside its interval";  // continue "The only test row"
  std::string hold = "fall in their interval";                                                 // continues "90 % of 50 test rows"
  std::string things = "intervals", smaller = "narrower", larger = "wider";
  std::string whole = "every interval is the whole line, or what is known of the target's range";  // without a quantile
  std::string more_because = "The target has limits or steps, which can only raise the coverage";
};

struct AnswerInputs {
  double confidence = 0.9;
  Index rows = 0, covered = 0;  // of the test
  Index calibration_rows = 0, rank = 0;
  bool is_plain = true;          // all calibration rows count alike: coverage given them is Beta(rank, rows + 1 - rank)
  CountRange expected{};         // of `covered`
  Index most_without_ties = 0;   // upper end of `expected` if no two calibration scores were equal
  bool range_restricts = false;  // limits or steps of the target are known
  bool in_order = false;         // rows were fitted in order of time: nothing is promised of those that follow
  WidthSummary width{};
  Index infinite = 0;
  double sure = 0;  // --sure of the law
  std::string unit{};
  std::optional<WeakGroup> weakest{};
  AnswerWords words{};
  std::optional<Statement> size{};    // instead of what the widths say
  std::vector<std::string> alarms{};  // what should be known of the rows before anything is concluded from them
};

// as_promised: what was found is within `expected`. more: above it, because the target's range is known, which does no harm.
// too_high: above it for no such reason. too_low: below it. no_quantile: too few calibration rows for the level.
enum class Tone { as_promised, more, too_high, too_low, no_quantile };
std::string tone_name(Tone tone);

struct Answer {
  Tone tone = Tone::as_promised;
  std::string headline;
  std::vector<Statement> statements;
};

Answer answer(const AnswerInputs& inputs);

}  // namespace taut
