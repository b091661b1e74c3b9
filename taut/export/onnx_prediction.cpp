// Writes f of one target as nodes of an ONNX graph.
#include <taut/export/exported.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/export/onnx_target.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace taut {

namespace {

[[noreturn]] void refuse_onnx(const std::string& reason) {
  throw Error(format_text("this model cannot be exported as ONNX: {}; export it as C", reason));
}

class OnnxPrediction : private OnnxMaths {
 public:
  OnnxPrediction(const ExportedTarget& model, OnnxMaths& maths) : OnnxMaths(maths.graph()), model_(model) {}

  OnnxPredicted predict() {
    find();
    return {f_, slack_, model_.uses_disagreement ? disagreement() : std::string()};
  }

 private:
  void find() {
    if (model_.given_column) {
      f_ = graph_.columns("cells", {*model_.given_column});
      slack_ = times(f_, 0);
      return;
    }
    if (model_.foreign != nullptr) return predict_foreign(*model_.foreign);
    std::string raw, standardised;
    if (!model_.raw.empty()) raw = inputs_of(model_.raw);
    if (!model_.standardised.empty()) standardised = inputs_of(model_.standardised);
    for (const ExportedPart& part : model_.parts) add_part(part, part.is_standardised ? standardised : raw);
  }

  void add_part(const ExportedPart& part, const std::string& inputs) {
    const OnnxSum mean = model_.uses_disagreement ? mean_of_members(part, inputs) : sum_of(part, inputs);
    std::string slack = plus(times(mean.error, part.unit), 1e-15 * std::abs(part.centre));
    const std::string value = times(in_units(part, mean.value, &slack), part.weight);
    slack = times(slack, part.weight);
    f_ = f_.empty() ? value : op("Add", f_, value);
    slack_ = slack_.empty() ? slack : op("Add", slack_, slack);
  }

  OnnxSum sum_of(const ExportedPart& part, const std::string& inputs) {
    return onnx_sum(part, inputs, std::ssize(model_.standardised), *this);
  }

  // The same mean from a sum for each member. Keeps the predictions of the members for disagreement().
  OnnxSum mean_of_members(const ExportedPart& part, const std::string& inputs) {
    const double share = 1 / static_cast<double>(part.members.size());
    OnnxSum mean;
    of_members_.emplace_back();
    for (const DescribedFunction& member : part.members) {
      ExportedPart alone = part;
      alone.members = {member};
      const OnnxSum own = sum_of(alone, inputs);
      const std::string value = times(own.value, share), error = times(own.error, share);
      mean.value = mean.value.empty() ? value : op("Add", mean.value, value);
      mean.error = mean.error.empty() ? error : op("Add", mean.error, error);
      of_members_.back().push_back(in_units(part, own.value, nullptr));
    }
    return mean;
  }

  // Applies the inverse of the target's scale to the mean over members and, if there is one, to its error bound.
  std::string in_units(const ExportedPart& part, const std::string& mean, std::string* error) {
    std::string value = plus(times(mean, part.unit), part.centre);
    // Sums of trees and of standardised inputs are always finite, other values need a check.
    if (part.has<DescribedFormula>() || (!part.is_standardised && part.has<DescribedWeights>())) {
      constexpr double maximum = std::numeric_limits<double>::max();
      const std::string is_nan = graph_.node("IsNaN", {value});
      if (error != nullptr) {
        const std::string is_unknown = graph_.node("IsNaN", {*error});
        *error = where(is_nan, graph_.constant(0), where(is_unknown, graph_.constant(infinity), *error));
      }
      value = held(where(is_nan, graph_.constant(part.centre), value), -maximum, maximum);
    }
    if (!part.scale.is_identity()) value = held(value, part.scale.minimum(), part.scale.maximum());
    if (part.scale.form() == TargetScale::Form::root) {
      if (error != nullptr) *error = op("Mul", op("Add", times(graph_.node("Abs", {value}), 2), *error), *error);
      value = op("Mul", value, graph_.node("Abs", {value}));
    } else if (part.scale.form() == TargetScale::Form::log) {
      value = graph_.node("Exp", {value});
      if (error != nullptr) *error = op("Mul", value, plus(times(graph_.node("Exp", {*error}), 1.01), 1e-14 - 1.01));
    }
    return part.has_limits() ? held(value, part.lower_limit, part.upper_limit) : value;
  }

  // The members of each fold are compared with each other; this is the mean over folds.
  std::string disagreement() {
    std::string sum;
    const auto add = [this](std::string& to, const std::string& one) { to = to.empty() ? one : op("Add", to, one); };
    const std::size_t folds = of_members_.front().size();
    for (std::size_t m = 0; m < folds; ++m) {
      std::string middle;
      for (std::size_t k = 0; k < of_members_.size(); ++k) add(middle, times(of_members_[k][m], model_.parts[k].weight));
      for (std::size_t k = 0; k < of_members_.size(); ++k)
        add(sum, times(graph_.node("Abs", {op("Sub", of_members_[k][m], middle)}),
                       model_.parts[k].weight / static_cast<double>(folds)));
    }
    return sum;
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

  const ExportedTarget& model_;
  std::vector<std::vector<std::string>> of_members_;  // by part and fold, in units of the target
  std::string f_, slack_;  // the latter is a bound of the difference to the library's f: rows x 1, or one number
};

}  // namespace

OnnxPredicted onnx_prediction(const ExportedTarget& model, OnnxMaths& maths) { return OnnxPrediction(model, maths).predict(); }

}  // namespace taut
