#include <taut/report/several_page.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/plan/columns.hpp>
#include <taut/report/document.hpp>
#include <taut/report/json.hpp>
#include <taut/task/several/joint_answers.hpp>
#include <taut/task/several/several_evaluation.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

constexpr std::array shown_levels = {0.5, 0.6, 0.7, 0.8, 0.9, 0.95};
constexpr Index max_pairs_shown = 6, max_points = 400;
// Rows whose regions are drawn, by the share of rows with smaller regions.
constexpr std::array shown_rows = {std::pair{0.1, "a small region"}, std::pair{0.5, "a region of median volume"},
                                   std::pair{0.9, "a large region"}};

void refuse_options(const ReportOptions& options) {
  const auto refuse = [](const std::string& option) {
    throw UsageError(format_text("{}: the report on several targets has no such chart; leave it out", option));
  };
  if (options.in_order) refuse("--in-order");
  if (options.learning_curve) refuse("--learning-curve");
  if (!options.unit.empty()) refuse("--unit");
}

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json series_of(const std::string& name, const std::vector<std::pair<double, double>>& points) {
  Json list = Json::array();
  for (const auto& [x, y] : points)
    if (std::isfinite(x) && std::isfinite(y)) list.push_back({x, y});
  return {{"name", name}, {"points", list}};
}

Json chart_of_coverage(const SeveralEvaluation& evaluation) {
  Json all = Json::array();
  for (const LevelReport& level : evaluation.levels)
    all.push_back({level.confidence, level.metric("coverage"), level.metric("coverage_low"), level.metric("coverage_high")});
  Json series = Json::array({{{"name", "all targets at once; the whisker is what chance explains"}, {"points", all}}});
  for (const TargetCoverage& one : evaluation.targets) {
    std::vector<std::pair<double, double>> points;
    for (std::size_t i = 0; i < one.in_box.size(); ++i) points.emplace_back(evaluation.levels[i].confidence, one.in_box[i]);
    series.push_back(series_of(one.target + ", in the box around the region", points));
  }
  return {{"title", "Coverage"},
          {"words",
           "The share of rows with all targets in their region should be the confidence. Each target alone is covered more "
           "often."},
          {"x", "confidence"},
          {"y", "share of rows"},
          {"kind", "dots"},
          {"series", series}};
}

Json table_of_levels(const SeveralEvaluation& evaluation) {
  Json head = Json::array({"confidence", "coverage", "mean side", "mean volume", "L1-ERT"}), rows = Json::array();
  for (const LevelReport& level : evaluation.levels)
    rows.push_back({number(level.confidence), number(level.metric("coverage")), number(level.metric("side")),
                    number(level.metric("mean_volume")), number(level.metric("ert"))});
  return {{"title", "Regions; the side is volume^(1/targets)"}, {"head", head}, {"rows", rows}};
}

Json table_of_targets(const SeveralEvaluation& evaluation) {
  Json head = Json::array({"target"}), rows = Json::array();
  for (const LevelReport& level : evaluation.levels) head.push_back("alone at " + print_number(level.confidence));
  for (const TargetCoverage& one : evaluation.targets) {
    Json row = Json::array({one.target});
    for (const double share : one.alone) row.push_back(number(share));
    rows.push_back(row);
  }
  return {{"title", "Coverage of each target by its own interval (--each)"}, {"head", head}, {"rows", rows}};
}

// Random values of the joint distribution at one row, inside and outside of its region, and the row's own targets.
class RegionPictures {
 public:
  // `rows`: those that have all targets.
  RegionPictures(const Model& model, const TableView& test, const Rows& rows, double confidence, const ExecutionContext& context)
      : parts_(model.parts()),
        task_(several_task(parts_)),
        y_(parts_.targets(test, rows)),
        rows_(parts_, test, rows, context),
        confidence_(confidence) {
    volumes_.resize(static_cast<std::size_t>(rows_.rows()));
    rows_.for_each_row(std::span(&confidence_, 1),
                       [&](Index row, const JointRow& scores, std::span<const RegionAt* const> regions) {
                         volumes_[static_cast<std::size_t>(row)] = regions[0]->volume(scores);
                       });
  }

  void add_to(Json& charts) const {
    Rows order = all_rows(rows_.rows());
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
      return volumes_[static_cast<std::size_t>(a)] < volumes_[static_cast<std::size_t>(b)];
    });
    Index pairs = 0;
    for (Index j = 0; j < task_.targets_count(); ++j)
      for (Index k = 0; k < j && pairs < max_pairs_shown; ++k, ++pairs)
        for (const auto& [share, words] : shown_rows)
          charts.push_back(picture(order[static_cast<std::size_t>(share * static_cast<double>(order.size() - 1))], words, k, j));
  }

 private:
  Json picture(Index place, const std::string& words, Index first, Index second) const {
    const JointRow row = rows_.at(place);
    const KeptOfGroup kept(parts_.kept, rows_.distributions().group(place), max_points);
    const Matrix values = joint_values(row, kept);
    const double threshold = rows_.distributions()[place].quantile(confidence_);
    std::vector<std::pair<double, double>> inside, outside, own, box;
    for (Index i = 0; i < values.rows(); ++i) {
      const RowTarget y(values.row(i).data(), static_cast<std::size_t>(values.cols()));
      (rows_.seen().score(place, y, 0).score <= threshold ? inside : outside).emplace_back(values(i, first), values(i, second));
    }
    std::vector<Interval> sides(static_cast<std::size_t>(row.count()));
    task_.region->at(threshold, task_.joint)->enclose(row, sides);
    const Interval x = sides[static_cast<std::size_t>(first)], y = sides[static_cast<std::size_t>(second)];
    for (const double one : {x.lower, x.upper})
      for (const double other : {y.lower, y.upper}) box.emplace_back(one, other);
    const RowTarget known = row_target(y_, place, row.count());
    own.emplace_back(known[static_cast<std::size_t>(first)], known[static_cast<std::size_t>(second)]);
    const std::string &name = task_.joint.names[static_cast<std::size_t>(first)],
                      &other = task_.joint.names[static_cast<std::size_t>(second)];
    return {{"title", format_text("{} and {}: {}", name, other, words)},
            {"words",
             format_text("Row {} of the test rows at confidence {}: values of the joint distribution inside of the region and "
                         "outside, and the corners of the box around it.",
                         rows_.seen().rows[static_cast<std::size_t>(place)] + 1, print_number(confidence_))},
            {"x", name},
            {"y", other},
            {"kind", "dots"},
            {"series", Json::array({series_of("inside", inside), series_of("outside", outside),
                                    series_of("corners of the box", box), series_of("the row's targets", own)})}};
  }

  const ModelParts& parts_;
  const SeveralTask& task_;
  std::vector<double> y_;
  JointPredictions rows_;
  double confidence_;
  std::vector<double> volumes_;
};

}  // namespace

std::string several_report(const Model& model, const TableView& test, const ReportOptions& options,
                           const ExecutionContext& context) {
  refuse_options(options);
  std::vector<double> levels(shown_levels.begin(), shown_levels.end());
  if (std::find(levels.begin(), levels.end(), options.confidence) == levels.end()) levels.push_back(options.confidence);
  std::sort(levels.begin(), levels.end());
  const auto evaluation = model.evaluate(test, levels, context, options.by);
  const auto& own = static_cast<const SeveralEvaluation&>(*evaluation);
  const auto at = static_cast<std::size_t>(std::find(levels.begin(), levels.end(), options.confidence) - levels.begin());
  const LevelReport& level = own.levels[at];
  const auto names = several_task(model.parts()).joint.names;
  Json lead = Json::array(
      {format_text("In {} of {} all {} targets ({}) lie in their region at confidence {}; chance explains {} to {}.",
                   print_rounded(level.metric("coverage"), 3), counted(own.rows, "test row"), names.size(), join(names, ", "),
                   print_number(level.confidence), print_rounded(level.metric("coverage_low"), 3),
                   print_rounded(level.metric("coverage_high"), 3)),
       format_text(
           "The regions are of the kind '{}'. Energy score of the joint distribution, in units of each target's spread: {}.",
           own.region, print_rounded(own.energy_score, 4))});
  for (const Alarm& alarm : own.alarms) lead.push_back("Warning: " + alarm.words + ".");
  if (const auto note = several_task(model.parts()).region->note_on_volume(); !note.empty()) lead.push_back(note + ".");
  Json charts = Json::array({chart_of_coverage(own)});
  const TableView table = test.with_missing(model.options().na);
  const Rows usable = usable_rows(table, model.options(), model.targets(), HasTargets::all);
  if (!model.parts().kept.empty()) RegionPictures(model, table, usable, options.confidence, context).add_to(charts);
  Json tables = Json::array({table_of_levels(own), table_of_targets(own)});
  for (const GroupReport& group : own.groups) {
    Json rows = Json::array();
    for (const GroupLine& line : group.lines)
      rows.push_back(
          {line.name, static_cast<double>(line.rows), number(line.coverage()), number(line.band.low), number(line.band.high)});
    if (group.confidence == options.confidence)
      tables.push_back({{"title", format_text("Groups at confidence {}: {}", print_number(group.confidence), group.describe())},
                        {"head", Json::array({"group", "rows", "coverage", "from", "to"})},
                        {"rows", rows}});
  }
  const std::string title = options.title.empty() ? format_text("Joint regions for {}", join(names, ", ")) : options.title;
  return chart_page(title, document_text(Json({{"lead", lead}, {"charts", charts}, {"tables", tables}})));
}

}  // namespace taut
