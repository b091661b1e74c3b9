#include <taut/data/kind_words.hpp>

#include <taut/core/text.hpp>
#include <taut/data/date_text.hpp>
#include <taut/data/kinds.hpp>

#include <algorithm>

namespace taut {

std::string value_words(const Column& column, const NumberFacts& facts) {
  if (column.kind == ColumnKind::boolean) return "boolean: yes is 1, no is 0";
  if (column.kind == ColumnKind::date) {
    if (facts.cells == 0) return "date";
    std::string words = "date, " + print_date(facts.lowest) + " to " + print_date(facts.highest);
    if (column.format.date_order == DateOrder::day_first) words += ", day before month";
    if (column.format.date_order == DateOrder::month_first) words += ", month before day";
    return words;
  }
  const std::string example = example_of(column.format);
  return example.empty() ? "" : "number, written like " + example;
}

std::string category_words(const Column& column, const ColumnTexts& texts) {
  constexpr std::size_t most_shown = 4;
  std::string words = std::string(name_of(column.kind)) + " with " + counted(std::ssize(column.categories), "value");
  for (std::size_t i = 0; i < std::min(most_shown, column.categories.size()); ++i)
    words += (i == 0 ? ": " : ", ") + std::string(quoted_cell(column.categories[i]));
  if (column.categories.size() > most_shown) words += ", ...";
  return texts.missing == 0 ? words : words + "; " + counted(texts.missing, "cell") + " missing";
}

std::string odd_words(const TableView& table, const ColumnTexts& texts, const Column& column) {
  Index cells = 0, different = 0;
  std::size_t first = 0;
  for (std::size_t i = 0; i < texts.texts.size(); ++i) {
    if (read_text(texts.texts[i].text, column)) continue;
    if (different++ == 0) first = i;
    cells += texts.texts[i].cells;
  }
  if (cells == 0) return {};
  const std::string of_all = " of " + counted(texts.cells, "cell");
  const std::string shown = quoted_cell(texts.texts[first].text);
  const std::string where = " (" + table.row_words(texts.first_rows[first]) + ")";
  if (different == 1) return shown + " in " + print_count(cells) + of_all + where + " counts as missing";
  return print_count(cells) + of_all + " hold something else, such as " + shown + where + ", and count as missing";
}

std::string mixed_words(const TableView& table, Index column, const ColumnTexts& texts, const Column& nearest, double share) {
  const std::string& name = table.columns()[static_cast<std::size_t>(column)].name;
  std::size_t odd = 0;
  while (odd + 1 < texts.texts.size() && read_text(texts.texts[odd].text, nearest)) ++odd;
  const bool is_date = nearest.kind == ColumnKind::date;
  return std::string("a ") + (is_date ? "date" : "number") + " in " + print_rounded(100 * share, 3) +
         " % of its cells, something else in the others, such as " + quoted_cell(texts.texts[odd].text) + " (" +
         table.row_words(texts.first_rows[odd]) + "); say what it is: " + (is_date ? "--date" : "--numeric") + " '" + name +
         "' (the other cells count as missing), --categorical '" + name + "', or --drop '" + name + "'";
}

bool is_prose(const ColumnTexts& texts) {
  constexpr std::size_t long_text = 40;
  Index with_blanks = 0;
  std::size_t letters = 0;
  for (const auto& [text, cells] : texts.texts) {
    with_blanks += text.find(' ') != std::string_view::npos;
    letters += text.size();
  }
  const auto count = texts.texts.size();
  return count > 0 && (letters > long_text * count || 2 * with_blanks > std::ssize(texts.texts));
}

}  // namespace taut
