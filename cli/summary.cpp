#include <cli/summary.hpp>

#include <cli/output.hpp>
#include <taut/calibrate/calibration_kind.hpp>
#include <taut/calibrate/rank.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>

#include <algorithm>
#include <cctype>
#include <cstring>

namespace taut {

std::vector<double> usual_levels(const Model& model) {
  std::vector<double> levels = {0.9, 0.95, 0.99};
  const double focus = model.options().focus;
  if (focus > 0 && std::find(levels.begin(), levels.end(), focus) == levels.end()) levels.push_back(focus);
  std::sort(levels.begin(), levels.end());
  return levels;
}

std::vector<std::string> describe_column_notes(const FitRecord& record) {
  std::vector<std::string> lines;
  if (record.columns.empty()) return lines;
  lines.push_back(
      format_text("columns of {} that are not plain numbers (overrule by --numeric, --categorical, --date, --ordered, --drop):",
                  record.source));
  for (const ColumnNote& note : record.columns) lines.push_back("  " + note.column + ": " + note.words);
  return lines;
}

std::string weights_of_calibration(const Model& model) {
  if (kind_of(model) != CalibrationKind::weighted) return "equally in calibration";
  const bool same = find_column(model.prediction_schema(), model.options().sample_weight).has_value();
  return same ? "in calibration" : "by other weights in calibration";
}

std::vector<std::string> describe_weights(const Model& model) {
  std::vector<std::string> lines;
  const FitRecord& record = model.record();
  const FitOptions& options = model.options();
  if (record.skipped_rows > 0) lines.push_back(counted(record.skipped_rows, "row") + " without a target left out");
  if (record.rows_of_weight_0 > 0)
    lines.push_back(
        format_text("{} of weight 0 in '{}' left out", counted(record.rows_of_weight_0, "row"), options.sample_weight));
  if (!options.sample_weight.empty())
    lines.push_back(format_text("rows count by '{}' in training, and {}", options.sample_weight, weights_of_calibration(model)));
  if (!options.exposure.empty())
    lines.push_back(
        format_text("'{}' per '{}' is modelled; rows to predict need '{}'", options.target, options.exposure, options.exposure));
  return lines;
}

std::string describe_rows(const Model& model) {
  const FitRecord& record = model.record();
  std::string words = format_text("{} of {}: ", counted(record.rows, "row"), record.source);
  if (record.predictor_rows > 0) words += "predictor " + print_count(record.predictor_rows) + ", ";
  if (record.transform_rows > 0)  // a transformation was trained
    words += format_text("transformation {}, validation {}, ", print_count(record.transform_rows),
                         print_count(record.validation_rows));
  return words + "calibration " + print_count(model.calibration_rows());
}

std::string sure_promise(double sure, CalibrationKind kind) {
  if (!(sure > 0)) return "";
  const char* where = kind == CalibrationKind::by_group   ? ", in all groups at once"
                      : kind == CalibrationKind::by_label ? ", for all labels at once"
                                                          : "";
  return format_text(
      "  --sure {}: coverage is at least the confidence with this probability over calibration sets{}; 'delivered' is the mean "
      "over "
      "them\n",
      print_number(sure), where);
}

namespace {

// The groups that have too few calibration rows for a level, the smallest first.
std::vector<GroupSize> too_small(const std::vector<GroupSize>& groups, double level, double sure) {
  std::vector<GroupSize> found;
  for (const GroupSize& group : groups)
    if (group.rows < min_calibration_rows(level, sure)) found.push_back(group);
  std::stable_sort(found.begin(), found.end(), [](const GroupSize& a, const GroupSize& b) { return a.rows < b.rows; });
  return found;
}

// Heading of rank / (n + 1). Rows in order are not exchangeable with later rows, so for them it is not a guaranteed coverage.
std::string delivered_heading(const Model& model) {
  return model.options().is_in_order() ? "if exchangeable" : "delivered coverage";
}

double delivered_by(Index rows, double level, double sure) {
  return static_cast<double>(exact_rank(rows, level, sure)) / static_cast<double>(rows + 1);
}

// A table for group-conditional or class-conditional calibration.
std::string groups_table(const Model& model) {
  const std::string one = kind_of(model) == CalibrationKind::by_label ? "label" : "group";
  const auto groups = model.calibration_groups();
  const auto by_rows = [](const GroupSize& a, const GroupSize& b) { return a.rows < b.rows; };
  const auto [minimum, maximum] = std::minmax_element(groups.begin(), groups.end(), by_rows);
  const std::string by = one == "group" ? " by " + model.describe_groups() : "";
  const std::string text =
      format_text("{}  {}{}, {} to {} each\n", sure_promise(model.sure(), kind_of(model)), counted(std::ssize(groups), one), by,
                  print_count(minimum->rows), counted(maximum->rows, "calibration row"));
  TextTable table;
  table.row({"confidence", one + "s served", delivered_heading(model)});
  for (const double level : usual_levels(model)) {
    double low = 1, high = 0;
    const double sure = model.distribution().sure();
    const auto too_few = too_small(groups, level, sure);
    for (const GroupSize& group : groups) {
      if (group.rows < min_calibration_rows(level, sure)) continue;
      low = std::min(low, delivered_by(group.rows, level, sure));
      high = std::max(high, delivered_by(group.rows, level, sure));
    }
    const std::string range = low == high ? print_rounded(low, 5) : print_rounded(low, 5) + " to " + print_rounded(high, 5);
    table.row({print_number(level), print_count(std::ssize(groups) - std::ssize(too_few)), low > high ? "" : range},
              too_few.empty()
                  ? ""
                  : format_text("the others need {} each", counted(min_calibration_rows(level, sure), "calibration row")));
  }
  return text + table.text();
}

std::string hierarchical_table(const Model& model) {
  const Index groups = std::ssize(model.calibration_groups());
  const std::string text = format_text("  {} values of {} in {}, each counting once\n", print_count(groups),
                                       model.describe_groups(), counted(model.calibration_rows(), "calibration row"));
  TextTable table;
  table.row({"confidence", delivered_heading(model)});
  for (const double level : usual_levels(model))
    if (exact_rank(groups, level) > groups)
      table.row({print_number(level), "too few"},
                format_text("needs {} values of {}", print_count(min_calibration_rows(level)), model.describe_groups()));
    else
      table.row({print_number(level), "at least " + print_number(level)});
  return text + table.text();
}

std::string plain_table(const Model& model) {
  const ScoreDistribution& distribution = model.distribution();
  TextTable table;
  table.row({"confidence", "rank of " + print_count(distribution.rows()), delivered_heading(model)});
  for (const double level : usual_levels(model)) {
    const Index rank = distribution.rank(level);
    if (rank > distribution.rows())
      table.row({print_number(level), "too few", ""},
                "needs " + counted(min_calibration_rows(level, distribution.sure()), "calibration row"));
    else
      table.row({print_number(level), print_count(rank), print_rounded(distribution.delivered(level), 5)});
  }
  return sure_promise(model.sure(), CalibrationKind::plain) + table.text();
}

std::string held_out_table(const Model& model) {
  const Index rows = model.calibration_rows(), models = model.models_held_out();
  const std::string text = format_text("  {}, each calibrated on the part of the {} rows that it has not seen\n",
                                       counted(models, "model"), print_count(rows));
  TextTable table;
  table.row({"confidence", "coverage as a rule", "at worst"});
  for (const double level : usual_levels(model))
    if (exact_rank(rows, level) > rows)
      table.row({print_number(level), "too few", ""}, "needs " + counted(min_calibration_rows(level), "row"));
    else
      table.row({print_number(level), "about " + print_number(level), print_rounded(model.worst_coverage(level), 5)});
  return text + table.text();
}

}  // namespace

std::string describe_calibration(const Model& model) {
  std::string text, in_order;
  if (model.options().is_in_order()) in_order = "  " + std::string(note_on_rows_in_order) + "\n";
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
  const std::string words = model.describe_groups();
  const CalibrationKind kind = kind_of(model);
  const std::string unbounded = format_text(", where {}; at least ", model.task().describe_unbounded());
  const double sure = model.distribution().sure();
  if (kind == CalibrationKind::by_group && std::ssize(groups) > GroupColumns::many)
    terminal.warn(format_text(
        "--by {} makes {} groups of {}: most are too small to promise anything; take a coarser column, cut a number into "
        "parts ({}:5), or leave --by out and look at 'taut evaluate --by'",
        words, print_count(std::ssize(groups)), counted(model.calibration_rows(), "calibration row"),
        split_text(words, ',').front()));
  for (const double level : levels) {
    const Index minimum = min_calibration_rows(level, sure);
    if ((kind == CalibrationKind::plain || kind == CalibrationKind::held_out) && model.calibration_rows() < minimum)
      terminal.warn(format_text("{} are too few for confidence {}{}{}{} are needed",
                                counted(model.calibration_rows(), "calibration row"), print_number(level), describe_sure(sure),
                                unbounded, print_count(minimum)));
    if (kind == CalibrationKind::hierarchical && std::ssize(groups) < min_calibration_rows(level))
      terminal.warn(format_text("{} values of {} among the calibration rows are too few for confidence {}{}{} are needed",
                                print_count(std::ssize(groups)), words, print_number(level), unbounded,
                                print_count(min_calibration_rows(level))));
    const auto too_few = too_small(groups, level, sure);
    if (too_few.empty() || (kind != CalibrationKind::by_group && kind != CalibrationKind::by_label)) continue;
    constexpr std::size_t maximum = 5;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(maximum, too_few.size()); ++i)
      names.push_back(too_few[i].name + " (" + print_count(too_few[i].rows) + ")");
    terminal.warn(format_text("{} of {} {} too few calibration rows for confidence {}{}{}{} are needed: {}{}",
                              print_count(std::ssize(too_few)),
                              counted(std::ssize(groups), kind == CalibrationKind::by_label ? "label" : "group"),
                              too_few.size() == 1 ? "has" : "have", print_number(level), describe_sure(model.sure()),
                              kind == CalibrationKind::by_label ? ", and every set there holds them; at least " : unbounded,
                              print_count(minimum), join(names, ", "), too_few.size() > maximum ? ", ..." : ""));
  }
}

std::string describe_result(const Model& model) {
  const FitOptions& options = model.options();
  const auto columns = counted(std::ssize(model.input_schema()), "column");
  const std::size_t exposures = options.exposure.empty() ? 0 : 1;  // not predictions, although new rows need them too
  const bool is_given = options.has_given_predictions() || model.task().given_columns().size() > exposures;
  const std::string quality = model.describe_out_of_fold(), values = model.describe_target(8);
  return format_text("{}{} from {} of {}{}", options.target, values.empty() ? "" : format_text(" ({})", values),
                     is_given ? "given predictions and " + columns : columns, counted(model.record().rows, "row"),
                     quality.empty() ? "" : "; " + quality);
}

std::string count_column_kinds(const FitRecord& record) {
  constexpr std::size_t max_names = 5;
  std::vector<std::pair<std::string, Index>> kinds;
  std::vector<std::string> left_out;
  for (const ColumnNote& note : record.columns) {
    if (note.taken_for == "target") continue;
    if (note.is_left_out) {
      left_out.push_back(note.column);
      continue;
    }
    const auto known =
        std::find_if(kinds.begin(), kinds.end(), [&note](const auto& kind) { return kind.first == note.taken_for; });
    if (known == kinds.end())
      kinds.emplace_back(note.taken_for, 1);
    else
      ++known->second;
  }
  std::vector<std::string> parts;
  for (const auto& [kind, count] : kinds) {
    const bool ends_in_y = kind.ends_with('y') && count > 1;
    parts.push_back(ends_in_y ? format_text("{} {}ies", print_count(count), kind.substr(0, kind.size() - 1))
                              : counted(count, kind));
  }
  if (!left_out.empty()) {
    const auto shown = std::span(left_out).first(std::min(max_names, left_out.size()));
    parts.push_back(format_text("{} left out ({}{})", print_count(std::ssize(left_out)), join(shown, ", "),
                                shown.size() < left_out.size() ? ", ..." : ""));
  }
  return join(parts, ", ");
}

namespace {

// A word of a command line that a shell reads as it is meant.
std::string shell_word(const std::string& text) {
  const auto is_plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::strchr("._-/+:,@%", c); };
  if (!text.empty() && std::all_of(text.begin(), text.end(), is_plain)) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

std::string command_for_details(const Model& model, const std::string& data, const std::string& output) {
  if (data == "-") return "taut info " + shell_word(output);
  return format_text("taut look {} --target {}", shell_word(data), shell_word(model.options().target));
}

}  // namespace

void summarise_fit(const Model& model, const std::string& data, const std::string& output, Detail detail, Terminal& terminal) {
  const FitRecord& record = model.record();
  if (detail == Detail::verbose) {
    for (const auto& line : describe_weights(model)) terminal.say(line);
    for (const auto& line : describe_column_notes(record)) terminal.say(line);
    terminal.say(output + ": " + model.describe_parts());
    const std::string target = model.describe_target(8);
    terminal.print((target.empty() ? "" : format_text("  target '{}', {}\n", model.options().target, target)) + "  " +
                   describe_rows(model) + "\n");
  }
  if (detail != Detail::quiet) {
    terminal.say(output + ": " + describe_result(model));
    if (detail == Detail::usual) {
      for (const auto& line : describe_weights(model)) terminal.say(line);
      if (const auto kinds = count_column_kinds(record); !kinds.empty())
        terminal.say(format_text("columns: {}; details: {}", kinds, command_for_details(model, data, output)));
    }
    terminal.print(describe_calibration(model));
  }
  warn_of_too_few_rows(model, usual_levels(model), terminal);
}

}  // namespace taut
