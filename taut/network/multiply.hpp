// Products of small float matrices for the network, row-major, without packing and without allocation.
//
// Every element of a product is one chain start + a(r,0)·b(0,c) + a(r,1)·b(1,c) + ... in this order, whatever tile it falls
// into: so a row has the same bits alone and in any batch, which general matrix products do not promise. Lanes run across
// columns only; they are Eigen's packets, as wide as the machine that we compile for.
#pragma once

#include <taut/core/types.hpp>

#include <algorithm>

namespace taut {

using Packet = Eigen::internal::packet_traits<float>::type;
inline constexpr Index lanes = Eigen::internal::packet_traits<float>::size;

inline constexpr Index padded(Index columns) { return (columns + lanes - 1) / lanes * lanes; }

// The left side is read one number at a time, so a transposed matrix is one with its steps exchanged.
struct Left {
  const float* data;
  Index row_step;
  Index column_step;

  Left row(Index r) const { return {data + r * row_step, row_step, column_step}; }
  Left transposed() const { return {data, column_step, row_step}; }
};

// Right side, start and result: whole packets in a row, `step` from row to row; step 0 repeats one row.
template <class Float>
struct Panel {
  Float* data;
  Index step;

  Panel row(Index r) const { return {data + r * step, step}; }
  Panel column(Index c) const { return {data + c, step}; }
};

namespace internal {

template <int rows, int packets>
void multiply_tile(Left a, Panel<const float> b, Panel<const float> start, Panel<float> c, Index inner) {
  using namespace Eigen::internal;
  Packet sum[rows][packets];
#pragma GCC unroll 8
  for (int r = 0; r < rows; ++r)
#pragma GCC unroll 8
    for (int p = 0; p < packets; ++p) sum[r][p] = ploadu<Packet>(start.data + r * start.step + p * lanes);
  for (Index k = 0; k < inner; ++k) {
    Packet left[rows];
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) left[r] = pset1<Packet>(a.data[r * a.row_step]);
#pragma GCC unroll 8
    for (int p = 0; p < packets; ++p) {
      const Packet right = ploadu<Packet>(b.data + p * lanes);
#pragma GCC unroll 8
      for (int r = 0; r < rows; ++r) sum[r][p] = pmadd(left[r], right, sum[r][p]);
    }
    a.data += a.column_step;
    b.data += b.step;
  }
#pragma GCC unroll 8
  for (int r = 0; r < rows; ++r)
#pragma GCC unroll 8
    for (int p = 0; p < packets; ++p) pstoreu(c.data + r * c.step + p * lanes, sum[r][p]);
}

template <int packets>
void multiply_panel(Left a, Panel<const float> b, Panel<const float> start, Panel<float> c, Index rows, Index inner,
                    Index wanted) {
  if constexpr (packets > 1)
    if (wanted < packets) return multiply_panel<packets - 1>(a, b, start, c, rows, inner, wanted);
  constexpr int tile = 4;
  Index r = 0;
  for (; r + tile <= rows; r += tile) multiply_tile<tile, packets>(a.row(r), b, start.row(r), c.row(r), inner);
  for (; r < rows; ++r) multiply_tile<1, packets>(a.row(r), b, start.row(r), c.row(r), inner);
}

}  // namespace internal

// C = start + A·B with A rows x inner and B inner x columns; `columns` is a multiple of `lanes`.
inline void multiply(Left a, Panel<const float> b, Panel<const float> start, Panel<float> c, Index rows, Index inner,
                     Index columns) {
  constexpr int most = EIGEN_ARCH_DEFAULT_NUMBER_OF_REGISTERS >= 32 ? 7 : 3;  // 4 x most sums stay in registers
  const Index packets = columns / lanes;
  const Index panels = (packets + most - 1) / most;
  for (Index panel = 0, done = 0; panel < panels; ++panel) {
    const Index now = (packets - done) / (panels - panel);
    const Index at = done * lanes;
    internal::multiply_panel<most>(a, b.column(at), start.column(at), c.column(at), rows, inner, now);
    done += now;
  }
}

}  // namespace taut
