// A loss of the caller's, as a function of Python.
#include <python/arrays.hpp>
#include <python/models.hpp>
#include <taut/core/error.hpp>
#include <taut/predict/own_loss.hpp>

namespace taut {

namespace {

nb::object as_array_of(std::span<const double> values) { return as_array(std::vector<double>(values.begin(), values.end())); }

std::vector<double> numbers_of(nb::handle given) {
  const auto array = nb::cast<PackedArray<double>>(given);
  return {array.data(), array.data() + array.size()};
}

}  // namespace

// taut._loss checks what `function` returns: two or three arrays of numbers. The fit runs on a second thread without the GIL.
PointLoss loss_of(const nb::object& function) {
  const std::shared_ptr<nb::object> owned(new nb::object(function), [](const nb::object* last) {
    const nb::gil_scoped_acquire with_lock;
    delete last;
  });
  return [owned](const LossRows& rows) {
    const nb::gil_scoped_acquire with_lock;
    const nb::object found = (*owned)(as_array_of(rows.prediction), as_array_of(rows.y), as_array_of(rows.weight));
    LossSlopes slopes{numbers_of(found[0]), numbers_of(found[1])};
    if (nb::len(found) > 2) slopes.value = numbers_of(found[2]);
    return slopes;
  };
}

}  // namespace taut
