#include <taut/model/repeated_rows.hpp>

#include <taut/core/text.hpp>
#include <taut/model/row_hash.hpp>

#include <algorithm>
#include <unordered_map>

namespace taut {

namespace {

constexpr std::size_t most_judged = 4096;  // different repeated rows; of more, these stand for all

// The sum of a row's terms, one for each column, is the row; without one term it is what the row is but for that column.
std::uint64_t term(std::uint64_t cell, Index column) { return mixed(cell ^ mixed(static_cast<std::uint64_t>(column) + 1)); }

// The last column is the target.
std::vector<std::uint64_t> terms_of(const KnownRows& known, Index column) {
  std::vector<std::uint64_t> terms;
  if (column < std::ssize(known.x.columns()))
    terms = cell_hashes(known.x, column, known.rows);
  else
    for (const double value : known.y) terms.push_back(number_hash(value));
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

// Whether rows of several kinds share a key.
struct Owner {
  std::uint64_t row;
  bool is_shared = false;
};
using Owners = std::unordered_map<std::uint64_t, Owner>;

void mark(Owners& owners, std::uint64_t key, std::uint64_t row) {
  const auto found = owners.find(key);
  if (found != owners.end() && found->second.row != row) found->second.is_shared = true;
}

struct Judged {
  std::uint64_t row;
  Index count = 0;  // of calibration rows
  bool has_neighbour = false, has_own_value = false;
};

// Rows of a set with their sums.
struct Summed {
  const KnownRows& known;
  std::vector<std::uint64_t> sums;
};

void judge_column(Index column, const std::vector<const Summed*>& all, std::vector<Judged>& judged) {
  std::unordered_map<std::uint64_t, std::uint64_t> term_of;  // of each judged row
  for (const Judged& one : judged) term_of.emplace(one.row, 0);
  for (const Summed* set : all) {
    const auto terms = terms_of(set->known, column);
    for (std::size_t i = 0; i < terms.size(); ++i)
      if (const auto found = term_of.find(set->sums[i]); found != term_of.end()) found->second = terms[i];
  }
  Owners values, others;  // the cell of a judged row, and its other cells
  for (const auto& [row, own] : term_of) {
    mark(values, own, row);
    values.emplace(own, Owner{row});
    mark(others, row - own, row);
    others.emplace(row - own, Owner{row});
  }
  for (const Summed* set : all) {
    const auto terms = terms_of(set->known, column);
    for (std::size_t i = 0; i < terms.size(); ++i) {
      mark(values, terms[i], set->sums[i]);
      mark(others, set->sums[i] - terms[i], set->sums[i]);
    }
  }
  for (Judged& one : judged) {
    const std::uint64_t own = term_of.at(one.row);
    one.has_own_value = one.has_own_value || !values.at(own).is_shared;
    one.has_neighbour = one.has_neighbour || others.at(one.row - own).is_shared;
  }
}

}  // namespace

bool RepeatedRows::is_alarming() const {
  return kinds >= least_copies && 2 * copies >= repeated &&
         static_cast<double>(copies) >= least_share * static_cast<double>(calibration_rows);
}

RepeatedRows find_repeated(const KnownRows& trained, const KnownRows& calibration, bool is_same) {
  RepeatedRows result{.calibration_rows = std::ssize(calibration.rows)};
  const Summed in_training{trained, sums_of(trained)}, in_calibration{calibration, sums_of(calibration)};
  std::vector<std::uint64_t> sorted = in_training.sums;
  std::sort(sorted.begin(), sorted.end());
  std::unordered_map<std::uint64_t, Index> counts;
  for (const std::uint64_t row : in_calibration.sums) {
    const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), row);
    if (last - first > (is_same ? 1 : 0)) {
      ++counts[row];
      ++result.repeated;
    }
  }
  std::vector<Judged> judged;
  for (const auto& [row, count] : counts) judged.push_back({row, count});
  const auto kinds = std::ssize(judged);
  if (kinds == 0) return result;
  std::sort(judged.begin(), judged.end(), [](const Judged& a, const Judged& b) { return a.row < b.row; });
  judged.resize(std::min(judged.size(), most_judged));  // sums are as good as random
  const std::vector<const Summed*> all = is_same ? std::vector{&in_training} : std::vector{&in_training, &in_calibration};
  for (Index column = 0; column <= std::ssize(trained.x.columns()); ++column) judge_column(column, all, judged);
  for (const Judged& one : judged)
    if (one.has_own_value || !one.has_neighbour) {
      result.copies += one.count;
      ++result.kinds;
    }
  const double of_all = static_cast<double>(kinds) / static_cast<double>(judged.size());
  result.copies = static_cast<Index>(of_all * static_cast<double>(result.copies));
  result.kinds = static_cast<Index>(of_all * static_cast<double>(result.kinds));
  return result;
}

bool may_repeat(const Found& sketched) {
  return sketched.found >= least_copies &&
         static_cast<double>(sketched.found) >= least_share * static_cast<double>(sketched.rows);
}

std::vector<Alarm> alarms_of_repeated(const Found& sketched, const KnownRows& trained, const KnownRows& calibration,
                                      bool is_same) {
  if (!may_repeat(sketched)) return {};
  const RepeatedRows found = find_repeated(trained, calibration, is_same);
  if (!found.is_alarming()) return {};
  return {{AlarmKind::repeated_rows,
           print_count(found.repeated) + " of " + counted(found.calibration_rows, "calibration row") + " (" +
               print_rounded(100.0 * static_cast<double>(found.repeated) / static_cast<double>(found.calibration_rows), 3) +
               " %) are copies of training rows, in all inputs and the target, as after a join that matches rows several times: "
               "their errors are too small, and new rows will be covered less often than promised. Remove the copies from the "
               "table, or name the column that copies share: --keep-together COL. (If the rows to predict will be such copies as "
               "often, nothing is wrong.)",
           "",
           {},
           {{"repeated", static_cast<double>(found.repeated)},
            {"copies", static_cast<double>(found.copies)},
            {"calibration_rows", static_cast<double>(found.calibration_rows)}}}};
}

}  // namespace taut
