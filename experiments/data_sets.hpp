// The data sets of the paper: names, files, and published results.
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

// The miscoverage levels of the paper's table.
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

// The named data sets in the order of data_sets(); those of the paper's table if `names` is empty. Throws UsageError for unknown
// names.
std::vector<DataSet> named_data_sets(const std::vector<std::string>& names);

// Reads a real data set from `folder` or, if that is empty, from $TAUT_DATA or ../shared/data. Throws Error if there is no file;
// the message names the folders.
Table read_data_set(const DataSet& set, const std::string& folder, const ExecutionContext& context);

// Half-widths published for a method of the paper, one for each of paper_alphas; nullopt if none were published.
std::optional<std::array<double, 3>> published_sizes(const std::string& set, const std::string& method);

// A checksum of columns, categories and every bit of every cell.
std::uint64_t checksum_of(const Table& table);

}  // namespace taut
