// Writes the ends of the intervals of one target as nodes of an ONNX graph.
#include <taut/export/exported.hpp>

#include <taut/export/onnx_beyond_training.hpp>
#include <taut/export/onnx_localization.hpp>
#include <taut/export/onnx_side.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace taut {

namespace {

class OnnxIntervals : private OnnxMaths {
 public:
  OnnxIntervals(const ExportedTarget& model, OnnxMaths& maths, OnnxPredicted prediction)
      : OnnxMaths(maths.graph()),
        model_(model),
        f_(std::move(prediction.value)),
        slack_(std::move(prediction.error)),
        disagreement_(std::move(prediction.disagreement)) {
    for (const ExportedEnds& ends : model.ends) q_.push_back(ends.high.score);
  }

  OnnxEnds ends() {
    find();
    return ends_;
  }

 private:
  void find() {
    const auto n = static_cast<std::int64_t>(q_.size());
    std::tie(centre_, slack_) = on_scale(model_.score_scale, f_, slack_);
    const std::string slack = plus(op("Add", slack_, times(graph_.node("Abs", {centre_}), 1e-14)), 0);
    if (!model_.localization) {
      if (model_.is_side_of_box()) return put_side(centre_, slack, constant_reach());
      std::vector<double> widths;
      for (const double q : q_) widths.push_back(model_.unit * model_.half_width(q).value({}) * (1 + 1e-14));
      const std::string width = graph_.constant(widths, {1, n});
      return put(centre_, width, width, slack);
    }
    std::string x = model_.localizer_inputs.empty() ? "" : inputs_of(model_.localizer_inputs);
    if (!model_.beyond_training.empty()) growth_ = onnx_growth(model_.beyond_training, x, *this);
    if (model_.uses_prediction) {
      const std::string seen = as_float(op("Div", plus(centre_, -model_.prediction_offset), graph_.constant(model_.unit)));
      x = x.empty() ? seen : graph_.concat({x, seen});
    }
    if (model_.uses_disagreement) {
      const std::string least = graph_.constant(model_.min_disagreement);
      const std::string bounded = op("Max", op("Div", disagreement_, graph_.constant(model_.unit)), least);
      x = graph_.concat({x, as_float(graph_.node("Log", {bounded}))});
    }
    // Trees of the curve split by log s, so a curve needs the library's bits.
    if (model_.quantiles) return put_curve(*model_.quantiles, x, {onnx_log_scales(model_, x, *this)}, slack);
    OnnxParams scale = onnx_params(model_, *model_.localization, x, *this);
    if (!model_.has_scale()) {
      find_factor({}, 0);
      return put_formulas(scale, slack);
    }
    if (model_.other) {
      const OnnxParams other = onnx_params(model_, *model_.other, x, *this);
      const std::size_t sides = std::max(scale.u.size(), other.u.size());
      std::vector<std::string> both;
      for (std::size_t side = 0; side < sides; ++side)
        both.push_back(
            times(op("Add", scale.u[std::min(side, scale.u.size() - 1)], other.u[std::min(side, other.u.size() - 1)]), 0.5));
      scale = {both, (scale.error + other.error) / 2};
    }
    const double share = 1.01 * std::expm1(scale.error) + 1e-13;  // bound of the relative error of a scale
    find_factor(scale.u, share);
    if (model_.is_side_of_box()) return put_side(centre_, slack, scale_reach(scale, share));
    const auto width = [&](const std::string& u) {
      return widened(times(graph_.node("Exp", {op("Add", u, graph_.constant(q_, {1, n}))}), model_.unit * (1 + share)));
    };
    put(centre_, width(scale.u.front()), width(scale.u.back()), slack);
  }

  // Sets the factor of half-widths. `u`: log s of each side, each with a relative error of s of at most `share`.
  void find_factor(const std::vector<std::string>& u, double share) {
    if (growth_.empty()) return;
    const std::string scale =
        u.empty() ? graph_.constant(1) : times(op("Add", graph_.node("Exp", {u.front()}), graph_.node("Exp", {u.back()})), 0.5);
    factor_ = plus(op("Div", growth_, scale), 1);
    error_of_factor_ = 1.01 * share + 1e-14;
  }

  // Half-widths times the factor, at least (or at most) those of the library.
  std::string widened(const std::string& half_widths, bool at_least = true) {
    if (factor_.empty()) return half_widths;
    return op("Mul", half_widths, times(factor_, 1 + (at_least ? error_of_factor_ : -error_of_factor_)));
  }

  // The fixed half-widths of all rows.
  OnnxReach constant_reach() {
    const auto width = [this](double score) { return model_.unit * std::max(0.0, model_.half_width(score).value({})); };
    return {.more =
                [this, width](const SignedScores& scores) {
                  std::vector<double> all;
                  for (const SignedScore& t : scores) all.push_back(width(t.score) * (1 + 1e-14));
                  return row(all);
                },
            .less =
                [this, width](const SignedScores& scores) {
                  std::vector<double> all;
                  for (const SignedScore& t : scores)
                    all.push_back(std::isinf(width(t.score)) ? infinity : width(t.score) - inward_rounding * width(t.score + 1));
                  return row(all);
                }};
  }

  OnnxReach scale_reach(const OnnxParams& scale, double share) {
    const auto width = [this, scale](const SignedScores& scores, double factor) {
      std::vector<double> sizes;
      for (const SignedScore& t : scores) sizes.push_back(t.score);
      return widened(times(graph_.node("Exp", {op("Add", of_sides(scale.u, scores), row(sizes))}), model_.unit * factor),
                     factor >= 1);
    };
    return {.more = [=](const SignedScores& scores) { return width(scores, 1 + share); },
            .less = [=](const SignedScores& scores) { return width(scores, 1 - share - 3 * inward_rounding); }};
  }

  // A column for each score: that of its side.
  std::string of_sides(const std::vector<std::string>& sides, const SignedScores& scores) {
    if (sides.size() == 1) return sides.front();
    std::vector<std::int64_t> which;
    for (const SignedScore& t : scores) which.push_back(t.side == Side::above ? 1 : 0);
    return graph_.columns(graph_.concat(sides), which);
  }

  // An empty set becomes the prediction alone.
  void put_formulas(const OnnxParams& params, const std::string& slack) {
    const auto count = static_cast<std::size_t>(model_.localization->params);
    const std::vector<Formula> errors(count, Formula(params.error + 1e-13));
    // The value of a formula of the parameters of one side; `otherwise`: where it is NaN.
    const auto value = [this, params, count](const Formula& of, Side side, double otherwise) {
      const std::size_t first = side == Side::above && model_.localization->sides == 2 ? count : 0;
      const std::vector<std::string> g(params.u.begin() + static_cast<std::ptrdiff_t>(first),
                                       params.u.begin() + static_cast<std::ptrdiff_t>(first + count));
      const std::string far = formula(of, g);
      return op("Add", where(graph_.node("IsNaN", {far}), graph_.constant(otherwise), far), times(f_, 0));
    };
    const auto more = [this, errors, value](const SignedScores& scores) {
      std::vector<std::string> all;
      for (const SignedScore& t : scores) {
        const Formula width = model_.half_width(t.score);
        all.push_back(widened(value(max(width + error_of(width, errors), 0) * (model_.unit * (1 + 1e-14)), t.side, infinity)));
      }
      return all.size() == 1 ? all.front() : graph_.concat(all);
    };
    const auto less = [this, errors, value](const SignedScores& scores) {
      std::vector<std::string> all;
      for (const SignedScore& t : scores) {
        const Formula width = model_.half_width(t.score), wide = model_.half_width(t.score + 1);
        all.push_back(
            widened(value(max(width - error_of(width, errors) - inward_rounding * wide, 0) * model_.unit, t.side, 0), false));
      }
      return all.size() == 1 ? all.front() : graph_.concat(all);
    };
    if (model_.is_side_of_box()) return put_side(centre_, slack, {more, less});
    const std::string below = more(lows());
    put(centre_, below, model_.localization->sides == 1 ? below : more(highs()), slack);
  }

  void put_curve(const DescribedQuantiles& curve, std::string x, const OnnxParams& scale, const std::string& slack) {
    constexpr double share = 1e-13;  // bound of the relative error of a scale
    find_factor(scale.u, share);
    const std::vector<double> odds = log_odds_above(curve);
    const std::int64_t half = std::ssize(odds) - 1, all = 2 * half + 1;
    for (const auto& u : scale.u) x = graph_.concat({x, as_float(op("Add", u, times(f_, 0)))});
    double error = 0;  // of each quantile: the library and the runtime each round the sums of each member
    const auto members = static_cast<double>(curve.members.size());
    std::vector<double> initial(static_cast<std::size_t>(all));
    std::string sum;
    for (const auto& member : curve.members) {
      OnnxTrees trees(all);
      std::int64_t tree = 0;
      error += 2 * OnnxTrees::add(member, tree, trees) / members;
      for (std::size_t k = 0; k < initial.size(); ++k) initial[k] += member.initial[k] / members;
      std::string own = tree > 0 ? trees.add_to(graph_, x) : row(std::vector<double>(initial.size()));
      if (member.lines) own = op("Add", own, added_by(*member.lines, x, all, error));
      sum = sum.empty() ? own : op("Add", sum, own);
    }
    const std::string z = op("Add", times(sum, 1 / members), graph_.constant(initial, {1, all}));
    const auto sorted =
        graph_.node("TopK", {z, graph_.integers({all})}, {OnnxGraph::attribute("largest", std::int64_t{0})}, 2).front();
    const std::string below = graph_.node("Exp", {scale.u.front()}), above = graph_.node("Exp", {scale.u.back()});
    const std::string y = op("Mul", sorted, where(op("Less", sorted, graph_.constant(0)), below, above));
    const std::string largest = op("Max", below, above);
    const std::string minimum =
        op("Max", times(op("Sub", graph_.columns(y, {all - 1}), graph_.columns(y, {0})), 1e-3), times(largest, 1e-12));
    std::vector<std::int64_t> outer_below, inner_below, outer_above, inner_above;
    for (std::int64_t k = 0; k < half; ++k) {
      outer_below.push_back(half - k - 1);
      inner_below.push_back(half - k);
      outer_above.push_back(half + k + 1);
      inner_above.push_back(half + k);
    }
    const auto widths = [&](const std::vector<std::int64_t>& more, const std::vector<std::int64_t>& less) {
      return op("Max", op("Sub", graph_.columns(y, more), graph_.columns(y, less)), minimum);
    };
    const auto n = static_cast<std::int64_t>(q_.size());
    const bool is_side = model_.is_side_of_box();
    const std::vector<double> shares = segment_shares(odds, is_side ? larger_scores() : q_);
    const std::string shift = graph_.columns(y, {half});
    // The error of the quantiles affects both ends of every segment and the centre; the error of the scales affects all of it.
    std::vector<double> reach(q_.size(), 1);
    for (std::size_t i = 0; i < shares.size(); ++i) reach[i % q_.size()] += 2 * shares[i];
    for (double& one : reach) one *= model_.unit * error;
    const std::string off = widened(op("Mul", op("Mul", largest, graph_.constant(1 + share)), graph_.constant(reach, {1, n})));
    const std::string moved = times(graph_.node("Abs", {shift}), model_.unit * share);
    const auto far = [&](const std::string& segments) {
      return widened(times(product(segments, shares, n), model_.unit * (1 + share)));
    };
    const std::string centre = op("Add", centre_, times(shift, model_.unit));
    const std::string all_slack = op("Add", op("Add", slack, off), moved);
    if (is_side) {
      const std::string segments = graph_.concat({widths(inner_below, outer_below), widths(outer_above, inner_above)});
      return put_side(centre, all_slack, curve_reach(odds, segments, share));
    }
    put(centre, far(widths(inner_below, outer_below)), far(widths(outer_above, inner_above)), all_slack);
  }

  // What the lines add to each quantile: rows x quantiles. Adds the rounding error of the sums to `error`.
  std::string added_by(const DescribedQuantiles::Lines& lines, const std::string& x, std::int64_t quantiles, double& error) {
    auto [minimum, maximum, centre, unit, slopes] = lines;
    const std::size_t inputs = unit.size(), outputs = slopes.size() / std::max<std::size_t>(1, inputs);
    double largest = 0;  // bound of the sum over all inputs
    for (std::size_t i = 0; i < inputs; ++i) {
      double steepest = 0;
      for (std::size_t k = 0; k < outputs; ++k) {
        if (unit[i] == 0) slopes[i * outputs + k] = 0;
        steepest = std::max(steepest, std::abs(slopes[i * outputs + k]));
      }
      if (unit[i] == 0) unit[i] = 1;
      largest += steepest * std::max(maximum[i] - centre[i], centre[i] - minimum[i]) / unit[i];
    }
    error += static_cast<double>(inputs + 8) * std::numeric_limits<double>::epsilon() * largest;
    const std::string here = where(graph_.node("IsNaN", {x}), row(centre), x);
    const std::string moved = op("Sub", op("Min", op("Max", here, row(minimum)), row(maximum)), row(centre));
    return product(op("Div", moved, row(unit)), slopes, quantiles);
  }

  // The fraction of each segment that lies within a score: knots x scores.
  static std::vector<double> segment_shares(const std::vector<double>& odds, const std::vector<double>& scores) {
    const std::size_t knots = odds.size() - 1;
    std::vector<double> shares(knots * scores.size());
    for (std::size_t i = 0; i < scores.size(); ++i)
      for (std::size_t k = 0; k < knots; ++k) {
        const double share = (scores[i] - odds[k]) / (odds[k + 1] - odds[k]);
        shares[k * scores.size() + i] = k + 1 == knots ? std::max(share, 0.0) : std::clamp(share, 0.0, 1.0);
      }
    return shares;
  }

  // `segments`: the widths of those below the centre and of those above it, each outward.
  OnnxReach curve_reach(const std::vector<double>& odds, const std::string& segments, double share) {
    const auto width = [this, odds, segments](const SignedScores& scores, double further, double factor) {
      std::vector<double> sizes;
      for (const SignedScore& t : scores) sizes.push_back(t.score + further);
      std::vector<double> of_one_side = segment_shares(odds, sizes), both = of_one_side;
      both.insert(both.end(), of_one_side.begin(), of_one_side.end());
      const std::size_t half = of_one_side.size() / scores.size();
      for (std::size_t k = 0; k < 2 * half; ++k)
        for (std::size_t i = 0; i < scores.size(); ++i)
          if ((k < half) != (scores[i].side == Side::below)) both[k * scores.size() + i] = 0;
      return widened(times(product(segments, both, std::ssize(scores)), model_.unit * factor), factor >= 1);
    };
    return {.more = [=](const SignedScores& scores) { return width(scores, 0, 1 + share); },
            .less =
                [=, this](const SignedScores& scores) {
                  return op("Sub", width(scores, 0, 1 - share), width(scores, 1, inward_rounding));
                }};
  }

  SignedScores lows() const {
    SignedScores all;
    for (const ExportedEnds& ends : model_.ends) all.push_back(ends.low);
    return all;
  }
  SignedScores highs() const {
    SignedScores all;
    for (const ExportedEnds& ends : model_.ends) all.push_back(ends.high);
    return all;
  }
  // The larger score of both ends of each level.
  std::vector<double> larger_scores() const {
    std::vector<double> all;
    for (const auto& [low, high] : model_.ends) all.push_back(std::max({low.score, high.score, model_.median->score}));
    return all;
  }

  void put_side(const std::string& centre, const std::string& slack, const OnnxReach& reach) {
    ends_ = onnx_side_of_box(model_, centre, slack, reach, *this);
  }

  // Reaches at least one step, within which a possible value lies, plus a few units in the last place: a multiple of the step may
  // be computed as a decimal or as a product.
  std::string reach_step(const std::string& centre, const std::string& reach) {
    const std::string far = op("Max", reach, graph_.constant(model_.y_step));
    return op("Add", far, times(op("Add", graph_.node("Abs", {centre}), far), 4 * std::numeric_limits<double>::epsilon()));
  }

  void put(const std::string& centre, std::string below, std::string above, const std::string& slack) {
    const bool is_scaled = !model_.score_scale.is_identity();
    if (model_.y_step > 0 && !is_scaled) {
      below = reach_step(centre, below);
      above = reach_step(centre, above);
    }
    std::string lower = op("Sub", op("Sub", centre, below), slack), upper = op("Add", op("Add", centre, above), slack);
    std::string y = centre;
    if (is_scaled) {
      y = from_scale(model_.score_scale, centre);
      lower = end_from_scale(model_.score_scale, lower, -1);
      upper = end_from_scale(model_.score_scale, upper, 1);
    }
    if (model_.y_step > 0 && is_scaled) {
      lower = op("Min", lower, plus(from_scale(model_.score_scale, op("Sub", centre, slack)), -model_.y_step));
      upper = op("Max", upper, plus(from_scale(model_.score_scale, op("Add", centre, slack)), model_.y_step));
      const auto rounding = [&](const std::string& end) {
        const std::string size = op("Add", graph_.node("Abs", {y}), graph_.node("Abs", {end}));
        return times(plus(size, model_.y_step), 1e-14);
      };
      lower = op("Sub", lower, rounding(lower));
      upper = op("Add", upper, rounding(upper));
    }
    if (model_.y_min > -infinity || model_.y_max < infinity) {
      const std::string first = held(y, model_.y_min, model_.y_max);
      lower = op("Min", op("Max", lower, graph_.constant(model_.y_min)), first);
      upper = op("Max", op("Min", upper, graph_.constant(model_.y_max)), first);
    }
    ends_ = {lower, upper};
  }

  const ExportedTarget& model_;
  std::string f_, slack_, disagreement_;
  std::string growth_, factor_;  // of rows beyond the training rows; empty if no row grows
  double error_of_factor_ = 0;
  std::vector<double> q_;  // the scores of the upper ends, for intervals around f
  std::string centre_;     // f on the scale of the score
  OnnxEnds ends_;
};

}  // namespace

OnnxEnds onnx_ends(const ExportedTarget& model, const OnnxPredicted& prediction, OnnxMaths& maths) {
  return OnnxIntervals(model, maths, prediction).ends();
}

}  // namespace taut
