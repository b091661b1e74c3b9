#include <taut/train/objective_names.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/train/objective.hpp>

#include <algorithm>

namespace taut {

namespace {

constexpr std::string_view confidence_keyword = "confidence=", alpha_keyword = "alpha=";

bool takes_levels(std::string_view objective_name) {
  for (const auto& entry : objectives().entries())
    if (entry.name == objective_name) return !objectives().make(entry.example)->levels().empty();
  return false;
}

// True if the number at the start of a text like "0.3" or "0.3 ^ 1.2" is a level below one half.
bool starts_with_low_level(std::string_view text) {
  const auto number = parse_number(text.substr(0, text.find(' ')));
  return number && *number > 0 && *number < 0.5;
}

}  // namespace

double parse_confidence(std::string_view text, std::string_view what) {
  const std::string_view whole = text;
  const bool is_alpha = text.starts_with(alpha_keyword);
  const std::string_view keyword = is_alpha ? alpha_keyword : confidence_keyword;
  if (text.starts_with(keyword)) text.remove_prefix(keyword.size());
  const double value = parse_number_or_throw(text, what);
  if (!(value > 0 && value < 1))
    throw UsageError(
        format_text("{}: a confidence level lies between 0 and 1, for example 0.9 or alpha=0.1; got {}", what, whole));
  return is_alpha ? 1 - value : value;
}

std::string level_objective(double confidence) {
  return spell_out_levels("level:" + print_number(confidence), Spelling::confidence);
}

std::string spell_out_levels(const std::string& name, Spelling spelling) {
  const auto colon = name.find(':');
  if (colon == std::string::npos || !takes_levels(trim(std::string_view(name).substr(0, colon)))) return name;
  std::string spelt = name;
  for (auto at = colon; at != std::string::npos; at = spelt.find(',', at + 1)) {
    const auto number = spelt.find_first_not_of(' ', at + 1);
    const auto length = std::min(spelt.find(',', at + 1), spelt.size()) - std::min(number, spelt.size());
    if (number != std::string::npos && starts_with_low_level(std::string_view(spelt).substr(number, length)))
      spelt.insert(number, spelling == Spelling::alpha ? alpha_keyword : confidence_keyword);
  }
  return spelt;
}

std::string level_hint(const std::string& objective) {
  if (spell_out_levels(objective, Spelling::alpha) == objective) return "";
  return format_text(
      "--objective {} names a confidence below 0.5; if alpha was meant, write {} (write {} to leave this note out)", objective,
      spell_out_levels(objective, Spelling::alpha), spell_out_levels(objective, Spelling::confidence));
}

namespace {

// The names of all entries whose example satisfies `suits`.
template <class Product, class Suits>
std::string names_where(const Registry<Product>& list, Suits suits) {
  std::vector<std::string> names;
  for (const auto& entry : list.entries())
    if (suits(*list.make(entry.example))) names.push_back(entry.name);
  return join(names, ", ");
}

}  // namespace

std::string default_objective(const Transform& transform, Aim aim) {
  if (transform.is_scale()) return aim == Aim::narrow ? "size" : "conditional";
  // A likelihood needs scores that can be any real number.
  return transform.covers_real_line() ? "likelihood" : "size";
}

void require_fit(const std::string& objective, const std::string& transform) {
  const auto made = objectives().make(objective);
  const auto phi = transforms().make(transform);
  if (made->fits(*phi)) return;
  const auto trainable = [&](const Transform& other) { return other.n_params() > 0 && made->fits(other); };
  throw UsageError(format_text("the objective '{}' cannot train the transformation '{}'; it trains {}; '{}' is trained by {}",
                               objective, transform, names_where(transforms(), trainable), transform,
                               names_where(objectives(), [&](const Objective& other) { return other.fits(*phi); })));
}

}  // namespace taut
