// The nine data sets of the paper: what they are called, where they are found, what was published about them.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/data/synthetic.hpp>
#include <taut/data/table.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace taut {

// The miscoverages of the paper's table.
inline constexpr std::array<double, 3> paper_alphas = {0.05, 0.1, 0.32};
std::array<double, 3> paper_levels();

struct DataSet {
  std::string name;
  std::string file;  // empty: synthetic
  std::string target;
  std::vector<std::string> drop = {};
  Index rows = 0;

  bool synthetic() const { return file.empty(); }
};

const std::vector<DataSet>& data_sets();

// In the order of the list; those of the paper's table where `names` is empty. Unknown names are a UsageError.
std::vector<DataSet> named_data_sets(const std::vector<std::string>& names);

// The folder of the real sets: the one given, else $TAUT_DATA, else ../shared/data beside the current folder. A
// missing file is an Error that says where it was looked for.
Table read_data_set(const DataSet& set, const std::string& folder, const ExecutionContext& context);

// Half-widths published for a method of the paper, one for each of paper_alphas; nothing where none were.
std::optional<std::array<double, 3>> published_sizes(const std::string& set, const std::string& method);

// Tells two tables apart: columns, categories and every bit of every cell.
std::uint64_t checksum_of(const Table& table);

}  // namespace taut
