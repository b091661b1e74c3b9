// Writes the results of many rows to a file: the kept columns of the input, then the columns of results. The file's name decides
// the format: Parquet (.parquet), Arrow (.arrow, .feather), otherwise CSV.
#pragma once

#include <taut/core/file.hpp>
#include <taut/data/table.hpp>

#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace taut {

// A column of results: texts, or numbers if `texts` is empty.
struct ResultColumn {
  std::vector<double> numbers = {};
  std::vector<std::string> texts = {};
};

class ResultWriter {
 public:
  virtual ~ResultWriter() = default;

  // Writes the rows of the batch: its kept columns, then the column `first`, then the columns of `others`.
  virtual void write(const Batch& batch, std::span<const double> first, const Matrix& others) = 0;
  // Passes on all rows written so far, so that another program can read them at once. Only CSV to standard output supports this.
  virtual void flush() {}
  // Writes columns of numbers and of texts (see `texts` in make_result_writer).
  virtual void write(const Batch& batch, std::vector<ResultColumn> columns) = 0;
  // To be called before OutputFile::commit(). Without rows, the file still has its columns.
  virtual void finish() = 0;
};

// True if the name is that of a columnar file.
bool is_columnar_name(const std::string& path);

// The caller owns `file`, whose name is `path`. `texts` names the columns that hold texts.
std::unique_ptr<ResultWriter> make_result_writer(OutputFile& file, const std::string& path, const std::vector<std::string>& kept,
                                                 const std::vector<std::string>& columns,
                                                 const std::set<std::string>& texts = {});

}  // namespace taut
