// Numbers in English words, and what a level's figures mean to somebody who has to decide.
#pragma once

#include <taut/core/types.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace taut {

// 3 significant digits as a reader likes them: "0.0123", "4.56", "12,300"; powers of ten where that would be unreadable.
std::string spoken(double value, int digits = 3);
// With its unit behind, where there is one.
std::string spoken_with(double value, const std::string& unit);
// What was measured, 0.9017 -> "90.2 %", and what was asked for, 0.9 -> "90 %".
std::string spoken_share(double share);
std::string spoken_level(double level);
// 0.9 -> "9 of 10", 0.95 -> "19 of 20", 0.68 -> "17 of 25", 0.995 -> "199 of 200".
std::string spoken_odds(double level);

// At most `most` characters (code points, not bytes), an ellipsis where something was left out.
std::string shortened(std::string_view text, std::size_t most);

// What the words are written from.
struct AnswerFigures {
  double confidence = 0.9;
  Index rows = 0, calibration_rows = 0, rank = 0;
  double coverage = 0, coverage_low = 0, coverage_high = 0;
  double mean_width = 0;
  double same_width = missing;                  // mean width of one width everywhere that covers as many of these rows
  double easiest = missing, hardest = missing;  // mean width in the narrowest and in the widest tenth
  bool adapts = true;                           // false: one width everywhere
  bool range_restricts = false;                 // steps or limits of the target are known
  Index infinite = 0;
  std::string unit;
  std::string weak_region{};  // where coverage is clearly too low, "grade ≥ 11"; may be empty
  std::string weak_share{};   // "81.0 % of 96 rows"
};

struct Answer {
  std::string tone;  // "good", "high", "low", "none"
  std::string headline;
  std::vector<std::string> sentences;
};

Answer answer(const AnswerFigures& figures);

}  // namespace taut
