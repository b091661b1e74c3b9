// Writes a model as C: numbers become arrays, the computation becomes one function with the library's order of roundings.
#include <taut/export/exported.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/core/version.hpp>
#include <taut/data/kinds/kinds.hpp>
#include <taut/export/c_scale_text.hpp>
#include <taut/export/c_text.hpp>
#include <taut/export/c_writer.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

std::string c_list(const std::vector<double>& values) {
  std::vector<std::string> words;
  for (const double value : values) words.push_back(c_number(value));
  return "{" + join(words, ", ") + "}";
}

std::string c_learned_helpers_of(const LearnedScale& scale) {
  const auto& [base, of_y, of_z] = scale.bound();
  const std::string n = std::to_string(scale.knots().size());
  return "\nstatic const double taut_knots[" + n + "] = " + c_list(scale.knots()) + ";\nstatic const double taut_values[" + n +
         "] = " + c_list(scale.values()) + ";\nstatic const double taut_slopes[" + n + " + 1] = " + c_list(scale.slopes()) +
         ";\n#define TAUT_KNOTS " + n + "\n#define TAUT_SCALE_ERROR(y, z) (" + c_number(base) + " + " + c_number(of_y) +
         " * fabs(y) + " + c_number(of_z) + " * fabs(z))\n" + c_learned_helpers + c_put_scaled_helpers;
}

std::string c_helpers_of(const ScoreScale& scale) {
  if (scale.is_identity()) return "";
  if (scale.learned() != nullptr) return c_learned_helpers_of(*scale.learned());
  const char* const value = scale.form() == ScaleForm::log ? c_log_helpers
                            : scale.is_bounded()           ? c_bounded_root_helpers
                                                           : c_root_helpers;
  return std::string(value) + c_put_scaled_helpers;
}

class CSource {
 public:
  explicit CSource(const Exported& model) : model_(model) {}

  std::string text(const std::string& function) {
    write_c_prediction(model_, to_);
    line("out[0] = f;");
    if (!model_.score_scale.is_identity()) write_scaled_centre();
    if (!model_.localization)
      for (std::size_t i = 0; i < model_.q.size(); ++i) {
        const std::string width = c_number(model_.unit * model_.half_width(i).value({}));
        put(i, centre(), width, width);
      }
    else
      write_ends();
    return head(function) + c_helpers + c_helpers_of(model_.score_scale) + (!model_.localization ? "" : c_scale_helpers) +
           (model_.quantiles ? c_curve_helpers : "") + (model_.foreign != nullptr ? c_foreign_helpers : "") + smooth_helpers() +
           step_and_date_helpers() + "\n" + to_.data() + "\nvoid " + function + "(const double* cells, double* out) {\n" +
           to_.body() + "}\n";
  }

 private:
  void line(const std::string& code) { to_.line(code); }

  std::string smooth_helpers() const {
    if (!model_.has_slack()) return "";
    bool has_process = false, has_network = false;
    for (const ExportedPart& part : model_.parts) {
      has_process = has_process || part.has<DescribedProcess>();
      has_network = has_network || part.has<DescribedNetworks>();
    }
    return std::string(c_smooth_helpers) + (has_process ? c_process_helpers : "") + (has_network ? c_network_helpers : "");
  }

  std::string head(const std::string& function) const {
    std::string text = "/* Made by Taut " + std::string(version) + ": " + model_.description + ".\n *\n";
    text += " * void " + function + "(const double* cells, double* out);\n *\n * cells, NaN where one is missing:\n";
    for (std::size_t c = 0; c < model_.columns.size(); ++c) {
      const Column& column = model_.columns[c];
      text += " *   cells[" + std::to_string(c) + "]  " + c_comment(column.name);
      if (column.is_categorical()) text += ": " + describe_categories(column);
      if (column.kind == ColumnKind::boolean) text += ": 1 or 0";
      if (column.kind == ColumnKind::date) text += ": seconds since 1970-01-01, UTC";
      text += "\n";
    }
    text += " * out:\n *   out[0]  f(x), the prediction\n";
    for (std::size_t i = 0; i < model_.level_texts.size(); ++i)
      text += " *   out[" + std::to_string(2 * i + 1) + "], out[" + std::to_string(2 * i + 2) +
              "]  ends of the interval at confidence " + model_.level_texts[i] + "; both NaN where it is empty\n";
    if (model_.y_step > 0)
      text += " * Ends are not moved inward to multiples of " + print_number(model_.y_step) +
              ": they hold every one that those of 'taut predict' hold.\n";
    if (model_.localization && !model_.has_scale())
      text += " * Intervals hold those of 'taut predict', bit for bit or wider by less than 1e-9 of their width.\n";
    return text +
           " *\n * C99, no libraries but libm. Compiled with -std=c99 (or -ffp-contract=off, so that a * b + c is rounded twice) "
           "it gives\n"
           " * the bits of 'taut predict' on a machine with the same exp and log" +
           (model_.has_slack()
                ? ", but for a network or a Gaussian process in f, which\n"
                  " * the library computes in packets: how far f may be from the library's is computed too, and ends are moved\n"
                  " * outward by as much. */\n"
                : ". */\n") +
           "#include <float.h>\n#include <math.h>\n#include <stddef.h>\n#include <stdint.h>\n";
  }

  std::string step_and_date_helpers() const {
    const bool has_dates = std::any_of(model_.columns.begin(), model_.columns.end(),
                                       [](const Column& column) { return column.kind == ColumnKind::date; });
    return std::string(has_dates ? c_date_helpers : "") + (model_.y_step > 0 ? c_step_helpers : "");
  }

  static std::string c_comment(std::string text) {
    for (char& c : text)
      if (c == '*' || c == '/' || c == '\\' || c == '\n' || c == '?') c = ' ';
    return text;
  }

  static std::string describe_categories(const Column& column) {
    std::string text;
    for (std::size_t i = 0; i < column.categories.size() && i < 20; ++i)
      text += std::to_string(i) + " " + c_comment(column.categories[i]) + ", ";
    if (column.categories.size() > 20) text += "..., ";
    return text + std::to_string(column.categories.size()) + " any other";
  }

  // The C variable with f on the scale of the score, and the one with the bound of its error.
  std::string centre() const { return model_.score_scale.is_identity() ? "f" : "z"; }
  std::string slack() const { return model_.score_scale.is_identity() ? "slack" : "slack_of_z"; }

  // The error of f is at most `slack`. A logarithm or a root changes by at most that times its largest slope in between; near 0,
  // where the slope of a root has no bound, by at most sqrt(2 slack).
  void write_scaled_centre() {
    if (const LearnedScale* learned = model_.score_scale.learned()) {
      const double steepest = *std::max_element(learned->slopes().begin(), learned->slopes().end());
      line("const double z = taut_forward(f);");
      if (model_.has_slack()) line("const double slack_of_z = slack * " + c_number(steepest) + " + 1e-15 * fabs(z);");
      return;
    }
    const bool is_log = model_.score_scale.form() == ScaleForm::log;
    const std::string least = c_number(model_.score_scale.min_centre());
    const std::string bounded = "(f > " + least + " ? f : " + least + ")";
    line(is_log                            ? "const double z = log" + bounded + ";"
         : model_.score_scale.is_bounded() ? "const double z = sqrt" + bounded + ";"
                                           : "const double z = copysign(sqrt(fabs(f)), f);");
    if (!model_.has_slack()) return;
    line(is_log
             ? "const double slack_of_z = slack / (f - slack > " + least + " ? f - slack : " + least + ") + 1e-15 * fabs(z);"
             : "const double slack_of_z = (fabs(f) > 2.0 * slack ? slack / sqrt(fabs(f) - slack) : sqrt(2.0 * slack)) + 1e-15 * "
               "fabs(z);");
  }

  // Writes ends on the scale of the score and maps them back.
  void put_scaled(std::size_t level, const std::string& centre, const std::string& below, const std::string& above) {
    const auto reach = [&](const std::string& own) {
      return model_.has_slack() ? "taut_wider(" + own + ", " + slack() + ")" : own;
    };
    line("taut_put_scaled(" + centre + ", " + reach(below) + ", " + reach(above) + ", " + c_number(model_.y_step) + ", " +
         c_number(model_.y_min) + ", " + c_number(model_.y_max) + ", out + " + std::to_string(2 * level + 1) + ");");
  }

  void put(std::size_t level, const std::string& centre, const std::string& below, const std::string& above) {
    if (!model_.score_scale.is_identity()) return put_scaled(level, centre, below, above);
    const auto reach = [&](const std::string& own, const std::string& other) {
      const std::string minimum =
          model_.y_step > 0 ? "taut_reach_step(" + c_number(model_.y_step) + ", " + centre + ", " + own + ", " + other + ")"
                            : own;
      return model_.has_slack() ? "taut_wider(" + minimum + ", slack)" : minimum;
    };
    line("taut_put(" + centre + ", " + reach(below, above) + ", " + reach(above, below) + ", " + c_number(model_.y_min) + ", " +
         c_number(model_.y_max) + ", out + " + std::to_string(2 * level + 1) + ");");
  }

  // Writes g of each side to the C array `name`.
  void write_localization(const ExportedLocalization& from, const std::string& name) {
    const Index outputs = from.sides * from.params, places = std::max<Index>(2, outputs);
    const std::string all = std::to_string(outputs),
                      zero = "[" + std::to_string(places) + "] = {0.0" + (places == 2 ? ", 0.0}" : "}");
    line("double " + name + zero + ";");
    for (const auto& member : from.members) {
      line("{ double g" + zero + "; int k;");
      for (std::size_t stage = 0; stage < member.stages.size(); ++stage) {
        const auto& own = member.stages[stage];
        const std::string initial = to_.array("double", own.initial);
        if (own.trees.sizes.empty())
          line("  for (k = 0; k < " + all + "; ++k) g[k] += " + initial + "[k];");
        else
          line("  { float sums[" + std::to_string(places) + "] = {0.0f" + (places == 2 ? ", 0.0f" : "") + "}; taut_sum(&" +
               to_.forest(own.trees) + ", x, sums); for (k = 0; k < " + all + "; ++k) g[k] += (double)sums[k] + " + initial +
               "[k]; }");
        if (from.exponents[stage] != 1)
          line("  for (k = 0; k < " + all + "; ++k) g[k] = " + c_number(model_.scale().back) + " * (" +
               c_number(from.exponents[stage]) + " * (" + c_number(model_.scale().factor) + " * g[k] - 0.0));");
      }
      const std::string share = c_number(1.0 / static_cast<double>(from.members.size())), bounded = "taut_bounded(g[k])";
      line("  for (k = 0; k < " + all + "; ++k) " + name + "[k] += " + share + " * " +
           (model_.has_scale() ? "(" + c_number(model_.scale().factor) + " * " + bounded + " - " + c_number(member.centre) + ")"
                               : bounded) +
           "; }");
    }
    if (!model_.has_scale()) return;
    const std::string back = c_number(model_.scale().back) + " * " + name;
    line(name + "[0] = " + back + "[0]; " + name + "[1] = " + back + "[" + (from.sides == 2 ? "1" : "0") + "];");
    if (from.sides == 1) line(name + "[1] = " + name + "[0];");
  }

  void write_ends() {
    int sides = model_.localization->sides;
    if (model_.other) sides = std::max(sides, model_.other->sides);
    const std::size_t inputs = model_.localizer_inputs.size() + (model_.uses_prediction ? 1 : 0);
    line(model_.has_scale() ? "{ double u[2];" : "{");
    to_.inputs(model_.localizer_inputs, "x", 3);
    if (model_.uses_prediction)
      line("x[" + std::to_string(inputs - 1) + "] = taut_to_float((" + centre() + " - " + c_number(model_.prediction_offset) +
           ") / " + c_number(model_.unit) + ");");
    write_localization(*model_.localization, "one");
    if (!model_.has_scale()) return write_formulas();
    const std::string factor = c_number(model_.scale().factor) + " * ", back = c_number(model_.scale().back) + " * ";
    if (model_.other) {
      write_localization(*model_.other, "two");
      const auto mean = [&](const std::string& side) {
        return "u" + side + " = " + factor + "(" + back + "((" + factor + "one" + side + " + " + factor + "two" + side +
               ") / 2));";
      };
      line(mean("[0]") + " " + mean("[1]"));
    } else {
      line("u[0] = " + factor + "one[0]; u[1] = " + factor + "one[1];");
    }
    if (model_.quantiles)
      write_curve(*model_.quantiles, inputs, sides);
    else
      for (std::size_t i = 0; i < model_.q.size(); ++i) {
        const std::string unit = c_number(model_.unit), q = c_number(model_.q[i]);
        put(i, centre(), unit + " * taut_scale_width(" + q + ", u[0])", unit + " * taut_scale_width(" + q + ", u[1])");
      }
    line("}");
  }

  // Writes the half-width of each level and side, computed from the C array "one".
  void write_formulas() {
    for (std::size_t i = 0; i < model_.q.size(); ++i) {
      std::vector<std::string> reach;
      for (int side = 0; side < model_.localization->sides; ++side) {
        std::vector<std::string> g;
        for (Index p = 0; p < model_.localization->params; ++p)
          g.push_back("one[" + std::to_string(side * model_.localization->params + p) + "]");
        reach.push_back(c_number(model_.unit) + " * " + to_.formula(model_.half_width(i), g));
      }
      put(i, centre(), reach.front(), reach.back());
    }
    line("}");
  }

  void write_curve(const DescribedQuantiles& curve, std::size_t inputs, int sides) {
    const std::vector<double> odds = log_odds_above(curve);
    const int knots = static_cast<int>(odds.size()) - 1, all = 2 * knots + 1;
    const std::string n = std::to_string(all), half = std::to_string(knots), table = to_.array("double", odds);
    for (int side = 0; side < sides; ++side)
      line("x[" + std::to_string(inputs + static_cast<std::size_t>(side)) + "] = (float)u[" + std::to_string(side) + "];");
    line("{ double y[" + n + "] = {0.0}, below[" + half + "], above[" + half + "], s_below, s_above, least, centre; int i, k;");
    for (const auto& member : curve.members) {
      const auto inner = (std::size_t{1} << member.trees.depth) - 1;
      line("  { float sums[" + n + "] = {0.0f}; taut_complete_trees(" + std::to_string(member.trees.features.size() / inner) +
           ", " + std::to_string(member.trees.depth) + ", " + n + ", " + to_.array("int32_t", member.trees.features) + ", " +
           to_.array("unsigned char", member.trees.missing_left) + ", " + to_.array("float", member.trees.values) + ", " +
           to_.array("float", member.trees.leaves) + ", x, sums); for (k = 0; k < " + n + "; ++k) y[k] += (double)sums[k]; }");
      if (member.lines) write_lines(*member.lines, n);
      line("  for (k = 0; k < " + n + "; ++k) y[k] += " + to_.array("double", member.initial) + "[k];");
    }
    line("  for (k = 0; k < " + n + "; ++k) y[k] /= " + std::to_string(curve.members.size()) + ".0;");
    line("  for (i = 1; i < " + n +
         "; ++i) { const double one = y[i]; for (k = i; k > 0 && one < y[k - 1]; k -= 1) y[k] = y[k - 1]; y[k] = one; }");
    line("  s_below = exp(u[0]); s_above = exp(u[1]);");
    line("  for (k = 0; k < " + n + "; ++k) y[k] *= y[k] < 0 ? s_below : s_above;");
    line("  least = 1e-3 * (y[" + std::to_string(all - 1) + "] - y[0]);");
    line(
        "  if (least < 1e-12 * (s_below < s_above ? s_above : s_below)) least = 1e-12 * (s_below < s_above ? s_above : "
        "s_below);");
    line("  for (k = 0; k < " + half + "; ++k) { below[k] = taut_log_width(y, " + half + " - k - 1, " + half +
         " - k, least); above[k] = taut_log_width(y, " + half + " + k, " + half + " + k + 1, least); }");
    line("  centre = " + centre() + " + " + c_number(model_.unit) + " * y[" + half + "];");
    for (std::size_t i = 0; i < model_.q.size(); ++i) {
      const std::string start = c_number(model_.unit) + " * taut_curve_width(" + c_number(model_.q[i]) + ", ",
                        end = ", " + table + ", " + half + ")";
      put(i, "centre", start + "below" + end, start + "above" + end);
    }
    line("}");
  }

  void write_lines(const DescribedQuantiles::Lines& lines, const std::string& outputs) {
    std::string call = "  taut_lines(" + std::to_string(lines.unit.size()) + ", " + outputs;
    for (const auto* numbers : {&lines.minimum, &lines.maximum, &lines.centre, &lines.unit, &lines.slopes})
      call += ", " + to_.array("double", *numbers);
    line(call + ", x, y);");
  }

  const Exported& model_;
  CWriter to_;
};

}  // namespace

std::string c_source(const Exported& model, const std::string& function) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  bool is_name = !function.empty() && is_letter(function.front());
  for (const char c : function) is_name = is_name && (is_letter(c) || (c >= '0' && c <= '9'));
  if (!is_name)
    throw UsageError(format_text("'{}' is not the name of a C function; use letters, digits and _, not a digit first", function));
  return CSource(model).text(function);
}

}  // namespace taut
