// Rows that differ from the calibration rows, for models of numbers and of labels alike.
#pragma once

#include <python/evaluation.hpp>
#include <python/table.hpp>
#include <python/words.hpp>
#include <taut/model/alarm.hpp>

#include <nanobind/stl/string.h>

namespace taut {

// What was found, column by column, and the alarm that this is.
template <class AnyKindOfModel>
nb::tuple check_shift(const AnyKindOfModel& model, const PythonTable& table, int threads) {
  std::vector<DriftFinding> found;
  std::vector<Alarm> alarms;
  {
    const nb::gil_scoped_release no_lock;
    DriftCheck check = model.begin_drift_check();
    model.add_rows(check, table.view(), ExecutionContext{.threads = threads});
    found = check.findings();
    alarms = alarms_of(check);
  }
  nb::list result;
  for (const DriftFinding& shift : found) {
    nb::dict one;
    one["column"] = shift.column;
    one["words"] = in_python(shift.words);
    one["p_value"] = shift.p_value;
    result.append(one);
  }
  return nb::make_tuple(result, listed_alarms(alarms));
}

}  // namespace taut
