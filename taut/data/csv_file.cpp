#include <taut/data/csv_file.hpp>

#include <taut/core/error.hpp>
#include <taut/core/text.hpp>

#include <string_view>

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
    : source_(path, rereading), options_(options) {
  check_delimiter(options_.delimiter);
  if (options_.buffer == 0) options_.buffer = CsvScanner::default_buffer;
  start();
}

void CsvFile::start() {
  scanner_.emplace(source_, options_.delimiter, options_.buffer);
  read_header();
  records_ = 0;
}

// Names are trimmed; none may be empty, none may come twice.
void CsvFile::read_header() {
  if (!scanner_->next_record())
    throw Error(name() + ": the file is empty; expected a header line with the column names, then one line per row");
  names_.clear();
  positions_.clear();
  for (std::size_t position = 0; scanner_->more(); ++position) {
    const std::string column = scanner_->where() + ", column " + std::to_string(position + 1);
    if (static_cast<Index>(position) == most_columns)
      throw Error(column + ": the header has more than " + print_count(most_columns) +
                  " columns, the most that is allowed; is this a CSV file with one line per row?");
    const std::string& name = names_.emplace_back(trim(scanner_->field()));
    if (name.empty())
      throw Error(column + ": the column has no name; every column needs one: write it into the header line" +
                  (position == 0 ? ", or leave out the row numbers (in pandas: to_csv(..., index=False))" : ""));
    const auto [first, is_new] = positions_.emplace(name, position);
    if (!is_new)
      throw Error(column + ": the name " + quoted_cell(name) + " is already that of column " + std::to_string(first->second + 1) +
                  "; every column needs a name of its own: rename one of them");
  }
  scanner_->set_names(&names_);
}

std::size_t CsvFile::position_of(const std::string& name) const {
  const auto found = positions_.find(name);
  if (found == positions_.end()) throw Error(missing_column(source_.name(), name, names_));
  return found->second;
}

bool CsvFile::next_record() {
  constexpr Index records_between_reports = 1 << 13;
  if (options_.context != nullptr && records_ % records_between_reports == 0) options_.context->report("reading", source_.done());
  ++records_;
  return scanner_->next_record();
}

void CsvFile::rewind() {
  source_.rewind();
  start();
}

void CsvFile::fail_no_rows() const {
  throw Error(source_.name() + ": there is a header line, but no row after it; add at least one line with values for " +
              quoted_cell(names_.front()) + (names_.size() > 1 ? ", ..." : ""));
}

}  // namespace taut
