// The model-file reader on any bytes. An input is a model file or the archive inside one; the archive is put into a frame with a
// correct checksum, as an attacker would do. An accepted model must predict without a crash and keep its bytes.
#include <tests/fuzz/target.hpp>

#include <taut/core/error.hpp>
#include <taut/model/file.hpp>
#include <taut/task/number/regressor.hpp>

#include <array>
#include <cmath>
#include <string>

namespace taut {
namespace {

constexpr std::size_t head = 20, tail = 8;  // of the frame

std::string_view archive_of(std::string_view bytes) {
  const bool is_file = bytes.starts_with("\x89TAUT") && bytes.size() >= head + tail;
  return is_file ? bytes.substr(head, bytes.size() - head - tail) : bytes;
}

// Rows of zeros, of ones, of missing cells and of huge numbers; each of them is also used as the code of a category.
Table rows_for(const std::vector<Column>& schema) {
  constexpr std::array cells = {0.0, 1.0, missing, -1e300, 0.25};
  Table table;
  table.columns = schema;
  table.values.resize(std::ssize(cells), std::ssize(schema));
  for (Index row = 0; row < table.rows(); ++row) table.values.row(row).setConstant(cells[static_cast<std::size_t>(row)]);
  return table;
}

void use(const Regressor& model) {
  const std::array levels = {0.1, 0.9};
  Table rows = rows_for(model.prediction_schema());
  for (int some = 0; some < 2; ++some) {
    try {
      const Predicted predicted = model.predict_interval(rows, levels, {.threads = 1});
      for (Index row = 0; row < rows.rows(); ++row) {
        const Interval narrow = predicted.at(row, 0), wide = predicted.at(row, 1);
        require(narrow.empty() || (wide.lower <= narrow.lower && narrow.upper <= wide.upper), "intervals are nested");
      }
    } catch (const Error&) {
    }
    rows.values.conservativeResize(2, Eigen::NoChange);  // the rows that every predictor accepts
  }
}

void check_model(std::string_view bytes) {
  try {
    unframe(bytes);
  } catch (const Error&) {
  }
  std::string kept;
  try {
    const Regressor model = Regressor::from_bytes(frame(archive_of(bytes)));
    kept = model.to_bytes();
    use(model);
  } catch (const Error&) {
    if (kept.empty()) return;
  }
  try {
    require(Regressor::from_bytes(kept).to_bytes() == kept, "a model that was read can be written and read again");
  } catch (const Error& error) {
    require(false, error.what());
  }
}

}  // namespace
}  // namespace taut

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  taut::check_model(taut::text_of(data, size));
  return 0;
}
