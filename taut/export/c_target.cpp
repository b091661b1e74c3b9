// Writes the computation of one target as C: f and the ends of its intervals, with the library's order of roundings.
#include <taut/export/c_scale_text.hpp>
#include <taut/export/c_writer.hpp>
#include <taut/export/exported.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

namespace taut {

namespace {

class CTarget {
 public:
  CTarget(const ExportedTarget& model, CWriter& to, std::string suffix) : model_(model), to_(to), suffix_(std::move(suffix)) {}

  void write() {
    write_c_prediction(model_, to_);
    line("out[0] = f;");
    if (!model_.score_scale.is_identity()) write_scaled_centre();
    if (model_.localization) return write_ends();
    put_all(centre(), [&](const SignedScore& t) { return c_number(model_.unit * model_.half_width(t.score).value({})); });
  }

 private:
  // The C expression of the half-width at a score on one side.
  using Reach = std::function<std::string(const SignedScore&)>;

  void line(const std::string& code) { to_.line(code); }

  // The C variable with f on the scale of the score, and the one with the bound of its error.
  std::string centre() const { return model_.score_scale.is_identity() ? "f" : "z"; }
  std::string slack() const { return model_.score_scale.is_identity() ? "slack" : "slack_of_z"; }

  // The error of f is at most `slack`. A logarithm or a root changes by at most that times its largest slope in between; near 0,
  // where the slope of a root has no bound, by at most sqrt(2 slack).
  void write_scaled_centre() {
    if (const LearnedScale* learned = model_.score_scale.learned()) {
      const double steepest = *std::max_element(learned->slopes().begin(), learned->slopes().end());
      line("const double z = taut_forward" + suffix_ + "(f);");
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

  void put_all(const std::string& around, const Reach& reach) {
    for (std::size_t level = 0; level < model_.ends.size(); ++level) {
      const auto& [low, high] = model_.ends[level];
      if (model_.is_side_of_box()) {
        put_side(level, around, reach);
        continue;
      }
      const std::string below = reach(low), above = reach(high);
      put(level, around, below, above);
    }
  }

  // The interval of a target in a box: its ends are at two scores, which may lie on one side of f.
  void put_side(std::size_t level, const std::string& around, const Reach& reach) {
    const bool is_scaled = !model_.score_scale.is_identity();
    const auto end = [&](const SignedScore& t, Side outward) {
      const std::string sign = outward == Side::above ? "1" : "-1", loose = model_.has_slack() ? slack() : "0.0";
      const std::string start = around + ", " + reach(t) + ", ";
      const std::string z = t.side == outward
                                ? "taut_beyond(" + start + loose + ", " + sign + ")"
                                : "taut_short(" + start + reach({t.side, t.score + 1}) + ", " + loose + ", " + sign + ")";
      return is_scaled ? "taut_outward" + suffix_ + "(" + z + ", " + sign + ")" : z;
    };
    const auto& [low, high] = model_.ends[level];
    const std::string lower = end(low, Side::below), upper = end(high, Side::above);
    std::string median = "0.0";  // unused if every value is possible
    if (model_.is_restricted()) {
      const std::string z = around + (model_.median->side == Side::above ? " + " : " - ") + reach(*model_.median);
      median = is_scaled ? "taut_value" + suffix_ + "(" + z + ")" : z;
    }
    line("taut_put_side(" + lower + ", " + upper + ", " + median + ", " + c_number(model_.y_step) + ", " +
         c_number(model_.y_min) + ", " + c_number(model_.y_max) + ", out + " + std::to_string(2 * level + 1) + ");");
  }

  // Writes ends on the scale of the score and maps them back.
  void put_scaled(std::size_t level, const std::string& centre, const std::string& below, const std::string& above) {
    const auto reach = [&](const std::string& own) {
      return model_.has_slack() ? "taut_wider(" + own + ", " + slack() + ")" : own;
    };
    line("taut_put_scaled" + suffix_ + "(" + centre + ", " + reach(below) + ", " + reach(above) + ", " + c_number(model_.y_step) +
         ", " + c_number(model_.y_min) + ", " + c_number(model_.y_max) + ", out + " + std::to_string(2 * level + 1) + ");");
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

  // The unit of half-widths of this row.
  std::string unit() const { return model_.beyond_training.empty() ? c_number(model_.unit) : "unit"; }

  // Of a row with this scale.
  void write_unit(const std::string& scale) {
    if (model_.beyond_training.empty()) return;
    const BeyondTraining& beyond = model_.beyond_training;
    std::string of_ranges = std::to_string(beyond.inputs().size()) + ", " + to_.array("int32_t", beyond.inputs());
    for (const auto* numbers : {&beyond.low(), &beyond.high(), &beyond.slope()})
      of_ranges += ", " + to_.array("double", *numbers);
    line("const double unit = " + c_number(model_.unit) + " * taut_factor_beyond(taut_beyond_ranges(" + of_ranges + ", x), " +
         beyond_boxes(beyond.boxes()) + ", " + c_number(beyond.max_growth()) + ", " + scale + ");");
  }

  std::string beyond_boxes(const TrainingBoxes& boxes) {
    if (boxes.empty()) return "0.0";
    const auto floats = [this](const MatrixF& numbers) {
      return to_.array("float", std::vector<float>(numbers.data(), numbers.data() + numbers.size()));
    };
    std::string arguments = std::to_string(boxes.inputs().size()) + ", " + to_.array("int32_t", boxes.inputs()) + ", ";
    arguments += to_.array("double", boxes.slope()) + ", " + to_.array("int32_t", boxes.feature()) + ", ";
    arguments += to_.array("float", boxes.threshold()) + ", " + to_.array("int32_t", boxes.next()) + ", ";
    arguments += floats(boxes.low()) + ", " + floats(boxes.high()) + ", " + c_number(boxes.usual());
    return "taut_beyond_boxes(" + arguments + ", x)";
  }

  void write_ends() {
    int sides = model_.localization->sides;
    if (model_.other) sides = std::max(sides, model_.other->sides);
    const std::size_t first = model_.localizer_inputs.size();
    const std::size_t inputs = first + (model_.uses_prediction ? 1 : 0) + (model_.uses_disagreement ? 1 : 0);
    line(model_.has_scale() ? "{ double u[2];" : "{");
    to_.inputs(model_.localizer_inputs, "x", 4);
    if (model_.uses_prediction)
      line("x[" + std::to_string(first) + "] = taut_to_float((" + centre() + " - " + c_number(model_.prediction_offset) + ") / " +
           c_number(model_.unit) + ");");
    if (model_.uses_disagreement) {
      const std::string minimum = c_number(model_.min_disagreement);
      line("apart = apart / " + c_number(model_.unit) + ";");
      line("x[" + std::to_string(inputs - 1) + "] = (float)log(apart < " + minimum + " ? " + minimum + " : apart);");
    }
    write_localization(*model_.localization, "one");
    if (!model_.has_scale()) {
      write_unit("1.0");
      return write_formulas();
    }
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
    write_unit("(exp(u[0]) + exp(u[1])) / 2");
    if (model_.quantiles)
      write_curve(*model_.quantiles, inputs, sides);
    else
      put_all(centre(), [&](const SignedScore& t) {
        return unit() + " * taut_scale_width(" + c_number(t.score) + ", u[" + side_index(t) + "])";
      });
    line("}");
  }

  static std::string side_index(const SignedScore& t) { return t.side == Side::above ? "1" : "0"; }

  // Writes the half-width of each level and side, computed from the C array "one".
  void write_formulas() {
    std::map<std::pair<int, double>, std::string> known;
    put_all(centre(), [&](const SignedScore& t) {
      const int side = model_.localization->sides == 2 && t.side == Side::above ? 1 : 0;
      std::string& reach = known[{side, t.score}];
      if (!reach.empty()) return reach;
      std::vector<std::string> g;
      for (Index p = 0; p < model_.localization->params; ++p)
        g.push_back("one[" + std::to_string(side * model_.localization->params + p) + "]");
      return reach = unit() + " * " + to_.formula(model_.half_width(t.score), g);
    });
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
    put_all("centre", [&](const SignedScore& t) {
      return unit() + " * taut_curve_width(" + c_number(t.score) + ", " + (t.side == Side::above ? "above" : "below") + ", " +
             table + ", " + half + ")";
    });
    line("}");
  }

  void write_lines(const DescribedQuantiles::Lines& lines, const std::string& outputs) {
    std::string call = "  taut_lines(" + std::to_string(lines.unit.size()) + ", " + outputs;
    for (const auto* numbers : {&lines.minimum, &lines.maximum, &lines.centre, &lines.unit, &lines.slopes})
      call += ", " + to_.array("double", *numbers);
    line(call + ", x, y);");
  }

  const ExportedTarget& model_;
  CWriter& to_;
  std::string suffix_;
};

}  // namespace

void write_c_target(const ExportedTarget& model, CWriter& to, const std::string& suffix) { CTarget(model, to, suffix).write(); }

}  // namespace taut
