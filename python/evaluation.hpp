// What the library finds, as dicts and lists of Python.
#pragma once

#include <python/bind.hpp>
#include <taut/task/number/regressor.hpp>

namespace taut {

// As `taut evaluate --json` tells them.
nb::list listed_alarms(const std::vector<Alarm>& alarms);
nb::dict as_dict(const Evaluation& evaluation);

}  // namespace taut
