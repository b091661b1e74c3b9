// Options as Python's keyword arguments: names with underscores, otherwise as taut/model/options.hpp has them.
#pragma once

#include <python/bind.hpp>
#include <taut/model/options.hpp>

namespace taut {

// Options that are not named keep their default. An unknown name is a UsageError, a value of the wrong type a TypeError.
FitOptions options_from(const nb::dict& given);
nb::dict as_dict(const FitOptions& options);

}  // namespace taut
