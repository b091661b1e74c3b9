// The prediction as C: f, in the order in which the library adds and rounds; with how far it may be from the library's where that
// computes in packets.
#include <taut/export/c_writer.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

class CPrediction {
 public:
  CPrediction(const Exported& model, CWriter& to) : model_(model), to_(to) {}

  void write() {
    if (model_.f_is_given) {
      to_.line("const double f = cells[" + std::to_string(model_.columns.size() - 1) + "];");
      return;
    }
    to_.line("double f = 0.0;");
    if (model_.has_slack()) to_.line("double slack = 0.0;");
    if (model_.foreign != nullptr) return write_foreign(*model_.foreign);
    if (!model_.raw.empty()) to_.inputs(model_.raw, "raw");
    if (!model_.standardised.empty()) to_.inputs(model_.standardised, "standardised");
    for (const ExportedPart& part : model_.parts) write_part(part);
  }

 private:
  void write_member(const ExportedMember& member, const std::string& x, std::size_t members) {
    if (member.trees) {
      to_.line("{ float sum = 0.0f; taut_sum(&" + to_.forest(*member.trees) + ", " + x + ", &sum); mean += ((double)sum + " +
               c_number(member.centre) + ") / " + std::to_string(members) + ".0; }");
      return;
    }
    if (member.bins) return write_smooth_member(member, x, members);
    to_.line("{ double sum = " + c_number(member.centre) + ", at, d; int k; (void)at; (void)d; (void)k;");
    if (!member.weights.empty()) {
      const std::string weights = to_.array("double", member.weights), inputs = to_.array("int32_t", member.inputs);
      to_.line("  for (k = 0; k < " + std::to_string(member.weights.size()) + "; ++k) sum += " + weights + "[k] * (double)" + x +
               "[" + inputs + "[k]];");
    }
    for (const ExportedSpline& spline : member.splines) {
      std::vector<double> pieces;
      for (const auto& piece : spline.pieces)
        pieces.insert(pieces.end(), {piece.from, piece.constant, piece.slope, piece.square, piece.cube});
      const std::string knots = to_.array("double", spline.knots), data = to_.array("double", pieces);
      to_.line("  at = (double)" + x + "[" + std::to_string(spline.input) + "]; at = at > " + c_number(spline.low) + " ? (at < " +
               c_number(spline.high) + " ? at : " + c_number(spline.high) + ") : " + c_number(spline.low) + ";");
      to_.line("  { const double* p = " + data + "; for (k = 0; k < " + std::to_string(spline.knots.size()) +
               "; ++k) p += at >= " + knots + "[k] ? 5 : 0; d = at - p[0]; sum += p[1] + d * (p[2] + d * (p[3] + d * p[4])); }");
    }
    to_.line("  mean += sum / " + std::to_string(members) + ".0; }");
  }

  void write_part(const ExportedPart& part) {
    to_.line("{ double mean = 0.0, value;  /* " + part.name + " */");
    if (part.has_slack()) to_.line("double loose = 0.0;");
    for (const ExportedMember& member : part.members)
      write_member(member, part.is_standardised ? "standardised" : "raw", part.members.size());
    to_.line("value = " + c_number(part.centre) + " + " + c_number(part.unit) + " * mean;");
    to_.line("if (!isfinite(value)) value = value != value ? " + c_number(part.centre) + " : copysign(DBL_MAX, value);");
    if (part.target_scale != "as-is")
      to_.line("value = taut_held(value, " + c_number(part.least) + ", " + c_number(part.most) + ");");
    if (part.has_slack()) {
      // What the inverse of the target's scale makes of it.
      to_.line("loose = " + c_number(part.unit) + " * loose + 1e-15 * fabs(value);");
      if (part.target_scale == "root") to_.line("loose = (2.0 * fabs(value) + loose) * loose;");
      if (part.target_scale == "log") to_.line("loose = exp(value) * (1.01 * expm1(loose) + 1e-14);");
    }
    if (part.target_scale == "root") to_.line("value = copysign(value * value, value);");
    if (part.target_scale == "log") to_.line("value = exp(value);");
    if (part.has_slack()) to_.line("slack += " + c_number(part.weight) + " * (loose + 1e-15 * fabs(value));");
    if (part.has_limits())
      to_.line("value = taut_held(value, " + c_number(part.lower_limit) + ", " + c_number(part.upper_limit) + ");");
    to_.line("f += " + c_number(part.weight) + " * value; }");
  }

  // A network or a process, on robust inputs.
  void write_smooth_member(const ExportedMember& member, const std::string& x, std::size_t members) {
    const ExportedBins& bins = *member.bins;
    const std::string inputs = std::to_string(bins.centre.size()), count = std::to_string(bins.input.size());
    const std::size_t width = bins.centre.size() + (member.process ? static_cast<std::size_t>(bins.ranked) : bins.input.size());
    to_.line("{ float z[" + std::to_string(std::max<std::size_t>(width, 1)) + "];");
    to_.line("  taut_robust(" + x + ", " + to_.array("double", bins.centre) + ", " + to_.array("double", bins.scale) + ", " +
             inputs + ", z);");
    const std::string where = to_.array("int32_t", bins.input) + ", " + to_.array("float", bins.from) + ", " +
                              to_.array("float", bins.factor) + ", " + count;
    const std::string share = " / " + std::to_string(members) + ".0;";
    if (member.process) {
      to_.line("  taut_ranks(z, " + where + ", " + to_.array("int32_t", bins.rank) + ", " + to_.array("float", bins.part) + ", " +
               inputs + ", " + std::to_string(width) + ");");
      write_process(*member.process, member, share);
    } else {
      to_.line("  taut_shares(z, " + where + ", " + inputs + ");");
      write_networks(member, width, share);
    }
    to_.line("}");
  }

  void write_process(const ExportedProcess& process, const ExportedMember& member, const std::string& share) {
    to_.line("  mean += (" + c_number(member.centre) + " + " + c_number(member.unit) + " * taut_process(z, " +
             to_.array("float", process.rows) + ", " + std::to_string(process.heights.size()) + ", " +
             to_.array("double", process.heights) + ", " + to_.array("double", process.scale) + ", " +
             to_.array("double", process.slopes) + ", " + std::to_string(process.slopes.size()) + ", " + c_number(process.level) +
             "))" + share);
    to_.line("  loose += " + c_number(member.unit * process.rounding()) + share);
  }

  void write_networks(const ExportedMember& member, std::size_t width, const std::string& share) {
    std::size_t room = 1;
    for (const auto& layers : member.networks) {
      std::size_t own = width;
      for (const ExportedLayer& layer : layers) own += 3 * static_cast<std::size_t>(layer.outputs);
      room = std::max(room, own);
    }
    to_.line("  double work[" + std::to_string(room) + "], sum = 0.0, off = 0.0;");
    for (const auto& layers : member.networks) {
      std::vector<std::int32_t> sizes = {static_cast<std::int32_t>(layers.front().inputs)};
      std::vector<float> parameters;
      for (const ExportedLayer& layer : layers) {
        sizes.push_back(static_cast<std::int32_t>(layer.outputs));
        parameters.insert(parameters.end(), layer.weights.begin(), layer.weights.end());
        parameters.insert(parameters.end(), layer.bias.begin(), layer.bias.end());
      }
      to_.line("  sum += taut_network(z, " + to_.array("int32_t", sizes) + ", " + std::to_string(layers.size()) + ", " +
               to_.array("float", parameters) + ", work, &off);");
    }
    const std::string count = std::to_string(member.networks.size()) + ".0";
    to_.line("  mean += (" + c_number(member.centre) + " + " + c_number(member.unit) + " * (sum / " + count + "))" + share);
    to_.line("  loose += " + c_number(second_order * member.unit) + " * off / " + count + share);
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

  const Exported& model_;
  CWriter& to_;
};

}  // namespace

void write_c_prediction(const Exported& model, CWriter& to) { CPrediction(model, to).write(); }

}  // namespace taut
