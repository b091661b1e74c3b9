// Results of many rows into a file: columns of the input that are kept, then columns of numbers. CSV, or by the file's name
// Parquet
// (.parquet) and Arrow (.arrow, .feather).
#pragma once

#include <taut/core/file.hpp>
#include <taut/data/table.hpp>

#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace taut {

// A column of results: numbers, or texts where there are any.
struct ResultColumn {
  std::vector<double> numbers = {};
  std::vector<std::string> texts = {};
};

class ResultWriter {
 public:
  virtual ~ResultWriter() = default;

  // The first column of numbers, then the others; as many rows as the batch has.
  virtual void write(const Batch& batch, std::span<const double> first, const Matrix& others) = 0;
  // What has been written so far is on its way, for those who read while it is written: CSV to standard output only.
  virtual void flush() {}
  // The same with columns of both kinds, each as it was announced.
  virtual void write(const Batch& batch, std::vector<ResultColumn> columns) = 0;
  // Before OutputFile::commit(). Without rows the file has its columns all the same.
  virtual void finish() = 0;
};

// Is it a columnar file by its name?
bool is_columnar_name(const std::string& path);

// `file` stays the caller's. `path` is its name. `texts`: which of the columns hold texts.
std::unique_ptr<ResultWriter> make_result_writer(OutputFile& file, const std::string& path, const std::vector<std::string>& kept,
                                                 const std::vector<std::string>& columns,
                                                 const std::set<std::string>& texts = {});

}  // namespace taut
