#include <taut/data/csv/writer.hpp>

#include <charconv>
#include <cmath>

namespace taut {
namespace {

constexpr std::size_t full_buffer = std::size_t{1} << 18;

}  // namespace

CsvWriter::CsvWriter(OutputFile& file, char delimiter)
    : sink_([&file](std::string_view bytes) { file.write(bytes); }), delimiter_(delimiter) {}

CsvWriter::CsvWriter(std::string& text, char delimiter)
    : sink_([&text](std::string_view bytes) { text.append(bytes); }), delimiter_(delimiter) {}

void CsvWriter::separate() {
  if (cells_++ > 0) buffer_ += delimiter_;
}

void CsvWriter::number(double value) {
  separate();
  if (std::isnan(value)) return;
  char digits[32];
  const auto result = std::to_chars(digits, digits + sizeof digits, value);
  buffer_.append(digits, result.ptr);
}

// Some readers drop blanks at the ends of a field. All common delimiters are quoted, so that readers which infer the delimiter
// find the right one. A file must not begin with the bytes of a byte-order mark or of gzip.
bool CsvWriter::needs_quotes(std::string_view text) const {
  if (text.empty()) return false;
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  return is_blank(text.front()) || is_blank(text.back()) || text.starts_with("\xEF\xBB\xBF") || text.starts_with("\x1F\x8B") ||
         text.find(delimiter_) != std::string_view::npos || text.find_first_of("\"\r\n,;\t|") != std::string_view::npos;
}

void CsvWriter::text(std::string_view text) {
  separate();
  if (!needs_quotes(text)) {
    buffer_ += text;
    return;
  }
  buffer_ += '"';
  for (const char c : text) {
    if (c == '"') buffer_ += '"';
    buffer_ += c;
  }
  buffer_ += '"';
}

void CsvWriter::empty() { separate(); }

void CsvWriter::texts(std::span<const std::string> texts) {
  for (const auto& each : texts) text(each);
}

void CsvWriter::end_row() {
  // A row of one empty cell would be a blank line, which readers skip.
  if (cells_ == 1 && buffer_.size() == row_start_) buffer_ += "\"\"";
  buffer_ += '\n';
  cells_ = 0;
  if (buffer_.size() >= full_buffer) finish();
  row_start_ = buffer_.size();
}

void CsvWriter::finish() {
  sink_(buffer_);
  buffer_.clear();
  row_start_ = 0;
}

void write_table(const Table& table, CsvWriter& writer) {
  writer.texts(table.names());
  writer.end_row();
  for (Index row = 0; row < table.rows(); ++row) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const double value = table.values(row, static_cast<Index>(i));
      const Column& column = table.columns[i];
      if (column.is_categorical() && value >= 0 && value < static_cast<double>(column.categories.size())) {
        writer.text(column.categories[static_cast<std::size_t>(value)]);
      } else {
        writer.number(column.is_categorical() ? missing : value);
      }
    }
    writer.end_row();
  }
}

}  // namespace taut
