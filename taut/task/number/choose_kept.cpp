// Which calibration rows are kept for probabilities at fixed values.
#include <taut/core/random.hpp>
#include <taut/task/number/number_task.hpp>

#include <algorithm>

namespace taut {

namespace {

constexpr std::uint64_t kept_rows_stream = 0x6B657074;  // of random numbers
constexpr Index least_of_group = 50;

// By what the rows hold, so that their order in a file changes nothing. Which places of this order are then taken is random and
// does not look at the rows: rows that are equal are neither taken nor left together.
Rows in_own_order(const NumberRows& seen, std::span<const double> y, const RowFacts& facts) {
  Rows order = all_rows(std::ssize(y));
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
    if (y[i] != y[j]) return y[i] < y[j];
    const RowPrediction p = seen.predicted[i], q = seen.predicted[j];
    if (p.lower != q.lower) return p.lower < q.lower;
    if (p.upper != q.upper) return p.upper < q.upper;
    for (Index k = 0; k < seen.g.cols(); ++k)
      if (seen.g(a, k) != seen.g(b, k)) return seen.g(a, k) < seen.g(b, k);
    if (!facts.groups.empty() && facts.groups[i] != facts.groups[j]) return facts.groups[i] < facts.groups[j];
    return !facts.weights.empty() && facts.weights[i] < facts.weights[j];
  });
  return order;
}

// At most `most` of some rows, in their order.
Rows some_of(const Rows& rows, Index most, Random random) {
  Rows some;
  for (const Index at : draw(std::ssize(rows), most, random)) some.push_back(rows[static_cast<std::size_t>(at)]);
  return some;
}

Rows permuted(const Rows& rows, Random random) {
  Rows result;
  for (const Index at : random.permutation(std::ssize(rows))) result.push_back(rows[static_cast<std::size_t>(at)]);
  return result;
}

Rows some_of_each_group(const Rows& rows, const std::vector<Index>& groups, Index count, Index most, Random random) {
  std::vector<Rows> members(static_cast<std::size_t>(count));
  for (const Index row : rows)
    if (const Index group = groups[static_cast<std::size_t>(row)]; group >= 0 && group < count)
      members[static_cast<std::size_t>(group)].push_back(row);
  Rows some;
  for (std::size_t group = 0; group < members.size(); ++group) {
    const Rows own = some_of(members[group], std::max(least_of_group, most / count), random.fork(group));
    some.insert(some.end(), own.begin(), own.end());
  }
  return some;
}

// The weights of rows in units of the largest: those that were given, or of a group shared by its rows.
std::vector<double> relative_weights(const Rows& rows, const RowFacts& facts, Index groups, bool by_group) {
  std::vector<double> weights, sizes(static_cast<std::size_t>(groups));
  if (by_group)
    for (const Index group : facts.groups) ++sizes[static_cast<std::size_t>(group)];
  for (const Index row : rows) {
    const auto at = static_cast<std::size_t>(row);
    weights.push_back(by_group ? 1 / sizes[static_cast<std::size_t>(facts.groups[at])] : facts.weights[at]);
  }
  const double largest = weights.empty() ? 0 : *std::max_element(weights.begin(), weights.end());
  for (double& weight : weights) weight = largest > 0 ? weight / largest : 0;
  return weights;
}

}  // namespace

KeptRows NumberRows::kept(std::span<const double> y, const RowFacts& facts, CalibrationKind kind, Index groups,
                          const FitOptions& options) const {
  KeptRows chosen(task_.score, predicted.has_ends());
  const Index most = KeptRows::most_rows(chosen.columns());
  const Random random = Random(static_cast<std::uint64_t>(options.seed)).fork(kept_rows_stream);
  Rows some = in_own_order(*this, y, facts);
  some = kind == CalibrationKind::by_group ? some_of_each_group(some, facts.groups, groups, most, random)
                                           : some_of(some, most, random);
  // A stream forgets the first: the oldest, or where the age is not known any.
  if (options.is_in_order())
    std::sort(some.begin(), some.end());
  else if (kind == CalibrationKind::plain)
    some = permuted(some, random.fork(1));
  std::erase_if(some, [&](Index row) {
    const auto at = static_cast<std::size_t>(row);
    return !chosen.add(chosen.numbers_of(predicted[at], g.row(row).data(), y[at]));
  });
  if (chosen.empty()) return {};
  if (kind == CalibrationKind::by_group) {
    chosen.set_groups(facts.of(some).groups);
  } else if (kind == CalibrationKind::hierarchical || !facts.weights.empty()) {
    auto weights = relative_weights(some, facts, groups, kind == CalibrationKind::hierarchical);
    // The new row counts as much as a kept row does on average: its own weight differs from row to row.
    double mean = 0, count = 0;
    for (const double weight : weights) mean += (weight - mean) / ++count;
    if (!(mean > 0)) return {};
    chosen.set_weights(std::move(weights), mean);
  }
  return chosen;
}

}  // namespace taut
