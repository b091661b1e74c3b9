// What validation rows say of a trained transformation: widths and interval scores as a user would get them.
#pragma once

#include <taut/train/objective.hpp>

namespace taut {

// The value at the level's place among `values`: the smallest that at least this share does not exceed.
double sample_quantile(std::vector<double> values, double confidence);

// The mean full width, and the mean interval score, at one confidence level when these very rows calibrate. Used only to
// choose between candidates on rows that never calibrate the final model.
struct LevelFigures {
  double width = 0;
  double interval_score = 0;
};

LevelFigures level_figures(const ObjectiveRows& rows, double confidence);

// Mean over the levels .68, .9 and .95 of the log interval score: one figure for "good at all levels".
double overall_log_score(const ObjectiveRows& rows);

// "0.9" or "0.1": a confidence level or its alpha, whichever lies below one half is taken for alpha, because nobody asks for
// less than half of the rows.
double parse_confidence(std::string_view argument, std::string_view what);

}  // namespace taut
