// Inputs that are made from the rows before: a target so many rows ago, the mean and the spread of the last ones. Never from the
// future: a row sees the targets that are known by then, and columns of rows before its own.
#pragma once

#include <taut/data/table_view.hpp>
#include <taut/model/options.hpp>

#include <deque>

namespace taut {

class PastInputs {
 public:
  PastInputs() = default;
  // `choosing`: rows that decide how the columns are written. It remembers no row yet.
  PastInputs(const TableView& table, const FitOptions& options, RowsView choosing);

  bool empty() const { return sources_.empty(); }
  // The columns that it reads, the target first, and those that it makes.
  const std::vector<Column>& sources() const { return sources_; }
  std::vector<Column> made() const;
  bool makes(const std::string& name) const;

  // The table with the made columns. `order`: its rows as they came, all of them; they came after those that are remembered. A
  // table that has the columns stays as it is. Where the target is not known, what would be made from it is missing.
  TableView extended(const TableView& table, RowsView order) const;
  // The cells of the sources, a row for each row of the table.
  Matrix cells(const TableView& table) const;
  // Rows that came. As many are kept as later ones look back.
  void remember(std::span<const double> cells);
  void remember(const Matrix& cells, RowsView order);
  void forget() { recent_.clear(); }

  void save(Archive archive) const;
  // By the options of the same model; what makes no sense is an Error.
  static PastInputs load(const Archive& archive, std::vector<Column> sources, const FitOptions& options);

 private:
  explicit PastInputs(const FitOptions& options);
  Index reach() const;  // how far back a row looks
  // How many rows later a source is known.
  Index delay_of(std::size_t source) const { return source == 0 ? delay_ : 0; }

  std::vector<Index> lags_, rolling_;
  Index delay_ = 0;
  std::vector<Column> sources_;
  std::deque<std::vector<double>> recent_;  // oldest first
};

}  // namespace taut
