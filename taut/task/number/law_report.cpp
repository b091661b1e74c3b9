#include <taut/task/number/law_report.hpp>

#include <taut/calibrate/rank.hpp>
#include <taut/core/threads.hpp>
#include <taut/metric/interval.hpp>

#include <cmath>
#include <optional>

namespace taut {

namespace {

constexpr Index block = 1 << 8;

// A CRPS looks at every calibration row, for every row that is judged: some seconds for so many looks. Of more, laws are
// represented by fewer values, which changes the last digits alone.
constexpr Index enough_looks = 200'000'000;
constexpr Index fewest_values = 1000;

Index values_of_law(Index rows) { return std::max(fewest_values, enough_looks / rows); }

double mean_of_rows(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

// Of `bands` bands, which hold together: at most a rank of `low` and at least a rank of `high` calibration scores.
Band band_between(Index rows, Index calibration_rows, Index low, Index high, std::size_t bands) {
  const double probability = 1 - (1 - band_probability) / static_cast<double>(bands);
  return {low == 0 ? 0 : coverage_band(rows, calibration_rows, low, probability).low,
          high == 0 ? 0 : coverage_band(rows, calibration_rows, high, probability).high};
}

// Quantiles below one half are lower bounds, those above it upper bounds, and one half lies between the two (RowLaw::quantile).
Band expected_of_quantile(Index rows, const Law& law, double p) {
  const Index calibration_rows = law.rows(), lower = calibration_rows + 1 - law.rank(1 - p), upper = law.rank(p);
  return band_between(rows, calibration_rows, p > 0.5 ? upper : lower, p < 0.5 ? lower : upper, LawReport::probabilities.size());
}

Band expected_of_p_value(Index rows, Index calibration_rows, double at_most) {
  // exact_rank rounds up, so the other direction is that of the complement.
  return band_between(rows, calibration_rows, calibration_rows + 1 - exact_rank(calibration_rows, 1 - at_most),
                      exact_rank(calibration_rows, at_most), LawReport::p_value_limits.size());
}

// A quantile of each row, and where the row's target lies to it.
struct JudgedQuantile {
  double value = missing;
  RowLaw::Place place{false, false};
};

QuantileReport judge_quantile(const std::vector<JudgedQuantile>& quantiles, std::span<const double> y, double p, const Law* law) {
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
  if (law != nullptr) report.expected = expected_of_quantile(std::ssize(y), *law, p);
  return report;
}

}  // namespace

namespace {

class LawJudge {
 public:
  LawJudge(std::span<const double> y, bool has_sides, const RowUniforms& uniforms)
      : y_(y),
        uniforms_(uniforms),
        quantiles_(has_sides ? LawReport::probabilities.size() : 0, std::vector<JudgedQuantile>(y.size())),
        crps_(y.size()),
        p_values_(y.size()) {}

  bool has_sides() const { return !quantiles_.empty(); }
  void judge(Index row, const RowLaw& law, double crps) {
    const auto at = static_cast<std::size_t>(row);
    p_values_[at] = law.smoothed_p_value(y_[at], uniforms_[row]);
    for (std::size_t i = 0; i < quantiles_.size(); ++i) {
      const double p = LawReport::probabilities[i], value = law.quantile(p);
      quantiles_[i][at] = {value, law.place_at_quantile(y_[at], p, value)};
    }
    crps_[at] = crps;
  }

  // `law`: null where rows have laws of their own, so that there are no bands.
  LawReport report(const Law* law) const {
    LawReport report;
    for (const double limit : LawReport::p_value_limits) {
      const auto rows = std::count_if(p_values_.begin(), p_values_.end(), [&](double p) { return p <= limit; });
      report.p_values.push_back({limit, static_cast<double>(rows) / static_cast<double>(y_.size())});
      if (law != nullptr) report.p_values.back().expected = expected_of_p_value(std::ssize(y_), law->rows(), limit);
    }
    if (!has_sides()) return report;
    report.crps = mean_of_rows(crps_);
    report.pinball = 0;
    for (std::size_t i = 0; i < quantiles_.size(); ++i) {
      report.quantiles.push_back(judge_quantile(quantiles_[i], y_, LawReport::probabilities[i], law));
      report.pinball += report.quantiles.back().pinball / static_cast<double>(quantiles_.size());
    }
    return report;
  }

 private:
  std::span<const double> y_;
  const RowUniforms& uniforms_;
  std::vector<std::vector<JudgedQuantile>> quantiles_;
  std::vector<double> crps_, p_values_;
};

}  // namespace

LawReport judge_law(const Law& law, const TargetRange& range, const std::function<RowScore(Index)>& score_of_row,
                    std::span<const double> y, const RowUniforms& uniforms, int threads, bool has_ends) {
  if (law.rows() == 0 || y.empty()) return {};
  LawJudge judge(y, law.has_sides(), uniforms);
  const Index most_values = values_of_law(std::ssize(y));
  std::optional<ScaleCrps> quick;
  if (law.has_sides() && !range.restricts() && !has_ends)
    if (const Transform& transform = score_of_row(0).transform; transform.is_scale()) quick.emplace(law, transform);
  parallel_blocks(std::ssize(y), block, threads, [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      const double value = y[static_cast<std::size_t>(row)];
      const RowScore score = score_of_row(row);
      const RowLaw own(law, score, range);
      judge.judge(row, own, !law.has_sides() ? missing : quick ? (*quick)(score, value) : own.crps_from(most_values, value));
    }
  });
  return judge.report(&law);
}

LawReport judge_laws(const std::function<Law(Index)>& law_of_row, const TargetRange& range,
                     const std::function<RowScore(Index)>& score_of_row, std::span<const double> y, const RowUniforms& uniforms,
                     int threads) {
  if (y.empty()) return {};
  LawJudge judge(y, true, uniforms);
  parallel_blocks(std::ssize(y), block, threads, [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      const Law law = law_of_row(row);
      const RowLaw own(law, score_of_row(row), range);
      judge.judge(row, own, own.crps(y[static_cast<std::size_t>(row)]));
    }
  });
  return judge.report(nullptr);
}

}  // namespace taut
