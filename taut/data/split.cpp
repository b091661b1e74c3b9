#include <taut/data/split.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

Rows shuffled(Index count, std::uint64_t seed) { return Random(seed).permutation(count); }

std::vector<Rows> parts(Index count, std::span<const double> shares, Random& random) {
  constexpr double slack = 1e-9;  // shares such as 0.1 + 0.2 + 0.7 do not sum to 1 exactly
  double sum = 0;
  for (const double share : shares) {
    if (!(share >= 0))
      throw UsageError(format_text("a share of the rows is {}; allowed are numbers from 0 to 1", print_number(share)));
    sum += share;
  }
  if (!(sum <= 1 + slack))
    throw UsageError(
        format_text("the shares of the rows sum to {}; allowed is at most 1: make some of them smaller", print_number(sum)));

  const Rows order = random.permutation(count);
  std::vector<Rows> result;
  double covered = 0;
  auto begin = order.begin();
  for (const double share : shares) {
    covered += share;
    const double exact = std::abs(covered - 1) <= slack ? static_cast<double>(count) : covered * static_cast<double>(count);
    const auto end = order.begin() + std::min<Index>(std::llround(exact), count);
    result.emplace_back(begin, end);
    begin = end;
  }
  return result;
}

std::vector<Rows> folds(RowsView rows, Index k, Random& random) {
  const auto count = static_cast<Index>(rows.size());
  if (k < 2) throw UsageError(format_text("the number of folds is {}; allowed are 2 or more", k));
  if (k > count)
    throw Error(format_text("{} folds need at least {} rows, there are {}: use more rows or fewer folds", k, k, count));
  const Rows order = random.permutation(count);
  std::vector<Rows> result;
  for (Index fold = 0; fold < k; ++fold) {
    Rows& chosen = result.emplace_back();
    for (Index i = fold * count / k; i < (fold + 1) * count / k; ++i)
      chosen.push_back(rows[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])]);
  }
  return result;
}

Rows TrainingPart::validation() const {
  Rows result = all_rows(validation_rows());
  for (Index& row : result) row += begin;
  return result;
}

Rows TrainingPart::train() const {
  Rows result = all_rows(rows);
  result.erase(result.begin() + std::max<Index>(0, begin - gap), result.begin() + std::min(rows, end + gap));
  return result;
}

Index count_validation_rows(std::span<const TrainingPart> parts) {
  Index count = 0;
  for (const TrainingPart& part : parts) count += part.validation_rows();
  return count;
}

std::vector<TrainingPart> equal_parts(Index rows, Index count, Index gap) {
  std::vector<TrainingPart> parts;
  for (Index part = 0; part < count; ++part) parts.push_back({rows, part * rows / count, (part + 1) * rows / count, gap});
  return parts;
}

}  // namespace taut
