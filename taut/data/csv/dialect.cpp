#include <taut/data/csv/dialect.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/data/column.hpp>
#include <taut/data/csv/header_check.hpp>
#include <taut/data/csv/line_filter.hpp>
#include <taut/data/csv/scanner.hpp>
#include <taut/data/table.hpp>

#include <algorithm>
#include <utility>

namespace taut {

namespace {

constexpr std::size_t max_sample_records = 64;
// The comma comes last: it also occurs in numbers and texts, so another delimiter that fits equally well is preferred.
constexpr std::string_view delimiters = ";\t|,";

struct Record {
  std::vector<std::string> fields = {};
  std::int64_t line = 1;

  std::size_t size() const { return fields.size(); }
  bool ends_empty() const { return !fields.empty() && trim(fields.back()).empty(); }
  std::string first() const { return fields.empty() ? "" : fields.front(); }
};
using Records = std::vector<Record>;

// The text that is examined: the sample without comment lines.
struct Sample {
  std::string_view text;
  bool is_all = false;
  bool has_comments = false;

  std::string simplified(char delimiter, bool has_blanks) const {
    LineFilter filter(has_comments, has_blanks, delimiter);
    if (!filter.is_active()) return std::string(text);
    std::string out;
    filter.apply(text, out);
    return out;
  }
};

// The first records, split by this delimiter.
Records records_with(const Sample& sample, char delimiter, bool has_blanks = false) {
  Records records;
  const std::string simplified = sample.simplified(delimiter, has_blanks);
  std::string_view text = simplified;
  const RecordEnd last = last_record_end(text, delimiter);
  if (!sample.is_all && last.end > 0) text = text.substr(0, last.end);
  TextBlock block;
  block.assign(text);
  block.has_zero = false;
  const CsvFormat format{"", delimiter};
  CsvScanner scanner(format);
  scanner.start(block);
  try {
    while (records.size() < max_sample_records && scanner.next_record()) {
      Record record{.line = scanner.line()};
      while (scanner.more()) record.fields.emplace_back(scanner.field());
      records.push_back(std::move(record));
    }
  } catch (const Error&) {  // a record without fields counts against the delimiter; the reader reports the fault later
    records.push_back({.line = scanner.line()});
  }
  return records;
}

bool fits(const Record& record, const Record& header) {
  return record.size() == header.size() || (record.size() == header.size() + 1 && record.ends_empty());
}

// How well a delimiter fits the file: the share of records that fit the header, then the number of fields.
struct Fit {
  char delimiter = ',';
  double share = -1;  // below 0: the header has a single field
  std::size_t fields = 0;
};

Fit fit_of(const Records& records, char delimiter) {
  if (records.empty() || records.front().size() < 2) return {delimiter};
  const Record& header = records.front();
  const auto fitting =
      std::count_if(records.begin() + 1, records.end(), [&](const Record& record) { return fits(record, header); });
  return {delimiter, records.size() == 1 ? 1 : static_cast<double>(fitting) / static_cast<double>(records.size() - 1),
          header.size()};
}

// True for 1.5 and 1,5.
bool is_number(std::string text) {
  const auto comma = text.find(',');
  if (comma != std::string::npos) text[comma] = '.';
  return cell_number(text).has_value();
}

// True if every record after the header is a number such as 1,5: the comma is a decimal comma, not a delimiter.
bool are_decimal_commas(const Records& lines) {
  return lines.size() > 1 && lines.front().first().find(',') == std::string::npos &&
         std::all_of(lines.begin() + 1, lines.end(),
                     [](const Record& line) { return is_number(line.first()) || is_missing_cell(line.first()); });
}

bool are_numbers(const Records& records, std::size_t first, std::size_t field) {
  bool any = false;
  for (std::size_t i = first; i < records.size(); ++i) {
    if (field >= records[i].size()) return false;
    if (is_missing_cell(records[i].fields[field])) continue;
    if (!is_number(records[i].fields[field])) return false;
    any = true;
  }
  return any;
}

// Records of R have one field more than the header: the names of the rows.
bool have_row_names(const Records& records) {
  const std::size_t fields = records.front().size();
  return fields > 1 &&
         std::all_of(records.begin() + 1, records.end(), [&](const Record& record) { return record.size() == fields + 1; });
}

// True if blanks separate all lines into the same number of fields, and one of them holds numbers: a file with a single column of
// texts, such as names of persons, has no numbers.
bool are_separated_by_blanks(const Records& records) {
  if (records.size() < 2 || records.front().size() < 2) return false;
  const auto is_alike = [&](const Record& record) { return record.size() == records[1].size(); };
  if (!std::all_of(records.begin() + 1, records.end(), is_alike)) return false;
  if (records.front().size() != records[1].size() && !have_row_names(records)) return false;
  for (std::size_t field = 0; field < records[1].size(); ++field)
    if (are_numbers(records, 1, field)) return true;
  return false;
}

// Refuses a file with a title above the header: "Sales 2024".
void refuse_title(const Records& records, const std::string& source) {
  if (records.size() < 2) return;
  const std::size_t fields = records.back().size();
  std::size_t header = records.size() - 1;
  while (header > 0 && records[header - 1].size() == fields) --header;
  const Record& first = records.front();
  const bool is_title = first.size() == 1 || first.first().starts_with('#');
  const bool are_columns = fields > first.size() && records.size() - header >= header;
  if (header == 0 || !is_title || !are_columns) return;
  const std::int64_t line = records[header].line;
  throw Error(
      format_text("{}, line {}: found {}, but from line {} on there are {} columns; the first line must name the columns: delete "
                  "all lines before the names (tail -n +{} {}), or put quotes around texts that hold the delimiter",
                  source, first.line, quoted_cell(first.first()), line, fields, line, source));
}

void find_delimiter(const Sample& sample, const std::string& source, CsvDialect& dialect) {
  Fit best;
  for (const char candidate : delimiters) {
    const Fit fit = fit_of(records_with(sample, candidate), candidate);
    if (fit.share > best.share || (fit.share == best.share && fit.fields > best.fields)) best = fit;
  }
  dialect.delimiter = best.delimiter;
  if (best.share > 0) return;
  if (are_decimal_commas(records_with(sample, ';'))) {
    dialect.delimiter = ';';
  } else if (best.share < 0 && are_separated_by_blanks(records_with(sample, LineFilter::delimiter_for_blanks, true))) {
    dialect.has_blanks = true;
  } else {
    for (const char candidate : delimiters) refuse_title(records_with(sample, candidate), source);
  }
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

// The lines at the start of a text that begin with #, and blank lines among them.
struct LeadingComments {
  std::size_t end = 0;   // where the first other line starts
  std::size_t last = 0;  // where the last line with a # starts
  int lines = 0;
  int lines_before_last = 0;
  int comments = 0;
};

// No comments if the sample has no other line.
LeadingComments leading_comments(std::string_view text) {
  LeadingComments found;
  for (std::size_t at = 0; at < text.size(); ++found.lines) {
    const std::size_t feed = text.find('\n', at);
    const std::string_view line = text.substr(at, feed == std::string_view::npos ? feed : feed - at);
    if (!line.starts_with('#') && !(found.comments > 0 && trim(line).empty())) {
      found.end = at;
      return found.comments > 0 ? found : LeadingComments();
    }
    if (line.starts_with('#')) {
      found.last = at;
      found.lines_before_last = found.lines;
      ++found.comments;
    }
    if (feed == std::string_view::npos) break;
    at = feed + 1;
  }
  return {};
}

// True if the last comment before `records` is their header. A comment may have as many commas by chance, so the first record
// must not look like a header itself.
bool is_header(std::string_view comment, const Records& records, const CsvDialect& dialect) {
  const std::size_t start = comment.find_first_not_of("# \t");
  if (records.empty() || start == std::string_view::npos) return false;
  const Records found = records_with({comment.substr(start), true, false}, dialect.delimiter, dialect.has_blanks);
  if (found.empty() || found.front().size() != records.front().size()) return false;
  const auto &names = found.front().fields, &first = records.front().fields;
  const auto has_blank = [](const std::string& name) { return trim(name).find(' ') != std::string_view::npos; };
  const bool are_plain_names = start == comment.find_first_not_of('#') && std::none_of(names.begin(), names.end(), has_blank);
  if (std::any_of(first.begin(), first.end(), is_number)) {
    if (std::any_of(names.begin(), names.end(), is_number)) return false;
    return are_plain_names || std::all_of(first.begin(), first.end(), is_number) || !are_numbers_as_names(first);
  }
  for (std::size_t field = 0; field < first.size(); ++field)
    if (are_numbers(records, 1, field)) return false;
  return records.size() > 1 && are_plain_names;
}

// Skips comments before the header. A header that begins with # loses it.
void skip_comments(std::string_view text, const LeadingComments& comments, const Records& records, const ToldDialect& told,
                   CsvDialect& dialect) {
  const std::string_view last = text.substr(comments.last, text.find('\n', comments.last) - comments.last);
  if (told.has_header && is_header(last, records, dialect)) {
    dialect.skipped_bytes += comments.last + last.find_first_not_of("# \t");
    dialect.skipped_lines += comments.lines_before_last;
    dialect.has_comments = comments.comments > 1;
    dialect.header_begins_with_mark = true;
    return;
  }
  dialect.skipped_bytes += comments.end;
  dialect.skipped_lines += comments.lines;
  dialect.has_comments = true;
}

}  // namespace

CsvDialect find_dialect(std::string_view sample, bool is_all, const ToldDialect& told, const std::string& source) {
  CsvDialect dialect;
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  if (sample.starts_with(mark)) dialect.skipped_bytes = mark.size();
  const bool is_named = read_separator_line(sample.substr(dialect.skipped_bytes), dialect);
  sample.remove_prefix(dialect.skipped_bytes);
  const LeadingComments comments = leading_comments(sample);
  const Sample rest{sample.substr(comments.end), is_all, comments.comments > 0};
  dialect.has_blanks = told.has_blanks;
  if (told.delimiter != 0)
    dialect.delimiter = told.delimiter;
  else if (!is_named && !told.has_blanks)
    find_delimiter(rest, source, dialect);
  if (dialect.has_blanks) dialect.delimiter = LineFilter::delimiter_for_blanks;
  Records records = records_with(rest, dialect.delimiter, dialect.has_blanks);
  if (told.delimiter != 0 || is_named) refuse_title(records, source);
  if (comments.comments > 0) skip_comments(sample, comments, records, told, dialect);
  if (!told.has_header || dialect.header_begins_with_mark || records.size() < 2) return dialect;
  const auto is_longer = [&](const Record& record) { return record.size() == records.front().size() + 1 && record.ends_empty(); };
  dialect.has_trailing_delimiters = std::all_of(records.begin() + 1, records.end(), is_longer);
  dialect.has_row_names = dialect.has_blanks && have_row_names(records);
  std::vector<std::vector<std::string>> below;
  for (std::size_t i = 1; i < records.size(); ++i) below.push_back(std::move(records[i].fields));
  if (looks_like_data(records.front().fields, below)) dialect.fields_like_data = std::move(records.front().fields);
  return dialect;
}

}  // namespace taut
