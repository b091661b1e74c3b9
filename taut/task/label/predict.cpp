// Probabilities and prediction sets of rows.
#include <taut/calibrate/rank.hpp>
#include <taut/core/beta.hpp>
#include <taut/core/fault.hpp>
#include <taut/core/random.hpp>
#include <taut/core/threads.hpp>
#include <taut/plan/columns.hpp>
#include <taut/task/label/label_rows.hpp>
#include <taut/task/label/label_task.hpp>
#include <taut/task/label/temperature.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

Matrix LabelTask::probabilities(const TableView& table, const TableView& x, RowsView rows, int threads) const {
  const double beta = record.inverse_temperature;
  Matrix p = given.empty() ? predictor.logits(x, rows, threads) : probabilities_of(table, given, rows);
  if (!given.empty() && corrected.empty() && beta == 1) return p;  // the given probabilities, bit by bit
  if (!given.empty()) p = corrected.at(x, rows, p.array().log().matrix(), threads);
  const auto count = static_cast<std::size_t>(p.cols());
  parallel_blocks(p.rows(), 1 << 12, threads, [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) softmax({p.row(row).data(), count}, beta, {p.row(row).data(), count});
  });
  return p;
}

std::unique_ptr<ScoredRows> LabelTask::see(const TableView& table, TableView x, Rows rows, int threads) const {
  Matrix p = probabilities(table, x, rows, threads);
  std::vector<double> g = shift.at({x, rows, p}, threads);
  return std::make_unique<LabelRows>(*this, std::move(x), std::move(rows), std::move(p), std::move(g));
}

void LabelTask::scores(std::span<const double> p, double g, double uniform, std::span<double> out) const {
  label_score->scores(p, uniform, out);
  if (shift.empty()) return;
  const double top = label_score->top(classes());
  for (double& one : out) one = log_odds(one, top) - g;
}

double LabelTask::uniform(UniformsOf which, std::uint64_t row) const {
  if (!label_score->draws()) return 0;
  return Random(seed).fork(static_cast<std::uint64_t>(which)).fork(row).uniform();
}

void LabelRows::scores(Index i, double uniform, std::span<double> out) const {
  task_.scores(probabilities(i), g[static_cast<std::size_t>(i)], uniform, out);
}

// A label that no training row had is in no set: its score is infinite, and it counts in the coverage.
SignedScore LabelRows::score(Index i, RowTarget target, double uniform) const {
  const double label = target.front();
  if (task_.is_never_covered(label)) return {Side::above, infinity};
  std::vector<double> all(static_cast<std::size_t>(p.cols()));
  scores(i, uniform, all);
  if (fault("shift-not-calibrated")) task_.scores(probabilities(i), 0, uniform, all);
  if (fault("set-of-another-label")) return {Side::above, *std::min_element(all.begin(), all.end())};
  return {Side::above, all[static_cast<std::size_t>(label)]};
}

Matrix LabelRows::outputs() const {
  Matrix made(p.rows(), task_.n_outputs());
  for (Index row = 0; row < made.rows(); ++row) {
    made(row, 0) = p.row(row).maxCoeff();
    if (made.cols() > 1) made(row, 1) = g[static_cast<std::size_t>(row)];
  }
  return made;
}

Matrix LabelRows::given() const { return task_.given.empty() ? Matrix() : p; }

Index PredictedSets::size(Index row, std::size_t level) const {
  Index count = 0;
  for (const auto in : set(row, level)) count += in;
  return count;
}

Matrix Classifier::probabilities(const TableView& table, const ExecutionContext& context) const {
  return labels_task().probabilities(table, parts_->inputs_of(table), all_rows(table), context.threads);
}

namespace {

// The cut-offs of a row's scores, for each level and label.
class CutOffsOfSets {
 public:
  CutOffsOfSets(const ModelParts& parts, const RowDistributions& distributions, std::span<const double> levels)
      : levels_(levels), distributions_(distributions) {
    if (parts.by_label) labels_ = parts.task->n_target_values();
    for (Index label = 0; parts.by_label && label < labels_; ++label)
      of_labels_.push_back(parts.distribution_of_target_value(label));
    if (parts.by_label)
      for (const double level : levels)
        for (const ScoreDistribution& distribution : of_labels_) fixed_.push_back(distribution.quantile(level));
    else if (distributions_.shared() != nullptr)
      for (const double level : levels) fixed_.push_back(distributions_.shared()->quantile(level));
  }

  // 1 if all labels have the same cut-offs. of_row() writes levels x labels() numbers.
  Index labels() const { return labels_; }
  void of_row(Index row, std::span<double> out) const {
    if (!fixed_.empty()) {
      std::copy(fixed_.begin(), fixed_.end(), out.begin());
      return;
    }
    const ScoreDistribution own = distributions_[row];
    for (std::size_t level = 0; level < levels_.size(); ++level) out[level] = own.quantile(levels_[level]);
  }

  // The sets of all levels, decided label by label. A label whose score equals calibration scores gets a random rank among them;
  // otherwise ties would raise the coverage.
  void smoothed_sets(Index row, double uniform, std::span<const double> scores, std::uint8_t* out) const {
    std::optional<ScoreDistribution> own;
    if (of_labels_.empty()) own = distributions_[row];
    for (const double level : levels_)
      for (std::size_t label = 0; label < scores.size(); ++label) {
        const ScoreDistribution& distribution = own ? *own : of_labels_[label];
        if (distribution.has_ranks()) {
          *out++ = distribution.holds_smoothed(scores[label], level, uniform) ? 1 : 0;
        } else {
          const auto q = distribution.smoothed_quantile(level, uniform);
          *out++ = q && scores[label] <= *q ? 1 : 0;
        }
      }
  }

  // The label that enters the set first as the level rises; the most probable of several. Levels are then nested although an
  // empty set gets this label.
  std::size_t first_label(std::span<const double> scores, std::span<const double> p, std::optional<double> uniform) const {
    std::size_t first = 0;
    std::pair<double, double> lowest = {infinity, infinity};
    for (std::size_t label = 0; label < scores.size(); ++label) {
      const double enters = of_labels_.empty() ? scores[label] : entry_level(of_labels_[label], scores[label], uniform);
      if (const std::pair own = {enters, -p[label]}; own < lowest) {
        lowest = own;
        first = label;
      }
    }
    return first;
  }

 private:
  // A set contains the score at all levels above this one.
  static double entry_level(const ScoreDistribution& distribution, double score, std::optional<double> uniform) {
    const auto [beyond, equal, own, all] = distribution.weights_above(score);
    if (uniform) return (all - beyond - *uniform * (equal + own)) / all;
    const double below = all - beyond - equal - own, level = below / all, sure = distribution.sure();
    if (!(sure > 0 && below > 0)) return level;
    return std::min(level,
                    beta_quantile(1 - sure, below, all - below));  // see exact_rank(): ranks are higher, so it enters earlier
  }

  std::span<const double> levels_;
  const RowDistributions& distributions_;
  std::vector<ScoreDistribution> of_labels_;
  std::vector<double> fixed_;
  Index labels_ = 1;
};

}  // namespace

PredictedSets Classifier::predict_sets(const TableView& table, std::span<const double> levels, const ExecutionContext& context,
                                       const SetAskOptions& asked) const {
  return taut::predict_sets(*parts_, table, levels, asked, context);
}

PredictedSets predict_sets(const ModelParts& parts, const TableView& given, std::span<const double> levels,
                           const SetAskOptions& asked, const ExecutionContext& context) {
  for (const double level : levels) check_confidence(level);
  LabelRows seen = see_labels(parts, given, all_rows(given), context.threads);
  UnseenGroups unseen;
  PredictedSets result =
      sets_of(parts, seen, parts.distributions_of(given, seen, context.threads, &unseen), levels, asked, context);
  result.unseen = std::move(unseen);
  result.probabilities = std::move(seen.p);
  return result;
}

PredictedSets sets_of(const ModelParts& parts, const LabelRows& seen, const RowDistributions& distributions,
                      std::span<const double> levels, const SetAskOptions& asked, const ExecutionContext& context) {
  const LabelTask& task = label_task(parts);
  const auto labels = static_cast<std::size_t>(task.classes());
  PredictedSets result;
  result.probabilities.resize(0, task.classes());
  result.levels.assign(levels.begin(), levels.end());
  result.prediction.resize(seen.rows.size());
  result.members.resize(seen.rows.size() * levels.size() * labels);
  result.completed.resize(seen.rows.size() * levels.size());
  const CutOffsOfSets cut_offs(parts, distributions, levels);
  std::vector<std::uint64_t> keys;
  if (asked.smoothing || task.label_score->draws()) keys = parts.keys_of(seen, context.threads);
  const bool completes = !asked.allow_empty || fault("exact-set-completed");
  const RowUniforms uniforms(asked.smoothing, keys, asked.first_row);
  parallel_blocks(std::ssize(seen.rows), 1 << 10, context.threads, [&](Index begin, Index end) {
    std::vector<double> scores(labels);
    std::vector<double> ends(levels.size() * static_cast<std::size_t>(cut_offs.labels()));
    for (Index row = begin; row < end; ++row) {
      const auto p = seen.probabilities(row);
      result.prediction[static_cast<std::size_t>(row)] = std::max_element(p.begin(), p.end()) - p.begin();
      const auto number = static_cast<std::uint64_t>(asked.first_row + row);
      seen.scores(row,
                  task.uniform(LabelTask::UniformsOf::prediction, keys.empty() ? number : keys[static_cast<std::size_t>(row)]),
                  scores);
      std::uint8_t* const members = result.members.data() + static_cast<std::size_t>(row) * levels.size() * labels;
      std::optional<double> uniform;
      if (asked.smoothing) {
        // One random number for all levels of a row keeps smoothed sets nested.
        uniform = uniforms[row];
        cut_offs.smoothed_sets(row, *uniform, scores, members);
      } else {
        cut_offs.of_row(row, ends);
        for (std::size_t level = 0; level < levels.size(); ++level)
          for (std::size_t k = 0; k < labels; ++k) {
            const double q = cut_offs.labels() == 1 ? ends[level] : ends[level * labels + k];
            members[level * labels + k] = (fault("set-without-its-end") ? scores[k] < q : scores[k] <= q) ? 1 : 0;
          }
      }
      for (std::size_t level = 0; level < levels.size() && completes; ++level) {
        const std::span set(members + level * labels, labels);
        if (std::find(set.begin(), set.end(), 1) != set.end()) continue;
        set[cut_offs.first_label(scores, p, uniform)] = 1;
        result.completed[static_cast<std::size_t>(row) * levels.size() + level] = 1;
      }
    }
  });
  return result;
}

}  // namespace taut
