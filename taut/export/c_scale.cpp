// The C functions of the scale of the score.
#include <taut/core/text.hpp>
#include <taut/export/c_scale_text.hpp>
#include <taut/export/c_writer.hpp>
#include <taut/export/exported.hpp>

#include <cctype>

namespace taut {

namespace {

std::string c_list(const std::vector<double>& values) {
  std::vector<std::string> words;
  for (const double value : values) words.push_back(c_number(value));
  return "{" + join(words, ", ") + "}";
}

std::string c_learned_helpers_of(const LearnedScale& scale) {
  const auto& [base, of_y, of_z] = scale.bound();
  const std::string n = std::to_string(scale.knots().size());
  return "\nstatic const double taut_knots[" + n + "] = " + c_list(scale.knots()) + ";\nstatic const double taut_values[" + n +
         "] = " + c_list(scale.values()) + ";\nstatic const double taut_slopes[" + n + " + 1] = " + c_list(scale.slopes()) +
         ";\n#define TAUT_KNOTS " + n + "\n#define TAUT_SCALE_ERROR(y, z) (" + c_number(base) + " + " + c_number(of_y) +
         " * fabs(y) + " + c_number(of_z) + " * fabs(z))\n" + c_learned_helpers + c_put_scaled_helpers;
}

std::string c_helpers_of(const ScoreScale& scale) {
  if (scale.is_identity()) return "";
  if (scale.learned() != nullptr) return c_learned_helpers_of(*scale.learned());
  const char* const value = scale.form() == ScaleForm::log ? c_log_helpers
                            : scale.is_bounded()           ? c_bounded_root_helpers
                                                           : c_root_helpers;
  return std::string(value) + c_put_scaled_helpers;
}

// Adds the suffix to each of these words.
std::string with_suffix(std::string text, const std::vector<std::string>& words, const std::string& suffix) {
  const auto is_of_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (const std::string& word : words)
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
      const std::size_t end = at + word.size();
      if ((at == 0 || !is_of_name(text[at - 1])) && (end == text.size() || !is_of_name(text[end]))) text.insert(end, suffix);
    }
  return text;
}

}  // namespace

std::string c_functions_of_scale(const ScoreScale& scale, const std::string& suffix) {
  return with_suffix(c_helpers_of(scale),
                     {"taut_value", "taut_outward", "taut_forward", "taut_put_scaled", "taut_knots", "taut_values", "taut_slopes",
                      "TAUT_KNOTS", "TAUT_SCALE_ERROR"},
                     suffix);
}

}  // namespace taut
