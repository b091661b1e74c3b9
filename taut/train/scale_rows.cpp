#include <taut/train/scale_rows.hpp>

namespace taut {

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

}  // namespace taut
