#include <columnar/columnar.hpp>

#include <arrow/util/config.h>

using namespace taut::columnar;

extern "C" __attribute__((visibility("default")))
const TautColumnarCalls taut_columnar_calls = {taut::columnar_version, "Arrow " ARROW_VERSION_STRING,
                                               &export_schema,         &export_rows,
                                               &create_writer,         &write_rows,
                                               &finish_writer,         &destroy_writer};
