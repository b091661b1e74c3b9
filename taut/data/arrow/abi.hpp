// C interfaces to columnar tables: Arrow's own, and that of libtaut_columnar.
#pragma once

#include <cstddef>
#include <cstdint>

// The three structures of the Arrow C data interface, by which columnar tables pass between libraries without a copy and without
// either side linking the other. Their layout is a specification (arrow.apache.org/docs/format/CDataInterface.html); the macros
// are part of it and let several libraries bring the structures along.
//
// Whoever holds a structure whose `release` is not null owns it and calls `release` once. Moving is copying the bytes and setting
// the old `release` to null.

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

// What libtaut_columnar offers: files of Parquet and Arrow as C streams. It is a module of its own, loaded only when such a file
// is met, because the library behind it is fifty times the size of Taut. The interface is in C: the two sides share nothing else.
//
// Every call returns 0, or 1 with the reason in `error`.

extern "C" {

struct TautColumnarError {
  char words[1000];
};

// Where the bytes of a file that is being written go; not 0 when they could not be written.
struct TautColumnarSink {
  int (*write)(void* context, const char* bytes, std::size_t size);
  void* context;
};

struct TautColumnarWriter;

// All calls of the module, found by the name "taut_columnar_calls".
struct TautColumnarCalls {
  int version;  // of this interface
  const char* library;

  // The columns of a file.
  int (*schema)(const char* path, struct ArrowSchema* out, struct TautColumnarError* error);
  // The rows of some columns, by their positions and in the order of the file, decoded on `threads` threads (0: all cores).
  // Batches of about `batch_rows` rows, so that memory stays constant.
  int (*read)(const char* path, const int* columns, std::size_t count, int threads, std::int64_t batch_rows,
              struct ArrowArrayStream* out, struct TautColumnarError* error);

  // Takes `schema` over. `format`: 'P' for Parquet, 'A' for Arrow (IPC, Feather).
  int (*create)(char format, struct TautColumnarSink sink, struct ArrowSchema* schema, struct TautColumnarWriter** out,
                struct TautColumnarError* error);
  // Takes `rows` over.
  int (*write)(struct TautColumnarWriter* writer, struct ArrowArray* rows, struct TautColumnarError* error);
  int (*finish)(struct TautColumnarWriter* writer, struct TautColumnarError* error);
  void (*destroy)(struct TautColumnarWriter* writer);
};

}  // extern "C"

namespace taut {

inline constexpr int columnar_version = 1;

}  // namespace taut
