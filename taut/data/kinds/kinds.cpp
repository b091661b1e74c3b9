#include <taut/data/kinds/kinds.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/data/column.hpp>
#include <taut/data/kinds/column_names.hpp>
#include <taut/data/kinds/column_texts.hpp>
#include <taut/data/kinds/date_text.hpp>
#include <taut/data/kinds/overview.hpp>

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

using Use = InferredColumn::Use;

// The thresholds of the rules in the header.
constexpr double clear_share = 0.95;        // of cells, for a number, a date or a boolean
constexpr double unclear_share = 0.5;       // of cells, for an unclear column
constexpr double id_share = 0.9;            // of different values among the cells, for an id
constexpr Index max_category_numbers = 12;  // different numbers that a category may have
constexpr Index min_id_cells = 10;          // cells that an id must have

// Infers the kind of one column, or checks a declared one. Each object is used once: its result is moved out.
class ColumnClassifier {
 public:
  ColumnClassifier(const TableView& table, Index column, RowsView rows, const DecimalHint& decimal)
      : table_(table), column_(column), rows_(rows), decimal_(decimal), from_(table.columns()[static_cast<std::size_t>(column)]) {
    result_.column.name = from_.name;
    result_.column.is_strict = from_.is_strict;
    result_.column.missing_words = from_.missing_words;
  }

  InferredColumn by_rules() {
    if (from_.is_categorical() && from_.is_inferred) return by_texts();
    if (from_.is_categorical()) return as_categories(column_texts(table_, column_, rows_));
    result_.column.kind = from_.kind;
    result_.column.format = from_.format;
    return as_numbers();
  }

  InferredColumn as_declared_category() {
    result_.is_declared = true;
    return as_categories(column_texts(table_, column_, rows_));
  }
  InferredColumn as_declared_number() {
    result_.is_declared = true;
    if (!from_.is_categorical()) return as_numbers();
    const ColumnTexts texts = column_texts(table_, column_, rows_);
    result_.column.format = number_format(texts.texts, decimal_);
    if (texts.cells > 0 && readable_cells(texts.texts, result_.column) == 0)
      throw Error(format_text("{}: declared to hold numbers, but no cell holds one; the most frequent is {}",
                              place(texts.first_rows.front()), quoted_cell(texts.texts.front().text)));
    return read_as_values(texts);
  }
  InferredColumn as_declared_date(std::optional<DateOrder> order) {
    result_.is_declared = true;
    result_.column.kind = ColumnKind::date;
    if (!from_.is_categorical()) {
      if (order) result_.column.format.date_order = *order;
      return as_numbers();
    }
    const ColumnTexts texts = column_texts(table_, column_, rows_);
    if (!order) order = date_order(texts.texts);
    if (!order) return ambiguous_date(texts);
    result_.column.format.date_order = *order;
    if (2 * readable_cells(texts.texts, result_.column) < texts.cells)
      throw Error(
          format_text("{}: declared to hold dates, but most cells hold none, such as {}; allowed are forms like 2014-05-02, "
                      "2014-05-02T13:00:00Z, 2.5.2014, 05/02/2014 1:00 PM, 2 May 2014, 20140502",
                      place(texts.first_rows.front()), quoted_cell(texts.texts.front().text)));
    return read_as_values(texts);
  }
  InferredColumn as_declared_order(std::vector<std::string> categories) {
    result_.is_declared = true;
    result_.column.kind = ColumnKind::ordered;
    result_.column.categories = std::move(categories);
    const ColumnTexts texts = column_texts(table_, column_, rows_);
    Index known = 0;
    for (const auto& [text, cells] : texts.texts) known += find_category(text) ? cells : 0;
    if (texts.cells > 0 && known == 0)
      throw UsageError(format_text("--ordered: no cell of '{}' holds one of the values named; the most frequent is {}",
                                   from_.name, quoted_cell(texts.texts.front().text)));
    result_.words = describe_categories(result_.column, texts);
    if (known < texts.cells) result_.words += format_text("; {} with other values", counted(texts.cells - known, "cell"));
    return finished("ordered category");
  }

  // For a column that must hold numbers.
  Column required_number() {
    if (!from_.is_categorical()) {
      values_ = cells();
      if (may_have_thousands(number_facts(values_, rows_)))
        throw Error(format_text("{}, column '{}': {}", table_.source(), from_.name, points_or_thousands().words));
      return result_.column;
    }
    const ColumnTexts texts = column_texts(table_, column_, rows_);
    result_.column.format = number_format(texts.texts, decimal_);
    return result_.column;
  }

 private:
  InferredColumn by_texts() {
    const ColumnTexts texts = column_texts(table_, column_, rows_);
    if (texts.cells == 0) return as_numbers();
    const auto cells = static_cast<double>(texts.cells);

    Column number = result_.column;
    number.format = number_format(texts.texts, decimal_);
    const double numbers = static_cast<double>(readable_cells(texts.texts, number)) / cells;
    if (numbers >= clear_share) {
      result_.column = number;
      return read_as_values(texts);
    }
    const double dates = share_of_dates(texts.texts);
    if (dates >= clear_share) {
      const auto order = date_order(texts.texts);
      if (!order) return ambiguous_date(texts);
      Column date = date_column();
      date.format.date_order = *order;
      const double readable = static_cast<double>(readable_cells(texts.texts, date)) / cells;
      if (readable < clear_share) return unclear(describe_mixed(table_, column_, texts, date, readable));
      result_.column = date;
      return read_as_values(texts);
    }
    if (share_of_booleans(texts) >= clear_share) {
      result_.column.kind = ColumnKind::boolean;
      return read_as_values(texts);
    }
    if ((numbers >= unclear_share && different_numbers(texts.texts, number) > max_category_numbers) || dates >= unclear_share)
      return unclear(describe_mixed(table_, column_, texts, numbers >= dates ? number : date_column(), std::max(numbers, dates)));
    return as_categories(texts);
  }

  static double share_of_dates(std::span<const CountedText> texts) {
    Index cells = 0, dates = 0;
    for (const auto& [text, count] : texts) {
      cells += count;
      if (read_date(text, DateOrder::day_first) || read_date(text, DateOrder::month_first)) dates += count;
    }
    return static_cast<double>(dates) / static_cast<double>(cells);
  }

  // The most frequent words decide which pair of words is counted.
  static double share_of_booleans(const ColumnTexts& texts) {
    Index booleans = 0;
    std::vector<CountedText> so_far;
    for (const CountedText& one : texts.texts) {
      so_far.push_back(one);
      if (so_far.size() > 8) break;
      if (are_booleans(so_far))
        booleans += one.cells;
      else
        so_far.pop_back();
    }
    return static_cast<double>(booleans) / static_cast<double>(texts.cells);
  }

  static Index different_numbers(std::span<const CountedText> texts, const Column& column) {
    return std::count_if(texts.begin(), texts.end(),
                         [&](const CountedText& one) { return read_text(one.text, column).has_value(); });
  }

  Column date_column() const {
    Column column = result_.column;
    column.kind = ColumnKind::date;
    return column;
  }

  // For a column of texts whose kind and format are set in the result.
  InferredColumn read_as_values(const ColumnTexts& texts) {
    const std::string unreadable = describe_unreadable(table_, texts, result_.column);
    values_ = values_of_texts();
    InferredColumn judged = as_numbers();
    if (judged.use == Use::input && !unreadable.empty()) judged.words += (judged.words.empty() ? "number; " : "; ") + unreadable;
    return judged;
  }

  std::vector<double> values_of_texts() const {
    std::vector<double> value_of_code;
    for (const auto& text : from_.categories) value_of_code.push_back(read_text(text, result_.column).value_or(missing));
    value_of_code.push_back(missing);
    std::vector<double> values;
    for (const Index row : rows_) {
      const double code = table_(row, column_);
      values.push_back(std::isnan(code) ? missing : value_of_code[static_cast<std::size_t>(code)]);
    }
    return values;
  }

  std::vector<double> cells() const {
    std::vector<double> values;
    values.reserve(rows_.size());
    for (const Index row : rows_) values.push_back(from_.is_categorical() ? missing : table_(row, column_));
    return values;
  }

  // For numbers, booleans and dates, stored as such or as texts.
  InferredColumn as_numbers() {
    if (values_.empty()) values_ = cells();
    const NumberFacts facts = number_facts(values_, rows_);
    if (!result_.is_declared) {
      if (facts.cells == 0) return left_out("empty", "no cell holds a value");
      if (facts.lowest == facts.highest && facts.missing == 0) {
        constexpr double exact = 9007199254740992.0;  // 2^53: above it not every whole number is a double
        return left_out("constant", std::abs(facts.lowest) < exact
                                        ? "the same value in every cell"
                                        : "the same value in every cell to 16 digits, which is all that numbers keep");
      }
      if (may_have_thousands(facts)) return points_or_thousands();
      const bool are_distinct = facts.are_whole && facts.cells >= min_id_cells &&
                                static_cast<double>(facts.different) > id_share * static_cast<double>(facts.cells);
      if (result_.column.kind == ColumnKind::number && facts.are_row_numbers && facts.are_whole && has_no_name(from_.name))
        return left_out("row number", "it counts the rows");
      if (result_.column.kind == ColumnKind::number && counts_rows(facts) && is_called_record(from_.name))
        return left_out("row number", format_text("it counts the rows; --numeric '{}' keeps it", from_.name));
      if (result_.column.kind == ColumnKind::number && are_distinct && is_called_id(from_.name))
        return left_out("id",
                        format_text("{} different values in {} cells", print_count(facts.different), print_count(facts.cells)));
    }
    result_.words = describe_values(result_.column, facts);
    return finished(name_of(result_.column.kind));
  }

  // True for 1, 2, ... or 0, 1, ... in the order of the table. Rows that are not seen are skipped.
  bool counts_rows(const NumberFacts& facts) const {
    if (!facts.are_row_numbers || !facts.are_whole || facts.cells < 2) return false;
    const double first = values_.front() - static_cast<double>(rows_.front());
    return first == 0 || first == 1;
  }

  // True for a column such as 1.712 and 909 in a file whose other columns have decimal commas.
  bool may_have_thousands(const NumberFacts& facts) const {
    if (decimal_.elsewhere != ',' || decimal_.told != 0 || from_.kind != ColumnKind::number || facts.are_whole) return false;
    return std::none_of(values_.begin(), values_.end(), point_is_decimal);
  }
  InferredColumn points_or_thousands() {
    return unclear(format_text(
        "other columns have decimal commas, so a point in numbers such as {} may separate thousands; say --decimal , or "
        "--decimal .",
        print_number(values_.front())));
  }

  InferredColumn as_categories(const ColumnTexts& texts) {
    result_.column.kind = from_.kind == ColumnKind::ordered ? ColumnKind::ordered : ColumnKind::category;
    const auto different = std::ssize(texts.texts);
    if (!result_.is_declared) {
      if (texts.cells == 0) {
        result_.column.kind = ColumnKind::number;  // an empty column has no kind; number is the default
        return left_out("empty", "no cell holds a value");
      }
      if (different == 1 && texts.missing == 0) return left_out("constant", "the same value in every cell");
      if (from_.is_inferred && texts.cells >= min_id_cells &&
          static_cast<double>(different) > id_share * static_cast<double>(texts.cells))
        return left_out(is_prose(texts) ? "text" : "id",
                        format_text("{} different values in {} cells", print_count(different), print_count(texts.cells)));
    }
    if (result_.column.kind == ColumnKind::ordered)
      result_.column.categories = from_.categories;
    else
      keep_categories(texts);
    result_.words = describe_categories(result_.column, texts);
    return finished(name_of(result_.column.kind));
  }

  bool find_category(std::string_view text) const {
    const auto& known = result_.column.categories;
    return std::find(known.begin(), known.end(), text) != known.end() ||
           std::find(known.begin(), known.end(), category_key(text)) != known.end();
  }

  // All spellings of true are one category, and all of false. Its position is that of the most frequent spelling.
  void keep_categories(const ColumnTexts& texts) {
    std::vector<std::string>& kept = result_.column.categories;
    for (const auto& [text, cells] : texts.texts) {
      std::string key = category_key(text);
      const bool may_repeat = key == "true" || key == "false";
      if (may_repeat && std::find(kept.begin(), kept.end(), key) != kept.end()) continue;
      kept.push_back(std::move(key));
    }
  }

  InferredColumn ambiguous_date(const ColumnTexts& texts) {
    return unclear(
        format_text("dates such as {} may begin with the day or with the month; say --date '{}:dmy' or --date '{}:mdy'",
                    quoted_cell(texts.texts.front().text), from_.name, from_.name));
  }

  InferredColumn left_out(std::string what, const std::string& why) {
    result_.use = Use::left_out;
    result_.words = format_text("left out: {}, {}", what, why);
    return finished(std::move(what));
  }
  InferredColumn unclear(std::string words) {
    result_.use = Use::unclear;
    result_.words = std::move(words);
    return finished("unclear");
  }
  InferredColumn finished(std::string_view taken_for) {
    result_.taken_for = taken_for;
    return std::move(result_);
  }
  std::string place(Index row) const { return table_.where(row, column_); }

  const TableView& table_;
  Index column_;
  RowsView rows_;
  DecimalHint decimal_;
  const Column& from_;
  std::vector<double> values_;  // of the rows; empty for a category
  InferredColumn result_;
};

}  // namespace

std::string_view name_of(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::number:
      return "number";
    case ColumnKind::boolean:
      return "boolean";
    case ColumnKind::date:
      return "date";
    case ColumnKind::category:
      return "category";
    case ColumnKind::ordered:
      return "ordered category";
  }
  return "";
}

std::string_view name_of(InferredColumn::Use use) {
  switch (use) {
    case Use::input:
      return "input";
    case Use::left_out:
      return "left out";
    case Use::unclear:
      return "unclear";
  }
  return "";
}

bool is_code(const Column& column, double cell) {
  return std::isnan(cell) || (cell >= 0 && cell <= column.other_code() && cell == std::floor(cell));
}

std::string declared_name(const std::string& declaration, const TableView& table) {
  return parse_declaration(declaration, table).name;
}

std::vector<InferredColumn> infer_columns(const TableView& table, RowsView rows, const ColumnDeclarations& declarations) {
  const auto count = table.columns().size();
  const DecimalHint decimal = decimal_hint(table, rows, declarations.decimal);
  std::vector<std::optional<InferredColumn>> judged(count);
  const auto declare = [&](const std::string& text, auto classify) {
    const Declared declared = parse_declaration(text, table);
    const Index column = table.require(declared.name);
    auto& own = judged[static_cast<std::size_t>(column)];
    if (own) throw UsageError(format_text("the column '{}' is declared twice; say once what it is", declared.name));
    own = classify(ColumnClassifier(table, column, rows, decimal), declared);
  };
  for (const auto& text : declarations.categorical)
    declare(text, [](ColumnClassifier one, const Declared&) { return one.as_declared_category(); });
  for (const auto& text : declarations.numeric)
    declare(text, [](ColumnClassifier one, const Declared&) { return one.as_declared_number(); });
  for (const auto& text : declarations.date)
    declare(text, [](ColumnClassifier one, const Declared& declared) { return one.as_declared_date(parse_order(declared)); });
  for (const auto& text : declarations.ordered)
    declare(text, [&](ColumnClassifier one, const Declared& declared) {
      const Column& column = table.columns()[static_cast<std::size_t>(table.require(declared.name))];
      return one.as_declared_order(parse_categories(declared, MissingWords(column.missing_words)));
    });
  std::vector<InferredColumn> result;
  for (std::size_t i = 0; i < count; ++i)
    result.push_back(judged[i] ? *judged[i] : ColumnClassifier(table, static_cast<Index>(i), rows, decimal).by_rules());
  return result;
}

std::vector<Column> columns_of(const std::vector<InferredColumn>& judged) {
  std::vector<Column> columns;
  for (const InferredColumn& one : judged) columns.push_back(one.column);
  return columns;
}

Column number_column(const TableView& table, const std::string& name, RowsView rows, char decimal) {
  return ColumnClassifier(table, table.require(name), rows, decimal_hint(table, rows, decimal)).required_number();
}

}  // namespace taut
