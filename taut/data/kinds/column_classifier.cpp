#include <taut/data/kinds/column_classifier.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/data/kinds/column_names.hpp>
#include <taut/data/kinds/date_text.hpp>
#include <taut/data/kinds/duration_text.hpp>
#include <taut/data/kinds/overview.hpp>
#include <taut/data/kinds/range_text.hpp>
#include <taut/data/kinds/spellings.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace taut {
namespace {

using Use = InferredColumn::Use;

// The thresholds of the rules in the header.
constexpr double clear_share = 0.95;        // of cells, for a number, a date or a boolean
constexpr double unclear_share = 0.5;       // of cells, for an unclear column
constexpr double id_share = 0.9;            // of different values among the cells, for an id
constexpr Index max_category_numbers = 12;  // different numbers that a category may have
constexpr Index min_id_cells = 10;          // cells that an id must have

}  // namespace

ColumnClassifier::ColumnClassifier(const TableView& table, Index column, RowsView rows, const DecimalHint& decimal)
    : table_(table), column_(column), rows_(rows), decimal_(decimal), from_(table.columns()[static_cast<std::size_t>(column)]) {
  result_.column.name = from_.name;
  result_.column.is_strict = from_.is_strict;
  result_.column.missing_words = from_.missing_words;
}

InferredColumn ColumnClassifier::by_rules() {
  if (from_.is_categorical() && from_.is_inferred) return by_texts();
  if (from_.is_categorical()) return as_categories(texts());
  result_.column.kind = from_.kind;
  result_.column.format = from_.format;
  return as_numbers();
}

TextFormat ColumnClassifier::format_of(const ColumnTexts& texts) const {
  if (!are_durations(texts.texts)) return number_format(texts.texts, decimal_);
  TextFormat format;
  format.is_duration = true;
  return format;
}

namespace {

bool is_date_of_any_order(std::string_view text) {
  return read_date(text, DateOrder::day_first) || read_date(text, DateOrder::month_first);
}

// A year of four digits, as in a column of dates of mixed precision: 2008 beside 2008-08.
bool is_year(std::string_view text) {
  constexpr int first = 1000, last = 2999;
  const auto value = text.size() == 4 ? parse_number(text) : std::nullopt;
  return value && *value >= first && *value <= last && *value == std::floor(*value);
}

struct DateShares {
  double dates = 0;           // of cells
  double dates_or_years = 0;  // of cells; equal to `dates` if a number is no year
};

DateShares date_shares(const ColumnTexts& texts, const Column& number) {
  Index dates = 0, years = 0;
  bool are_years = true;
  for (const auto& [text, count] : texts.texts) {
    if (is_date_of_any_order(text))
      dates += count;
    else if (is_year(text))
      years += count;
    else
      are_years = are_years && !read_text(text, number);
  }
  const auto cells = static_cast<double>(texts.cells);
  return {static_cast<double>(dates) / cells, static_cast<double>(are_years ? dates + years : dates) / cells};
}

// The most frequent words decide which pair of words is counted.
double share_of_booleans(const ColumnTexts& texts) {
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

Index different_numbers(std::span<const CountedText> texts, const Column& column) {
  return std::count_if(texts.begin(), texts.end(),
                       [&](const CountedText& one) { return read_text(one.text, column).has_value(); });
}

}  // namespace

// Words such as None mean a missing cell if the other cells are numbers, dates or booleans. Otherwise they are values.
InferredColumn ColumnClassifier::by_texts() {
  const ColumnTexts all = texts();
  if (all.cells == 0) return as_numbers();
  const ColumnTexts found = without_doubtful_words(all);
  if (found.cells == 0) return as_categories(all);
  const auto cells = static_cast<double>(found.cells);

  Column number = result_.column;
  number.format = format_of(found);
  if (number.format.is_duration) {
    result_.column = number;
    return read_as_values(found);
  }
  if (auto ordered = ordered_ranges(all)) return as_ranges(std::move(*ordered), all);
  const double numbers = static_cast<double>(readable_cells(found.texts, number)) / cells;
  const DateShares dates = numbers < 1 ? date_shares(found, number) : DateShares{};
  if (numbers >= clear_share && !(dates.dates > 0 && dates.dates_or_years >= clear_share)) {
    result_.column = number;
    return read_as_values(found);
  }
  if (dates.dates > 0 && dates.dates_or_years >= clear_share) {
    const auto order = date_order(found.texts);
    if (!order) return ambiguous_date(found);
    Column date = date_column();
    date.format.date_order = *order;
    date.format.last_short_year = last_short_year(found.texts, *order);
    const auto reads = [&](std::string_view text) { return read_text(text, date).has_value(); };
    const double readable = static_cast<double>(readable_cells(found.texts, date)) / cells;
    if (readable < clear_share) return unclear(describe_mixed(table_, column_, found, "date", readable, reads));
    result_.column = date;
    if (dates.dates_or_years > dates.dates) remark_ = "; a year alone is its first day";
    return read_as_values(found);
  }
  if (share_of_booleans(found) >= clear_share) {
    result_.column.kind = ColumnKind::boolean;
    return read_as_values(found);
  }
  if (numbers >= unclear_share && numbers >= dates.dates && different_numbers(found.texts, number) > max_category_numbers)
    return unclear(describe_mixed(table_, column_, found, "number", numbers,
                                  [&](std::string_view text) { return read_text(text, number).has_value(); }));
  if (dates.dates >= unclear_share)
    return unclear(describe_mixed(table_, column_, found, "date", dates.dates, is_date_of_any_order));
  return as_categories(all);
}

Column ColumnClassifier::date_column() const {
  Column column = result_.column;
  column.kind = ColumnKind::date;
  return column;
}

// For a column of texts whose kind and format are set in the result.
InferredColumn ColumnClassifier::read_as_values(const ColumnTexts& texts) {
  const std::string unreadable = describe_unreadable(table_, texts, result_.column);
  values_ = values_of_texts();
  InferredColumn judged = as_numbers();
  if (judged.use == Use::input && !unreadable.empty()) judged.words += (judged.words.empty() ? "number; " : "; ") + unreadable;
  return judged;
}

std::vector<double> ColumnClassifier::values_of_texts() const {
  const MissingWords is_missing(from_.missing_words);
  std::vector<double> value_of_code;
  for (const auto& text : from_.categories)
    value_of_code.push_back(is_missing(text, result_.column.missing_set()) ? missing
                                                                           : read_text(text, result_.column).value_or(missing));
  value_of_code.push_back(missing);
  std::vector<double> values;
  for (const Index row : rows_) {
    const double code = table_(row, column_);
    values.push_back(std::isnan(code) ? missing : value_of_code[static_cast<std::size_t>(code)]);
  }
  return values;
}

std::vector<double> ColumnClassifier::cells() const {
  std::vector<double> values;
  values.reserve(rows_.size());
  for (const Index row : rows_) values.push_back(from_.is_categorical() ? missing : table_(row, column_));
  return values;
}

// True if every value is a day written as eight digits, such as 19750103, and there are several months or days of the month among
// them. Few other whole numbers are like that: of the numbers in this range 1 in 27 is a day.
bool ColumnClassifier::are_dates_in_digits() const {
  constexpr double first = 18000101, last = 20991231;
  constexpr std::size_t enough_values = 5, several = 3;
  std::set<double> different;
  std::set<int> months, days;
  for (const double value : values_) {
    if (std::isnan(value)) continue;
    if (!(value >= first && value <= last) || value != std::floor(value)) return false;
    if (!different.insert(value).second) continue;
    if (!read_declared_date(print_number(value), DateOrder::year_first)) return false;
    const auto digits = static_cast<int>(value);
    months.insert(digits / 100 % 100);
    days.insert(digits % 100);
  }
  return different.size() >= enough_values && (months.size() >= several || days.size() >= several);
}

// True for 1, 2, ... or 0, 1, ... in the order of the table. Rows that are not seen are skipped.
bool ColumnClassifier::counts_rows(const NumberFacts& facts) const {
  if (!facts.are_row_numbers || !facts.are_whole || facts.cells < 2) return false;
  const double first = values_.front() - static_cast<double>(rows_.front());
  return first == 0 || first == 1;
}

// For numbers, booleans and dates, stored as such or as texts.
InferredColumn ColumnClassifier::as_numbers() {
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
    const bool is_number = result_.column.kind == ColumnKind::number;
    const bool are_distinct = facts.are_whole && facts.cells >= min_id_cells &&
                              static_cast<double>(facts.different) > id_share * static_cast<double>(facts.cells);
    if (is_number && facts.are_row_numbers && facts.are_whole && has_no_name(from_.name))
      return left_out("row number", "it counts the rows");
    if (is_number && are_distinct && is_called_id(from_.name))
      return left_out("id",
                      format_text("{} different values in {} cells", print_count(facts.different), print_count(facts.cells)));
    if (is_number && counts_rows(facts) && is_called_record(from_.name))
      return left_out("row number", format_text("it counts the rows; --numeric '{}' keeps it", from_.name));
    const bool is_plain = is_number && result_.column.format == TextFormat{};
    if (is_plain && facts.are_whole && !is_called_id(from_.name) && are_dates_in_digits()) return as_dates_in_digits();
  }
  result_.words = describe_values(result_.column, facts) + remark_;
  return finished(name_of(result_.column.kind));
}

InferredColumn ColumnClassifier::as_dates_in_digits() {
  result_.column.kind = ColumnKind::date;
  for (double& value : values_)
    if (!std::isnan(value)) value = read_declared_date(print_number(value), DateOrder::year_first).value_or(missing);
  result_.words = format_text("{}, days written as eight digits; --numeric '{}' keeps the numbers",
                              describe_values(result_.column, number_facts(values_, rows_)), from_.name);
  return finished(name_of(result_.column.kind));
}

// True for a column such as 1.712 and 909 in a file whose other columns have decimal commas.
bool ColumnClassifier::may_have_thousands(const NumberFacts& facts) const {
  if (decimal_.elsewhere != ',' || decimal_.told != 0 || from_.kind != ColumnKind::number || facts.are_whole) return false;
  return std::none_of(values_.begin(), values_.end(), point_is_decimal);
}

InferredColumn ColumnClassifier::points_or_thousands() {
  const auto shown = std::find_if(values_.begin(), values_.end(), [](double value) { return value != std::floor(value); });
  return unclear(format_text(
      "other columns have decimal commas, so a point in numbers such as {} may separate thousands; say --decimal , or "
      "--decimal .",
      print_number(shown == values_.end() ? values_.front() : *shown)));
}

// Case is folded only in columns whose kind is inferred: declared categories and those of pandas and Arrow keep their texts.
InferredColumn ColumnClassifier::as_categories(const ColumnTexts& given) {
  result_.column.kind = from_.kind == ColumnKind::ordered ? ColumnKind::ordered : ColumnKind::category;
  const bool may_fold = !result_.is_declared && from_.is_inferred && result_.column.kind == ColumnKind::category;
  const FoldedTexts folded = may_fold ? fold_case(given) : FoldedTexts{given};
  const ColumnTexts& texts = folded.texts;
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
  result_.column.folds_case = folded.folds_case || from_.folds_case;  // a model that is fitted again keeps its rule
  result_.words = describe_categories(result_.column, texts);
  if (!folded.words.empty()) result_.words += "; " + folded.words;
  if (const auto words = describe_doubtful_words(texts, "value of this category"); !words.empty() && from_.is_inferred)
    result_.words += "; " + words;
  return finished(name_of(result_.column.kind));
}

InferredColumn ColumnClassifier::as_ranges(std::vector<std::string> ordered, const ColumnTexts& texts) {
  result_.column.kind = ColumnKind::ordered;
  result_.column.categories = std::move(ordered);
  if (const Index count = std::ssize(result_.column.categories); count == 1 && texts.missing == 0)
    return left_out("constant", "the same value in every cell");
  Index known = 0;
  for (const auto& [text, cells] : texts.texts) known += find_category(text) ? cells : 0;
  result_.words = describe_categories(result_.column, texts);
  if (known < texts.cells) result_.words += format_text("; {} with other values", counted(texts.cells - known, "cell"));
  result_.words += format_text("; ranges in the order of their numbers; --categorical '{}' ignores the order", from_.name);
  return finished(name_of(result_.column.kind));
}

bool ColumnClassifier::find_category(std::string_view text) const {
  const auto& known = result_.column.categories;
  return std::find(known.begin(), known.end(), text) != known.end() ||
         std::find(known.begin(), known.end(), category_key(text)) != known.end();
}

// All spellings of true are one category, and all of false. Its position is that of the most frequent spelling.
void ColumnClassifier::keep_categories(const ColumnTexts& texts) {
  std::vector<std::string>& kept = result_.column.categories;
  for (const auto& [text, cells] : texts.texts) {
    std::string key = category_key(text);
    const bool may_repeat = key == "true" || key == "false";
    if (may_repeat && std::find(kept.begin(), kept.end(), key) != kept.end()) continue;
    kept.push_back(std::move(key));
  }
}

InferredColumn ColumnClassifier::ambiguous_date(const ColumnTexts& texts) {
  const auto is_open = [](const CountedText& one) {
    return read_date(one.text, DateOrder::day_first) != read_date(one.text, DateOrder::month_first);
  };
  const auto shown = std::find_if(texts.texts.begin(), texts.texts.end(), is_open);
  return unclear(format_text("dates such as {} may begin with the day or with the month; say --date '{}:dmy' or --date '{}:mdy'",
                             quoted_cell(shown == texts.texts.end() ? texts.texts.front().text : shown->text), from_.name,
                             from_.name));
}

InferredColumn ColumnClassifier::left_out(std::string what, const std::string& why) {
  result_.use = Use::left_out;
  result_.words = format_text("left out: {}, {}", what, why);
  return finished(std::move(what));
}

InferredColumn ColumnClassifier::unclear(std::string words) {
  result_.use = Use::unclear;
  result_.words = std::move(words);
  return finished("unclear");
}

InferredColumn ColumnClassifier::finished(std::string_view taken_for) {
  result_.taken_for = taken_for;
  return std::move(result_);
}

}  // namespace taut
