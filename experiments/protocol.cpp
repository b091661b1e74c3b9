#include <experiments/protocol.hpp>

#include <taut/calibrate/rank.hpp>
#include <taut/core/error.hpp>
#include <taut/data/split.hpp>
#include <taut/metric/interval.hpp>
#include <taut/plan/columns.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

// Let b_(1) <= ... <= b_(n) be the sorted scores, and k = ⌈n · confidence⌉ the rank among the n − 1 other scores. The k-th
// smallest of the others is b_(k+1) for a row whose score is at most b_(k), and b_(k) for the other rows. So two quantiles of all
// scores are enough for every row. The model already has both as levels: rank j of n is confidence j / (n + 1).

void leave_one_out(const Regressor& model, const Table& test, std::span<const double> y, std::vector<LeftOutLevel>& levels,
                   const ExecutionContext& context) {
  const Index n = test.rows();
  std::vector<double> confidences;
  for (const auto& level : levels) {
    const Index k = exact_rank(n - 1, level.confidence);
    confidences.push_back(static_cast<double>(k) / static_cast<double>(n + 1));
    // Rank n + 1 means the whole line, which any confidence above n / (n + 1) gives.
    confidences.push_back(k + 1 <= n ? static_cast<double>(k + 1) / static_cast<double>(n + 1)
                                     : 1 - 0.5 / static_cast<double>(n + 1));
  }
  const Predicted predicted = model.predict_interval(test, confidences, context);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    double half_widths = 0;
    Index covered = 0;
    const bool infeasible = exact_rank(n - 1, levels[i].confidence) > n - 1;
    for (Index row = 0; row < n; ++row) {
      const double target = y[static_cast<std::size_t>(row)];
      const bool low_score = predicted.at(row, 2 * i).contains(target);
      const Interval& interval = predicted.at(row, 2 * i + (low_score || infeasible ? 1 : 0));
      half_widths += 0.5 * interval.width();
      covered += interval.contains(target) ? 1 : 0;
    }
    levels[i].mean_half_width = half_widths / static_cast<double>(n);
    levels[i].coverage = static_cast<double>(covered) / static_cast<double>(n);
  }
}

namespace {

const std::string prediction_column = "(prediction of f)";

constexpr std::uint64_t cut_stream = 101;  // different from the random streams that generate the rows

// Optimizer steps of the paper's network: enough for the validation loss to rise again on each of the data sets.
constexpr double max_steps = 14'000;
constexpr double min_epochs = 10, max_epochs = 120;

double mean_magnitude(const Table& table, Index column) {
  double sum = 0;
  for (Index row = 0; row < table.rows(); ++row) sum += std::abs(table.values(row, column));
  return sum / static_cast<double>(table.rows());
}

Table with_column(Table table, const std::string& name, const std::vector<double>& values) {
  table.columns.push_back({name});
  table.values.conservativeResize(Eigen::NoChange, table.values.cols() + 1);
  for (Index row = 0; row < table.rows(); ++row)
    table.values(row, table.values.cols() - 1) = values[static_cast<std::size_t>(row)];
  return table;
}

std::string level_name(std::string_view name, std::size_t level) {
  return std::string(name) + "_" + print_number(paper_levels()[level]);
}

std::vector<Interval> intervals_of(const Predicted& predicted, std::size_t level) {
  std::vector<Interval> intervals;
  for (std::size_t row = 0; row < predicted.prediction.size(); ++row)
    intervals.push_back(predicted.at(static_cast<Index>(row), level));
  return intervals;
}

double mean_half_width(std::span<const Interval> intervals) {
  double sum = 0;
  for (const Interval& interval : intervals) sum += 0.5 * interval.width();
  return sum / static_cast<double>(intervals.size());
}

}  // namespace

Protocol read_protocol(const std::string& name) {
  const std::vector<std::string> known = {"paper", "taut"};
  if (name != "paper" && name != "taut") throw UsageError(unknown_name("protocol", name, known));
  return name == "paper" ? Protocol::paper : Protocol::taut;
}

std::string name_of(Protocol protocol) { return protocol == Protocol::paper ? "paper" : "taut"; }

Table choose_rows(const Table& table, RowsView rows) {
  Table part{table.source, table.columns, Matrix(std::ssize(rows), table.values.cols()), {}};
  for (std::size_t i = 0; i < rows.size(); ++i) part.values.row(static_cast<Index>(i)) = table.values.row(rows[i]);
  if (!table.lines.empty())
    for (const Index row : rows) part.lines.push_back(table.lines[static_cast<std::size_t>(row)]);
  return part;
}

Setting::Setting(DataSet set, std::shared_ptr<const Table> rows, Protocol protocol, Index seed)
    : set_(std::move(set)), rows_(std::move(rows)), protocol_(protocol), seed_(seed) {}

void Setting::prepare(const ExecutionContext& context) {
  std::call_once(prepared_, [&] {
    const Table generated = set_.synthetic()
                                ? synthetic_table(*synthetic_sets().make(set_.name), set_.rows, static_cast<std::uint64_t>(seed_))
                                : Table{};
    const Table& all = set_.synthetic() ? generated : *rows_;
    protocol_ == Protocol::paper ? prepare_paper(all, context) : prepare_taut(all);
    rows_.reset();
  });
}

void Setting::prepare_paper(const Table& all, const ExecutionContext& context) {
  Random random = Random(static_cast<std::uint64_t>(seed_)).fork(cut_stream);
  const auto cut = parts(all.rows(), std::array{0.4, 0.4, 0.2}, random);
  const Table first = choose_rows(all, cut[0]);
  train_ = choose_rows(all, cut[1]);
  test_ = choose_rows(all, cut[2]);
  if (!set_.synthetic()) unit_ = mean_magnitude(first, first.require(set_.target));

  FitOptions options;
  options.target = set_.target;
  options.predictor = "knn";
  options.localizer = "none";
  options.split = "1,0,0,0";
  options.seed = seed_;
  f_ = Regressor::fit(first, options, context, &test_);
  train_ = predicted(std::move(train_), context);
  test_ = predicted(std::move(test_), context);

  const Rows rows = all_rows(test_);
  calibration_half_ = choose_rows(test_, RowsView(rows).first(rows.size() / 2));
  test_half_ = choose_rows(test_, RowsView(rows).subspan(rows.size() / 2));
}

void Setting::prepare_taut(const Table& all) {
  Random random = Random(static_cast<std::uint64_t>(seed_)).fork(cut_stream);
  const auto cut = parts(all.rows(), std::array{0.6, 0.2, 0.2}, random);
  train_ = choose_rows(all, cut[0]);
  calibration_half_ = choose_rows(all, cut[1]);
  test_half_ = choose_rows(all, cut[2]);
  if (!set_.synthetic()) unit_ = mean_magnitude(train_, train_.require(set_.target));
}

Table Setting::predicted(Table rows, const ExecutionContext& context) const {
  const auto prediction = f_->predict_interval(rows, std::array{0.5}, context).prediction;
  return with_column(std::move(rows), prediction_column, prediction);
}

const Table& Setting::test_rows(const ExecutionContext& context) {
  prepare(context);
  return test_;
}

Table Setting::with_prediction(Table rows, const ExecutionContext& context) {
  prepare(context);
  return predicted(std::move(rows), context);
}

Regressor Setting::fit(const Method& method, const ExecutionContext& context) {
  prepare(context);
  return Regressor::fit(train_, options_for(method), context, protocol_ == Protocol::paper ? &test_ : &calibration_half_);
}

FitOptions Setting::options_for(const Method& method) const {
  FitOptions options = method.options;
  options.target = set_.target;
  options.seed = seed_;
  if (protocol_ == Protocol::taut) return options;
  options.prediction = prediction_column;
  options.split = "0.8,0.2,0";
  if (options.localizer != "mlp") return options;
  const double steps = 0.8 * 0.4 * static_cast<double>(set_.rows) / 16;
  options.epochs = static_cast<Index>(std::clamp(max_steps / steps, min_epochs, max_epochs));
  options.patience = std::max<Index>(5, options.epochs / 5);
  return options;
}

NamedValues Setting::evaluate(const Method& method, const ExecutionContext& context) {
  prepare(context);
  NamedValues values = {{"calibration_rows", static_cast<double>(calibration_half_.rows())},
                        {"test_rows", static_cast<double>(test_half_.rows())},
                        {"fell_back", 0}};
  if (!method.focuses) {
    evaluate_levels(method, std::array<std::size_t, 3>{0, 1, 2}, context, values);
    return values;
  }
  for (std::size_t level = 0; level < paper_alphas.size(); ++level) {
    Method focused = method;
    focused.options.focus = paper_levels()[level];
    evaluate_levels(focused, std::array{level}, context, values);
  }
  return values;
}

void Setting::evaluate_levels(const Method& method, std::span<const std::size_t> levels, const ExecutionContext& context,
                              NamedValues& values) {
  const bool paper = protocol_ == Protocol::paper;
  Regressor model = fit(method, context);
  values[2].second += model.record().fell_back ? 1 : 0;

  std::vector<LeftOutLevel> left_out;
  if (paper) {
    const auto y = numbers_of(test_, set_.target, all_rows(test_), "target");
    for (const std::size_t level : levels) left_out.push_back({paper_levels()[level]});
    leave_one_out(model, test_, y, left_out, context);
    model.calibrate(calibration_half_, context);
  }
  std::vector<double> confidences;
  for (const std::size_t level : levels) confidences.push_back(paper_levels()[level]);
  const Predicted predicted = model.predict_interval(test_half_, confidences, context);
  const auto y = numbers_of(test_half_, set_.target, all_rows(test_half_), "target");
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const auto intervals = intervals_of(predicted, i);
    const double held_out = mean_half_width(intervals) / unit_;
    values.emplace_back(level_name("size", levels[i]), paper ? left_out[i].mean_half_width / unit_ : held_out);
    values.emplace_back(level_name("coverage", levels[i]), coverage(intervals, y));
    if (paper) values.emplace_back(level_name("left_out", levels[i]), left_out[i].coverage);
    if (paper) values.emplace_back(level_name("held_out_size", levels[i]), held_out);
  }
}

}  // namespace taut
