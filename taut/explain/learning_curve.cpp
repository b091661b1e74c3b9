#include <taut/explain/learning_curve.hpp>

#include <taut/calibrate/rank.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/random.hpp>
#include <taut/core/text.hpp>
#include <taut/model/model.hpp>
#include <taut/plan/columns.hpp>
#include <taut/plan/row_plan.hpp>
#include <taut/plan/row_shares.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

namespace taut {

namespace {

constexpr Index test_share = 5;      // one row, or group, in five is a test row
constexpr double later_share = 0.3;  // rows in order of time: the test blocks of all repeats are the latest 30 % of the rows
constexpr Index max_test_rows = 20'000;
constexpr Index min_rows_to_learn = 60;  // results from fewer rows do not help to extrapolate the curve
constexpr double curve_probability = 0.9;

Table picked(const Table& table, const Rows& rows) {
  Table part;
  part.source = table.source;
  part.columns = table.columns;
  part.values.resize(std::ssize(rows), table.values.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    part.values.row(static_cast<Index>(i)) = table.values.row(rows[i]);
    if (!table.lines.empty()) part.lines.push_back(table.lines[static_cast<std::size_t>(rows[i])]);
  }
  return part;
}

struct EvaluatedLevel {
  double coverage, width, score;
  double unbounded = 0;  // share of unbounded sets
};

// parts x levels of one repeat.
using Repeat = std::vector<std::vector<EvaluatedLevel>>;

std::vector<EvaluatedLevel> judge(const Model& model, const TableView& test, std::span<const double> levels,
                                  const ExecutionContext& context) {
  std::vector<EvaluatedLevel> found;
  for (const EvaluatedRegions& judged : model.judge(test, levels, context)) {
    const auto mean = [rows = static_cast<double>(judged.covered.size())](const auto& values) {
      return std::accumulate(values.begin(), values.end(), 0.0) / rows;
    };
    const auto unbounded = std::count_if(judged.sizes.begin(), judged.sizes.end(), [](double size) { return std::isinf(size); });
    found.push_back({mean(judged.covered), mean(judged.sizes), mean(judged.losses),
                     static_cast<double>(unbounded) / static_cast<double>(judged.covered.size())});
  }
  return found;
}

struct Series {
  std::vector<double> means, errors;  // one for each part
  double common_error = 0, repeat_error = 0;
};

// Works in logarithms: the test rows of a repeat multiply all its numbers by a common factor. What remains after removing this
// factor is the error that matters when parts are compared.
Series series_of(const std::vector<Repeat>& repeats, std::size_t level, double EvaluatedLevel::*which) {
  const std::size_t parts = repeats.front().size(), count = repeats.size();
  Eigen::ArrayXXd logs(static_cast<Index>(count), static_cast<Index>(parts));
  for (std::size_t r = 0; r < count; ++r)
    for (std::size_t p = 0; p < parts; ++p)
      logs(static_cast<Index>(r), static_cast<Index>(p)) = std::log(repeats[r][p][level].*which);
  const Eigen::ArrayXd of_repeat = logs.rowwise().mean();
  const double mean = of_repeat.mean();
  Series series;
  const auto free = static_cast<double>(count - 1);
  series.repeat_error = std::sqrt((of_repeat - mean).square().sum() / free);
  series.common_error = series.repeat_error / std::sqrt(static_cast<double>(count));
  double pooled = 0;
  for (std::size_t p = 0; p < parts; ++p) {
    const auto column = logs.col(static_cast<Index>(p));
    pooled += (column - of_repeat - (column.mean() - mean)).square().sum() / free / static_cast<double>(parts);
  }
  for (std::size_t p = 0; p < parts; ++p) {
    const double here = std::exp(logs.col(static_cast<Index>(p)).mean());
    series.means.push_back(here);
    series.errors.push_back(here * std::sqrt(pooled / static_cast<double>(count)));
  }
  return series;
}

std::vector<Extrapolated> extrapolated(const Series& series, const std::vector<double>& sizes, Index rows, std::uint64_t seed) {
  std::vector<CurvePoint> points;
  for (std::size_t p = 0; p < sizes.size(); ++p) points.push_back({sizes[p], series.means[p], series.errors[p]});
  const PowerLaws curves(points, series.common_error, seed);
  std::vector<Extrapolated> result;
  for (const double times : {1.0, 2.0, 4.0, 10.0})
    result.push_back(curves.at(times * static_cast<double>(rows), curve_probability, series.repeat_error));
  return result;
}

// The test and training rows of each repeat, split by units: single rows, or whole groups with --keep-together. With --in-order
// each repeat is tested on a block of the latest rows and trained on the rows just before it.
class CurveRows {
 public:
  CurveRows(const Table& table, const LearningCurveOptions& options, const ExecutionContext& context)
      : units_(row_units(table, all_rows(table.rows()), options.fit, context)),
        in_time_(options.fit.is_in_order()),
        gap_(options.fit.gap),
        repeats_(options.repeats) {
    const auto count = static_cast<double>(units());
    tested_ = std::min(max_test_rows, in_time_ ? static_cast<Index>(later_share * count) / repeats_ : units() / test_share);
    order_ = in_time_ ? all_rows(units()) : Random(static_cast<std::uint64_t>(options.fit.seed)).fork(24).permutation(units());
  }

  Index units() const { return std::ssize(units_); }
  Index tested() const { return tested_; }
  // The number of units that every repeat can use for training.
  Index max_to_learn() const { return std::max<Index>(0, units() - (in_time_ ? repeats_ * tested_ + gap_ : tested_)); }

  Rows test(Index repeat) const { return rows_of(test_units(repeat)); }
  // The training rows of a part with `size` units.
  Rows part(Index repeat, Index size) const {
    Rows learning;
    if (in_time_) {
      const Index end = first_tested(repeat) - gap_;
      for (Index unit = end - size; unit < end; ++unit) learning.push_back(unit);
      return rows_of(learning);
    }
    for (Index i = 0; i < units(); ++i)
      if (i < repeat * tested_ || i >= (repeat + 1) * tested_) learning.push_back(order_[static_cast<std::size_t>(i)]);
    // Each repeat starts at a different unit, so that small parts of different repeats share few rows.
    std::rotate(learning.begin(), learning.begin() + repeat * (std::ssize(learning) / repeats_), learning.end());
    learning.resize(static_cast<std::size_t>(size));
    return rows_of(learning);
  }

 private:
  Index first_tested(Index repeat) const { return in_time_ ? units() - (repeats_ - repeat) * tested_ : repeat * tested_; }
  Rows test_units(Index repeat) const {
    const auto begin = order_.begin() + first_tested(repeat);
    return {begin, begin + tested_};
  }
  Rows rows_of(const Rows& units) const { return rows_of_units(units_, units); }

  std::vector<Rows> units_;
  bool in_time_;
  Index gap_, repeats_, tested_ = 0;
  Rows order_;
};

std::vector<Index> sizes_of(const CurveRows& rows, const LearningCurveOptions& options, const std::string& source) {
  const double highest = *std::max_element(options.levels.begin(), options.levels.end());
  const bool groups = !options.fit.keep_together.empty();
  const Index maximum = rows.max_to_learn();
  std::vector<Index> sizes;
  for (Index part = options.parts; part-- > 0;) {
    const Index size = maximum >> part;
    const bool is_large_enough = std::ssize(rows.part(0, size)) >= min_rows_to_learn;
    if (is_large_enough && count_calibration_rows(size, options.fit) >= min_calibration_rows(highest, options.fit.sure))
      sizes.push_back(size);
  }
  if (sizes.size() < 2)
    throw Error(format_text(
        "{}: too few {} for a learning curve: half of the {} {} that are not for testing must suffice for the level {} and be at "
        "least {} rows; ask for a lower level, or plan by the number of rows alone",
        source, groups ? "groups" : "rows", print_count(maximum), groups ? "groups of --keep-together" : "rows",
        print_number(highest), print_count(min_rows_to_learn)));
  return sizes;
}

// Throws an Error if a mean is not finite. A curve through the finite rows only would reward models that give up on hard rows.
void refuse_unbounded(const std::vector<EvaluatedLevel>& judged, std::span<const double> levels, Index rows,
                      const std::string& source) {
  for (std::size_t level = 0; level < levels.size(); ++level)
    if (std::isnan(judged[level].score))
      throw Error(format_text("{}: no learning curve, because the task does not define the size of its regions", source));
    else if (std::isinf(judged[level].score))
      throw Error(format_text(
          "{}: no learning curve at {}: a model fitted to {} gives {} % of its test rows an unbounded interval; ask for a lower "
          "level or fewer parts",
          source, print_number(levels[level]), counted(rows, "row"), print_rounded(100 * judged[level].unbounded, 3)));
}

void check_curve(const LearningCurveOptions& options) {
  if (options.repeats < 2 || options.repeats > test_share)
    throw UsageError(format_text("a learning curve takes 2 to {} repeats, got {}", test_share, options.repeats));
  if (options.parts < 2 || options.parts > 6)
    throw UsageError(format_text("a learning curve takes 2 to 6 parts, got {}", options.parts));
  for (const double level : options.levels) check_confidence(level);
}

}  // namespace

LearningCurve learning_curve(const TableView& view, const LearningCurveOptions& options, const ExecutionContext& context) {
  check_curve(options);
  const auto start = std::chrono::steady_clock::now();
  std::vector<Column> targets;
  for (const auto& name : target_names(view, options.fit)) targets.push_back({.name = name});
  const Table table = picked(view.copy(), usable_rows(view, options.fit, targets, HasTargets::all));
  const Index rows = table.rows();
  const CurveRows split(table, options, context);
  const std::vector<Index> sizes = sizes_of(split, options, view.source());
  std::vector<double> rows_of_size(sizes.size());  // means over the repeats
  Index test_rows = 0;
  std::vector<Repeat> repeats;
  const TaskChoice task = options.task.resolved(view, options.fit, false);
  RegionWords words;
  double done = 0, all = 0;
  for (const Index size : sizes) all += static_cast<double>(size * options.repeats);
  for (Index r = 0; r < options.repeats; ++r) {
    const Table judged = picked(table, split.test(r));
    test_rows = judged.rows();
    Repeat& repeat = repeats.emplace_back();
    for (std::size_t p = 0; p < sizes.size(); ++p) {
      const Index size = sizes[p];
      const ExecutionContext inside{.threads = context.threads, .cancelled = context.cancelled};
      const Table part = picked(table, split.part(r, size));
      rows_of_size[p] += static_cast<double>(part.rows()) / static_cast<double>(options.repeats);
      const Model model = Model::fit(part, options.fit, task, inside);
      words = model.task().region_words();
      repeat.push_back(judge(model, judged, options.levels, inside));
      refuse_unbounded(repeat.back(), options.levels, part.rows(), view.source());
      done += static_cast<double>(size);
      context.report("learning curve", done / all);
    }
  }
  LearningCurve curve{.rows = rows, .test_rows = test_rows, .repeats = options.repeats};
  const auto seed = static_cast<std::uint64_t>(options.fit.seed);
  for (std::size_t level = 0; level < options.levels.size(); ++level) {
    const Series score = series_of(repeats, level, &EvaluatedLevel::score),
                 width = series_of(repeats, level, &EvaluatedLevel::width);
    LevelCurve& one = curve.levels.emplace_back();
    one.confidence = options.levels[level];
    one.common_error = score.common_error;
    one.repeat_error = score.repeat_error;
    for (std::size_t p = 0; p < sizes.size(); ++p) {
      double coverage = 0;
      for (const Repeat& repeat : repeats) coverage += repeat[p][level].coverage / static_cast<double>(repeats.size());
      one.found.push_back(
          {std::llround(rows_of_size[p]), coverage, width.means[p], width.errors[p], score.means[p], score.errors[p]});
    }
    one.scores = extrapolated(score, rows_of_size, rows, seed);
    one.widths = extrapolated(width, rows_of_size, rows, seed);
  }
  curve.band_probability = curve_probability;
  curve.words = words;
  curve.in_time = options.fit.is_in_order();
  curve.groups = options.fit.keep_together.empty() ? 0 : split.units();
  curve.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return curve;
}

std::string describe_worth(const LevelCurve& level, const RegionWords& words) {
  const Extrapolated &now = level.scores[0], &twice = level.scores[1], &ten = level.scores[3];
  const double gain = 1 - twice.value / now.value;
  const auto less = [&now](const Extrapolated& then) { return print_rounded(100 * (1 - then.value / now.value), 2) + " %"; };
  const std::string measure = words.are_intervals ? "interval score" : format_text("mean {} of {}s", words.size, words.one);
  const std::string figures =
      format_text("twice as many rows would make the {} about {} smaller, ten times as many {}", measure, less(twice), less(ten));
  if (gain < 0.01) return format_text("Hardly worth collecting more: {}.", figures);
  if (gain < 0.04) return format_text("More rows help a little: {}.", figures);
  return format_text("Worth collecting more: {}.", figures);
}

}  // namespace taut
