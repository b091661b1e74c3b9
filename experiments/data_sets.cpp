#include <experiments/data_sets.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/data/csv/reader.hpp>
#include <taut/model/file.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace taut {

std::array<double, 3> paper_levels() { return {0.95, 0.9, 0.68}; }

const std::vector<DataSet>& data_sets() {
  static const std::vector<DataSet> sets = {
      {"energy", "energy.csv.gz", "Y2", {}, 768},
      {"energy8", "energy.csv.gz", "Y2", {"Y1"}, 768},
      {"concrete", "concrete.csv.gz", "Concrete compressive strength(MPa, megapascals)", {}, 1030},
      {"homes", "homes.csv.gz", "price", {"id", "date"}, 21613},
      {"CASP", "CASP.csv.gz", "RMSD", {}, 45730},
      {"facebook_1", "facebook_1.csv.gz", "y", {}, 40949},
      {"cos", "", "y", {}, 1000},
      {"squared", "", "y", {}, 1000},
      {"inverse", "", "y", {}, 1000},
      {"linear", "", "y", {}, 1000},
  };
  return sets;
}

std::vector<DataSet> named_data_sets(const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const auto& set : data_sets()) known.push_back(set.name);
  for (const auto& name : names)
    if (std::find(known.begin(), known.end(), name) == known.end()) throw UsageError(unknown_name("data set", name, known));
  std::vector<DataSet> chosen = data_sets();
  std::erase_if(chosen, [&](const DataSet& set) {
    return names.empty() ? set.name == "energy8" : std::find(names.begin(), names.end(), set.name) == names.end();
  });
  return chosen;
}

namespace {

std::filesystem::path find_file(const DataSet& set, const std::string& folder) {
  std::vector<std::string> places;
  if (!folder.empty()) {
    places = {folder};
  } else {
    if (const char* named = std::getenv("TAUT_DATA"); named != nullptr && *named != '\0') places.emplace_back(named);
    places.emplace_back("../shared/data");
  }
  for (const auto& place : places) {
    std::error_code ignored;
    const std::filesystem::path packed = std::filesystem::path(place) / set.file;
    if (std::filesystem::exists(packed, ignored)) return packed;
    const auto plain = std::filesystem::path(packed).replace_extension();
    if (std::filesystem::exists(plain, ignored)) return plain;
  }
  throw Error(format_text(
      "data set '{}': there is no {} in {}; name its folder with --data DIR or in TAUT_DATA, or use only the synthetic "
      "sets: --datasets cos,squared,inverse,linear",
      set.name, set.file, join(places, " nor in ")));
}

void append(std::string& bytes, const void* data, std::size_t size) { bytes.append(static_cast<const char*>(data), size); }

}  // namespace

Table read_data_set(const DataSet& set, const std::string& folder, const ExecutionContext& context) {
  CsvOptions options;
  options.drop = set.drop;
  options.numbers = {set.target};
  options.context = &context;
  return read_table(find_file(set, folder).string(), options);
}

std::uint64_t checksum_of(const Table& table) {
  std::string bytes;
  for (const auto& column : table.columns) {
    bytes += column.name + '\0';
    for (const auto& category : column.categories) bytes += category + '\0';
  }
  for (Index row = 0; row < table.rows(); ++row)
    for (Index column = 0; column < table.values.cols(); ++column) {
      const double value = table.values(row, column);
      append(bytes, &value, sizeof value);
    }
  return checksum(bytes);
}

}  // namespace taut
