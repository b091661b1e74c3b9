#include <taut/train/scale_rows.hpp>

#include <taut/core/threads.hpp>

namespace taut {

namespace {
constexpr Index block = 1 << 14;
}

ScaleRows::ScaleRows(const ObjectiveRows& rows) : rows_(rows) {
  const Index n = rows.rows();
  const Index params = rows.transform.n_params();
  u_.resize(n, rows.sides);
  z_.resize(n);
  parallel_blocks(n, block, rows.threads, [&](Index begin, Index end) {
    const Index length = end - begin;
    const double* g = rows.g.data() + begin * params * rows.sides;
    for (Index i = begin; i < end; ++i) {
      for (int side = 0; side < rows.sides; ++side, g += params) u_(i, side) = rows.transform.log_scale(g);
      z_[i] = -u_(i, occurred(i));
    }
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
    const Index first = begin * params * sides();
    const double* g = rows_.g.data() + first;
    double* gradient_g = gradient->data() + first;
    double* curvature_g = curvature->data() + first;
    for (Index i = begin; i < end; ++i)
      for (int side = 0; side < sides(); ++side, g += params) {
        rows_.transform.log_scale_grad(g, du.data());
        for (const double slope : du) {
          *gradient_g++ = gradient_u(i, side) * slope;
          *curvature_g++ = curvature_u(i, side) * slope * slope;
        }
      }
  });
}

}  // namespace taut
