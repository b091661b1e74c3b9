// What the stack found out about its members, for `info`.
#pragma once

#include <string>
#include <vector>

namespace taut {

struct StackMemberRecord {
  std::string predictor;
  std::string scale;    // on which it learns the target
  double error = 0;     // mean absolute error on rows that it has not seen, in units of the target
  double weight = 0;    // 0: it is not part of the model
  bool dropped = false; // it lost on some of the rows, where its error was measured, and was not trained on all
};

using StackRecord = std::vector<StackMemberRecord>;

}  // namespace taut
