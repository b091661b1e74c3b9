// A kind of joint region: the conformity score of all targets of a row together. A new kind is one file and one line in
// region_list.cpp.
#pragma once

#include <taut/core/registry.hpp>
#include <taut/task/several/joint_row.hpp>

namespace taut {

// The region of one threshold.
class RegionAt {
 public:
  virtual ~RegionAt() = default;
  // Intervals of all targets that together hold the region. For a box they are the region.
  virtual void enclose(const JointRow& row, std::span<Interval> out) const = 0;
  // Infinite for an unbounded region.
  virtual double volume(const JointRow& row) const = 0;
};

// Rows that select the model, with scores of members that were not trained on them.
struct JointTraining {
  const JointTargets& targets;
  std::span<const JointRow> rows;
  const Matrix& y;  // rows x targets
};

class JointRegion {
 public:
  virtual ~JointRegion() = default;

  // Throws Error if these targets have no such region.
  virtual void fit(const JointTraining& training) { (void)training; }
  // The conformity score of the targets y. The region of a threshold q holds all y with a score of at most q.
  virtual double score(const JointRow& row, RowTarget y) const = 0;
  virtual std::unique_ptr<RegionAt> at(double threshold, const JointTargets& targets) const = 0;
  virtual bool is_box() const { return false; }
  // A sentence for the user if volumes are sampled.
  virtual std::string note_on_volume() const { return ""; }

  virtual void save(Archive) const {}  // NOLINT(performance-unnecessary-value-param): the others write to it
  virtual void load(const Archive&, Index /*targets*/) {}
};

Registry<JointRegion>& joint_regions();

}  // namespace taut
