// g(x) as a trained model uses it: one or several localizers in stages, averaged.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/localize/localizer.hpp>
#include <taut/transform/transform.hpp>

namespace taut {

// Every member was trained on its own rows (one fold left out); the parameters at x are the mean over members. A member may
// have stages: the output of the first, raised to an exponent (s^e), is what the second starts from and adds to.
// For scale families members are averaged in u = log s, each centred, because a common factor of s means nothing to them.
class Localization {
 public:
  struct Member {
    std::vector<std::shared_ptr<const Localizer>> stages;  // shared between candidates that build upon one another
    double centre = 0;                                     // subtracted from every log-scale
  };

  Localization() = default;
  Localization(std::string localizer_name, int sides) : localizer_name_(std::move(localizer_name)), sides_(sides) {}

  int sides() const { return sides_; }
  Index n_members() const { return static_cast<Index>(members_.size()); }
  const std::vector<double>& exponents() const { return exponents_; }
  const std::vector<Member>& members() const { return members_; }
  std::vector<Member>& members() { return members_; }
  std::vector<double>& exponents() { return exponents_; }  // one per stage

  // The parameters of one member, not centred: rows x (params · sides). `half_widths`: those that were predicted for these rows,
  // from which the stages start; none where f is all that is predicted.
  Matrix member_params(const Member& member, const Transform& transform, const Inputs& x, std::span<const double> half_widths,
                       int threads) const;
  // The parameters at x: the same function at calibration and at prediction, and always finite.
  Matrix params(const Transform& transform, const Inputs& x, std::span<const double> half_widths, int threads) const;

  // s -> s^exponent, minus `centre` in logarithms, in place; only for scale families.
  static void rescale(const Transform& transform, int sides, double exponent, double centre, Matrix& g);

  void save(Archive archive) const;
  static Localization load(const Archive& archive, const Transform& transform, Index inputs);

 private:
  std::string localizer_name_;
  int sides_ = 1;
  std::vector<Member> members_;
  std::vector<double> exponents_;
};

// Where the first stage starts for rows with these predicted half-widths: rows x (params · sides).
Matrix initial_params(const Transform& transform, std::span<const double> half_widths, int sides);

}  // namespace taut
