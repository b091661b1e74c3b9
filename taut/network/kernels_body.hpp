// The bodies of the kernels, included once by each file that compiles them for an instruction set, named by TAUT_INSTRUCTIONS.
//
// Do not include headers with inline functions here. The linker keeps one copy of such a function for the whole program, and
// might keep one that only some processors can run.
#include <taut/network/kernels.hpp>

#define TAUT_JOIN_NAMES(a, b) a##b
#define TAUT_JOIN(a, b) TAUT_JOIN_NAMES(a, b)
#define TAUT_KERNELS TAUT_JOIN(network_, TAUT_INSTRUCTIONS)

namespace taut::TAUT_KERNELS {
namespace {

using Index = std::ptrdiff_t;

#if defined(__AVX512F__)
constexpr int width = 16, registers = 32;
#elif defined(__AVX__)
constexpr int width = 8, registers = 16;
#elif defined(__aarch64__)
constexpr int width = 4, registers = 32;
#else
constexpr int width = 4, registers = 16;
#endif

using Packet = float __attribute__((vector_size(width * sizeof(float))));
using Unaligned = float __attribute__((vector_size(width * sizeof(float)), aligned(alignof(float)), may_alias));

TAUT_ALWAYS_INLINE Packet load(const float* from) { return *reinterpret_cast<const Unaligned*>(from); }
TAUT_ALWAYS_INLINE void store(float* to, Packet packet) { *reinterpret_cast<Unaligned*>(to) = packet; }

template <int rows, int packets>
void multiply_tile(Left a, Panel<const float> b, Panel<const float> start, Panel<float> c, Index inner) {
  Packet sum[rows][packets];
#pragma GCC unroll 8
  for (int r = 0; r < rows; ++r)
#pragma GCC unroll 8
    for (int p = 0; p < packets; ++p) sum[r][p] = load(start.data + r * start.step + p * width);
  for (Index k = 0; k < inner; ++k) {
    float left[rows];
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) left[r] = a.data[r * a.row_step];
#pragma GCC unroll 8
    for (int p = 0; p < packets; ++p) {
      const Packet right = load(b.data + p * width);
#pragma GCC unroll 8
      for (int r = 0; r < rows; ++r) sum[r][p] += left[r] * right;
    }
    a.data += a.column_step;
    b.data += b.step;
  }
#pragma GCC unroll 8
  for (int r = 0; r < rows; ++r)
#pragma GCC unroll 8
    for (int p = 0; p < packets; ++p) store(c.data + r * c.step + p * width, sum[r][p]);
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

void multiply(Left a, Panel<const float> b, Panel<const float> start, Panel<float> c, Index rows, Index inner, Index columns) {
  constexpr int max_packets = registers >= 32 ? 7 : 3;  // 4 x max_packets sums stay in registers
  const Index packets = columns / width;
  const Index panels = (packets + max_packets - 1) / max_packets;
  for (Index panel = 0, done = 0; panel < panels; ++panel) {
    const Index now = (packets - done) / (panels - panel);
    const Index at = done * width;
    multiply_panel<max_packets>(a, b.column(at), start.column(at), c.column(at), rows, inner, now);
    done += now;
  }
}

// Transposes blocks of 4 x 4. The last block overlaps the one before it, so that it stays inside the matrix.
void transpose(Panel<const float> from, Index rows, Index columns, Panel<float> to) {
  using Four = float __attribute__((vector_size(4 * sizeof(float))));
  using UnalignedFour = float __attribute__((vector_size(4 * sizeof(float)), aligned(alignof(float)), may_alias));
  if (rows < 4 || columns < 4) {
    for (Index r = 0; r < rows; ++r)
      for (Index c = 0; c < columns; ++c) to.data[c * to.step + r] = from.data[r * from.step + c];
    return;
  }
  for (Index r = 0; r < rows; r += 4) {
    const Index top = r < rows - 4 ? r : rows - 4;
    for (Index c = 0; c < columns; c += 4) {
      const Index left = c < columns - 4 ? c : columns - 4;
      const auto row = [&](Index i) -> Four {
        return *reinterpret_cast<const UnalignedFour*>(from.data + (top + i) * from.step + left);
      };
      const auto put = [&](Index i, Four four) {
        *reinterpret_cast<UnalignedFour*>(to.data + (left + i) * to.step + top) = four;
      };
      const Four a = row(0), b = row(1), e = row(2), f = row(3);
      const Four low_ab = __builtin_shufflevector(a, b, 0, 4, 1, 5), high_ab = __builtin_shufflevector(a, b, 2, 6, 3, 7);
      const Four low_ef = __builtin_shufflevector(e, f, 0, 4, 1, 5), high_ef = __builtin_shufflevector(e, f, 2, 6, 3, 7);
      put(0, __builtin_shufflevector(low_ab, low_ef, 0, 1, 4, 5));
      put(1, __builtin_shufflevector(low_ab, low_ef, 2, 3, 6, 7));
      put(2, __builtin_shufflevector(high_ab, high_ef, 0, 1, 4, 5));
      put(3, __builtin_shufflevector(high_ab, high_ef, 2, 3, 6, 7));
    }
  }
}

// The loop runs over whole blocks of `lanes`, so that the compiler makes no separate loop for the last elements, which might
// round differently.
template <class Element>
TAUT_ALWAYS_INLINE void for_each_lane(Index count, const Element& element) {
  for (Index begin = 0; begin < count; begin += lanes)
    for (Index i = begin; i < begin + lanes; ++i) element(i);
}

void rectify(float* z, Index count) {
  for_each_lane(count, [=](Index i) { z[i] = z[i] > 0 ? z[i] : 0; });
}

void apply_smooth_activation(float* __restrict z, float* __restrict slopes, Index count) {
  if (slopes == nullptr) {
    for_each_lane(count, [=](Index i) { z[i] *= 0.5F + 0.5F * (z[i] / __builtin_sqrtf(1 + z[i] * z[i])); });
    return;
  }
  for_each_lane(count, [=](Index i) {
    const float s = z[i] / __builtin_sqrtf(1 + z[i] * z[i]);
    slopes[i] = 0.5F + 0.5F * s * (2 - s * s);
    z[i] *= 0.5F + 0.5F * s;
  });
}

void keep_where_positive(float* __restrict values, const float* __restrict condition, Index count) {
  for_each_lane(count, [=](Index i) { values[i] = condition[i] > 0 ? values[i] : 0; });
}

void scale(float* __restrict values, const float* __restrict factors, Index count) {
  for_each_lane(count, [=](Index i) { values[i] *= factors[i]; });
}

// The averages of a dead neuron decay towards zero. Products with them would become subnormal numbers, on which arithmetic is a
// hundred times slower. Adding and subtracting this constant stops the decay at about 1e-27. The error is far below ε.
constexpr float flush = 1e-20F;

void adam(const AdamStep& step, float* __restrict parameters, const float* __restrict gradient, float* __restrict mean,
          float* __restrict square, Index count) {
  const AdamStep s = step;  // a copy, so that the compiler need not reload it after each store
  for (Index i = 0; i < count; ++i) {
    mean[i] = (s.mean_decay * mean[i] + s.mean_share * gradient[i] + flush) - flush;
    square[i] = (s.square_decay * square[i] + s.square_share * (gradient[i] * gradient[i]) + flush) - flush;
    parameters[i] = parameters[i] * s.kept - s.rate * mean[i] / (__builtin_sqrtf(square[i]) + s.epsilon);
  }
}

}  // namespace

const NetworkKernels kernels = {multiply, transpose, rectify, apply_smooth_activation, keep_where_positive, scale, adam};

}  // namespace taut::TAUT_KERNELS
