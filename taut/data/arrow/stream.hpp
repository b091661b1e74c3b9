// Reads an Arrow C stream: its columns, then its batches of rows. Every structure from the producer is released exactly once,
// even after an error.
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

  // The type of its values; for a dictionary-coded column, the type of the dictionary.
  ArrowType type() const;
  bool is_dictionary() const { return schema->dictionary != nullptr; }
};

class ArrowBatch {
 public:
  ArrowBatch(std::shared_ptr<const ArrowArray> array, bool is_table, const std::string& source);

  Index rows() const { return rows_; }
  const std::shared_ptr<const ArrowArray>& array() const { return array_; }
  // The array of a column, and the position of the table's first row in it.
  const ArrowArray& column(std::size_t position) const { return is_table_ ? *array_->children[position] : *array_; }
  Index first() const { return is_table_ ? array_->offset : 0; }
  // In a table, a whole row may be missing.
  bool has_missing_rows() const;
  bool is_there(Index row) const;

 private:
  std::shared_ptr<const ArrowArray> array_;
  bool is_table_;
  Index rows_;
};

class ArrowStream {
 public:
  // Takes ownership of the stream: `given.release` is null afterwards. A stream of single values becomes a table with one column
  // called `name`.
  ArrowStream(ArrowArrayStream& given, std::string source, const std::string& name = "values");
  ~ArrowStream();
  ArrowStream(ArrowStream&& other) noexcept;
  ArrowStream& operator=(ArrowStream&&) = delete;

  const std::string& source() const { return source_; }
  const std::vector<ArrowField>& fields() const { return fields_; }
  std::vector<std::string> names() const;
  // The position of a column, or an Error. position_of also refuses a column of an unsupported type.
  std::size_t position_of(const std::string& name) const;
  std::size_t position_of_any(const std::string& name) const;
  // Throws "the column 'tags' holds lists; ...".
  [[noreturn]] void fail_unsupported(const ArrowField& field) const;

  // The next batch; nothing at the end of the stream.
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
