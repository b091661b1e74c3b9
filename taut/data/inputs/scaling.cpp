#include <taut/data/inputs/scaling.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

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

double float_offset(std::vector<double> sample) {
  std::erase_if(sample, [](double value) { return !(std::abs(value) <= std::numeric_limits<float>::max()); });
  if (std::all_of(sample.begin(), sample.end(), [](double value) { return static_cast<double>(to_float(value)) == value; }))
    return 0;
  std::sort(sample.begin(), sample.end());
  const auto different = [&](auto as) {
    Index count = 1;
    for (std::size_t i = 1; i < sample.size(); ++i) count += as(sample[i]) != as(sample[i - 1]) ? 1 : 0;
    return count;
  };
  const double median = sample[sample.size() / 2];
  const Index all = different([](double value) { return value; }), rounded = different(to_float);
  const Index centred = different([&](double value) { return to_float(value - median); });
  return 100 * rounded < 99 * all && centred > rounded ? median : 0;
}

}  // namespace taut
