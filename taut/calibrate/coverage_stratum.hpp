// What is known beforehand of how many new rows are covered at a level, the calibration rows being random too.
//
// With n calibration scores and rank k the coverage is Beta(k, n + 1 − k), so the number of covered rows among m new ones is
// Beta-binomial(m; k, n + 1 − k). Where rows do not all count alike, the new rows fall into strata: independent of one another
// where they have calibration rows of their own, and each with such a distribution, exact or wider than the true one.
#pragma once

#include <taut/core/types.hpp>

namespace taut {

class Law;

struct CoverageStratum {
  Index units = 0;  // new rows, or groups of them where a group counts once
  // Of the lower end: the coverage of a unit is Beta(hits, misses). No misses: all are covered; no hits: nothing is promised.
  double hits = 0, misses = 1;
  // Of the upper end, where ties may have raised the coverage.
  double most_hits = 1, least_misses = 0;
};

// The exact distribution for rows that share calibration rows of weight 1.
CoverageStratum exact_stratum(const Law& law, Index units, double confidence);
// As with `effective_rows` calibration rows of weight 1; the mean coverage is between the two given.
CoverageStratum effective_stratum(Index units, double effective_rows, double at_least, double at_most);

// How many rows of equal weight would leave the coverage as uncertain as rows with these weights do in the worst case, in which
// the rows that are not covered are those of the largest weights: β (1 − β) Σ(w)² / (β² Σ_missed(w²) + (1 − β)² Σ_covered(w²)).
// Without that dependence it is Σ(w)² / Σ(w²). Weights in falling order.
double effective_rows_at_worst(std::span<const double> falling_weights, double confidence);

// The share of the weight at or below the quantile, equal scores included; 1 where the quantile is infinite.
double share_with_ties(const Law& law, double confidence);

// At most this many rows, evenly spread: enough for means over rows that steer a bound.
Rows thinned_rows(RowsView rows, std::size_t most = 2000);

}  // namespace taut
