#include <taut/data/unseen_categories.hpp>

#include <algorithm>

namespace taut {

UnseenCategories::OfColumn& UnseenCategories::of(std::string_view column) {
  const auto found = std::find_if(columns_.begin(), columns_.end(), [&](const OfColumn& one) { return one.column == column; });
  if (found != columns_.end()) return *found;
  columns_.push_back({std::string(column), 0, {}});
  return columns_.back();
}

void UnseenCategories::add(std::string_view column, std::string_view name, Index rows) {
  OfColumn& known = of(column);
  known.rows += rows;
  if (known.names.size() < most_names && std::find(known.names.begin(), known.names.end(), name) == known.names.end())
    known.names.emplace_back(name);
}

void UnseenCategories::add(const UnseenCategories& others) {
  for (const OfColumn& other : others.columns_) {
    of(other.column).rows += other.rows;
    for (const auto& name : other.names) add(other.column, name, 0);
  }
}

}  // namespace taut
