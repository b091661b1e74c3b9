// The library in one include. The headers included here, directly or not, are public and installed; all others are internal.
#pragma once

#include <taut/core/error.hpp>
#include <taut/core/execution_context.hpp>
#include <taut/core/random.hpp>
#include <taut/core/types.hpp>
#include <taut/core/version.hpp>
#include <taut/data/csv/reader.hpp>
#include <taut/data/csv/writer.hpp>
#include <taut/data/synthetic.hpp>
#include <taut/data/table.hpp>
#include <taut/explain/explainer.hpp>
#include <taut/foreign/read.hpp>
#include <taut/parts.hpp>
#include <taut/report/report.hpp>
#include <taut/task/label/classifier.hpp>
#include <taut/task/number/regressor.hpp>
