// The paper's table: every method on every data set, over several runs, with the published results and the best possible ones.
#pragma once

#include <experiments/data_sets.hpp>
#include <experiments/markdown.hpp>
#include <experiments/protocol.hpp>
#include <taut/core/execution_context.hpp>

#include <optional>
#include <string>
#include <vector>

namespace taut {

struct TableSettings {
  std::vector<std::string> datasets = {};  // empty: all data sets of the paper
  std::vector<std::string> methods = {};   // empty: all
  std::string data = {};
  Index runs = 5;
  std::string protocol = "paper";
  std::string resume = {};
  Index seed = 0;
};

// One method at one level on one set.
struct TableCell {
  double alpha = 0;
  Summary size;      // half-widths
  Summary coverage;  // on held-out rows
  Summary left_out;  // by leave-one-out; NaN outside the paper's protocol
  int outside = 0;   // runs whose held-out coverage is outside its band
  std::optional<double> published{};
  double difference = missing;  // (size − published) / standard error of size; NaN if nothing was published
};

struct TableRow {
  std::string method;
  bool own = false;      // added by Taut, not in the paper
  double fell_back = 0;  // number of models that kept one width, because no trained transformation was better on validation rows
  std::vector<TableCell> cells = {};
};

struct OracleRow {
  std::string name;
  std::array<double, 3> sizes{};
};

struct SetTable {
  DataSet set;
  std::vector<TableRow> rows = {};
  std::vector<OracleRow> oracles = {};
  Index calibration_rows = 0, test_rows = 0;
  double seconds = 0;  // sum over the jobs of this set; differs from run to run
};

struct PaperTable {
  TableSettings settings;
  std::vector<SetTable> sets;
  Index coverages = 0;  // number of measured coverages: sets × methods × levels × runs
  Index outside = 0;    // number of coverages outside their bands, which hold all together with probability 99 %
  double seconds = 0;
};

PaperTable reproduce_table(const TableSettings& settings, const ExecutionContext& context);

std::string as_markdown(const PaperTable& table);
std::string as_csv(const PaperTable& table);
std::string as_json(const PaperTable& table);

}  // namespace taut
