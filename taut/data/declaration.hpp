// One thing that the user says about a column: a name, and behind a colon what --date and --ordered need.
#pragma once

#include <taut/data/missing_words.hpp>
#include <taut/data/table_view.hpp>

#include <optional>
#include <string>
#include <vector>

namespace taut {

struct Declared {
  std::string name;
  std::string rest;  // what follows the colon
};

// A name may hold colons itself: the part before the last one counts only if the whole is no column.
Declared parse_declaration(const std::string& text, const TableView& table);

// Of --date: dmy, mdy or ymd; nothing where no order is told.
std::optional<DateOrder> parse_order(const Declared& declared);

// Of --ordered: the values in their order.
std::vector<std::string> parse_categories(const Declared& declared, const MissingWords& is_missing);

}  // namespace taut
