// Explanations of widths, for the section "What makes intervals wide".
#pragma once

#include <taut/explain/influence.hpp>
#include <taut/report/sample.hpp>

#include <string>
#include <vector>

namespace taut {

// The name of f(x) among the drawn columns.
inline constexpr std::string_view prediction_name = "prediction f(x)";

// The interaction of two columns in the width.
struct ActingTogether {
  std::string first, second;
  double factor = 1;  // exp of the mean absolute interaction in log width
};

struct ReportReasons {
  bool is_known = false;                           // false if the model file is too old for explanations
  std::string lead;                                // the most important columns as a sentence
  std::vector<std::string> inputs = {};            // the columns of the table
  std::string shape_column = {}, shape_name = {};  // the column of what a shape adds to the width, and its name on the page
  std::vector<ColumnInfluence> columns = {};       // sorted by their effect on the width, with the prediction among them
  Matrix factors;                                  // sampled rows x the first of `columns`: the factor of the width
  std::vector<ActingTogether> pairs = {};
  std::vector<std::string> words = {};  // for the first sampled rows, those that can be clicked
};

ReportReasons find_reasons(const Regressor& model, const TableView& test, const Sample& sample, double confidence,
                           const ExecutionContext& context);
// With factors and words of the first `count` sampled rows; null if reasons.is_known is false.
Json reasons_json(const ReportReasons& reasons, std::size_t count);

}  // namespace taut
