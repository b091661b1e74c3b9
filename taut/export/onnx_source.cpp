// Writes a model as an ONNX graph. Trees compare the same numbers as in the library, so rows reach the same leaves. Leaves are
// added in double precision, while the library adds floats in order. The difference has a known bound; ends are moved outward by
// it.
#include <taut/export/exported.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/export/onnx_members.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace taut {

namespace {

[[noreturn]] void refuse_onnx(const std::string& reason) {
  throw Error(format_text("this model cannot be exported as ONNX: {}; export it as C", reason));
}

class OnnxModel : private OnnxMaths {
 public:
  explicit OnnxModel(const Exported& model) : model_(model) {}

  std::string bytes() {
    predict();
    graph_.rename(f_, "prediction");
    const auto n = static_cast<std::int64_t>(model_.q.size());
    std::vector<std::pair<std::string, std::int64_t>> outputs = {{"prediction", 1}};
    if (n > 0) {
      ends();
      outputs.insert(outputs.end(), {{"lower", n}, {"upper", n}});
    }
    return graph_.finish({{"cells", static_cast<std::int64_t>(model_.columns.size())}}, outputs, description(),
                         {{"taut", onnx_metadata(model_)}});
  }

 private:
  std::string description() const {
    std::string text = "Made by Taut: " + model_.description + ". Columns of cells (NaN: missing; categories by their number):";
    for (const Column& column : model_.columns) {
      text += " '" + column.name + "'";
      if (column.is_categorical()) text += " (" + join(column.categories, " | ") + " | any other)";
      if (column.kind == ColumnKind::date) text += " (seconds since 1970-01-01, UTC)";
    }
    return text + ". Columns of lower and upper: confidence " + join(model_.level_texts, ", ");
  }

  // Sets f_ and slack_, a bound of the difference to the library's f: rows x 1, or one number.
  void predict() {
    if (model_.f_is_given) {
      f_ = graph_.columns("cells", {static_cast<std::int64_t>(model_.columns.size()) - 1});
      slack_ = times(f_, 0);
      return;
    }
    if (model_.foreign != nullptr) return predict_foreign(*model_.foreign);
    std::string raw, standardised;
    if (!model_.raw.empty()) raw = inputs_of(model_.raw);
    if (!model_.standardised.empty()) standardised = inputs_of(model_.standardised);
    for (const ExportedPart& part : model_.parts)
      add_part(part, onnx_sum(part, part.is_standardised ? standardised : raw, std::ssize(model_.standardised), *this));
  }

  // Applies the inverse of the target's scale to the mean over members and to its error bound.
  void add_part(const ExportedPart& part, const OnnxSum& mean) {
    std::string value = plus(times(mean.value, part.unit), part.centre);
    std::string error = plus(times(mean.error, part.unit), 1e-15 * std::abs(part.centre));
    // Sums of trees and of standardised inputs are always finite, other values need a check.
    if (part.has<DescribedFormula>() || (!part.is_standardised && part.has<DescribedWeights>())) {
      constexpr double maximum = std::numeric_limits<double>::max();
      const std::string is_nan = graph_.node("IsNaN", {value}), is_unknown = graph_.node("IsNaN", {error});
      error = where(is_nan, graph_.constant(0), where(is_unknown, graph_.constant(infinity), error));
      value = held(where(is_nan, graph_.constant(part.centre), value), -maximum, maximum);
    }
    std::string slack = error;
    if (!part.scale.is_identity()) value = held(value, part.scale.minimum(), part.scale.maximum());
    if (part.scale.form() == TargetScale::Form::root) {
      slack = op("Mul", op("Add", times(graph_.node("Abs", {value}), 2), error), error);
      value = op("Mul", value, graph_.node("Abs", {value}));
    } else if (part.scale.form() == TargetScale::Form::log) {
      value = graph_.node("Exp", {value});
      slack = op("Mul", value, plus(times(graph_.node("Exp", {error}), 1.01), 1e-14 - 1.01));
    }
    if (part.has_limits()) value = held(value, part.lower_limit, part.upper_limit);
    value = times(value, part.weight);
    slack = times(slack, part.weight);
    f_ = f_.empty() ? value : op("Add", f_, value);
    slack_ = slack_.empty() ? slack : op("Add", slack_, slack);
  }

  void predict_foreign(const ForeignModel& foreign) {
    if (!foreign.others.empty()) refuse_onnx(format_text("the mean of {} models has no ONNX form", foreign.n_models()));
    if (!foreign.sets.empty()) refuse_onnx(format_text("{} splits by sets of categories have no ONNX form", foreign.library));
    if (foreign.link == ForeignLink::signed_square || foreign.link == ForeignLink::logistic_float)
      refuse_onnx(format_text("the objective '{}' has no ONNX form", foreign.objective));
    std::vector<std::string> columns;
    std::vector<std::int64_t> column_of;  // one for each feature and treatment of missing cells
    std::vector<std::pair<std::int32_t, ForeignMissing>> known;
    const auto column_for = [&](const ForeignNode& node) {
      const bool plain = node.missing == ForeignMissing::left || node.missing == ForeignMissing::right;
      const std::pair key{node.feature, plain                                     ? ForeignMissing::left
                                        : node.missing == ForeignMissing::as_zero ? node.missing
                                                                                  : ForeignMissing::zero_left};
      const auto found = std::find(known.begin(), known.end(), key);
      if (found != known.end()) return static_cast<std::int64_t>(found - known.begin());
      known.push_back(key);
      columns.push_back(foreign_column(foreign, key.first, key.second));
      return static_cast<std::int64_t>(known.size()) - 1;
    };
    OnnxTrees trees(1);
    FloatSum rounding;
    rounding.add(std::abs(foreign.start));
    for (std::size_t t = 0; t < foreign.trees.size(); ++t) {
      double largest = 0;
      for (std::size_t i = 0; i < foreign.trees[t].size(); ++i) {
        const ForeignNode& node = foreign.trees[t][i];
        const auto tree = static_cast<std::int64_t>(t), id = static_cast<std::int64_t>(i);
        if (!node.is_leaf()) {
          const bool left = node.missing == ForeignMissing::left || node.missing == ForeignMissing::zero_left;
          trees.node(tree, id, foreign.strict ? "BRANCH_LT" : "BRANCH_LEQ", column_for(node), node.value, node.left, node.right,
                     left);
          continue;
        }
        trees.leaf(tree, id);
        trees.weight(tree, id, 0, node.value);
        largest = std::max(largest, std::abs(node.value));
      }
      rounding.add(largest);
    }
    if (columns.empty()) columns.push_back(graph_.columns("cells", {0}));
    std::string value = plus(trees.add_to(graph_, columns.size() == 1 ? columns.front() : graph_.concat(columns)), foreign.start);
    // Even where the foreign library adds doubles, the runtime rounds the result to a float.
    const double error =
        (foreign.float_sums ? rounding.error() : rounding.of_result()) * std::abs(foreign.scale / foreign.divisor);
    value = plus(times(value, foreign.scale / foreign.divisor), foreign.bias);
    if (foreign.link == ForeignLink::identity) {
      f_ = value;
      slack_ = graph_.constant(error + 1e-14 * std::abs(foreign.bias));
      return;
    }
    f_ = graph_.node("Exp", {value});
    slack_ = times(f_, 1.01 * std::expm1(error) + (foreign.float_sums ? 4 * half_float_ulp : 1e-14));
  }

  std::string foreign_column(const ForeignModel& foreign, std::int32_t feature, ForeignMissing way) {
    const ForeignFeature& about = foreign.features[static_cast<std::size_t>(feature)];
    if (!about.numbers.empty() || !about.texts.empty())
      refuse_onnx(format_text("{} categories have no ONNX form", foreign.library));
    std::string cell = graph_.columns("cells", {model_.foreign_columns[static_cast<std::size_t>(feature)]});
    if (foreign.float_inputs) cell = as_float(cell);
    const std::string tiny = op("LessOrEqual", graph_.node("Abs", {cell}), graph_.constant(foreign_tiny));
    if (foreign.tiny_is_zero) cell = where(tiny, graph_.constant(0), cell);
    if (way == ForeignMissing::as_zero) cell = where(graph_.node("IsNaN", {cell}), graph_.constant(0), cell);
    if (way == ForeignMissing::zero_left) cell = where(tiny, graph_.constant(missing), cell);
    return cell;
  }

  // For each side log s if the transformation is a scale, otherwise all parameters g; and a bound of their error.
  struct Scale {
    std::vector<std::string> u;
    double error = 0;
  };

  Scale localization(const ExportedLocalization& from, const std::string& x) {
    Scale scale;
    const auto share = 1.0 / static_cast<double>(from.members.size());
    const auto outputs = static_cast<std::int64_t>(from.sides * from.params);
    std::vector<std::string> sums(static_cast<std::size_t>(outputs));
    for (const auto& member : from.members) {
      std::string g;
      double error = 0;
      for (std::size_t stage = 0; stage < member.stages.size(); ++stage) {
        const auto& own = member.stages[stage];
        std::vector<double> errors = {0};
        std::string part = graph_.constant(own.initial, {1, outputs});
        if (!own.trees.sizes.empty()) {
          OnnxTrees trees(outputs);
          std::int64_t id = 0;
          OnnxTrees::add(own.trees, 0, id, trees, errors);
          part = op("Add", trees.add_to(graph_, x), part);
        }
        g = g.empty() ? part : op("Add", g, part);
        error += *std::max_element(errors.begin(), errors.end());
        if (from.exponents[stage] != 1) {
          g = times(g, from.exponents[stage]);
          error *= std::abs(from.exponents[stage]);
        }
      }
      const double factor = model_.has_scale() ? model_.scale().factor : 1;
      for (std::int64_t k = 0; k < outputs; ++k) {
        std::string one = g.empty() ? graph_.constant({0}, {1, 1}) : held(graph_.columns(g, {k}), -200, 200);
        if (model_.has_scale()) one = plus(times(one, factor), -member.centre);
        one = times(one, share);
        auto& sum = sums[static_cast<std::size_t>(k)];
        sum = sum.empty() ? one : op("Add", sum, one);
      }
      scale.error += share * std::abs(factor) * error;
    }
    scale.u = sums;
    return scale;
  }

  void ends() {
    const auto n = static_cast<std::int64_t>(model_.q.size());
    std::tie(centre_, slack_) = on_scale(model_.score_scale, f_, slack_);
    const std::string slack = plus(op("Add", slack_, times(graph_.node("Abs", {centre_}), 1e-14)), 0);
    if (!model_.localization) {
      std::vector<double> widths;
      for (std::size_t i = 0; i < model_.q.size(); ++i)
        widths.push_back(model_.unit * model_.half_width(i).value({}) * (1 + 1e-14));
      const std::string width = graph_.constant(widths, {1, n});
      return put(centre_, width, width, slack);
    }
    std::string x = model_.localizer_inputs.empty() ? "" : inputs_of(model_.localizer_inputs);
    if (model_.uses_prediction) {
      const std::string seen = as_float(op("Div", plus(centre_, -model_.prediction_offset), graph_.constant(model_.unit)));
      x = x.empty() ? seen : graph_.concat({x, seen});
    }
    Scale scale = localization(*model_.localization, x);
    if (!model_.has_scale()) return put_formulas(scale, slack);
    if (model_.other) {
      const Scale other = localization(*model_.other, x);
      const std::size_t sides = std::max(scale.u.size(), other.u.size());
      std::vector<std::string> both;
      for (std::size_t side = 0; side < sides; ++side)
        both.push_back(
            times(op("Add", scale.u[std::min(side, scale.u.size() - 1)], other.u[std::min(side, other.u.size() - 1)]), 0.5));
      scale = {both, (scale.error + other.error) / 2};
    }
    const double share = 1.01 * std::expm1(scale.error) + 1e-13;  // bound of the relative error of a scale
    if (model_.quantiles) return put_curve(*model_.quantiles, x, scale, share, slack);
    const auto width = [&](const std::string& u) {
      return times(graph_.node("Exp", {op("Add", u, graph_.constant(model_.q, {1, n}))}), model_.unit * (1 + share));
    };
    put(centre_, width(scale.u.front()), width(scale.u.back()), slack);
  }

  // An empty set becomes the prediction alone.
  void put_formulas(const Scale& params, const std::string& slack) {
    const auto count = static_cast<std::size_t>(model_.localization->params);
    const std::vector<Formula> errors(count, Formula(params.error + 1e-13));
    const auto reach = [&](std::size_t first) {
      const std::vector<std::string> g(params.u.begin() + static_cast<std::ptrdiff_t>(first),
                                       params.u.begin() + static_cast<std::ptrdiff_t>(first + count));
      std::vector<std::string> levels;
      for (std::size_t i = 0; i < model_.q.size(); ++i) {
        const Formula width = model_.half_width(i);
        const std::string far = formula(max(width + error_of(width, errors), 0) * (model_.unit * (1 + 1e-14)), g);
        levels.push_back(op("Add", where(graph_.node("IsNaN", {far}), graph_.constant(infinity), far), times(f_, 0)));
      }
      return levels.size() == 1 ? levels.front() : graph_.concat(levels);
    };
    const std::string below = reach(0);
    put(centre_, below, model_.localization->sides == 1 ? below : reach(count), slack);
  }

  void put_curve(const DescribedQuantiles& curve, std::string x, const Scale& scale, double share, const std::string& slack) {
    const std::vector<double> odds = log_odds_above(curve);
    const std::int64_t half = std::ssize(odds) - 1, all = 2 * half + 1;
    for (const auto& u : scale.u) x = graph_.concat({x, as_float(op("Add", u, times(f_, 0)))});
    OnnxTrees trees(all);
    std::int64_t tree = 0;
    double error = 0;
    const auto members = static_cast<double>(curve.members.size());
    std::vector<double> initial(static_cast<std::size_t>(all));
    std::vector<std::string> lines;
    for (const auto& member : curve.members) {
      error += OnnxTrees::add(member, tree, trees) / members;
      for (std::size_t k = 0; k < initial.size(); ++k) initial[k] += member.initial[k] / members;
      if (member.lines) lines.push_back(added_by(*member.lines, x, all, error));
    }
    std::string sum = trees.add_to(graph_, x);
    for (const auto& one : lines) sum = op("Add", sum, one);
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
    const auto n = static_cast<std::int64_t>(model_.q.size());
    const std::vector<double> shares = segment_shares(odds);
    const std::string table = graph_.constant(shares, {half, n});
    const std::string shift = graph_.columns(y, {half});
    // The error of the quantiles affects both ends of every segment and the centre; the error of the scales affects all of it.
    std::vector<double> reach(model_.q.size(), 1);
    for (std::size_t i = 0; i < shares.size(); ++i) reach[i % model_.q.size()] += 2 * shares[i];
    for (double& one : reach) one *= model_.unit * error;
    const std::string off = op("Mul", op("Mul", largest, graph_.constant(1 + share)), graph_.constant(reach, {1, n}));
    const std::string moved = times(graph_.node("Abs", {shift}), model_.unit * share);
    const auto far = [&](const std::string& segments) { return times(op("MatMul", segments, table), model_.unit * (1 + share)); };
    const std::string centre = op("Add", centre_, times(shift, model_.unit));
    const std::string all_slack = op("Add", op("Add", slack, off), moved);
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
    return op("MatMul", op("Div", moved, row(unit)), graph_.constant(slopes, {static_cast<std::int64_t>(inputs), quantiles}));
  }

  // The fraction of each segment that lies within a level: knots x levels.
  std::vector<double> segment_shares(const std::vector<double>& odds) const {
    const std::size_t levels = model_.q.size(), knots = odds.size() - 1;
    std::vector<double> shares(knots * levels);
    for (std::size_t level = 0; level < levels; ++level)
      for (std::size_t k = 0; k < knots; ++k) {
        const double share = (model_.q[level] - odds[k]) / (odds[k + 1] - odds[k]);
        shares[k * levels + level] = k + 1 == knots ? std::max(share, 0.0) : std::clamp(share, 0.0, 1.0);
      }
    return shares;
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
    graph_.rename(lower, "lower");
    graph_.rename(upper, "upper");
  }

  const Exported& model_;
  std::string f_, slack_;
  std::string centre_;  // f on the scale of the score
};

}  // namespace

std::string onnx_bytes(const Exported& model) { return OnnxModel(model).bytes(); }

}  // namespace taut
