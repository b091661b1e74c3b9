// Why intervals are as wide as they are: for the section "What makes intervals wide".
#pragma once

#include <taut/explain/influence.hpp>
#include <taut/report/sample.hpp>

#include <string>
#include <vector>

namespace taut {

// What f predicts, among the columns that are drawn.
inline constexpr std::string_view prediction_name = "prediction f(x)";

// What two columns do to the width together, beyond what each does.
struct ActingTogether {
  std::string first, second;
  double factor = 1;  // usually
};

struct ReportReasons {
  bool is_known = false;                           // the model's file may be too old to say
  std::string lead;                                // in a sentence
  std::vector<std::string> inputs = {};            // the columns of the table
  std::string shape_column = {}, shape_name = {};  // what a shape adds to the width, and how it is shown; empty without one
  std::vector<ColumnInfluence> columns = {};       // by their effect on the width, the prediction among them
  Matrix factors;                                  // of the drawn rows: row x the first of these columns
  std::vector<ActingTogether> pairs = {};
  std::vector<std::string> words = {};  // of the first drawn rows, those that can be clicked
};

ReportReasons find_reasons(const Regressor& model, const TableView& test, const Sample& sample, double confidence,
                           const ExecutionContext& context);
// With factors and words of the first `count` drawn rows. Null where nothing is known.
Json reasons_json(const ReportReasons& reasons, std::size_t count);

}  // namespace taut
