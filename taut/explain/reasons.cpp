#include <taut/explain/reasons.hpp>

#include <taut/core/text.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace taut {

std::vector<Index> largest_shares(const Attribution& attribution, Index row, Index top) {
  Rows order = all_rows(attribution.shares.cols());
  const auto size = [&](Index column) { return std::abs(attribution.share(row, column)); };
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return size(a) > size(b); });
  std::erase_if(order, [&](Index column) { return size(column) == 0; });
  order.resize(static_cast<std::size_t>(std::min(std::max<Index>(0, top), std::ssize(order))));
  return order;
}

std::string reasons_in_words(const Explanation& explanation, Index row, Index top, double width) {
  const auto name = [&](Index column) { return explanation.columns[static_cast<std::size_t>(column)]; };
  std::string words;
  if (explanation.prediction) {
    const Attribution& f = *explanation.prediction;
    words = "prediction " + print_rounded(f.value[static_cast<std::size_t>(row)], 4) + ", usually " + print_rounded(f.base, 4);
    std::string before = ": ";
    for (const Index column : largest_shares(f, row, top)) {
      const double share = f.share(row, column);
      words += before + name(column) + (share > 0 ? " +" : " ") + print_rounded(share, 3);
      before = ", ";
    }
  }
  if (!explanation.width) return words;
  if (!words.empty()) words += "; ";
  words += "width " + (std::isfinite(width) ? print_rounded(width, 4) + ", " : "") +
           print_rounded(explanation.width_factor(row), 3) + " times the usual";
  std::string before = ": ";
  bool is_first = true;
  for (const Index column : largest_shares(*explanation.width, row, top)) {
    const std::string factor = print_rounded(std::exp(explanation.width->share(row, column)), 3);
    words += before + name(column) + (is_first ? " makes it " + factor + " times as wide" : " " + factor + " times");
    before = ", ";
    is_first = false;
  }
  return words;
}

}  // namespace taut
