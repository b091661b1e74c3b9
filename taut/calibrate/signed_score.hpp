// t(y; x): how far y lies from f(x) and on which side, as one strictly increasing function of y.
#pragma once

#include <taut/calibrate/residuals.hpp>

#include <compare>

namespace taut {

// Scores of one side are ordered by size: outward from f above it, inward to f below it. Everything below f comes first. For a
// scale family this is the order of (y − f) / s_side, without the loss of digits that a signed logarithm would bring.
struct SignedScore {
  Side side;
  double score;

  friend std::partial_ordering operator<=>(const SignedScore& a, const SignedScore& b) {
    if (a.side != b.side) return a.side <=> b.side;
    return a.side == Side::below ? b.score <=> a.score : a.score <=> b.score;
  }
  friend bool operator==(const SignedScore&, const SignedScore&) = default;
};

}  // namespace taut
