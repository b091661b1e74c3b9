#include <taut/explain/background.hpp>

#include <taut/core/error.hpp>
#include <taut/core/random.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

// Between two order statistics on the line that joins them.
double number_at(const InputSummary::OfColumn& column, double share, Index present) {
  const double rank = 1 + share * static_cast<double>(present - 1);
  std::size_t k = 1;
  while (k < column.ranks.size() && static_cast<double>(column.ranks[k]) < rank) ++k;
  if (k >= column.ranks.size()) return column.values.back();
  const double low = static_cast<double>(column.ranks[k - 1]), high = static_cast<double>(column.ranks[k]);
  const double along = (rank - low) / (high - low);
  if (std::isinf(column.values[k - 1]) || std::isinf(column.values[k])) return column.values[along < 0.5 ? k - 1 : k];
  return column.values[k - 1] + along * (column.values[k] - column.values[k - 1]);
}

// The cell that the given share of the calibration rows do not exceed; missing ones come last.
double cell_at(const InputSummary::OfColumn& column, const Column& about, Index rows, double share) {
  const Index present = rows - column.absent;
  const double place = share * static_cast<double>(rows);
  if (place >= static_cast<double>(present) || present == 0) return missing;
  if (!about.is_categorical()) {
    if (column.values.empty()) return missing;
    const double value = number_at(column, place / static_cast<double>(present), present);
    return about.kind == ColumnKind::boolean ? std::round(value) : value;
  }
  Index seen = 0;
  for (std::size_t code = 0; code < column.counts.size(); ++code) {
    seen += column.counts[code];
    if (place < static_cast<double>(seen)) return static_cast<double>(code);
  }
  return about.other_code();
}

}  // namespace

Matrix background_rows(const InputSummary& summary, const std::vector<Column>& schema, Index count, std::uint64_t seed) {
  if (summary.rows() == 0)
    throw Error(
        "this part of the model is explained by sampling, but the file does not say what calibration rows look like: it "
        "has none; give the model calibration rows (taut calibrate)");
  Matrix rows(count, std::ssize(schema));
  for (Index c = 0; c < rows.cols(); ++c) {
    const auto at = static_cast<std::size_t>(c);
    const Rows order = Random(seed).fork(static_cast<std::uint64_t>(c)).permutation(count);
    for (Index i = 0; i < count; ++i) {
      const double share = (static_cast<double>(order[static_cast<std::size_t>(i)]) + 0.5) / static_cast<double>(count);
      rows(i, c) = cell_at(summary.columns()[at], schema[at], summary.rows(), share);
    }
  }
  return rows;
}

}  // namespace taut
