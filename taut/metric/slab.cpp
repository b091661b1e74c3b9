#include <taut/metric/slab.hpp>

#include <taut/core/random.hpp>
#include <taut/core/threads.hpp>
#include <taut/metric/interval.hpp>
#include <taut/metric/metric.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

namespace taut {

namespace {

constexpr Index directions_per_task = 32;  // they share the worst coverage so far, which most fail to beat in a single scan
constexpr Index directions_per_batch = 8;  // projected together while a block of rows is in the cache
constexpr Index rows_per_block = 256;

constexpr float endless = std::numeric_limits<float>::infinity();

constexpr int digit_bits = 11;
constexpr std::size_t digits = std::size_t{1} << digit_bits;
using Histogram = std::array<std::uint32_t, digits>;

// Unsigned integers in the order of the floats; +0 and -0 are one value.
std::uint32_t key_of(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value + 0.0F);
  return bits ^ (bits >> 31 != 0 ? 0xffffffffU : 0x80000000U);
}

float value_of(std::uint32_t key) { return std::bit_cast<float>(key ^ (key >> 31 != 0 ? 0x80000000U : 0xffffffffU)); }

}  // namespace

struct SlabSearch::Workspace {
  explicit Workspace(Index rows)
      : projections(rows, directions_per_batch),
        keys(static_cast<std::size_t>(rows)),
        spare(keys.size()),
        ends(keys.size() + 1),
        hits(keys.size() + 1) {}

  Eigen::MatrixXf projections;             // one column per direction
  std::vector<std::uint32_t> keys, spare;  // sorted; the lowest bit is z, the others the projection
  std::vector<std::uint32_t> ends, hits;   // rows and covered rows before the end of each group of equal projections
  std::size_t groups = 0;
  std::array<Histogram, 3> histograms;
};

SlabSearch::SlabSearch(const Eigen::MatrixXf& columns, Covered z, Index min_rows, std::uint64_t seed)
    : columns_(columns),
      z_(z),
      min_rows_(min_rows),
      seed_(seed),
      everything_{std::accumulate(z.begin(), z.end(), std::int64_t{0}), static_cast<std::int64_t>(z.size()), key_of(-endless),
                  key_of(endless), 0} {}

std::vector<float> SlabSearch::direction(Index number) const {
  Random random = Random(seed_).fork(static_cast<std::uint64_t>(number));
  std::vector<double> normal(static_cast<std::size_t>(columns_.cols()));
  double square = 0;
  for (double& value : normal) {
    value = random.normal();
    square += value * value;
  }
  std::vector<float> result;
  for (const double value : normal) result.push_back(static_cast<float>(value / std::sqrt(square)));
  return result;
}

// Every projection is summed over the columns in order, so its bits do not depend on the blocks.
void SlabSearch::project(Workspace& work, Index first, Index count) const {
  std::vector<std::vector<float>> v;
  for (Index k = 0; k < count; ++k) v.push_back(direction(first + k));
  for (Index begin = 0; begin < columns_.rows(); begin += rows_per_block) {
    const Index length = std::min(rows_per_block, columns_.rows() - begin);
    for (Index k = 0; k < count; ++k) {
      auto out = work.projections.col(k).segment(begin, length);
      out.setZero();
      for (Index j = 0; j < columns_.cols(); ++j)
        out += columns_.col(j).segment(begin, length) * v[static_cast<std::size_t>(k)][static_cast<std::size_t>(j)];
    }
  }
}

// Radix sort of 32-bit keys, three digits: several times as fast as a comparison sort, and the scan needs nothing but keys.
void SlabSearch::sort(Workspace& work, const float* projections) const {
  for (Histogram& histogram : work.histograms) histogram.fill(0);
  for (std::size_t i = 0; i < work.keys.size(); ++i) {
    const std::uint32_t key = (key_of(projections[i]) & ~1U) | z_[i];
    work.keys[i] = key;
    for (std::size_t d = 0; d < 3; ++d) ++work.histograms[d][key >> (d * digit_bits) & (digits - 1)];
  }
  for (std::size_t d = 0; d < 3; ++d) {
    std::exclusive_scan(work.histograms[d].begin(), work.histograms[d].end(), work.histograms[d].begin(), 0U);
    for (const std::uint32_t key : work.keys) work.spare[work.histograms[d][key >> (d * digit_bits) & (digits - 1)]++] = key;
    work.keys.swap(work.spare);
  }
}

void SlabSearch::gather(Workspace& work) const {
  std::uint32_t hits = 0;
  work.ends[0] = work.hits[0] = 0;
  work.groups = 0;
  for (std::size_t i = 0; i < work.keys.size(); ++i) {
    hits += work.keys[i] & 1U;
    work.groups += i == 0 || work.keys[i] >> 1 != work.keys[i - 1] >> 1;
    work.ends[work.groups] = static_cast<std::uint32_t>(i + 1);
    work.hits[work.groups] = hits;
  }
}

// Dinkelbach: with the lowest coverage so far λ = a/b, a run of groups (i, j] is worse if and only if P_j - P_i < 0 for
// P = b·hits - a·rows; the run with the smallest difference gives the next λ, until none is worse. Integers make it exact.
// Most directions do not beat the worst so far and cost one pass.
void SlabSearch::scan(const Workspace& work, Index number, SlabRun& worst) const {
  for (;;) {
    const std::int64_t a = worst.hits, b = worst.rows;
    const auto potential = [&](std::size_t j) { return b * work.hits[j] - a * work.ends[j]; };
    std::int64_t highest = std::numeric_limits<std::int64_t>::min() / 2, minimum = 0;
    std::size_t start = 0, best_start = 0, from = 0, to = 0;
    for (std::size_t j = 1; j <= work.groups; ++j) {
      for (; work.ends[start] + static_cast<std::int64_t>(min_rows_) <= work.ends[j]; ++start) {
        const std::int64_t candidate = potential(start);
        if (candidate > highest) {
          highest = candidate;
          best_start = start;
        }
      }
      if (const std::int64_t difference = potential(j) - highest; difference < minimum) {
        minimum = difference;
        from = best_start;
        to = j;
      }
    }
    if (minimum == 0) return;
    worst = {work.hits[to] - work.hits[from], work.ends[to] - work.ends[from], work.keys[work.ends[from]] & ~1U,
             work.keys[work.ends[to] - 1] | 1U, number};
  }
}

Slab SlabSearch::worst(Index directions, int threads) const {
  std::vector<SlabRun> runs(static_cast<std::size_t>((directions + directions_per_task - 1) / directions_per_task), everything_);
  parallel_blocks(directions, directions_per_task, threads, [&](Index begin, Index end) {
    Workspace work(columns_.rows());
    SlabRun& worst = runs[static_cast<std::size_t>(begin / directions_per_task)];
    for (Index first = begin; first < end; first += directions_per_batch) {
      const Index count = std::min(directions_per_batch, end - first);
      project(work, first, count);
      for (Index k = 0; k < count; ++k) {
        sort(work, work.projections.col(k).data());
        gather(work);
        scan(work, first + k, worst);
      }
    }
  });
  SlabRun worst = everything_;
  for (const SlabRun& run : runs)
    if (run.worse_than(worst)) worst = run;
  return {direction(worst.direction), value_of(worst.first), value_of(worst.last), static_cast<Index>(worst.rows),
          static_cast<double>(worst.hits) / static_cast<double>(worst.rows)};
}

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
  const auto min_rows = static_cast<Index>(std::ceil(delta * n * (1 - 1e-12)));  // 0.1 * 30 must not become 4
  const Eigen::MatrixXf columns = x.unaryExpr(&finite_or_zero);
  return SlabSearch(columns, z, std::clamp<Index>(min_rows, 1, x.rows()), seed).worst(directions, threads);
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
