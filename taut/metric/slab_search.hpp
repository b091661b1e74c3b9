// The search behind worst_slab: project, sort, scan, once per direction.
#pragma once

#include <taut/metric/slab.hpp>

#include <cstdint>
#include <vector>

namespace taut {

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
  SlabSearch(const Eigen::MatrixXf& columns, Covered z, Index least_rows, std::uint64_t seed);

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
  Index least_rows_;
  std::uint64_t seed_;
  SlabRun everything_;
};

}  // namespace taut
