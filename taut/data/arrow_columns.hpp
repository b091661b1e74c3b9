// Columns of a table that are filled from the batches of an Arrow stream.
#pragma once

#include <taut/data/arrow_stream.hpp>
#include <taut/data/csv_record.hpp>
#include <taut/data/table_view.hpp>

#include <optional>
#include <string>
#include <vector>

namespace taut {

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

}  // namespace taut
