#include <taut/data/table.hpp>

#include <taut/core/error.hpp>
#include <taut/core/text.hpp>
#include <taut/data/column.hpp>

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

std::string row_words(std::span<const std::int64_t> lines, Index row, Index first_row) {
  const auto at = static_cast<std::size_t>(row);
  return at < lines.size() ? "line " + std::to_string(lines[at]) : "row " + std::to_string(first_row + row + 1);
}

std::string place(std::string_view source, std::span<const std::int64_t> lines, Index row, const Column& column,
                  Index first_row) {
  return std::string(source) + ", " + row_words(lines, row, first_row) + ", column '" + column.name + "'";
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

std::string missing_column(std::string_view source, std::string_view name, std::span<const std::string> names) {
  const auto shared = names_shared_as(name, {names.begin(), names.end()});
  if (!shared.empty())
    return std::string(source) + ": the name '" + std::string(name) + "' is that of " + print_count(std::ssize(shared)) +
           " columns; say which is meant: '" + join(shared, "', '") + "', or rename them in the file";
  constexpr std::size_t most_listed = 40;
  std::string text = std::string(source) + ": there is no column '" + std::string(name) + "'";
  if (const auto guess = nearest_name(name, names)) text += " (did you mean '" + *guess + "'?)";
  text += "; the columns are: " + join(names.first(std::min(names.size(), most_listed)), ", ");
  if (names.size() > most_listed) text += ", ... (" + print_count(static_cast<long long>(names.size())) + " in all)";
  return text;
}

std::string quoted_cell(std::string_view text) {
  constexpr std::size_t most_shown = 40;
  std::size_t stop = std::min(text.size(), most_shown);
  // Never cut inside a UTF-8 character: its continuation bytes start with the bits 10.
  while (stop > 0 && stop < text.size() && (static_cast<unsigned char>(text[stop]) & 0xC0U) == 0x80U) --stop;
  std::string shown(1, '\'');
  shown.append(text.substr(0, stop));
  if (stop == text.size()) return shown += '\'';
  return shown += "...' (" + print_count(static_cast<long long>(text.size())) + " bytes)";
}

void ColumnMismatches::add(std::string_view text, Index count) {
  cells += count;
  if (count == 0 || text.empty() || texts.size() == most_texts) return;
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
