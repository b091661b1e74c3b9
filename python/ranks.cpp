#include <python/bind.hpp>
#include <taut/calibrate/calibrator.hpp>
#include <taut/calibrate/rank.hpp>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace taut {

void bind_ranks(nb::module_& module) {
  module.def("exact_rank", &exact_rank, nb::arg("rows"), nb::arg("confidence"));
  module.def("least_calibration_rows", &least_calibration_rows, nb::arg("confidence"));
  module.def("too_few_rows", &too_few_rows, nb::arg("rows"), nb::arg("confidence"));
  module.def(
      "quantile",
      [](std::vector<double> scores, double confidence) { return Calibrator(std::move(scores)).quantile(confidence); },
      nb::arg("scores"), nb::arg("confidence"));
}

}  // namespace taut
