// Tables from CSV files: a whole file whose column types are inferred, or batches of rows of known types in constant memory.
//
// Missing cells are empty or hold a word such as NA (see taut/data/column.hpp). A column is numeric if all its other cells are
// numbers, otherwise categorical (inferred: see Column). "-" is standard input; gzip is decompressed; UTF-16 and Windows-1252 are
// converted, with a notice to the context. Columns without a unique name get one (see unique_names in taut/data/column.hpp).
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/data/table.hpp>

#include <memory>
#include <string>
#include <vector>

namespace taut {

struct CsvOptions {
  char delimiter = 0;                         // 0: inferred from the first records (see find_dialect)
  bool has_blanks = false;                    // instead of a delimiter: runs of blanks separate the cells
  bool has_header = true;                     // false: the columns are named column1, column2, ...
  std::vector<std::string> drop = {};         // columns that are not read at all
  std::vector<std::string> numbers = {};      // columns in which text is an error
  std::vector<std::string> categories = {};   // columns that are categorical even if all their cells are numbers
  bool as_texts = false;                      // read numbers as texts too, to infer their format later
  std::vector<std::string> na = {};           // further words that mean a missing cell
  const ExecutionContext* context = nullptr;  // threads (without a context: all), progress, cancellation, notices
  bool is_prompt = false;                     // return rows as soon as they arrive: for pipes, CsvReader only
  // Columns of a known schema that may be absent; their cells are then missing. CsvReader only.
  std::vector<std::string> optional = {};
  // Lines that cannot be read are skipped and counted, and every line is a record. CsvReader only.
  bool skips_bad_lines = false;
  // A batch ends before a line that cannot be read; the call after it throws the Error. CsvReader only.
  bool returns_rows_before_failure = false;
  std::size_t buffer = 0;  // bytes of text that are parsed at a time; 0: the default
};

// Reads the whole file. Text is streamed, so that memory stays close to the size of the table. The result does not depend on the
// number of threads.
Table read_table(const std::string& path, const CsvOptions& options = {});

// Reads the whole file against known columns (those of a model), like CsvReader.
Table read_table_as(const std::vector<Column>& schema, const std::string& path, const CsvOptions& options = {});

// Reads batches of rows against known columns. A text that is a category of the schema is never taken for a missing cell. `keep`
// names columns whose texts are passed through.
class CsvReader final : public RowReader {
 public:
  CsvReader(const std::string& path, std::vector<Column> schema, const std::vector<std::string>& keep = {},
            const CsvOptions& options = {});
  ~CsvReader() override;
  CsvReader(CsvReader&&) noexcept;

  bool next(Batch& batch, Index maximum) override;
  const Mismatches& mismatches() const override;
  const BadLines& bad_lines() const override;
  // A sentence for the user about a converted encoding; empty if nothing was converted.
  std::string notice() const;
  [[noreturn]] void fail_no_rows() const override;

 private:
  class Reading;
  std::unique_ptr<Reading> reading_;
};

}  // namespace taut
