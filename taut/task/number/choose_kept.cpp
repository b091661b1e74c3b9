// Samples the calibration rows that are kept for probabilities at fixed values.
#include <taut/core/random.hpp>
#include <taut/task/number/choose_kept.hpp>
#include <taut/task/number/number_task.hpp>

#include <algorithm>

namespace taut {

namespace {

constexpr std::uint64_t kept_rows_stream = 0x6B657074;  // of random numbers
constexpr Index min_of_group = 50;

// Sorts the rows by their contents, so that their order in a file does not matter. Positions in this order are then sampled
// without looking at the rows, so equal rows are not kept or dropped together.
Rows sorted_by_contents(const NumberRows& seen, std::span<const double> y, const RowFacts& facts) {
  Rows order = all_rows(std::ssize(y));
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
    if (y[i] != y[j]) return y[i] < y[j];
    const RowPrediction p = seen.predicted[i], q = seen.predicted[j];
    if (p.lower != q.lower) return p.lower < q.lower;
    if (p.upper != q.upper) return p.upper < q.upper;
    if (!std::ranges::equal(p.quantiles, q.quantiles)) return std::ranges::lexicographical_compare(p.quantiles, q.quantiles);
    for (Index k = 0; k < seen.g.cols(); ++k)
      if (seen.g(a, k) != seen.g(b, k)) return seen.g(a, k) < seen.g(b, k);
    if (!facts.groups.empty() && facts.groups[i] != facts.groups[j]) return facts.groups[i] < facts.groups[j];
    return !facts.weights.empty() && facts.weights[i] < facts.weights[j];
  });
  return order;
}

// A random sample of at most `maximum` rows, in their order.
Rows sample_of(const Rows& rows, Index maximum, Random random) {
  Rows sample;
  for (const Index at : draw(std::ssize(rows), maximum, random)) sample.push_back(rows[static_cast<std::size_t>(at)]);
  return sample;
}

Rows permuted(const Rows& rows, Random random) {
  Rows result;
  for (const Index at : random.permutation(std::ssize(rows))) result.push_back(rows[static_cast<std::size_t>(at)]);
  return result;
}

Rows sample_of_each_group(const Rows& rows, const std::vector<Index>& groups, Index count, Index maximum, Random random) {
  std::vector<Rows> members(static_cast<std::size_t>(count));
  for (const Index row : rows)
    if (const Index group = groups[static_cast<std::size_t>(row)]; group >= 0 && group < count)
      members[static_cast<std::size_t>(group)].push_back(row);
  Rows sample;
  for (std::size_t group = 0; group < members.size(); ++group) {
    const Rows own = sample_of(members[group], std::max(min_of_group, maximum / count), random.fork(group));
    sample.insert(sample.end(), own.begin(), own.end());
  }
  return sample;
}

// The weights of rows divided by the largest: the given weights, or 1 / (number of rows of the group) with `by_group`.
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

KeptRows choose_kept(KeptRows chosen, const Rows& by_contents, const KeptFacts& of, const KeptNumbers& numbers_of) {
  const auto& [facts, kind, groups, options] = of;
  const Index maximum = KeptRows::max_rows(chosen.columns());
  const Random random = Random(static_cast<std::uint64_t>(options.seed)).fork(kept_rows_stream);
  Rows sample = kind == CalibrationKind::by_group ? sample_of_each_group(by_contents, facts.groups, groups, maximum, random)
                                                  : sample_of(by_contents, maximum, random);
  // A stream forgets the first row first: the oldest one, or a random one if the order of rows has no meaning.
  if (options.is_in_order())
    std::sort(sample.begin(), sample.end());
  else if (kind == CalibrationKind::plain)
    sample = permuted(sample, random.fork(1));
  std::erase_if(sample, [&](Index row) { return !chosen.add(numbers_of(row)); });
  if (chosen.empty()) return {};
  if (kind == CalibrationKind::by_group) {
    chosen.set_groups(facts.of(sample).groups);
  } else if (kind == CalibrationKind::hierarchical || !facts.weights.empty()) {
    auto weights = relative_weights(sample, facts, groups, kind == CalibrationKind::hierarchical);
    // A new row gets the mean weight of the kept rows, because its own weight differs from row to row.
    double mean = 0, count = 0;
    for (const double weight : weights) mean += (weight - mean) / ++count;
    if (!(mean > 0)) return {};
    chosen.set_weights(std::move(weights), mean);
  }
  return chosen;
}

KeptRows NumberRows::kept(std::span<const double> y, const RowFacts& facts, CalibrationKind kind, Index groups,
                          const FitOptions& options) const {
  if (!exposure.empty()) return {};  // probabilities at fixed values come from ranks
  const KeptRows empty(task_.score, predicted.has_ends());
  return choose_kept(empty, sorted_by_contents(*this, y, facts), {facts, kind, groups, options}, [&](Index row) {
    const auto at = static_cast<std::size_t>(row);
    return empty.numbers_of(predicted[at], g.row(row).data(), y[at]);
  });
}

}  // namespace taut
