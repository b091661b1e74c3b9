// An end of a side of a box can lie on either side of f. Beyond f it is moved outward as for one target. On the other side, short
// of f, it is moved outward by a half-width that is rounded down.
#include <taut/export/onnx_side.hpp>

#include <algorithm>

namespace taut {

namespace {

class OnnxSide : private OnnxMaths {
 public:
  OnnxSide(const ExportedTarget& model, const std::string& centre, const std::string& slack, const OnnxReach& reach,
           OnnxMaths& maths)
      : OnnxMaths(maths.graph()), model_(model), centre_(centre), slack_(slack), reach_(reach) {}

  OnnxEnds ends() {
    SignedScores lows, highs;
    for (const auto& [low, high] : model_.ends) {
      lows.push_back(low);
      highs.push_back(high);
    }
    std::string lower = end(lows, Side::below), upper = end(highs, Side::above);
    const std::string is_empty = op("Greater", lower, upper), none = graph_.constant(missing);
    if (model_.is_restricted()) restrict(lower, upper);
    return {where(is_empty, none, lower), where(is_empty, none, upper)};
  }

 private:
  // Ends at these scores, moved outward: rows x scores.
  std::string end(const SignedScores& scores, Side outward) {
    const std::string distance = distance_of(scores, outward);
    const bool is_upper = outward == Side::above;
    const char* const away = is_upper ? "Add" : "Sub";
    const std::string z = op(away, op(away, centre_, distance), slack_);
    // An infinite error bound of an infinite end.
    const std::string known = where(graph_.node("IsNaN", {z}), graph_.constant(is_upper ? infinity : -infinity), z);
    return model_.score_scale.is_identity() ? known : end_from_scale(model_.score_scale, known, is_upper ? 1 : -1);
  }

  // How far each end lies from the centre, in the outward direction.
  std::string distance_of(const SignedScores& scores, Side outward) {
    const auto n = std::ssize(scores);
    std::vector<std::int64_t> which;
    for (std::int64_t i = 0; i < n; ++i) which.push_back(scores[static_cast<std::size_t>(i)].side == outward ? i : n + i);
    const bool has_beyond = *std::min_element(which.begin(), which.end()) < n;
    const bool has_short = *std::max_element(which.begin(), which.end()) >= n;
    const auto back = [&] { return graph_.node("Neg", {op("Max", reach_.less(scores), graph_.constant(0))}); };
    if (!has_short) return reach_.more(scores);
    if (!has_beyond) return back();
    const std::string beyond = reach_.more(scores);
    return graph_.columns(graph_.concat({beyond, back()}), which);
  }

  // Intervals hold the possible value that is nearest to the median. With a step they reach at least one step from the median.
  void restrict(std::string& lower, std::string& upper) {
    const std::string lowest = end({*model_.median}, Side::below), highest = end({*model_.median}, Side::above);
    if (model_.y_step > 0) {
      const auto rounding = [&](const std::string& y, const std::string& one) {
        return times(plus(op("Add", graph_.node("Abs", {y}), graph_.node("Abs", {one})), model_.y_step), 1e-14);
      };
      lower = op("Min", lower, plus(lowest, -model_.y_step));
      upper = op("Max", upper, plus(highest, model_.y_step));
      lower = op("Sub", lower, rounding(lowest, lower));
      upper = op("Add", upper, rounding(highest, upper));
    }
    if (model_.y_min == -infinity && model_.y_max == infinity) return;
    lower = op("Min", op("Max", lower, graph_.constant(model_.y_min)), held(lowest, model_.y_min, model_.y_max));
    upper = op("Max", op("Min", upper, graph_.constant(model_.y_max)), held(highest, model_.y_min, model_.y_max));
  }

  const ExportedTarget& model_;
  std::string centre_, slack_;
  const OnnxReach& reach_;
};

}  // namespace

OnnxEnds onnx_side_of_box(const ExportedTarget& model, const std::string& centre, const std::string& slack,
                          const OnnxReach& reach, OnnxMaths& maths) {
  return OnnxSide(model, centre, slack, reach, maths).ends();
}

}  // namespace taut
