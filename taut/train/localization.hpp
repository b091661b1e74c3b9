// The trained g(x) of a model: the mean of several members, each a localizer or several in stages.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/localize/localizer.hpp>
#include <taut/transform/transform.hpp>

#include <algorithm>
#include <memory>

namespace taut {

// Each member was trained without one fold; the parameters at x are the mean over members. A member may have stages: the output
// of the first, raised to an exponent (s^e), is the start of the second, which adds to it. For scale families, members are
// centred and averaged in u = log s, because a common factor of s changes no interval. A localization of a scale family may also
// be the mean of two localizations, one with one side and one with two.
class Localization {
 public:
  struct Member {
    std::vector<std::shared_ptr<const Localizer>> stages;  // shared between candidates that continue one another
    double centre = 0;                                     // subtracted from every log-scale
  };

  Localization() = default;
  Localization(std::string localizer_name, int sides) : localizer_name_(std::move(localizer_name)), sides_(sides) {}

  // The mean of both in log s, for scale families. An Error if their numbers of members differ.
  static Localization mean_of(Localization one, Localization other);

  const std::string& localizer_name() const { return localizer_name_; }
  int sides() const { return other_ ? std::max(sides_, other_->sides_) : sides_; }
  const Localization* other() const { return other_.get(); }  // the second localization of a mean of two, or null
  int own_sides() const { return sides_; }                    // sides of the first localization
  Index n_members() const { return static_cast<Index>(members_.size()); }
  const std::vector<double>& exponents() const { return exponents_; }
  const std::vector<Member>& members() const { return members_; }
  std::vector<Member>& members() { return members_; }
  std::vector<double>& exponents() { return exponents_; }  // one per stage

  // The parameters of one member of the first localization, not centred: rows x (params · own_sides()). `half_widths` has the
  // predicted half-widths of these rows, from which the stages start; it is empty if only f is predicted.
  Matrix member_params(const Member& member, const Transform& transform, const Inputs& x, std::span<const double> half_widths,
                       int threads) const;
  // The same, centred if φ is a scale, and averaged with the member of other().
  Matrix centred_params(std::size_t member, const Transform& transform, const Inputs& x, std::span<const double> half_widths,
                        int threads) const;
  // The parameters at x, always finite. Calibration and prediction use this same function.
  Matrix params(const Transform& transform, const Inputs& x, std::span<const double> half_widths, int threads) const;

  // s -> s^exponent, minus `centre` in logarithms, in place; only for scale families.
  static void rescale(const Transform& transform, int sides, double exponent, double centre, Matrix& g);
  // The mean of two sets of parameters, of log s for scale families. If only one of them has two sides, the single side of the
  // other is used for both.
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
  std::shared_ptr<const Localization> other_;  // the second localization of a mean of two
};

// The start of the first stage for rows with these predicted half-widths: rows x (params · sides).
Matrix initial_params(const Transform& transform, std::span<const double> half_widths, int sides);
// log s of each side from the parameters of a scale family: rows x sides.
Matrix log_scales_of(const Transform& scale, const Matrix& g, Index sides);

}  // namespace taut
