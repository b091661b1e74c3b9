#include <taut/data/csv/scanner.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/data/csv/plain_number.hpp>
#include <taut/data/table.hpp>

#include <fast_float/fast_float.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace taut {

void CsvScanner::start(TextBlock& block) {
  cursor_ = block.begin();
  next_ = cursor_;
  end_ = text_end_ = block.end();
  line_ = record_line_ = block.first_line;
  has_zero_ = block.has_zero;
  is_cut_ = block.is_cut;
  more_ = false;
  position_ = 0;
}

bool CsvScanner::next_line_record() {
  if (next_ > cursor_) line_ = record_line_ + 1;  // the record before may have ended early
  while (next_ < text_end_) {
    cursor_ = next_;
    end_ = static_cast<char*>(std::memchr(next_, '\n', static_cast<std::size_t>(text_end_ - next_)));
    if (end_ == nullptr) end_ = text_end_;
    next_ = end_ == text_end_ ? text_end_ : end_ + 1;
    record_line_ = line_;
    if (!std::all_of(cursor_, end_, [this](char c) { return is_blank(c); })) return more_ = true;
    ++line_;
  }
  if (is_cut_) fail_too_long();
  cursor_ = end_ = text_end_;
  return more_ = false;
}

bool CsvScanner::next_record() {
  position_ = 0;
  if (format_.lines_are_records) return next_line_record();
  char* at = cursor_;
  while (is_blank(*at) || *at == '\n') {
    if (at == end_) {
      if (is_cut_) fail_too_long();
      cursor_ = end_;
      return more_ = false;
    }
    if (*at == '\n') {
      cursor_ = at + 1;
      ++line_;
    }
    ++at;
  }
  record_line_ = line_;
  return more_ = true;
}

// Ends a field at `end`, which points to a delimiter, a line feed, or the end of the text.
void CsvScanner::finish(char* end) {
  if (end == end_ && is_cut_) fail_too_long();
  ++position_;
  more_ = end != end_ && *end == delimiter_;
  if (!more_) ++line_;
  cursor_ = end == end_ ? end_ : end + 1;
}

// Not inlined into the loop below, so that its variables stay in registers.
[[gnu::noinline]] const char* CsvScanner::other_number(const char* at, double& value) const {
  value = missing;
  if (*at == delimiter_ || *at == '\n' || *at == '\r') return at;
  const auto [end, failure] = fast_float::from_chars(at, static_cast<const char*>(end_), value);
  return failure == std::errc() && std::isfinite(value) ? end : nullptr;
}

Index CsvScanner::numbers(double* out, Index count) {
  Index read = 0;
  const char* at = cursor_;
  const char delimiter = delimiter_;
  const bool any_may_be_missing = !format_.missing_words.numbers().empty();
  while (more_ && read < count) {
    const char* stop = parse_plain_number(at, out[read]);
    if (stop == nullptr) stop = other_number(at, out[read]);
    if (stop == nullptr || (any_may_be_missing && format_.missing_words.is_number(out[read]))) break;
    if (*stop == delimiter) {
      at = stop + 1;
    } else if (*stop == '\n' || (*stop == '\r' && stop[1] == '\n')) {
      if (is_cut_) break;
      at = std::min<const char*>(stop + (*stop == '\r' ? 2 : 1), end_);
      more_ = false;
      ++line_;
    } else {
      break;
    }
    ++read;
  }
  cursor_ += at - cursor_;
  position_ += read;
  return read;
}

std::string_view CsvScanner::field() {
  char* stop = cursor_;
  while (is_blank(*stop)) ++stop;
  if (*stop == '"') return quoted_field(stop);
  while (*stop != delimiter_ && *stop != '\n') ++stop;
  std::string_view text(cursor_, static_cast<std::size_t>(stop - cursor_));
  if (has_zero_) refuse_zero_byte(text);
  if (text.size() > max_field_bytes) fail_too_long();
  finish(stop);
  if (!more_ && text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

std::string_view CsvScanner::quoted_field(char* quote) {
  char* close = quote + 1;
  bool has_doubled = false;
  for (;; close += 2) {
    close = static_cast<char*>(std::memchr(close, '"', static_cast<std::size_t>(end_ - close)));
    if (close == nullptr && has_zero_) refuse_zero_byte({quote, static_cast<std::size_t>(end_ - quote)});
    if (close == nullptr && is_cut_) fail_too_long();
    if (close == nullptr)
      throw Error(format_text(
          "{}, line {}, {}: a quote opens here and is never closed; close it, or double it (\"\") if it is part of the text",
          format_.source, line_, where_field(position_)));
    if (close + 1 == end_ || close[1] != '"') break;
    has_doubled = true;
  }
  std::string_view text(quote + 1, static_cast<std::size_t>(close - quote - 1));
  if (has_zero_) refuse_zero_byte(text);
  if (text.size() > max_field_bytes) fail_too_long();

  char* stop = close + 1;
  while (is_blank(*stop)) ++stop;
  if (stop != end_ && *stop != delimiter_ && *stop != '\n')
    throw Error(
        format_text("{}, {}: found {} after a closing quote; a quoted field must end there: double the quotes (\"\") that are "
                    "part of the text",
                    where(), where_field(position_), quoted_cell({stop, 1})));
  line_ += std::count(text.begin(), text.end(), '\n');
  if (has_doubled) {
    unescaped_.clear();
    for (std::size_t i = 0; i < text.size(); ++i) {
      unescaped_ += text[i];
      if (text[i] == '"') ++i;
    }
    text = unescaped_;
  }
  finish(stop);
  return text;
}

void CsvScanner::refuse_zero_byte(std::string_view text) const {
  const auto zero = text.find('\0');
  if (zero == std::string_view::npos) return;
  const auto line = line_ + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(zero), '\n');
  if (line <= 1 && (text.starts_with("ARROW1") || text.starts_with("PAR1")))
    throw Error(format_.source +
                ": this is an Arrow or Parquet file, whose end has to be read first: give the name of a file ending in "
                ".arrow, .feather or .parquet instead of a pipe");
  throw Error(
      format_text("{}, line {}: found a zero byte, which text never holds: is this a spreadsheet, or text in UTF-32? Save it as "
                  "CSV in UTF-8, or convert it: iconv -f UTF-32 -t UTF-8 IN > OUT; to remove single zero bytes: tr -d '\\000' "
                  "< IN > OUT",
                  format_.source, line));
}

void CsvScanner::fail_too_long() const {
  const auto mebibytes = [](std::size_t bytes) { return std::to_string(bytes >> 20) + " MiB"; };
  throw Error(
      format_text("{}, line {}, {}: this field is longer than {}, or its line is longer than {}, which is the limit; is there a "
                  "quote that is never closed?",
                  format_.source, line_, where_field(position_), mebibytes(max_field_bytes), mebibytes(max_record_bytes)));
}

std::string CsvScanner::where() const { return format_text("{}, line {}", format_.source, record_line_); }

std::string CsvScanner::where_field(Index position) const {
  if (static_cast<std::size_t>(position) < format_.names.size())
    return format_text("column '{}'", format_.names[static_cast<std::size_t>(position)]);
  return "field " + std::to_string(position + 1);
}

std::optional<double> cell_number(std::string_view text) {
  text = trim(text);
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  if (text.empty()) return std::nullopt;
  double value = 0;
  const auto [end, failure] = fast_float::from_chars(text.data(), text.data() + text.size(), value);
  // Newer versions of fast_float report 1e999 as out of range, older ones do not. Both return the nearest infinity or zero.
  if (failure != std::errc() && failure != std::errc::result_out_of_range) return std::nullopt;
  if (end != text.data() + text.size() || std::isnan(value)) return std::nullopt;
  return value;
}

}  // namespace taut
