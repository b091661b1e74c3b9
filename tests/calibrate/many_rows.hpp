// Rows with scores of any transformation, for tests of the distribution of ranks.
#pragma once

#include <taut/calibrate/rank.hpp>
#include <taut/calibrate/row_score.hpp>
#include <taut/calibrate/score_distribution.hpp>
#include <taut/core/random.hpp>
#include <taut/transform/transform.hpp>

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace taut {

// n + 1 rows, each with its own prediction and parameters, and each in turn the new one. If their scores differ, exactly k of the
// n + 1 are at or below the k-th smallest of the others, whatever the numbers are. So the distribution of ranks is tested without
// randomness.
struct ManyRows {
  std::unique_ptr<Transform> phi;
  ScoreScale scale;
  std::vector<double> f, y, unit;
  std::vector<std::vector<double>> below, above;

  // `parts`: a transformation and, after a blank, a scale of the score; targets are then positive, or 0 after rounding.
  ManyRows(const std::string& parts, Index count, std::uint64_t seed, const std::function<double(double)>& rounded)
      : phi(transforms().make(parts.substr(0, parts.find(' ')))) {
    if (const auto blank = parts.find(' '); blank != std::string::npos) scale = ScoreScale(parts.substr(blank + 1), {});
    Random random(seed);
    for (Index i = 0; i < count; ++i) {
      f.push_back(rounded(2 * random.normal()));
      y.push_back(rounded(f.back() + random.normal() * (random.uniform() < 0.3 ? 4 : 1)));
      unit.push_back(1.7);
      if (!scale.is_identity()) {
        f.back() = std::exp(f.back() / 2);
        y.back() = rounded(std::exp(y.back() / 2));
      }
      for (auto* side : {&below, &above}) {
        side->emplace_back(static_cast<std::size_t>(phi->n_params()) + 1);
        phi->initial(side->back().data());
        for (double& one : side->back()) one += 0.4 * random.normal();
      }
    }
  }

  Index count() const { return std::ssize(y); }
  RowScore score(std::size_t i) const {
    return {scale.centre(f[i]), unit[i], *phi, below[i].data(), above[i].data(), f[i], scale};
  }
  ScoreDistribution distribution_without(std::size_t left_out) const {
    std::vector<double> scores;
    std::vector<Side> sides;
    for (std::size_t i = 0; i < y.size(); ++i) {
      if (i == left_out) continue;
      const SignedScore own = score(i).signed_at(y[i]);
      scores.push_back(own.score);
      sides.push_back(own.side);
    }
    return ScoreDistribution(scores, sides);
  }
};

inline double as_it_is(double value) { return value; }

}  // namespace taut
