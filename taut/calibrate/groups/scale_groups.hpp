// Groups that are parts of the model's scale.
#pragma once

#include <taut/data/column.hpp>

#include <string>
#include <vector>

namespace taut {

// True for "scale:5", unless one of `columns` has this name. Throws UsageError for parts that cannot be read.
bool cuts_the_scale(const std::string& specification, const std::string& option, const std::vector<Column>& columns);

}  // namespace taut
