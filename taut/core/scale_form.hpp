// Scales on which numbers that are skewed to the right are closer to symmetric: as they are, their root, their logarithm.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace taut {

enum class ScaleForm : std::uint8_t { as_is, root, log };

const std::vector<std::string>& scale_form_names();  // as-is, root, log
std::optional<ScaleForm> scale_form_named(std::string_view name);
inline const std::string& name_of(ScaleForm form) { return scale_form_names()[static_cast<std::size_t>(form)]; }

// The root is signed, so that negative numbers have one.
inline double to_scale(ScaleForm form, double y) {
  if (form == ScaleForm::root) return std::copysign(std::sqrt(std::abs(y)), y);
  return form == ScaleForm::log ? std::log(y) : y;
}
inline double from_scale(ScaleForm form, double z) {
  if (form == ScaleForm::root) return std::copysign(z * z, z);
  return form == ScaleForm::log ? std::exp(z) : z;
}

}  // namespace taut
