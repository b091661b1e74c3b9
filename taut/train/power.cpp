#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/train/any_transform.hpp>
#include <taut/train/scale_rows.hpp>
#include <taut/train/validation.hpp>

#include <cmath>

namespace taut {

namespace {

// A family of objectives between the narrowest intervals and equal coverage everywhere. For scale families it is exact in O(N):
//   J_p = (1/p) log mean(s^p) + log mean z,  J_0 = mean u + log mean z,  u = log s,  z = r / s of the side that occurred,
//   ∂J_p/∂u = s^p / Σs^p − 1{occurred} z / Σz: a difference of two probability vectors. The curvature is their sum.
// Means and sums of s are over rows and sides. The minimiser is s ∝ E[r|x]^(1/(1+p)): p = 1 is the pair sum of the paper
// ("size"), p = 0 gives every x the same coverage ("conditional"). With two sides, E[r|x] is E[r·1{side}|x]: a side that rarely
// occurs gets a small scale. Fitting each side to its rows only, as `sidewise` does, ignores how often it occurs. On counts with
// many zeros the side below f then never misses: L1-ERT at .9 was .077 instead of .028, and the interval score 5 % larger.
// A mini-batch uses forms whose expectation does not depend on its size: the pair sum over m ≠ n for p = 1, and
// mean(s^p) / p + mean z for p < 1, which has the same minimiser.
class Power final : public Objective {
 public:
  explicit Power(double p) : p_(p) {}

  bool fits(const Transform& transform) const override { return p_ == 1 || transform.is_scale(); }
  std::vector<std::string> two_sided_companions() const override {
    return p_ == 0 ? std::vector<std::string>{"sidewise"} : std::vector<std::string>{};
  }

  double evaluate(const ObjectiveRows& rows, Matrix* gradient, Matrix* curvature) const override {
    if (!rows.transform.is_scale()) return logarithm_of_pairs(rows, gradient, curvature);
    const ScaleRows scale(rows);
    const bool is_weighted = !rows.weight.empty();
    if (!rows.sample) return whole(scale, is_weighted, gradient, curvature);
    return p_ == 1 ? pairs(scale, gradient, curvature) : separable(scale, is_weighted, gradient, curvature);
  }

  std::optional<double> scale_exponent() const override { return 1 / (1 + p_); }
  bool validates_by_interval_score() const override { return p_ != 1; }
  // With two sides J_0 also rewards predicting the likelier side, which does not affect intervals. For p < 1 the interval score
  // is therefore the validation loss.
  double validation_loss(const ObjectiveRows& rows) const override {
    return p_ == 1 ? evaluate(rows, nullptr, nullptr) : log_mean_interval_score(rows);
  }

 private:
  using Array = Eigen::ArrayXXd;

  // s^p; p = 0 needs no array.
  class Powers {
   public:
    Powers(const ScaleRows& scale, double p)
        : size_(scale.total() * scale.sides()),
          values_(p == 0 ? Array() : Array((scale.u() * p).exp())),
          sum_(values_.size() == 0 ? size_ : scale.sum(values_)) {}

    double operator()(Index row, Index side) const { return values_.size() == 0 ? 1 : values_(row, side); }
    double size() const { return size_; }
    double sum() const { return sum_; }

   private:
    double size_;
    Array values_;
    double sum_;
  };

  static double mean_u(const ScaleRows& scale, bool is_weighted) {
    return is_weighted ? scale.sum(scale.u()) / (scale.total() * scale.sides()) : scale.u().mean();
  }

  double whole(const ScaleRows& scale, bool is_weighted, Matrix* gradient, Matrix* curvature) const {
    const Powers first(scale, p_);
    const double sum = first.sum(), sum_z = std::max(scale.sum(scale.z()), tiny);
    if (gradient != nullptr) finish(scale, first, 1 / sum, 1 / sum_z, gradient, curvature);
    const double width = p_ == 0 ? mean_u(scale, is_weighted) : std::log(sum / first.size()) / p_;
    return width + std::log(sum_z / scale.total());
  }

  double separable(const ScaleRows& scale, bool is_weighted, Matrix* gradient, Matrix* curvature) const {
    const Powers first(scale, p_);
    const double n = scale.total();
    if (gradient != nullptr) finish(scale, first, 1 / first.size(), 1 / n, gradient, curvature);
    return (p_ == 0 ? mean_u(scale, is_weighted) : first.sum() / first.size() / p_) +
           (is_weighted ? scale.sum(scale.z()) / n : scale.z().mean());
  }

  // Σ_{n≠m} z_n w_m, with w the half-width of a row in units of q, is (Σz)(Σw) − Σ z w. A pair has the product of the weights of
  // its rows.
  static double pairs(const ScaleRows& scale, Matrix* gradient, Matrix* curvature) {
    const double n = static_cast<double>(scale.count()), sides = scale.sides(), pairs = n * (n - 1);
    const Array s = scale.s();
    const Eigen::ArrayXd width = s.rowwise().sum() / sides;
    const double sum_z = scale.sum(scale.z()), sum_width = scale.sum(width);
    if (gradient != nullptr) {
      const auto of_u = [&](Index row, Index side) {
        const double z = scale.z()[row], own = scale.weight(row), down = z * (sum_width - own * width[row]) / pairs;
        return ScaleRows::pulled(s(row, side) * (sum_z - own * z) / (sides * pairs), side == scale.occurred(row) ? down : 0);
      };
      scale.back(of_u, gradient, curvature);
    }
    return (sum_z * sum_width - scale.sum_of_squared_weights(scale.z() * width)) / pairs;
  }

  // The gradient from s^p and z, each times its factor. No array of slopes is stored: for a million rows it took 40 MB.
  static void finish(const ScaleRows& scale, const Powers& power, double of_power, double of_z, Matrix* gradient,
                     Matrix* curvature) {
    const auto of_u = [&](Index row, Index side) {
      return ScaleRows::pulled(power(row, side) * of_power, side == scale.occurred(row) ? scale.z()[row] * of_z : 0);
    };
    scale.back(of_u, gradient, curvature);
  }

  static double logarithm_of_pairs(const ObjectiveRows& rows, Matrix* gradient, Matrix* curvature) {
    const double loss = blocks_of_pairs(rows, gradient, curvature);
    if (rows.sample) return loss;
    const double safe = std::max(loss, tiny);
    if (gradient != nullptr) {
      *gradient /= safe;
      *curvature /= safe;
    }
    return std::log(safe);
  }

  static constexpr double tiny = std::numeric_limits<double>::min();
  double p_;
};

}  // namespace

Listed<Objective> size_objective() {
  return {"size", "narrowest on average over all levels: the objective of the paper",
          [](std::string_view) { return std::make_unique<Power>(1); }};
}

Listed<Objective> conditional_objective() {
  return {"conditional", "equal coverage for every x", [](std::string_view) { return std::make_unique<Power>(0); }};
}

Listed<Objective> power_objective() {
  const auto make = [](std::string_view argument) {
    const double p = parse_number_or_throw(argument, "power:P");
    if (!(p >= 0 && p <= 1))
      throw UsageError(format_text("power:P needs P between 0 (conditional) and 1 (size), got {}", argument));
    return std::make_unique<Power>(p);
  };
  return {"power", "power:P, between conditional (P = 0) and size (P = 1)", make, "power:0.5", true};
}

}  // namespace taut
