// Writes C code for the prediction f, with the library's order of additions and roundings. Where the library uses vector
// instructions, the code also computes a bound of the difference to the library's f.
#include <taut/export/c_writer.hpp>
#include <taut/export/exported.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

class CPrediction {
 public:
  CPrediction(const ExportedTarget& model, CWriter& to) : model_(model), to_(to) {}

  void write() {
    if (model_.given_column) {
      to_.line("const double f = cells[" + std::to_string(*model_.given_column) + "];");
      return;
    }
    to_.line("double f = 0.0;");
    if (model_.has_slack()) to_.line("double slack = 0.0;");
    if (model_.foreign != nullptr) return write_mean(*model_.foreign);
    if (!model_.raw.empty()) to_.inputs(model_.raw, "raw");
    if (!model_.standardised.empty()) to_.inputs(model_.standardised, "standardised");
    if (model_.uses_disagreement)
      to_.line("double part[" + std::to_string(model_.parts.size()) + "][" + std::to_string(model_.parts.front().members.size()) +
               "], apart = 0.0;");
    for (const ExportedPart& part : model_.parts) write_part(part);
    if (model_.uses_disagreement) write_disagreement();
  }

 private:
  // One of `members` functions of the floats `x`. The C variable named by `mean` sums their average, the one named by `loose` the
  // average of their error bounds.
  struct Member {
    const DescribedFunction& function;
    std::string x;
    std::size_t members;
    std::string mean = "mean", loose = "loose";
    bool is_scaled() const { return function.unit != 1; }
    std::string share() const { return " / " + std::to_string(members) + ".0;"; }
    std::string in_units(const std::string& body) const {
      return "(" + c_number(function.centre) + " + " + c_number(function.unit) + " * " + body + ")";
    }
  };

  void write(const DescribedFunction& function, const Member& member) {
    std::visit([&](const auto& body) { write(body, member); }, function.body);
  }

  void write(const DescribedTrees& trees, const Member& member) {
    to_.line("{ float sum = 0.0f; taut_sum(&" + to_.forest(trees) + ", " + member.x + ", &sum); " + member.mean + " += " +
             (member.is_scaled() ? member.in_units("(double)sum") : "((double)sum + " + c_number(member.function.centre) + ")") +
             member.share() + " }");
  }

  void begin_sum(const Member& member) {
    to_.line("{ double sum = " + c_number(member.is_scaled() ? 0.0 : member.function.centre) +
             ", at, d; int k; (void)at; (void)d; (void)k;");
  }
  void end_sum(const Member& member) {
    to_.line("  " + member.mean + " += " + (member.is_scaled() ? member.in_units("sum") : "sum") + member.share() + " }");
  }

  // Each variable of the formula is computed like a separate member.
  void write(const DescribedFormula& own, const Member& member) {
    std::vector<std::string> variables;
    std::vector<Formula> errors;
    const bool is_loose = contains<DescribedNetworks>(member.function) || contains<DescribedProcess>(member.function);
    to_.line("{");
    for (const DescribedFunction& one : own.of) {
      const std::string value = to_.fresh(), error = value + "_loose";
      to_.line("double " + value + " = 0.0" + (is_loose ? ", " + error + " = 0.0" : "") + ";");
      write(one, {one, member.x, 1, value, error});
      errors.push_back(Formula::variable(std::ssize(own.of) + std::ssize(variables)));
      variables.push_back(value);
    }
    to_.line(member.mean + " += " + member.in_units(to_.formula(own.value, variables)) + member.share());
    if (is_loose) {
      for (std::size_t i = 0; i < own.of.size(); ++i) variables.push_back(variables[i] + "_loose");
      to_.line(member.loose + " += " + c_number(std::abs(member.function.unit)) + " * " +
               to_.formula(error_of(own.value, errors), variables) + member.share());
    }
    to_.line("}");
  }

  void write(const DescribedWeights& own, const Member& member) {
    begin_sum(member);
    if (!own.weights.empty()) {
      const std::string weights = to_.array("double", own.weights), inputs = to_.array("int32_t", own.inputs);
      to_.line("  for (k = 0; k < " + std::to_string(own.weights.size()) + "; ++k) sum += " + weights + "[k] * (double)" +
               member.x + "[" + inputs + "[k]];");
    }
    end_sum(member);
  }

  void write(const DescribedSplines& own, const Member& member) {
    begin_sum(member);
    for (const DescribedSpline& spline : own.splines) {
      std::vector<double> pieces;
      for (const auto& piece : spline.pieces)
        pieces.insert(pieces.end(), {piece.from, piece.constant, piece.slope, piece.square, piece.cube});
      const std::string knots = to_.array("double", spline.knots), data = to_.array("double", pieces);
      to_.line("  at = (double)" + member.x + "[" + std::to_string(spline.input) + "]; at = at > " + c_number(spline.low) +
               " ? (at < " + c_number(spline.high) + " ? at : " + c_number(spline.high) + ") : " + c_number(spline.low) + ";");
      to_.line("  { const double* p = " + data + "; for (k = 0; k < " + std::to_string(spline.knots.size()) +
               "; ++k) p += at >= " + knots + "[k] ? 5 : 0; d = at - p[0]; sum += p[1] + d * (p[2] + d * (p[3] + d * p[4])); }");
    }
    end_sum(member);
  }

  void write_part(const ExportedPart& part) {
    const std::string count = std::to_string(part.members.size()), x = part.is_standardised ? "standardised" : "raw";
    to_.line("{ double mean = 0.0, value;  /* " + part.name + " */");
    if (part.has_slack()) to_.line("double loose = 0.0;");
    for (std::size_t m = 0; m < part.members.size(); ++m) {
      const DescribedFunction& member = part.members[m];
      if (!model_.uses_disagreement) {
        write(member, {member, x, part.members.size()});
        continue;
      }
      to_.line(part.has_slack() ? "{ double own = 0.0, own_loose = 0.0;" : "{ double own = 0.0;");
      write(member, {member, x, 1, "own", "own_loose"});
      to_.line("mean += own / " + count + ".0;");
      if (part.has_slack()) to_.line("loose += own_loose / " + count + ".0;");
      write_in_units(part, "own", false);
      to_.line("part[" + std::to_string(&part - model_.parts.data()) + "][" + std::to_string(m) + "] = value; }");
    }
    write_in_units(part, "mean", part.has_slack());
    to_.line("f += " + c_number(part.weight) + " * value; }");
  }

  // Sets `value` to a mean of members in units of the target, and adds to `slack` the error bound there.
  void write_in_units(const ExportedPart& part, const std::string& mean, bool with_slack) {
    to_.line("value = " + c_number(part.centre) + " + " + c_number(part.unit) + " * " + mean + ";");
    to_.line("if (!isfinite(value)) value = value != value ? " + c_number(part.centre) + " : copysign(DBL_MAX, value);");
    const auto form = part.scale.form();
    if (!part.scale.is_identity())
      to_.line("value = taut_held(value, " + c_number(part.scale.minimum()) + ", " + c_number(part.scale.maximum()) + ");");
    if (with_slack) {
      // The error bound after the inverse of the target's scale.
      to_.line("loose = " + c_number(part.unit) + " * loose + 1e-15 * fabs(value);");
      if (form == TargetScale::Form::root) to_.line("loose = (2.0 * fabs(value) + loose) * loose;");
      if (form == TargetScale::Form::log) to_.line("loose = exp(value) * (1.01 * expm1(loose) + 1e-14);");
    }
    if (form == TargetScale::Form::root) to_.line("value = copysign(value * value, value);");
    if (form == TargetScale::Form::log) to_.line("value = exp(value);");
    if (with_slack) to_.line("slack += " + c_number(part.weight) + " * (loose + 1e-15 * fabs(value));");
    if (part.has_limits())
      to_.line("value = taut_held(value, " + c_number(part.lower_limit) + ", " + c_number(part.upper_limit) + ");");
  }

  // The members of each fold are compared with each other; the mean over folds is called `apart`.
  void write_disagreement() {
    std::vector<double> weights;
    for (const ExportedPart& part : model_.parts) weights.push_back(part.weight);
    const std::size_t folds = model_.parts.front().members.size();
    const std::string k = "for (k = 0; k < " + std::to_string(weights.size()) + "; ++k) ", w = to_.array("double", weights);
    to_.line("{ int m, k; for (m = 0; m < " + std::to_string(folds) + "; ++m) { double middle = 0.0;");
    to_.line("  " + k + "middle += " + w + "[k] * part[k][m];");
    to_.line("  " + k + "apart += " + c_number(1 / static_cast<double>(folds)) + " * " + w + "[k] * fabs(part[k][m] - middle);");
    to_.line("} }");
  }

  // Declares `width` floats z and fills the first ones with the robust inputs. Returns the arguments that describe the bins.
  std::string begin_robust(const DescribedBins& bins, std::size_t width, const Member& member) {
    to_.line("{ float z[" + std::to_string(std::max<std::size_t>(width, 1)) + "];");
    to_.line("  taut_robust(" + member.x + ", " + to_.array("double", bins.centre) + ", " + to_.array("double", bins.scale) +
             ", " + std::to_string(bins.centre.size()) + ", z);");
    return to_.array("int32_t", bins.input) + ", " + to_.array("float", bins.from) + ", " + to_.array("float", bins.factor) +
           ", " + std::to_string(bins.input.size());
  }

  void write(const DescribedProcess& process, const Member& member) {
    const DescribedBins& bins = process.bins;
    const DescribedFunction& function = member.function;
    const std::size_t width = bins.centre.size() + static_cast<std::size_t>(bins.ranked);
    const std::string where = begin_robust(bins, width, member);
    to_.line("  taut_ranks(z, " + where + ", " + to_.array("int32_t", bins.rank) + ", " + to_.array("float", bins.part) + ", " +
             std::to_string(bins.centre.size()) + ", " + std::to_string(width) + ");");
    to_.line("  " + member.mean + " += (" + c_number(function.centre) + " + " + c_number(function.unit) + " * taut_process(z, " +
             to_.array("float", process.rows) + ", " + std::to_string(process.heights.size()) + ", " +
             to_.array("double", process.heights) + ", " + to_.array("double", process.scale) + ", " +
             to_.array("double", process.slopes) + ", " + std::to_string(process.slopes.size()) + ", " + c_number(process.level) +
             "))" + member.share());
    to_.line("  " + member.loose + " += " + c_number(function.unit * rounding_of(process)) + member.share());
    to_.line("}");
  }

  void write(const DescribedNetworks& own, const Member& member) {
    const DescribedBins& bins = own.bins;
    const std::size_t width = bins.centre.size() + bins.input.size();
    const std::string where = begin_robust(bins, width, member);
    to_.line("  taut_shares(z, " + where + ", " + std::to_string(bins.centre.size()) + ");");
    std::size_t work_size = 1;
    for (const auto& layers : own.networks) {
      std::size_t needed = width;
      for (const DescribedLayer& layer : layers) needed += 3 * static_cast<std::size_t>(layer.outputs);
      work_size = std::max(work_size, needed);
    }
    to_.line("  double work[" + std::to_string(work_size) + "], sum = 0.0, off = 0.0;");
    for (const auto& layers : own.networks) {
      std::vector<std::int32_t> sizes = {static_cast<std::int32_t>(layers.front().inputs)};
      std::vector<float> parameters;
      for (const DescribedLayer& layer : layers) {
        sizes.push_back(static_cast<std::int32_t>(layer.outputs));
        parameters.insert(parameters.end(), layer.weights.begin(), layer.weights.end());
        parameters.insert(parameters.end(), layer.bias.begin(), layer.bias.end());
      }
      to_.line("  sum += taut_network(z, " + to_.array("int32_t", sizes) + ", " + std::to_string(layers.size()) + ", " +
               to_.array("float", parameters) + ", work, &off);");
    }
    const std::string count = std::to_string(own.networks.size()) + ".0";
    to_.line("  " + member.mean + " += " + member.in_units("(sum / " + count + ")") + member.share());
    to_.line("  " + member.loose + " += " + c_number(second_order * member.function.unit) + " * off / " + count + member.share());
    to_.line("}");
  }

  void write_foreign_cells(const ForeignModel& foreign) {
    to_.line("double x[" + std::to_string(foreign.features.size()) + "];");
    for (std::size_t i = 0; i < foreign.features.size(); ++i) {
      const ForeignFeature& feature = foreign.features[i];
      const std::string x = "x[" + std::to_string(i) + "]", cell = "cells[" + std::to_string(model_.foreign_columns[i]) + "]";
      if (!feature.numbers.empty())
        to_.line(x + " = taut_position(" + cell + ", " + to_.array("double", feature.numbers) + ", " +
                 std::to_string(feature.numbers.size()) + ");");
      else if (!feature.texts.empty())
        to_.line(x + " = " + cell + " < " + std::to_string(feature.texts.size()) + ".0 ? " + cell + " : NAN;");
      else
        to_.line(x + " = " + cell + ";");
      if (foreign.float_inputs) to_.line(x + " = (double)(float)" + x + ";");
      if (foreign.tiny_is_zero) to_.line("if (fabs(" + x + ") <= (double)1e-35f) " + x + " = 0.0;");
    }
  }

  // The mean of all models, added in the order in which the library adds them.
  void write_mean(const ForeignModel& foreign) {
    if (foreign.others.empty()) return write_foreign(foreign);
    to_.line("{ double total = 0.0;");
    const auto add = [&](const ForeignModel& one) {
      to_.line("{");
      write_foreign(one);
      to_.line("total += f; }");
    };
    add(foreign);
    for (const ForeignModel& other : foreign.others) add(other);
    to_.line("f = total / " + c_number(static_cast<double>(foreign.n_models())) + "; }");
  }

  void write_foreign(const ForeignModel& foreign) {
    std::vector<std::int32_t> sizes, left, features, sets, set_starts;
    std::vector<std::uint32_t> words;
    std::vector<std::uint8_t> missing_cells;
    std::vector<double> values;
    for (const auto& set : foreign.sets) {
      set_starts.push_back(static_cast<std::int32_t>(words.size()));
      words.push_back(static_cast<std::uint32_t>(32 * set.size()));
      words.insert(words.end(), set.begin(), set.end());
    }
    for (const ForeignTree& tree : foreign.trees) {
      sizes.push_back(static_cast<std::int32_t>(tree.size()));
      for (const ForeignNode& node : tree) {
        left.push_back(node.is_leaf() ? 0 : node.left);
        features.push_back(std::max(node.feature, 0));
        sets.push_back(node.set < 0 ? -1 : set_starts[static_cast<std::size_t>(node.set)]);
        missing_cells.push_back(static_cast<std::uint8_t>(node.missing));
        values.push_back(node.value);
      }
    }
    write_foreign_cells(foreign);
    const std::string n = to_.array("int32_t", sizes), l = to_.array("int32_t", left), c = to_.array("int32_t", features),
                      m = to_.array("unsigned char", missing_cells), v = to_.array("double", values),
                      s = to_.array("int32_t", sets), w = to_.array("uint32_t", words);
    const std::string type = foreign.float_sums ? "float" : "double";
    to_.line("{ " + type + " sum = (" + type + ")" + c_number(foreign.start) + "; size_t first = 0; int tree;");
    to_.line("  for (tree = 0; tree < " + std::to_string(sizes.size()) + "; first += (size_t)" + n +
             "[tree++]) { size_t at = first;");
    to_.line("    while (" + l + "[at] != 0) at = first + (size_t)" + l + "[at] + (taut_goes_left(x[" + c + "[at]], " + v +
             "[at], " + m + "[at], " + (foreign.sets.empty() ? "NULL" : s + "[at] < 0 ? NULL : " + w + " + " + s + "[at]") +
             ", " + (foreign.strict ? "1" : "0") + ") ? 0 : 1);");
    to_.line("    sum += (" + type + ")" + v + "[at]; }");
    if (foreign.sets.empty()) to_.line("  (void)" + s + "; (void)" + w + ";");
    if (foreign.float_sums) {
      to_.line(foreign.link == ForeignLink::exp_float ? "  f = (double)expf(sum); }"
               : foreign.link == ForeignLink::logistic_float
                   ? "  f = (double)(1.0f / (expf(-sum < 88.7f ? -sum : 88.7f) + 1.0f + 1e-16f)); }"
                   : "  f = (double)sum; }");
      return;
    }
    to_.line("  f = sum" + (foreign.divisor == 1 ? std::string() : " / " + c_number(foreign.divisor)) + ";");
    if (foreign.scale != 1 || foreign.bias != 0)
      to_.line("  f = f * " + c_number(foreign.scale) + " + " + c_number(foreign.bias) + ";");
    if (foreign.link == ForeignLink::exp) to_.line("  f = exp(f);");
    if (foreign.link == ForeignLink::signed_square) to_.line("  f = f < 0 ? -1.0 * f * f : f * f;");
    to_.line("}");
  }

  const ExportedTarget& model_;
  CWriter& to_;
};

}  // namespace

void write_c_prediction(const ExportedTarget& model, CWriter& to) { CPrediction(model, to).write(); }

}  // namespace taut
