#include <taut/explain/influence.hpp>

#include <taut/core/format.hpp>
#include <taut/core/text.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace taut {

double ColumnInfluence::width_factor() const { return std::exp(width); }

void Influence::add(const Explanation& explanation) {
  inputs_ = explanation.inputs;
  has_prediction_ = explanation.prediction.has_value();
  has_width_ = explanation.width.has_value();
  const bool first = rows_ == 0;
  rows_ += explanation.rows();
  sums_.resize(explanation.columns.size());
  for (std::size_t c = 0; c < sums_.size(); ++c) {
    ColumnInfluence& sum = sums_[c];
    sum.column = explanation.columns[c];
    const auto at = static_cast<Index>(c);
    if (has_prediction_ && at < inputs_) sum.prediction += explanation.prediction->shares.col(at).cwiseAbs().sum();
    if (!has_width_ || explanation.rows() == 0) continue;
    const auto shares = explanation.width->shares.col(at);
    sum.width += shares.cwiseAbs().sum();
    sum.narrowest = first ? shares.minCoeff() : std::min(sum.narrowest, shares.minCoeff());
    sum.widest = first ? shares.maxCoeff() : std::max(sum.widest, shares.maxCoeff());
  }
}

std::vector<ColumnInfluence> Influence::means(std::size_t begin, std::size_t end) const {
  std::vector<ColumnInfluence> result(sums_.begin() + static_cast<std::ptrdiff_t>(begin),
                                      sums_.begin() + static_cast<std::ptrdiff_t>(end));
  for (ColumnInfluence& one : result) {
    one.prediction /= static_cast<double>(std::max<Index>(1, rows_));
    one.width /= static_cast<double>(std::max<Index>(1, rows_));
  }
  return result;
}

std::vector<ColumnInfluence> Influence::by_prediction() const {
  auto result = means(0, static_cast<std::size_t>(inputs_));
  std::stable_sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.prediction > b.prediction; });
  return result;
}

std::vector<ColumnInfluence> Influence::by_width() const {
  auto result = means(0, static_cast<std::size_t>(inputs_));
  std::stable_sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.width > b.width; });
  return result;
}

std::vector<ColumnInfluence> Influence::through_prediction() const {
  return has_width_ ? means(static_cast<std::size_t>(inputs_), sums_.size()) : std::vector<ColumnInfluence>{};
}

std::vector<Index> largest_shares(const Attribution& attribution, Index row, Index top) {
  Rows order = all_rows(attribution.shares.cols());
  const auto size = [&](Index column) { return std::abs(attribution.share(row, column)); };
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return size(a) > size(b); });
  std::erase_if(order, [&](Index column) { return size(column) == 0; });
  order.resize(static_cast<std::size_t>(std::min(std::max<Index>(0, top), std::ssize(order))));
  return order;
}

std::string describe_reasons(const Explanation& explanation, Index row, Index top, double width) {
  const auto name = [&](Index column) { return explanation.columns[static_cast<std::size_t>(column)]; };
  std::string words;
  if (explanation.prediction) {
    const Attribution& f = *explanation.prediction;
    words = format_text("prediction {}, usually {}", print_rounded(f.value[static_cast<std::size_t>(row)], 4),
                        print_rounded(f.base, 4));
    std::string before = ": ";
    for (const Index column : largest_shares(f, row, top)) {
      const double share = f.share(row, column);
      words += before + name(column) + (share > 0 ? " +" : " ") + print_rounded(share, 3);
      before = ", ";
    }
  }
  if (!explanation.width) return words;
  if (!words.empty()) words += "; ";
  words += format_text("width {}{} times the usual", std::isfinite(width) ? print_rounded(width, 4) + ", " : std::string(),
                       print_rounded(explanation.width_factor(row), 3));
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
