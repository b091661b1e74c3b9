#include <python/arrays.hpp>
#include <taut/calibrate/rank.hpp>
#include <taut/calibrate/score_distribution.hpp>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace taut {

namespace {

using Packed = PackedArray<double>;
using Ends = nb::ndarray<double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

std::vector<double> quantiles(const Packed& scores, const std::vector<double>& levels) {
  const ScoreDistribution distribution(std::vector<double>(scores.data(), scores.data() + scores.size()));
  std::vector<double> result;
  for (const double level : levels) result.push_back(distribution.quantile(level));
  return result;
}

// Writes f ± q σ, bounded by the range of the target, for every row and quantile to `out` (rows, 2, levels). Returns false if the
// shapes differ, an f is not finite, or a σ is not positive and finite. The checks are in the same pass: as separate passes in
// NumPy they took as long as the computation.
bool fill_ends(const Packed& f, const Packed& sigma, const std::vector<double>& quantiles, double minimum, double maximum,
               const Ends& out) {
  const std::size_t rows = f.size(), levels = quantiles.size();
  if (sigma.size() != rows || out.shape(0) != rows || out.shape(1) != 2 || out.shape(2) != levels) return false;
  constexpr double largest = std::numeric_limits<double>::max();
  bool good = true;
  double* ends = out.data();
  for (std::size_t i = 0; i < rows; ++i, ends += 2 * levels) {
    const double centre = f.data()[i], scale = sigma.data()[i];
    good &= (std::abs(centre) <= largest) & (scale > 0) & (scale <= largest);
    for (std::size_t level = 0; level < levels; ++level) {
      const double half_width = quantiles[level] * scale;
      ends[level] = std::min(std::max(centre - half_width, minimum), maximum);
      ends[levels + level] = std::min(std::max(centre + half_width, minimum), maximum);
    }
  }
  return good;
}

}  // namespace

void bind_ranks(nb::module_& module) {
  module.def("exact_rank", &exact_rank, nb::arg("rows"), nb::arg("confidence"), nb::arg("sure") = 0.0);
  module.def("min_calibration_rows", &min_calibration_rows, nb::arg("confidence"), nb::arg("sure") = 0.0);
  module.def(
      "too_few_rows", [](Index rows, double confidence, double sure) { return in_python(too_few_rows(rows, confidence, sure)); },
      nb::arg("rows"), nb::arg("confidence"), nb::arg("sure") = 0.0);
  module.def("quantiles", &quantiles, nb::arg("scores"), nb::arg("levels"));
  module.def("fill_ends", &fill_ends, nb::arg("f"), nb::arg("sigma"), nb::arg("quantiles"), nb::arg("minimum"),
             nb::arg("maximum"), nb::arg("out").noconvert());
}

}  // namespace taut
