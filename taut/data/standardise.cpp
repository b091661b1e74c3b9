#include <taut/data/standardise.hpp>

namespace taut {

MatrixF standardised(MatrixF x) {
  for (Index column = 0; column < x.cols(); ++column) {
    const auto known = x.col(column).array().isFinite();
    const double count = std::max(1.0, static_cast<double>(known.count()));
    const Eigen::ArrayXd values = known.select(x.col(column).array().cast<double>(), 0.0);
    const double mean = values.sum() / count;
    const Eigen::ArrayXd deviations = known.select(values - mean, 0.0);
    const double scale = std::sqrt((deviations / std::sqrt(count)).square().sum());
    x.col(column) = (scale > 0 ? Eigen::ArrayXd(deviations / scale) : Eigen::ArrayXd::Zero(x.rows())).cast<float>().matrix();
  }
  return x;
}

}  // namespace taut
