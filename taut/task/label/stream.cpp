// Online prediction of labels: each row gets its sets, and then its label updates the stream.
//
// As for numbers, the state is the recent scores, here those of the true labels, and an adapted level for each confidence
// (taut/time/control). f, temperature and g do not change.
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/task/label/label_task.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

// Controllers compute with scores, so these must be finite. Log odds beyond this bound are practically infinite.
constexpr double max_odds = 50;

}  // namespace

// An unknown label has a larger score than any known label, so no set contains it.
double LabelTask::bounded(double score) const {
  if (score == infinity) return shift.empty() ? label_score->top(classes()) + 1 : max_odds + 1;
  return shift.empty() ? score : std::clamp(score, -max_odds, max_odds);
}

Interval StreamedSets::interval_of(const PredictedSets& sets, Index row, std::size_t level, Index label) {
  const Index size = sets.size(row, level);
  if (size == 0) return {infinity, -infinity};
  const bool covered = label >= 0 && label < sets.classes() && sets.set(row, level)[static_cast<std::size_t>(label)] != 0;
  const double lower = covered ? 0.0 : 1.0;
  return {lower, lower + static_cast<double>(size)};
}

void LabelTask::check_stream(const ModelParts& parts, const StreamOptions& asked) const {
  if (parts.distribution.rows() == 0)
    throw Error(
        "a stream needs calibration rows, and the model has none: use 'taut "
        "calibrate'");
  if (asked.refit_every.value_or(0) > 0 || asked.refit_rows) check_refit("--refit-every and --refit-rows");
  if (asked.recentre)
    throw UsageError("--recentre moves intervals of numbers; a model of labels has sets, which cannot be moved: leave it out");
}

void LabelTask::check_refit(const std::string& option) const {
  throw UsageError(
      format_text("{} refit models of numbers; a model of labels keeps its f: fit another one on the rows so far "
                  "with 'taut fit', and stream with that",
                  option));
}

void LabelRows::issue(Index i, RowTarget y, const StreamStep& step, Streamed& result, StreamRecord& record) const {
  const double target = y.front();
  auto& streamed = static_cast<StreamedSets&>(result);
  PredictedSets& sets = streamed.sets;
  const auto classes = static_cast<std::size_t>(p.cols());
  const auto number = sets.prediction.size();
  if (i == 0) {
    sets.levels = result.levels;
    sets.probabilities.conservativeResize(sets.probabilities.rows() + p.rows(), p.cols());
    sets.probabilities.bottomRows(p.rows()) = p;
  }
  const auto own = probabilities(i);
  sets.prediction.push_back(std::max_element(own.begin(), own.end()) - own.begin());
  sets.members.resize(sets.members.size() + result.levels.size() * classes);
  sets.completed.resize(sets.completed.size() + result.levels.size());
  std::vector<double> of_labels(classes);
  scores(i, task_.uniform(LabelTask::UniformsOf::prediction, static_cast<std::uint64_t>(step.stream.rows())), of_labels);
  for (double& score : of_labels) score = task_.bounded(score);
  const Index label = std::isnan(target) ? -1 : static_cast<Index>(target);
  const bool is_known = label >= 0 && label < task_.classes();
  const double lowest = *std::min_element(of_labels.begin(), of_labels.end());
  // The label that enters the set first; the most probable of several.
  std::size_t first = static_cast<std::size_t>(sets.prediction.back());
  if (of_labels[first] > lowest)
    first = static_cast<std::size_t>(std::find(of_labels.begin(), of_labels.end(), lowest) - of_labels.begin());
  // With --at-least the stream itself asks for no empty set: each contains the label with the smallest score.
  const double minimum = step.stream.settings().at_least ? lowest : -infinity;
  for (std::size_t level = 0; level < result.levels.size(); ++level) {
    const double asked = step.thresholds[step.positions[level]], threshold = asked < minimum ? minimum : asked;
    std::uint8_t* const set = sets.members.data() + (number * result.levels.size() + level) * classes;
    for (std::size_t k = 0; k < classes; ++k) set[k] = of_labels[k] <= threshold ? 1 : 0;  // NaN: the empty set
    // The stream learns from the exact set, so its state does not depend on how sets are shown.
    if (!result.allow_empty && std::find(set, set + classes, 1) == set + classes) {
      set[first] = 1;
      sets.completed[number * result.levels.size() + level] = 1;
    }
    result.intervals.push_back(StreamedSets::interval_of(sets, static_cast<Index>(number), level, label));
  }
  result.prediction.push_back(static_cast<double>(sets.prediction.back()));
  result.y.push_back(label < 0 ? missing : 0.5);
  streamed.labels.push_back(label);
  if (label < 0) return;
  record.score = SignedScore{Side::above, is_known ? of_labels[static_cast<std::size_t>(label)] : task_.bounded(infinity)};
  if (is_known && record.score->score <= minimum) record.covered_from = 0;
}

}  // namespace taut
