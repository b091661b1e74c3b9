#include <taut/guard/seen_rows.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/guard/row_hash.hpp>
#include <taut/metric/chance.hpp>

#include <algorithm>
#include <bit>
#include <optional>
#include <unordered_map>

namespace taut {

namespace {

// The probability that at least as many of `rows` are found if they have the same distribution as the others; a lower bound if it
// exceeds `enough`.
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
  const Index minimum = min_seen(rows, others, rate);
  if (minimum == 0) return std::nullopt;
  return Alarm{part.kind,
               format_text("at least {} of these {} {}: {} {} the inputs and the target of {}, of {} {} {}; {}",
                           print_count(minimum), counted(rows.rows, "row"), part.did, print_count(rows.found),
                           rows.found == 1 ? "repeats" : "repeat", part.equal, counted(others.rows, "other row"),
                           print_count(others.found), others.found == 1 ? "does" : "do", part.advice),
               "",
               {},
               {{"at_least", static_cast<double>(minimum)},
                {"rows", static_cast<double>(rows.rows)},
                {"found", static_cast<double>(rows.found)},
                {"other_rows", static_cast<double>(others.rows)},
                {"other_found", static_cast<double>(others.found)}}};
}

}  // namespace

// Bisection: the more of the found rows are removed, the better chance explains the remaining ones.
Index min_seen(const Found& rows, const Found& others, double rate) {
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
  if (std::ssize(streamed_) == max_streamed) streamed_.pop_front();
  streamed_.push_back(hash);
}

std::vector<std::int64_t> SeenRows::streamed() const {
  std::vector<std::int64_t> hashes;
  for (const std::uint64_t hash : streamed_) hashes.push_back(std::bit_cast<std::int64_t>(hash));
  return hashes;
}

void SeenRows::load_streamed(std::span<const std::int64_t> hashes) {
  if (std::ssize(hashes) > max_streamed) throw Error("the model file has more rows of a stream than it keeps: it is damaged");
  streamed_.clear();
  for (const std::int64_t hash : hashes) streamed_.push_back(std::bit_cast<std::uint64_t>(hash));
}

// New rows are compared with the calibration rows, or with the left-out training rows if there are none.
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
  constexpr std::int64_t maximum = std::int64_t{1} << 53;
  calibration_ = RowSketch::load(archive);
  calibration_in_training_.rows = archive.integer_in("looked_up", 0, maximum);
  calibration_in_training_.found = archive.integer_in("found", 0, calibration_in_training_.rows);
}

namespace {

constexpr std::size_t max_checked = 4096;  // distinct repeated rows; larger numbers are extrapolated from these

// A row is hashed as the sum of its terms, one for each column. Without a term, it is the hash of the row without that column.
std::uint64_t term(std::uint64_t cell, Index column) { return mixed(cell ^ mixed(static_cast<std::uint64_t>(column) + 1)); }

// One hash for the targets of each row.
std::vector<std::uint64_t> hashes_of_targets(const KnownRows& known) {
  const std::size_t columns = known.rows.empty() ? 1 : known.y.size() / known.rows.size();
  std::vector<std::uint64_t> hashes;
  for (std::size_t i = 0; i < known.y.size(); i += columns) {
    hashes.push_back(number_hash(known.y[i]));
    for (std::size_t k = 1; k < columns; ++k) hashes.back() = mixed(hashes.back() + number_hash(known.y[i + k]));
  }
  return hashes;
}

// The last column is the target, or all targets together.
std::vector<std::uint64_t> terms_of(const KnownRows& known, Index column) {
  std::vector<std::uint64_t> terms;
  if (column < std::ssize(known.x.columns()))
    terms = cell_hashes(known.x, column, known.rows);
  else
    terms = hashes_of_targets(known);
  for (std::uint64_t& one : terms) one = term(one, column);
  return terms;
}

std::vector<std::uint64_t> sums_of(const KnownRows& known) {
  std::vector<std::uint64_t> sums(known.rows.size());
  for (Index column = 0; column <= std::ssize(known.x.columns()); ++column) {
    const auto terms = terms_of(known, column);
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += terms[i];
  }
  return sums;
}

// A row that has a key, and whether a different row has the same key.
struct Owner {
  std::uint64_t row;
  bool is_shared = false;
};
using Owners = std::unordered_map<std::uint64_t, Owner>;

void mark(Owners& owners, std::uint64_t key, std::uint64_t row) {
  const auto found = owners.find(key);
  if (found != owners.end() && found->second.row != row) found->second.is_shared = true;
}

struct CheckedRow {
  std::uint64_t row;
  Index count = 0, trained = 0;  // calibration rows and training rows that are equal to it
  bool has_neighbour = false, has_own_value = false;
};

// A set of rows with the sums of their terms, and the terms of their targets.
struct Summed {
  explicit Summed(const KnownRows& of) : known(of), sums(sums_of(of)), targets(terms_of(of, std::ssize(of.x.columns()))) {}

  const KnownRows& known;
  std::vector<std::uint64_t> sums, targets;
};

void check_column(Index column, const std::vector<const Summed*>& all, std::vector<CheckedRow>& checked) {
  // Hashes of a row's cell in this column and of all its other inputs. The target is not one of them, because without noise rows
  // that differ in one input differ in the target too.
  struct Keys {
    std::uint64_t value = 0, others = 0;
  };
  std::unordered_map<std::uint64_t, Keys> keys_of;  // of each checked row
  for (const CheckedRow& one : checked) keys_of.emplace(one.row, Keys{});
  const auto for_each_row = [&](auto visit) {
    for (const Summed* set : all) {
      const bool is_target = column == std::ssize(set->known.x.columns());
      const auto terms = terms_of(set->known, column);
      for (std::size_t i = 0; i < terms.size(); ++i)
        visit(set->sums[i], Keys{terms[i], set->sums[i] - terms[i] - (is_target ? 0 : set->targets[i])});
    }
  };
  for_each_row([&](std::uint64_t row, const Keys& keys) {
    if (const auto found = keys_of.find(row); found != keys_of.end()) found->second = keys;
  });
  Owners values, others;
  for (const auto& [row, keys] : keys_of) {
    mark(values, keys.value, row);
    values.emplace(keys.value, Owner{row});
    mark(others, keys.others, row);
    others.emplace(keys.others, Owner{row});
  }
  for_each_row([&](std::uint64_t row, const Keys& keys) {
    mark(values, keys.value, row);
    mark(others, keys.others, row);
  });
  for (CheckedRow& one : checked) {
    const Keys& keys = keys_of.at(one.row);
    one.has_own_value = one.has_own_value || !values.at(keys.value).is_shared;
    one.has_neighbour = one.has_neighbour || others.at(keys.others).is_shared;
  }
}

}  // namespace

bool RepeatedRows::is_alarming() const {
  const bool are_many = kinds >= enough_kinds || (kinds >= min_kinds && copies + trained <= max_times * kinds);
  return are_many && 2 * copies >= repeated && static_cast<double>(copies) >= min_share * static_cast<double>(calibration_rows);
}

RepeatedRows find_repeated(const KnownRows& trained, const KnownRows& calibration, bool is_same) {
  RepeatedRows result{.calibration_rows = std::ssize(calibration.rows)};
  const Summed in_training(trained), in_calibration(calibration);
  std::vector<std::uint64_t> sorted = in_training.sums;
  std::sort(sorted.begin(), sorted.end());
  std::unordered_map<std::uint64_t, CheckedRow> counts;
  for (const std::uint64_t row : in_calibration.sums) {
    const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), row);
    if (last - first > (is_same ? 1 : 0)) {
      CheckedRow& own = counts.try_emplace(row, CheckedRow{row}).first->second;
      ++own.count;
      own.trained = last - first;
      ++result.repeated;
    }
  }
  std::vector<CheckedRow> checked;
  for (const auto& [row, own] : counts) checked.push_back(own);
  const auto kinds = std::ssize(checked);
  if (kinds == 0) return result;
  std::sort(checked.begin(), checked.end(), [](const CheckedRow& a, const CheckedRow& b) { return a.row < b.row; });
  checked.resize(std::min(checked.size(), max_checked));  // a random sample, because rows are sorted by hash
  const std::vector<const Summed*> all = is_same ? std::vector{&in_training} : std::vector{&in_training, &in_calibration};
  for (Index column = 0; column <= std::ssize(trained.x.columns()); ++column) check_column(column, all, checked);
  for (const CheckedRow& one : checked)
    if (one.has_own_value || !one.has_neighbour) {
      result.copies += one.count;
      result.trained += one.trained;
      ++result.kinds;
    }
  const double of_all = static_cast<double>(kinds) / static_cast<double>(checked.size());
  for (Index* count : {&result.copies, &result.trained, &result.kinds})
    *count = static_cast<Index>(of_all * static_cast<double>(*count));
  return result;
}

bool may_repeat(const Found& sketched) {
  return sketched.found >= min_kinds && static_cast<double>(sketched.found) >= min_share * static_cast<double>(sketched.rows);
}

std::vector<Alarm> alarms_of_repeated(const Found& sketched, const KnownRows& trained, const KnownRows& calibration,
                                      bool is_same) {
  if (!may_repeat(sketched)) return {};
  const RepeatedRows found = find_repeated(trained, calibration, is_same);
  if (!found.is_alarming()) return {};
  constexpr double level = 0.9;
  const double share = static_cast<double>(found.repeated) / static_cast<double>(found.calibration_rows);
  const double at_worst = share < level ? (level - share) / (1 - share) : 0;
  return {
      {AlarmKind::repeated_rows,
       format_text("{} of {} ({} %) are copies of training rows, in all inputs and the target, as after a join that matches rows "
                   "several times: their errors are too small, and new rows are covered less often than promised, at confidence "
                   "0.9 perhaps {}. Remove the copies from the table, or name the column that copies share: --keep-together COL. "
                   "(If the rows to predict will be such copies as often, nothing is wrong.)",
                   print_count(found.repeated), counted(found.calibration_rows, "calibration row"), print_rounded(100 * share, 3),
                   print_rounded(at_worst, 2)),
       "",
       {},
       {{"repeated", static_cast<double>(found.repeated)},
        {"copies", static_cast<double>(found.copies)},
        {"at_worst", at_worst},
        {"calibration_rows", static_cast<double>(found.calibration_rows)}}}};
}

}  // namespace taut
