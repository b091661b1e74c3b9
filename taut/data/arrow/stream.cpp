#include <taut/data/arrow/stream.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/data/csv/scanner.hpp>

#include <algorithm>
#include <cstring>
#include <limits>
#include <unordered_map>

namespace taut {

ArrowType ArrowField::type() const {
  if (!is_dictionary()) return arrow_type(schema->format);
  const ArrowType codes = arrow_type(schema->format), values = arrow_type(schema->dictionary->format);
  const bool are_positions = codes.meaning == ArrowType::Meaning::number && codes.cells >= ArrowType::Cells::int8 &&
                             codes.cells <= ArrowType::Cells::uint64;
  if (are_positions && schema->dictionary->dictionary == nullptr) return values;
  return {.words = "a dictionary of an unknown form"};
}

ArrowBatch::ArrowBatch(std::shared_ptr<const ArrowArray> array, bool is_table, const std::string& source)
    : array_(std::move(array)), is_table_(is_table), rows_(array_->length) {
  constexpr auto maximum = std::numeric_limits<std::int64_t>::max();
  if (array_->length < 0 || array_->offset < 0 || array_->offset > maximum - array_->length)
    throw Error(source +
                ": the Arrow data are broken: an offset or a length is impossible; the program that wrote them has a defect");
}

bool ArrowBatch::has_missing_rows() const {
  return is_table_ && array_->null_count != 0 && array_->n_buffers > 0 && array_->buffers != nullptr &&
         array_->buffers[0] != nullptr;
}

bool ArrowBatch::is_there(Index row) const {
  const auto at = static_cast<std::uint64_t>(array_->offset + row);
  return ((static_cast<const std::uint8_t*>(array_->buffers[0])[at / 8] >> (at % 8)) & 1U) != 0;
}

ArrowStream::ArrowStream(ArrowArrayStream& given, std::string source, const std::string& name)
    : stream_(given), source_(std::move(source)) {
  given.release = nullptr;
  try {
    if (stream_.release == nullptr) fail("the stream has been released already, or read by someone else");
    read_schema(name);
  } catch (...) {
    // The destructor does not run if the constructor throws.
    if (schema_.release != nullptr) schema_.release(&schema_);
    if (stream_.release != nullptr) stream_.release(&stream_);
    throw;
  }
}

ArrowStream::ArrowStream(ArrowStream&& other) noexcept
    : stream_(other.stream_),
      schema_(other.schema_),
      source_(std::move(other.source_)),
      fields_(std::move(other.fields_)),
      is_table_(other.is_table_),
      at_end_(other.at_end_) {
  other.stream_.release = nullptr;
  other.schema_.release = nullptr;
  if (!is_table_ && !fields_.empty()) fields_.front().schema = &schema_;
}

ArrowStream::~ArrowStream() {
  if (schema_.release != nullptr) schema_.release(&schema_);
  if (stream_.release != nullptr) stream_.release(&stream_);
}

void ArrowStream::fail(const std::string& what) const { throw Error(format_text("{}: {}", source_, what)); }

std::string ArrowStream::last_error(int code) {
  const char* words = stream_.get_last_error == nullptr ? nullptr : stream_.get_last_error(&stream_);
  return words != nullptr && *words != 0 ? words : std::strerror(code);
}

void ArrowStream::read_schema(const std::string& name) {
  if (stream_.get_schema == nullptr || stream_.get_next == nullptr)
    fail("the Arrow stream is broken: it has no calls to read it with; the program that made it has a defect");
  if (const int code = stream_.get_schema(&stream_, &schema_); code != 0) {
    schema_.release = nullptr;
    fail("the columns cannot be read: " + last_error(code));
  }
  if (schema_.release == nullptr || schema_.format == nullptr)
    fail("the Arrow stream is broken: it gives no columns; the program that made it has a defect");
  is_table_ = std::strcmp(schema_.format, "+s") == 0;
  if (!is_table_) {
    fields_ = {{schema_.name != nullptr && *schema_.name != 0 ? schema_.name : name, &schema_}};
    return;
  }
  if (schema_.n_children < 0 || schema_.n_children > max_columns || (schema_.n_children > 0 && schema_.children == nullptr))
    fail(
        format_text("the table has {} columns; allowed are up to {}", print_count(schema_.n_children), print_count(max_columns)));
  for (std::int64_t i = 0; i < schema_.n_children; ++i) {
    const ArrowSchema* child = schema_.children[i];
    if (child == nullptr || child->release == nullptr || child->format == nullptr)
      fail(format_text("the Arrow stream is broken: column {} has no type; the program that made it has a defect", i + 1));
    fields_.push_back({child->name != nullptr ? child->name : "", child});
  }
}

std::vector<std::string> ArrowStream::names() const {
  std::vector<std::string> names;
  for (const auto& field : fields_) names.push_back(field.name);
  return names;
}

std::size_t ArrowStream::position_of_any(const std::string& name) const {
  const auto has_name = [&](const ArrowField& field) { return field.name == name; };
  const auto found = std::find_if(fields_.begin(), fields_.end(), has_name);
  if (found == fields_.end()) throw Error(missing_column(source_, name, names()));
  if (std::find_if(found + 1, fields_.end(), has_name) != fields_.end())
    fail(format_text("the column '{}' is there more than once; every column that is used needs a unique name: rename one of them",
                     name));
  return static_cast<std::size_t>(found - fields_.begin());
}

std::size_t ArrowStream::position_of(const std::string& name) const {
  const std::size_t position = position_of_any(name);
  if (!fields_[position].type().is_supported()) fail_unsupported(fields_[position]);
  return position;
}

void ArrowStream::fail_unsupported(const ArrowField& field) const {
  fail(format_text(
      "the column '{}' holds {}; a column holds numbers, texts, booleans, dates or categories: turn it into one of these, or "
      "leave it out (--drop)",
      field.name, field.type().words));
}

std::optional<ArrowBatch> ArrowStream::next() {
  if (at_end_) return std::nullopt;
  ArrowArray array{};
  if (const int code = stream_.get_next(&stream_, &array); code != 0) {
    at_end_ = true;
    fail("the rows cannot be read: " + last_error(code));
  }
  if (array.release == nullptr) {
    at_end_ = true;
    return std::nullopt;
  }
  auto* moved = new ArrowArray(array);
  const std::shared_ptr<const ArrowArray> owned(moved, [](ArrowArray* each) {
    if (each->release != nullptr) each->release(each);
    delete each;
  });
  check(*owned);
  return ArrowBatch(owned, is_table_, source_);
}

void ArrowStream::check(const ArrowArray& array) const {
  if (!is_table_) return;
  if (array.n_children != static_cast<std::int64_t>(fields_.size()) || (array.n_children > 0 && array.children == nullptr))
    fail(format_text(
        "the Arrow data are broken: a batch has {} columns, but the table has {}; the program that wrote them has a defect",
        print_count(array.n_children), print_count(std::ssize(fields_))));
  for (std::int64_t i = 0; i < array.n_children; ++i)
    if (array.children[i] == nullptr)
      fail(format_text("the Arrow data are broken: column '{}' is not there; the program that wrote them has a defect",
                       fields_[static_cast<std::size_t>(i)].name));
}

ArrowCells ArrowStream::cells(const ArrowBatch& batch, std::size_t position, Index first, Index rows) const {
  return {*fields_[position].schema, batch.column(position), batch.first() + first, rows, place_of(position)};
}

}  // namespace taut
