#include <python/models.hpp>

namespace taut {

nb::list listed_alarms(const std::vector<Alarm>& alarms) {
  nb::list listed;
  for (const Alarm& alarm : alarms) {
    nb::dict numbers, one = dict_of("kind", std::string(alarm.name()), "words", in_python(alarm.words));
    if (!alarm.column.empty()) one["column"] = alarm.column;
    if (!alarm.names.empty()) one["names"] = alarm.names;
    for (const auto& [name, value] : alarm.numbers) numbers[name.c_str()] = value;
    one["numbers"] = numbers;
    listed.append(one);
  }
  return listed;
}

namespace {

// None where a number is not defined for these rows, as null in `evaluate --json`: a NaN would pass through every later sum
// unseen.
nb::object defined(double value) { return std::isnan(value) ? nb::object(nb::none()) : nb::object(nb::float_(value)); }

nb::dict law_report(const LawReport& law) {
  nb::list quantiles, p_values;
  for (const QuantileReport& quantile : law.quantiles)
    quantiles.append(dict_of("p", quantile.p, "pinball", defined(quantile.pinball), "below", defined(quantile.below),
                             "at_or_below", defined(quantile.at_or_below), "low", defined(quantile.expected.low), "high",
                             defined(quantile.expected.high)));
  for (const PValueReport& p_value : law.p_values)
    p_values.append(dict_of("at_most", p_value.at_most, "share", defined(p_value.share), "low", defined(p_value.expected.low),
                            "high", defined(p_value.expected.high)));
  return dict_of("crps", defined(law.crps), "pinball", defined(law.pinball), "quantiles", quantiles, "p_values", p_values);
}

nb::list group_reports(const std::vector<GroupReport>& reports) {
  nb::list result;
  for (const GroupReport& report : reports) {
    nb::list lines;
    for (const GroupLine& line : report.lines)
      lines.append(dict_of("name", line.name, "rows", line.rows, "covered", line.covered, "coverage", line.coverage(), "low",
                           line.band.low, "high", line.band.high, "mean_width", defined(line.mean_width), "infinite",
                           line.infinite, "p_value", line.p_value));
    result.append(dict_of("confidence", report.confidence, "groups", lines, "below", report.below, "words", report.in_words()));
  }
  return result;
}

}  // namespace

nb::dict as_dict(const Evaluation& evaluation) {
  nb::list listed;
  for (const LevelReport& level : evaluation.levels) listed.append(level_as_dict(level, defined));
  nb::dict result = dict_of("rows", evaluation.rows, "calibration_rows", evaluation.calibration_rows, "levels", listed, "law",
                            law_report(evaluation.law), "alarms", listed_alarms(evaluation.alarms));
  if (!evaluation.groups.empty()) result["by_group"] = group_reports(evaluation.groups);
  return result;
}

}  // namespace taut
