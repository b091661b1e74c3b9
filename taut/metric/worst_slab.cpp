#include <taut/core/random.hpp>
#include <taut/metric/interval.hpp>
#include <taut/metric/listed.hpp>
#include <taut/metric/slab_search.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

float finite_or_zero(float cell) { return std::isfinite(cell) ? cell : 0.0F; }

MatrixF chosen_rows(const Inputs& x, RowsView rows) {
  MatrixF result(static_cast<Index>(rows.size()), x.cols());
  for (Index i = 0; i < result.rows(); ++i) result.row(i) = x.row(rows[static_cast<std::size_t>(i)]);
  return result;
}

std::vector<std::uint8_t> chosen(Covered z, RowsView rows) {
  std::vector<std::uint8_t> result;
  result.reserve(rows.size());
  for (const Index row : rows) result.push_back(z[static_cast<std::size_t>(row)]);
  return result;
}

}  // namespace

Rows Slab::inside(const Inputs& other) const {
  Rows result;
  for (Index i = 0; i < other.rows(); ++i) {
    float projection = 0;  // summed in the order of the search, so that its own rows fall on the same side of an end
    for (Index j = 0; j < other.cols(); ++j) projection += finite_or_zero(other(i, j)) * direction[static_cast<std::size_t>(j)];
    if (low <= projection && projection <= high) result.push_back(i);
  }
  return result;
}

double Slab::coverage_of(const Inputs& other, Covered z) const {
  const Rows rows_inside = inside(other);
  Index hits = 0;
  for (const Index row : rows_inside) hits += z[static_cast<std::size_t>(row)];
  return static_cast<double>(hits) / static_cast<double>(rows_inside.size());
}

Slab worst_slab(const Inputs& x, Covered z, double delta, Index directions, std::uint64_t seed, int threads) {
  const auto n = static_cast<double>(x.rows());
  const auto least_rows = static_cast<Index>(std::ceil(delta * n * (1 - 1e-12)));  // 0.1 * 30 must not become 4
  const Eigen::MatrixXf columns = x.unaryExpr(&finite_or_zero);
  return SlabSearch(columns, z, std::clamp<Index>(least_rows, 1, x.rows()), seed).worst(directions, threads);
}

double worst_slab_coverage(const Inputs& x, Covered z, double delta, Index directions, std::uint64_t seed, int threads) {
  return z.empty() ? missing : worst_slab(x, z, delta, directions, seed, threads).coverage;
}

HeldOutSlab held_out_worst_slab(const Inputs& x, Covered z, double delta, Index directions, std::uint64_t seed, int threads) {
  const Rows order = Random(seed).permutation(x.rows());
  const RowsView search = RowsView(order).first(order.size() / 2), report = RowsView(order).subspan(search.size());
  Slab slab = worst_slab(chosen_rows(x, search), chosen(z, search), delta, directions, seed, threads);
  const MatrixF others = chosen_rows(x, report);
  const auto rows = static_cast<Index>(slab.inside(others).size());
  const double coverage = slab.coverage_of(others, chosen(z, report));
  return {std::move(slab), rows, coverage};
}

double held_out_worst_slab_coverage(const Inputs& x, Covered z, double delta, Index directions, std::uint64_t seed, int threads) {
  return z.size() < 2 ? missing : held_out_worst_slab(x, z, delta, directions, seed, threads).coverage;
}

namespace {

class WorstSlabCoverage final : public Metric {
 public:
  bool needs_inputs() const override { return true; }
  double value(const Judged& judged) const override {
    if (judged.x == nullptr) return missing;
    return held_out_worst_slab_coverage(*judged.x, covered(judged.intervals, judged.y), 0.1, 1000, judged.seed, judged.threads);
  }
};

}  // namespace

Listed<Metric> worst_slab_coverage_metric() {
  return listed_metric<WorstSlabCoverage>(
      "worst_slab_coverage", "coverage in the worst slab of a tenth of the rows, found on one half, measured on the other");
}

}  // namespace taut
