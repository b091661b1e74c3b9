// The rows of a CSV file into a table, many blocks at a time on several threads.
//
// A group of blocks is parsed while the next is read from the file (and unpacked). Every block has its own place among the rows,
// found by counting line ends, and its own list of new categories. What the blocks of a group found is put together in their
// order. So the table, and the error if there is one, are the same for any number of threads and any size of blocks.
#pragma once

#include <taut/data/csv_file.hpp>
#include <taut/data/csv_record.hpp>
#include <taut/data/table.hpp>

#include <exception>
#include <optional>
#include <vector>

namespace taut {

class CsvRows {
 public:
  // `plan` gains the categories that are found, and its numbers become categories where there are texts. The table's columns
  // are those of the plan; mismatches are counted in table.mismatches, which has an entry for each column of known kind.
  CsvRows(CsvFile& file, std::vector<FieldPlan>& plan, Table& table, int threads);

  // Adds further rows to the table; false when there are none. Until the end the table has room for more than rows().
  bool next_group();
  Index rows() const { return rows_; }
  // Gives the table its final size.
  void finish();

  // Fields that became categories after numbers had been read from them: in the rows before `lost_rows` their texts are lost.
  const std::vector<std::size_t>& lost_fields() const { return lost_fields_; }
  Index lost_rows() const { return lost_rows_; }

 private:
  struct Piece {
    TextBlock block;
    std::optional<RecordParser> parser;
    Index first_row = 0;
    Index rows = 0;
    std::exception_ptr failure;
  };
  struct Group {
    std::vector<Piece> pieces;  // more than `count` are kept for their memory
    std::size_t count = 0;
  };

  void read(Group& group);
  void place_rows();
  void parse(Piece& piece);
  void parse_all(bool reads_ahead);
  bool turn_fields();
  void rethrow_first_failure() const;
  void close_gaps();
  void merge_categories(std::size_t field);
  void merge_mismatches();

  CsvFile& file_;
  std::vector<FieldPlan>& plan_;
  Table& table_;
  const Mismatches no_mismatches_;
  const int threads_;
  Group group_, ahead_;
  bool at_end_ = false;
  Index rows_ = 0;
  std::vector<std::size_t> lost_fields_;
  Index lost_rows_ = 0;
};

}  // namespace taut
