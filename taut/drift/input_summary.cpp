#include <taut/drift/input_summary.hpp>

#include <taut/core/error.hpp>
#include <taut/core/threads.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace taut {

namespace {

// Nine order statistics, denser in the tails, where a shift shows. Few rows have fewer.
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
    OfColumn& summary = columns_[static_cast<std::size_t>(column)];
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
  for (const OfColumn& column : columns_) {
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
    OfColumn column;
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

}  // namespace taut
