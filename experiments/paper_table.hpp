// The paper's table: every method on every data set, over several runs, beside what was published and what is possible.
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
  std::vector<std::string> datasets = {};  // empty: all of the paper's
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
  int outside = 0;   // runs whose held-out coverage left its band
  std::optional<double> published{};
  double difference = missing;  // size − published in standard errors of our size, where something was published
};

struct TableRow {
  std::string method;
  bool own = false;      // of Taut's, not the paper's
  double fell_back = 0;  // models that kept one width because no trained one was better on validation rows
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
  double seconds = 0;  // all jobs of this set one after the other: differs from run to run
};

struct PaperTable {
  TableSettings settings;
  std::vector<SetTable> sets;
  Index coverages = 0;  // how many were measured: sets × methods × levels × runs
  Index outside = 0;    // of them outside the band that holds all of them together with 99 %
  double seconds = 0;
};

PaperTable reproduce_table(const TableSettings& settings, const ExecutionContext& context);

std::string as_markdown(const PaperTable& table);
std::string as_csv(const PaperTable& table);
std::string as_json(const PaperTable& table);

}  // namespace taut
