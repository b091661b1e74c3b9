#include <taut/data/table.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/data/column.hpp>
#include <taut/data/similar_column.hpp>

#include <algorithm>

namespace taut {

std::optional<Index> find_column(const std::vector<Column>& columns, std::string_view name) {
  const auto found = std::find_if(columns.begin(), columns.end(), [&](const Column& column) { return column.name == name; });
  if (found == columns.end()) return std::nullopt;
  return found - columns.begin();
}

std::vector<std::string> names_of(const std::vector<Column>& columns) {
  std::vector<std::string> names;
  names.reserve(columns.size());
  for (const auto& column : columns) names.push_back(column.name);
  return names;
}

std::string describe_row(std::span<const std::int64_t> lines, Index row, Index first_row) {
  const auto at = static_cast<std::size_t>(row);
  return at < lines.size() ? "line " + std::to_string(lines[at]) : "row " + std::to_string(first_row + row + 1);
}

std::string place(std::string_view source, std::span<const std::int64_t> lines, Index row, const Column& column,
                  Index first_row) {
  return format_text("{}, {}, column '{}'", source, describe_row(lines, row, first_row), column.name);
}

std::optional<Index> Table::find(std::string_view name) const { return find_column(columns, name); }

Index Table::require(std::string_view name) const {
  if (const auto found = find(name)) return *found;
  throw Error(missing_column(source, name, names()));
}

std::vector<std::string> Table::names() const { return names_of(columns); }

std::string Table::where(Index row, Index column) const {
  return place(source, lines, row, columns[static_cast<std::size_t>(column)], first_row);
}

namespace {

std::string shared_name(std::string_view source, std::string_view name, const std::vector<std::string>& shared) {
  return format_text("{}: {} columns have the name '{}'; say which is meant: '{}', or rename them in the file", source,
                     print_count(std::ssize(shared)), name, join(shared, "', '"));
}

std::string with_guess(std::string_view name, std::span<const std::string> names) {
  const auto guess = similar_column(name, names);
  return guess ? format_text("'{}' (did you mean '{}'?)", name, *guess) : format_text("'{}'", name);
}

std::string listed(std::span<const std::string> names) {
  constexpr std::size_t max_listed = 40;
  std::string text = join(names.first(std::min(names.size(), max_listed)), ", ");
  if (names.size() > max_listed) text += format_text(", ... ({} in all)", print_count(std::ssize(names)));
  return text;
}

}  // namespace

std::string missing_column(std::string_view source, std::string_view name, std::span<const std::string> names) {
  const auto shared = columns_sharing_name(name, {names.begin(), names.end()});
  if (!shared.empty()) return shared_name(source, name, shared);
  return format_text("{}: there is no column {}; the columns are: {}", source, with_guess(name, names), listed(names));
}

std::string missing_columns(std::string_view source, const std::vector<std::string>& absent,
                            const std::vector<std::string>& wanted, const std::vector<std::string>& names) {
  std::vector<std::string> free = names, words;
  std::erase_if(free, [&](const std::string& name) { return std::find(wanted.begin(), wanted.end(), name) != wanted.end(); });
  for (const auto& name : absent) {
    if (const auto shared = columns_sharing_name(name, names); !shared.empty()) return shared_name(source, name, shared);
    if (auto word = with_guess(name, free); std::find(words.begin(), words.end(), word) == words.end())
      words.push_back(std::move(word));
  }
  return format_text("{}: there {} {}; the columns are: {}", source, words.size() == 1 ? "is no column" : "are no columns",
                     listed(words), listed(names));
}

const BadLines& RowReader::bad_lines() const {
  static const BadLines none;
  return none;
}

void BadLines::add(const std::string& message) {
  ++lines;
  if (words.size() < max_words) words.push_back(message);
}

std::string quoted_cell(std::string_view text) {
  constexpr std::size_t max_shown = 40;
  std::size_t stop = std::min(text.size(), max_shown);
  // Do not cut inside a UTF-8 character. Continuation bytes start with the bits 10.
  while (stop > 0 && stop < text.size() && (static_cast<unsigned char>(text[stop]) & 0xC0U) == 0x80U) --stop;
  std::string shown(1, '\'');
  shown.append(text.substr(0, stop));
  if (stop == text.size()) return shown += '\'';
  return shown += format_text("...' ({} bytes)", print_count(static_cast<long long>(text.size())));
}

void ColumnMismatches::add(std::string_view text, Index count) {
  cells += count;
  if (count == 0 || text.empty() || texts.size() == max_texts) return;
  if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.emplace_back(text);
}

void ColumnMismatches::append(const ColumnMismatches& later) {
  const Index all = cells + later.cells;
  for (const auto& text : later.texts) add(text);
  cells = all;
}

Mismatches no_mismatches(const std::vector<Column>& schema) {
  Mismatches result;
  for (const Column& column : schema) result.push_back({column.name, column.is_categorical()});
  return result;
}

}  // namespace taut
