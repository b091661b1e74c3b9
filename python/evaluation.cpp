#include <python/models.hpp>

namespace taut {

nb::list listed_alarms(const std::vector<Alarm>& alarms) {
  nb::list listed;
  for (const Alarm& alarm : alarms) {
    nb::dict one, numbers;
    one["kind"] = std::string(alarm.name());
    one["words"] = in_python(alarm.words);
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
  const auto with_band = [](nb::dict one, const Band& expected) {
    one["low"] = defined(expected.low);
    one["high"] = defined(expected.high);
    return one;
  };
  for (const QuantileReport& quantile : law.quantiles) {
    nb::dict one;
    one["p"] = quantile.p;
    one["pinball"] = defined(quantile.pinball);
    one["below"] = defined(quantile.below);
    one["at_or_below"] = defined(quantile.at_or_below);
    quantiles.append(with_band(one, quantile.expected));
  }
  for (const PValueReport& p_value : law.p_values) {
    nb::dict one;
    one["at_most"] = p_value.at_most;
    one["share"] = defined(p_value.share);
    p_values.append(with_band(one, p_value.expected));
  }
  nb::dict result;
  result["crps"] = defined(law.crps);
  result["pinball"] = defined(law.pinball);
  result["quantiles"] = quantiles;
  result["p_values"] = p_values;
  return result;
}

nb::list group_reports(const std::vector<GroupReport>& reports) {
  nb::list result;
  for (const GroupReport& report : reports) {
    nb::list lines;
    for (const GroupLine& line : report.lines) {
      nb::dict one;
      one["name"] = line.name;
      one["rows"] = line.rows;
      one["covered"] = line.covered;
      one["coverage"] = line.coverage();
      one["low"] = line.band.low;
      one["high"] = line.band.high;
      one["mean_width"] = defined(line.mean_width);
      one["infinite"] = line.infinite;
      one["p_value"] = line.p_value;
      lines.append(one);
    }
    nb::dict one;
    one["confidence"] = report.confidence;
    one["groups"] = lines;
    one["below"] = report.below;
    one["words"] = report.in_words();
    result.append(one);
  }
  return result;
}

}  // namespace

nb::dict as_dict(const Evaluation& evaluation) {
  nb::list listed;
  for (const LevelReport& level : evaluation.levels) listed.append(level_as_dict(level, defined));
  nb::dict result;
  result["rows"] = evaluation.rows;
  result["calibration_rows"] = evaluation.calibration_rows;
  result["levels"] = listed;
  result["law"] = law_report(evaluation.law);
  result["alarms"] = listed_alarms(evaluation.alarms);
  if (!evaluation.groups.empty()) result["by_group"] = group_reports(evaluation.groups);
  return result;
}

}  // namespace taut
