// The calls of libtaut_columnar, each in one file; columnar.cpp hands them out.
#pragma once

#include <taut/data/arrow/abi.hpp>

#include <arrow/status.h>

#include <cstdio>
#include <exception>

namespace taut::columnar {

// No exception leaves the module: whatever goes wrong is a 1 and its words.
template <class Call>
int guarded(TautColumnarError* error, Call call) {
  const auto tell = [error](const char* words) {
    std::snprintf(error->words, sizeof error->words, "%s", words);
    return 1;
  };
  try {
    const arrow::Status status = call();
    return status.ok() ? 0 : tell(status.message().c_str());
  } catch (const std::exception& exception) {
    return tell(exception.what());
  } catch (...) {
    return tell("no further detail");
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
