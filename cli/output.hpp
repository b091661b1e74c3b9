// Where results go, and columns of words and numbers, lined up.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace taut {

// Where results go.

// To standard output; a full disk behind it is an Error.
void write_result(std::string_view text);

// An Error if `path` cannot be written: better now than after an hour's work.
void check_output(const std::string& path);
// The same, and a UsageError where the output would replace one of these inputs.
void check_output(const std::string& path, const std::vector<std::string>& inputs);
// A UsageError where two of these outputs, of which some may not be asked for, are one file: one result would replace the other.
void check_outputs_differ(const std::vector<std::string>& outputs);

// Columns of words and numbers, lined up.

// The first column stands at the left margin, the others line up at their right ends.
class TextTable {
 public:
  void row(std::vector<std::string> cells, std::string remark = "");  // the remark stands behind the last column
  std::string text() const;

 private:
  struct Row {
    std::vector<std::string> cells;
    std::string remark;
  };
  std::vector<Row> rows_;
};

// 0.9 with three decimals is "0.900": numbers of one column line up. "-" where there is no number.
std::string with_decimals(double value, int decimals);

}  // namespace taut
