#include <taut/data/csv/block.hpp>

#include <taut/data/csv/plain_number.hpp>
#include <taut/data/csv/scanner.hpp>
#include <taut/data/csv/source.hpp>

#include <algorithm>
#include <array>
#include <cstring>

namespace taut {
namespace {

struct ByteFacts {
  std::int64_t line_feeds = 0;
  bool has_zero = false;
  bool is_ascii = true;
};

// Compilers vectorise this loop: it counts in `width` columns of bytes, over so few rows that no count overflows.
ByteFacts facts_of(std::string_view text) {
  constexpr std::size_t width = 64, max_rows = 255;
  ByteFacts facts;
  std::size_t at = 0;
  unsigned char high = 0;
  std::array<unsigned char, width> zeros{};
  while (at + width <= text.size()) {
    std::array<unsigned char, width> feeds{}, bits{};
    const std::size_t rows = std::min(max_rows, (text.size() - at) / width);
    for (std::size_t row = 0; row < rows; ++row, at += width) {
      const char* const from = text.data() + at;
      for (std::size_t i = 0; i < width; ++i) {
        const auto byte = static_cast<unsigned char>(from[i]);
        feeds[i] = static_cast<unsigned char>(feeds[i] + (byte == '\n' ? 1 : 0));
        bits[i] = static_cast<unsigned char>(bits[i] | byte);
        zeros[i] = static_cast<unsigned char>(zeros[i] | (byte == 0 ? 1 : 0));
      }
    }
    for (std::size_t i = 0; i < width; ++i) {
      facts.line_feeds += feeds[i];
      high = static_cast<unsigned char>(high | bits[i]);
    }
  }
  for (const unsigned char zero : zeros) facts.has_zero = facts.has_zero || zero != 0;
  for (; at < text.size(); ++at) {
    facts.line_feeds += text[at] == '\n' ? 1 : 0;
    facts.has_zero = facts.has_zero || text[at] == 0;
    high = static_cast<unsigned char>(high | static_cast<unsigned char>(text[at]));
  }
  facts.is_ascii = high < 0x80;
  return facts;
}

std::size_t find_byte(std::string_view text, char byte, std::size_t from) {
  const void* const found = std::memchr(text.data() + from, byte, text.size() - from);
  return found == nullptr ? text.size() : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

// True if this quote is at the start of a field; other quotes open nothing. `from`: the position after the last closing quote.
bool opens_field(std::string_view text, std::size_t quote, std::size_t from, char delimiter) {
  std::size_t at = quote;
  while (at > from && is_csv_blank(text[at - 1], delimiter)) --at;
  return at == 0 || (at > from && (text[at - 1] == delimiter || text[at - 1] == '\n'));
}

// The closing quote of a field that opens at `quote`; text.size() if it is absent, or the last byte and thus perhaps doubled.
std::size_t closing_quote(std::string_view text, std::size_t quote) {
  for (std::size_t at = quote + 1;; at += 2) {
    at = find_byte(text, '"', at);
    if (at + 1 >= text.size()) return text.size();
    if (text[at + 1] != '"') return at;
  }
}

// True if there is a complete line that is no comment.
bool has_line_after_comments(std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  if (text.starts_with(mark)) text.remove_prefix(mark.size());
  for (auto feed = text.find('\n'); feed != std::string_view::npos; feed = text.find('\n')) {
    if (text.front() != '#') return true;
    text.remove_prefix(feed + 1);
  }
  return false;
}

RecordEnd last_line_end(std::string_view text) {
  const auto feed = text.rfind('\n');
  const std::size_t end = feed == std::string_view::npos ? 0 : feed + 1;
  return {end, end};
}

// True if this incomplete record will be refused, so that reading more of it is useless.
bool will_be_refused(std::string_view record, std::size_t unfinished_field) {
  return record.size() - unfinished_field > max_field_bytes + 2 || record.size() > max_record_bytes ||
         record.find('\0') != std::string_view::npos;
}

}  // namespace

RecordEnd last_record_end(std::string_view text, char delimiter) {
  RecordEnd last;
  // Finds the last line end between two positions outside quotes.
  const auto look_in = [&](std::size_t from, std::size_t to) {
    const auto feed = text.substr(from, to - from).rfind('\n');
    if (feed != std::string_view::npos) last.end = from + feed + 1;
  };
  std::size_t from = 0;  // start of the text outside quotes
  std::size_t quote = find_byte(text, '"', 0);
  while (quote < text.size()) {
    if (!opens_field(text, quote, from, delimiter)) {
      quote = find_byte(text, '"', quote + 1);
      continue;
    }
    look_in(from, quote);
    const std::size_t close = closing_quote(text, quote);
    if (close == text.size()) {
      last.field = quote;
      return last;
    }
    from = close + 1;
    quote = find_byte(text, '"', from);
  }
  look_in(from, text.size());
  const auto separator = text.substr(from).find_last_of(std::string_view(&delimiter, 1));
  last.field = std::max({last.end, from, separator == std::string_view::npos ? 0 : from + separator + 1});
  return last;
}

void TextBlock::make_space(std::size_t size) {
  if (bytes_.size() < size + plain_number_lookahead) bytes_.resize(size + plain_number_lookahead);
}

void TextBlock::finish() {
  bytes_[end_] = '\n';
  const ByteFacts facts = facts_of(text());
  line_feeds = facts.line_feeds;
  has_zero = facts.has_zero;
  is_ascii = facts.is_ascii;
}

void TextBlock::assign(std::string_view text) {
  begin_ = 0;
  end_ = text.size();
  make_space(end_);
  std::copy(text.begin(), text.end(), bytes_.begin());
  finish();
}

void TextBlock::drop_before(const char* at, std::int64_t line) {
  begin_ = static_cast<std::size_t>(at - bytes_.data());
  line_feeds -= line - first_line;
  first_line = line;
}

void TextBlock::make_utf8() {
  if (is_ascii) return;
  const std::size_t valid = valid_utf8(text());
  is_ascii = true;  // a second call does nothing
  if (valid == text().size()) return;
  converted_line = first_line + std::count(begin(), begin() + valid, '\n');
  const AsUtf8 utf8 = with_windows_1252(text());
  converted = utf8.converted;
  begin_ = 0;
  end_ = utf8.text.size();
  make_space(end_);
  std::memcpy(bytes_.data(), utf8.text.data(), end_);
  bytes_[end_] = '\n';
}

void CsvBlocks::simplify(const LineFilter& filter) {
  filter_ = filter;
  if (!filter_.is_active()) return;
  std::string simplified;
  filter_.apply(std::string_view(carry_).substr(carry_used_), simplified);
  carry_ = std::move(simplified);
  carry_used_ = 0;
}

std::size_t CsvBlocks::read(char* out, std::size_t size) {
  if (!filter_.is_active()) return read_source(out, size);
  while (simplified_used_ == simplified_.size()) {
    std::string bytes(std::max(size, sample_size), '\0');
    bytes.resize(read_source(bytes.data(), bytes.size()));
    if (bytes.empty()) return 0;
    simplified_.clear();
    simplified_used_ = 0;
    filter_.apply(bytes, simplified_);
  }
  const std::size_t count = std::min(size, simplified_.size() - simplified_used_);
  std::memcpy(out, simplified_.data() + simplified_used_, count);
  simplified_used_ += count;
  return count;
}

std::size_t CsvBlocks::read_source(char* out, std::size_t size) {
  if (at_end_) return 0;
  try {
    const std::size_t got = source_.read(out, size);
    at_end_ = got == 0;
    return got;
  } catch (...) {
    failure_ = std::current_exception();
    at_end_ = true;
    return 0;
  }
}

std::string_view CsvBlocks::sample() {
  const std::size_t wanted = carry_used_ + sample_size;
  const auto is_enough = [&] { return is_prompt_ && has_line_after_comments(std::string_view(carry_).substr(carry_used_)); };
  while (carry_.size() < wanted && !at_end_ && !is_enough()) {
    const std::size_t held = carry_.size();
    carry_.resize(wanted);
    carry_.resize(held + read(carry_.data() + held, wanted - held));
  }
  return std::string_view(carry_).substr(carry_used_, sample_size);
}

// Appends text to the block until it holds `size` bytes or the file ends.
void CsvBlocks::fill(TextBlock& block, std::size_t size) {
  block.make_space(size);
  const std::size_t before = block.end_;
  const std::size_t count = std::min(size - block.end_, carry_.size() - carry_used_);
  std::memcpy(block.end(), carry_.data() + carry_used_, count);
  carry_used_ += count;
  block.end_ += count;
  // The text before `before` holds no complete record.
  const auto is_enough = [&] { return is_prompt_ && block.text().find('\n', before) != std::string_view::npos; };
  while (block.end_ < size && !is_enough()) {
    const std::size_t got = read(block.end(), size - block.end_);
    if (got == 0) break;
    block.end_ += got;
  }
}

bool CsvBlocks::next(TextBlock& block, const CsvFormat& format) {
  block.begin_ = block.end_ = 0;
  block.converted = 0;
  block.is_cut = false;
  for (std::size_t size = size_;; size += std::min(size, max_field_bytes / 2)) {
    fill(block, size);
    if (at_end_ && !failure_ && carry_used_ == carry_.size()) break;  // the block holds the last record
    const RecordEnd last =
        format.lines_are_records ? last_line_end(block.text()) : last_record_end(block.text(), format.delimiter);
    const std::size_t rest = block.end_ - last.end;
    block.is_cut = last.end == 0 && will_be_refused(block.text(), last.field);
    if (block.is_cut) break;
    if (last.end == 0 && !failure_) continue;
    if (rest <= carry_used_ && carry_used_ < carry_.size()) {
      carry_used_ -= rest;
    } else {
      carry_.assign(block.end() - rest, rest);
      carry_used_ = 0;
    }
    block.end_ = last.end;
    break;
  }
  if (block.end_ == 0) {
    if (failure_) std::rethrow_exception(failure_);
    return false;
  }
  block.first_line = line_;
  block.finish();
  line_ += block.line_feeds;
  return true;
}

}  // namespace taut
