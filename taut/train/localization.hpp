// g(x) as a trained model uses it: one or several localizers in stages, averaged.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/localize/localizer.hpp>
#include <taut/transform/transform.hpp>

#include <algorithm>
#include <memory>

namespace taut {

// Every member was trained on its own rows (one fold left out); the parameters at x are the mean over members. A member may
// have stages: the output of the first, raised to an exponent (s^e), is what the second starts from and adds to.
// For scale families members are averaged in u = log s, each centred, because a common factor of s means nothing to them. There,
// a localization may also be the mean of two, one with one side and one with two.
class Localization {
 public:
  struct Member {
    std::vector<std::shared_ptr<const Localizer>> stages;  // shared between candidates that build upon one another
    double centre = 0;                                     // subtracted from every log-scale
  };

  Localization() = default;
  Localization(std::string localizer_name, int sides) : localizer_name_(std::move(localizer_name)), sides_(sides) {}

  // The mean of both in log s, for scale families. They have as many members as each other.
  static Localization mean_of(Localization one, Localization other);

  const std::string& localizer_name() const { return localizer_name_; }
  int sides() const { return other_ ? std::max(sides_, other_->sides_) : sides_; }
  const Localization* other() const { return other_.get(); }  // of a mean of two; null where there is none
  int own_sides() const { return sides_; }                    // without the other
  Index n_members() const { return static_cast<Index>(members_.size()); }
  const std::vector<double>& exponents() const { return exponents_; }
  const std::vector<Member>& members() const { return members_; }
  std::vector<Member>& members() { return members_; }
  std::vector<double>& exponents() { return exponents_; }  // one per stage

  // The parameters of one member, not centred and without the other of a mean: rows x (params · own sides). `half_widths`: those
  // that were predicted for these rows, from which the stages start; none where f is all that is predicted.
  Matrix member_params(const Member& member, const Transform& transform, const Inputs& x, std::span<const double> half_widths,
                       int threads) const;
  // The same, centred where φ is a scale, and with the member of the other.
  Matrix centred_params(std::size_t member, const Transform& transform, const Inputs& x, std::span<const double> half_widths,
                        int threads) const;
  // The parameters at x: the same function at calibration and at prediction, and always finite.
  Matrix params(const Transform& transform, const Inputs& x, std::span<const double> half_widths, int threads) const;

  // s -> s^exponent, minus `centre` in logarithms, in place; only for scale families.
  static void rescale(const Transform& transform, int sides, double exponent, double centre, Matrix& g);
  // The mean of two sets of parameters, of log s for scale families. One side counts for both where the other has two.
  static Matrix mean_params(const Transform& transform, const Matrix& a, const Matrix& b);

  void save(Archive archive) const;
  static Localization load(const Archive& archive, const Transform& transform, Index inputs);

 private:
  Matrix own_params(const Transform& transform, const Inputs& x, std::span<const double> half_widths, int threads) const;
  static Localization load_one(const Archive& archive, const Transform& transform, Index inputs);

  std::string localizer_name_;
  int sides_ = 1;
  std::vector<Member> members_;
  std::vector<double> exponents_;
  std::shared_ptr<const Localization> other_;  // of a mean of two
};

// Where the first stage starts for rows with these predicted half-widths: rows x (params · sides).
Matrix initial_params(const Transform& transform, std::span<const double> half_widths, int sides);
// log s of each side from the parameters of a scale family: rows x sides.
Matrix log_scales_of(const Transform& scale, const Matrix& g, Index sides);

}  // namespace taut
