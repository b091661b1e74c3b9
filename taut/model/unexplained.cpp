#include <taut/model/unexplained.hpp>

#include <taut/core/run_concurrently.hpp>
#include <taut/predict/predictor.hpp>

#include <algorithm>

namespace taut {

namespace {

constexpr Index parts_of_one = 5;
constexpr Index fewest_rows = 40;  // fewer tell nothing about other columns that would be worth subtracting

}  // namespace

std::vector<double> unexplained_by_other_columns(const TableView& x, RowsView rows, std::span<const double> y,
                                                 const std::vector<TrainingPart>& parts, std::uint64_t seed,
                                                 const ExecutionContext& context) {
  std::vector<double> left(y.begin(), y.end());
  std::vector<Column> others = x.columns();
  std::erase_if(others, [](const Column& column) { return column.kind == ColumnKind::category; });
  if (others.empty() || std::ssize(rows) < fewest_rows) return left;
  const TableView other_columns = x.matched(others);
  const InputPool inputs = Encoder(Encoding::raw, other_columns, rows).encode(other_columns, rows, context.threads);
  const auto cut = parts.size() > 1 ? parts : equal_parts(std::ssize(rows), parts_of_one);
  run_concurrently(std::ssize(cut), context, "looking at categories", [&](Index which, const ExecutionContext& inside) {
    const TrainingPart& part = cut[static_cast<std::size_t>(which)];
    const Rows training = part.train();
    std::vector<double> found(static_cast<std::size_t>(part.validation_rows()));
    const auto trees = predictors().make("boost");
    trees->fit(inputs, training, pick(y, training), {.seed = seed + static_cast<std::uint64_t>(which), .effort = SearchEffort::quick},
               inside);
    trees->predict(inputs.floats().middleRows(part.begin, part.validation_rows()), found, inside.threads);
    for (Index i = part.begin; i < part.end; ++i)
      left[static_cast<std::size_t>(i)] -= found[static_cast<std::size_t>(i - part.begin)];
  });
  return left;
}

}  // namespace taut
