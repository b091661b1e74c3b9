// The module that reads and writes files of Parquet and Arrow, which is not part of every build.
#pragma once

#include <taut/data/arrow/abi.hpp>

#include <string>

namespace taut {

// Loads libtaut_columnar on the first call. Where it is missing, an Error says what `wanted` it ("new.parquet is a Parquet
// file"), where it was looked for, and what to do instead.
const TautColumnarCalls& columnar_calls(const std::string& wanted);

}  // namespace taut
