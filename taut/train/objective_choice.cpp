#include <taut/train/objective_choice.hpp>

#include <taut/core/error.hpp>

namespace taut {

namespace {

// The names of all entries whose example `suits`.
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
  // A likelihood needs scores that fill the line.
  return transform.fills_the_line() ? "likelihood" : "size";
}

void require_fit(const std::string& objective, const std::string& transform) {
  const auto made = objectives().make(objective);
  const auto phi = transforms().make(transform);
  if (made->fits(*phi)) return;
  const auto trainable = [&](const Transform& other) { return other.n_params() > 0 && made->fits(other); };
  throw UsageError("the objective '" + objective + "' cannot train the transformation '" + transform + "'; it trains " +
                   names_where(transforms(), trainable) + "; '" + transform + "' is trained by " +
                   names_where(objectives(), [&](const Objective& other) { return other.fits(*phi); }));
}

}  // namespace taut
