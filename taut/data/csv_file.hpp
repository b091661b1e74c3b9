// An open CSV file whose header has been read: what both ways of reading a table start from.
#pragma once

#include <taut/data/csv_reader.hpp>
#include <taut/data/csv_scanner.hpp>
#include <taut/data/source.hpp>

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace taut {

class CsvFile {
 public:
  CsvFile(const std::string& path, const CsvOptions& options, Rereading rereading);
  CsvFile(const CsvFile&) = delete;
  CsvFile& operator=(const CsvFile&) = delete;

  CsvScanner& scanner() { return *scanner_; }
  const std::string& name() const { return source_.name(); }
  const std::vector<std::string>& names() const { return names_; }
  // Of a column, or an Error with the nearest name.
  std::size_t position_of(const std::string& name) const;

  // Steps to the next record; reports progress every few thousand records.
  bool next_record();
  // Back to the first record.
  void rewind();
  [[noreturn]] void fail_no_rows() const;

 private:
  void start();
  void read_header();

  Source source_;
  CsvOptions options_;
  std::optional<CsvScanner> scanner_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::size_t> positions_;
  Index records_ = 0;
};

}  // namespace taut
