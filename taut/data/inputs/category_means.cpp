#include <taut/data/inputs/category_means.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

CategorySums::CategorySums(const TableView& table, RowsView rows, std::span<const double> values, const RowBlocks& blocks,
                           RowWeights weights)
    : blocks_(blocks.count), columns_(table.columns().size()) {
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const Column& column = table.columns()[c];
    if (column.kind != ColumnKind::category) continue;
    columns_[c].resize(column.categories.size() * blocks_);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double code = table(rows[i], static_cast<Index>(c));
      if (!(code >= 0 && code < column.other_code())) continue;
      Sums& own = columns_[c][static_cast<std::size_t>(code) * blocks_ + blocks.of_row[i]];
      const double weight = weight_of(weights, static_cast<Index>(i));
      own.count += weight;
      own.sum += weight * values[i];
      own.squares += weight * values[i] * values[i];
    }
  }
}

ColumnMeans CategorySums::means_without(std::size_t block, std::size_t other) const {
  ColumnMeans result;
  for (const auto& column : columns_) {
    std::vector<Sums> categories(column.size() / blocks_);
    for (std::size_t i = 0; i < column.size(); ++i) {
      if (i % blocks_ == block || i % blocks_ == other) continue;
      Sums& own = categories[i / blocks_];
      own.count += column[i].count;
      own.sum += column[i].sum;
      own.squares += column[i].squares;
    }
    result.push_back(shrunken(categories));
  }
  return result;
}

CategoryMeans CategorySums::shrunken(const std::vector<Sums>& categories) {
  Sums all;
  double known = 0, within = 0, count_squares = 0;
  for (const Sums& own : categories) {
    if (own.count == 0) continue;
    known += 1;
    all.count += own.count;
    all.sum += own.sum;
    within += std::max(0.0, own.squares - own.sum * (own.sum / own.count));
    count_squares += own.count * own.count;
  }
  CategoryMeans result;
  result.means.assign(categories.size(), 0);
  for (const Sums& own : categories) result.counts.push_back(static_cast<std::int64_t>(std::ceil(own.count)));
  if (known == 0) return result;
  result.mean = all.sum / all.count;

  double between = 0;
  for (const Sums& own : categories)
    if (own.count > 0) between += own.count * (own.sum / own.count - result.mean) * (own.sum / own.count - result.mean);
  // If no category has two rows, or there is only one category, effects cannot be separated from noise: all means are equal.
  const bool separable = known > 1 && all.count > known;
  const double noise = separable ? within / (all.count - known) : 0;
  const double effect = separable ? (between / (known - 1) - noise) / ((all.count - count_squares / all.count) / (known - 1)) : 0;
  if (effect > 0) {
    const auto weight = [&](const Sums& own) { return own.count / (own.count + noise / effect); };
    double weights = 0, sum = 0;
    for (const Sums& own : categories) {
      if (own.count == 0) continue;
      weights += weight(own);
      sum += weight(own) * (own.sum / own.count);
    }
    result.mean = sum / weights;
    for (std::size_t i = 0; i < categories.size(); ++i) {
      const Sums& own = categories[i];
      if (own.count > 0) result.means[i] = weight(own) * (own.sum / own.count - result.mean);
    }
  }
  for (double& mean : result.means) mean += result.mean;
  return result;
}

}  // namespace taut
