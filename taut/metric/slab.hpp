// Worst-slab coverage, and the search behind it.
#pragma once

#include <taut/metric/conditional.hpp>

#include <cstdint>
#include <vector>

namespace taut {

// Worst-slab coverage (Cauchois, Gupta and Duchi): the lowest coverage over slabs {x : low <= v·x <= high} that hold at least a
// share δ of the rows, over random directions v.

struct Slab {
  std::vector<float> direction;  // v, unit length
  float low, high;               // the slab is low <= v·x <= high
  Index rows;                    // inside, among the rows searched
  double coverage;               // of those

  // Which of other rows are inside, and the coverage of those, NaN when there are none.
  Rows inside(const Inputs& other) const;
  double coverage_of(const Inputs& other, Covered z) const;
};

// The worst slab for these rows, exactly: for every direction all slabs with at least ⌈δn⌉ rows are compared, and rows with
// equal projections are in or out together. Ties go to the earlier direction. Cells that are not finite count as 0, the centre
// of a standardised column. Projections are floats rounded to 23 bits. There must be at least one row; columns may be none.
Slab worst_slab(const Inputs& x, Covered z, double delta, Index directions, std::uint64_t seed, int threads);

// Its coverage, on the rows it was searched on (biased downwards: the minimum of many noisy values). NaN without rows.
double worst_slab_coverage(const Inputs& x, Covered z, double delta = 0.1, Index directions = 1000, std::uint64_t seed = 0,
                           int threads = 0);

// Searched on one random half, reported on the other, hence without that bias.
struct HeldOutSlab {
  Slab slab;
  Index rows;       // of the other half inside the slab
  double coverage;  // of those; NaN when there are none
};
// There must be at least two rows.
HeldOutSlab held_out_worst_slab(const Inputs& x, Covered z, double delta = 0.1, Index directions = 1000, std::uint64_t seed = 0,
                                int threads = 0);

// Its coverage. NaN when the slab holds none of the other half.
double held_out_worst_slab_coverage(const Inputs& x, Covered z, double delta = 0.1, Index directions = 1000,
                                    std::uint64_t seed = 0, int threads = 0);

// The search behind worst_slab: project, sort, scan, once per direction.

// A run of rows in the order of their projections, whole groups of equal projections only.
struct SlabRun {
  std::int64_t hits, rows;    // coverage = hits / rows, compared exactly as a fraction
  std::uint32_t first, last;  // keys of the lowest and the highest projection
  Index direction;

  bool worse_than(const SlabRun& other) const { return hits * other.rows < other.hits * rows; }
};

class SlabSearch {
 public:
  // `columns` is column-major, so that projecting runs along memory; it and z must outlive the search.
  SlabSearch(const Eigen::MatrixXf& columns, Covered z, Index min_rows, std::uint64_t seed);

  Slab worst(Index directions, int threads) const;

 private:
  struct Workspace;

  std::vector<float> direction(Index number) const;
  void project(Workspace& work, Index first, Index count) const;
  void sort(Workspace& work, const float* projections) const;
  void gather(Workspace& work) const;
  void scan(const Workspace& work, Index number, SlabRun& worst) const;

  const Eigen::MatrixXf& columns_;
  Covered z_;
  Index min_rows_;
  std::uint64_t seed_;
  SlabRun everything_;
};

}  // namespace taut
