#include <taut/model/shift.hpp>

#include <taut/core/error.hpp>
#include <taut/core/text.hpp>
#include <taut/core/threads.hpp>
#include <taut/metric/hypergeometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace taut {

namespace {

// Nine order statistics, denser where a moved tail shows. Few rows have fewer.
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

std::string percent(Index part, Index all) {
  return print_rounded(100 * static_cast<double>(part) / static_cast<double>(std::max<Index>(1, all)), 3) + " %";
}

[[noreturn]] void throw_damaged() { throw Error("the model file's summary of inputs does not fit together: it is damaged"); }

}  // namespace

InputSummary::InputSummary(const TableView& x, RowsView rows, const Matrix& made, int threads)
    : rows_(static_cast<Index>(rows.size())), columns_(x.columns().size() + static_cast<std::size_t>(made.cols())) {
  const auto inputs = static_cast<Index>(x.columns().size());
  parallel_blocks(static_cast<Index>(columns_.size()), 1, threads, [&](Index column, Index) {
    OfColumn& summary = columns_[static_cast<std::size_t>(column)];
    const Column* about = column < inputs ? &x.columns()[static_cast<std::size_t>(column)] : nullptr;
    const bool is_category = about != nullptr && about->is_category;
    if (is_category) summary.counts.resize(about->levels.size());
    std::vector<double> values;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double value = about != nullptr ? x(rows[i], column) : made(static_cast<Index>(i), column - inputs);
      if (std::isnan(value))
        ++summary.absent;
      else if (is_category)
        ++summary.counts[static_cast<std::size_t>(value)];
      else
        values.push_back(value);
    }
    if (is_category) return;
    summary.ranks = ranks_of(static_cast<Index>(values.size()));
    summary.values = order_statistics(values, summary.ranks);
  });
}

void InputSummary::save(Archive archive) const {
  std::vector<std::int64_t> absent, points, ranks, counts;
  std::vector<double> values;
  for (const OfColumn& column : columns_) {
    absent.push_back(column.absent);
    points.push_back(std::ssize(column.ranks));
    ranks.insert(ranks.end(), column.ranks.begin(), column.ranks.end());
    values.insert(values.end(), column.values.begin(), column.values.end());
    counts.insert(counts.end(), column.counts.begin(), column.counts.end());
  }
  archive.put("absent", absent);
  archive.put("points", points);
  archive.put("ranks", ranks);
  archive.put("values", values);
  archive.put("counts", counts);
}

InputSummary InputSummary::load(const Archive& archive, const std::vector<Column>& schema, Index made, Index rows) {
  using Numbers = std::vector<std::int64_t>;
  const auto &absent = archive.get<Numbers>("absent"), &points = archive.get<Numbers>("points"),
             &ranks = archive.get<Numbers>("ranks"), &counts = archive.get<Numbers>("counts");
  const auto& values = archive.get<std::vector<double>>("values");
  InputSummary summary;
  summary.rows_ = rows;
  if (absent.size() != schema.size() + static_cast<std::size_t>(made) || points.size() != absent.size() ||
      values.size() != ranks.size())
    throw_damaged();
  std::size_t rank = 0, count = 0;
  for (std::size_t i = 0; i < absent.size(); ++i) {
    OfColumn column;
    column.absent = absent[i];
    if (absent[i] < 0 || absent[i] > rows || points[i] < 0 || static_cast<std::uint64_t>(points[i]) > ranks.size() - rank)
      throw_damaged();
    Index before = 0;
    for (std::int64_t point = 0; point < points[i]; ++point, ++rank) {
      if (ranks[rank] <= before || ranks[rank] > rows - absent[i] || std::isnan(values[rank]) ||
          (point > 0 && values[rank] < values[rank - 1]))
        throw_damaged();
      column.ranks.push_back(before = ranks[rank]);
      column.values.push_back(values[rank]);
    }
    const std::size_t levels = i < schema.size() && schema[i].is_category ? schema[i].levels.size() : 0;
    if (levels > counts.size() - count || (levels > 0 && points[i] > 0)) throw_damaged();
    for (std::size_t level = 0; level < levels; ++level, ++count) {
      if (counts[count] < 0 || counts[count] > rows - absent[i]) throw_damaged();
      column.counts.push_back(counts[count]);
    }
    summary.columns_.push_back(std::move(column));
  }
  if (rank != ranks.size() || count != counts.size()) throw_damaged();
  return summary;
}

ShiftCheck::ShiftCheck(const InputSummary& summary, const std::vector<Column>& schema)
    : summary_(summary), inputs_(std::ssize(schema)), columns_(schema) {
  for (const char* name : {"the prediction", "the scale", "the scale above"})
    if (columns_.size() < summary_.columns_.size()) columns_.push_back({name, false, {}});
  for (const auto& column : summary_.columns_)
    counts_.push_back({0, std::vector<Index>(column.ranks.size() + 1), std::vector<Index>(column.ranks.size() + 1),
                       std::vector<Index>(column.counts.size())});
}

void ShiftCheck::add(const TableView& x, const Matrix& made) {
  for (std::size_t column = 0; column < counts_.size(); ++column) {
    const auto& values = summary_.columns_[column].values;
    Count& count = counts_[column];
    const auto at = static_cast<Index>(column);
    for (Index row = 0; row < x.rows(); ++row) {
      const double value = at < inputs_ ? x(row, at) : made(row, at - inputs_);
      if (std::isnan(value)) {
        ++count.absent;
      } else if (columns_[column].is_category) {
        ++count.levels[static_cast<std::size_t>(value)];
      } else {
        ++count.at_most[static_cast<std::size_t>(std::lower_bound(values.begin(), values.end(), value) - values.begin())];
        ++count.below[static_cast<std::size_t>(std::upper_bound(values.begin(), values.end(), value) - values.begin())];
      }
    }
  }
  rows_ += x.rows();
}

// Two for each order statistic or level, and two for the missing.
Index ShiftCheck::tests_of(std::size_t column) const {
  return 2 * (std::ssize(summary_.columns_[column].ranks) + std::ssize(summary_.columns_[column].counts) + 1);
}

std::vector<Shift> ShiftCheck::findings(double rate) const {
  std::vector<Shift> found;
  for (std::size_t column = 0; column < counts_.size(); ++column) {
    const double shares = static_cast<double>(tests_of(column)) * static_cast<double>(counts_.size());
    const Test clearest = clearest_of(column, rate / shares);
    if (clearest.p_value * shares > rate) continue;
    found.push_back({columns_[column].name, std::cmp_less(column, inputs_), clearest.words, clearest.p_value * shares});
  }
  std::stable_sort(found.begin(), found.end(), [](const Shift& a, const Shift& b) { return a.p_value < b.p_value; });
  return found;
}

ShiftCheck::Test ShiftCheck::clearest_of(std::size_t column, double enough) const {
  Test clearest{1, ""};
  const auto& known = summary_.columns_[column];
  test_numbers(column, enough, clearest);
  for (std::size_t level = 0; level < known.counts.size(); ++level)
    test_share(known.counts[level], counts_[column].levels[level], "have the level '" + columns_[column].levels[level] + "'",
               enough, clearest);
  test_share(known.absent, counts_[column].absent,
             columns_[column].is_category ? "have no level that the fit knew" : "have no value", enough, clearest);
  return clearest;
}

void ShiftCheck::test_numbers(std::size_t column, double enough, Test& clearest) const {
  const auto& known = summary_.columns_[column];
  const Index n = summary_.rows_ - known.absent, m = rows_ - counts_[column].absent;
  Index at_most = 0, below = 0;
  const auto consider = [&](double p_value, Index count, const char* where, std::size_t point) {
    if (p_value >= clearest.p_value) return;
    clearest = {p_value, percent(count, m) + " of the rows lie " + where + " " + print_rounded(known.values[point]) +
                             "; of the calibration rows " + percent(known.ranks[point], n)};
  };
  for (std::size_t point = 0; point < known.ranks.size(); ++point) {
    const Index k = known.ranks[point];
    at_most += counts_[column].at_most[point];
    below += counts_[column].below[point];
    consider(hypergeometric_tail(k, n + m, n, k + at_most, enough), at_most, "at or below", point);
    consider(hypergeometric_tail(below, n + m, m, k - 1 + below, enough), below, "below", point);
  }
}

// A share is too large among the new rows, or among the calibration rows.
void ShiftCheck::test_share(Index before, Index after, const std::string& what, double enough, Test& clearest) const {
  const Index n = summary_.rows_, m = rows_;
  const double p_value = std::min(hypergeometric_tail(after, n + m, m, before + after, enough),
                                  hypergeometric_tail(before, n + m, n, before + after, enough));
  if (p_value >= clearest.p_value) return;
  clearest = {p_value, percent(after, m) + " of the rows " + what + "; of the calibration rows " + percent(before, n)};
}

}  // namespace taut
