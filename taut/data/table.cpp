#include <taut/data/table.hpp>

#include <taut/core/error.hpp>
#include <taut/core/text.hpp>

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace taut {

std::optional<Index> Table::find(std::string_view name) const {
  const auto found = std::find_if(columns.begin(), columns.end(), [&](const Column& column) { return column.name == name; });
  if (found == columns.end()) return std::nullopt;
  return found - columns.begin();
}

Index Table::require(std::string_view name) const {
  if (const auto found = find(name)) return *found;
  throw Error(missing_column(source, name, names()));
}

std::vector<std::string> Table::names() const {
  std::vector<std::string> names;
  names.reserve(columns.size());
  for (const auto& column : columns) names.push_back(column.name);
  return names;
}

std::string Table::where(Index row, Index column) const {
  const bool has_line = static_cast<std::size_t>(row) < lines.size();
  return source +
         (has_line ? ", line " + std::to_string(lines[static_cast<std::size_t>(row)]) : ", row " + std::to_string(row + 1)) +
         ", column '" + columns[static_cast<std::size_t>(column)].name + "'";
}

std::string missing_column(std::string_view source, std::string_view name, std::span<const std::string> names) {
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

namespace {

// The code of each level of `from` among the levels of `to`, NaN where there is none.
std::vector<double> level_codes(const Column& from, const Column& to) {
  std::unordered_map<std::string_view, std::size_t> known;
  for (std::size_t code = 0; code < to.levels.size(); ++code) known.emplace(to.levels[code], code);
  std::vector<double> codes;
  codes.reserve(from.levels.size());
  for (const auto& level : from.levels) {
    const auto found = known.find(level);
    codes.push_back(found == known.end() ? missing : static_cast<double>(found->second));
  }
  return codes;
}

// A file where all cells of a category happen to be numbers reads as numbers: the level is the one that means the same
// number, and among several ("1", "1.0") the one that is written as we would write it.
double level_of_number(double value, const Column& to) {
  double code = missing;
  const std::string written = print_number(value);
  for (std::size_t i = 0; i < to.levels.size(); ++i) {
    if (to.levels[i] == written) return static_cast<double>(i);
    if (std::isnan(code) && parse_number(to.levels[i]) == value) code = static_cast<double>(i);
  }
  return code;
}

void copy_as_category(const Table& table, Index source, Table& result, Index target) {
  const Column& from = table.columns[static_cast<std::size_t>(source)];
  const Column& to = result.columns[static_cast<std::size_t>(target)];
  const auto codes = level_codes(from, to);
  std::unordered_map<double, double> code_of_number;
  for (Index row = 0; row < table.rows(); ++row) {
    const double value = table.values(row, source);
    double& cell = result.values(row, target);
    if (std::isnan(value)) {
      cell = missing;
    } else if (from.is_category) {
      cell = value >= 0 && value < static_cast<double>(codes.size()) ? codes[static_cast<std::size_t>(value)] : missing;
    } else {
      const auto [found, is_new] = code_of_number.try_emplace(value, missing);
      if (is_new) found->second = level_of_number(value, to);
      cell = found->second;
    }
  }
}

void copy_as_number(const Table& table, Index source, Table& result, Index target) {
  const Column& from = table.columns[static_cast<std::size_t>(source)];
  if (!from.is_category) {
    result.values.col(target) = table.values.col(source);
    return;
  }
  std::vector<std::optional<double>> numbers;
  for (const auto& level : from.levels) numbers.push_back(parse_number(level));
  for (Index row = 0; row < table.rows(); ++row) {
    const double code = table.values(row, source);
    double& cell = result.values(row, target);
    cell = missing;
    if (!(code >= 0 && code < static_cast<double>(numbers.size()))) continue;
    const auto level = static_cast<std::size_t>(code);
    if (!numbers[level])
      throw Error(table.where(row, source) + ": found the text " + quoted_cell(from.levels[level]) +
                  ", but this column holds numbers; write a number, or leave the cell empty if the value is missing");
    cell = *numbers[level];
  }
}

}  // namespace

Table match(const Table& table, const std::vector<Column>& schema) {
  if (table.columns == schema) return table;
  Table result{table.source, schema, Matrix(table.rows(), static_cast<Index>(schema.size())), table.lines};
  std::unordered_map<std::string_view, Index> positions;
  for (std::size_t i = 0; i < table.columns.size(); ++i) positions.emplace(table.columns[i].name, static_cast<Index>(i));
  for (std::size_t i = 0; i < schema.size(); ++i) {
    const auto source = positions.find(schema[i].name);
    if (source == positions.end()) throw Error(missing_column(table.source, schema[i].name, table.names()));
    const auto copy = schema[i].is_category ? copy_as_category : copy_as_number;
    copy(table, source->second, result, static_cast<Index>(i));
  }
  return result;
}

}  // namespace taut
