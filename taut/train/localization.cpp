#include <taut/train/localization.hpp>

#include <taut/core/error.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

// Scales beyond e^±100 make no difference, and no sum of parameters within this bound overflows.
constexpr double max_param = 200;

double bounded(double g) { return std::isnan(g) ? 0 : std::clamp(g, -max_param, max_param); }

// Calls change(g of one side of a row, number of that side) for all sides of all rows.
template <class Change>
void for_each_side(const Transform& transform, int sides, Matrix& g, Change change) {
  const Index params = transform.n_params();
  for (Index i = 0; i < g.rows(); ++i)
    for (int side = 0; side < sides; ++side) change(g.row(i).data() + side * params, i * sides + side);
}

}  // namespace

void Localization::rescale(const Transform& transform, int sides, double exponent, double centre, Matrix& g) {
  if (transform.n_params() == 0) return;
  for_each_side(transform, sides, g,
                [&](double* at, Index) { transform.params_of_log_scale(exponent * (transform.log_scale(at) - centre), at); });
}

Matrix initial_params(const Transform& transform, std::span<const double> half_widths, int sides) {
  Matrix g(std::ssize(half_widths), transform.n_params() * sides);
  for_each_side(transform, sides, g,
                [&](double* at, Index k) { transform.initial_at(half_widths[static_cast<std::size_t>(k / sides)], at); });
  return g;
}

Matrix log_scales_of(const Transform& scale, const Matrix& g, Index sides) {
  Matrix result(g.rows(), sides);
  for (Index row = 0; row < result.rows(); ++row)
    for (Index side = 0; side < sides; ++side) result(row, side) = scale.log_scale(g.row(row).data() + side * scale.n_params());
  return result;
}

Matrix Localization::member_params(const Member& member, const Transform& transform, const Inputs& x,
                                   std::span<const double> half_widths, int threads) const {
  Matrix g(x.rows(), transform.n_params() * sides_), part(g.rows(), g.cols());
  g.setZero();
  if (!half_widths.empty()) g = initial_params(transform, half_widths, sides_);
  for (std::size_t stage = 0; stage < member.stages.size(); ++stage) {
    member.stages[stage]->evaluate(x, part, threads);
    g += part;
    if (exponents_[stage] != 1) rescale(transform, sides_, exponents_[stage], 0, g);
  }
  g = g.unaryExpr(&bounded);
  return g;
}

Localization Localization::mean_of(Localization one, Localization other) {
  if (one.members_.size() != other.members_.size() || one.other_ || other.other_)
    throw Error("a mean of two localizations needs the same number of members in both");
  one.other_ = std::make_shared<const Localization>(std::move(other));
  return one;
}

Matrix Localization::mean_params(const Transform& transform, const Matrix& a, const Matrix& b) {
  const Index params = transform.n_params();
  if (params == 0) return a;
  Matrix mean(a.rows(), std::max(a.cols(), b.cols()));
  for (Index row = 0; row < mean.rows(); ++row)
    for (Index first = 0; first < mean.cols(); first += params) {
      const double* of_a = a.row(row).data() + (first < a.cols() ? first : 0);
      const double* of_b = b.row(row).data() + (first < b.cols() ? first : 0);
      double* const at = mean.row(row).data() + first;
      if (transform.is_scale())
        transform.params_of_log_scale((transform.log_scale(of_a) + transform.log_scale(of_b)) / 2, at);
      else
        for (Index p = 0; p < params; ++p) at[p] = (of_a[p] + of_b[p]) / 2;
    }
  return mean;
}

Matrix Localization::centred_params(std::size_t member, const Transform& transform, const Inputs& x,
                                    std::span<const double> half_widths, int threads) const {
  Matrix g = member_params(members_[member], transform, x, half_widths, threads);
  if (transform.is_scale()) rescale(transform, sides_, 1, members_[member].centre, g);
  return other_ ? mean_params(transform, g, other_->centred_params(member, transform, x, half_widths, threads)) : g;
}

Matrix Localization::params(const Transform& transform, const Inputs& x, std::span<const double> half_widths, int threads) const {
  Matrix own = own_params(transform, x, half_widths, threads);
  return other_ ? mean_params(transform, own, other_->own_params(transform, x, half_widths, threads)) : own;
}

Matrix Localization::own_params(const Transform& transform, const Inputs& x, std::span<const double> half_widths,
                                int threads) const {
  if (members_.empty() || transform.n_params() == 0) return Matrix(x.rows(), 0);
  Matrix mean = Matrix::Zero(x.rows(), transform.is_scale() ? sides_ : transform.n_params() * sides_);
  const double share = 1.0 / static_cast<double>(members_.size());
  for (const Member& member : members_) {
    Matrix g = member_params(member, transform, x, half_widths, threads);
    if (transform.is_scale())
      for_each_side(transform, sides_, g,
                    [&](double* at, Index k) { mean.data()[k] += share * (transform.log_scale(at) - member.centre); });
    else
      mean += share * g;
  }
  if (!transform.is_scale()) return mean;
  Matrix g(x.rows(), transform.n_params() * sides_);
  for_each_side(transform, sides_, g, [&](double* at, Index k) { transform.params_of_log_scale(mean.data()[k], at); });
  return g;
}

void Localization::save(Archive archive) const {
  archive.put("localizer", localizer_name_);
  archive.put("sides", static_cast<std::int64_t>(sides_));
  archive.put("exponents", exponents_);
  archive.put("members", static_cast<std::int64_t>(members_.size()));
  for (std::size_t m = 0; m < members_.size(); ++m) {
    Archive scope = archive.scope("member" + std::to_string(m));
    scope.put("centre", members_[m].centre);
    for (std::size_t stage = 0; stage < members_[m].stages.size(); ++stage)
      members_[m].stages[stage]->save(scope.scope("stage" + std::to_string(stage)));
  }
  if (other_) other_->save(archive.scope("other"));
}

Localization Localization::load(const Archive& archive, const Transform& transform, Index inputs) {
  Localization result = load_one(archive, transform, inputs);
  if (!archive.has_scope("other")) return result;
  Localization other = load_one(archive.scope("other"), transform, inputs);
  if (!transform.is_scale() || other.members_.size() != result.members_.size())
    throw Error("the two localizers of the model file do not fit together: it is damaged");
  return mean_of(std::move(result), std::move(other));
}

Localization Localization::load_one(const Archive& archive, const Transform& transform, Index inputs) {
  constexpr std::int64_t max_members = 1000, max_stages = 10;
  Localization result(archive.text("localizer"), static_cast<int>(archive.integer_in("sides", 1, 2)));
  result.exponents_ = archive.get<std::vector<double>>("exponents");
  const bool usable = std::all_of(result.exponents_.begin(), result.exponents_.end(),
                                  [&](double e) { return transform.is_scale() ? std::isfinite(e) : e == 1; });
  if (!usable || result.exponents_.size() > max_stages) throw Error("the model file's exponents make no sense: it is damaged");
  result.members_.resize(static_cast<std::size_t>(archive.integer_in("members", 1, max_members)));
  for (std::size_t m = 0; m < result.members_.size(); ++m) {
    const Archive scope = archive.scope("member" + std::to_string(m));
    Member& member = result.members_[m];
    member.centre = scope.number("centre");
    if (!std::isfinite(member.centre)) throw Error("the model file's localizer is not centred: it is damaged");
    for (std::size_t stage = 0; stage < result.exponents_.size(); ++stage) {
      auto localizer = localizers().make(result.localizer_name_);
      localizer->load(scope.scope("stage" + std::to_string(stage)), inputs, transform.n_params() * result.sides_);
      member.stages.push_back(std::move(localizer));
    }
  }
  return result;
}

}  // namespace taut
