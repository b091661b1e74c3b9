// The columns of a given predictive distribution: patterns of names, and the levels that the names of quantile columns state.
#pragma once

#include <taut/core/types.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace taut {

struct FitOptions;

// A column with the quantiles of a level. As text it is NAME=LEVEL, which a fit's options hold once patterns are replaced by
// names.
struct QuantileColumn {
  std::string name;
  double level;
};
std::string to_string(const QuantileColumn& column);
// The name before the last '=' that a level follows; the whole text if there is none.
std::string name_of_quantile_column(const std::string& text);
// The level after it; NaN if there is none.
double level_of_quantile_column(const std::string& text);

// True if the name fits the pattern: '*' is any text, '?' any character.
bool fits_pattern(std::string_view name, std::string_view pattern);

// The columns of --quantile-columns and --sample-columns in a table with these columns.
struct GivenColumns {
  std::vector<QuantileColumn> quantiles;  // levels rise
  std::vector<std::string> samples;
  std::vector<std::string> without_number;  // columns that fit a pattern and have no number in their names: they are not taken
};

// The level of a quantile column is the number in its name. Below 1 it is the level: q0.05, .05, pred_0.95; with '%', and from 1
// on, it is in per cent: 5%, q_5, q97.5. Of several numbers the one that is written as a decimal below 1, or with '%', counts.
// NAME=LEVEL states the level of any column. Patterns take every column that fits and has a number in its name, except the target
// and dropped columns. Throws UsageError for names that can be read in more than one way, with what was understood, for two
// columns of one level, and for fewer than two levels or `min_samples` samples.
GivenColumns given_columns(const FitOptions& options, const std::vector<std::string>& names);
// The options with every pattern replaced by the names that it stands for. The result stays as it is if this is done again.
FitOptions with_given_columns(FitOptions options, const std::vector<std::string>& names);

}  // namespace taut
