// Tables from Arrow C streams: a whole stream, or batches of rows against known columns.
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

// A column of a table, filled from the batches of an Arrow stream. If there is a single batch whose numbers a CellsView can read,
// they are not copied.
class ArrowColumn {
 public:
  // `as_category`: the values are texts of categories, whatever the type.
  ArrowColumn(const ArrowStream& stream, std::size_t position, bool as_category = false);

  // Appends rows [first, first + rows) of the batch.
  void add(const ArrowBatch& batch, Index first, Index rows);
  // Moves the cells into the view.
  void add_to(TableView& view);
  // A note for the user about rounded or converted values; empty if there is none.
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

// A whole Arrow C stream as a table. Tables of polars, pyarrow, DuckDB and Parquet files all come as such streams.
//
// Types become kinds: whole numbers, floats and decimals are numbers, bits are booleans, days and instants (UTC) are dates, and
// dictionaries are categories (ordered if the type says so). Texts are treated as in a CSV file. Columns of other types are left
// out and named in the notes.
struct ArrowTable {
  TableView view;                  // owns its cells, or the batch that holds them
  std::vector<std::string> notes;  // sentences for the user: columns that were left out, numbers that were rounded
};

// Only the options drop, numbers, categories and context are used; the others concern text.
ArrowTable read_arrow_table(ArrowStream stream, const CsvOptions& options = {});
// Reads the whole stream against known columns.
TableView read_arrow_table_as(const std::vector<Column>& schema, ArrowStream stream, const CsvOptions& options = {});

// The form of kept columns: texts for a CSV file, or unchanged arrays for a columnar file.
enum class Kept { as_texts, as_arrays };

// Some columns and some rows of a batch, unchanged.
class ArrowSlice {
 public:
  ArrowSlice(ArrowBatch batch, std::vector<ArrowField> fields, std::vector<std::size_t> positions, Index first, Index rows)
      : batch_(std::move(batch)), fields_(std::move(fields)), positions_(std::move(positions)), first_(first), rows_(rows) {}

  const std::vector<ArrowField>& fields() const { return fields_; }
  Index rows() const { return rows_; }
  // An array of one column. It shares the buffers of the batch and keeps it alive until the array is released.
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

  bool next(Batch& batch, Index maximum) override;
  const Mismatches& mismatches() const override { return mismatches_; }
  [[noreturn]] void fail_no_rows() const override;

 private:
  TableView view_of(Index rows) const;
  void keep_texts(Batch& batch, Index rows) const;

  ArrowStream stream_;
  std::vector<Column> schema_;
  std::vector<std::size_t> positions_, keep_;  // of the schema's columns and of the kept columns
  Kept kept_;
  const ExecutionContext* context_;
  Mismatches mismatches_;
  std::optional<ArrowBatch> current_;
  Index at_ = 0;    // the next row in the current batch
  Index done_ = 0;  // rows returned so far
};

}  // namespace taut
