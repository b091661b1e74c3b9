#include <taut/guard/drift/drift_check.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/core/threads.hpp>
#include <taut/data/kinds/date_text.hpp>
#include <taut/metric/chance.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

namespace taut {

namespace {

// Nine order statistics, denser in the tails, where a shift shows. Small samples have fewer.
std::vector<Index> ranks_of(Index rows) {
  constexpr std::array sixteenths = {0, 1, 2, 4, 8, 12, 14, 15, 16};
  std::vector<Index> ranks;
  for (const Index part : sixteenths) {
    const Index rank = std::max<Index>(1, (rows * part + 15) / 16);
    if (rank <= rows && (ranks.empty() || rank > ranks.back())) ranks.push_back(rank);
  }
  return ranks;
}

// values[rank - 1] of the sorted values, for each rank, without sorting all of them.
std::vector<double> order_statistics(std::vector<double>& values, const std::vector<Index>& ranks) {
  std::vector<double> result;
  auto first = values.begin();
  for (const Index rank : ranks) {
    const auto place = values.begin() + (rank - 1);
    std::nth_element(first, place, values.end());
    result.push_back(*place);
    first = place + 1;
  }
  return result;
}

[[noreturn]] void throw_damaged() { throw Error("the model file's summary of inputs does not fit together: it is damaged"); }

}  // namespace

InputSummary::InputSummary(const TableView& x, RowsView rows, const Matrix& made, int threads)
    : rows_(static_cast<Index>(rows.size())), columns_(x.columns().size() + static_cast<std::size_t>(made.cols())) {
  const auto inputs = static_cast<Index>(x.columns().size());
  parallel_blocks(static_cast<Index>(columns_.size()), 1, threads, [&](Index column, Index) {
    ColumnSummary& summary = columns_[static_cast<std::size_t>(column)];
    const Column* about = column < inputs ? &x.columns()[static_cast<std::size_t>(column)] : nullptr;
    const bool is_categorical = about != nullptr && about->is_categorical();
    if (is_categorical) summary.counts.resize(about->categories.size());
    std::vector<double> values;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double value = about != nullptr ? x(rows[i], column) : made(static_cast<Index>(i), column - inputs);
      if (std::isnan(value))
        ++summary.absent;
      else if (!is_categorical)
        values.push_back(value);
      else if (value < about->other_code())
        ++summary.counts[static_cast<std::size_t>(value)];
      else
        ++summary.others;
    }
    if (is_categorical) return;
    summary.ranks = ranks_of(static_cast<Index>(values.size()));
    summary.values = order_statistics(values, summary.ranks);
  });
}

void InputSummary::save(Archive archive) const {
  std::vector<std::int64_t> absent, others, points, ranks, counts;
  std::vector<double> values;
  for (const ColumnSummary& column : columns_) {
    absent.push_back(column.absent);
    others.push_back(column.others);
    points.push_back(std::ssize(column.ranks));
    ranks.insert(ranks.end(), column.ranks.begin(), column.ranks.end());
    values.insert(values.end(), column.values.begin(), column.values.end());
    counts.insert(counts.end(), column.counts.begin(), column.counts.end());
  }
  archive.put("absent", absent);
  archive.put("others", others);
  archive.put("points", points);
  archive.put("ranks", ranks);
  archive.put("values", values);
  archive.put("counts", counts);
}

InputSummary InputSummary::load(const Archive& archive, const std::vector<Column>& schema, Index made, Index rows) {
  using Numbers = std::vector<std::int64_t>;
  const auto &absent = archive.get<Numbers>("absent"), &others = archive.get<Numbers>("others"),
             &points = archive.get<Numbers>("points"), &ranks = archive.get<Numbers>("ranks"),
             &counts = archive.get<Numbers>("counts");
  const auto& values = archive.get<std::vector<double>>("values");
  InputSummary summary;
  summary.rows_ = rows;
  if (absent.size() != schema.size() + static_cast<std::size_t>(made) || points.size() != absent.size() ||
      others.size() != absent.size() || values.size() != ranks.size())
    throw_damaged();
  std::size_t rank = 0, count = 0;
  for (std::size_t i = 0; i < absent.size(); ++i) {
    ColumnSummary column;
    column.absent = absent[i];
    column.others = others[i];
    if (absent[i] < 0 || absent[i] > rows || others[i] < 0 || others[i] > rows - absent[i] || points[i] < 0 ||
        static_cast<std::uint64_t>(points[i]) > ranks.size() - rank)
      throw_damaged();
    Index before = 0;
    for (std::int64_t point = 0; point < points[i]; ++point, ++rank) {
      if (ranks[rank] <= before || ranks[rank] > rows - absent[i] || std::isnan(values[rank]) ||
          (point > 0 && values[rank] < values[rank - 1]))
        throw_damaged();
      column.ranks.push_back(before = ranks[rank]);
      column.values.push_back(values[rank]);
    }
    const std::size_t categories = i < schema.size() && schema[i].is_categorical() ? schema[i].categories.size() : 0;
    if (categories > counts.size() - count || (categories > 0 && points[i] > 0)) throw_damaged();
    for (std::size_t category = 0; category < categories; ++category, ++count) {
      if (counts[count] < 0 || counts[count] > rows - absent[i]) throw_damaged();
      column.counts.push_back(counts[count]);
    }
    summary.columns_.push_back(std::move(column));
  }
  if (rank != ranks.size() || count != counts.size()) throw_damaged();
  return summary;
}

void InputSummary::save_with_rows(Archive archive) const {
  archive.put("rows", static_cast<std::int64_t>(rows_));
  save(archive);
}

InputSummary InputSummary::load_with_rows(const Archive& archive, const std::vector<Column>& schema, Index made) {
  return load(archive, schema, made, archive.integer_in("rows", 1, std::int64_t{1} << 53));
}

namespace {

std::string percent(Index part, Index all) {
  return print_rounded(100 * static_cast<double>(part) / static_cast<double>(std::max<Index>(1, all)), 3) + " %";
}

// The number of categories that are tested separately.
std::size_t separate_tests(std::size_t categories) { return std::min(categories, DriftCheck::max_categories); }

// The sum over all other categories of a column.
Index pooled(const std::vector<Index>& counts) {
  return std::accumulate(counts.begin() + static_cast<std::ptrdiff_t>(separate_tests(counts.size())), counts.end(), Index{0});
}

}  // namespace

DriftCheck::DriftCheck(const InputSummary& summary, const std::vector<Column>& schema, const std::vector<std::string>& outputs,
                       DriftReference reference)
    : summary_(summary), inputs_(std::ssize(schema)), columns_(schema), reference_(std::move(reference)) {
  if (summary_.columns().size() != schema.size() + outputs.size())
    throw Error(format_text("a summary of {} and {} has other columns than the model", counted(inputs_, "input"),
                            counted(std::ssize(summary_.columns()) - inputs_, "output")));
  for (const auto& name : outputs) columns_.push_back({name});
  for (const auto& column : summary_.columns())
    counts_.push_back({0, 0, std::vector<Index>(column.ranks.size() + 1), std::vector<Index>(column.ranks.size() + 1),
                       std::vector<Index>(column.counts.size())});
}

// `times` is −1 to remove a row.
void DriftCheck::count(std::size_t column, double value, Index times) {
  const auto& values = summary_.columns()[column].values;
  Count& count = counts_[column];
  if (std::isnan(value)) {
    count.absent += times;
  } else if (!columns_[column].is_categorical()) {
    count.at_most[static_cast<std::size_t>(std::lower_bound(values.begin(), values.end(), value) - values.begin())] += times;
    count.below[static_cast<std::size_t>(std::upper_bound(values.begin(), values.end(), value) - values.begin())] += times;
  } else if (value < columns_[column].other_code()) {
    count.categories[static_cast<std::size_t>(value)] += times;
  } else {
    count.others += times;
  }
}

void DriftCheck::count(std::span<const double> cells, Index times) {
  for (std::size_t column = 0; column < counts_.size(); ++column) count(column, cells[column], times);
  rows_ += times;
}

std::vector<double> DriftCheck::cells_of(const TableView& x, const Matrix& made, Index row) {
  std::vector<double> cells;
  for (Index column = 0; column < std::ssize(x.columns()); ++column) cells.push_back(x(row, column));
  for (Index column = 0; column < made.cols(); ++column) cells.push_back(made(row, column));
  return cells;
}

void DriftCheck::add(const TableView& x, const Matrix& made) {
  for (std::size_t column = 0; column < counts_.size(); ++column) {
    const auto at = static_cast<Index>(column);
    for (Index row = 0; row < x.rows(); ++row) count(column, at < inputs_ ? x(row, at) : made(row, at - inputs_), 1);
  }
  rows_ += x.rows();
}

void DriftCheck::add_groups(const TableView& x, const Matrix& made, std::span<const std::string> groups,
                            std::span<const std::uint64_t> hashes) {
  for (Index row = 0; row < x.rows(); ++row) {
    const auto at = static_cast<std::size_t>(row);
    const auto [found, is_new] = groups_.try_emplace(groups[at], OfGroup{hashes[at], {}});
    if (!is_new && hashes[at] >= found->second.hash) continue;
    if (!is_new) count(found->second.cells, -1);
    found->second = {hashes[at], cells_of(x, made, row)};
    count(found->second.cells, 1);
  }
}

std::string DriftCheck::describe_rows() const { return counted(rows(), reference_.groups ? "group" : "row"); }

std::string DriftCheck::describe_reference() const {
  return print_count(reference_rows()) + " " + (reference_rows() == 1 ? reference_.one : reference_.many);
}

// Two tests for each order statistic. In a categorical column, two for each category that is tested separately, for all others
// together and for unknown values. Two for missing cells.
Index DriftCheck::tests_of(std::size_t column) const {
  const auto& known = summary_.columns()[column];
  const Index shares = columns_[column].is_categorical() ? static_cast<Index>(separate_tests(known.counts.size())) + 2 : 0;
  return 2 * (std::ssize(known.ranks) + shares + 1);
}

std::vector<DriftFinding> DriftCheck::findings(double rate) const {
  std::vector<DriftFinding> found;
  for (std::size_t column = 0; column < counts_.size(); ++column) {
    const double tests = static_cast<double>(tests_of(column)) * static_cast<double>(counts_.size());
    const Test clearest = clearest_of(column, rate / tests);
    if (clearest.p_value * tests > rate) continue;
    found.push_back({columns_[column].name, std::cmp_less(column, inputs_), clearest.words, clearest.p_value * tests});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const DriftFinding& a, const DriftFinding& b) { return a.p_value < b.p_value; });
  return found;
}

DriftCheck::Test DriftCheck::clearest_of(std::size_t column, double enough) const {
  Test clearest{1, ""};
  if (columns_[column].is_categorical())
    test_categories(column, enough, clearest);
  else
    test_numbers(column, enough, clearest);
  test_share(summary_.columns()[column].absent, counts_[column].absent, "have no value", enough, clearest);
  return clearest;
}

void DriftCheck::test_categories(std::size_t column, double enough, Test& clearest) const {
  const auto& known = summary_.columns()[column];
  const auto& found = counts_[column];
  for (std::size_t category = 0; category < separate_tests(known.counts.size()); ++category)
    test_share(known.counts[category], found.categories[category],
               "have the value " + quoted_cell(columns_[column].categories[category]), enough, clearest);
  test_share(pooled(known.counts), pooled(found.categories), "have one of the rarer values", enough, clearest);
  test_share(known.others, found.others, "have a value that the fit did not know", enough, clearest);
}

void DriftCheck::test_numbers(std::size_t column, double enough, Test& clearest) const {
  const auto& known = summary_.columns()[column];
  const Index n = summary_.rows() - known.absent, m = rows_ - counts_[column].absent;
  const bool is_date = columns_[column].kind == ColumnKind::date;
  Index at_most = 0, below = 0;
  const auto consider = [&](double p_value, Index count, const char* where, std::size_t point) {
    if (p_value >= clearest.p_value) return;
    const double value = known.values[point];
    clearest = {p_value,
                format_text("{} of the {} lie {} {}; of the {} {}", percent(count, m), units(), where,
                            is_date ? print_date(value) : print_rounded(value), reference_.many, percent(known.ranks[point], n))};
  };
  for (std::size_t point = 0; point < known.ranks.size(); ++point) {
    const Index k = known.ranks[point];
    at_most += counts_[column].at_most[point];
    below += counts_[column].below[point];
    consider(hypergeometric_tail(k, n + m, n, k + at_most, enough), at_most, "at or below", point);
    consider(hypergeometric_tail(below, n + m, m, k - 1 + below, enough), below, "below", point);
  }
}

// Whether a share is too large among the new rows, or among the calibration rows.
void DriftCheck::test_share(Index before, Index after, const std::string& what, double enough, Test& clearest) const {
  const Index n = summary_.rows(), m = rows_;
  const double p_value = std::min(hypergeometric_tail(after, n + m, m, before + after, enough),
                                  hypergeometric_tail(before, n + m, n, before + after, enough));
  if (p_value >= clearest.p_value) return;
  clearest = {p_value, format_text("{} of the {} {}; of the {} {}", percent(after, m), units(), what, reference_.many,
                                   percent(before, n))};
}

}  // namespace taut
