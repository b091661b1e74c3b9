// The functions of libtaut_columnar. columnar.cpp exports them as one table.
#pragma once

#include <taut/data/arrow/abi.hpp>

#include <arrow/status.h>

#include <cstdio>
#include <exception>

namespace taut::columnar {

// Returns 0 on success. On failure returns 1 and writes the message to `error`; exceptions do not leave the library.
template <class Call>
int guarded(TautColumnarError* error, Call call) {
  const auto fail = [error](const char* message) {
    std::snprintf(error->words, sizeof error->words, "%s", message);
    return 1;
  };
  try {
    const arrow::Status status = call();
    return status.ok() ? 0 : fail(status.message().c_str());
  } catch (const std::exception& exception) {
    return fail(exception.what());
  } catch (...) {
    return fail("unknown error");
  }
}

int export_schema(const char* path, ArrowSchema* out, TautColumnarError* error);
int export_rows(const char* path, const int* columns, std::size_t count, int threads, std::int64_t batch_rows,
                ArrowArrayStream* out, TautColumnarError* error);

int create_writer(char format, TautColumnarSink sink, ArrowSchema* schema, TautColumnarWriter** out, TautColumnarError* error);
int write_rows(TautColumnarWriter* writer, ArrowArray* rows, TautColumnarError* error);
int finish_writer(TautColumnarWriter* writer, TautColumnarError* error);
void destroy_writer(TautColumnarWriter* writer);

}  // namespace taut::columnar
