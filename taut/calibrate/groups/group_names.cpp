// How groups are written: "region", "age:5", "age:18/40/65", "prediction:5".
#include <taut/calibrate/groups/group_columns.hpp>
#include <taut/calibrate/groups/scale_groups.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/data/kinds/kinds.hpp>
#include <taut/data/table_view.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace taut {

namespace {

constexpr Index max_parts = 1000;  // of one number

struct Cutting {
  std::string name;
  Index parts = 0;                // 0: `cuts` are given
  std::vector<double> cuts = {};  // cut points
};

// "age:5", "age:18/40/65"; nothing if no such text follows the last colon.
std::optional<Cutting> cutting_of(const std::string& specification, const std::string& option) {
  const auto colon = specification.rfind(':');
  if (colon == std::string::npos || colon == 0) return std::nullopt;
  Cutting result{specification.substr(0, colon)};
  const std::string rest = specification.substr(colon + 1);
  if (rest.find('/') == std::string::npos) {
    const auto number = parse_number(rest);
    if (!number) return std::nullopt;
    if (*number != std::floor(*number) || *number < 2 || *number > static_cast<double>(max_parts))
      throw UsageError(
          format_text("{} '{}': a number is cut into 2 to {} parts, such as {}:5, or at given points, such as {}:18/40/65",
                      option, specification, print_count(max_parts), result.name, result.name));
    result.parts = static_cast<Index>(*number);
    return result;
  }
  for (const auto& word : split_text(rest, '/')) {
    if (word.empty()) continue;
    const auto number = parse_number(word);
    if (!number || !std::isfinite(*number) || (!result.cuts.empty() && !(*number > result.cuts.back())))
      throw UsageError(format_text("{} '{}': cut points must be increasing numbers, for example {}:18/40/65", option,
                                   specification, result.name));
    result.cuts.push_back(*number);
  }
  if (result.cuts.empty())
    throw UsageError(format_text("{} '{}' has no cut point; an example is {}:18/40/65", option, specification, result.name));
  return result;
}

void refuse_repeated(const std::string& text, const std::vector<std::string>& known, const std::string& option) {
  if (std::find(known.begin(), known.end(), text) != known.end())
    throw UsageError(format_text("{} names '{}' twice; name it once", option, text));
}

}  // namespace

void refuse_target(const std::vector<std::string>& specifications, const std::string& option, const std::string& target) {
  for (const auto& specification : specifications) {
    const auto cutting = cutting_of(specification, option);
    if (specification == target || (cutting && cutting->name == target))
      throw UsageError(format_text("{} names the target '{}'; name a column that is known before it", option, target));
  }
}

GroupColumns::Part GroupColumns::named_part(const std::string& specification, const std::string& option, const TableView& table,
                                            const std::vector<Column>& inputs, Index& n_parts) {
  const auto& columns = table.columns();
  std::string name = specification;
  std::optional<Cutting> cutting;
  if (!find_column(columns, name) && !find_column(inputs, name)) cutting = cutting_of(specification, option);
  if (cutting) name = cutting->name;
  Part part{.specification = specification, .column = {name}};
  if (const auto input = find_column(inputs, name)) {
    part.column = inputs[static_cast<std::size_t>(*input)];
    part.from = part.column.is_categorical() ? From::value : From::input;
    part.trained = part.column.categories.size();
  } else if (const auto found = find_column(columns, name)) {
    part.column = column_of_values(columns[static_cast<std::size_t>(*found)]);
  } else if (name == "prediction" || name == "scale") {
    part.from = name == "scale" ? From::scale : From::prediction;
    if (!cutting) throw UsageError(format_text("{} '{}': say into how many parts, for example {}:5", option, name, name));
  } else {
    throw Error(format_text("{}: {}", option, missing_column(table.source(), name, table.names())));
  }
  if (!cutting) return part;
  if (part.column.is_categorical())
    throw UsageError(format_text("{} '{}': the column '{}' holds categories, which cannot be cut; name it alone: {} {}", option,
                                 specification, name, option, name));
  part.is_cut = true;
  part.by_quantiles = cutting->parts > 0;
  n_parts = cutting->parts;
  part.cuts = std::move(cutting->cuts);
  return part;
}

void GroupColumns::check(const std::vector<std::string>& specifications, const std::string& option, const TableView& table,
                         const std::vector<Column>& inputs) {
  Index ignored = 0;
  for (auto text = specifications.begin(); text != specifications.end(); ++text) {
    refuse_repeated(*text, {specifications.begin(), text}, option);
    (void)named_part(*text, option, table, inputs, ignored);
  }
}

bool cuts_the_scale(const std::string& specification, const std::string& option, const std::vector<Column>& columns) {
  if (find_column(columns, specification)) return false;
  const auto cutting = cutting_of(specification, option);
  return cutting && cutting->name == "scale" && !find_column(columns, cutting->name);
}

std::vector<std::string> columns_of_groups(const std::vector<std::string>& specifications, const std::string& option,
                                           const std::vector<Column>& columns) {
  std::vector<std::string> names;
  for (const auto& text : specifications) {
    const auto cutting = find_column(columns, text) ? std::nullopt : cutting_of(text, option);
    const std::string name = cutting ? cutting->name : text;
    const bool is_output = (name == "prediction" || name == "scale") && !find_column(columns, name);
    if (!is_output) names.push_back(name);
  }
  return names;
}

}  // namespace taut
