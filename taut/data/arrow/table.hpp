// Tables from Arrow C streams: a whole one, or batches of rows against known columns.
#pragma once

#include <taut/data/arrow/stream.hpp>
#include <taut/data/csv/reader.hpp>
#include <taut/data/csv/rows.hpp>
#include <taut/data/table.hpp>
#include <taut/data/table_view.hpp>

#include <optional>
#include <string>
#include <vector>

namespace taut {

// Columns of a table that are filled from the batches of an Arrow stream.

// What numbers it can, it borrows: those of a single batch that lie there as a CellsView reads them.
class ArrowColumn {
 public:
  // `as_category`: whatever its type is, its values are texts of categories.
  ArrowColumn(const ArrowStream& stream, std::size_t position, bool as_category = false);

  // Rows [first, first + rows) of the batch come after those that are there.
  void add(const ArrowBatch& batch, Index first, Index rows);
  // Moves the cells into the view.
  void add_to(TableView& view);
  // What the user should know of it; empty if nothing.
  std::string note() const;

 private:
  double* grow(Index rows);
  void add_texts(const ArrowCells& cells, double* out);
  void add_printed(const ArrowCells& cells, double* out);
  void add_codes(const ArrowCells& cells, const ArrowBatch& batch, double* out);
  double code_of(std::string_view text);
  Column column() const;

  const ArrowStream& stream_;
  std::size_t position_;
  ArrowField field_;
  ArrowType type_;
  bool as_category_;
  Categories categories_;
  std::optional<CellsView> borrowed_;
  std::shared_ptr<const void> owner_;
  std::vector<double> cells_;
  Index rows_ = 0;
  Index rounded_ = 0;
};

// Tables from Arrow C streams: a whole one, or batches of rows against known columns in constant memory. What polars, pyarrow,
// DuckDB and files of Parquet hand over comes this way.
//
// Types become kinds: whole numbers, floats and decimals are numbers, bits booleans, days and instants (UTC) dates, dictionaries
// categories (ordered if they say so). Texts are what they would be in a CSV file. Columns of other types are left out and named.

struct ArrowTable {
  TableView view;                  // owns its cells, or the batch where they lie
  std::vector<std::string> notes;  // sentences for the user: columns that were left out, numbers that were rounded
};

// Of the options those that are not about text count: drop, numbers, categories, context.
ArrowTable read_arrow_table(ArrowStream stream, const CsvOptions& options = {});
// The whole stream against known columns.
TableView read_arrow_table_as(const std::vector<Column>& schema, ArrowStream stream, const CsvOptions& options = {});

// What becomes of columns to be kept: texts for a file of text, or arrays as they came for a columnar one.
enum class Kept { as_texts, as_arrays };

// Some columns in some rows of a batch, as they came.
class ArrowSlice {
 public:
  ArrowSlice(ArrowBatch batch, std::vector<ArrowField> fields, std::vector<std::size_t> positions, Index first, Index rows)
      : batch_(std::move(batch)), fields_(std::move(fields)), positions_(std::move(positions)), first_(first), rows_(rows) {}

  const std::vector<ArrowField>& fields() const { return fields_; }
  Index rows() const { return rows_; }
  // An array of one column for another owner: shares the buffers, and keeps the batch alive until it is released.
  ArrowArray share(std::size_t kept) const;

 private:
  ArrowBatch batch_;
  std::vector<ArrowField> fields_;  // of the kept columns; valid while the stream is open
  std::vector<std::size_t> positions_;
  Index first_, rows_;
};

class ArrowReader final : public RowReader {
 public:
  ArrowReader(ArrowStream stream, std::vector<Column> schema, const std::vector<std::string>& keep = {},
              Kept kept = Kept::as_texts, const CsvOptions& options = {});

  bool next(Batch& batch, Index most) override;
  const Mismatches& mismatches() const override { return mismatches_; }
  [[noreturn]] void fail_no_rows() const override;

 private:
  TableView view_of(Index rows) const;
  void keep_texts(Batch& batch, Index rows) const;

  ArrowStream stream_;
  std::vector<Column> schema_;
  std::vector<std::size_t> positions_, keep_;  // of the schema's columns and of those to be kept
  Kept kept_;
  const ExecutionContext* context_;
  Mismatches mismatches_;
  std::optional<ArrowBatch> current_;
  Index at_ = 0;    // the next row in the current batch
  Index done_ = 0;  // rows handed out
};

}  // namespace taut
