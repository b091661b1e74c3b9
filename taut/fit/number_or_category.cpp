#include <taut/fit/number_or_category.hpp>

#include <taut/core/trace.hpp>
#include <taut/data/inputs/category_means.hpp>
#include <taut/data/kinds/column_texts.hpp>
#include <taut/data/split.hpp>
#include <taut/predict/folded_predictor.hpp>
#include <taut/predict/stack_weights.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace taut {

namespace {

constexpr Index min_values = 5;  // different ones
constexpr Index min_rows_per_value = 2;
constexpr Index min_trial_rows = 40;
// Trials use a quarter of the rows, within these limits.
constexpr Index usual_trial_rows = 3000;
constexpr Index max_trial_rows = 20'000;
// The mean target of a category comes from the folds that neither hold the row nor are held out, so two folds have none.
constexpr Index trial_folds = 4;
constexpr Index blocks_of_residuals = 5;
constexpr Index neighbours = 2;           // on each side
constexpr std::size_t max_trials = 4;     // columns
constexpr Index max_linear_inputs = 300;  // with more, linear models are too slow for a trial
// The share of the residuals' variance that categories must explain beyond neighbours.
constexpr double min_explained = 0.01;
// A category must lower the error by this share, and by this number of standard errors.
constexpr double min_error_gain = 0.01;
constexpr double clear_deviations = 2;

Column as_category(const TableView& x, Index at, RowsView rows) {
  Column column = x.columns()[static_cast<std::size_t>(at)];
  column.kind = ColumnKind::category;
  const ColumnTexts texts = column_texts(x, at, rows);
  for (const CountedText& one : texts.texts) column.categories.emplace_back(one.text);
  return column;
}

// Every k-th row: blocks stay blocks, and all of the table is represented.
Rows sampled(RowsView rows) {
  const Index n = std::ssize(rows);
  const Index count = std::min(n, std::clamp(n / 4, usual_trial_rows, max_trial_rows));
  Rows result;
  for (Index i = 0; i < count; ++i) result.push_back(i * n / count);
  return result;
}

// The rank of each row's value among the different values; −1 for a missing cell.
std::vector<Index> ranks_of(const TableView& x, Index column, RowsView rows, Index& different) {
  std::vector<double> values;
  for (const Index row : rows)
    if (const double value = x(row, column); !std::isnan(value)) values.push_back(value);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  different = std::ssize(values);
  std::vector<Index> ranks;
  for (const Index row : rows) {
    const double value = x(row, column);
    ranks.push_back(std::isnan(value) ? -1 : std::lower_bound(values.begin(), values.end(), value) - values.begin());
  }
  return ranks;
}

double sum_of_squares(std::span<const double> values, RowWeights weights) {
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) sum += weight_of(weights, static_cast<Index>(i)) * (values[i] * values[i]);
  return sum;
}

// The share of Σ e² that the means by value explain, each from the other blocks of rows and shrunken.
double explained_by_values(const std::vector<Index>& ranks, Index different, std::span<const double> e, RowWeights weights) {
  const Index n = std::ssize(e);
  std::vector<double> codes;
  for (const Index rank : ranks) codes.push_back(rank < 0 ? missing : static_cast<double>(rank));
  TableView table("", n);
  table.add({"", ColumnKind::category, std::vector<std::string>(static_cast<std::size_t>(different))}, std::move(codes));
  RowBlocks blocks{{}, static_cast<std::size_t>(blocks_of_residuals)};
  for (Index i = 0; i < n; ++i) blocks.of_row.push_back(static_cast<std::uint8_t>(i * blocks_of_residuals / n));
  const CategorySums sums(table, all_rows(n), e, blocks, weights);
  double left = 0;
  for (std::size_t block = 0; block < blocks.count; ++block) {
    const CategoryMeans means = sums.means_without(block).front();
    for (std::size_t i = 0; i < e.size(); ++i) {
      if (blocks.of_row[i] != block) continue;
      const double mean = ranks[i] < 0 ? 0 : means.means[static_cast<std::size_t>(ranks[i])];
      left += weight_of(weights, static_cast<Index>(i)) * ((e[i] - mean) * (e[i] - mean));
    }
  }
  return 1 - left / sum_of_squares(e, weights);
}

// The same for a multiple of the mean over the neighbouring values.
double explained_by_neighbours(const std::vector<Index>& ranks, Index different, std::span<const double> e, RowWeights weights) {
  std::vector<double> sums(static_cast<std::size_t>(different)), counts(static_cast<std::size_t>(different));
  for (std::size_t i = 0; i < e.size(); ++i) {
    if (ranks[i] < 0) continue;
    const double weight = weight_of(weights, static_cast<Index>(i));
    sums[static_cast<std::size_t>(ranks[i])] += weight * e[i];
    counts[static_cast<std::size_t>(ranks[i])] += weight;
  }
  std::vector<double> means;
  for (Index rank = 0; rank < different; ++rank) {
    double sum = 0, count = 0;
    for (Index near = std::max<Index>(0, rank - neighbours); near <= std::min(different - 1, rank + neighbours); ++near) {
      if (near == rank) continue;
      sum += sums[static_cast<std::size_t>(near)];
      count += counts[static_cast<std::size_t>(near)];
    }
    means.push_back(count > 0 ? sum / count : sum);
  }
  double product = 0, square = 0;
  for (std::size_t i = 0; i < e.size(); ++i) {
    const double mean = ranks[i] < 0 ? 0 : means[static_cast<std::size_t>(ranks[i])];
    product += weight_of(weights, static_cast<Index>(i)) * (e[i] * mean);
    square += weight_of(weights, static_cast<Index>(i)) * (mean * mean);
  }
  return product > 0 && square > 0 ? product * product / (square * sum_of_squares(e, weights)) : 0;
}

// Centred, and limited so that a few outliers do not decide.
std::vector<double> limited(std::vector<double> e, RowWeights weights) {
  std::vector<double> sorted = e;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t tail = sorted.size() / 50;
  for (double& value : e) value = std::clamp(value, sorted[tail], sorted[sorted.size() - 1 - tail]);
  const double mean = weighted_mean(e, weights);
  for (double& value : e) value -= mean;
  return e;
}

// Out-of-fold residuals of quick predictors, whose predictions are weighted as in a stack.
class Trials {
 public:
  Trials(const NumberTrials& about, const ExecutionContext& context) : about_(about), context_(context) {
    const Rows places = sampled(about.rows);
    for (const Index place : places) rows_.push_back(about.rows[static_cast<std::size_t>(place)]);
    y_ = pick(about.y, places);
    weights_ = pick_weights(about.weights, places);
  }
  const Rows& rows() const { return rows_; }
  RowWeights weights() const { return weights_; }
  bool are_constant() const {
    return std::all_of(y_.begin(), y_.end(), [&](double y) { return y == y_.front(); });
  }

  std::vector<double> residuals(const TableView& x, bool with_linear) const {
    const StackRows rows{x, rows_, y_, equal_parts(std::ssize(rows_), trial_folds), false, weights_};
    const PredictorSettings settings{.seed = about_.seed, .effort = SearchEffort::quick};
    FoldInputs inputs(x, rows_, y_, rows.folds, about_.seed, weights_);
    std::vector<StackCandidate> predictors{{"boost"}};
    if (with_linear) predictors.push_back({"linear"});
    const auto trained = train_over_folds(predictors, rows, inputs, settings, context_);
    Matrix predictions(std::ssize(y_), std::ssize(trained));
    for (std::size_t k = 0; k < trained.size(); ++k)
      for (std::size_t i = 0; i < y_.size(); ++i)
        predictions(static_cast<Index>(i), static_cast<Index>(k)) = trained[k].held_out[i];
    const auto weights = stack_weights(predictions, y_, weights_);
    std::vector<double> result = y_;
    for (std::size_t i = 0; i < result.size(); ++i)
      for (std::size_t k = 0; k < weights.size(); ++k)
        result[i] -= weights[k] * predictions(static_cast<Index>(i), static_cast<Index>(k));
    return result;
  }

  // The share by which the error of `after` is lower; 0 unless it is clearly lower.
  double gain(std::span<const double> before, std::span<const double> after) const {
    const auto error = [&](double e) { return about_.squared ? e * e : std::abs(e); };
    const double n = total_weight(weights_, std::ssize(before));
    double sum = 0, lower = 0, squares = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      const double less = error(before[i]) - error(after[i]), weight = weight_of(weights_, static_cast<Index>(i));
      sum += weight * error(before[i]);
      lower += weight * less;
      squares += weight * (less * less);
    }
    const double deviation = std::sqrt(std::max(0.0, squares - lower * lower / n));
    return lower > min_error_gain * sum && lower > clear_deviations * deviation ? lower / sum : 0;
  }

 private:
  const NumberTrials& about_;
  const ExecutionContext& context_;
  Rows rows_;
  std::vector<double> y_, weights_;
};

Index count_inputs(const std::vector<Column>& columns) {
  Index count = 0;
  for (const Column& column : columns) count += column.kind == ColumnKind::category ? std::ssize(column.categories) : 1;
  return count;
}

}  // namespace

bool are_repeated_numbers(const TableView& table, Index column, RowsView rows) {
  std::vector<double> values;
  values.reserve(rows.size());
  for (const Index row : rows) values.push_back(table(row, column));
  const NumberFacts facts = number_facts(values, rows);
  return facts.are_whole && facts.different >= min_values && facts.cells >= min_rows_per_value * facts.different;
}

std::vector<BetterAsCategory> better_as_categories(const NumberTrials& about, std::vector<Index> candidates,
                                                   const ExecutionContext& context) {
  if (candidates.empty() || std::ssize(about.rows) < min_trial_rows) return {};
  const Traced traced("numbers or categories");
  const Trials trials(about, context);
  if (trials.are_constant()) return {};
  Index most = 0;
  for (const Index column : candidates)
    most = std::max(most, std::ssize(as_category(about.x, column, about.describing).categories));
  const bool with_linear = count_inputs(about.x.columns()) + most <= max_linear_inputs;
  std::vector<double> before = trials.residuals(about.x, with_linear);
  const std::vector<double> e = limited(before, trials.weights());
  if (!(sum_of_squares(e, trials.weights()) > 0)) return {};

  std::vector<std::pair<double, Index>> promising;  // the explained share and the column
  for (const Index column : candidates) {
    Index different = 0;
    const auto ranks = ranks_of(about.x, column, trials.rows(), different);
    if (different < min_values) continue;
    const double explained = explained_by_values(ranks, different, e, trials.weights());
    if (explained > min_explained + explained_by_neighbours(ranks, different, e, trials.weights()))
      promising.emplace_back(explained, column);
  }
  std::stable_sort(promising.begin(), promising.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  if (promising.size() > max_trials) promising.resize(max_trials);

  std::vector<BetterAsCategory> chosen;
  std::vector<Column> schema = about.x.columns();
  for (const auto& [explained, column] : promising) {
    std::vector<Column> other = schema;
    other[static_cast<std::size_t>(column)] = as_category(about.x, column, about.describing);
    std::vector<double> after = trials.residuals(about.x.matched(other), with_linear);
    const double gain = trials.gain(before, after);
    if (!(gain > 0)) continue;
    chosen.push_back({other[static_cast<std::size_t>(column)], gain});
    schema = std::move(other);
    before = std::move(after);
  }
  return chosen;
}

}  // namespace taut
