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

// The energy score at y of values (rows x targets) with these weights, which are equal if there are none, in units of `spreads`.
// Its second term is that of random pairs. NaN for fewer than two values.
double energy_score(const Matrix& values, std::span<const double> y, std::span<const double> spreads,
                    std::span<const double> weights = {});

}  // namespace taut
