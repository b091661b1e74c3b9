#include <taut/report/reasons.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/explain/explainer.hpp>
#include <taut/explain/influence.hpp>
#include <taut/report/answer.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

constexpr std::size_t max_listed = 12;
constexpr Index max_with_picture = 6;
constexpr Index max_clicked = 200;  // as many rows as the chart of intervals shows
constexpr Index reasons_of_row = 4;
constexpr double strong = 0.05;  // smallest interaction in log width that is reported
constexpr std::size_t max_pairs = 3;
constexpr Index columns_of_pairs = 5;
constexpr Index rows_of_pairs = 200;

std::string lead_of(const ReportReasons& reasons, const Explainer& explainer) {
  std::string lead;
  if (!explainer.explains_width()) return "Every interval is equally wide: no column matters for the width.";
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min<std::size_t>(3, reasons.columns.size()); ++i)
    if (reasons.columns[i].width_factor() > 1.01) names.push_back(reasons.columns[i].column);
  lead = names.empty() ? "No column changes the width by more than 1 %."
                       : format_text("The width depends most on {}.", join(names, ", then on "));
  for (const auto& note : explainer.notes()) lead += format_text(" Note: {}.", note);
  return lead;
}

std::vector<ActingTogether> pairs_of(const Explainer& explainer, const TableView& rows,
                                     const std::vector<ColumnInfluence>& columns, const ExecutionContext& context) {
  std::vector<Index> asked;
  for (std::size_t i = 0; i < columns.size() && std::ssize(asked) < columns_of_pairs; ++i)
    asked.push_back(std::find(explainer.columns().begin(), explainer.columns().end(), columns[i].column) -
                    explainer.columns().begin());
  const Matrix strengths = explainer.width_interactions(rows, asked, context);
  std::vector<ActingTogether> pairs;
  for (Index a = 0; a < strengths.rows(); ++a)
    for (Index b = 0; b < a; ++b)
      if (strengths(a, b) > strong)
        pairs.push_back({columns[static_cast<std::size_t>(b)].column, columns[static_cast<std::size_t>(a)].column,
                         std::exp(strengths(a, b))});
  std::sort(pairs.begin(), pairs.end(), [](const auto& x, const auto& y) { return x.factor > y.factor; });
  pairs.resize(std::min(pairs.size(), max_pairs));
  return pairs;
}

// The name of a column in charts. The prediction and the shape are not columns of the table and have special names there. In an
// explanation their names are in brackets if the table has a column with the same name.
std::string feature_name(const std::string& column, const ReportReasons& reasons) {
  const bool is_input = std::find(reasons.inputs.begin(), reasons.inputs.end(), column) != reasons.inputs.end();
  if (!is_input && (column == "prediction" || column == "(prediction)")) return std::string(prediction_name);
  if (!is_input && column == reasons.shape_column) return reasons.shape_name;
  return shortened(column, longest_name);
}

}  // namespace

ReportReasons find_reasons(const Regressor& model, const TableView& test, const Sample& sample, double confidence,
                           const ExecutionContext& context) {
  ReportReasons reasons;
  const auto explainer = [&]() -> std::optional<Explainer> {
    try {
      return Explainer(model, {.confidence = confidence, .walks = 8}, context);
    } catch (const Error&) {  // the model file is too old for explanations: leave this section out
      return {};
    }
  }();
  if (!explainer) return reasons;
  reasons.is_known = true;
  reasons.inputs.assign(explainer->columns().begin(), explainer->columns().begin() + explainer->inputs());
  reasons.shape_column = explainer->shape_column();
  reasons.shape_name = format_text("shape of the distribution ({})", model.transform_name());
  const Table rows = chosen_rows(model, test, sample.rows);
  const Explanation explanation = explainer->explain(rows, context);
  Influence influence;
  influence.add(explanation);
  if (explainer->explains_width()) {
    reasons.columns = influence.by_width();
    for (const auto& one : influence.through_prediction()) reasons.columns.push_back(one);
    std::stable_sort(reasons.columns.begin(), reasons.columns.end(),
                     [](const auto& a, const auto& b) { return a.width > b.width; });
    reasons.columns.resize(std::min(reasons.columns.size(), max_listed));
    reasons.factors.resize(explanation.rows(), std::min(max_with_picture, std::ssize(reasons.columns)));
    for (Index c = 0; c < reasons.factors.cols(); ++c) {
      const auto at =
          std::find(explanation.columns.begin(), explanation.columns.end(), reasons.columns[static_cast<std::size_t>(c)].column);
      reasons.factors.col(c) = explanation.width->shares.col(at - explanation.columns.begin()).array().exp();
    }
    Table some = rows;
    some.values.conservativeResize(std::min(rows.rows(), rows_of_pairs), Eigen::NoChange);
    some.lines.clear();
    reasons.pairs = pairs_of(*explainer, some, reasons.columns, context);
  }
  reasons.lead = lead_of(reasons, *explainer);
  for (Index row = 0; row < std::min(max_clicked, rows.rows()); ++row)
    reasons.words.push_back(describe_reasons(explanation, row, reasons_of_row, missing));
  return reasons;
}

Json reasons_json(const ReportReasons& reasons, std::size_t count) {
  if (!reasons.is_known) return {};
  Json columns = Json::array(), pairs = Json::array(), words = Json::array();
  for (std::size_t c = 0; c < reasons.columns.size(); ++c) {
    const ColumnInfluence& one = reasons.columns[c];
    columns.push_back({{"name", feature_name(one.column, reasons)},
                       {"usual", rounded_json(one.width_factor())},
                       {"narrowest", rounded_json(std::exp(one.narrowest))},
                       {"widest", rounded_json(std::exp(one.widest))}});
    if (static_cast<Index>(c) >= reasons.factors.cols()) continue;
    Json factors = Json::array();
    for (std::size_t row = 0; row < count; ++row)
      factors.push_back(rounded_json(reasons.factors(static_cast<Index>(row), static_cast<Index>(c)), 4));
    columns.back()["factors"] = factors;
  }
  for (const ActingTogether& pair : reasons.pairs)
    pairs.push_back({{"first", feature_name(pair.first, reasons)},
                     {"second", feature_name(pair.second, reasons)},
                     {"factor", rounded_json(pair.factor, 3)}});
  for (std::size_t row = 0; row < std::min(count, reasons.words.size()); ++row) words.push_back(reasons.words[row]);
  return {{"lead", reasons.lead}, {"columns", columns}, {"pairs", pairs}, {"words", words}};
}

}  // namespace taut
