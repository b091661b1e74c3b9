// Sets as columns of a file, for predict and stream.
#include <cli/classes/set_columns.hpp>
#include <taut/core/error.hpp>

#include <algorithm>

namespace taut {

SetColumns set_columns(const std::vector<std::string>& levels, const std::vector<std::string>& labels,
                       const std::vector<std::string>& keep, const std::string& data, bool wide) {
  SetColumns columns;
  for (const auto& level : levels) {
    if (wide) {
      for (const auto& label : labels) columns.names.push_back("set_" + level + "_" + label);
    } else {
      columns.names.push_back("set_" + level);
      columns.texts.insert("set_" + level);
    }
    columns.names.push_back("size_" + level);
  }
  for (const auto& name : keep)
    if (std::find(columns.names.begin(), columns.names.end(), name) != columns.names.end())
      throw UsageError("--keep: the output has a column '" + name + "' of its own; rename the one in " + data);
  return columns;
}

std::vector<ResultColumn> set_cells(const PredictedSets& sets, const std::vector<std::string>& labels, bool wide) {
  const Index rows = sets.probabilities.rows();
  std::vector<ResultColumn> columns(2);
  for (Index row = 0; row < rows; ++row) {
    const Index label = sets.prediction[static_cast<std::size_t>(row)];
    columns[0].texts.push_back(labels[static_cast<std::size_t>(label)]);
    columns[1].numbers.push_back(sets.probabilities(row, label));
  }
  for (std::size_t level = 0; level < sets.levels.size(); ++level) {
    const std::size_t first = columns.size();
    columns.resize(first + (wide ? labels.size() : 1) + 1);
    for (Index row = 0; row < rows; ++row) {
      const auto set = sets.set(row, level);
      if (wide)
        for (std::size_t k = 0; k < labels.size(); ++k) columns[first + k].numbers.push_back(set[k]);
      else
        columns[first].texts.push_back(joined_labels(set, labels));
      columns.back().numbers.push_back(static_cast<double>(sets.size(row, level)));
    }
  }
  return columns;
}

std::string joined_labels(std::span<const std::uint8_t> set, const std::vector<std::string>& labels) {
  std::string text;
  bool first = true;
  for (std::size_t k = 0; k < set.size(); ++k) {
    if (set[k] == 0) continue;
    if (!first) text += '|';
    first = false;
    for (const char c : labels[k]) {
      if (c == '|' || c == '\\') text += '\\';
      text += c;
    }
  }
  return text;
}

}  // namespace taut
