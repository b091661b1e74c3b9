#include <taut/core/scale_form.hpp>

#include <algorithm>

namespace taut {

const std::vector<std::string>& scale_form_names() {
  static const std::vector<std::string> names = {"as-is", "root", "log"};  // in the order of ScaleForm
  return names;
}

std::optional<ScaleForm> scale_form_named(std::string_view name) {
  const auto& names = scale_form_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return {};
  return static_cast<ScaleForm>(found - names.begin());
}

}  // namespace taut
