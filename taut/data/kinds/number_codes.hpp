// Finds categories whose texts are numbers by their value.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace taut {

// The name of the category of a number: whole numbers without an exponent, 100000 rather than 1e+05.
std::string category_of_number(double value);

class NumberCodes {
 public:
  NumberCodes() = default;
  explicit NumberCodes(const std::vector<std::string>& categories);

  // The first category of this value.
  std::optional<double> of_value(double value) const;
  // The same for a text that is a number, such as 07 or 7.0 for the category 7. Only if every category is a whole number as
  // category_of_number() or print_number() writes it. Otherwise the texts may be codes, of which 07 and 7 are two.
  std::optional<double> of_text(std::string_view text) const;

 private:
  std::unordered_map<double, double> codes_;
  bool are_plain_ = false;
};

}  // namespace taut
