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
    result.size.push_back(all.size[static_cast<std::size_t>(row)]);
    result.side.push_back(all.side[static_cast<std::size_t>(row)]);
  }
  return result;
}

}  // namespace taut
