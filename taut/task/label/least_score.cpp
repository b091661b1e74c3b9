// a = 1 − p_y: the smallest sets on average where the probabilities are right (least ambiguous sets, Sadinle et al. 2019; LAC).
#include <taut/task/label/class_score.hpp>

namespace taut {

namespace {

class LeastAmbiguous final : public ClassScore {
 public:
  void scores(std::span<const double> p, double, std::span<double> out) const override {
    for (std::size_t k = 0; k < p.size(); ++k) out[k] = 1 - p[k];
  }
};

}  // namespace

Listed<ClassScore> least_score() {
  return {"least", "1 - p: the smallest sets on average", [](std::string_view) { return std::make_unique<LeastAmbiguous>(); }};
}

}  // namespace taut
