#include <cli/summary.hpp>

#include <cli/output.hpp>
#include <taut/calibrate/calibration_kind.hpp>
#include <taut/calibrate/rank.hpp>
#include <taut/core/text.hpp>

#include <algorithm>

namespace taut {

std::vector<double> usual_levels(const Model& model) {
  std::vector<double> levels = {0.9, 0.95, 0.99};
  const double focus = model.options().focus;
  if (focus > 0 && std::find(levels.begin(), levels.end(), focus) == levels.end()) levels.push_back(focus);
  std::sort(levels.begin(), levels.end());
  return levels;
}

std::vector<std::string> column_notes_in_words(const FitRecord& record) {
  std::vector<std::string> lines;
  if (record.skipped_rows > 0) lines.push_back(counted(record.skipped_rows, "row") + " without a target left out");
  if (record.columns.empty()) return lines;
  lines.push_back("columns of " + record.source +
                  " that are not plain numbers (overrule by --numeric, --categorical, --date, --ordered, --drop):");
  for (const ColumnNote& note : record.columns) lines.push_back("  " + note.column + ": " + note.words);
  return lines;
}

std::string rows_in_words(const Model& model) {
  const FitRecord& record = model.record();
  std::string words = counted(record.rows, "row") + " of " + record.source + ": ";
  if (record.predictor_rows > 0) words += "predictor " + print_count(record.predictor_rows) + ", ";
  if (record.transform_rows > 0)  // something was trained
    words +=
        "transformation " + print_count(record.transform_rows) + ", validation " + print_count(record.validation_rows) + ", ";
  return words + "calibration " + print_count(model.calibration_rows());
}

std::string sure_promise(double sure, CalibrationKind kind) {
  if (!(sure > 0)) return "";
  return "  --sure " + print_number(sure) + ": coverage is at least the confidence with this probability over calibration sets" +
         (kind == CalibrationKind::by_group   ? ", in all groups at once"
          : kind == CalibrationKind::by_label ? ", for all labels at once"
                                              : "") +
         "; 'delivered' is the mean over them\n";
}

namespace {

// How many of the groups have too few rows for a level, the smallest first.
std::vector<GroupSize> too_small(const std::vector<GroupSize>& groups, double level, double sure) {
  std::vector<GroupSize> found;
  for (const GroupSize& group : groups)
    if (group.rows < least_calibration_rows(level, sure)) found.push_back(group);
  std::stable_sort(found.begin(), found.end(), [](const GroupSize& a, const GroupSize& b) { return a.rows < b.rows; });
  return found;
}

// What the share of a rank is: of rows in order nothing is delivered, because they are not exchangeable with those that follow.
std::string delivered_heading(const Model& model) {
  return model.options().is_in_order() ? "if exchangeable" : "delivered coverage";
}

double delivered_by(Index rows, double level, double sure) {
  return static_cast<double>(exact_rank(rows, level, sure)) / static_cast<double>(rows + 1);
}

// Groups, or labels that have calibration scores of their own.
std::string groups_table(const Model& model) {
  const std::string one = kind_of(model) == CalibrationKind::by_label ? "label" : "group";
  const auto groups = model.calibration_groups();
  const auto by_rows = [](const GroupSize& a, const GroupSize& b) { return a.rows < b.rows; };
  const auto [least, most] = std::minmax_element(groups.begin(), groups.end(), by_rows);
  std::string text = sure_promise(model.sure(), kind_of(model)) + "  " + counted(std::ssize(groups), one) +
                     (one == "group" ? " by " + model.groups_in_words() : "") + ", " + print_count(least->rows) + " to " +
                     counted(most->rows, "calibration row") + " each\n";
  TextTable table;
  table.row({"confidence", one + "s served", delivered_heading(model)});
  for (const double level : usual_levels(model)) {
    double low = 1, high = 0;
    const double sure = model.law().sure();
    const auto too_few = too_small(groups, level, sure);
    for (const GroupSize& group : groups) {
      if (group.rows < least_calibration_rows(level, sure)) continue;
      low = std::min(low, delivered_by(group.rows, level, sure));
      high = std::max(high, delivered_by(group.rows, level, sure));
    }
    const std::string range = low == high ? print_rounded(low, 5) : print_rounded(low, 5) + " to " + print_rounded(high, 5);
    table.row(
        {print_number(level), print_count(std::ssize(groups) - std::ssize(too_few)), low > high ? "" : range},
        too_few.empty() ? "" : "the others need " + counted(least_calibration_rows(level, sure), "calibration row") + " each");
  }
  return text + table.text();
}

std::string hierarchical_table(const Model& model) {
  const Index groups = std::ssize(model.calibration_groups());
  std::string text = "  " + print_count(groups) + " values of " + model.groups_in_words() + " in " +
                     counted(model.calibration_rows(), "calibration row") + ", each counting once\n";
  TextTable table;
  table.row({"confidence", delivered_heading(model)});
  for (const double level : usual_levels(model))
    if (exact_rank(groups, level) > groups)
      table.row({print_number(level), "too few"},
                "needs " + print_count(least_calibration_rows(level)) + " values of " + model.groups_in_words());
    else
      table.row({print_number(level), "at least " + print_number(level)});
  return text + table.text();
}

std::string plain_table(const Model& model) {
  const Law& law = model.law();
  TextTable table;
  table.row({"confidence", "rank of " + print_count(law.rows()), delivered_heading(model)});
  for (const double level : usual_levels(model)) {
    const Index rank = law.rank(level);
    if (rank > law.rows())
      table.row({print_number(level), "too few", ""},
                "needs " + counted(least_calibration_rows(level, law.sure()), "calibration row"));
    else
      table.row({print_number(level), print_count(rank), print_rounded(law.delivered(level), 5)});
  }
  return sure_promise(model.sure(), CalibrationKind::plain) + table.text();
}

std::string held_out_table(const Model& model) {
  const Index rows = model.calibration_rows(), models = model.models_held_out();
  std::string text = "  " + counted(models, "model") + ", each calibrated on the part of the " + print_count(rows) +
                     " rows that it has not seen\n";
  TextTable table;
  table.row({"confidence", "coverage as a rule", "at worst"});
  for (const double level : usual_levels(model))
    if (exact_rank(rows, level) > rows)
      table.row({print_number(level), "too few", ""}, "needs " + counted(least_calibration_rows(level), "row"));
    else
      table.row({print_number(level), "about " + print_number(level), print_rounded(model.worst_coverage(level), 5)});
  return text + table.text();
}

}  // namespace

std::string calibration_in_words(const Model& model) {
  std::string text, in_order;
  if (model.options().is_in_order()) in_order = "  " + std::string(words_of_rows_in_order) + "\n";
  for (const auto& note : model.calibration_notes()) text += "  " + note + "\n";
  if (kind_of(model) == CalibrationKind::plain) return in_order + text + plain_table(model);
  if (kind_of(model) == CalibrationKind::held_out) return in_order + held_out_table(model);
  text = in_order + text;
  const CalibrationKind kind = kind_of(model);
  if (kind == CalibrationKind::by_group || kind == CalibrationKind::by_label) return text + groups_table(model);
  if (kind == CalibrationKind::hierarchical) return text + hierarchical_table(model);
  return text;
}

void warn_of_too_few_rows(const Model& model, std::span<const double> levels, Terminal& terminal) {
  const auto groups = model.calibration_groups();
  const std::string words = model.groups_in_words();
  const CalibrationKind kind = kind_of(model);
  const std::string unbounded = ", where " + model.task().describe_unbounded() + "; at least ";
  const double sure = model.law().sure();
  if (kind == CalibrationKind::by_group && std::ssize(groups) > GroupColumns::many)
    terminal.warn("--by " + words + " makes " + print_count(std::ssize(groups)) + " groups of " +
                  counted(model.calibration_rows(), "calibration row") +
                  ": most are too small to promise anything; take a coarser column, cut a number into parts (" +
                  split_text(words, ',').front() + ":5), or leave --by out and look at 'taut evaluate --by'");
  for (const double level : levels) {
    const Index least = least_calibration_rows(level, sure);
    if ((kind == CalibrationKind::plain || kind == CalibrationKind::held_out) && model.calibration_rows() < least)
      terminal.warn(counted(model.calibration_rows(), "calibration row") + " are too few for confidence " + print_number(level) +
                    sure_in_words(sure) + unbounded + print_count(least) + " are needed");
    if (kind == CalibrationKind::hierarchical && std::ssize(groups) < least_calibration_rows(level))
      terminal.warn(print_count(std::ssize(groups)) + " values of " + words +
                    " among the calibration rows are too few for confidence " + print_number(level) + unbounded +
                    print_count(least_calibration_rows(level)) + " are needed");
    const auto too_few = too_small(groups, level, sure);
    if (too_few.empty() || (kind != CalibrationKind::by_group && kind != CalibrationKind::by_label)) continue;
    constexpr std::size_t most = 5;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(most, too_few.size()); ++i)
      names.push_back(too_few[i].name + " (" + print_count(too_few[i].rows) + ")");
    terminal.warn(print_count(std::ssize(too_few)) + " of " +
                  counted(std::ssize(groups), kind == CalibrationKind::by_label ? "label" : "group") +
                  (too_few.size() == 1 ? " has" : " have") + " too few calibration rows for confidence " + print_number(level) +
                  sure_in_words(model.sure()) +
                  (kind == CalibrationKind::by_label ? ", and every set there holds them; at least " : unbounded) +
                  print_count(least) + " are needed: " + join(names, ", ") + (too_few.size() > most ? ", ..." : ""));
  }
}

void summarise_fit(const Model& model, const std::string& output, Terminal& terminal) {
  for (const auto& line : column_notes_in_words(model.record())) terminal.say(line);
  terminal.say(output + ": " + model.describe_parts());
  const std::string target = model.describe_target(8);
  terminal.print((target.empty() ? "" : "  target '" + model.options().target + "', " + target + "\n") + "  " +
                 rows_in_words(model) + "\n" + calibration_in_words(model));
  warn_of_too_few_rows(model, usual_levels(model), terminal);
}

}  // namespace taut
