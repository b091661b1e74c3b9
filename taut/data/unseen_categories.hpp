// Cells of text that a known set of columns has no category for: how many, and which. They are not an error, but somebody
// should hear of them: a spelling that changed, a shop that is new.
#pragma once

#include <taut/core/types.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace taut {

class UnseenCategories {
 public:
  static constexpr std::size_t most_names = 20;  // of a column; a file may have a new one in every row

  struct OfColumn {
    std::string column;
    Index rows = 0;
    std::vector<std::string> names;  // the first ones, each once
  };

  void add(std::string_view column, std::string_view name, Index rows = 1);
  void add(const UnseenCategories& others);

  bool empty() const { return columns_.empty(); }
  const std::vector<OfColumn>& columns() const { return columns_; }

 private:
  OfColumn& of(std::string_view column);

  std::vector<OfColumn> columns_;
};

}  // namespace taut
