// The library in one include: the model, and the contracts of its parts for those who write their own.
#pragma once

#include <taut/core/error.hpp>
#include <taut/core/execution_context.hpp>
#include <taut/core/random.hpp>
#include <taut/core/types.hpp>
#include <taut/core/version.hpp>
#include <taut/data/csv_reader.hpp>
#include <taut/data/csv_writer.hpp>
#include <taut/data/synthetic.hpp>
#include <taut/data/table.hpp>
#include <taut/localize/localizer.hpp>
#include <taut/metric/metric.hpp>
#include <taut/model/model.hpp>
#include <taut/predict/predictor.hpp>
#include <taut/report/report.hpp>
#include <taut/train/objective.hpp>
#include <taut/transform/transform.hpp>
