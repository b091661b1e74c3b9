// Finds categories whose texts are numbers by their value.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace taut {

class NumberCodes {
 public:
  NumberCodes() = default;
  explicit NumberCodes(const std::vector<std::string>& categories);

  // The first category of this value.
  std::optional<double> of_value(double value) const;
  // The same for a text that is a number, such as 07 or 7.0 for the category 7. Only if every category is a whole number in its
  // shortest form. Otherwise the texts may be codes, of which 07 and 7 are two.
  std::optional<double> of_text(std::string_view text) const;

 private:
  std::unordered_map<double, double> codes_;
  bool are_plain_ = false;
};

}  // namespace taut
