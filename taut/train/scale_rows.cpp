#include <taut/train/scale_rows.hpp>

#include <taut/core/threads.hpp>

namespace taut {

namespace {
constexpr Index block = 1 << 14;
}

ScaleRows::ScaleRows(const ObjectiveRows& rows) : rows_(rows) {
  const Index n = rows.rows();
  u_.resize(n, rows.sides);
  s_.resize(n, rows.sides);
  z_.resize(n);
  parallel_blocks(n, block, rows.threads, [&](Index begin, Index end) {
    const Index length = end - begin;
    for (Index i = begin; i < end; ++i) {
      for (int side = 0; side < rows.sides; ++side)
        u_(i, side) = rows.transform.log_scale(rows.params(i, static_cast<Side>(side)));
      z_[i] = -u_(i, occurred(i));
    }
    s_.middleRows(begin, length) = u_.middleRows(begin, length).exp();
    const Eigen::Map<const Eigen::ArrayXd> residual(rows.residual.data() + begin, length);
    z_.segment(begin, length) = residual * z_.segment(begin, length).exp();
  });
}

void ScaleRows::back(const Eigen::ArrayXXd& gradient_u, const Eigen::ArrayXXd& curvature_u, Matrix* gradient,
                     Matrix* curvature) const {
  const Index params = rows_.transform.n_params();
  gradient->resize(count(), params * sides());
  curvature->resize(count(), params * sides());
  parallel_blocks(count(), block, rows_.threads, [&](Index begin, Index end) {
    std::vector<double> du(static_cast<std::size_t>(params));
    for (Index i = begin; i < end; ++i) {
      for (int side = 0; side < sides(); ++side) {
        rows_.transform.log_scale_grad(rows_.params(i, static_cast<Side>(side)), du.data());
        for (Index p = 0; p < params; ++p) {
          const double slope = du[static_cast<std::size_t>(p)];
          (*gradient)(i, side * params + p) = gradient_u(i, side) * slope;
          (*curvature)(i, side * params + p) = curvature_u(i, side) * slope * slope;
        }
      }
    }
  });
}

}  // namespace taut
