// The bodies of the kernels, included once by each file that compiles them for an instruction set, named by TAUT_INSTRUCTIONS.
//
// Do not include headers with inline functions here. The linker keeps one copy of such a function for the whole program, and
// might keep one that only some processors can run.
#include <taut/trees/kernels.hpp>

#include <cstring>

#define TAUT_JOIN_NAMES(a, b) a##b
#define TAUT_JOIN(a, b) TAUT_JOIN_NAMES(a, b)
#define TAUT_KERNELS TAUT_JOIN(trees_, TAUT_INSTRUCTIONS)

namespace taut::TAUT_KERNELS {
namespace {

// The leaf of each row below a node whose children are the leaves `left` and left + 1.
TAUT_ALWAYS_INLINE void select_leaf(const std::uint8_t* __restrict cells, std::uint8_t cut, std::uint8_t left,
                                    std::uint8_t* __restrict result) {
  for (std::size_t r = 0; r < rows_of_byte_block; ++r) result[r] = static_cast<std::uint8_t>(left + (cells[r] >= cut ? 1 : 0));
}

// The leaf of each row below any other node. It has no branch, and no load that depends on the comparison.
TAUT_ALWAYS_INLINE void select_child(const std::uint8_t* __restrict cells, std::uint8_t cut, const std::uint8_t* __restrict left,
                                     const std::uint8_t* __restrict right, std::uint8_t* __restrict result) {
  for (std::size_t r = 0; r < rows_of_byte_block; ++r) {
    const std::uint8_t goes_right = cells[r] >= cut ? 255 : 0;
    result[r] = static_cast<std::uint8_t>(left[r] ^ ((left[r] ^ right[r]) & goes_right));
  }
}

// Adds the value of each row's leaf.
TAUT_ALWAYS_INLINE void add_one_by_one(const std::uint8_t* __restrict leaf, const float* __restrict values,
                                       float* __restrict sums) {
  constexpr std::size_t together = 8;
  for (std::size_t r = 0; r < rows_of_byte_block; r += together) {
    float added[together];
    for (std::size_t k = 0; k < together; ++k) added[k] = values[leaf[r + k]];
    for (std::size_t k = 0; k < together; ++k) sums[r + k] += added[k];
  }
}

// A binary search without branches, for all rows of the block together: a step compares each cell with a threshold that depends
// on the thresholds that it has reached.
TAUT_ALWAYS_INLINE void step_one_by_one(const float* __restrict cells, const float* __restrict thresholds, std::int32_t step,
                                        std::int32_t* __restrict reached) {
  for (std::size_t r = 0; r < rows_of_byte_block; ++r) reached[r] += cells[r] >= thresholds[reached[r]] ? step : 0;
}

#if defined(__AVX2__) && defined(__GNUC__) && !defined(__clang__)
// Small tables stay in registers, where shuffles look numbers up: Clang has no shuffle by numbers that are known at run time
// only.
#if defined(__AVX512F__)
constexpr int width = 16;
#else
constexpr int width = 8;
#endif
using Floats = float __attribute__((vector_size(width * sizeof(float))));
using Integers = std::int32_t __attribute__((vector_size(width * sizeof(std::int32_t))));

template <class Vector, class Number>
TAUT_ALWAYS_INLINE Vector load(const Number* from) {
  Vector vector;
  std::memcpy(&vector, from, sizeof vector);
  return vector;
}
template <class Vector, class Number>
TAUT_ALWAYS_INLINE void store(Number* to, Vector vector) {
  std::memcpy(to, &vector, sizeof vector);
}

// A table of `pairs` times 2 · width numbers.
constexpr int numbers_of_pair = 2 * width, max_pairs = 4;
template <int pairs>
struct Lookup {
  Floats low[pairs], high[pairs];

  TAUT_ALWAYS_INLINE explicit Lookup(const float* numbers) {
#pragma GCC unroll 4
    for (int p = 0; p < pairs; ++p) {
      low[p] = load<Floats>(numbers + p * numbers_of_pair);
      high[p] = load<Floats>(numbers + p * numbers_of_pair + width);
    }
  }
  TAUT_ALWAYS_INLINE Floats at(Integers places) const {
    Floats found = __builtin_shuffle(low[0], high[0], places);  // by the last bits of the place
#pragma GCC unroll 4
    for (int p = 1; p < pairs; ++p) found = places >= p * numbers_of_pair ? __builtin_shuffle(low[p], high[p], places) : found;
    return found;
  }
};

template <int pairs>
TAUT_ALWAYS_INLINE void add_from_table(const std::uint8_t* leaf, const float* values, float* sums) {
  const Lookup<pairs> table(values);
  std::int32_t places[rows_of_byte_block];
  for (std::size_t r = 0; r < rows_of_byte_block; ++r) places[r] = leaf[r];
  for (std::size_t r = 0; r < rows_of_byte_block; r += width)
    store(sums + r, load<Floats>(sums + r) + table.at(load<Integers>(places + r)));
}

TAUT_ALWAYS_INLINE void add_leaves(const std::uint8_t* leaf, int leaves, const float* values, float* sums) {
  static_assert(padding_of_leaf_values >= static_cast<std::size_t>(max_pairs * numbers_of_pair));
  if (leaves <= numbers_of_pair) return add_from_table<1>(leaf, values, sums);
  if (leaves <= 2 * numbers_of_pair) return add_from_table<2>(leaf, values, sums);
  if (leaves <= max_pairs * numbers_of_pair) return add_from_table<max_pairs>(leaf, values, sums);
  add_one_by_one(leaf, values, sums);
}

template <int pairs>
TAUT_ALWAYS_INLINE void step_from_table(const float* cells, const float* thresholds, std::int32_t step, int shift,
                                        std::int32_t* reached) {
  const Lookup<pairs> table(thresholds);
  for (std::size_t r = 0; r < rows_of_byte_block; r += width) {
    const auto own = load<Integers>(reached + r);
    store(reached + r, own + ((load<Floats>(cells + r) >= table.at(own >> shift)) & step));
  }
}

// The places that rows can have reached are multiples of 2 · step.
TAUT_ALWAYS_INLINE void take_step(const float* cells, ByteThresholds thresholds, std::int32_t step, int places,
                                  std::int32_t* reached) {
  const float* const next = thresholds.values + step - 1;
  if (places > max_pairs * numbers_of_pair) return step_one_by_one(cells, next, step, reached);
  float of_places[max_pairs * numbers_of_pair];
  for (int k = 0; k < places; ++k) of_places[k] = next[2 * k * step];
  for (int k = places; k < numbers_of_pair; ++k) of_places[k] = 0;
  const int shift = __builtin_ctz(static_cast<unsigned>(2 * step));
  if (places <= numbers_of_pair) return step_from_table<1>(cells, of_places, step, shift, reached);
  if (places <= 2 * numbers_of_pair) return step_from_table<2>(cells, of_places, step, shift, reached);
  step_from_table<max_pairs>(cells, of_places, step, shift, reached);
}
#else
TAUT_ALWAYS_INLINE void add_leaves(const std::uint8_t* leaf, int, const float* values, float* sums) {
  add_one_by_one(leaf, values, sums);
}
TAUT_ALWAYS_INLINE void take_step(const float* cells, ByteThresholds thresholds, std::int32_t step, int, std::int32_t* reached) {
  step_one_by_one(cells, thresholds.values + step - 1, step, reached);
}
#endif

void count_reached(const float* __restrict cells, ByteThresholds thresholds, std::uint8_t missing, ByteList& bytes) {
  std::int32_t reached[rows_of_byte_block] = {};
  int places = 1;
  for (std::int32_t step = thresholds.first_step; step > 0; step /= 2, places *= 2)
    take_step(cells, thresholds, step, places, reached);
  const std::int32_t count = thresholds.count, absent = missing;
  for (std::size_t r = 0; r < rows_of_byte_block; ++r) {
    const std::int32_t limited = reached[r] < count ? reached[r] : count;
    bytes.of_row[r] = static_cast<std::uint8_t>(cells[r] != cells[r] ? absent : limited);
  }
}

void add_trees(const ByteTrees& trees, const ByteList* columns, ByteList* leaves, float* sums) {
  std::size_t output = 0;
  for (std::size_t t = 0; t < trees.count; ++t) {
    const ByteTree& tree = trees.trees[t];
    const ByteNode* node = trees.nodes + tree.first_node;
    for (const ByteNode* const end = node + tree.pairs; node != end; ++node)
      select_leaf(columns[node->column].of_row, node->cut, static_cast<std::uint8_t>(node->left), leaves[node->result].of_row);
    for (const ByteNode* const end = node + tree.others; node != end; ++node)
      select_child(columns[node->column].of_row, node->cut, leaves[node->left].of_row, leaves[node->right].of_row,
                   leaves[node->result].of_row);
    add_leaves(leaves[tree.root].of_row, tree.leaves, trees.values + tree.first_value, sums + output * rows_of_byte_block);
    if (++output == trees.outputs) output = 0;
  }
}

}  // namespace

const TreeKernels kernels = {count_reached, add_trees};

}  // namespace taut::TAUT_KERNELS
