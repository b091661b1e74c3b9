// Which calibration rows count for a new row, as a dictionary; for models of numbers and of labels alike.
#pragma once

#include <python/bind.hpp>
#include <python/words.hpp>
#include <taut/model/group_report.hpp>

#include <nanobind/stl/string.h>

namespace taut {

template <class AnyKindOfModel>
nb::dict calibration_of(const AnyKindOfModel& model) {
  nb::list groups, notes;
  for (const GroupSize& group : model.calibration_groups()) {
    nb::dict one;
    one["name"] = group.name;
    one["rows"] = group.rows;
    groups.append(one);
  }
  for (const auto& note : model.calibration_notes()) notes.append(in_python(note));
  nb::dict result;
  result["kind"] = model.calibration_kind();
  result["by"] = model.groups_in_words();
  result["groups"] = groups;
  result["notes"] = notes;
  return result;
}

}  // namespace taut
