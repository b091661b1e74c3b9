// The inputs of one column of a table. Only the source files of Encoder include this.
#pragma once

#include <taut/data/inputs/encoding.hpp>

#include <bit>
#include <cmath>

namespace taut {

inline Index Encoder::Source::inputs() const {
  switch (kind) {
    case ColumnKind::date:
      return std::popcount(date_parts);
    case ColumnKind::category:
      return one_hot ? std::min(categories, max_category_inputs) : category.size();
    default:
      return 1;
  }
}

inline bool Encoder::Source::has_category(double cell) const { return cell >= 0 && cell < static_cast<double>(categories); }

// True if the cell holds a value. "other" is a value of a category, but it has no rank in an ordered category.
inline bool Encoder::Source::is_known(double cell) const {
  if (kind == ColumnKind::category) return !std::isnan(cell);
  if (kind == ColumnKind::ordered) return has_category(cell);
  return orders_infinite != 0 ? !std::isnan(cell) : std::isfinite(cell);
}

template <class Put>
void Encoder::expand(const Source& source, double cell, const std::int64_t* codes, const CategoryMeans* means, Put put) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  if (source.kind == ColumnKind::number) return put(cell);  // the fast path for most cells
  const bool listed = source.has_category(cell);
  const auto category = listed ? static_cast<std::size_t>(cell) : 0;
  switch (source.kind) {
    case ColumnKind::number:
    case ColumnKind::boolean:
      return put(cell);
    case ColumnKind::date: {
      const DateParts parts = date_parts(cell, source.origin);
      for (std::size_t part = 0; part < date_part_count; ++part)
        if ((source.date_parts >> part & 1) != 0) put(parts[part]);
      return;
    }
    case ColumnKind::ordered:
      return put(listed ? cell : unknown);
    case ColumnKind::category:
      break;
  }
  if (source.one_hot) {
    for (Index input = 0; input < source.inputs(); ++input) put(cell == static_cast<double>(input) ? 1.0 : 0.0);
    return;
  }
  if (source.category.code) put(listed && codes[category] >= 0 ? static_cast<double>(codes[category]) : unknown);
  if (source.category.mean) put(std::isnan(cell) ? unknown : listed ? means->means[category] : means->mean);
  if (source.category.count)
    put(std::isnan(cell) ? unknown
        : listed         ? static_cast<double>(std::min(means->counts[category], CategoryInputs::max_counted))
                         : 0.0);
}

}  // namespace taut
