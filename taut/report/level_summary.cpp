#include <taut/report/level_summary.hpp>

#include <taut/calibrate/row_score.hpp>
#include <taut/metric/conditional.hpp>
#include <taut/metric/interval.hpp>
#include <taut/metric/metric.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace taut {

namespace {

constexpr Index most_width_bins = 10;
constexpr Index least_compared = 100;  // rows; a comparison of widths on fewer says little

// The bins of the metric size_stratified_coverage, so that its value is the least coverage in the picture.
std::vector<WidthBin> bins_by_width(std::span<const Interval> intervals, std::span<const double> y) {
  std::vector<WidthBin> bins;
  for (const CoverageBin& bin : size_stratified_coverage(intervals, y, coverage_groups(static_cast<Index>(y.size()))))
    bins.push_back({bin.low, bin.high, bin.rows, static_cast<Index>(std::llround(bin.coverage * static_cast<double>(bin.rows)))});
  return bins;
}

double mean_of_range(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

LevelSummarizer::LevelSummarizer(const TestRows& rows, const DrawnColumns& drawn, std::string unit,
                                 const ExecutionContext& context)
    : rows_(rows), drawn_(drawn), unit_(std::move(unit)), context_(context) {}

Index LevelSummarizer::groups() const {
  return drawn_.groups() + most_width_bins + static_cast<Index>(RegionSearch::most_regions) + 1;  // and the worst slab
}

LevelSummary LevelSummarizer::summarize(std::span<const Interval> intervals, double level, Effort effort) const {
  const Law& law = rows_.model.law();
  const std::vector<std::uint8_t> covered = taut::covered(intervals, rows_.y);
  const bool in_order = rows_.model.options().is_in_order();
  std::vector<CoverageStratum> strata;
  if (!rows_.is_plain()) strata = rows_.chance.strata(level, all_rows(rows_.rows()));
  LevelSummary summary{.report = {level, law.rank(level), in_order ? missing : law.delivered(level), {}},
                       .expected = ExpectedRanges(law, level, rows_.rows(), groups(), strata),
                       .covered = std::accumulate(covered.begin(), covered.end(), Index{0})};
  add_metrics(intervals, covered, effort, summary);
  summary.width = summarize_widths(intervals, summary);
  summary.groups.by_width = bins_by_width(intervals, rows_.y);
  for (const Bins& bins : drawn_.bins) summary.groups.covered.push_back(bins.count(covered));
  summary.groups.regions = rows_.search.find(covered, level, summary.expected);
  summary.failures = list_failures(summary.groups, drawn_, summary.expected, width_groups(summary.groups, unit_));
  summary.answer = answer_of(summary);
  return summary;
}

void LevelSummarizer::add_metrics(std::span<const Interval> intervals, std::span<const std::uint8_t> covered, Effort effort,
                                  LevelSummary& summary) const {
  const Law& law = rows_.model.law();
  const double level = summary.report.confidence;
  const auto seed = static_cast<std::uint64_t>(rows_.model.options().seed);
  const Inputs inputs(rows_.inputs);
  const Inputs* const x = rows_.inputs.cols() > 0 ? &inputs : nullptr;
  Judged judged{intervals, rows_.y, level, x, law.rows(), summary.report.rank, law.last_rank(level), seed, context_.threads};
  if (!rows_.is_plain()) judged.band = rows_.chance.at(level).band();
  const bool all = effort == Effort::all_metrics;
  std::optional<HeldOutSlab> slab;
  if (all && x != nullptr && rows_.rows() >= 2) slab = held_out_worst_slab(inputs, covered, 0.1, 1000, seed, context_.threads);
  for (const auto& entry : metrics().entries()) {
    const auto metric = metrics().make(entry.name);
    if (metric->needs_inputs() && !all) continue;
    // Already found above: the search takes longest.
    const bool known = slab && entry.name == "worst_slab_coverage";
    summary.report.metrics.emplace_back(entry.name, known ? slab->coverage : metric->value(judged));
  }
  // Without misses the worst slab is all rows.
  if (slab && slab->rows > 0 && std::isfinite(slab->slab.low))
    summary.groups.slab = slab_in_words(rows_.features, rows_.inputs, rows_.columns_of_inputs, *slab, covered, summary.expected);
}

WidthSummary LevelSummarizer::summarize_widths(std::span<const Interval> intervals, const LevelSummary& summary) const {
  std::vector<double> finite;
  for (const double width : widths(intervals))
    if (std::isfinite(width)) finite.push_back(width);
  WidthSummary result;
  if (finite.empty()) return result;
  std::sort(finite.begin(), finite.end());
  const std::size_t tenth = (finite.size() + 9) / 10;
  result.mean = summary.report.metric("mean_width");
  result.narrow = mean_of_range(std::span(finite).first(tenth));
  result.wide = mean_of_range(std::span(finite).last(tenth));
  const bool all_finite = static_cast<Index>(finite.size()) == rows_.rows();
  // Widths of (f + d) - (f - d) differ by rounding.
  result.all_equal = all_finite && finite.back() - finite.front() <= 1e-9 * finite.front();
  const double change = 100 * (result.mean / constant_width(summary.covered) - 1);
  if (rows_.rows() >= least_compared && all_finite && !result.all_equal && std::abs(change) < 1e6)
    result.against_constant = static_cast<int>(std::lround(change));
  return result;
}

// The mean width if one width for all rows covered as many of them.
double LevelSummarizer::constant_width(Index covered) const {
  if (covered < 1) return missing;
  const double half = rows_.residuals[static_cast<std::size_t>(covered - 1)];
  const TargetRange& range = rows_.range();
  if (!range.restricts()) return 2 * half;
  const auto fixed = transforms().make("fixed");
  std::vector<Interval> intervals;
  for (const double f : rows_.f) intervals.push_back(RowScore{f, 1, *fixed, nullptr, nullptr}.at_most(half, range));
  return mean_width(intervals);
}

Answer LevelSummarizer::answer_of(const LevelSummary& summary) const {
  AnswerInputs inputs;
  inputs.confidence = summary.report.confidence;
  inputs.rows = rows_.rows();
  inputs.covered = summary.covered;
  inputs.calibration_rows = rows_.model.law().rows();
  inputs.rank = summary.report.rank;
  inputs.sure = rows_.model.law().sure();
  inputs.expected = summary.expected.of(rows_.rows());
  inputs.most_without_ties = summary.expected.most_without_ties();
  inputs.range_restricts = rows_.range().restricts();
  inputs.in_order = rows_.model.options().is_in_order();
  inputs.is_plain = rows_.is_plain();
  inputs.width = summary.width;
  inputs.infinite = static_cast<Index>(summary.report.metric("infinite"));
  inputs.unit = unit_;
  for (const Alarm& alarm : rows_.alarms) inputs.alarms.push_back(alarm.words);
  if (!summary.failures.empty()) inputs.weakest = summary.failures.front();
  return answer(inputs);
}

}  // namespace taut
