#include <taut/model/fact_reader.hpp>

#include <taut/calibrate/rank.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/guard/drift/population_ratio.hpp>
#include <taut/plan/columns.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

using Fact = Calibration::Fact;

// At least 200 rows, enough for a level of 0.99, and a tenth of a large calibration set.
Index neighbours_by_default(Index rows) { return std::max<Index>(200, rows / 10); }

void check_weight(double weight, const TableView& table, Index row, Index column) {
  if (weight >= 0 && std::isfinite(weight)) return;
  throw Error(
      format_text("{}: a weight must be a finite number that is not negative, found {}; a weight says how much likelier "
                  "such a row is among the rows to predict than among the calibration rows",
                  table.where(row, column), print_number(weight)));
}

void add_weight_notes(std::span<const double> weights, FactReader::Learnt& learnt) {
  double largest = 0, sum = 0;  // the sum of weights is divided by the largest weight, because it may overflow
  for (const double weight : weights) largest = std::max(largest, weight);
  for (const double weight : weights) sum += largest > 0 ? weight / largest : 0;
  const auto rows = std::ssize(weights);
  learnt.notes.push_back(format_text("by their weights, the {} have an effective sample size of {}",
                                     counted(rows, "calibration row"), print_count(std::llround(effective_rows(weights)))));
  if (sum >= 2 || rows < 2) return;
  learnt.alarms.push_back({AlarmKind::weights,
                           format_text("one calibration row has {} % of all weight: intervals depend on it alone; see whether "
                                       "its weight is right, or calibrate with more rows of the kind to be predicted",
                                       print_rounded(100 / sum, 3)),
                           "",
                           {},
                           {{"share", 1 / sum}, {"effective_rows", effective_rows(weights)}}});
}

// An input such as "age:5" is cut at quantiles of rows that did not calibrate. If every row of the fit calibrated, there are no
// such rows, and all rows would silently be one group.
void refuse_cuts_without_rows(const std::vector<std::string>& specifications, const std::string& option, const GroupedRows& rows,
                              const FactReader::Source& source) {
  if (!source.cut_rows.rows.empty()) return;
  for (const auto& specification : specifications) {
    const auto colon = specification.rfind(':');
    if (colon == std::string::npos || specification.find('/', colon) != std::string::npos ||
        !parse_number(specification.substr(colon + 1)) || find_column(rows.table.columns(), specification))
      continue;
    const std::string name = specification.substr(0, colon);
    // No input: the calibration rows cut the column, and note_cuts() says so.
    if (!find_column(source.schema, name) && find_column(rows.table.columns(), name)) continue;
    throw Error(
        format_text("{} {}: the model has no training rows whose quantiles could be cut points, because every row of its "
                    "fit calibrated; name cut points, such as {}:18/40/65, or fit it with --split cross",
                    option, specification, name));
  }
}

}  // namespace

std::vector<CalibrationOptions::Asked> CalibrationOptions::asked() const {
  std::vector<Asked> all;
  const auto add = [&](bool is_given, const char* option, CalibrationKind kind) {
    if (is_given) all.push_back({option, kind});
  };
  add(plain, "--plain", CalibrationKind::plain);
  add(!by.empty(), "--by", CalibrationKind::by_group);
  add(!weights.empty(), "--weights", CalibrationKind::weighted);
  add(towards.has_value(), "--towards", CalibrationKind::towards);
  add(local.has_value(), "--local", CalibrationKind::local);
  add(!keep_together.empty(), "--keep-together", CalibrationKind::hierarchical);
  add(!overlapping.empty(), "--overlapping", CalibrationKind::overlapping);
  return all;
}

std::string CalibrationOptions::given() const {
  const auto all = asked();
  return all.empty() ? "" : all.front().option;
}

std::optional<CalibrationKind> CalibrationOptions::kind() const {
  const auto all = asked();
  return all.empty() ? std::nullopt : std::optional(all.front().kind);
}

bool CalibrationOptions::reads_further_columns(CalibrationKind so_far) const {
  const CalibrationKind next = kind().value_or(so_far);
  return next == CalibrationKind::by_group || next == CalibrationKind::hierarchical || next == CalibrationKind::overlapping ||
         kind() == CalibrationKind::weighted;
}

void check_sure_of_kind(double sure, const std::string& name, bool pools) {
  const CalibrationKind kind = calibration_kind(name);
  if (!(sure > 0) || ((kind == CalibrationKind::plain || kind == CalibrationKind::by_group) && !pools)) return;
  throw UsageError(format_text(
      "--sure is for calibration rows of equal weight, all of them or those of a group (--by); for the calibration '{}' there "
      "is no exact statement about one calibration set: leave it out, or give --sure 0",
      pools ? "--other-groups pool" : name));
}

void CalibrationOptions::check() const {
  if (sure) check_sure(*sure);
  std::vector<std::string> all;
  for (const Asked& one : asked()) all.push_back(one.option);
  if (all.size() > 1)
    throw UsageError(join(all, " and ") + " exclude each other: each says which calibration rows count for a new row; give one");
  if (by_label.value_or(false) && !all.empty())
    throw UsageError(format_text("--by-label and {} exclude each other; give one", all.front()));
  if (other_groups != "whole-line" && other_groups != "pool")
    throw UsageError(unknown_name("value of --other-groups", other_groups, std::vector<std::string>{"whole-line", "pool"}));
  if (local_in != "prediction" && local_in != "inputs")
    throw UsageError(unknown_name("value of --local-in", local_in, std::vector<std::string>{"prediction", "inputs"}));
  if (pools_others() && by.empty())
    throw UsageError("--other-groups says what groups without calibration rows get; it goes with --by, which is not given");
  if (local_in == "inputs" && !local)
    throw UsageError("--local-in says where rows are near one another; it goes with --local, which is not given");
  if (local && (*local < 0 || *local == 1))
    throw UsageError("--local takes how many calibration rows are to count for a new row, at least 2; got " +
                     std::to_string(*local));
}

void CalibrationOptions::check_target(const std::string& target) const {
  refuse_target(by, "--by", target);
  refuse_target(overlapping, "--overlapping", target);
  refuse_target({keep_together}, "--keep-together", target);
  if (weights == target)
    throw UsageError(
        format_text("--weights names the target '{}', which new rows do not have; name a column of weights", target));
}

std::vector<Column> FactReader::columns_to_predict() const {
  std::vector<Column> columns;
  if (is_by_group()) {
    columns = groups_.further_columns();
    add_columns(columns, groups_.value_columns());
  }
  if (kind_ == CalibrationKind::overlapping) {
    columns = functions_.further_columns();
    add_columns(columns, functions_.value_columns());
  }
  if (kind_ == CalibrationKind::weighted) columns = {weight_};
  return columns;
}

std::vector<Column> FactReader::columns_to_calibrate() const {
  return counts_groups() ? groups_.further_columns() : columns_to_predict();
}

void FactReader::choose_groups(const CalibrationOptions& options, const GroupedRows& rows, const Source& source, Learnt& learnt) {
  const bool whole = counts_groups();
  const std::string option = options.given();
  if (!whole) refuse_cuts_without_rows(options.by, option, rows, source);
  groups_ = GroupColumns(whole ? std::vector{options.keep_together} : options.by, option, rows, source.schema, source.cut_rows);
  settings_.pool_others = options.pools_others();
  note_cuts(groups_.further_cut_columns(), source, learnt);
}

void FactReader::note_cuts(const std::vector<std::string>& columns, const Source& source, Learnt& learnt) const {
  for (const auto& name : columns)
    if (!find_column(source.cut_rows.table.columns(), name))
      learnt.notes.push_back(
          format_text("the column '{}' is no input of the model, so its cut points are quantiles of the calibration rows: the "
                      "groups may then differ by one row at each cut point; cut points that you name, such as {}:18/40/65, keep "
                      "the guarantee exact",
                      name, name));
}

void FactReader::choose_neighbours(const CalibrationOptions& options, const GroupedRows&, const Source& source, Learnt&) {
  if (!source.training.is_known())
    throw Error(
        "--local: the model has no training rows, which set the size of neighbourhoods; calibration rows must not set it: its "
        "file is older than neighbourhoods, or every row of its fit calibrated; fit it anew, with --split cross in the second "
        "case");
  neighbourhood_ = Neighbourhood(options.local_in == "inputs" ? Neighbourhood::In::inputs : Neighbourhood::In::outputs,
                                 source.training, source.schema);
  wanted_neighbours_ = *options.local;
}

void FactReader::choose(const CalibrationOptions& options, const GroupedRows& rows, const Source& source, Learnt& learnt) {
  options.check();
  const auto asked = options.kind();
  if (!asked && kind_ == CalibrationKind::towards)
    throw UsageError(
        "this model was calibrated towards another population: name its rows again, --towards NEW.csv, or let all rows count "
        "alike, --plain");
  if (!asked) return;
  *this = {};
  kind_ = *asked;
  if (has_groups()) choose_groups(options, rows, source, learnt);
  if (is(CalibrationKind::local)) choose_neighbours(options, rows, source, learnt);
  if (is(CalibrationKind::overlapping)) {
    refuse_cuts_without_rows(options.overlapping, options.given(), rows, source);
    functions_ = FunctionClass(options.overlapping, options.given(), rows, source.schema, source.cut_rows);
    note_cuts(functions_.further_cut_columns(), source, learnt);
  }
  if (is(CalibrationKind::weighted)) {
    weight_ = {.name = options.weights, .is_strict = true};
    rows.table.require(options.weights);
  }
}

FactReader::Learnt FactReader::learn(const CalibrationOptions& options, const GroupedRows& rows, const Source& source,
                                     const Matrix& outputs_of_others) {
  Learnt learnt;
  choose(options, rows, source, learnt);
  settings_.seed = source.seed;
  const auto count = std::ssize(rows.rows);
  if (counts_groups()) {
    const std::string whole = groups_.describe(), cut = whole.substr(0, whole.rfind(':'));
    for (const auto& name : {whole, cut})
      if (find_column(rows.table.columns(), name)) {
        require_ids(rows.table, name, rows.rows);
        break;
      }
  }
  if (has_groups()) {
    groups_.find_groups(rows);
    settings_.groups = groups_.groups();
    learnt.facts.groups = groups_.groups_of(rows);
  } else if (kind_ == CalibrationKind::overlapping) {
    functions_.find_values(rows);
    learnt.facts.points = functions_.values(rows);
    learnt.notes.push_back(format_text("the guarantee holds for each of {} groups or functions of {} at once",
                                       print_count(functions_.functions()), functions_.describe()));
  } else if (kind_ == CalibrationKind::weighted) {
    learnt.facts.weights = weights_of(rows);
    if (std::none_of(learnt.facts.weights.begin(), learnt.facts.weights.end(), [](double weight) { return weight > 0; }))
      throw Error(
          format_text("{}: all weights in '{}' are 0: no calibration row would count", rows.table.source(), weight_.name));
    add_weight_notes(learnt.facts.weights, learnt);
  } else if (kind_ == CalibrationKind::towards) {
    const TableView x = options.towards->matched(source.schema);
    auto found = PopulationRatio::learn(rows.x, rows.rows, rows.outputs, x, outputs_of_others, source.seed, source.threads);
    ratio_ = std::move(found.ratio);
    learnt.facts.weights = std::move(found.weights);
    const std::string& towards = options.towards->source();
    learnt.notes.push_back(
        format_text("weights towards {} of {} are learnt, so coverage there is as good as they are; {} "
                    "clipped, at {}",
                    counted(x.rows(), "row"), towards,
                    found.clipped == 0   ? "none was"
                    : found.clipped == 1 ? "1 calibration row was"
                                         : counted(found.clipped, "calibration row") + " were",
                    print_rounded(ratio_.limit(), 3)));
    add_weight_notes(learnt.facts.weights, learnt);
    learnt.notes.push_back(
        format_text("a classifier ranks a row of {} above a calibration row with probability {} (0.5: no "
                    "difference, 1: nothing in common)",
                    towards, print_rounded(found.separation, 3)));
    const WeightImbalance left = weight_imbalance(rows.x, rows.rows, rows.outputs, learnt.facts.weights, x, outputs_of_others,
                                                  source.seed + 1, source.threads);
    learnt.notes.push_back(
        format_text("on held-out rows the weighted calibration rows and the rows of {} still differ by {} of "
                    "their weight, where chance alone makes {}: an estimate of how far coverage there may be "
                    "off because the weights are learnt",
                    towards, print_rounded(left.found, 2), print_rounded(left.by_chance, 2)));
    learnt.separation = found.separation;
  } else if (kind_ == CalibrationKind::local) {
    const Index wanted = wanted_neighbours_ > 0 ? wanted_neighbours_ : neighbours_by_default(count);
    settings_.reaches = neighbourhood_.reaches(source.training, source.schema, count, wanted, source.seed);
    learnt.facts.points = neighbourhood_.points(rows);
    const std::string all = counted(count, "calibration row");
    learnt.notes.push_back(wanted >= count
                               ? format_text("all {} count for every row: {} neighbours were wanted", all, print_count(wanted))
                               : format_text("about {} of the {} count for a row: those near it", print_count(wanted), all));
  }
  return learnt;
}

std::vector<double> FactReader::weights_of(const GroupedRows& rows) const {
  const auto weights = numbers_of(rows.table, weight_, rows.rows, "weight");
  const Index column = rows.table.require(weight_.name);
  for (std::size_t i = 0; i < weights.size(); ++i) check_weight(weights[i], rows.table, rows.rows[i], column);
  return weights;
}

RowFacts FactReader::facts(const GroupedRows& rows, int threads, UnseenGroups* unseen) const {
  RowFacts facts;
  if (is_by_group()) facts.groups = groups_.groups_of(rows, unseen);
  if (kind_ == CalibrationKind::weighted) facts.weights = weights_of(rows);
  if (kind_ == CalibrationKind::towards) facts.weights = ratio_(rows.x, rows.rows, rows.outputs, threads);
  if (kind_ == CalibrationKind::local) facts.points = neighbourhood_.points(rows);
  if (kind_ == CalibrationKind::overlapping) facts.points = functions_.values(rows, unseen);
  return facts;
}

void FactReader::save(Archive archive, const RowFacts& facts) const {
  archive.put("kind", kind());
  if (has_groups()) {
    groups_.save(archive.scope("groups"));
    archive.put("pool_others", static_cast<std::int64_t>(settings_.pool_others));
    archive.put("row_groups", std::vector<std::int64_t>(facts.groups.begin(), facts.groups.end()));
  }
  if (kind_ == CalibrationKind::weighted) archive.put("weight_column", weight_.name);
  if (kind_ == CalibrationKind::towards) ratio_.save(archive.scope("ratio"));
  if (has_weights()) archive.put("row_weights", facts.weights);
  if (kind_ == CalibrationKind::overlapping) functions_.save(archive.scope("functions"));
  if (has_points()) archive.put("row_points", facts.points);
  if (kind_ != CalibrationKind::local) return;
  neighbourhood_.save(archive.scope("neighbourhood"));
  archive.put("reaches", settings_.reaches);
  archive.put("wanted_neighbours", static_cast<std::int64_t>(wanted_neighbours_));
}

FactReader FactReader::load(const Archive& archive, const std::vector<Column>& known, Index inputs, Index outputs,
                            std::uint64_t seed) {
  FactReader reader;
  reader.kind_ = calibration_kind(archive.text("kind"));
  reader.settings_.seed = seed;
  (void)calibrations().make(reader.kind());  // throws for an unknown kind
  const std::vector<Column> schema(known.begin(), known.begin() + inputs);
  if (reader.has_groups()) {
    reader.groups_ = GroupColumns::load(archive.scope("groups"), known);
    reader.settings_.groups = reader.groups_.groups();
    reader.settings_.pool_others = archive.integer_in("pool_others", 0, 1) == 1;
  }
  if (reader.kind_ == CalibrationKind::weighted) reader.weight_ = {.name = archive.text("weight_column"), .is_strict = true};
  if (reader.kind_ == CalibrationKind::towards) reader.ratio_ = PopulationRatio::load(archive.scope("ratio"), schema, outputs);
  if (reader.kind_ == CalibrationKind::overlapping) reader.functions_ = FunctionClass::load(archive.scope("functions"), known);
  if (reader.kind_ == CalibrationKind::local) {
    reader.neighbourhood_ = Neighbourhood::load(archive.scope("neighbourhood"), inputs, outputs);
    reader.settings_.reaches = archive.get<std::vector<double>>("reaches");
    reader.wanted_neighbours_ = archive.integer("wanted_neighbours");
    const auto& reaches = reader.settings_.reaches;
    if (std::ssize(reaches) != reader.neighbourhood_.coordinates() ||
        std::any_of(reaches.begin(), reaches.end(), [](double reach) { return !(reach >= 0); }))
      throw Error("the model file's neighbourhoods make no sense: it is damaged");
  }
  return reader;
}

RowFacts FactReader::load_facts(const Archive& archive, Index rows) const {
  const auto require = [](bool holds) {
    if (!holds) throw Error("the model file's calibration rows do not fit together: it is damaged");
  };
  RowFacts facts;
  if (has_groups()) {
    const auto& groups = archive.get<std::vector<std::int64_t>>("row_groups");
    require(std::ssize(groups) == rows);
    const auto is_known = [&](std::int64_t group) { return group >= 0 && group < groups_.groups(); };
    require(std::all_of(groups.begin(), groups.end(), is_known));
    facts.groups.assign(groups.begin(), groups.end());
  }
  if (has_weights()) {
    facts.weights = archive.get<std::vector<double>>("row_weights");
    require(std::ssize(facts.weights) == rows);
    require(std::all_of(facts.weights.begin(), facts.weights.end(), [](double w) { return w >= 0 && std::isfinite(w); }));
  }
  if (has_points()) {
    facts.points = archive.get<Matrix>("row_points");
    const Index columns = kind_ == CalibrationKind::local ? neighbourhood_.coordinates() : functions_.functions();
    require(facts.points.rows() == rows && facts.points.cols() == columns && facts.points.allFinite());
  }
  return facts;
}

}  // namespace taut
