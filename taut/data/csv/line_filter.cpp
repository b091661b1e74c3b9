#include <taut/data/csv/line_filter.hpp>

namespace taut {

namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

}  // namespace

// The state after a character that is kept. A quote opens a field only at its start; a doubled quote opens it again.
LineFilter::At LineFilter::after(char c) const {
  const bool starts_field = at_ == At::line_start || at_ == At::field_start;
  if (at_ == At::quoted) return c == '"' ? At::after_quote : At::quoted;
  if (c == '"' && (starts_field || at_ == At::after_quote)) return At::quoted;
  if (c == '\n') return At::line_start;
  if (c == delimiter_ && !joins_blanks_) return At::field_start;
  return is_space(c) && starts_field ? At::field_start : At::field;
}

void LineFilter::apply(std::string_view text, std::string& out) {
  for (const char c : text) {
    if (at_ == At::line_start && c == '#' && drops_comments_) at_ = At::comment;
    if (at_ == At::comment && c != '\n') continue;
    if (joins_blanks_ && at_ != At::quoted && is_space(c)) {
      owes_delimiter_ = owes_delimiter_ || at_ == At::field || at_ == At::after_quote;
      if (at_ != At::line_start) at_ = At::field_start;
      continue;
    }
    if (owes_delimiter_ && c != '\n') out += delimiter_for_blanks;
    owes_delimiter_ = false;
    at_ = after(c);
    out += c;
  }
}

}  // namespace taut
