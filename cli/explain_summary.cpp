#include <cli/explain_summary.hpp>

#include <cli/json.hpp>
#include <cli/text_table.hpp>
#include <taut/core/text.hpp>

#include <cmath>

namespace taut {

namespace {

Json width_json(const ColumnInfluence& one) {
  return {{"column", one.column},
          {"mean_log", json_number(one.width)},
          {"factor", json_number(one.width_factor())},
          {"narrowest", json_number(std::exp(one.narrowest))},
          {"widest", json_number(std::exp(one.widest))}};
}

std::string width_table(const Influence& influence) {
  TextTable table;
  table.row({"column", "usually", "narrowest", "widest"});
  const auto row = [&](const ColumnInfluence& one, const std::string& remark) {
    table.row({one.column, print_rounded(one.width_factor(), 3), print_rounded(std::exp(one.narrowest), 3),
               print_rounded(std::exp(one.widest), 3)},
              remark);
  };
  for (const auto& one : influence.by_width()) row(one, "");
  for (const auto& one : influence.through_prediction())
    row(one, one.column.starts_with("prediction") ? "what the model predicts is itself a reason" : "");
  return table.text();
}

}  // namespace

std::string influence_in_words(const Influence& influence) {
  std::string text = counted(influence.rows(), "row") + "; a share is what the model uses, not a cause\n";
  if (influence.has_width())
    text += "\nWhat makes intervals wide: how many times wider or narrower a column makes them\n\n" + width_table(influence);
  if (!influence.has_prediction()) return text;
  TextTable table;
  table.row({"column", "mean share"});
  for (const auto& one : influence.by_prediction()) table.row({one.column, print_rounded(one.prediction, 4)});
  return text + "\nWhat drives predictions: the mean size of a column's share, in units of the target\n\n" + table.text();
}

std::string influence_json(const Influence& influence, const std::vector<std::string>& notes) {
  Json prediction = nullptr, width = nullptr;
  if (influence.has_prediction()) {
    prediction = Json::array();
    for (const auto& one : influence.by_prediction())
      prediction.push_back({{"column", one.column}, {"mean_share", json_number(one.prediction)}});
  }
  if (influence.has_width()) {
    Json columns = Json::array(), through = Json::array();
    for (const auto& one : influence.by_width()) columns.push_back(width_json(one));
    for (const auto& one : influence.through_prediction()) through.push_back(width_json(one));
    width = {{"columns", columns}, {"through_prediction", through}};
  }
  return json_text({{"rows", influence.rows()}, {"prediction", prediction}, {"width", width}, {"notes", notes}});
}

}  // namespace taut
