#include <python/table.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/data/inputs/scaling.hpp>
#include <taut/metric/conditional.hpp>
#include <taut/metric/interval.hpp>
#include <taut/metric/slab.hpp>

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace taut {

namespace {

using Column1 = Array<double, 1>;

template <class Owner>
void check_size(const char* what, const Owner& given, std::size_t rows) {
  if (given.shape(0) != rows)
    throw Error(format_text("{}: expected {} rows, got {}", what, print_count(static_cast<long long>(rows)),
                            print_count(static_cast<long long>(given.shape(0)))));
}

std::vector<double> numbers(const Column1& values) {
  const CellsView cells(values.data(), values.stride(0));
  std::vector<double> result(values.shape(0));
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = cells[static_cast<Index>(i)];
  return result;
}

// The intervals of one level and the targets.
struct Rowwise {
  std::vector<Interval> intervals;
  std::vector<double> y;

  Rowwise(const Column1& lower, const Column1& upper, const Column1& targets) : y(numbers(targets)) {
    check_size("lower ends", lower, y.size());
    check_size("upper ends", upper, y.size());
    const auto low = numbers(lower), high = numbers(upper);
    for (std::size_t i = 0; i < y.size(); ++i) intervals.push_back({low[i], high[i]});
  }
};

template <class Number>
MatrixF inputs(const Array<Number, 2>& x, std::size_t rows) {
  check_size("X", x, rows);
  MatrixF result(static_cast<Index>(x.shape(0)), static_cast<Index>(x.shape(1)));
  for (Index row = 0; row < result.rows(); ++row)
    for (Index column = 0; column < result.cols(); ++column)
      result(row, column) = static_cast<float>(x.data()[row * x.stride(0) + column * x.stride(1)]);
  return result;
}

template <class Number>
double slab(const Array<Number, 2>& x, const Column1& lower, const Column1& upper, const Column1& y, double delta,
            Index directions, std::uint64_t seed, bool held_out, int threads) {
  const Rowwise rows(lower, upper, y);
  const MatrixF standard = standardised(inputs(x, rows.y.size()));
  const auto z = covered(rows.intervals, rows.y);
  const nb::gil_scoped_release no_lock;
  return (held_out ? held_out_worst_slab_coverage : worst_slab_coverage)(standard, z, delta, directions, seed, threads);
}

template <class Number>
double ert_of(const Array<Number, 2>& x, const Column1& lower, const Column1& upper, const Column1& y, double confidence,
              std::uint64_t seed, int folds, int threads) {
  const Rowwise rows(lower, upper, y);
  const MatrixF standard = standardised(inputs(x, rows.y.size()));
  const auto z = covered(rows.intervals, rows.y);
  const nb::gil_scoped_release no_lock;
  return ert(standard, z, confidence, seed, threads, folds);
}

double hsic_of(const Column1& lower, const Column1& upper, const Column1& y, double width_size, double z_size) {
  const Rowwise rows(lower, upper, y);
  const nb::gil_scoped_release no_lock;
  return hsic(widths(rows.intervals), covered(rows.intervals, rows.y), width_size, z_size);
}

double coverage_of(const Column1& lower, const Column1& upper, const Column1& y) {
  const Rowwise rows(lower, upper, y);
  return coverage(rows.intervals, rows.y);
}

double interval_score_of(const Column1& lower, const Column1& upper, const Column1& y, double alpha) {
  const Rowwise rows(lower, upper, y);
  return interval_score(rows.intervals, rows.y, alpha);
}

// A metric that needs no targets.
template <double (*measure)(std::span<const Interval>)>
double of_ends(const Column1& lower, const Column1& upper) {
  return measure(Rowwise(lower, upper, lower).intervals);
}

using Bins = std::vector<std::tuple<double, double, Index, double>>;

Bins as_tuples(const std::vector<CoverageBin>& bins) {
  Bins result;
  for (const CoverageBin& bin : bins) result.emplace_back(bin.low, bin.high, bin.rows, bin.coverage);
  return result;
}

Bins coverage_by_width(const Column1& lower, const Column1& upper, const Column1& y, Index bins) {
  const Rowwise rows(lower, upper, y);
  return as_tuples(size_stratified_coverage(rows.intervals, rows.y, bins));
}

Bins coverage_by_value(const Column1& values, const Column1& lower, const Column1& upper, const Column1& y, Index bins) {
  const Rowwise rows(lower, upper, y);
  check_size("values", values, rows.y.size());
  return as_tuples(coverage_by_bin(numbers(values), covered(rows.intervals, rows.y), bins));
}

double coverage_gap_of(const Array<std::int64_t, 1>& groups, const Column1& lower, const Column1& upper, const Column1& y,
                       double confidence) {
  const Rowwise rows(lower, upper, y);
  check_size("groups", groups, rows.y.size());
  std::vector<std::int64_t> copied;
  for (std::size_t i = 0; i < rows.y.size(); ++i) copied.push_back(groups.data()[static_cast<Index>(i) * groups.stride(0)]);
  return coverage_gap(copied, covered(rows.intervals, rows.y), confidence);
}

std::pair<double, double> band(Index rows, Index calibration_rows, Index rank, double probability) {
  const Band result = coverage_band(rows, calibration_rows, rank, probability);
  return {result.low, result.high};
}

}  // namespace

void bind_metrics(nb::module_& module) {
  // For one confidence level; taut.metrics defines the order of the arguments.
  module.def("coverage", &coverage_of);
  module.def("interval_score", &interval_score_of);
  module.def("mean_width", &of_ends<mean_width>);
  module.def("median_width", &of_ends<median_width>);
  module.def("median_finite_width", &of_ends<median_finite_width>);
  module.def("unbounded_share", &of_ends<unbounded_share>);
  module.def("hsic", &hsic_of);
  module.def("worst_slab_coverage", &slab<double>);
  module.def("worst_slab_coverage", &slab<float>);
  module.def("ert", &ert_of<double>);
  module.def("ert", &ert_of<float>);
  module.def("coverage_by_width", &coverage_by_width);
  module.def("coverage_by_value", &coverage_by_value);
  module.def("coverage_gap", &coverage_gap_of);
  module.def("coverage_band", &band, nb::arg("rows"), nb::arg("calibration_rows"), nb::arg("rank"),
             nb::arg("probability") = band_probability);
  module.def("gaussian_crps", &gaussian_crps);
  module.def("step_crps", &step_crps);
}

}  // namespace taut
