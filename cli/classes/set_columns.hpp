#pragma once

#include <taut/task/label/classifier.hpp>
#include <taut/data/result_writer.hpp>

#include <set>
#include <string>
#include <vector>

namespace taut {

struct SetColumns {
  std::vector<std::string> names = {"prediction", "probability"};
  std::set<std::string> texts = {"prediction"};
};

// `levels` as they were written. A column of `keep` that is called like one of these is an Error.
SetColumns set_columns(const std::vector<std::string>& levels, const std::vector<std::string>& labels,
                       const std::vector<std::string>& keep, const std::string& data, bool wide);
std::vector<ResultColumn> set_cells(const PredictedSets& sets, const std::vector<std::string>& labels, bool wide);

// Labels joined by '|'; a '|' and a '\' in a label are written '\|' and '\\'.
std::string joined_labels(std::span<const std::uint8_t> set, const std::vector<std::string>& labels);

}  // namespace taut
