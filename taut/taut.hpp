// The library in one include. What this includes is public and installed; all other headers are inside the library.
#pragma once

#include <taut/classes/class_model.hpp>
#include <taut/core/error.hpp>
#include <taut/core/execution_context.hpp>
#include <taut/core/random.hpp>
#include <taut/core/types.hpp>
#include <taut/core/version.hpp>
#include <taut/data/csv_reader.hpp>
#include <taut/data/csv_writer.hpp>
#include <taut/data/synthetic.hpp>
#include <taut/data/table.hpp>
#include <taut/explain/explainer.hpp>
#include <taut/foreign/read.hpp>
#include <taut/task/number/regressor.hpp>
#include <taut/parts.hpp>
#include <taut/report/report.hpp>
