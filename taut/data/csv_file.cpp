#include <taut/data/csv_file.hpp>

#include <taut/core/error.hpp>
#include <taut/core/text.hpp>
#include <taut/data/column_names.hpp>
#include <taut/data/csv_dialect.hpp>
#include <taut/data/csv_scanner.hpp>

#include <string_view>
#include <utility>

namespace taut {
namespace {

// A delimiter that can stand inside a number or a quote would make every file ambiguous.
void check_delimiter(char delimiter) {
  constexpr std::string_view impossible = "\"\n\r+-.0123456789";
  const bool is_letter = (delimiter >= 'a' && delimiter <= 'z') || (delimiter >= 'A' && delimiter <= 'Z');
  if (!is_letter && impossible.find(delimiter) == std::string_view::npos) return;
  throw UsageError(
      "the delimiter " + quoted_cell({&delimiter, 1}) +
      " is not possible; use one character that is no letter, digit, sign, point, quote or line end, such as , or ;");
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
  check_delimiter(dialect.delimiter);  // of a line "sep=x"
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

// Of blank lines only, or none at all.
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
    if (std::ssize(header) == most_columns)
      throw Error(scanner.where() + ", column " + std::to_string(header.size() + 1) + ": the header has more than " +
                  print_count(most_columns) + " columns, the most that is allowed; is this a CSV file with one line per row?");
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
  return name() + ": " + counted(static_cast<long long>(converted_), "byte") + " (the first in line " +
         std::to_string(converted_line_) +
         ") are not UTF-8 and were read as Windows-1252 (Latin-1); if that is wrong, convert the file: iconv -f ENCODING -t "
         "UTF-8 " +
         name() + " > OUT";
}

void CsvFile::report_progress() const {
  if (options_.context != nullptr) options_.context->report("reading", source_.done());
}

void CsvFile::fail_no_rows() const {
  throw Error(source_.name() + ": there is a header line, but no row after it; add at least one line with values for " +
              quoted_cell(names().front()) + (names().size() > 1 ? ", ..." : ""));
}

}  // namespace taut
