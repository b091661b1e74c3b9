#include <taut/report/levels.hpp>

#include <taut/metric/interval.hpp>
#include <taut/report/document.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace taut {

namespace {

constexpr Index max_columns = 24;  // in charts
constexpr Index max_parts_by_size = 10;

bool same_level(double a, double b) { return std::abs(a - b) < 1e-12; }

// True for the levels at which every metric is computed. Slow metrics are left out at the others.
bool takes_all_metrics(double level, double confidence) {
  return same_level(level, confidence) || same_level(level, 0.8) || same_level(level, 0.9) || same_level(level, 0.95);
}

// Calls visit(level, its position in the block, intervals of all rows). Levels are predicted in blocks to limit memory.
template <class Visit>
void for_each_level(ReportContents& contents, std::span<const double> levels, Visit&& visit) {
  const std::size_t block = contents.levels_at_once();
  for (std::size_t begin = 0; begin < levels.size(); begin += block) {
    const auto part = levels.subspan(begin, std::min(block, levels.size() - begin));
    contents.predict(part);
    for (std::size_t i = 0; i < part.size(); ++i) visit(part[i], i, contents.intervals(i));
  }
}

AnswerInputs about(const TestRows& rows, const LevelSummary& summary) {
  const ScoreDistribution& distribution = rows.model.distribution();
  AnswerInputs inputs;
  inputs.confidence = summary.confidence;
  inputs.rows = rows.count();
  inputs.covered = summary.covered;
  inputs.calibration_rows = distribution.rows();
  inputs.rank = summary.rank;
  inputs.sure = distribution.sure();
  inputs.expected = summary.expected.of(rows.count());
  inputs.max_without_ties = summary.expected.max_without_ties();
  inputs.in_order = rows.model.options().is_in_order();
  inputs.is_plain = rows.is_plain();
  for (const Alarm& alarm : rows.alarms) inputs.alarms.push_back(alarm.words);
  if (!summary.failures.empty()) inputs.weakest = summary.failures.front();
  return inputs;
}

LevelSummary summarize(ReportContents& contents, double level, std::size_t at, std::span<const Interval> intervals,
                       const ReportData& data) {
  const TestRows& rows = contents.rows;
  const ScoreDistribution& distribution = rows.model.distribution();
  const std::vector<std::uint8_t> covered = taut::covered(intervals, rows.y);
  const bool plain = rows.is_plain(), in_order = rows.model.options().is_in_order();
  std::vector<CoverageStratum> strata;
  if (!plain) strata = rows.chance.strata(level, all_rows(rows.count()));
  LevelSummary summary{.confidence = level,
                       .rank = plain ? distribution.rank(level) : 0,
                       .delivered = in_order ? missing
                                    : plain  ? distribution.delivered(level)
                                             : level,
                       .expected = ExpectedRanges(distribution, level, rows.count(), data.groups, strata),
                       .covered = std::accumulate(covered.begin(), covered.end(), Index{0})};
  const Inputs inputs(rows.inputs);
  const Inputs* const x = rows.inputs.cols() > 0 && takes_all_metrics(level, contents.options.confidence) ? &inputs : nullptr;
  const int threads = contents.context.threads;
  const Index last_rank = plain ? distribution.last_rank(level) : 0;
  Judged judged{intervals, rows.y, level, x, distribution.rows(), summary.rank, last_rank, rows.seed(), threads};
  if (!plain) judged.band = rows.chance.at(level).band();
  std::optional<HeldOutSlab> slab;
  if (x != nullptr && rows.count() >= 2) slab = held_out_worst_slab(inputs, covered, 0.1, 1000, rows.seed(), threads);
  summary.metrics = contents.metrics(at, judged, slab ? &*slab : nullptr);
  // If no row is missed, the worst slab contains all rows and has infinite ends.
  if (slab && slab->rows > 0 && std::isfinite(slab->slab.low))
    summary.groups.slab = describe_slab(rows.known, rows.inputs, rows.columns_of_inputs, *slab, covered, summary.expected);
  summary.groups.by_width = contents.parts_by_size(at, judged);
  for (const Bins& bins : data.drawn.bins) summary.groups.covered.push_back(bins.count(covered));
  summary.groups.regions = rows.search.find(covered, level, summary.expected);
  std::vector<WeakGroup> by_size;
  for (const WidthBin& part : summary.groups.by_width) by_size.push_back({contents.size_words(part), part.rows, part.covered});
  summary.failures = list_failures(summary.groups, data.drawn, summary.expected, by_size);
  AnswerInputs words = about(rows, summary);
  contents.complete(at, judged, summary, words);
  summary.answer = answer(words);
  return summary;
}

}  // namespace

double LevelSummary::metric(std::string_view name) const {
  const auto found = std::find_if(metrics.begin(), metrics.end(), [&](const auto& one) { return one.first == name; });
  return found == metrics.end() ? missing : found->second;
}

std::vector<double> slider_levels(double confidence) {
  std::vector<double> levels;
  for (int percent = 50; percent <= 99; ++percent) levels.push_back(percent / 100.0);
  if (position_of(levels, confidence) == levels.size()) levels.push_back(confidence);
  std::sort(levels.begin(), levels.end());
  return levels;
}

std::size_t position_of(const std::vector<double>& levels, double confidence) {
  const auto near = [&](double level) { return same_level(level, confidence); };
  return static_cast<std::size_t>(std::find_if(levels.begin(), levels.end(), near) - levels.begin());
}

ReportData collect_levels(ReportContents& contents) {
  const TestRows& rows = contents.rows;
  const ReportOptions& options = contents.options;
  ReportData data;
  data.slider = slider_levels(options.confidence);
  data.start = position_of(data.slider, options.confidence);
  for_each_level(contents, {&options.confidence, 1}, [&](double, std::size_t, std::span<const Interval> intervals) {
    data.drawn = columns_to_draw(rows.known, widths(intervals), max_columns);
  });
  contents.add_columns(data.drawn);
  data.groups = data.drawn.groups() + max_parts_by_size + static_cast<Index>(RegionSearch::max_regions) + 1;  // the worst slab
  GroupedTable groups;
  if (!options.by.empty()) groups = rows.model.group_rows(rows.table, options.by, contents.context);
  for_each_level(contents, data.slider, [&](double level, std::size_t at, std::span<const Interval> intervals) {
    contents.context.report("summarizing", static_cast<double>(data.levels.size()) / static_cast<double>(data.slider.size()));
    data.levels.push_back(summarize(contents, level, at, intervals, data));
    if (!options.by.empty())
      data.by_group.push_back(evaluate_groups(groups, evaluate_intervals(intervals, rows.y, level), level, rows.chance));
  });
  for_each_level(contents, contents.lower_levels(), [&](double level, std::size_t, std::span<const Interval> intervals) {
    const Band band = rows.chance.at(level).band();
    data.curve.push_back({level, coverage(intervals, rows.y), band.low, band.high});
  });
  for (const LevelSummary& level : data.levels)
    data.curve.push_back(
        {level.confidence, level.metric("coverage"), level.metric("coverage_low"), level.metric("coverage_high")});
  contents.draw(data.slider, data.drawn);
  return data;
}

}  // namespace taut
