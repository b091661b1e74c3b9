#include <taut/data/csv_scanner.hpp>

#include <taut/core/error.hpp>
#include <taut/core/text.hpp>
#include <taut/data/plain_number.hpp>
#include <taut/data/table.hpp>

#include <fast_float/fast_float.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace taut {

CsvScanner::CsvScanner(Source& source, char delimiter, std::size_t buffer)
    : source_(source),
      buffer_(std::max<std::size_t>(buffer, 1) + plain_number_lookahead),
      cursor_(buffer_.data()),
      end_(buffer_.data()),
      delimiter_(delimiter) {
  *end_ = '\n';
  skip_byte_order_mark();
}

bool CsvScanner::refill() {
  if (at_end_) return false;
  char* const limit = buffer_.data() + buffer_.size() - plain_number_lookahead;
  if (end_ == limit) {
    make_room();
    return refill();
  }
  const std::size_t got = source_.read(end_, static_cast<std::size_t>(limit - end_));
  refuse_zero_bytes(end_, end_ + got);
  end_ += got;
  *end_ = '\n';
  at_end_ = got == 0;
  return !at_end_;
}

void CsvScanner::make_room() {
  const auto held = static_cast<std::size_t>(end_ - cursor_);
  if (held > most_field_bytes + 2) fail_too_long();
  if (cursor_ != buffer_.data()) {
    std::memmove(buffer_.data(), cursor_, held);
  } else {
    buffer_.resize(2 * buffer_.size());
  }
  cursor_ = buffer_.data();
  end_ = cursor_ + held;
  *end_ = '\n';
}

bool CsvScanner::next_record() {
  for (std::size_t blanks = 0;;) {
    char* const stop = cursor_ + blanks;
    if (stop == end_) {
      if (refill()) continue;
      cursor_ = end_;
      return more_ = false;
    }
    if (is_blank(*stop)) {
      ++blanks;
    } else if (*stop == '\n') {
      cursor_ = stop + 1;
      blanks = 0;
      ++line_;
    } else {
      break;
    }
  }
  record_line_ = line_;
  position_ = 0;
  if (delimiter_ == 0) detect_delimiter();
  return more_ = true;
}

// `end` points at what ends the field: a delimiter, a line feed, or the end of the file.
void CsvScanner::finish(char* end) {
  ++position_;
  more_ = end != end_ && *end == delimiter_;
  if (!more_) ++line_;
  cursor_ = end == end_ ? end_ : end + 1;
}

// Kept out of the loop below, whose numbers then stay in registers.
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
  while (more_ && read < count) {
    const char* stop = parse_plain_number(at, out[read]);
    if (stop == nullptr) stop = other_number(at, out[read]);
    if (stop == nullptr || (stop >= end_ - 1 && !at_end_)) break;
    if (*stop == delimiter) {
      at = stop + 1;
    } else if (*stop == '\n' || (*stop == '\r' && stop[1] == '\n')) {
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
  if (cursor_ == end_) refill();
  if (cursor_ != end_ && *cursor_ == '"') return quoted_field();
  char* stop = cursor_;
  for (;;) {
    while (*stop != delimiter_ && *stop != '\n') ++stop;
    if (stop != end_) break;
    const auto size = static_cast<std::size_t>(stop - cursor_);
    const bool goes_on = refill();
    stop = cursor_ + size;  // the text may have moved, even if nothing came
    if (!goes_on) break;
  }
  std::string_view text(cursor_, static_cast<std::size_t>(stop - cursor_));
  if (text.size() > most_field_bytes) fail_too_long();
  finish(stop);
  if (!more_ && text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

std::string_view CsvScanner::quoted_field() {
  std::size_t size = 1;  // from the opening quote
  bool has_doubled = false;
  for (;;) {
    const void* const quote = std::memchr(cursor_ + size, '"', static_cast<std::size_t>(end_ - cursor_) - size);
    if (quote == nullptr) {
      size = static_cast<std::size_t>(end_ - cursor_);
      if (refill()) continue;
      throw Error(source_.name() + ", line " + std::to_string(line_) + ", " + where_field(position_) +
                  ": a quote opens here and is never closed; close it, or double it (\"\") if it is part of the text");
    }
    size = static_cast<std::size_t>(static_cast<const char*>(quote) - cursor_);
    if (cursor_ + size + 1 == end_) refill();
    if (cursor_ + size + 1 == end_ || cursor_[size + 1] != '"') break;
    has_doubled = true;
    size += 2;
  }
  if (size - 1 > most_field_bytes) fail_too_long();

  std::size_t after = size + 1;
  while (is_blank(cursor_[after]) || (cursor_ + after == end_ && refill())) {
    if (is_blank(cursor_[after])) ++after;
  }
  char* const stop = cursor_ + after;
  if (stop != end_ && *stop != delimiter_ && *stop != '\n')
    throw Error(where() + ", " + where_field(position_) + ": found " + quoted_cell({stop, 1}) +
                " after a closing quote; a quoted field must end there: double the quotes (\"\") that are part of the text");

  std::string_view text(cursor_ + 1, size - 1);
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

void CsvScanner::skip_byte_order_mark() {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  while (static_cast<std::size_t>(end_ - cursor_) < mark.size() && refill()) {
  }
  if (std::string_view(cursor_, static_cast<std::size_t>(end_ - cursor_)).starts_with(mark)) cursor_ += mark.size();
}

void CsvScanner::detect_delimiter() {
  constexpr std::string_view candidates = ",;\t|";
  constexpr std::size_t far_enough = std::size_t{1} << 16;
  std::array<std::size_t, candidates.size()> counts{};
  bool in_quotes = false;
  for (std::size_t i = 0; i < far_enough; ++i) {
    if (cursor_ + i == end_ && !refill()) break;
    const char c = cursor_[i];
    if (c == '"') in_quotes = !in_quotes;
    if (in_quotes) continue;
    if (c == '\n') break;
    const auto which = candidates.find(c);
    if (which != std::string_view::npos) ++counts[which];
  }
  const auto most = std::max_element(counts.begin(), counts.end());
  delimiter_ = candidates[static_cast<std::size_t>(most - counts.begin())];
}

void CsvScanner::refuse_zero_bytes(const char* begin, const char* end) const {
  const auto* const zero = static_cast<const char*>(std::memchr(begin, 0, static_cast<std::size_t>(end - begin)));
  if (zero == nullptr) return;
  const auto line = line_ + std::count(static_cast<const char*>(cursor_), zero, '\n');
  throw Error(
      source_.name() + ", line " + std::to_string(line) +
      ": found a zero byte, which text never holds: this is UTF-16 or no text at all (a spreadsheet?); save it as CSV in UTF-8");
}

void CsvScanner::fail_too_long() const {
  throw Error(source_.name() + ", line " + std::to_string(line_) + ", " + where_field(position_) +
              ": this field is longer than " + std::to_string(most_field_bytes >> 20) +
              " MiB, the most that is allowed; is there a quote that is never closed?");
}

std::string CsvScanner::where() const { return source_.name() + ", line " + std::to_string(record_line_); }

std::string CsvScanner::where_field(Index position) const {
  if (names_ != nullptr && static_cast<std::size_t>(position) < names_->size())
    return "column '" + (*names_)[static_cast<std::size_t>(position)] + "'";
  return "field " + std::to_string(position + 1);
}

bool is_missing_cell(std::string_view text) {
  constexpr std::array<std::string_view, 4> words = {"na", "nan", "null", "-nan"};  // C prints some NaNs with a sign
  text = trim(text);
  if (text.empty()) return true;
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return std::equal(text.begin(), text.end(), word.begin(), word.end(), [&](char a, char b) { return lower(a) == b; });
  });
}

std::optional<double> cell_number(std::string_view text) {
  text = trim(text);
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  if (text.empty()) return std::nullopt;
  double value = 0;
  const auto [end, failure] = fast_float::from_chars(text.data(), text.data() + text.size(), value);
  // Newer versions of the library report 1e999, older ones do not; both give the infinity or zero that is nearest.
  if (failure != std::errc() && failure != std::errc::result_out_of_range) return std::nullopt;
  if (end != text.data() + text.size() || std::isnan(value)) return std::nullopt;
  return value;
}

}  // namespace taut
