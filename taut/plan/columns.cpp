#include <taut/plan/columns.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/data/kinds/kinds.hpp>
#include <taut/data/kinds/text_format.hpp>
#include <taut/options/given_columns.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace taut {

std::vector<std::string> target_names(const TableView& table, const FitOptions& options) {
  const std::string& text = options.target;
  if (find_column(table.columns(), text) || text.find(',') == std::string::npos) return {text};
  std::vector<std::string> pieces = {""};
  for (const char c : text) {
    if (c == ',')
      pieces.emplace_back();
    else
      pieces.back() += c;
  }
  std::vector<std::string> names;
  for (std::size_t first = 0; first < pieces.size();) {
    std::string joined, found;
    std::size_t next = first + 1;
    for (std::size_t last = first; last < pieces.size(); ++last) {
      joined += (last > first ? "," : "") + pieces[last];
      for (const std::string& name : {joined, std::string(trim(joined))})
        if (find_column(table.columns(), name)) {
          found = name;
          next = last + 1;
          break;
        }
    }
    names.push_back(found.empty() ? std::string(trim(pieces[first])) : found);
    first = next;
  }
  std::erase(names, "");
  return names;
}

std::vector<Column> input_columns(const TableView& table, const FitOptions& asked) {
  const FitOptions options = with_given_columns(asked, table.names());
  options.check_columns();
  const auto targets = target_names(table, options);
  const auto is_target = [&](const std::string& name) {
    return std::find(targets.begin(), targets.end(), name) != targets.end();
  };
  for (const auto& name : targets) table.require(name);
  const auto predictions = options.prediction_columns();
  for (const auto& name : predictions) table.require(name);
  for (const auto& name : options.drop) table.require(name);
  for (const auto& name : {options.keep_together, options.sample_weight, options.exposure})
    if (!name.empty()) table.require(name);
  for (const auto* declared : {&options.categorical, &options.numeric, &options.date, &options.ordered})
    for (const auto& text : *declared) {
      const std::string name = declared_name(text, table);
      const bool is_dropped = std::find(options.drop.begin(), options.drop.end(), name) != options.drop.end();
      for (const auto& [column, option] : {std::pair(options.keep_together, "keep-together"),
                                           {options.sample_weight, "sample-weight"},
                                           {options.exposure, "exposure"}})
        if (name == column)
          throw UsageError(format_text("the column '{}' is declared, but it is no input: --{} names it", name, option));
      if (is_target(name) || is_dropped || std::find(predictions.begin(), predictions.end(), name) != predictions.end())
        throw UsageError(format_text("the column '{}' is declared, but it is no input: it is the {}", name,
                                     is_dropped        ? "one to drop"
                                     : is_target(name) ? "target"
                                                       : "prediction"));
    }
  std::vector<Column> inputs;
  for (const Column& column : table.columns()) {
    const auto is_in = [&](const std::vector<std::string>& names) {
      return std::find(names.begin(), names.end(), column.name) != names.end();
    };
    // The name of a group says nothing about a new group, so it is not an input.
    if (!is_in(options.drop) && !is_in(predictions) && !is_target(column.name) && column.name != options.keep_together &&
        column.name != options.sample_weight && column.name != options.exposure)
      inputs.push_back(column);
  }
  if (inputs.empty() && predictions.empty())
    throw Error(format_text("{}: no input columns are left beside the target '{}'; drop fewer, or give --prediction",
                            table.source(), options.target));
  return inputs;
}

namespace {

[[noreturn]] void throw_no_number(const TableView& table, Index row, Index column, const std::string* text,
                                  const std::string& role) {
  const double cell = table(row, column);
  const bool is_word = text != nullptr && is_missing_cell(*text, MissingSet::among_numbers);
  const std::string found = is_word            ? "a missing value, " + quoted_cell(*text)
                            : text != nullptr  ? "the text " + quoted_cell(*text)
                            : std::isnan(cell) ? "a missing value"
                                               : print_number(cell);
  throw Error(format_text("{}: the {} must be a finite number, found {}; correct or remove the row, or name another column{}",
                          table.where(row, column), role, found,
                          role == "target" && found.starts_with("a missing value")
                              ? "; --skip-missing-target leaves out rows without a target"
                              : ""));
}

}  // namespace

std::vector<double> numbers_of(const TableView& table, const std::string& name, RowsView rows, const std::string& role) {
  return numbers_of(table, Column{name}, rows, role);
}

std::vector<double> numbers_of(const TableView& table, const Column& wanted, RowsView rows, const std::string& role) {
  const Index column = table.require(wanted.name);
  const Column& about = table.columns()[static_cast<std::size_t>(column)];
  std::vector<double> values;
  values.reserve(rows.size());
  for (const Index row : rows) {
    double value = table(row, column);
    // One text cell makes the whole column categorical. Cells that are numbers are still valid.
    const bool is_text = about.is_categorical() && value >= 0 && value < about.other_code();
    const std::string* text = is_text ? &about.categories[static_cast<std::size_t>(value)] : nullptr;
    if (about.is_categorical()) value = is_text ? read_text(*text, wanted).value_or(missing) : missing;
    if (!std::isfinite(value)) throw_no_number(table, row, column, text, role);
    values.push_back(value);
  }
  return values;
}

std::shared_ptr<const QuantileLevels> levels_of(const FitOptions& options) {
  if (!options.predicts_distribution()) return {};
  if (!options.sample_columns.empty())
    return std::make_shared<const QuantileLevels>(levels_of_samples(std::ssize(options.sample_columns)));
  std::vector<double> levels;
  for (const auto& text : options.quantile_columns) levels.push_back(level_of_quantile_column(text));
  return std::make_shared<const QuantileLevels>(std::move(levels));
}

RowPredictions distributions_of(std::shared_ptr<const QuantileLevels> levels, bool are_samples, Matrix cells) {
  if (!are_samples) return {std::move(levels), std::move(cells)};
  Matrix quantiles(cells.rows(), levels->size());
  for (Index row = 0; row < cells.rows(); ++row) {
    const std::span samples(cells.row(row).data(), static_cast<std::size_t>(cells.cols()));
    std::sort(samples.begin(), samples.end());
    for (Index k = 0; k < quantiles.cols(); ++k)
      quantiles(row, k) = quantile_of_samples(samples, levels->levels()[static_cast<std::size_t>(k)]);
  }
  return {std::move(levels), std::move(quantiles)};
}

RowPredictions predictions_of(const TableView& table, const FitOptions& options, RowsView rows) {
  if (options.predicts_distribution()) {
    const auto names = options.prediction_columns();
    Matrix cells(std::ssize(rows), std::ssize(names));
    for (Index k = 0; k < cells.cols(); ++k) {
      const auto column = numbers_of(table, names[static_cast<std::size_t>(k)], rows, "prediction");
      cells.col(k) = Eigen::Map<const Eigen::VectorXd>(column.data(), cells.rows());
    }
    return distributions_of(levels_of(options), !options.sample_columns.empty(), std::move(cells));
  }
  if (!options.predicts_ends()) return RowPredictions(numbers_of(table, options.prediction, rows, "prediction"));
  return {numbers_of(table, options.lower_prediction, rows, "prediction"),
          numbers_of(table, options.upper_prediction, rows, "prediction")};
}

Index count_crossed(const TableView& table, const FitOptions& options) {
  return options.may_cross() ? predictions_of(table, options, all_rows(table)).crossed() : 0;
}

namespace {

// Tells which cells of a target's column are missing.
class MissingTargets {
 public:
  MissingTargets(const TableView& table, const Column& target)
      : table_(table), column_(table.require(target.name)), found_(table.columns()[static_cast<std::size_t>(column_)]) {
    for (const auto& text : found_.categories) is_missing_.push_back(is_missing_cell(text, target.missing_set()));
  }
  bool operator()(Index row) const {
    const double cell = table_(row, column_);
    if (std::isnan(cell)) return true;
    return found_.is_categorical() && cell < found_.other_code() && is_missing_[static_cast<std::size_t>(cell)];
  }

 private:
  const TableView& table_;
  Index column_;
  const Column& found_;
  std::vector<bool> is_missing_;  // for each text of the column
};

}  // namespace

Rows rows_with_targets(const TableView& table, std::span<const Column> targets, RowsView rows, HasTargets wanted) {
  std::vector<MissingTargets> missing_in;
  for (const Column& target : targets) missing_in.emplace_back(table, target);
  Rows result(rows.begin(), rows.end());
  std::erase_if(result, [&](Index row) {
    const auto lacks = [row](const MissingTargets& is_missing) { return is_missing(row); };
    return wanted == HasTargets::all ? std::any_of(missing_in.begin(), missing_in.end(), lacks)
                                     : std::all_of(missing_in.begin(), missing_in.end(), lacks);
  });
  return result;
}

Rows usable_rows(const TableView& table, const FitOptions& options, std::span<const Column> targets, HasTargets wanted) {
  return options.skip_missing_target ? rows_with_targets(table, targets, all_rows(table), wanted) : all_rows(table);
}

Rows usable_rows(const TableView& table, const FitOptions& options, const Column& target) {
  return usable_rows(table, options, std::span(&target, 1), HasTargets::all);
}

std::vector<double> sample_weights(const TableView& table, const std::string& column, RowsView rows) {
  std::vector<double> weights = numbers_of(table, column, rows, "sample weight");
  const auto negative = std::find_if(weights.begin(), weights.end(), [](double weight) { return weight < 0; });
  if (negative == weights.end()) return weights;
  throw Error(format_text(
      "{}: the sample weight must not be negative, found {}; correct or remove the row, or name another column",
      table.where(rows[static_cast<std::size_t>(negative - weights.begin())], table.require(column)), print_number(*negative)));
}

std::vector<double> exposures(const TableView& table, const std::string& column, RowsView rows) {
  std::vector<double> found = numbers_of(table, column, rows, "exposure");
  const auto where = [&](auto wrong) {
    return table.where(rows[static_cast<std::size_t>(wrong - found.begin())], table.require(column));
  };
  const auto wrong = std::find_if(found.begin(), found.end(), [](double exposure) { return !(exposure > 0); });
  if (wrong != found.end())
    throw Error(format_text("{}: the exposure must be above 0, found {}; correct or remove the row, or name another column",
                            where(wrong), print_number(*wrong)));
  constexpr double least = 1e-100, most = 1e100;  // squares of rates must fit into a double
  const auto extreme = std::find_if(found.begin(), found.end(), [](double e) { return e < least || e > most; });
  if (extreme != found.end())
    throw Error(format_text("{}: the exposure must be from {} to {}, found {}; measure it in another unit", where(extreme),
                            print_number(least), print_number(most), print_number(*extreme)));
  return found;
}

std::vector<double> weights_by_exposure(std::span<const double> weights, std::span<const double> exposure, RowsView counted) {
  std::vector<double> result(exposure.size());
  double sum = 0;
  for (const Index row : counted) {
    const auto at = static_cast<std::size_t>(row);
    result[at] = exposure[at] * (weights.empty() ? 1 : weights[at]);
    sum += result[at];
  }
  for (double& weight : result) weight *= static_cast<double>(counted.size()) / sum;
  return result;
}

Rows rows_of_fit(const TableView& table, const FitOptions& options, std::span<const Column> targets, HasTargets wanted) {
  Rows rows = usable_rows(table, options, targets, wanted);
  if (options.sample_weight.empty()) return rows;
  const std::vector<double> weights = sample_weights(table, options.sample_weight, rows);
  Rows counted;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (weights[i] > 0) counted.push_back(rows[i]);
  if (counted.empty() && !rows.empty())
    throw Error(
        format_text("{}: all sample weights in '{}' are zero: no row would count", table.source(), options.sample_weight));
  return counted;
}

Rows rows_of_fit(const TableView& table, const FitOptions& options, const Column& target) {
  return rows_of_fit(table, options, std::span(&target, 1), HasTargets::all);
}

Rows rows_of_calibration(const TableView& table, const FitOptions& options, std::span<const Column> targets, HasTargets wanted) {
  const bool is_weighted = !options.sample_weight.empty() && find_column(table.columns(), options.sample_weight).has_value();
  return is_weighted ? rows_of_fit(table, options, targets, wanted) : usable_rows(table, options, targets, wanted);
}

namespace {

// The weights, scaled to the mean 1 if their mean is outside of the range of weights_of_fit. Sums of weights near the largest or
// the smallest double are taken after a division by the largest weight.
std::vector<double> in_range(std::vector<double> weights) {
  if (weights.empty()) return weights;
  const auto [least, most] = std::minmax_element(weights.begin(), weights.end());
  const double largest = *most;
  const auto rows = static_cast<double>(weights.size());
  double sum = 0, share = 0;
  for (const double weight : weights) {
    sum += weight;
    share += weight / largest;
  }
  const double mean = largest * (share / rows);
  if (mean >= 1 && mean <= max_mean_weight) return weights;
  if (*least == largest) return std::vector<double>(weights.size(), 1);
  const bool is_usual = mean < 1 && std::isnormal(sum) && std::isfinite(rows / sum);
  for (double& weight : weights)
    weight = is_usual ? weight * (rows / sum) : std::max(weight / largest * (rows / share), std::numeric_limits<double>::min());
  return weights;
}

}  // namespace

std::vector<double> weights_of_fit(const TableView& table, const FitOptions& options, RowsView counted) {
  if (options.sample_weight.empty()) return {};
  const std::vector<double> own = in_range(sample_weights(table, options.sample_weight, counted));
  std::vector<double> weights(static_cast<std::size_t>(table.rows()));
  for (std::size_t i = 0; i < own.size(); ++i) weights[static_cast<std::size_t>(counted[i])] = own[i];
  return weights;
}

std::vector<double> targets_of(const TableView& table, const Column& target, RowsView rows, const TargetRange& range) {
  std::vector<double> y = numbers_of(table, target, rows, "target");
  if (!range.restricts()) return y;
  const auto is_impossible = [&](double value) { return !range.is_possible(value); };
  const auto first = std::find_if(y.begin(), y.end(), is_impossible);
  if (first == y.end()) return y;
  const auto count = std::count_if(first, y.end(), is_impossible);
  throw Error(format_text(
      "{}: the target {} {}; {} of {} rows have a target that the declared range or step rules out, and no interval could hold "
      "it: correct these rows, or fit with another --y-min, --y-max or --y-step",
      table.where(rows[static_cast<std::size_t>(first - y.begin())], table.require(target.name)), print_number(*first),
      range.objection(*first), print_count(count), print_count(std::ssize(y))));
}

TargetRange possible_targets(const FitOptions& options, std::span<const double> y) {
  const TargetRange decimals(options.y_min, options.y_max, options.y_step);
  const bool has_products = std::any_of(y.begin(), y.end(), [&](double value) { return decimals.is_product_only(value); });
  return has_products ? TargetRange(options.y_min, options.y_max, options.y_step, TargetRange::Multiples::products_too)
                      : decimals;
}

void require_ids(const TableView& table, const std::string& column, RowsView rows) {
  const Index at = table.require(column);
  const auto is_missing = [&](Index row) { return std::isnan(table(row, at)); };
  const auto first = std::find_if(rows.begin(), rows.end(), is_missing);
  if (first == rows.end()) return;
  const auto count = std::count_if(first, rows.end(), is_missing);
  throw Error(format_text(
      "{}: --keep-together needs a value in every row, and this cell is missing; {} of {} {} none. Fill in the groups of these "
      "rows, give a row without a group a value that no other row has, or remove them",
      table.where(*first, at), print_count(count), counted(std::ssize(rows), "row"), count == 1 ? "has" : "have"));
}

Rows all_rows(const TableView& table) { return all_rows(table.rows()); }

std::string range_hint(std::span<const double> y, const FitOptions& options, bool reaches_below_zero) {
  if (y.empty()) return {};
  const auto all = [&](auto holds) { return std::all_of(y.begin(), y.end(), holds); };
  const auto multiple_of = [](double step) {
    return [step](double value) { return std::abs(value / step - std::round(value / step)) < 1e-9 && std::abs(value) < 1e15; };
  };
  std::string flags, why;
  if (options.y_step == 0 && all(multiple_of(1))) {
    why = format_text("all {} values of the target in training rows are whole numbers",
                      print_count(static_cast<long long>(y.size())));
    flags = "--y-step 1";
  }
  if (options.y_min == -infinity && reaches_below_zero && all([](double value) { return value >= 0; })) {
    why += why.empty() ? "no value of the target in training rows is negative" : ", and none is negative";
    why += ", but some intervals at 0.95 reach below 0";
    flags += flags.empty() ? "--y-min 0" : " --y-min 0";
  }
  if (flags.empty()) return {};
  return format_text("{}: if that always holds, {} makes intervals narrower at no cost", why, flags);
}

}  // namespace taut
