// Arrays between NumPy and C++, without copies: C++ reads NumPy arrays in place, and results become NumPy arrays that own C++
// memory.
#pragma once

#include <python/bind.hpp>
#include <taut/core/types.hpp>

#include <nanobind/ndarray.h>

#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace taut {

// Arrays of Python, with any strides or contiguous.
template <class Number, int Dimensions>
using Array = nb::ndarray<const Number, nb::ndim<Dimensions>, nb::device::cpu>;
template <class Number, int Dimensions = 1>
using PackedArray = nb::ndarray<const Number, nb::ndim<Dimensions>, nb::c_contig, nb::device::cpu>;

using Numbers = nb::ndarray<nb::numpy, double>;

// A capsule that keeps `owner` alive as long as a NumPy array refers to its memory.
template <class Owner>
nb::capsule kept(std::unique_ptr<Owner> owner) {
  return nb::capsule(owner.release(), [](void* pointer) noexcept { delete static_cast<Owner*>(pointer); });
}

template <class Number>
nb::object as_array(std::vector<Number> values, std::initializer_list<std::size_t> shape) {
  auto owner = std::make_unique<std::vector<Number>>(std::move(values));
  Number* const data = owner->data();
  return nb::cast(nb::ndarray<nb::numpy, Number>(data, shape, kept(std::move(owner))));
}
template <class Number>
nb::object as_array(std::vector<Number> values) {
  const std::size_t size = values.size();
  return as_array(std::move(values), {size});
}

// A Matrix or MatrixF as an array, without a copy.
template <class AnyMatrix>
nb::object matrix_as_array(AnyMatrix matrix) {
  auto owner = std::make_unique<AnyMatrix>(std::move(matrix));
  auto* const data = owner->data();
  const auto rows = static_cast<std::size_t>(owner->rows()), columns = static_cast<std::size_t>(owner->cols());
  return nb::cast(nb::ndarray<nb::numpy, typename AnyMatrix::Scalar>(data, {rows, columns}, kept(std::move(owner))));
}

}  // namespace taut
