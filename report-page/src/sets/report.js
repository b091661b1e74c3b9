// A report on sets of labels, from top to bottom, in the parts that a report on intervals has.
import { byId } from "../dom.js";
import { count, plural } from "../format.js";
import { showAnswer } from "../parts/answer.js";
import { showFacts } from "../parts/facts.js";
import { showFailures } from "../parts/failures.js";
import { setCards, showMetrics } from "../parts/metrics.js";
import { showSlider } from "../parts/slider.js";
import { drawCalibration } from "../pictures/calibration.js";
import { drawCoverage } from "../pictures/coverage.js";
import { drawGroups } from "../pictures/groups.js";
import { drawCoverageOverTime, drawSizeOverTime } from "../pictures/over_time.js";
import { Position } from "../position.js";
import { drawByLabel } from "./by_label.js";
import { drawConfusion } from "./confusion.js";
import { showProbabilities } from "./probabilities.js";
import { drawReliability } from "./reliability.js";
import { drawSizes } from "./sizes.js";

function showTitle(report) {
  byId("title").textContent = report.title;
  const model = report.model ? `model ${report.model}, ` : "";
  byId("subtitle").textContent = `${plural(report.rows, "test row")} of ${report.test}, ${model}${plural(report.calibration_rows, "calibration row")}`;
  byId("footer").textContent = `Written by Taut ${report.version}. This page needs no network and contains no other file.`;
  const left = report.all_labels - report.labels.length;
  byId("drawn").textContent =
    "All pictures use all rows." + (left > 0 ? ` The ${count(report.labels.length)} most frequent labels are drawn, ${count(left)} are left out.` : "");
  byId("reasons").remove();
}

export function showSetReport(report) {
  showTitle(report);
  const level = new Position(report.start);
  const view = { position: level.position };
  showAnswer(report, level);
  showSlider(report, level);
  showMetrics(report, level, setCards);
  showProbabilities(report);
  const pictures = [drawSizes, drawByLabel, drawConfusion, ...(report.over_time ? [drawCoverageOverTime, drawSizeOverTime] : []), ...(report.by_group ? [drawGroups] : []), drawCoverage, drawCalibration, drawReliability];
  const charts = pictures.map((draw) => draw(byId("charts"), report, view));
  showFailures(report, level);
  showFacts(report);
  level.listeners.push((position) => {
    view.position = position;
    for (const chart of charts) chart.draw(false);
  });
}
