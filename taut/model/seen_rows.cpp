#include <taut/model/seen_rows.hpp>

#include <taut/core/error.hpp>
#include <taut/core/text.hpp>
#include <taut/metric/hypergeometric.hpp>

#include <algorithm>
#include <bit>
#include <optional>

namespace taut {

namespace {

// The probability that as many of `rows` are found if they were drawn like the others; a lower bound where it exceeds `enough`.
double chance_of(const Found& rows, const Found& others, double enough) {
  return hypergeometric_tail(rows.found, rows.rows + others.rows, rows.found + others.found, rows.rows, enough);
}

struct Part {
  AlarmKind kind;
  std::string did;    // "trained the model"
  std::string equal;  // "a training row"
  std::string advice;
};

std::optional<Alarm> alarm_of(const Part& part, const Found& rows, const Found& others, double rate) {
  const Index least = least_seen(rows, others, rate);
  if (least == 0) return std::nullopt;
  return Alarm{part.kind,
               "at least " + print_count(least) + " of these " + counted(rows.rows, "row") + " " + part.did + ": " +
                   print_count(rows.found) + (rows.found == 1 ? " repeats" : " repeat") + " the inputs and the target of " +
                   part.equal + ", of " + counted(others.rows, "other row") + " " + print_count(others.found) +
                   (others.found == 1 ? " does; " : " do; ") + part.advice,
               "",
               {},
               {{"at_least", static_cast<double>(least)},
                {"rows", static_cast<double>(rows.rows)},
                {"found", static_cast<double>(rows.found)},
                {"other_rows", static_cast<double>(others.rows)},
                {"other_found", static_cast<double>(others.found)}}};
}

}  // namespace

// Bisection: the more of the found rows are taken away, the better chance explains the rest.
Index least_seen(const Found& rows, const Found& others, double rate) {
  Index low = 0, high = rows.found;
  while (low < high) {
    const Index middle = low + (high - low) / 2;
    if (chance_of({rows.rows - middle, rows.found - middle}, others, rate) > rate)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

void SeenRows::calibrate(std::vector<std::uint64_t> hashes) {
  calibration_in_training_ = training_.find(hashes);
  calibration_ = RowSketch(std::move(hashes));
  streamed_.clear();
}

void SeenRows::stream(std::uint64_t hash) {
  if (std::ssize(streamed_) == most_streamed) streamed_.pop_front();
  streamed_.push_back(hash);
}

std::vector<std::int64_t> SeenRows::streamed() const {
  std::vector<std::int64_t> hashes;
  for (const std::uint64_t hash : streamed_) hashes.push_back(std::bit_cast<std::int64_t>(hash));
  return hashes;
}

void SeenRows::load_streamed(std::span<const std::int64_t> hashes) {
  if (std::ssize(hashes) > most_streamed) throw Error("the model file has more rows of a stream than it keeps: it is damaged");
  streamed_.clear();
  for (const std::int64_t hash : hashes) streamed_.push_back(std::bit_cast<std::uint64_t>(hash));
}

// Calibration rows are what new rows are promised to be like. Without them the training rows that were left out have to do.
const Found& SeenRows::others_in_training() const {
  return calibration_in_training_.rows > 0 ? calibration_in_training_ : training_.left_out();
}

std::vector<Alarm> SeenRows::when_evaluating(std::span<const std::uint64_t> hashes) const {
  const std::string advice = "coverage on them says nothing about new rows: evaluate on rows that the fit has not had";
  const double rate = false_alarms / (streamed_.empty() ? 2 : 3);
  std::vector<Alarm> alarms;
  const Part trained{AlarmKind::training_rows, "trained the model", "a training row", advice};
  const Part calibrated{AlarmKind::calibration_rows, "calibrated the model", "a calibration row", advice};
  if (auto alarm = alarm_of(trained, training_.find(hashes), others_in_training(), rate)) alarms.push_back(*std::move(alarm));
  if (auto alarm = alarm_of(calibrated, calibration_.find(hashes), calibration_.left_out(), rate))
    alarms.push_back(*std::move(alarm));
  if (streamed_.empty()) return alarms;
  const RowSketch sketch({streamed_.begin(), streamed_.end()});
  const Part streamed{AlarmKind::calibration_rows, "were streamed, so their scores calibrate the model", "a streamed row",
                      advice};
  if (auto alarm = alarm_of(streamed, sketch.find(hashes), sketch.left_out(), rate)) alarms.push_back(*std::move(alarm));
  return alarms;
}

std::vector<Alarm> SeenRows::when_calibrating(std::span<const std::uint64_t> hashes) const {
  const Part trained{AlarmKind::training_rows, "trained the model", "a training row",
                     "the errors of a model on rows that trained it are too small, and intervals will be too narrow: calibrate "
                     "with rows that the fit has not had"};
  std::vector<Alarm> alarms;
  if (auto alarm = alarm_of(trained, training_.find(hashes), others_in_training(), false_alarms))
    alarms.push_back(*std::move(alarm));
  return alarms;
}

void SeenRows::save_training(Archive archive) const { training_.save(archive); }

void SeenRows::save_calibration(Archive archive) const {
  calibration_.save(archive);
  archive.put("looked_up", static_cast<std::int64_t>(calibration_in_training_.rows));
  archive.put("found", static_cast<std::int64_t>(calibration_in_training_.found));
}

void SeenRows::load_calibration(const Archive& archive) {
  constexpr std::int64_t most = std::int64_t{1} << 53;
  calibration_ = RowSketch::load(archive);
  calibration_in_training_.rows = archive.integer_in("looked_up", 0, most);
  calibration_in_training_.found = archive.integer_in("found", 0, calibration_in_training_.rows);
}

}  // namespace taut
