// Columns of words and numbers, lined up.
#pragma once

#include <string>
#include <vector>

namespace taut {

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
