// Tables from CSV files: a whole file whose column types are inferred, or batches of rows of known types in constant memory.
//
// Missing cells are empty or hold a word such as NA (see taut/data/column.hpp). A column is numeric when all its other cells are
// numbers, otherwise categorical (inferred: see Column). "-" is standard input; gzip is unpacked; UTF-16 and Windows-1252 are
// converted, which the context is told. Columns without a name of their own get one (see taut/data/column.hpp).
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/data/table.hpp>

#include <memory>
#include <string>
#include <vector>

namespace taut {

struct CsvOptions {
  char delimiter = 0;                         // 0: that of , ; tab | which fits the first records (see file.hpp)
  std::vector<std::string> drop = {};         // columns that are not read at all
  std::vector<std::string> numbers = {};      // columns in which text is an error
  std::vector<std::string> categories = {};   // columns that are categorical even if all their cells are numbers
  bool as_texts = false;                      // numbers too are kept as they are written, for formats that differ from ours
  std::vector<std::string> na = {};           // further words that mean a missing cell
  const ExecutionContext* context = nullptr;  // for threads (all without one), progress, cancellation and notices
  bool is_prompt = false;                     // hand out rows as soon as they are there: for pipes, CsvReader only
  // Columns of a known schema that may be absent: their cells are missing. CsvReader only.
  std::vector<std::string> optional = {};
  std::size_t buffer = 0;  // bytes of text that are parsed at a time; 0: a good default
};

// The whole file. Text is streamed, so memory stays near that of the table, which does not depend on the number of threads.
Table read_table(const std::string& path, const CsvOptions& options = {});

// The whole file against known columns (those of a model), as CsvReader reads them.
Table read_table_as(const std::vector<Column>& schema, const std::string& path, const CsvOptions& options = {});

// A category that is also a word for a missing cell is that category. `keep` names columns to pass through as text.
class CsvReader final : public RowReader {
 public:
  CsvReader(const std::string& path, std::vector<Column> schema, const std::vector<std::string>& keep = {},
            const CsvOptions& options = {});
  ~CsvReader() override;
  CsvReader(CsvReader&&) noexcept;

  bool next(Batch& batch, Index most) override;
  const Mismatches& mismatches() const override;
  // What was converted on the way, in words for the user; empty when nothing was.
  std::string notice() const;
  [[noreturn]] void fail_no_rows() const override;

 private:
  class Reading;
  std::unique_ptr<Reading> reading_;
};

}  // namespace taut
