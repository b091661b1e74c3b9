#include <taut/data/kinds/column_texts.hpp>

#include <taut/core/text.hpp>
#include <taut/data/kinds/number_codes.hpp>
#include <taut/data/kinds/spellings.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

namespace taut {

namespace {

struct Occurrence {
  std::size_t code;
  Index cells = 0;
  Index first_row = 0;
};

// The cells of a column of numbers as codes, and the text of each code. Codes are in ascending order of the numbers.
struct Written {
  std::vector<double> codes;
  std::vector<std::string> texts;
};

Written written_numbers(const TableView& table, Index column, RowsView rows) {
  std::vector<double> values;
  for (const Index row : rows)
    if (const double value = table(row, column); !std::isnan(value)) values.push_back(value);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  Written result;
  for (const double value : values) result.texts.push_back(category_of_number(value));
  for (const Index row : rows) {
    const double value = table(row, column);
    const auto place = std::lower_bound(values.begin(), values.end(), value) - values.begin();
    result.codes.push_back(std::isnan(value) ? missing : static_cast<double>(place));
  }
  return result;
}

// For each text the position of the first text that is equal to it without the blanks around both.
std::vector<std::size_t> equal_when_trimmed(const std::vector<std::string>& texts) {
  std::vector<std::size_t> first(texts.size());
  std::iota(first.begin(), first.end(), std::size_t{0});
  const auto has_blanks = [](const std::string& text) { return trim_cell(text).size() != text.size(); };
  if (std::none_of(texts.begin(), texts.end(), has_blanks)) return first;
  std::unordered_map<std::string_view, std::size_t> known;
  for (std::size_t i = 0; i < texts.size(); ++i) first[i] = known.try_emplace(trim_cell(texts[i]), i).first->second;
  return first;
}

}  // namespace

ColumnTexts column_texts(const TableView& table, Index column, RowsView rows) {
  const Column& about = table.columns()[static_cast<std::size_t>(column)];
  ColumnTexts result;
  std::vector<double> codes;
  if (about.is_categorical()) {
    for (const Index row : rows) codes.push_back(table(row, column));
  } else {
    Written numbers = written_numbers(table, column, rows);
    codes = std::move(numbers.codes);
    result.written = std::make_shared<const std::vector<std::string>>(std::move(numbers.texts));
  }
  const std::vector<std::string>& categories = result.written ? *result.written : about.categories;
  const std::vector<std::size_t> trimmed = equal_when_trimmed(categories);
  std::vector<Occurrence> found(categories.size());
  for (std::size_t code = 0; code < found.size(); ++code) found[code].code = code;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double code = codes[i];
    const Index row = rows[i];
    if (std::isnan(code)) ++result.missing;
    if (!(code < static_cast<double>(found.size()))) continue;  // missing, or "other"
    Occurrence& own = found[trimmed[static_cast<std::size_t>(code)]];
    own.first_row = own.cells == 0 ? row : std::min(own.first_row, row);
    ++own.cells;
    ++result.cells;
  }
  std::erase_if(found, [](const Occurrence& one) { return one.cells == 0; });
  std::sort(found.begin(), found.end(), [](const Occurrence& a, const Occurrence& b) {
    return a.cells != b.cells ? a.cells > b.cells : a.first_row < b.first_row;
  });
  for (const Occurrence& one : found) {
    result.texts.push_back({trim_cell(categories[one.code]), one.cells});
    result.first_rows.push_back(one.first_row);
  }
  return result;
}

NumberFacts number_facts(const std::vector<double>& values, RowsView rows) {
  NumberFacts facts;
  std::vector<double> known;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = values[i];
    if (std::isnan(value)) {
      ++facts.missing;
      facts.are_row_numbers = false;
      continue;
    }
    facts.lowest = facts.cells == 0 ? value : std::min(facts.lowest, value);
    facts.highest = facts.cells == 0 ? value : std::max(facts.highest, value);
    facts.are_whole = facts.are_whole && value == std::floor(value) && std::isfinite(value);
    facts.are_row_numbers = facts.are_row_numbers && value - values.front() == static_cast<double>(rows[i] - rows.front());
    ++facts.cells;
    if (facts.are_whole) known.push_back(value);
  }
  if (!facts.are_whole) return facts;
  std::sort(known.begin(), known.end());
  facts.different = std::unique(known.begin(), known.end()) - known.begin();
  return facts;
}

bool point_is_decimal(double value) {
  const double thousandths = value * 1000;
  const bool has_more_digits = std::abs(thousandths - std::round(thousandths)) > 1e-6;
  return std::isfinite(thousandths) && value != std::floor(value) &&
         (has_more_digits || std::abs(value) < 1 || std::abs(value) > 1000);
}

DecimalHint decimal_hint(const TableView& table, RowsView rows, char declared) {
  DecimalHint hint{declared, 0, table.delimiter()};
  if (table.delimiter() == 0) return hint;  // a columnar file stores numbers, not texts
  Index points = 0, commas = 0;
  for (Index column = 0; column < std::ssize(table.columns()); ++column) {
    const Column& about = table.columns()[static_cast<std::size_t>(column)];
    if (about.is_categorical()) {
      const ColumnTexts texts = without_doubtful_words(column_texts(table, column, rows));
      if (2 * readable_cells(texts.texts, {"", ColumnKind::number, {}, false, false, number_format(texts.texts, hint)}) <
          texts.cells)
        continue;
      const char certain = certain_decimal(texts.texts);
      points += certain == '.' ? 1 : 0;
      commas += certain == ',' ? 1 : 0;
    } else {
      const bool is_certain =
          std::any_of(rows.begin(), rows.end(), [&](Index row) { return point_is_decimal(table(row, column)); });
      points += is_certain ? 1 : 0;
    }
  }
  if ((points > 0) != (commas > 0)) hint.elsewhere = points > 0 ? '.' : ',';
  return hint;
}

}  // namespace taut
