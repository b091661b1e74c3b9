// Rows of a file in batches, against known columns: constant memory whatever the size of the file.
#pragma once

#include <taut/data/mismatches.hpp>
#include <taut/data/table.hpp>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace taut {

class ArrowSlice;

struct Batch {
  Table table;
  std::vector<std::string> kept;  // rows x kept columns, row-major, as text
  // From a columnar file: the kept columns as they came, with their types. Empty from a file of text.
  std::shared_ptr<const ArrowSlice> kept_arrays = {};

  std::span<const std::string> kept_of(Index row) const {
    const std::size_t count = table.rows() == 0 ? 0 : kept.size() / static_cast<std::size_t>(table.rows());
    return std::span(kept).subspan(static_cast<std::size_t>(row) * count, count);
  }
};

// Columns are matched by name: order free, extra ones ignored, a missing one an Error with the nearest name. Cells become what
// TableView::matched makes of them.
class RowReader {
 public:
  virtual ~RowReader() = default;

  // Up to `most` further rows; false when there are none, even if the file has only a header. Reuse the batch: it keeps its
  // memory.
  virtual bool next(Batch& batch, Index most) = 0;
  // Cells of all rows read so far that did not fit the schema.
  virtual const Mismatches& mismatches() const = 0;
  // Throws the Error for a file without rows, for callers that need some.
  [[noreturn]] virtual void fail_no_rows() const = 0;
};

}  // namespace taut
