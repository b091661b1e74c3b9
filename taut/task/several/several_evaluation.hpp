// The evaluation of joint regions.
#pragma once

#include <taut/model/evaluation.hpp>

#include <string>
#include <vector>

namespace taut {

// The coverage of one target by the box around the region, and by the intervals of that target alone.
struct TargetCoverage {
  std::string target;
  std::vector<double> in_box, alone;  // by level; `alone` is NaN without calibration rows that are kept
};

struct SeveralEvaluation : Evaluation {
  std::string region;
  std::vector<TargetCoverage> targets;
  // Of random values of the joint distribution: mean |s − y| − ½ mean |s − s'|, each target divided by its mean distance from the
  // median in training rows. NaN without kept calibration rows.
  double energy_score = missing;

 private:
  std::string metric_summary(const std::string& name) const override;
  void add_facts(Value& evaluation) const override;
  std::string describe_more() const override;
};

// The energy score of equally probable values (rows x targets) at y, in units of `spreads`. At most `max_pairs` pairs of
// neighbours in the order of the rows are used for the second term.
double energy_score(const Matrix& values, std::span<const double> y, std::span<const double> spreads);

}  // namespace taut
