// Online prediction of several targets: each row gets its regions, and then its targets update the stream. The state is that of
// one target: recent scores, here of all targets together, and an adapted level for each confidence.
#include <taut/task/several/several_stream.hpp>
#include <taut/task/several/several_task.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

void SeveralRows::issue(Index i, RowTarget y, const StreamStep& step, Streamed& result, StreamRecord& record) const {
  auto& streamed = static_cast<StreamedRegions&>(result);
  const JointRow row = at(i);
  const auto d = static_cast<std::size_t>(row.count());
  streamed.targets_of_row = row.count();
  const bool is_known = !std::isnan(y.front());
  const SignedScore score = is_known ? this->score(i, y, 0) : SignedScore{Side::above, missing};
  for (std::size_t j = 0; j < d; ++j) streamed.predictions.push_back(of_target[j]->at(i).prediction());
  std::vector<Interval> box(d);
  for (const std::size_t position : step.positions) {
    const double threshold = step.thresholds[position];
    double volume = 0;
    if (std::isnan(threshold)) {
      std::fill(box.begin(), box.end(), Interval{infinity, -infinity});
    } else {
      const auto region = task_.region->at(threshold, task_.joint);
      region->enclose(row, box);
      volume = region->volume(row);
    }
    streamed.boxes.insert(streamed.boxes.end(), box.begin(), box.end());
    // For reports: a covered row has its target 0.5 inside, and the width is the side of a cube of the same volume.
    const double side = std::pow(volume, 1 / static_cast<double>(d));
    const double lower = is_known && score.score <= threshold ? 0 : 1;
    result.intervals.push_back(std::isnan(threshold) ? Interval{infinity, -infinity}
                                                     : Interval{lower, lower + std::max(1.0, side)});
  }
  result.prediction.push_back(streamed.predictions[streamed.predictions.size() - d]);
  result.y.push_back(is_known ? 0.5 : missing);
  if (step.kept.columns() > 0) {
    const auto numbers = numbers_of(i, y);
    record.cells.insert(record.cells.end(), numbers.begin(), numbers.end());
  }
  if (is_known) record.score = task_.stream_score(score);
}

std::unique_ptr<Streamed> SeveralTask::new_streamed() const { return std::make_unique<StreamedRegions>(); }

std::vector<AnswerColumn> SeveralTask::stream_columns(const std::vector<std::string>& levels) const {
  std::vector<AnswerColumn> columns;
  for (const auto& name : joint.names) columns.push_back({"prediction_" + name});
  for (const auto& level : levels)
    for (const auto& name : joint.names)
      for (const std::string end : {"lower_", "upper_"}) columns.push_back({end + name + "_" + level});
  return columns;
}

std::vector<ResultColumn> SeveralTask::stream_cells(const Streamed& given) const {
  const auto& streamed = static_cast<const StreamedRegions&>(given);
  const auto d = static_cast<std::size_t>(joint.count()), levels = streamed.levels.size();
  std::vector<ResultColumn> columns(d * (1 + 2 * levels));
  for (std::size_t row = 0; row < static_cast<std::size_t>(streamed.rows()); ++row) {
    for (std::size_t j = 0; j < d; ++j) columns[j].numbers.push_back(streamed.predictions[row * d + j]);
    for (std::size_t k = 0; k < levels * d; ++k) {
      const Interval& side = streamed.boxes[row * levels * d + k];
      columns[d + 2 * k].numbers.push_back(side.empty() ? missing : side.lower);
      columns[d + 2 * k + 1].numbers.push_back(side.empty() ? missing : side.upper);
    }
  }
  return columns;
}

}  // namespace taut
