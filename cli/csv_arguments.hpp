// The option that every command with a CSV file has.
#pragma once

#include <cli/arguments.hpp>
#include <taut/data/csv_reader.hpp>
#include <taut/task/number/regressor.hpp>

namespace taut {

// What the options of a fit say about how cells are read.
void read_by(const FitOptions& options, CsvOptions& csv);

// All columns of a table with rows for a model, not only those that it needs: its groups may be of any column.
TableView open_whole_table(const Regressor& model, const std::string& path, CsvOptions csv);
// Throws UsageError for standard input: --check-shift reads the rows of a model that counts groups twice.
void refuse_standard_input(const std::string& path);
// Rows with their targets; `whole`: with all columns.
TableView open_test_rows(const Regressor& model, const std::string& path, const CsvOptions& csv, bool whole);

class CsvArguments {
 public:
  void add(Arguments& arguments);
  CsvOptions options(const ExecutionContext& context) const;

 private:
  std::string delimiter_;
};

}  // namespace taut
