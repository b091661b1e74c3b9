#include <taut/guard/outside_rows.hpp>

#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/data/kinds/date_text.hpp>
#include <taut/metric/chance.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace taut {

void KnownNumbers::add(const KnownNumbers& other) {
  if (other.cells == 0) return;
  minimum = cells == 0 ? other.minimum : std::min(minimum, other.minimum);
  maximum = cells == 0 ? other.maximum : std::max(maximum, other.maximum);
  cells += other.cells;
}

OutsideRows::OutsideRows(std::vector<Column> schema, std::vector<KnownNumbers> known)
    : schema_(std::move(schema)), known_(std::move(known)), found_(schema_.size()) {}

bool OutsideRows::Found::add(double value, const KnownNumbers& known) {
  if (std::isnan(value)) return false;
  ++cells;
  minimum = std::min(minimum, value);
  maximum = std::max(maximum, value);
  if (value < known.minimum) ++below;
  if (value > known.maximum) ++above;
  return value < known.minimum || value > known.maximum;
}

void OutsideRows::add(const TableView& x) {
  std::vector<bool> outside(static_cast<std::size_t>(x.rows()), false);
  for (std::size_t column = 0; column < known_.size(); ++column) {
    if (known_[column].cells == 0) continue;
    for (Index row = 0; row < x.rows(); ++row)
      if (found_[column].add(x(row, static_cast<Index>(column)), known_[column])) outside[static_cast<std::size_t>(row)] = true;
  }
  rows_ += x.rows();
  outside_ += std::count(outside.begin(), outside.end(), true);
}

bool OutsideRows::is_alarming(std::size_t column) const {
  const KnownNumbers& known = known_[column];
  const Found& found = found_[column];
  if (found.below + found.above == 0) return false;
  const double reach = far * (known.maximum - known.minimum);
  const bool is_far = found.minimum < known.minimum - reach || found.maximum > known.maximum + reach;
  if (is_far && reach > 0 && known.cells >= min_cells_for_far) return true;
  const auto with_numbers = std::count_if(known_.begin(), known_.end(), [](const KnownNumbers& one) { return one.cells > 0; });
  const double rate = false_alarms / static_cast<double>(2 * with_numbers);
  const Index m = found.cells, all = known.cells + m;
  const auto is_rare = [&](Index count) { return count > 0 && hypergeometric_tail(count, all, m, count, rate) <= rate; };
  return is_rare(found.below) || is_rare(found.above);
}

std::vector<Alarm> OutsideRows::alarms() const {
  constexpr std::size_t max_shown = 3;
  std::vector<std::string> names, words;
  for (std::size_t column = 0; column < known_.size(); ++column) {
    if (!is_alarming(column)) continue;
    names.push_back(schema_[column].name);
    if (words.size() == max_shown) continue;
    const KnownNumbers& known = known_[column];
    const Found& found = found_[column];
    const auto print = [&](double value) {
      return schema_[column].kind == ColumnKind::date ? print_date(value) : print_rounded(value);
    };
    std::vector<std::string> parts;
    if (found.below > 0) parts.push_back(format_text("down to {} in {}", print(found.minimum), counted(found.below, "row")));
    if (found.above > 0) parts.push_back(format_text("up to {} in {}", print(found.maximum), counted(found.above, "row")));
    words.push_back(format_text("'{}' goes {}, and from {} to {} in the calibration rows", names.back(), join(parts, " and "),
                                print(known.minimum), print(known.maximum)));
  }
  if (names.empty()) return {};
  if (names.size() > words.size()) words.push_back("and " + counted(std::ssize(names) - std::ssize(words), "more column"));
  return {{AlarmKind::outside_rows,
           format_text("{} of {} {} numbers outside those of all calibration rows: {}. There the model continues what it learnt "
                       "at the edge, and intervals may be too narrow: check the units, or calibrate and fit with rows like these",
                       print_count(outside_), counted(rows_, "row"), outside_ == 1 ? "has" : "have", join(words, "; ")),
           names.size() == 1 ? names.front() : "",
           names,
           {{"rows", static_cast<double>(rows_)}, {"outside", static_cast<double>(outside_)}}}};
}

}  // namespace taut
