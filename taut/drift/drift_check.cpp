#include <taut/drift/drift_check.hpp>

#include <taut/core/text.hpp>
#include <taut/data/date_text.hpp>
#include <taut/metric/hypergeometric.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace taut {

namespace {

std::string percent(Index part, Index all) {
  return print_rounded(100 * static_cast<double>(part) / static_cast<double>(std::max<Index>(1, all)), 3) + " %";
}

// How many categories are compared one by one.
std::size_t own_tests(std::size_t categories) { return std::min(categories, DriftCheck::most_categories); }

// The sum over all other categories of a column.
Index pooled(const std::vector<Index>& counts) {
  return std::accumulate(counts.begin() + static_cast<std::ptrdiff_t>(own_tests(counts.size())), counts.end(), Index{0});
}

}  // namespace

DriftCheck::DriftCheck(const InputSummary& summary, const std::vector<Column>& schema, DriftReference reference)
    : summary_(summary), inputs_(std::ssize(schema)), columns_(schema), reference_(std::move(reference)) {
  for (const char* name : {"the prediction", "the scale", "the scale above"})
    if (columns_.size() < summary_.columns().size()) columns_.push_back({name});
  for (const auto& column : summary_.columns())
    counts_.push_back({0, 0, std::vector<Index>(column.ranks.size() + 1), std::vector<Index>(column.ranks.size() + 1),
                       std::vector<Index>(column.counts.size())});
}

// `times` is −1 for a row that counts no more.
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

std::string DriftCheck::rows_in_words() const { return counted(rows(), reference_.groups ? "group" : "row"); }

std::string DriftCheck::reference_in_words() const {
  return print_count(reference_rows()) + " " + (reference_rows() == 1 ? reference_.one : reference_.many);
}

// Two for each order statistic or, in a column of categories, two for each category that is compared by itself, for the rest of
// them and for other values; and two for missing cells.
Index DriftCheck::tests_of(std::size_t column) const {
  const auto& known = summary_.columns()[column];
  const Index shares = columns_[column].is_categorical() ? static_cast<Index>(own_tests(known.counts.size())) + 2 : 0;
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
  for (std::size_t category = 0; category < own_tests(known.counts.size()); ++category)
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
    clearest = {p_value, percent(count, m) + " of the " + units() + " lie " + where + " " +
                             (is_date ? print_date(value) : print_rounded(value)) + "; of the " + reference_.many + " " +
                             percent(known.ranks[point], n)};
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
  clearest = {p_value,
              percent(after, m) + " of the " + units() + " " + what + "; of the " + reference_.many + " " + percent(before, n)};
}

}  // namespace taut
