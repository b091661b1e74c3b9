// C interfaces to columnar tables: the Arrow C data interface, and the interface of libtaut_columnar.
#pragma once

#include <cstddef>
#include <cstdint>

// The three structures of the Arrow C data interface pass columnar tables between libraries without a copy and without linking.
// Their layout is specified at arrow.apache.org/docs/format/CDataInterface.html. The macros are part of the specification and
// allow several libraries to declare the structures.
//
// The holder of a structure whose `release` is not null owns it and calls `release` once. To move a structure, copy its bytes and
// set the old `release` to null.

extern "C" {

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

// The type of a column or of a table. A table is a structure whose children are the columns.
struct ArrowSchema {
  const char* format;  // the type as a format string: "g" for float64
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;  // not null: cells are positions in an array of this type
  void (*release)(struct ArrowSchema*);
  void* private_data;
};

// Rows of one column or of a table. The type determines the buffers: usually the validity bits (one per row), then the cells.
struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;  // -1: unknown
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

// A sequence of arrays of one type. The calls return 0 or an errno. At the end, `out` is an array whose `release` is null.
struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
  int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
  const char* (*get_last_error)(struct ArrowArrayStream*);
  void (*release)(struct ArrowArrayStream*);
  void* private_data;
};

#endif  // ARROW_C_STREAM_INTERFACE

}  // extern "C"

// libtaut_columnar reads and writes Parquet and Arrow files as C streams. It is a separate module, loaded only for such a file,
// because the Arrow library is fifty times the size of Taut. Taut and the module share only this C interface.
//
// Every call returns 0, or 1 with the reason in `error`.

extern "C" {

struct TautColumnarError {
  char words[1000];
};

// Receives the bytes of a file that is written. `write` returns 0, or another number if it fails.
struct TautColumnarSink {
  int (*write)(void* context, const char* bytes, std::size_t size);
  void* context;
};

struct TautColumnarWriter;

// All calls of the module, exported under the name "taut_columnar_calls".
struct TautColumnarCalls {
  int version;  // of this interface
  const char* library;

  // Reads the schema of a file.
  int (*schema)(const char* path, struct ArrowSchema* out, struct TautColumnarError* error);
  // Reads the columns at these positions, in the order of the file, on `threads` threads (0: all cores). The rows come in batches
  // of about `batch_rows` rows, so that memory stays constant.
  int (*read)(const char* path, const int* columns, std::size_t count, int threads, std::int64_t batch_rows,
              struct ArrowArrayStream* out, struct TautColumnarError* error);

  // Takes ownership of `schema`. `format`: 'P' for Parquet, 'A' for Arrow (IPC, Feather).
  int (*create)(char format, struct TautColumnarSink sink, struct ArrowSchema* schema, struct TautColumnarWriter** out,
                struct TautColumnarError* error);
  // Takes ownership of `rows`.
  int (*write)(struct TautColumnarWriter* writer, struct ArrowArray* rows, struct TautColumnarError* error);
  int (*finish)(struct TautColumnarWriter* writer, struct TautColumnarError* error);
  void (*destroy)(struct TautColumnarWriter* writer);
};

}  // extern "C"

namespace taut {

inline constexpr int columnar_version = 1;

}  // namespace taut
