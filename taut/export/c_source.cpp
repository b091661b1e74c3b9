// Writes a model as C: numbers become arrays, the computation becomes one function with the library's order of roundings.
#include <taut/export/exported.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/core/version.hpp>
#include <taut/data/kinds/kinds.hpp>
#include <taut/export/c_side_text.hpp>
#include <taut/export/c_text.hpp>
#include <taut/export/c_writer.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

class CSource {
 public:
  explicit CSource(const Exported& model) : model_(model) {}

  std::string text(const std::string& function) {
    std::string scales, functions;
    bool has_localization = false, has_quantiles = false, has_foreign = false;
    for (const ExportedTarget& target : model_.targets) {
      const std::string suffix = model_.has_one_target() ? "" : "_" + std::to_string(&target - model_.targets.data());
      write_c_target(target, to_, suffix);
      functions += "\n" + std::string(suffix.empty() ? "" : "/* " + c_comment(target.name) + " */\nstatic ") + "void " +
                   (suffix.empty() ? function : "taut_target" + suffix) + "(const double* cells, double* out) {\n" +
                   to_.take_body() + "}\n";
      scales += c_functions_of_scale(target.score_scale, suffix);
      has_localization = has_localization || target.localization;
      has_quantiles = has_quantiles || target.quantiles;
      has_foreign = has_foreign || target.foreign != nullptr;
    }
    return head(function) + c_helpers + (model_.has_one_target() ? "" : c_side_helpers) + scales +
           (!has_localization ? "" : c_scale_helpers) + (has_quantiles ? c_curve_helpers : "") +
           (has_foreign ? c_foreign_helpers : "") + smooth_helpers() + step_and_date_helpers() + "\n" + to_.data() + functions +
           call_of_targets(function);
  }

 private:
  std::size_t results() const { return 1 + 2 * model_.levels.size(); }  // of each target

  std::string call_of_targets(const std::string& function) const {
    if (model_.has_one_target()) return "";
    std::string text = "\nvoid " + function + "(const double* cells, double* out) {\n";
    for (std::size_t j = 0; j < model_.targets.size(); ++j)
      text += "  taut_target_" + std::to_string(j) + "(cells, out + " + std::to_string(j * results()) + ");\n";
    return text + "}\n";
  }

  std::string smooth_helpers() const {
    if (!model_.has_slack()) return "";
    bool has_process = false, has_network = false;
    for (const ExportedTarget& target : model_.targets)
      for (const ExportedPart& part : target.parts) {
        has_process = has_process || part.has<DescribedProcess>();
        has_network = has_network || part.has<DescribedNetworks>();
      }
    return std::string(c_smooth_helpers) + (has_process ? c_process_helpers : "") + (has_network ? c_network_helpers : "");
  }

  std::string head(const std::string& function) const {
    std::string text = "/* Made by Taut " + std::string(version) + ": " +
                       (model_.has_one_target() ? model_.description : c_comment(model_.description)) + ".\n *\n";
    text += " * void " + function + "(const double* cells, double* out);\n *\n * cells, NaN where one is missing:\n";
    for (std::size_t c = 0; c < model_.columns.size(); ++c) {
      const Column& column = model_.columns[c];
      text += " *   cells[" + std::to_string(c) + "]  " + c_comment(column.name);
      if (column.is_categorical()) text += ": " + describe_categories(column);
      if (column.kind == ColumnKind::boolean) text += ": 1 or 0";
      if (column.kind == ColumnKind::date) text += ": seconds since 1970-01-01, UTC";
      text += "\n";
    }
    text += " * out:\n";
    for (std::size_t j = 0; j < model_.targets.size(); ++j) text += results_of(j);
    if (!model_.has_one_target())
      text +=
          " * The intervals of one confidence hold all targets at once. An end may lie on the other side of f; it is then moved\n"
          " * outward by about 1e-10 of its distance from f, and all others have the bits of 'taut predict' as said below.\n";
    if (const double step = model_.targets.front().y_step; step > 0)
      text += " * Ends are not moved inward to multiples of " + print_number(step) +
              ": they hold every one that those of 'taut predict' hold.\n";
    if (any_target([](const ExportedTarget& one) { return one.localization && !one.has_scale(); }))
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

  template <class Test>
  bool any_target(Test test) const {
    return std::any_of(model_.targets.begin(), model_.targets.end(), test);
  }

  std::string results_of(std::size_t target) const {
    const std::size_t first = target * results();
    const std::string name = model_.has_one_target() ? "" : " of " + c_comment(model_.targets[target].name);
    const auto out = [&](std::size_t place) { return "out[" + std::to_string(first + place) + "]"; };
    std::string text = " *   " + out(0) + "  f(x), the prediction" + name + "\n";
    for (std::size_t i = 0; i < model_.level_texts.size(); ++i)
      text += " *   " + out(2 * i + 1) + ", " + out(2 * i + 2) + "  ends of the interval" + name + " at confidence " +
              model_.level_texts[i] + "; both NaN where it is empty\n";
    return text;
  }

  std::string step_and_date_helpers() const {
    const bool has_dates = std::any_of(model_.columns.begin(), model_.columns.end(),
                                       [](const Column& column) { return column.kind == ColumnKind::date; });
    return std::string(has_dates ? c_date_helpers : "") +
           (model_.has_one_target() && model_.targets.front().y_step > 0 ? c_step_helpers : "");
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
