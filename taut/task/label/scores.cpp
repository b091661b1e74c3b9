// Scores of labels: the probability itself, cumulated probabilities, and these regularised.
#include <taut/task/label/class_score.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace taut {

double ClassScore::top(Index) const { return 1; }

void by_probability(std::span<const double> p, std::span<Index> order) {
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return p[static_cast<std::size_t>(a)] > p[static_cast<std::size_t>(b)]; });
}

// a = 1 − p_y: the smallest sets on average where the probabilities are right (least ambiguous sets, Sadinle et al. 2019; LAC).

namespace {

class LeastAmbiguous final : public ClassScore {
 public:
  void scores(std::span<const double> p, double, std::span<double> out) const override {
    for (std::size_t k = 0; k < p.size(); ++k) out[k] = 1 - p[k];
  }
};

}  // namespace

Listed<ClassScore> lac_score() {
  return {.name = "lac",
          .summary = "least ambiguous classifier, 1 - p: the smallest sets on average",
          .make = [](std::string_view) { return std::make_unique<LeastAmbiguous>(); },
          .former_name = "least"};
}

// a = the probabilities of all labels from the most probable one up to y, summed (adaptive sets, Romano et al. 2020; APS). Sets
// grow where x is hard, and coverage is more equal across x. The randomised form counts a drawn share of y itself, which makes
// coverage equal where the probabilities are right; the other counts all of it.

namespace {

class AdaptiveSets final : public ClassScore {
 public:
  explicit AdaptiveSets(bool draws) : draws_(draws) {}

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

Listed<ClassScore> aps_score() {
  return {
      .name = "aps",
      .summary = "adaptive prediction sets, probabilities summed from the most probable class on: larger sets where x is hard",
      .make = [](std::string_view) { return std::make_unique<AdaptiveSets>(false); },
      .former_name = "cumulated"};
}

Listed<ClassScore> randomized_aps_score() {
  return {.name = "randomized-aps",
          .summary = "aps with a random share of the class itself: smaller sets, which depend on random numbers",
          .make = [](std::string_view) { return std::make_unique<AdaptiveSets>(true); },
          .former_name = "randomised"};
}

// a = the cumulated probability plus λ for every label beyond the first k (Angelopoulos et al. 2021; RAPS): the long tails of
// adaptive sets are cut where there are many labels. Written raps:λ,k.

namespace {

class RegularizedSets final : public ClassScore {
 public:
  RegularizedSets(double lambda, Index free) : lambda_(lambda), free_(free) {}

  void scores(std::span<const double> p, double, std::span<double> out) const override {
    std::vector<Index> order(p.size());
    by_probability(p, order);
    double sum = 0;
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
      const auto k = static_cast<std::size_t>(order[rank]);
      sum += p[k];
      out[k] = std::min(1.0, sum) + penalty(static_cast<Index>(rank) + 1);
    }
  }
  double top(Index classes) const override { return 1 + penalty(classes); }

 private:
  double penalty(Index rank) const { return lambda_ * static_cast<double>(std::max<Index>(0, rank - free_)); }

  double lambda_;
  Index free_;
};

std::unique_ptr<ClassScore> make_regularized(std::string_view argument) {
  double lambda = 0.01, free = 1;
  const auto comma = argument.find(',');
  if (!argument.empty()) lambda = parse_number_or_throw(argument.substr(0, comma), "score raps:LAMBDA,K");
  if (comma != std::string_view::npos) free = parse_number_or_throw(argument.substr(comma + 1), "score raps:LAMBDA,K");
  if (!(lambda >= 0 && lambda <= 1e6) || !(free >= 0 && free <= 1e6) || free != std::floor(free))
    throw UsageError(
        "score raps:LAMBDA,K: LAMBDA is a number that is not negative and K a whole one, for example "
        "raps:0.01,1; got '" +
        std::string(argument) + "'");
  return std::make_unique<RegularizedSets>(lambda, static_cast<Index>(free));
}

}  // namespace

Listed<ClassScore> raps_score() {
  return {.name = "raps",
          .summary = "regularized aps, with a penalty for every class beyond the first few: for many classes",
          .make = make_regularized,
          .example = "raps:0.01,1",
          .takes_argument = true,
          .needs_argument = false,
          .former_name = "regularised"};
}

// The list of scores; a new one is a class above and a line here.
Registry<ClassScore>& class_scores() {
  static Registry<ClassScore> list("score", {lac_score(), aps_score(), randomized_aps_score(), raps_score()});
  return list;
}

}  // namespace taut
