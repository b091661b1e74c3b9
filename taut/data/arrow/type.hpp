// The type of a column in an Arrow stream, read from its few letters, and what Taut makes of it.
#pragma once

#include <taut/data/arrow/abi.hpp>
#include <taut/data/column.hpp>

#include <cstdint>
#include <string>

namespace taut {

struct ArrowType {
  enum class Cells {
    none,  // all missing
    bits,
    int8,
    uint8,
    int16,
    uint16,
    int32,
    uint32,
    int64,
    uint64,
    half,
    float32,
    float64,
    decimal,
    text32,    // texts, with offsets of 32 bits
    text64,    // with offsets of 64 bits
    text_view  // in place when short, else in one of several buffers
  };
  enum class Meaning {
    number,
    boolean,
    date,      // an instant: `per_second` units since 1970-01-01 (UTC)
    duration,  // a number of seconds
    text,
    unsupported
  };

  Cells cells = Cells::none;
  Meaning meaning = Meaning::unsupported;
  std::string words = {};         // of an unsupported type: "lists"
  std::int64_t per_second = 1;    // of dates and durations: units in a second
  std::int64_t seconds_each = 1;  // of days: seconds in a unit
  bool is_day = false;            // a date without a time of day
  int decimal_bytes = 0;
  int decimal_scale = 0;  // digits after the point

  // Of a whole number of units, rounded once.
  double seconds(std::int64_t units) const {
    return static_cast<double>(units / per_second) * static_cast<double>(seconds_each) +
           static_cast<double>(units % per_second) / static_cast<double>(per_second);
  }
  bool is_text() const { return meaning == Meaning::text; }
  bool is_supported() const { return meaning != Meaning::unsupported; }
};

// Never an Error: what is not known is unsupported. Of a dictionary-coded column the type of its codes.
ArrowType arrow_type(const char* format);

// What a column of this type is in a table, without its categories.
ColumnKind kind_of(const ArrowSchema& field);

}  // namespace taut
