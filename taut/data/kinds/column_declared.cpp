// Columns whose kind is declared or required.
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/data/kinds/column_classifier.hpp>
#include <taut/data/kinds/overview.hpp>
#include <taut/data/kinds/spellings.hpp>

#include <algorithm>

namespace taut {

InferredColumn ColumnClassifier::as_declared_category() {
  result_.is_declared = true;
  return as_categories(texts());
}

InferredColumn ColumnClassifier::as_declared_number() {
  result_.is_declared = true;
  if (!from_.is_categorical()) return as_numbers();
  const ColumnTexts found = without_doubtful_words(texts());
  result_.column.format = format_of(found);
  if (found.cells > 0 && readable_cells(found.texts, result_.column) == 0)
    throw Error(format_text("{}: declared to hold numbers, but no cell holds one; the most frequent is {}",
                            place(found.first_rows.front()), quoted_cell(found.texts.front().text)));
  return read_as_values(found);
}

InferredColumn ColumnClassifier::as_declared_date(std::optional<DateOrder> order) {
  result_.is_declared = true;
  result_.column.kind = ColumnKind::date;
  if (!from_.is_categorical()) {
    if (order) result_.column.format.date_order = *order;
    return as_numbers();
  }
  const ColumnTexts found = without_doubtful_words(texts());
  if (!order) order = date_order(found.texts);
  if (!order) return ambiguous_date(found);
  result_.column.format.date_order = *order;
  result_.column.format.last_short_year = last_short_year(found.texts, *order);
  if (2 * readable_cells(found.texts, result_.column) < found.cells)
    throw Error(
        format_text("{}: declared to hold dates, but most cells hold none, such as {}; allowed are forms like 2014-05-02, "
                    "2014-05-02T13:00:00Z, 2.5.2014, 05/02/2014 1:00 PM, 2 May 2014, 20140502, 2014 Q2, 2014-W18",
                    place(found.first_rows.front()), quoted_cell(found.texts.front().text)));
  return read_as_values(found);
}

InferredColumn ColumnClassifier::as_declared_order(std::vector<std::string> categories) {
  result_.is_declared = true;
  result_.column.kind = ColumnKind::ordered;
  result_.column.categories = std::move(categories);
  const ColumnTexts found = texts();
  Index known = 0;
  for (const auto& [text, cells] : found.texts) known += find_category(text) ? cells : 0;
  if (found.cells > 0 && known == 0)
    throw UsageError(format_text("--ordered: no cell of '{}' holds one of the values named; the most frequent is {}", from_.name,
                                 quoted_cell(found.texts.front().text)));
  result_.words = describe_categories(result_.column, found);
  if (known < found.cells) result_.words += format_text("; {} with other values", counted(found.cells - known, "cell"));
  return finished("ordered category");
}

Column ColumnClassifier::required_number() {
  if (!from_.is_categorical()) {
    values_ = cells();
    if (may_have_thousands(number_facts(values_, rows_)))
      throw Error(format_text("{}, column '{}': {}", table_.source(), from_.name, points_or_thousands().words));
    return result_.column;
  }
  result_.column.format = format_of(without_doubtful_words(texts()));
  return result_.column;
}

// True and TRUE are one label. A label with one spelling keeps it. Several spellings of true or false are named by their
// category_key(), others by the most frequent one.
InferredColumn ColumnClassifier::as_label() {
  result_.column.kind = ColumnKind::category;
  const FoldedTexts folded = fold_case(texts());
  auto& labels = result_.column.categories;
  for (const CountedText& one : folded.texts.texts) {
    const std::string key = category_key(one.text);
    const auto known =
        std::find_if(labels.begin(), labels.end(), [&](const std::string& label) { return category_key(label) == key; });
    if (known == labels.end())
      labels.emplace_back(one.text);
    else
      *known = key;
  }
  result_.column.folds_case = folded.folds_case;
  result_.words = folded.words;
  if (const auto words = describe_doubtful_words(folded.texts, "class"); !words.empty())
    result_.words += (result_.words.empty() ? "" : "; ") + words;
  return finished(name_of(result_.column.kind));
}

}  // namespace taut
