#include <taut/report/set_levels.hpp>

#include <taut/calibrate/calibration_kind.hpp>
#include <taut/task/label/label_task.hpp>
#include <taut/task/label/set_metrics.hpp>
#include <taut/core/text.hpp>
#include <taut/metric/slab.hpp>
#include <taut/report/words.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace taut {

namespace {

constexpr Index most_parts_by_size = 10, most_label_bins = 30;

TableView without_label(const LabelledRows& known, const Matrix& p) {
  TableView features = known.x;
  std::vector<double> top;
  for (Index row = 0; row < p.rows(); ++row) top.push_back(p.row(row).maxCoeff());
  features.add({.name = "largest probability"}, std::move(top));
  return features;
}

TableView with_label(TableView features, const LabelledRows& known, const std::vector<std::string>& labels) {
  Column column{.name = "true label", .kind = ColumnKind::category, .categories = labels};
  column.categories.emplace_back("a label that no training row had");
  features.add(column, std::vector<double>(known.labels.begin(), known.labels.end()));
  return features;
}

// One part for each size; where there are many, neighbours stand together so that each part has a tenth of the rows.
std::vector<WidthBin> parts_by_size(const std::vector<SetLine>& lines, Index rows) {
  const bool many = std::ssize(lines) > most_parts_by_size;
  std::vector<WidthBin> parts;
  for (const SetLine& line : lines) {
    const double size = line.mean_size;
    if (many && !parts.empty() && parts.back().rows * most_parts_by_size < rows) {
      parts.back().high = size;
      parts.back().rows += line.rows;
      parts.back().covered += line.covered;
    } else {
      parts.push_back({size, size, line.rows, line.covered});
    }
  }
  return parts;
}

std::string size_words(const WidthBin& part) {
  if (part.high == 0) return "the set is empty";
  const std::string high = counted(static_cast<Index>(part.high), "label");
  return "the set holds " + (part.low == part.high ? high : print_number(part.low) + " to " + high);
}

Statement size_statement(const LevelReport& report) {
  const double mean = report.metric("mean_size"), single = report.metric("singletons"),
               right = report.metric("correct_singletons"), empty = report.metric("empty");
  std::string text = "Sets hold " + number_text(mean) + " labels on average. " + share_text(single) + " of them hold one label";
  if (single > 0) text += ", which is right in " + share_text(right) + " of these rows";
  return {"Size", text + (empty > 0 ? "; " + share_text(empty) + " are empty." : ".")};
}

AnswerWords words_of_sets() {
  return {
      .one_holds = "has its label in its set",
      .one_misses = "does not have its label in its set",
      .hold = "have their label in their set",
      .things = "sets",
      .smaller = "smaller",
      .larger = "larger",
      .whole = "every set holds every label",
      .more_because = "Groups or labels with few calibration rows, and steps between equal scores, can only raise the coverage"};
}

}  // namespace

SetTestRows::SetTestRows(const Classifier& of_model, const TableView& test, const ExecutionContext& context)
    : model(of_model),
      known(of_model, test, context.threads),
      p(of_model.probabilities(known.table, context)),
      features(with_label(without_label(known, p), known, of_model.labels())),
      search(without_label(known, p), static_cast<std::uint64_t>(of_model.options().seed)),
      alarms(of_model.alarms_of_rows(known.table, context)),
      chance(known.chance(of_model, context.threads)) {}

DrawnColumns SetTestRows::columns(std::span<const double> sizes, Index most) const {
  DrawnColumns drawn = columns_to_draw(without_label(known, p), sizes, most);
  drawn.columns.insert(drawn.columns.begin() + 1, column_of_label());
  drawn.bins.insert(drawn.bins.begin() + 1, bins_along(features, column_of_label(), most_label_bins));
  return drawn;
}

std::vector<Index> frequent_labels(const SetTestRows& rows, std::size_t most) {
  std::vector<Index> count(rows.model.labels().size()), order(count.size());
  for (const Index label : rows.known.labels)
    if (label < std::ssize(count)) ++count[static_cast<std::size_t>(label)];
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return count[static_cast<std::size_t>(a)] > count[static_cast<std::size_t>(b)]; });
  order.resize(std::min(most, order.size()));
  std::sort(order.begin(), order.end());
  return order;
}

SetSummarizer::SetSummarizer(const SetTestRows& rows, const DrawnColumns& drawn, std::vector<Index> labels,
                             const ExecutionContext& context)
    : rows_(rows), drawn_(drawn), labels_(std::move(labels)), context_(context) {}

Index SetSummarizer::groups() const {
  return drawn_.groups() + most_parts_by_size + static_cast<Index>(RegionSearch::most_regions) + 1;  // and the worst slab
}

SetSummary SetSummarizer::summarize(const PredictedSets& sets, std::size_t at, Effort effort) const {
  const Classifier& model = rows_.model;
  const Law& law = model.law();
  const double level = sets.levels[at];
  const bool plain = kind_of(model) == CalibrationKind::plain, all = effort == Effort::all_metrics;
  const auto seed = static_cast<std::uint64_t>(model.options().seed);
  const Inputs inputs(rows_.known.inputs);
  const Inputs* const x = inputs.cols() > 0 ? &inputs : nullptr;
  const JudgedSets judged{sets,
                          at,
                          rows_.known.labels,
                          all ? x : nullptr,
                          law.rows(),
                          plain ? law.rank(level) : 0,
                          plain ? law.last_rank(level) : 0,
                          seed,
                          context_.threads,
                          plain ? std::nullopt : std::optional(rows_.chance.at(level).band())};
  std::vector<std::uint8_t> covered(static_cast<std::size_t>(rows_.rows()));
  for (Index row = 0; row < rows_.rows(); ++row) covered[static_cast<std::size_t>(row)] = judged.covered(row) ? 1 : 0;

  const bool in_order = rows_.model.options().is_in_order();
  const double delivered = in_order ? missing : plain ? law.delivered(level) : level;
  std::vector<CoverageStratum> strata;
  if (!plain) strata = rows_.chance.strata(level, all_rows(rows_.rows()));
  SetSummary result{.level = {.report = {level, plain ? law.rank(level) : 0, delivered, set_metrics(judged)},
                              .expected = ExpectedRanges(law, level, rows_.rows(), groups(), strata),
                              .covered = std::accumulate(covered.begin(), covered.end(), Index{0})},
                    .by_label = {},
                    .held = {}};
  LevelSummary& summary = result.level;
  summary.groups.by_width = parts_by_size(lines_by_size(judged), rows_.rows());
  for (const Bins& bins : drawn_.bins) summary.groups.covered.push_back(bins.count(covered));
  summary.groups.regions = rows_.search.find(covered, level, summary.expected);
  if (all && x != nullptr && rows_.rows() >= 2) {
    const HeldOutSlab slab = held_out_worst_slab(inputs, covered, 0.1, 1000, seed, context_.threads);
    if (slab.rows > 0 && std::isfinite(slab.slab.low))
      summary.groups.slab =
          slab_in_words(rows_.features, rows_.known.inputs, rows_.known.columns_of_inputs, slab, covered, summary.expected);
  }
  std::vector<WeakGroup> by_size;
  for (const WidthBin& part : summary.groups.by_width) by_size.push_back({size_words(part), part.rows, part.covered});
  summary.failures = list_failures(summary.groups, drawn_, summary.expected, by_size);

  const auto lines = lines_by_label(judged, model.labels());
  const Matrix shares = set_confusion(judged);
  result.held = Matrix::Zero(std::ssize(labels_), std::ssize(labels_));
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    const SetLine& line = result.by_label.emplace_back(lines[static_cast<std::size_t>(labels_[i])]);
    for (std::size_t k = 0; k < labels_.size() && line.rows > 0; ++k)
      result.held(static_cast<Index>(i), static_cast<Index>(k)) =
          std::round(shares(labels_[i], labels_[k]) * static_cast<double>(line.rows));
  }

  AnswerInputs answers;
  answers.confidence = level;
  answers.rows = rows_.rows();
  answers.covered = summary.covered;
  answers.calibration_rows = law.rows();
  answers.rank = law.rank(level);
  answers.expected = summary.expected.of(rows_.rows());
  answers.most_without_ties = summary.expected.most_without_ties();
  answers.range_restricts = !plain;
  answers.in_order = rows_.model.options().is_in_order();
  answers.is_plain = plain;
  answers.words = words_of_sets();
  answers.size = size_statement(summary.report);
  for (const Alarm& alarm : rows_.alarms) answers.alarms.push_back(alarm.words);
  if (!summary.failures.empty()) answers.weakest = summary.failures.front();
  summary.answer = answer(answers);
  return result;
}

}  // namespace taut
