// Where to look for the XGBoost library, for doors that know of another place. Needs no header of XGBoost itself.
#pragma once

#include <string>

namespace taut {

// One more file to try where the system has none, such as the one that Python's package of that name carries. To be called before
// the first tree is grown.
void also_look_for_xgboost_at(const std::string& file);

}  // namespace taut
