#include <taut/data/csv/file.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/data/column.hpp>
#include <taut/data/csv/line_filter.hpp>
#include <taut/data/csv/other_format.hpp>
#include <taut/data/csv/scanner.hpp>
#include <taut/data/table.hpp>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace taut {

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
  refuse_other_format(sample, name());
  dialect_ =
      find_dialect(sample, blocks_->sample_is_all(), {options_.delimiter, options_.has_blanks, options_.has_header}, name());
  check_delimiter(dialect_.delimiter);  // it may come from a line "sep=x"
  blocks_->skip(dialect_.skipped_bytes, dialect_.skipped_lines);
  blocks_->simplify(LineFilter(dialect_.has_comments, dialect_.has_blanks, dialect_.delimiter));
  format_.delimiter = dialect_.delimiter;
  format_.lines_are_records = options_.skips_bad_lines;
  format_.names.clear();
  format_.optional = dialect_.has_trailing_delimiters ? 1 : 0;
  converted_ = 0;
  TextBlock block;
  if (!blocks_->next(block, format_)) fail_empty();
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
    if (!blocks_->next(block, format_)) fail_empty();
    block.make_utf8();
  }
  std::vector<std::string> header;
  if (dialect_.has_row_names) header.emplace_back();
  while (scanner.more()) {
    if (std::ssize(header) == max_columns)
      throw Error(format_text(
          "{}, column {}: the header has more than {} columns, which is the limit; is this a CSV file with one line per row?",
          scanner.where(), header.size() + 1, print_count(max_columns)));
    header.emplace_back(trim(scanner.field()));
  }
  if (options_.has_header) {
    header.resize(header.size() + format_.optional);
    set_names(unique_names(std::move(header)));
    block.drop_before(scanner.next_character(), scanner.next_line());
  } else {
    for (std::size_t i = 0; i < header.size(); ++i) header[i] = name_without_header(i + 1);
    set_names(std::move(header));
  }
  first_ = std::move(block);
}

void CsvFile::set_names(std::vector<std::string> names) {
  format_.names = std::move(names);
  positions_.clear();
  for (std::size_t position = 0; position < format_.names.size(); ++position)
    positions_.emplace(format_.names[position], position);
  // A model that was fitted when the # was part of the name finds its column.
  if (dialect_.header_begins_with_mark) positions_.emplace("#" + format_.names.front(), 0);
}

std::size_t CsvFile::position_of(const std::string& name) const {
  const auto found = positions_.find(name);
  if (found == positions_.end()) require({name});
  return found->second;
}

void CsvFile::require(const std::vector<std::string>& wanted) const {
  std::vector<std::string> absent;
  for (const auto& name : wanted)
    if (!has(name)) absent.push_back(name);
  if (absent.empty()) return;
  std::string words = missing_columns(source_.name(), absent, wanted, names());
  if (!options_.has_header)
    words += format_text("; with --no-header the names are {} to {}, by position, as in the file of the fit",
                         name_without_header(1), name_without_header(names().size()));
  else if (std::all_of(absent.begin(), absent.end(), is_name_without_header))
    words += "; names such as column1 are those of a file without a header: if this file has none either, give --no-header";
  throw Error(words);
}

bool CsvFile::next_block(TextBlock& block) {
  if (!first_) return blocks_->next(block, format_);
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

std::string CsvFile::header_warning() const {
  if (dialect_.fields_like_data.empty()) return "";
  constexpr std::size_t max_shown = 4;
  std::vector<std::string> shown;
  for (const auto& field : dialect_.fields_like_data)
    if (shown.size() < max_shown) shown.push_back(quoted_cell(trim(field)));
  return format_text(
      "warning: {}: the first line looks like data ({}{}), but it is read as the names of the columns; if the file has no "
      "header, "
      "give --no-header",
      name(), join(shown, ", "), dialect_.fields_like_data.size() > max_shown ? ", ..." : "");
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
