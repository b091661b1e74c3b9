// A report from top to bottom: the answer, the slider, numbers, pictures, where it fails, facts.
import { byId } from "./dom.js";
import { count, plural } from "./format.js";
import { intervalsAt } from "./intervals.js";
import { Position } from "./position.js";
import { showAnswer } from "./parts/answer.js";
import { showFacts } from "./parts/facts.js";
import { showFailures } from "./parts/failures.js";
import { showMetrics } from "./parts/metrics.js";
import { showReasons } from "./parts/reasons.js";
import { showSlider } from "./parts/slider.js";
import { drawAlongTime } from "./pictures/along_time.js";
import { drawCalibration } from "./pictures/calibration.js";
import { drawCoverage } from "./pictures/coverage.js";
import { drawGroups } from "./pictures/groups.js";
import { drawIntervals } from "./pictures/intervals.js";
import { drawLaw } from "./pictures/law.js";
import { drawLearning } from "./pictures/learning.js";
import { drawCoverageOverTime, drawWidthOverTime } from "./pictures/over_time.js";
import { drawValidation } from "./pictures/validation.js";
import { drawWidth } from "./pictures/width.js";

function showTitle(report) {
  byId("title").textContent = report.title;
  const model = report.model ? `model ${report.model}, ` : "";
  byId("subtitle").textContent = `${plural(report.rows, "test row")} of ${report.test}, ${model}${plural(report.calibration_rows, "calibration row")}`;
  byId("footer").textContent = `Written by Taut ${report.version}. This page needs no network and contains no other file.`;
  const drawn = report.sample.row.length;
  const interpolated = report.sample.log_factor ? "" : " Between tabulated levels their intervals are interpolated.";
  const left = report.columns_left_out;
  byId("drawn").textContent =
    (drawn < report.rows ? `${count(drawn)} of ${count(report.rows)} rows are drawn, chosen at random; all numbers use all rows.` : "Every row is drawn.") +
    interpolated +
    (left > 0 ? ` ${count(report.features.length - 1)} columns can be chosen, those along which the width changes most; ${left === 1 ? "1 other is" : `${count(left)} others are`} left out.` : "");
}

export function showReport(report) {
  showTitle(report);
  const level = new Position(report.start);
  const view = { position: level.position, row: new Position(0), intervals: intervalsAt(report, level.position) };
  showAnswer(report, level);
  showSlider(report, level);
  showMetrics(report, level);
  const pictures = [drawIntervals, ...(report.law ? [drawLaw] : []), ...(report.over_time ? [drawCoverageOverTime, drawWidthOverTime, drawAlongTime] : []), drawWidth, ...(report.by_group ? [drawGroups] : []), drawCoverage, drawCalibration];
  const charts = pictures.map((draw) => draw(byId("charts"), report, view));
  drawValidation(byId("charts"), report);
  if (report.learning) drawLearning(byId("charts"), report);
  showReasons(report, view);
  showFailures(report, level);
  showFacts(report);
  level.listeners.push((position) => {
    view.position = position;
    view.intervals = intervalsAt(report, position);
    for (const chart of charts) chart.draw(false);
  });
  // The pictures of single rows, which stand first.
  view.row.listeners.push(() => charts.slice(0, report.law ? 2 : report.reasons ? 1 : 0).forEach((chart) => chart.draw(false)));
}
