// Decides whether whole numbers that repeat are numbers or categories, and tells the user.
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/data/kinds/column_names.hpp>
#include <taut/data/kinds/kinds.hpp>
#include <taut/fit/number_or_category.hpp>
#include <taut/model/fit_rows.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

// True if the option --by names the column, "age" or "age:5": groups are made from its numbers.
bool has_groups(const std::string& column, const FitOptions& options, const TableView& table) {
  return std::any_of(options.by.begin(), options.by.end(),
                     [&](const std::string& by) { return declared_name(by, table) == column; });
}

// True if `column` is a number by inference, whose values may be ids.
bool may_be_key(const Column& column, const FitOptions& options, const TableView& table) {
  const auto is_in = [&](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), column.name) != names.end();
  };
  const bool is_declared = is_in(options.numeric) || is_in(options.increasing) || is_in(options.decreasing);
  return column.kind == ColumnKind::number && column.format == TextFormat{} && !is_declared && column.name != options.order_by &&
         !is_called_time(column.name) && !has_groups(column.name, options, table);
}

// True if every cell of these rows that holds something holds a number. Words that are missing cells among numbers would be
// categories.
bool are_all_numbers(const TableView& table, const TableView& x, Index column, RowsView rows) {
  const Index given = table.require(x.columns()[static_cast<std::size_t>(column)].name);
  return std::all_of(rows.begin(), rows.end(),
                     [&](Index row) { return std::isnan(table(row, given)) == std::isnan(x(row, column)); });
}

// "'schoolid' (and 2 more)".
std::string first_of(const std::vector<std::string>& columns) {
  const auto more = std::ssize(columns) - 1;
  return format_text("'{}'{}", columns.front(), more == 0 ? std::string() : format_text(" (and {} more)", more));
}

void tell(const std::string& about, const std::string& option, const std::string& column, const ExecutionContext& context) {
  context.tell(
      format_text("{}; --{} '{}' changes this. Rows of one '{}' may depend on each other: --keep-together '{}' keeps them in one "
                  "fold and one calibration part",
                  about, option, column, column, column));
}

}  // namespace

void choose_number_or_category(FitInputs& inputs, const FitRequest& request, std::span<const double> y, RowWeights weights,
                               TargetOfTrials target) {
  const auto& [table, options, plan, context, foreign, is_held_out, prepared] = request;
  if (options.has_f() || plan.predictor.empty()) return;
  const Rows describing = plan.describing();
  std::vector<Index> candidates;
  for (Index c = 0; c < std::ssize(inputs.schema); ++c)
    if (may_be_key(inputs.schema[static_cast<std::size_t>(c)], options, table) && are_repeated_numbers(inputs.x, c, describing) &&
        are_all_numbers(table, inputs.x, c, describing))
      candidates.push_back(c);
  std::vector<BetterAsCategory> chosen;
  // Models of --split cv+ must agree on the kinds of columns, and inputs from earlier rows are numbers.
  if (!options.holds_out() && !is_held_out && !options.has_past())
    chosen = better_as_categories({inputs.x, plan.predictor, y, describing, target == TargetOfTrials::indicator,
                                   static_cast<std::uint64_t>(options.seed), weights},
                                  candidates, context);
  std::vector<std::string> ids, numbers;
  for (const Index c : candidates) {
    Column& column = inputs.schema[static_cast<std::size_t>(c)];
    const auto found =
        std::find_if(chosen.begin(), chosen.end(), [&](const BetterAsCategory& one) { return one.column.name == column.name; });
    if (found == chosen.end()) {
      if (is_called_key(column.name)) numbers.push_back(column.name);
      continue;
    }
    column = found->column;
    ids.push_back(column.name);
    inputs.notes.push_back(
        {column.name, "category",
         format_text("category with {}: its numbers are used as ids, which lowers the out-of-fold error by {} "
                     "%; --numeric '{}' keeps numbers",
                     counted(std::ssize(column.categories), "value"), print_rounded(100 * found->gain, 2), column.name),
         false});
  }
  // New rows are matched with the table's own cells, not with cells that were read as numbers before.
  if (!chosen.empty()) inputs.x = table.matched(inputs.schema);
  if (!ids.empty())
    tell(format_text("the numbers of {} are used as ids, not as amounts: as {} they predict better", first_of(ids),
                     ids.size() == 1 ? "a category" : "categories"),
         "numeric", ids.front(), context);
  if (!numbers.empty())
    tell(format_text("{} {} named like an id and used as {}", first_of(numbers), numbers.size() == 1 ? "is" : "are",
                     numbers.size() == 1 ? "a number" : "numbers"),
         "categorical", numbers.front(), context);
}

}  // namespace taut
