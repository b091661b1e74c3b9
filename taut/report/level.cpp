#include <taut/report/level.hpp>

#include <taut/core/text.hpp>
#include <taut/data/standardise.hpp>
#include <taut/metric/interval.hpp>
#include <taut/metric/metric.hpp>
#include <taut/model/columns.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace taut {

namespace {

constexpr std::size_t tenths = 10;

TableView features_of(const Model& model, const TableView& test, const std::vector<double>& f) {
  std::vector<Column> schema = model.prediction_schema();
  if (!model.options().prediction.empty()) schema.pop_back();
  TableView features = test.matched(schema);
  features.add({std::string(prediction_name), false, {}}, f);
  return features;
}

// The same as in Model::evaluate.
MatrixF metric_inputs(const Model& model, const TableView& test, int threads) {
  std::vector<Column> schema = model.prediction_schema();
  if (!model.options().prediction.empty()) schema.pop_back();
  const TableView x = test.matched(schema);
  return standardised(Encoder(Encoding::raw, x, all_rows(x)).encode(x, threads));
}

std::vector<double> sorted_residuals(std::span<const double> y, std::span<const double> f) {
  std::vector<double> result;
  for (std::size_t i = 0; i < y.size(); ++i) result.push_back(std::abs(y[i] - f[i]));
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<WidthBin> widths_in_tenths(std::span<const Interval> intervals, std::span<const std::uint8_t> z) {
  const std::vector<double> width = widths(intervals);
  std::vector<std::size_t> order(width.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return width[a] < width[b]; });
  // Widths of (f + d) - (f - d) differ by rounding: such a run stays together.
  const auto equal = [&](std::size_t a, std::size_t b) {
    const double low = width[order[a]], high = width[order[b]];
    return low == high || high - low <= 1e-9 * std::abs(low);
  };
  std::vector<WidthBin> bins;
  std::size_t begin = 0;
  for (std::size_t part = 0; part < tenths && begin < order.size(); ++part) {
    std::size_t end = (part + 1) * order.size() / tenths;
    if (end <= begin) continue;
    while (end < order.size() && equal(end - 1, end)) ++end;
    WidthBin bin{width[order[begin]], width[order[end - 1]], 0, static_cast<Index>(end - begin), 0};
    for (std::size_t i = begin; i < end; ++i) {
      bin.mean += width[order[i]] / static_cast<double>(end - begin);
      bin.hits += z[order[i]];
    }
    bins.push_back(bin);
    begin = end;
  }
  return bins;
}

double one_width_for_all(const TestRows& rows, Index hits) {
  if (hits < 1) return missing;
  const double reach = rows.residuals[static_cast<std::size_t>(hits - 1)];
  const TargetRange& range = rows.model.target_range();
  if (!range.restricts()) return 2 * reach;
  const auto fixed = transforms().make("fixed");
  std::vector<Interval> intervals;
  for (const double f : rows.f) intervals.push_back(RowScore{f, 1, *fixed, nullptr, nullptr}.at_most(reach, range));
  return mean_width(intervals);
}

std::string signed_term(double weight, const std::string& name, bool first) {
  const std::string size = spoken(std::abs(weight), 2) + " " + name;
  return first ? (weight < 0 ? "−" : "") + size : (weight < 0 ? " − " : " + ") + size;
}

SlabInWords slab_in_words(const TestRows& rows, const HeldOutSlab& found) {
  constexpr std::size_t most_terms = 4;
  constexpr double clear = 0.25;  // standard deviations from the mean
  const Slab& slab = found.slab;
  std::vector<std::size_t> order(slab.direction.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return std::abs(slab.direction[a]) > std::abs(slab.direction[b]); });
  const Rows inside = slab.inside(rows.inputs);
  std::vector<std::string> parts;
  std::string formula;
  for (std::size_t i = 0; i < std::min(order.size(), most_terms); ++i) {
    const auto column = static_cast<Index>(order[i]);
    const std::string name = shortened(rows.features.columns()[order[i]].name, 24);
    formula += signed_term(slab.direction[order[i]], name, i == 0);
    double mean = 0;
    for (const Index row : inside)
      mean += rows.inputs(row, column) / static_cast<double>(std::max<std::size_t>(1, inside.size()));
    const bool is_categorical = rows.features.columns()[order[i]].is_categorical;  // a high code means nothing
    if (parts.size() < 2 && std::abs(mean) > clear && !is_categorical) parts.push_back((mean > 0 ? "high " : "low ") + name);
  }
  if (order.size() > most_terms) formula += " + …";
  SlabInWords words;
  words.words = parts.empty() ? "rows in the middle" : "rows with mostly " + join(parts, " and ");
  words.formula = spoken(slab.low, 2) + " ≤ " + formula + " ≤ " + spoken(slab.high, 2);
  words.rows = found.rows;
  words.coverage = found.coverage;
  return words;
}

}  // namespace

TestRows::TestRows(const Model& of_model, const TableView& test, const ExecutionContext& context)
    : model(of_model),
      y(targets_of(test, of_model.options().target, all_rows(test), of_model.target_range())),
      f(of_model.predict_interval(test, {}, context).prediction),
      features(features_of(of_model, test, f)),
      inputs(metric_inputs(of_model, test, context.threads)),
      residuals(sorted_residuals(y, f)),
      search(features, static_cast<std::uint64_t>(of_model.options().seed)) {}

LevelFigures judge_level(const TestRows& rows, std::span<const Interval> intervals, double level, const std::vector<Bins>& drawn,
                         Effort effort, const ExecutionContext& context) {
  const Calibrator& calibrator = rows.model.calibrator();
  const auto seed = static_cast<std::uint64_t>(rows.model.options().seed);
  const Inputs inputs(rows.inputs);
  const Inputs* const x = rows.inputs.cols() > 0 ? &inputs : nullptr;
  const Judged judged{intervals, rows.y,         level, x, calibrator.rows(), calibrator.rank(level), calibrator.last_rank(level),
                      seed,      context.threads};
  LevelFigures figures;
  figures.report = {level, judged.rank, calibrator.delivered(level), {}};
  const auto z = covered(intervals, rows.y);
  const bool all = effort == Effort::all_metrics;
  std::optional<HeldOutSlab> slab;
  if (all && x != nullptr && rows.rows() >= 2) slab = held_out_worst_slab(inputs, z, 0.1, 1000, seed, context.threads);
  for (const auto& entry : metrics().entries()) {
    const auto metric = metrics().make(entry.name);
    if (metric->needs_inputs() && !all) continue;
    // The search for the slab takes longest: once is enough.
    const bool known = slab && entry.name == "worst_slab_coverage";
    figures.report.metrics.emplace_back(entry.name, known ? slab->coverage : metric->value(judged));
  }
  figures.by_width = widths_in_tenths(intervals, z);
  for (const Bins& bins : drawn) figures.hits.push_back(bins.hits(z));
  figures.same_width = one_width_for_all(rows, std::accumulate(z.begin(), z.end(), Index{0}));
  figures.regions = rows.search.find(z, level);
  // All rows are the worst slab where none is missed.
  if (slab && slab->rows > 0 && std::isfinite(slab->slab.low)) figures.slab = slab_in_words(rows, *slab);
  return figures;
}

Answer LevelFigures::answer(const TestRows& rows, const std::string& unit) const {
  AnswerFigures figures;
  figures.confidence = report.confidence;
  figures.rows = rows.rows();
  figures.calibration_rows = rows.model.calibrator().rows();
  figures.rank = report.rank;
  figures.coverage = report.metric("coverage");
  figures.coverage_low = report.metric("coverage_low");
  figures.coverage_high = report.metric("coverage_high");
  figures.mean_width = report.metric("mean_width");
  figures.same_width = same_width;
  if (!by_width.empty()) {
    figures.easiest = by_width.front().mean;
    figures.hardest = by_width.back().mean;
  }
  figures.adapts = by_width.size() > 1 || rows.rows() < 10;  // too few rows to tell
  figures.range_restricts = range_of(rows.model).restricts();
  figures.infinite = static_cast<Index>(report.metric("infinite"));
  figures.unit = unit;
  for (const Region& region : regions) {
    if (!region.clearly_low) continue;
    figures.weak_region = region.words;
    figures.weak_share = spoken_share(region.coverage) + " of " + print_count(region.rows) + " rows";
    break;
  }
  return taut::answer(figures);
}

}  // namespace taut
