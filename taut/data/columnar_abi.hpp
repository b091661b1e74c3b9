// What libtaut_columnar offers: files of Parquet and Arrow as C streams. It is a module of its own, loaded only when such a file
// is met, because the library behind it is fifty times the size of Taut. The interface is in C: the two sides share nothing else.
//
// Every call returns 0, or 1 with the reason in `error`.
#pragma once

#include <taut/data/arrow_abi.hpp>

#include <cstddef>
#include <cstdint>

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
