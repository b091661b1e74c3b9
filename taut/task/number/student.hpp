// A student: a model that imitates another one, and is smaller and faster.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/core/value.hpp>

#include <string>

namespace taut {

// What a student says of its teacher; see Regressor::distil.
struct StudentRecord {
  std::string teacher;        // its name, as the user wrote it
  std::string teacher_parts;  // what its f and φ are
  std::string rows_source;    // of the rows on which it was imitated
  Index rows = 0;             // number of these rows
  Index made = 0;             // rows made from them

  std::string describe() const;
  Value facts() const;
  void save(Archive archive) const;
  static StudentRecord load(const Archive& archive);
};

}  // namespace taut
