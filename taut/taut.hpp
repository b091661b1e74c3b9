// The library in one include.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/core/registry.hpp>
#include <taut/core/run.hpp>
#include <taut/core/types.hpp>
#include <taut/core/version.hpp>
#include <taut/data/encoding.hpp>
#include <taut/data/table.hpp>
#include <taut/localize/localizer.hpp>
#include <taut/predict/predictor.hpp>
#include <taut/transform/transform.hpp>
