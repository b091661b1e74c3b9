#include <taut/calibrate/score_scale.hpp>

#include <taut/core/error.hpp>
#include <taut/core/fault.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>

#include <cmath>

namespace taut {

namespace {

ScaleForm form_of_score(const std::string& name) {
  const auto form = scale_form_named(name);
  if (!form)
    throw Error(format_text("the model file names the unknown scale of scores '{}': it is damaged, or of a later version", name));
  return *form;
}

}  // namespace

ScoreScale::ScoreScale(const std::string& name, std::span<const double> y) : form_(form_of_score(name)) {
  if (is_identity()) return;
  const double minimum = y.empty() ? infinity : *std::min_element(y.begin(), y.end());
  if (form_ == ScaleForm::root) {
    if (minimum >= 0 && !y.empty()) min_centre_ = 0;
    return;
  }
  if (!(minimum > 0))
    throw Error(format_text(
        "--score-scale log needs targets above 0, the smallest training target is {}; --score-scale root takes any number",
        print_number(minimum)));
  min_centre_ = std::numeric_limits<double>::min();
  if (!y.empty()) min_centre_ = std::max(minimum / 2, min_centre_);
}

const std::string& ScoreScale::name_of_learned() {
  static const std::string name = "learned";
  return name;
}

std::vector<double> ScoreScale::forward(std::span<const double> y) const {
  std::vector<double> result(y.begin(), y.end());
  for (double& one : result) one = forward(one);
  return result;
}

std::vector<double> ScoreScale::centres(std::span<const double> f) const {
  std::vector<double> result(f.begin(), f.end());
  for (double& one : result) one = centre(one);
  return result;
}

// The computed logarithm of y is off by at most a unit in the last place of z, epsilon · |z|, which is a relative error of y; the
// exponential adds another epsilon, and so do roots and squares. Below the smallest normal double, errors are absolute.
double ScoreScale::outward(double z, int direction) const {
  using Limits = std::numeric_limits<double>;
  if (z == -infinity && is_bounded()) return direction > 0 || fault("targets-below-the-scale-excluded") ? 0 : z;
  const double y = value(z);
  if (std::isinf(y)) return std::isinf(z) ? y : std::copysign(Limits::max(), y);  // targets are finite, and so are ends
  if (learned_) return std::clamp(y + direction * learned_->error_at(y, z), -Limits::max(), Limits::max());
  if (form_ == ScaleForm::root)
    return std::clamp(y + direction * 4 * Limits::epsilon() * std::abs(y), -Limits::max(), Limits::max());
  const double error = Limits::epsilon() * (4 + 2 * std::abs(z)) * y + (y < Limits::min() ? 2 * Limits::denorm_min() : 0);
  return std::clamp(y + direction * error, Limits::denorm_min(), Limits::max());
}

void ScoreScale::save(Archive archive) const {
  if (is_identity()) return;
  archive.put("score_scale", name());
  if (is_bounded()) archive.put("score_min_centre", min_centre_);
  if (learned_) learned_->save(archive);
}

ScoreScale ScoreScale::load(const Archive& archive) {
  ScoreScale scale;
  if (!archive.has("score_scale")) return scale;  // as-is is not saved
  if (archive.text("score_scale") == name_of_learned()) return ScoreScale(LearnedScale::load(archive));
  scale.form_ = form_of_score(archive.text("score_scale"));
  const bool is_log = scale.form_ == ScaleForm::log;
  if (scale.is_identity() || (!is_log && !archive.has("score_min_centre"))) return scale;
  scale.min_centre_ = archive.number("score_min_centre");
  if (!std::isfinite(scale.min_centre_) || (is_log ? !(scale.min_centre_ > 0) : scale.min_centre_ != 0))
    throw Error("the model file's smallest centre of scores makes no sense: it is damaged");
  return scale;
}

}  // namespace taut
