// The optional module that reads and writes Parquet and Arrow files.
#pragma once

#include <taut/data/arrow/abi.hpp>

#include <string>

namespace taut {

// Loads libtaut_columnar on the first call. If that fails, an Error starts with `wanted` ("new.parquet: this is a Parquet file"),
// names the reason, and says what to do instead.
const TautColumnarCalls& columnar_calls(const std::string& wanted);

}  // namespace taut
