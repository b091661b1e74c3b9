#include <taut/report/learning_json.hpp>

namespace taut {

Json learning_json(const LearningCurve* curve) {
  if (curve == nullptr || curve->levels.empty()) return {};
  const LevelCurve& level = curve->levels.front();
  Json found = Json::array(), expected = Json::array();
  for (const CurveRow& row : level.found)
    found.push_back({row.rows, rounded_json(row.score), rounded_json(row.score - row.score_error),
                     rounded_json(row.score + row.score_error)});
  for (const Extrapolated& one : level.scores)
    expected.push_back({one.rows, rounded_json(one.value), rounded_json(one.low), rounded_json(one.high)});
  return {{"confidence", level.confidence}, {"rows", curve->rows},   {"repeats", curve->repeats},
          {"band", curve->band_probability}, {"found", found},        {"expected", expected},
          {"words", worth_in_words(level)}};
}

}  // namespace taut
