// The protocols of the experiments: the paper's, with leave-one-out quantiles, and Taut's.
#pragma once

#include <experiments/data_sets.hpp>
#include <experiments/markdown.hpp>
#include <experiments/methods.hpp>
#include <taut/core/execution_context.hpp>
#include <taut/data/table.hpp>
#include <taut/task/number/regressor.hpp>

#include <memory>
#include <mutex>
#include <string>

namespace taut {

struct LeftOutLevel {
  double confidence;
  double mean_half_width = 0;
  double coverage = 0;
};

// The interval of every test row is calibrated on all other test rows. Sets mean half-width and coverage of `levels`. `model`
// must be calibrated on exactly the rows of `test`, whose targets are y.
void leave_one_out(const Regressor& model, const Table& test, std::span<const double> y, std::vector<LeftOutLevel>& levels,
                   const ExecutionContext& context);

// The split of the rows and the evaluation of a method.
//
// paper  40 % of the rows train f (nearest neighbours), 40 % the transformation (a fifth of them for stopping), 20 % test.
//        All methods share f. The quantile of a test row comes from the other test rows (leave-one-out), as in the paper.
//        Held-out coverage is also measured: one half of the test rows calibrates, the other half tests.
// taut   60 % train f (boosted trees) and the transformation, cross-fitted; 20 % calibrate; 20 % test.
enum class Protocol { paper, taut };
Protocol read_protocol(const std::string& name);
std::string name_of(Protocol protocol);

// A table with the given rows, in this order.
Table choose_rows(const Table& table, RowsView rows);

// One data set, split for one run. The split, and f in the paper's protocol, are computed once, when the first method needs them.
class Setting {
 public:
  // `rows` are those of a real data set, shared by its runs. A synthetic data set generates its rows from the seed.
  Setting(DataSet set, std::shared_ptr<const Table> rows, Protocol protocol, Index seed);

  // Returns for every level of the paper "size_LEVEL", the mean half-width in units of mean |y| of the first part (of y itself
  // for a synthetic set), "coverage_LEVEL" on held-out rows, and in the paper's protocol "left_out_LEVEL", the coverage by
  // leave-one-out. Also the numbers of "calibration_rows" and "test_rows", and "fell_back", the number of models with one width.
  NamedValues evaluate(const Method& method, const ExecutionContext& context);

  // For the figure, in the paper's protocol: the test rows, any rows with a column of f, and a model that test rows calibrate.
  const Table& test_rows(const ExecutionContext& context);
  Table with_prediction(Table rows, const ExecutionContext& context);
  Regressor fit(const Method& method, const ExecutionContext& context);

  FitOptions options_for(const Method& method) const;

 private:
  void prepare(const ExecutionContext& context);
  void prepare_paper(const Table& all, const ExecutionContext& context);
  void prepare_taut(const Table& all);
  Table predicted(Table rows, const ExecutionContext& context) const;
  void evaluate_levels(const Method& method, std::span<const std::size_t> levels, const ExecutionContext& context,
                       NamedValues& values);

  DataSet set_;
  std::shared_ptr<const Table> rows_;
  Protocol protocol_;
  Index seed_;
  std::once_flag prepared_;
  std::optional<Regressor> f_;  // in the paper's protocol
  double unit_ = 1;
  Table train_, test_;                  // rows that train φ (and f with Protocol::taut); all test rows
  Table calibration_half_, test_half_;  // disjoint rows that calibrate and test for the held-out coverage
};

}  // namespace taut
