// A report on prediction sets: their sizes, the labels they contain, and the probabilities behind them.
#include <taut/core/beta.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/metric/interval.hpp>
#include <taut/report/answer.hpp>
#include <taut/report/document.hpp>
#include <taut/task/label/label_rows.hpp>
#include <taut/task/label/set_metrics.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>

namespace taut {

namespace {

constexpr Index flags_at_once = 200'000'000;  // bytes; one flag says whether a set contains a label
constexpr std::size_t max_labels = 20;        // in charts
constexpr Index max_sizes = 10, max_label_bins = 30;

std::vector<double> largest_of_each_row(const Matrix& p) {
  std::vector<double> top;
  for (Index row = 0; row < p.rows(); ++row) top.push_back(p.row(row).maxCoeff());
  return top;
}

// The most frequent labels of the test rows, in the order of the model.
std::vector<Index> frequent_labels(std::span<const Index> labels, std::size_t known) {
  std::vector<Index> count(known), order(known);
  for (const Index label : labels)
    if (label < std::ssize(count)) ++count[static_cast<std::size_t>(label)];
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return count[static_cast<std::size_t>(a)] > count[static_cast<std::size_t>(b)]; });
  order.resize(std::min(max_labels, order.size()));
  std::sort(order.begin(), order.end());
  return order;
}

Statement size_statement(const LevelSummary& summary) {
  const double single = summary.metric("singletons"), empty = summary.metric("empty"), completed = summary.metric("completed");
  std::string text = format_text("Sets hold {} labels on average. {} of them hold one label",
                                 number_text(summary.metric("mean_size")), share_text(single));
  if (single > 0) text += format_text(", which is right in {} of these rows", share_text(summary.metric("correct_singletons")));
  if (completed > 0) text += format_text("; {} would be empty and hold the most probable label instead", share_text(completed));
  return {"Size", text + (empty > 0 ? format_text("; {} are empty.", share_text(empty)) : ".")};
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

// Reliability of a probability in ten equal bins: [mean probability, observed frequency, rows, low, high] of each bin with rows.
Json reliability_json(std::string_view name, std::span<const double> p, std::span<const std::uint8_t> right) {
  struct Group {
    Index rows = 0, right = 0;
    double sum = 0;  // of the probabilities
  };
  std::vector<Group> groups(10);
  for (std::size_t i = 0; i < p.size(); ++i) {
    Group& group = groups[std::min(groups.size() - 1, static_cast<std::size_t>(p[i] * static_cast<double>(groups.size())))];
    ++group.rows;
    group.right += right[i];
    group.sum += p[i];
  }
  Json bins = Json::array();
  for (const Group& group : groups) {
    if (group.rows == 0) continue;
    const auto count = static_cast<double>(group.rows);
    const Band band = binomial_band(group.right, group.rows, band_probability);
    bins.push_back({rounded_json(group.sum / count), rounded_json(static_cast<double>(group.right) / count), group.rows,
                    rounded_json(band.low, 4), rounded_json(band.high, 4)});
  }
  return {{"name", name}, {"bins", bins}};
}

class LabelContents final : public ReportContents {
 public:
  LabelContents(const Classifier& model, const LabelledRows& known, Matrix probabilities, const ReportOptions& asked,
                const ExecutionContext& execution)
      : ReportContents({model, known.table, std::vector<double>(known.labels.begin(), known.labels.end()), "largest probability",
                        largest_of_each_row(probabilities), execution},
                       asked, execution),
        model_(model),
        labels_(known.labels),
        p_(std::move(probabilities)),
        drawn_(frequent_labels(labels_, model.labels().size())) {
    Column truth{.name = "true label", .kind = ColumnKind::category, .categories = model.labels()};
    truth.categories.emplace_back("a label that no training row had");
    rows.features.add(truth, std::vector<double>(labels_.begin(), labels_.end()));
    rows.y.assign(labels_.size(), 0.5);  // see StreamedSets
  }

  std::string kind() const override { return "sets"; }
  std::string title() const override { return "Sets of labels"; }

  std::size_t levels_at_once() const override {
    return static_cast<std::size_t>(std::max<Index>(1, flags_at_once / std::max<Index>(1, p_.size())));
  }
  void predict(std::span<const double> levels) override { sets_ = sets_of(rows.table, levels); }
  std::vector<Interval> intervals(std::size_t at) const override {
    std::vector<Interval> result;
    for (Index row = 0; row < rows.count(); ++row)
      result.push_back(StreamedSets::interval_of(sets_, row, at, labels_[static_cast<std::size_t>(row)]));
    return result;
  }

  Metrics metrics(std::size_t at, const Judged& judged, const HeldOutSlab*) const override {
    return set_metrics(sets_judged(at, judged));
  }
  MetricNote about_metric(std::string_view name) const override {
    return {std::string(set_metric_summary(name)), name != "worst_slab_coverage" && name != "ert"};
  }

  // One part for each size. If there are many sizes, adjacent ones are merged until each part has a tenth of the rows.
  std::vector<WidthBin> parts_by_size(std::size_t at, const Judged& judged) const override {
    const std::vector<CoverageLine> lines = lines_by_size(sets_judged(at, judged));
    const bool many = std::ssize(lines) > max_sizes;
    std::vector<WidthBin> parts;
    for (const CoverageLine& line : lines) {
      const double size = line.mean_size;
      if (many && !parts.empty() && parts.back().rows * max_sizes < rows.count()) {
        parts.back().high = size;
        parts.back().rows += line.rows;
        parts.back().covered += line.covered;
      } else {
        parts.push_back({size, size, line.rows, line.covered});
      }
    }
    return parts;
  }
  std::string size_words(const WidthBin& part) const override {
    if (part.high == 0) return "the set is empty";
    const std::string high = counted(static_cast<Index>(part.high), "label");
    return "the set holds " + (part.low == part.high ? high : format_text("{} to {}", print_number(part.low), high));
  }
  void complete(std::size_t at, const Judged& judged, LevelSummary& summary, AnswerInputs& answer) override {
    const bool is_completed = summary.metric("completed") > 0;
    answer.range_restricts = !rows.is_plain() || is_completed;
    answer.words = words_of_sets();
    if (is_completed)
      answer.words.more_because =
          "Where a set would be empty it holds the most probable label, which can only raise the coverage";
    answer.size = size_statement(summary);
    draw_labels(sets_judged(at, judged));
  }

  // The true label is drawn, but regions are not searched along it: they must be known before the label is.
  void add_columns(ChartColumns& drawn) override {
    const Index label = std::ssize(rows.features.columns()) - 1;
    drawn.columns.insert(drawn.columns.begin() + 1, label);
    drawn.bins.insert(drawn.bins.begin() + 1, bins_along(rows.features, label, max_label_bins));
  }

  void add_to(Json& document, const ReportData&, std::size_t) const override {
    Json names = Json::array(), probabilities = Json::array();
    for (const Index label : drawn_) names.push_back(name_of(label));
    for (const auto& [name, value] : probability_metrics(p_, labels_, rows.seed()))
      probabilities.push_back({{"name", name}, {"summary", set_metric_summary(name)}, {"value", exact_json(value)}});
    document["labels"] = names;
    document["all_labels"] = model_.labels().size();
    document["by_label_promised"] = model_.by_label();
    document["probabilities"] = probabilities;
    document["reliability"] = reliability();
    document["by_label"] = by_label_;
    document["held"] = held_;
  }

  std::vector<Interval> without_learning(const TableView& table, const Streamed& learning) const override {
    const PredictedSets sets = sets_of(table, learning.levels);
    const auto& labels = dynamic_cast<const StreamedSets&>(learning).labels;
    std::vector<Interval> result;
    for (Index row = 0; row < learning.rows(); ++row)
      for (std::size_t level = 0; level < learning.levels.size(); ++level)
        result.push_back(StreamedSets::interval_of(sets, row, level, labels[static_cast<std::size_t>(row)]));
    return result;
  }

  void add_facts_of_data(FactGroup& group) const override { group.facts.emplace_back("Labels", join(model_.labels(), ", ")); }
  void add_facts_of_model(FactGroup& group) const override {
    const LabelRecord& record = model_.label_record();
    const auto add = [&](const char* name, const std::string& value) { group.facts.emplace_back(name, value); };
    const auto& prefix = model_.label_options().probabilities;
    add("Predictor", prefix.empty() ? model_.describe_predictor() : format_text("given, columns '{}...'", prefix));
    if (record.corrected)
      add("Probabilities", format_text("corrected by {} boosted trees", print_count(model_.correction_trees())));
    add("Temperature", number_text(1 / record.inverse_temperature));
    add("Score", model_.label_options().score_in_force());
    add("Shift of its odds", record.trained              ? "for each row, trained by " + record.objective
                             : model_.record().fell_back ? "none: nothing better on validation rows"
                                                         : "none");
  }
  std::string own_options() const override {
    const auto text_of = []<class T>(const T& value) {
      if constexpr (std::is_same_v<T, bool>)
        return std::string(value ? "yes" : "");
      else
        return value;
    };
    const LabelOptions usual;
    std::vector<std::string> defaults;
    for_each_label_option(usual, [&](const OptionText&, const auto& value) { defaults.push_back(text_of(value)); });
    std::string words;
    std::size_t at = 0;
    for_each_label_option(model_.label_options(), [&]<class T>(const OptionText& text, const T& value) {
      if (const std::string own = text_of(value); own != defaults[at++])
        words += std::is_same_v<T, bool> ? " --" + std::string(text.name) : option_word(std::string(text.name), own);
    });
    return words;
  }

 private:
  PredictedSets sets_of(const TableView& table, std::span<const double> levels) const {
    return model_.predict_sets(table, levels, context, {.allow_empty = options.allow_empty});
  }
  EvaluatedSets sets_judged(std::size_t at, const Judged& judged) const {
    return {sets_,          at,         labels_, judged.x, judged.calibration_rows, judged.rank, judged.last_rank, judged.seed,
            judged.threads, judged.band};
  }
  std::string name_of(Index label) const { return shortened(model_.labels()[static_cast<std::size_t>(label)], longest_name); }

  // For each drawn label: [rows, covered, low, high, mean size], and the number of its rows whose sets contain each drawn label.
  void draw_labels(const EvaluatedSets& judged) {
    const auto lines = lines_by_label(judged, model_.labels());
    const Matrix shares = set_confusion(judged);
    Json by_label = Json::array(), held = Json::array();
    for (const Index label : drawn_) {
      const CoverageLine& line = lines[static_cast<std::size_t>(label)];
      by_label.push_back({line.rows, line.covered, rounded_json(line.band.low, 4), rounded_json(line.band.high, 4),
                          rounded_json(line.mean_size, 4)});
      Json of_label = Json::array();
      for (const Index other : drawn_)
        of_label.push_back(line.rows == 0 ? Json(0)
                                          : exact_json(std::round(shares(label, other) * static_cast<double>(line.rows))));
      held.push_back(std::move(of_label));
    }
    by_label_.push_back(std::move(by_label));
    held_.push_back(std::move(held));
  }

  Json reliability() const {
    std::vector<double> p(labels_.size());
    std::vector<std::uint8_t> right(labels_.size());
    for (std::size_t i = 0; i < p.size(); ++i) {
      Index best = 0;
      p[i] = p_.row(static_cast<Index>(i)).maxCoeff(&best);
      right[i] = labels_[i] == best ? 1 : 0;
    }
    Json json = Json::array({reliability_json("the most probable label", p, right)});
    for (const Index label : drawn_) {
      for (std::size_t i = 0; i < p.size(); ++i) {
        p[i] = p_(static_cast<Index>(i), label);
        right[i] = labels_[i] == label ? 1 : 0;
      }
      json.push_back(reliability_json(name_of(label), p, right));
    }
    return json;
  }

  const Classifier& model_;
  std::vector<Index> labels_;  // the true labels of the rows
  Matrix p_;
  std::vector<Index> drawn_;                              // labels in charts
  PredictedSets sets_;                                    // at the levels of the last predict()
  Json by_label_ = Json::array(), held_ = Json::array();  // for each level
};

}  // namespace

std::unique_ptr<ReportContents> contents_of_labels(const Model& model, const TableView& test, const ReportOptions& options,
                                                   const ExecutionContext& context) {
  static_assert(sizeof(Classifier) == sizeof(Model));  // Classifier adds functions to Model, but no data
  const auto& labels = static_cast<const Classifier&>(model);
  if (!options.unit.empty()) throw UsageError("--unit is for models of numbers, and this model predicts labels; leave it out");
  if (options.learning_curve)
    throw UsageError("--learning-curve is for models of numbers, and this model predicts labels; leave it out");
  if (model.distribution().rows() == 0)
    throw Error("a report needs calibration rows, and the model has none: use 'taut calibrate'");
  const LabelledRows known(labels, test, context.threads);
  return std::make_unique<LabelContents>(labels, known, labels.probabilities(known.table, context), options, context);
}

}  // namespace taut
