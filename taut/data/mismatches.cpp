#include <taut/data/mismatches.hpp>

#include <taut/data/table.hpp>

#include <algorithm>

namespace taut {

void ColumnMismatches::add(std::string_view text, Index count) {
  cells += count;
  if (count == 0 || text.empty() || texts.size() == most_texts) return;
  if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.emplace_back(text);
}

void ColumnMismatches::merge(const ColumnMismatches& later) {
  const Index all = cells + later.cells;
  for (const std::string& text : later.texts) add(text);
  cells = all;
}

Mismatches no_mismatches(const std::vector<Column>& schema) {
  Mismatches result;
  for (const Column& column : schema) result.push_back({column.name, column.is_categorical()});
  return result;
}

}  // namespace taut
