#include <taut/task/number/distribution_report.hpp>

#include <taut/calibrate/rank.hpp>
#include <taut/core/threads.hpp>
#include <taut/metric/interval.hpp>

#include <cmath>
#include <optional>

namespace taut {

namespace {

constexpr Index block = 1 << 8;

// The CRPS of a row is a sum over all calibration rows. `max_terms` terms over all test rows take some seconds. Beyond that, each
// distribution is represented by fewer values, which changes only the last digits.
constexpr Index max_terms = 200'000'000;
constexpr Index min_values = 1000;

Index values_of_distribution(Index rows) { return std::max(min_values, max_terms / rows); }

double mean_of_rows(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

// One of `bands` simultaneous bands (Bonferroni). It contains the share of rows up to any rank from `low` to `high`.
Band band_between(Index rows, Index calibration_rows, Index low, Index high, std::size_t bands) {
  const double probability = 1 - (1 - band_probability) / static_cast<double>(bands);
  return {low == 0 ? 0 : coverage_band(rows, calibration_rows, low, probability).low,
          high == 0 ? 0 : coverage_band(rows, calibration_rows, high, probability).high};
}

// Quantiles below one half are lower bounds, those above it are upper bounds, and the median lies between the two
// (PredictiveDistribution::quantile).
Band expected_of_quantile(Index rows, const ScoreDistribution& distribution, double p) {
  const Index calibration_rows = distribution.rows(), lower = calibration_rows + 1 - distribution.rank(1 - p),
              upper = distribution.rank(p);
  return band_between(rows, calibration_rows, p > 0.5 ? upper : lower, p < 0.5 ? lower : upper,
                      DistributionReport::probabilities.size());
}

Band expected_of_p_value(Index rows, Index calibration_rows, double at_most) {
  // exact_rank rounds up; rounding down is n + 1 minus the rank of the complement.
  return band_between(rows, calibration_rows, calibration_rows + 1 - exact_rank(calibration_rows, 1 - at_most),
                      exact_rank(calibration_rows, at_most), DistributionReport::p_value_limits.size());
}

// A quantile of a row, and whether the row's target is below it or at it.
struct EvaluatedQuantile {
  double value = missing;
  PredictiveDistribution::Place place{false, false};
};

QuantileReport judge_quantile(const std::vector<EvaluatedQuantile>& quantiles, std::span<const double> y, double p,
                              const ScoreDistribution* distribution) {
  QuantileReport report{.p = p, .pinball = 0};
  double below = 0, at_or_below = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    report.pinball += taut::pinball(quantiles[i].value, y[i], p);
    below += quantiles[i].place.below ? 1 : 0;
    at_or_below += quantiles[i].place.at_or_below ? 1 : 0;
  }
  const auto rows = static_cast<double>(y.size());
  report.pinball = std::isfinite(report.pinball) ? report.pinball / rows : missing;
  report.below = below / rows;
  report.at_or_below = at_or_below / rows;
  if (distribution != nullptr) report.expected = expected_of_quantile(std::ssize(y), *distribution, p);
  return report;
}

}  // namespace

namespace {

class DistributionEvaluator {
 public:
  DistributionEvaluator(std::span<const double> y, bool has_sides, const RowUniforms& uniforms)
      : y_(y),
        uniforms_(uniforms),
        quantiles_(has_sides ? DistributionReport::probabilities.size() : 0, std::vector<EvaluatedQuantile>(y.size())),
        crps_(y.size()),
        p_values_(y.size()) {}

  bool has_sides() const { return !quantiles_.empty(); }
  void judge(Index row, const PredictiveDistribution& distribution, double crps) {
    const auto at = static_cast<std::size_t>(row);
    p_values_[at] = distribution.smoothed_p_value(y_[at], uniforms_[row]);
    for (std::size_t i = 0; i < quantiles_.size(); ++i) {
      const double p = DistributionReport::probabilities[i], value = distribution.quantile(p);
      quantiles_[i][at] = {value, distribution.place_at_quantile(y_[at], p, value)};
    }
    crps_[at] = crps;
  }

  // `distribution`: null if rows have different distributions; there are no bands then.
  DistributionReport report(const ScoreDistribution* distribution) const {
    DistributionReport report;
    for (const double limit : DistributionReport::p_value_limits) {
      const auto rows = std::count_if(p_values_.begin(), p_values_.end(), [&](double p) { return p <= limit; });
      report.p_values.push_back({limit, static_cast<double>(rows) / static_cast<double>(y_.size())});
      if (distribution != nullptr)
        report.p_values.back().expected = expected_of_p_value(std::ssize(y_), distribution->rows(), limit);
    }
    if (!has_sides()) return report;
    report.crps = mean_of_rows(crps_);
    report.pinball = 0;
    for (std::size_t i = 0; i < quantiles_.size(); ++i) {
      report.quantiles.push_back(judge_quantile(quantiles_[i], y_, DistributionReport::probabilities[i], distribution));
      report.pinball += report.quantiles.back().pinball / static_cast<double>(quantiles_.size());
    }
    return report;
  }

 private:
  std::span<const double> y_;
  const RowUniforms& uniforms_;
  std::vector<std::vector<EvaluatedQuantile>> quantiles_;
  std::vector<double> crps_, p_values_;
};

}  // namespace

DistributionReport evaluate_distribution(const ScoreDistribution& distribution, const TargetRange& range,
                                         const std::function<RowScore(Index)>& score_of_row, std::span<const double> y,
                                         const RowUniforms& uniforms, int threads, bool has_ends) {
  if (distribution.rows() == 0 || y.empty()) return {};
  DistributionEvaluator judge(y, distribution.has_sides(), uniforms);
  const Index max_values = values_of_distribution(std::ssize(y));
  std::optional<ScaleCrps> quick;
  if (distribution.has_sides() && !range.restricts() && !has_ends)
    if (const RowScore first = score_of_row(0); first.transform.is_scale() && first.scale.is_identity())
      quick.emplace(distribution, first.transform);
  parallel_blocks(std::ssize(y), block, threads, [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      const double value = y[static_cast<std::size_t>(row)];
      const RowScore score = score_of_row(row);
      const PredictiveDistribution own(distribution, score, range);
      const bool has_sides = distribution.has_sides();
      judge.judge(row, own, !has_sides ? missing : quick ? (*quick)(score, value) : own.crps_from(max_values, value));
    }
  });
  return judge.report(&distribution);
}

DistributionReport evaluate_distributions(const std::function<ScoreDistribution(Index)>& distribution_of_row,
                                          const TargetRange& range, const std::function<RowScore(Index)>& score_of_row,
                                          std::span<const double> y, const RowUniforms& uniforms, int threads) {
  if (y.empty()) return {};
  DistributionEvaluator judge(y, true, uniforms);
  parallel_blocks(std::ssize(y), block, threads, [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      const ScoreDistribution distribution = distribution_of_row(row);
      const PredictiveDistribution own(distribution, score_of_row(row), range);
      judge.judge(row, own, own.crps(y[static_cast<std::size_t>(row)]));
    }
  });
  return judge.report(nullptr);
}

}  // namespace taut
