// The paper's evaluation: every test row gets its interval from the scores of all other test rows.
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

// `model` is calibrated on exactly the rows of `test`, whose targets are y.
void leave_one_out(const Regressor& model, const Table& test, std::span<const double> y, std::vector<LeftOutLevel>& levels,
                   const ExecutionContext& context);

// Which rows do what in an experiment, and how a method is judged: the paper's way and Taut's own.
//
// paper  40 % of the rows train f (nearest neighbours), 40 % the transformation (a fifth of them stops it), 20 % test.
//        All methods share f. The quantile of a test row comes from the other test rows (leave-one-out), as in the paper; beside
//        it coverage is measured honestly: one half of the test rows calibrates, the other half is covered or not.
// taut   60 % train f (boosted trees) and the transformation, cross-fitted; 20 % calibrate; 20 % test.

enum class Protocol { paper, taut };
Protocol read_protocol(const std::string& name);
std::string name_of(Protocol protocol);

// The rows of a table, in that order.
Table choose_rows(const Table& table, RowsView rows);

// One data set, cut for one run. The cut, and f in the paper's protocol, are made once, by the first method that asks.
class Setting {
 public:
  // `rows` are those of a real set, shared by its runs; a synthetic set draws its own.
  Setting(DataSet set, std::shared_ptr<const Table> rows, Protocol protocol, Index seed);

  // For every level of the paper "size_LEVEL", the mean half-width in units of mean |y| of the first part (of y itself for a
  // synthetic set), "coverage_LEVEL" on held-out rows, and in the paper's protocol "left_out_LEVEL", the coverage by
  // leave-one-out; also the number of "calibration_rows" and "test_rows", and in how many models φ "fell_back" to one width.
  NamedValues judge(const Method& method, const ExecutionContext& context);

  // For pictures, in the paper's protocol: the rows that test, f on any rows, and a model that test rows calibrated.
  const Table& test_rows(const ExecutionContext& context);
  Table with_prediction(Table rows, const ExecutionContext& context);
  Regressor fit(const Method& method, const ExecutionContext& context);

  FitOptions options_for(const Method& method) const;

 private:
  void prepare(const ExecutionContext& context);
  void prepare_paper(const Table& all, const ExecutionContext& context);
  void prepare_taut(const Table& all);
  Table predicted(Table rows, const ExecutionContext& context) const;
  void judge_level(const Method& method, std::span<const std::size_t> levels, const ExecutionContext& context,
                   NamedValues& values);

  DataSet set_;
  std::shared_ptr<const Table> rows_;
  Protocol protocol_;
  Index seed_;
  std::once_flag prepared_;
  std::optional<Regressor> f_;  // in the paper's protocol
  double unit_ = 1;
  Table train_, test_;                  // φ's rows (f's too with Protocol::taut); all test rows
  Table calibration_half_, test_half_;  // disjoint: what coverage on held-out rows is measured with
};

}  // namespace taut
