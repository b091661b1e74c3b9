// An Arrow C stream that is being read: its columns, and its batches of rows one after the other. Everything that the producer
// hands over is released once, whatever happens.
#pragma once

#include <taut/core/types.hpp>
#include <taut/data/arrow/cells.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace taut {

struct ArrowField {
  std::string name;
  const ArrowSchema* schema = nullptr;  // lives as long as the stream

  // What its cells mean: of a dictionary-coded column, those of the dictionary.
  ArrowType type() const;
  bool is_dictionary() const { return schema->dictionary != nullptr; }
};

class ArrowBatch {
 public:
  ArrowBatch(std::shared_ptr<const ArrowArray> array, bool is_table, const std::string& source);

  Index rows() const { return rows_; }
  const std::shared_ptr<const ArrowArray>& array() const { return array_; }
  // The array of a column, and the place of the table's first row in it.
  const ArrowArray& column(std::size_t position) const { return is_table_ ? *array_->children[position] : *array_; }
  Index first() const { return is_table_ ? array_->offset : 0; }
  // Of a table a whole row may be missing.
  bool has_missing_rows() const;
  bool is_there(Index row) const;

 private:
  std::shared_ptr<const ArrowArray> array_;
  bool is_table_;
  Index rows_;
};

class ArrowStream {
 public:
  // Takes the stream over: `given.release` is null afterwards. A stream of single values is a table of one column, called `name`.
  ArrowStream(ArrowArrayStream& given, std::string source, const std::string& name = "values");
  ~ArrowStream();
  ArrowStream(ArrowStream&& other) noexcept;
  ArrowStream& operator=(ArrowStream&&) = delete;

  const std::string& source() const { return source_; }
  const std::vector<ArrowField>& fields() const { return fields_; }
  std::vector<std::string> names() const;
  // Of a column that Taut can use, or an Error; see also position_of_any.
  std::size_t position_of(const std::string& name) const;
  std::size_t position_of_any(const std::string& name) const;
  // "column 'tags' holds lists": an Error where it is used.
  [[noreturn]] void fail_unsupported(const ArrowField& field) const;

  // Nothing at the end.
  std::optional<ArrowBatch> next();

  // The cells of one column in some rows of a batch.
  ArrowCells cells(const ArrowBatch& batch, std::size_t position, Index first, Index rows) const;
  std::string place_of(std::size_t position) const { return source_ + ", column '" + fields_[position].name + "'"; }

 private:
  void read_schema(const std::string& name);
  void check(const ArrowArray& array) const;
  [[noreturn]] void fail(const std::string& what) const;
  std::string last_error(int code);

  ArrowArrayStream stream_{};
  ArrowSchema schema_{};
  std::string source_;
  std::vector<ArrowField> fields_;
  bool is_table_ = false;
  bool at_end_ = false;
};

}  // namespace taut
