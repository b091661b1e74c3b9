// The results of a level as English sentences, and numbers as text.
#pragma once

#include <taut/core/types.hpp>
#include <taut/report/bins.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace taut {

// report-page/src/format.js formats numbers in the same way for the page's script.

inline constexpr std::size_t longest_name = 60;  // maximum length of the name of a column or label

// 3 significant digits: "0.0123", "4.56", "12,300". Very small and very large numbers have an exponent: "1.5e−7".
std::string number_text(double value, int digits = 3);
// The number followed by its unit, if there is one.
std::string text_with_unit(double value, const std::string& unit);
// A measured share: 0.9017 -> "90.2 %".
std::string share_text(double share);
// A confidence level: 0.9 -> "90 %".
std::string level_text(double level);
// "89.1 and 90.9 %", "89.1 to 90.9 %": two shares with one percent sign.
std::string two_shares(double low, const std::string& between, double high);

// At most `maximum` characters (code points, not bytes), with an ellipsis if something was left out.
std::string shortened(std::string_view text, std::size_t maximum);

// The widths of the finite intervals at a level.
struct WidthSummary {
  double mean = missing;
  double narrow = missing, wide = missing;  // means of the narrowest and of the widest tenth of the rows
  bool all_equal = false;
  // In percent: by how much the mean exceeds (below 0: falls below) the constant width that covers as many rows.
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

// Words for the regions that the sentences are about. The defaults are for intervals.
struct AnswerWords {
  std::string one_holds = "falls in its interval", one_misses = "falls outside its interval";  // continue "The only test row"
  std::string hold = "fall in their interval";                                                 // continues "90 % of 50 test rows"
  std::string things = "intervals", smaller = "narrower", larger = "wider";
  std::string whole = "every interval is the whole line, or what is known of the target's range";  // without a quantile
  std::string more_because = "The target has limits or steps, which can only raise the coverage";
};

struct AnswerInputs {
  double confidence = 0.9;
  Index rows = 0, covered = 0;  // test rows
  Index calibration_rows = 0, rank = 0;
  bool is_plain = true;          // all calibration rows have the same weight: coverage given them is Beta(rank, rows + 1 - rank)
  CountRange expected{};         // of `covered`, if the rows are exchangeable
  Index max_without_ties = 0;    // upper end of `expected` if no two calibration scores were equal
  bool range_restricts = false;  // limits or steps of the target are known
  bool in_order = false;         // the model was fitted to rows in order of time: nothing is promised for later rows
  WidthSummary width{};
  Index infinite = 0;
  double sure = 0;  // --sure of the calibration
  std::string unit{};
  std::optional<WeakGroup> weakest{};
  AnswerWords words{};
  std::optional<Statement> size{};    // replaces the statement about widths
  std::vector<std::string> alarms{};  // warnings about the test rows that a reader should see first
};

// as_promised: the coverage is within `expected`. more: above it because the target's range is known, which does no harm.
// too_high: above it without that reason. too_low: below it. no_quantile: too few calibration rows for the level.
enum class Tone { as_promised, more, too_high, too_low, no_quantile };
std::string tone_name(Tone tone);

struct Answer {
  Tone tone = Tone::as_promised;
  std::string headline;
  std::vector<Statement> statements;
};

Answer answer(const AnswerInputs& inputs);

}  // namespace taut
