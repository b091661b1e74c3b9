#include <taut/data/csv/file.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/data/column.hpp>
#include <taut/data/csv/scanner.hpp>
#include <taut/data/table.hpp>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace taut {

namespace {

constexpr std::size_t max_sample_records = 64;
// The comma comes last: it also occurs in numbers and texts, so another delimiter that fits equally well is preferred.
constexpr std::string_view delimiters = ";\t|,";

struct Record {
  Index fields = 0;
  bool ends_empty = false;
  std::int64_t line = 1;
  std::string first = {};
};

// The first records, split by this delimiter.
std::vector<Record> records_with(std::string_view text, bool is_all, char delimiter) {
  std::vector<Record> records;
  const RecordEnd last = last_record_end(text, delimiter);
  if (!is_all && last.end > 0) text = text.substr(0, last.end);
  TextBlock block;
  block.assign(text);
  block.has_zero = false;
  const CsvFormat format{"", delimiter};
  CsvScanner scanner(format);
  scanner.start(block);
  try {
    while (records.size() < max_sample_records && scanner.next_record()) {
      Record record{.line = scanner.line()};
      while (scanner.more()) {
        const std::string_view field = scanner.field();
        record.ends_empty = trim(field).empty();
        if (record.fields++ == 0) record.first = field;
      }
      records.push_back(record);
    }
  } catch (const Error&) {  // a record without fields counts against the delimiter; the reader reports the fault later
    records.push_back({.line = scanner.line()});
  }
  return records;
}

bool fits(const Record& record, const Record& header) {
  return record.fields == header.fields || (record.fields == header.fields + 1 && record.ends_empty);
}

// How well a delimiter fits the file: the share of records that fit the header, then the number of fields.
struct Fit {
  char delimiter = ',';
  double share = -1;  // below 0: the header has a single field
  Index fields = 0;
};

Fit fit_of(const std::vector<Record>& records, char delimiter) {
  if (records.empty() || records.front().fields < 2) return {delimiter};
  const Record& header = records.front();
  const auto fitting =
      std::count_if(records.begin() + 1, records.end(), [&](const Record& record) { return fits(record, header); });
  return {delimiter, records.size() == 1 ? 1 : static_cast<double>(fitting) / static_cast<double>(records.size() - 1),
          header.fields};
}

// True if every record after the header is a number such as 1,5: the comma is a decimal comma, not a delimiter.
bool are_decimal_commas(const std::vector<Record>& lines) {
  return lines.size() > 1 && lines.front().first.find(',') == std::string::npos &&
         std::all_of(lines.begin() + 1, lines.end(), [](const Record& line) {
           std::string number = line.first;
           const auto comma = number.find(',');
           if (comma != std::string::npos) number[comma] = '.';
           return cell_number(number) || is_missing_cell(number);
         });
}

// Refuses a file with a title or a comment above the header: "Sales 2024", "# written by ...".
void refuse_title(const std::vector<Record>& records, const std::string& source) {
  if (records.size() < 2) return;
  const Index fields = records.back().fields;
  std::size_t header = records.size() - 1;
  while (header > 0 && records[header - 1].fields == fields) --header;
  const Record& first = records.front();
  const bool is_title = first.fields == 1 || first.first.starts_with('#');
  const bool are_columns = fields > first.fields && records.size() - header >= header;
  if (header == 0 || !is_title || !are_columns) return;
  const std::int64_t line = records[header].line;
  throw Error(
      format_text("{}, line {}: found {}, but from line {} on there are {} columns; the first line must name the columns: delete "
                  "all lines before the names (tail -n +{} {}), or put quotes around texts that hold the delimiter",
                  source, first.line, quoted_cell(first.first), line, fields, line, source));
}

char find_delimiter(std::string_view text, bool is_all, const std::string& source) {
  Fit best;
  for (const char candidate : delimiters) {
    const Fit fit = fit_of(records_with(text, is_all, candidate), candidate);
    if (fit.share > best.share || (fit.share == best.share && fit.fields > best.fields)) best = fit;
  }
  if (best.share > 0) return best.delimiter;
  if (are_decimal_commas(records_with(text, is_all, ';'))) return ';';
  for (const char candidate : delimiters) refuse_title(records_with(text, is_all, candidate), source);
  return best.delimiter;
}

// Reads Excel's line "sep=;" before the header; false if there is none.
bool read_separator_line(std::string_view text, CsvDialect& dialect) {
  const auto end = text.find('\n');
  if (end == std::string_view::npos) return false;
  std::string_view line = trim(text.substr(0, end));
  if (line.size() >= 2 && line.front() == '"' && line.back() == '"') line = line.substr(1, line.size() - 2);
  const auto is_letter = [](char c, char letter) { return c == letter || c == letter - 'a' + 'A'; };
  const bool names_delimiter = line.size() <= 5 && line.size() >= 4 && is_letter(line[0], 's') && is_letter(line[1], 'e') &&
                               is_letter(line[2], 'p') && line[3] == '=';
  if (!names_delimiter) return false;
  dialect.delimiter = line.size() == 5 ? line[4] : '\t';  // a tab at the end of the line was trimmed
  dialect.skipped_bytes += end + 1;
  dialect.skipped_lines = 1;
  return true;
}

}  // namespace

CsvDialect find_dialect(std::string_view sample, bool is_all, char delimiter, const std::string& source) {
  CsvDialect dialect;
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  if (sample.starts_with(mark)) dialect.skipped_bytes = mark.size();
  const bool is_named = read_separator_line(sample.substr(dialect.skipped_bytes), dialect);
  sample.remove_prefix(dialect.skipped_bytes);
  if (delimiter != 0)
    dialect.delimiter = delimiter;
  else if (!is_named)
    dialect.delimiter = find_delimiter(sample, is_all, source);
  const auto records = records_with(sample, is_all, dialect.delimiter);
  if (delimiter != 0 || is_named) refuse_title(records, source);
  const auto is_longer = [&](const Record& record) { return record.fields == records.front().fields + 1 && record.ends_empty; };
  dialect.has_trailing_delimiters = records.size() > 1 && std::all_of(records.begin() + 1, records.end(), is_longer);
  return dialect;
}

namespace {

// Refuses a delimiter that may be part of a number, a quote or a line end: every file would be ambiguous.
void check_delimiter(char delimiter) {
  constexpr std::string_view impossible = "\"\n\r+-.0123456789";
  const bool is_letter = (delimiter >= 'a' && delimiter <= 'z') || (delimiter >= 'A' && delimiter <= 'Z');
  if (!is_letter && impossible.find(delimiter) == std::string_view::npos) return;
  throw UsageError(format_text(
      "the delimiter {} is not allowed; use one character that is no letter, digit, sign, point, quote or line end, such as , or "
      ";",
      quoted_cell({&delimiter, 1})));
}

}  // namespace

CsvFile::CsvFile(const std::string& path, const CsvOptions& options, Rereading rereading)
    : source_(path, rereading, Source::default_chunk, options.is_prompt),
      options_(options),
      format_{.source = source_.name(), .missing_words = MissingWords(options.na)} {
  check_delimiter(options_.delimiter);
  if (options_.buffer == 0) options_.buffer = CsvBlocks::default_size;
  start();
}

void CsvFile::start() {
  blocks_.emplace(source_, options_.buffer, options_.is_prompt);
  const std::string_view sample = blocks_->sample();
  const CsvDialect dialect = find_dialect(sample, blocks_->sample_is_all(), options_.delimiter, name());
  check_delimiter(dialect.delimiter);  // it may come from a line "sep=x"
  blocks_->skip(dialect.skipped_bytes, dialect.skipped_lines);
  format_.delimiter = dialect.delimiter;
  format_.names.clear();
  format_.optional = dialect.has_trailing_delimiters ? 1 : 0;
  converted_ = 0;
  TextBlock block;
  if (!blocks_->next(block, format_.delimiter)) fail_empty();
  block.make_utf8();
  read_header(block);
}

// For a file that has no lines, or only blank lines.
void CsvFile::fail_empty() const {
  throw Error(name() + ": the file is empty; expected a header line with the column names, then one line per row");
}

void CsvFile::read_header(TextBlock& block) {
  CsvScanner scanner(format_);
  for (scanner.start(block); !scanner.next_record(); scanner.start(block)) {
    if (!blocks_->next(block, format_.delimiter)) fail_empty();
    block.make_utf8();
  }
  std::vector<std::string> header;
  while (scanner.more()) {
    if (std::ssize(header) == max_columns)
      throw Error(format_text(
          "{}, column {}: the header has more than {} columns, which is the limit; is this a CSV file with one line per row?",
          scanner.where(), header.size() + 1, print_count(max_columns)));
    header.emplace_back(trim(scanner.field()));
  }
  header.resize(header.size() + format_.optional);
  format_.names = unique_names(std::move(header));
  positions_.clear();
  for (std::size_t position = 0; position < names().size(); ++position) positions_.emplace(names()[position], position);
  block.drop_before(scanner.next_character(), scanner.next_line());
  first_ = std::move(block);
}

std::size_t CsvFile::position_of(const std::string& name) const {
  const auto found = positions_.find(name);
  if (found == positions_.end()) throw Error(missing_column(source_.name(), name, names()));
  return found->second;
}

bool CsvFile::next_block(TextBlock& block) {
  if (!first_) return blocks_->next(block, format_.delimiter);
  block = std::move(*first_);
  first_.reset();
  return true;
}

void CsvFile::rewind() {
  source_.rewind();
  start();
}

void CsvFile::count_converted(const TextBlock& block) {
  if (converted_ == 0) converted_line_ = block.converted_line;
  converted_ += block.converted;
}

std::string CsvFile::notice() const {
  if (converted_ == 0) return source_.notice();
  return format_text(
      "{}: {} (the first in line {}) are not UTF-8 and were read as Windows-1252 (Latin-1); if that is wrong, convert the file: "
      "iconv -f ENCODING -t UTF-8 {} > OUT",
      name(), counted(static_cast<long long>(converted_), "byte"), converted_line_, name());
}

void CsvFile::report_progress() const {
  if (options_.context != nullptr) options_.context->report("reading", source_.done());
}

void CsvFile::fail_no_rows() const {
  throw Error(format_text("{}: there is a header line, but no row after it; add at least one line with values for {}{}",
                          source_.name(), quoted_cell(names().front()), names().size() > 1 ? ", ..." : ""));
}

}  // namespace taut
