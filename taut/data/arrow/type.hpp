// The type of a column in an Arrow stream, parsed from its format string, and the column kind that Taut gives it.
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
    text_view  // short texts in place, longer ones in one of several buffers
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
  std::string words = {};         // of an unsupported type, for messages: "lists"
  std::int64_t per_second = 1;    // of dates and durations: units in a second
  std::int64_t seconds_each = 1;  // of days: seconds in a unit
  bool is_day = false;            // a date without a time of day
  int decimal_bytes = 0;
  int decimal_scale = 0;  // digits after the point

  // Converts a number of units to seconds, rounded once.
  double seconds(std::int64_t units) const {
    return static_cast<double>(units / per_second) * static_cast<double>(seconds_each) +
           static_cast<double>(units % per_second) / static_cast<double>(per_second);
  }
  bool is_text() const { return meaning == Meaning::text; }
  bool is_supported() const { return meaning != Meaning::unsupported; }
};

// An unknown format is unsupported, never an Error. For a dictionary-coded column this is the type of its codes.
ArrowType arrow_type(const char* format);

// The kind of a column of this type in a table.
ColumnKind kind_of(const ArrowSchema& field);

}  // namespace taut
