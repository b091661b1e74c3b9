// a = the probabilities of all labels from the most probable one up to y, summed (adaptive sets, Romano et al. 2020; APS). Sets
// grow where x is hard, and coverage is more equal across x. The randomised form counts a drawn share of y itself, which makes
// coverage equal where the probabilities are right; the other counts all of it.
#include <taut/task/label/class_score.hpp>

#include <algorithm>

namespace taut {

namespace {

class Cumulated final : public ClassScore {
 public:
  explicit Cumulated(bool draws) : draws_(draws) {}

  void scores(std::span<const double> p, double uniform, std::span<double> out) const override {
    std::vector<Index> order(p.size());
    by_probability(p, order);
    double before = 0;
    for (const Index label : order) {
      const auto k = static_cast<std::size_t>(label);
      out[k] = std::min(1.0, before + (draws_ ? uniform * p[k] : p[k]));
      before += p[k];
    }
  }
  bool draws() const override { return draws_; }

 private:
  bool draws_;
};

}  // namespace

Listed<ClassScore> cumulated_score() {
  return {"cumulated", "probabilities summed from the most probable label on: larger sets where x is hard",
          [](std::string_view) { return std::make_unique<Cumulated>(false); }};
}

Listed<ClassScore> randomised_score() {
  return {"randomised", "the same with a drawn share of the label itself: smaller sets, which depend on the draw",
          [](std::string_view) { return std::make_unique<Cumulated>(true); }};
}

}  // namespace taut
