// How good a model's intervals are on rows whose target is known, and whether other rows look like those that calibrated it.
#include <taut/core/error.hpp>
#include <taut/core/text.hpp>
#include <taut/data/standardise.hpp>
#include <taut/metric/metric.hpp>
#include <taut/model/columns.hpp>
#include <taut/model/model.hpp>
#include <taut/model/row_hash.hpp>

#include <cmath>

namespace taut {

double LevelReport::metric(std::string_view name) const {
  for (const auto& [own, value] : metrics)
    if (own == name) return value;
  throw UsageError("no metric is called '" + std::string(name) + "'");
}

Matrix Model::log_scales(const TableView& table, const ExecutionContext& context) const {
  if (!transform_->is_scale()) return Matrix(table.rows(), 0);
  const Rows rows = all_rows(table);
  const TableView x = inputs_of(table);
  const Matrix g = params(x, rows, predict(table, x, rows, context.threads), context.threads);
  Matrix result(table.rows(), localization_.sides());
  for (Index row = 0; row < result.rows(); ++row)
    for (Index side = 0; side < result.cols(); ++side)
      result(row, side) = std::log(unit_) + transform_->log_scale(g.row(row).data() + side * transform_->n_params());
  return result;
}

Index Model::scales() const { return transform_->is_scale() && transform_->n_params() > 0 ? localization_.sides() : 0; }

Matrix Model::made_of_rows(const std::vector<double>& f, const Matrix& g) const {
  Matrix made(static_cast<Index>(f.size()), 1 + scales());
  for (Index row = 0; row < made.rows(); ++row) {
    made(row, 0) = f[static_cast<std::size_t>(row)];
    for (Index side = 0; side + 1 < made.cols(); ++side)
      made(row, 1 + side) = transform_->log_scale(g.row(row).data() + side * transform_->n_params());
  }
  return made;
}

DriftCheck Model::begin_drift_check() const {
  if (calibration_inputs_.rows() > 0) return DriftCheck(calibration_inputs_, schema_);
  throw Error(
      calibrator_.rows() == 0
          ? "the model has no calibration rows to compare with; calibrate it"
          : "the model was written before inputs could be compared; calibrate it anew, for example with 'taut calibrate'");
}

void Model::add_rows(DriftCheck& check, const TableView& table, const ExecutionContext& context) const {
  const Rows rows = all_rows(table);
  const TableView x = inputs_of(table);
  const auto f = predict(table, x, rows, context.threads);
  check.add(x, made_of_rows(f, params(x, rows, f, context.threads)));
}

namespace {

// Where the target's range restricts, intervals may be rounded up to a possible value: more coverage is no sign of anything then.
std::vector<Alarm> coverage_alarms(const Evaluation& evaluation, bool range_restricts) {
  std::vector<Alarm> alarms;
  for (const auto& level : evaluation.levels) {
    const double coverage = level.metric("coverage"), low = level.metric("coverage_low"), high = level.metric("coverage_high");
    if (!(coverage < low || (coverage > high && !range_restricts))) continue;
    alarms.push_back({AlarmKind::coverage,
                      "coverage at confidence " + print_number(level.confidence) + " is " + print_rounded(coverage) +
                          ", outside the band from " + print_rounded(low) + " to " + print_rounded(high) +
                          " that chance explains: these rows are probably not exchangeable with the calibration rows; "
                          "collect fresh rows like them and use 'taut calibrate', or fit anew",
                      "",
                      {},
                      {{"confidence", level.confidence}, {"coverage", coverage}, {"low", low}, {"high", high}}});
  }
  return alarms;
}

}  // namespace

Evaluation Model::evaluate(const TableView& table, std::span<const double> levels, const ExecutionContext& context) const {
  const Rows rows = all_rows(table);
  const auto y = target_of(table, rows);
  const Predicted predicted = predict_interval(table, levels, context);
  const TableView x = inputs_of(table);
  const MatrixF encoded = standardised(Encoder(Encoding::raw, x, rows).encode(x, context.threads));
  const Inputs inputs(encoded);

  Evaluation result{table.rows(), calibrator_.rows(), {}};
  std::vector<Interval> intervals(rows.size());
  for (std::size_t level = 0; level < levels.size(); ++level) {
    context.report("evaluating", static_cast<double>(level) / static_cast<double>(levels.size()));
    for (std::size_t i = 0; i < rows.size(); ++i) intervals[i] = predicted.at(static_cast<Index>(i), level);
    const Index rank = calibrator_.rank(levels[level]);
    const Judged judged{intervals,
                        y,
                        levels[level],
                        encoded.cols() > 0 ? &inputs : nullptr,
                        calibrator_.rows(),
                        rank,
                        calibrator_.last_rank(levels[level]),
                        static_cast<std::uint64_t>(options_.seed),
                        context.threads};
    LevelReport report{levels[level], rank, calibrator_.delivered(levels[level]), {}};
    for (const auto& entry : metrics().entries())
      report.metrics.emplace_back(entry.name, metrics().make(entry.name)->value(judged));
    result.levels.push_back(std::move(report));
  }
  for (const auto& alarms : {coverage_alarms(result, range_.restricts()), alarms_of(x.mismatches()),
                             seen_rows_.when_evaluating(row_hashes(x, y, rows, context.threads))})
    result.alarms.insert(result.alarms.end(), alarms.begin(), alarms.end());
  return result;
}

}  // namespace taut
