#include <taut/calibrate/residuals.hpp>

namespace taut {

Residuals residuals(std::span<const double> f, std::span<const double> y, double unit) {
  Residuals result;
  result.size.reserve(f.size());
  result.side.reserve(f.size());
  for (std::size_t i = 0; i < f.size(); ++i) {
    result.size.push_back(std::abs(y[i] - f[i]) / unit);
    result.side.push_back(side_of(f[i], y[i]));
  }
  return result;
}

Residuals pick(const Residuals& all, RowsView rows) {
  Residuals result;
  result.size.reserve(rows.size());
  result.side.reserve(rows.size());
  for (const Index row : rows) {
    const auto at = static_cast<std::size_t>(row);
    result.size.push_back(all.size[at]);
    result.side.push_back(all.side[at]);
    if (!all.half_width.empty()) result.half_width.push_back(all.half_width[at]);
  }
  return result;
}

}  // namespace taut
