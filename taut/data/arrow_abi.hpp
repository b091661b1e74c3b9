// The three structures of the Arrow C data interface, by which columnar tables pass between libraries without a copy and without
// either side linking the other. Their layout is a specification (arrow.apache.org/docs/format/CDataInterface.html); the macros
// are part of it and let several libraries bring the structures along.
//
// Whoever holds a structure whose `release` is not null owns it and calls `release` once. Moving is copying the bytes and setting
// the old `release` to null.
#pragma once

#include <cstdint>

extern "C" {

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

// The type of a column, or of a table: a structure whose children are the columns.
struct ArrowSchema {
  const char* format;  // the type in a few letters: "g" for float64
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;  // not null: cells are positions in an array of this type
  void (*release)(struct ArrowSchema*);
  void* private_data;
};

// Rows of one column, or of a table. `buffers` are what the type says: usually one bit a row for "is there", then the cells.
struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;  // -1: not counted
  std::int64_t offset;      // the first row in the buffers
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};

#endif  // ARROW_C_DATA_INTERFACE

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

// Arrays of one type, one after the other. The calls return 0 or an errno; the end is an array that is released already.
struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
  int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
  const char* (*get_last_error)(struct ArrowArrayStream*);
  void (*release)(struct ArrowArrayStream*);
  void* private_data;
};

#endif  // ARROW_C_STREAM_INTERFACE

}  // extern "C"
