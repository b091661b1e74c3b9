// Writes a model as C: its numbers as arrays, its flow as straight code, in the order in which the library adds and rounds.
#include <taut/export/exported.hpp>

#include <taut/core/error.hpp>
#include <taut/core/text.hpp>
#include <taut/core/version.hpp>
#include <taut/data/kinds.hpp>
#include <taut/export/c_text.hpp>
#include <taut/transform/curve.hpp>

#include <charconv>
#include <cmath>

namespace taut {

namespace {

std::string c_number(double value) {
  if (std::isnan(value)) return "NAN";
  if (std::isinf(value)) return value > 0 ? "INFINITY" : "-INFINITY";
  std::string text = print_number(value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string c_number(float value) {
  if (!std::isfinite(value)) return c_number(static_cast<double>(value));
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  std::string text(buffer, end);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text + "f";
}

std::string c_number(std::integral auto value) { return std::to_string(value); }

class CWriter {
 public:
  explicit CWriter(const Exported& model) : model_(model) {}

  std::string text(const std::string& function) {
    body_ = "void " + function + "(const double* cells, double* out) {\n";
    write_f();
    line("out[0] = f;");
    if (model_.form == Exported::Form::fixed)
      for (std::size_t i = 0; i < model_.q.size(); ++i) put(i, "f", c_number(model_.unit * model_.q[i]), c_number(model_.unit * model_.q[i]));
    else
      write_ends();
    body_ += "}\n";
    return head(function) + c_helpers + (model_.form == Exported::Form::fixed ? "" : c_scale_helpers) +
           (model_.curve ? c_curve_helpers : "") + (model_.foreign != nullptr ? c_foreign_helpers : "") + "\n" + data_ + "\n" + body_;
  }

 private:
  void line(const std::string& code) { body_ += "  " + code + "\n"; }

  std::string head(const std::string& function) const {
    std::string text = "/* Made by Taut " + std::string(version) + ": " + model_.description + ".\n *\n";
    text += " * void " + function + "(const double* cells, double* out);\n *\n * cells, NaN where one is missing:\n";
    for (std::size_t c = 0; c < model_.columns.size(); ++c) {
      const Column& column = model_.columns[c];
      text += " *   cells[" + std::to_string(c) + "]  " + c_comment(column.name);
      if (column.is_categorical()) text += ": " + categories_in_words(column);
      if (column.kind == ColumnKind::boolean) text += ": 1 or 0";
      text += "\n";
    }
    text += " * out:\n *   out[0]  f(x), the prediction\n";
    for (std::size_t i = 0; i < model_.level_texts.size(); ++i)
      text += " *   out[" + std::to_string(2 * i + 1) + "], out[" + std::to_string(2 * i + 2) + "]  ends of the interval at confidence " +
              model_.level_texts[i] + "; both NaN where it is empty\n";
    return text +
           " *\n * C99, no libraries but libm. Compiled with -std=c99 (or -ffp-contract=off, so that a * b + c is rounded twice) it gives\n"
           " * the bits of 'taut predict' on a machine with the same exp and log. */\n"
           "#include <float.h>\n#include <math.h>\n#include <stddef.h>\n#include <stdint.h>\n";
  }

  static std::string c_comment(std::string text) {
    for (char& c : text)
      if (c == '*' || c == '/' || c == '\\' || c == '\n' || c == '?') c = ' ';
    return text;
  }

  static std::string categories_in_words(const Column& column) {
    std::string text;
    for (std::size_t i = 0; i < column.categories.size() && i < 20; ++i) text += std::to_string(i) + " " + c_comment(column.categories[i]) + ", ";
    if (column.categories.size() > 20) text += "..., ";
    return text + std::to_string(column.categories.size()) + " any other";
  }

  template <class T>
  std::string array(const char* type, const std::vector<T>& values) {
    const std::string name = "taut_d" + std::to_string(count_++);
    data_ += "static const " + std::string(type) + " " + name + "[] = {";
    std::size_t column = 0;
    for (const T& value : values) {
      const std::string text = c_number(value);
      if (column == 0 || column + text.size() > 120) {
        data_ += "\n  ";
        column = 0;
      }
      data_ += text + ",";
      column += text.size() + 1;
    }
    if (values.empty()) data_ += c_number(T{});
    data_ += "};\n";
    return name;
  }

  static std::vector<std::int32_t> children(const ExportedTrees& trees) {
    std::vector<std::int32_t> left;
    std::size_t at = 0;
    for (const std::int32_t size : trees.sizes) {
      std::int32_t child = 1;
      for (std::int32_t i = 0; i < size; ++i, ++at) {
        left.push_back(trees.features[at] < 0 ? 0 : child);
        if (trees.features[at] >= 0) child += 2;
      }
    }
    return left;
  }

  // The name of a taut_trees.
  std::string forest(const ExportedTrees& trees) {
    std::vector<std::int32_t> features = trees.features;
    for (std::int32_t& feature : features) feature = std::max(feature, 0);
    const std::string sizes = array("int32_t", trees.sizes), left = array("int32_t", children(trees)), feature = array("int32_t", features);
    const std::string missing_left = array("unsigned char", trees.missing_left), value = array("float", trees.values);
    const std::string name = "taut_d" + std::to_string(count_++);
    data_ += "static const taut_trees " + name + " = {" + std::to_string(trees.sizes.size()) + ", " + std::to_string(trees.outputs) + ", " + sizes +
             ", " + left + ", " + feature + ", " + missing_left + ", " + value + "};\n";
    return name;
  }

  void write_inputs(const std::vector<ExportedInput>& inputs, const std::string& name, std::size_t further = 0) {
    line("float " + name + "[" + std::to_string(std::max<std::size_t>(1, inputs.size() + further)) + "];");
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const ExportedInput& input = inputs[i];
      const std::string cell = "cells[" + std::to_string(input.column) + "]";
      std::string code;
      switch (input.kind) {
        case ExportedInput::Kind::number: code = "taut_to_float(" + cell + " - " + c_number(input.offset) + ")"; break;
        case ExportedInput::Kind::standardised:
          code = "taut_standard(" + cell + ", " + c_number(input.offset) + ", " + c_number(input.centre) + ", " + c_number(input.scale) + ")";
          break;
        case ExportedInput::Kind::table:
          code = "taut_table(" + cell + ", " + array("float", input.values) + ", " + std::to_string(input.values.size() - 1) + ", " +
                 c_number(input.if_missing) + ")";
          break;
        case ExportedInput::Kind::known: code = "isfinite(" + cell + ") ? " + c_number(input.values[0]) + " : " + c_number(input.values[1]); break;
      }
      line(name + "[" + std::to_string(i) + "] = " + code + ";");
    }
  }

  void write_member(const ExportedMember& member, const std::string& x, std::size_t members) {
    if (member.trees) {
      line("{ float sum = 0.0f; taut_sum(&" + forest(*member.trees) + ", " + x + ", &sum); mean += ((double)sum + " + c_number(member.centre) +
           ") / " + std::to_string(members) + ".0; }");
      return;
    }
    line("{ double sum = " + c_number(member.centre) + ", at, d; int k; (void)at; (void)d; (void)k;");
    if (!member.weights.empty()) {
      const std::string weights = array("double", member.weights), inputs = array("int32_t", member.inputs);
      line("  for (k = 0; k < " + std::to_string(member.weights.size()) + "; ++k) sum += " + weights + "[k] * (double)" + x + "[" + inputs + "[k]];");
    }
    for (const ExportedSpline& spline : member.splines) {
      std::vector<double> pieces;
      for (const auto& piece : spline.pieces) pieces.insert(pieces.end(), {piece.from, piece.constant, piece.slope, piece.square, piece.cube});
      const std::string knots = array("double", spline.knots), data = array("double", pieces);
      line("  at = (double)" + x + "[" + std::to_string(spline.input) + "]; at = at > " + c_number(spline.low) + " ? (at < " + c_number(spline.high) +
           " ? at : " + c_number(spline.high) + ") : " + c_number(spline.low) + ";");
      line("  { const double* p = " + data + "; for (k = 0; k < " + std::to_string(spline.knots.size()) + "; ++k) p += at >= " + knots +
           "[k] ? 5 : 0; d = at - p[0]; sum += p[1] + d * (p[2] + d * (p[3] + d * p[4])); }");
    }
    line("  mean += sum / " + std::to_string(members) + ".0; }");
  }

  void write_part(const ExportedPart& part) {
    line("{ double mean = 0.0, value;  /* " + part.name + " */");
    for (const ExportedMember& member : part.members) write_member(member, part.is_standardised ? "standardised" : "raw", part.members.size());
    line("value = " + c_number(part.centre) + " + " + c_number(part.unit) + " * mean;");
    line("if (!isfinite(value)) value = value != value ? " + c_number(part.centre) + " : copysign(DBL_MAX, value);");
    if (part.target_scale != "as-is") line("value = taut_held(value, " + c_number(part.least) + ", " + c_number(part.most) + ");");
    if (part.target_scale == "root") line("value = copysign(value * value, value);");
    if (part.target_scale == "log") line("value = exp(value);");
    line("f += " + c_number(part.weight) + " * value; }");
  }

  void write_f() {
    if (model_.f_is_given) {
      line("const double f = cells[" + std::to_string(model_.columns.size() - 1) + "];");
      return;
    }
    line("double f = 0.0;");
    if (model_.foreign != nullptr) return write_foreign(*model_.foreign);
    if (!model_.raw.empty()) write_inputs(model_.raw, "raw");
    if (!model_.standardised.empty()) write_inputs(model_.standardised, "standardised");
    for (const ExportedPart& part : model_.parts) write_part(part);
  }

  void write_foreign_cells(const ForeignModel& foreign) {
    line("double x[" + std::to_string(foreign.features.size()) + "];");
    for (std::size_t i = 0; i < foreign.features.size(); ++i) {
      const ForeignFeature& feature = foreign.features[i];
      const std::string x = "x[" + std::to_string(i) + "]", cell = "cells[" + std::to_string(model_.foreign_columns[i]) + "]";
      if (!feature.numbers.empty())
        line(x + " = taut_position(" + cell + ", " + array("double", feature.numbers) + ", " + std::to_string(feature.numbers.size()) + ");");
      else if (!feature.texts.empty())
        line(x + " = " + cell + " < " + std::to_string(feature.texts.size()) + ".0 ? " + cell + " : NAN;");
      else
        line(x + " = " + cell + ";");
      if (foreign.float_inputs) line(x + " = (double)(float)" + x + ";");
      if (foreign.tiny_is_zero) line("if (fabs(" + x + ") <= (double)1e-35f) " + x + " = 0.0;");
    }
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
    const std::string n = array("int32_t", sizes), l = array("int32_t", left), c = array("int32_t", features), m = array("unsigned char", missing_cells),
                      v = array("double", values), s = array("int32_t", sets), w = array("uint32_t", words);
    const std::string type = foreign.float_sums ? "float" : "double";
    line("{ " + type + " sum = (" + type + ")" + c_number(foreign.start) + "; size_t first = 0; int tree;");
    line("  for (tree = 0; tree < " + std::to_string(sizes.size()) + "; first += (size_t)" + n + "[tree++]) { size_t at = first;");
    line("    while (" + l + "[at] != 0) at = first + (size_t)" + l + "[at] + (taut_goes_left(x[" + c + "[at]], " + v + "[at], " + m + "[at], " +
         (foreign.sets.empty() ? "NULL" : s + "[at] < 0 ? NULL : " + w + " + " + s + "[at]") + ", " + (foreign.strict ? "1" : "0") + ") ? 0 : 1);");
    line("    sum += (" + type + ")" + v + "[at]; }");
    if (foreign.sets.empty()) line("  (void)" + s + "; (void)" + w + ";");
    if (foreign.float_sums) {
      line(foreign.link == ForeignLink::exp_float        ? "  f = (double)expf(sum); }"
           : foreign.link == ForeignLink::logistic_float ? "  f = (double)(1.0f / (expf(-sum < 88.7f ? -sum : 88.7f) + 1.0f + 1e-16f)); }"
                                                         : "  f = (double)sum; }");
      return;
    }
    line("  f = sum" + (foreign.divisor == 1 ? std::string() : " / " + c_number(foreign.divisor)) + ";");
    if (foreign.scale != 1 || foreign.bias != 0) line("  f = f * " + c_number(foreign.scale) + " + " + c_number(foreign.bias) + ";");
    if (foreign.link == ForeignLink::exp) line("  f = exp(f);");
    if (foreign.link == ForeignLink::signed_square) line("  f = f < 0 ? -1.0 * f * f : f * f;");
    line("}");
  }

  void put(std::size_t level, const std::string& centre, const std::string& below, const std::string& above) {
    line("taut_put(" + centre + ", " + below + ", " + above + ", " + c_number(model_.y_min) + ", " + c_number(model_.y_max) + ", out + " +
         std::to_string(2 * level + 1) + ");");
  }

  // g of each side to `name`.
  void write_localization(const ExportedLocalization& from, const std::string& name) {
    const std::string sides = std::to_string(from.sides);
    line("double " + name + "[2] = {0.0, 0.0};");
    for (const auto& member : from.members) {
      line("{ double g[2] = {0.0, 0.0}; int k;");
      for (std::size_t stage = 0; stage < member.stages.size(); ++stage) {
        const auto& own = member.stages[stage];
        const std::string initial = array("double", own.initial);
        if (own.trees.sizes.empty())
          line("  for (k = 0; k < " + sides + "; ++k) g[k] += " + initial + "[k];");
        else
          line("  { float sums[2] = {0.0f, 0.0f}; taut_sum(&" + forest(own.trees) + ", x, sums); for (k = 0; k < " + sides +
               "; ++k) g[k] += (double)sums[k] + " + initial + "[k]; }");
        if (from.exponents[stage] != 1)
          line("  for (k = 0; k < " + sides + "; ++k) g[k] = -2.0 * (" + c_number(from.exponents[stage]) + " * (-0.5 * g[k] - 0.0));");
      }
      line("  for (k = 0; k < " + sides + "; ++k) " + name + "[k] += " + c_number(1.0 / static_cast<double>(from.members.size())) +
           " * (-0.5 * taut_bounded(g[k]) - " + c_number(member.centre) + "); }");
    }
    line(name + "[0] = -2.0 * " + name + "[0]; " + name + "[1] = -2.0 * " + name + "[" + (from.sides == 2 ? "1" : "0") + "];");
    if (from.sides == 1) line(name + "[1] = " + name + "[0];");
  }

  void write_ends() {
    int sides = model_.localization->sides;
    if (model_.other) sides = std::max(sides, model_.other->sides);
    const std::size_t inputs = model_.localizer_inputs.size() + (model_.sees_prediction ? 1 : 0);
    write_localizer_block_start();
    write_inputs(model_.localizer_inputs, "x", 3);
    if (model_.sees_prediction)
      line("x[" + std::to_string(inputs - 1) + "] = taut_to_float((f - " + c_number(model_.prediction_offset) + ") / " + c_number(model_.unit) + ");");
    write_localization(*model_.localization, "one");
    if (model_.other) {
      write_localization(*model_.other, "two");
      line("u[0] = -0.5 * (-2.0 * ((-0.5 * one[0] + -0.5 * two[0]) / 2)); u[1] = -0.5 * (-2.0 * ((-0.5 * one[1] + -0.5 * two[1]) / 2));");
    } else {
      line("u[0] = -0.5 * one[0]; u[1] = -0.5 * one[1];");
    }
    if (model_.curve)
      write_curve(*model_.curve, inputs, sides);
    else
      for (std::size_t i = 0; i < model_.q.size(); ++i) {
        const std::string unit = c_number(model_.unit), q = c_number(model_.q[i]);
        put(i, "f", unit + " * taut_scale_width(" + q + ", u[0])", unit + " * taut_scale_width(" + q + ", u[1])");
      }
    line("}");
  }

  void write_localizer_block_start() { line("{ double u[2];"); }

  void write_curve(const ExportedCurve& curve, std::size_t inputs, int sides) {
    constexpr int knots = static_cast<int>(n_curve_knots), all = 2 * knots + 1;
    std::vector<double> odds = {0};
    for (const double p : curve_probabilities) odds.push_back(std::log(p) - std::log1p(-p));
    const std::string n = std::to_string(all), half = std::to_string(knots), table = array("double", odds);
    for (int side = 0; side < sides; ++side)
      line("x[" + std::to_string(inputs + static_cast<std::size_t>(side)) + "] = (float)u[" + std::to_string(side) + "];");
    line("{ double y[" + n + "] = {0.0}, below[" + half + "], above[" + half + "], s_below, s_above, least, centre; int i, k;");
    for (const auto& member : curve.members) {
      const auto inner = (std::size_t{1} << member.depth) - 1;
      line("  { float sums[" + n + "] = {0.0f}; taut_complete_trees(" + std::to_string(member.trees.features.size() / inner) + ", " +
           std::to_string(member.depth) + ", " + n + ", " + array("int32_t", member.trees.features) + ", " +
           array("unsigned char", member.trees.missing_left) + ", " + array("float", member.trees.values) + ", " + array("float", member.leaves) +
           ", x, sums); for (k = 0; k < " + n + "; ++k) { y[k] += (double)sums[k]; y[k] += " + array("double", member.initial) + "[k]; } }");
    }
    line("  for (k = 0; k < " + n + "; ++k) y[k] /= " + std::to_string(curve.members.size()) + ".0;");
    line("  for (i = 1; i < " + n + "; ++i) { const double one = y[i]; for (k = i; k > 0 && one < y[k - 1]; --k) y[k] = y[k - 1]; y[k] = one; }");
    line("  s_below = exp(u[0]); s_above = exp(u[1]);");
    line("  for (k = 0; k < " + n + "; ++k) y[k] *= y[k] < 0 ? s_below : s_above;");
    line("  least = 1e-3 * (y[" + std::to_string(all - 1) + "] - y[0]);");
    line("  if (least < 1e-12 * (s_below < s_above ? s_above : s_below)) least = 1e-12 * (s_below < s_above ? s_above : s_below);");
    line("  for (k = 0; k < " + half + "; ++k) { below[k] = taut_log_width(y, " + half + " - k - 1, " + half + " - k, least); above[k] = taut_log_width(y, " +
         half + " + k, " + half + " + k + 1, least); }");
    line("  centre = f + " + c_number(model_.unit) + " * y[" + half + "];");
    for (std::size_t i = 0; i < model_.q.size(); ++i) {
      const std::string start = c_number(model_.unit) + " * taut_curve_width(" + c_number(model_.q[i]) + ", ", end = ", " + table + ", " + half + ")";
      put(i, "centre", start + "below" + end, start + "above" + end);
    }
    line("}");
  }

  const Exported& model_;
  std::string data_, body_;
  int count_ = 0;
};

}  // namespace

std::string c_source(const Exported& model, const std::string& function) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  bool is_name = !function.empty() && is_letter(function.front());
  for (const char c : function) is_name = is_name && (is_letter(c) || (c >= '0' && c <= '9'));
  if (!is_name) throw UsageError("'" + function + "' is no name of a C function; letters, digits and _ make one");
  return CWriter(model).text(function);
}

}  // namespace taut
