// Shows a report from top to bottom: the answer, the slider, numbers, charts, where it fails, facts. `kinds` has what differs
// between tasks: cards of numbers, the sentence about what is drawn, and the charts in their order.
import { byId } from "./dom.js";
import { count, plural } from "./format.js";
import { intervalsAt } from "./intervals.js";
import { Position } from "./position.js";
import { showAnswer, showSlider } from "./parts/answer.js";
import { showFacts } from "./parts/facts.js";
import { showFailures } from "./parts/failures.js";
import { intervalCards, setCards, showMetrics, showProbabilities } from "./parts/metrics.js";
import { showReasons } from "./parts/reasons.js";
import { drawCalibration } from "./pictures/calibration.js";
import { drawConfusion } from "./pictures/confusion.js";
import { drawCoverage } from "./pictures/coverage.js";
import { drawDistribution } from "./pictures/distribution.js";
import { drawByLabel, drawGroups } from "./pictures/groups.js";
import { drawIntervals } from "./pictures/intervals.js";
import { drawLearning } from "./pictures/learning.js";
import { drawAlongTime, drawCoverageOverTime, drawSizeOverTime, drawWidthOverTime } from "./pictures/over_time.js";
import { drawReliability } from "./pictures/reliability.js";
import { drawSizes } from "./pictures/sizes.js";
import { drawValidation } from "./pictures/validation.js";
import { drawWidth } from "./pictures/width.js";

const only = (wanted, ...pictures) => (wanted ? pictures : []);

const kinds = {
  report: {
    cards: intervalCards,
    drawn({ rows, sample, columns_left_out: left, features }) {
      const drawn = sample.row.length;
      return (
        (drawn < rows ? `${count(drawn)} of ${count(rows)} rows are drawn, chosen at random; all numbers use all rows.` : "Every row is drawn.") +
        (sample.log_factor ? "" : " Between tabulated levels their intervals are interpolated.") +
        (left > 0 ? ` ${count(features.length - 1)} columns can be chosen, those along which the width changes most; ${left === 1 ? "1 other is" : `${count(left)} others are`} left out.` : "")
      );
    },
    pictures: (report) => [
      drawIntervals,
      ...only(report.distribution, drawDistribution),
      ...only(report.over_time, drawCoverageOverTime, drawWidthOverTime, drawAlongTime),
      drawWidth,
      ...only(report.by_group, drawGroups),
      drawCoverage,
      drawCalibration,
    ],
    // Charts that do not depend on the slider.
    showRest(report) {
      drawValidation(byId("charts"), report);
      if (report.learning) drawLearning(byId("charts"), report);
    },
  },
  sets: {
    cards: setCards,
    drawn({ labels, all_labels: all }) {
      const left = all - labels.length;
      return "All pictures use all rows." + (left > 0 ? ` The ${count(labels.length)} most frequent labels are drawn, ${count(left)} are left out.` : "");
    },
    pictures: (report) => [
      drawSizes,
      drawByLabel,
      drawConfusion,
      ...only(report.over_time, drawCoverageOverTime, drawSizeOverTime),
      ...only(report.by_group, drawGroups),
      drawCoverage,
      drawCalibration,
      drawReliability,
    ],
    showRest: showProbabilities,
  },
};

function showTitle(report) {
  byId("title").textContent = report.title;
  const model = report.model ? `model ${report.model}, ` : "";
  byId("subtitle").textContent = `${plural(report.rows, "test row")} of ${report.test}, ${model}${plural(report.calibration_rows, "calibration row")}`;
  byId("footer").textContent = `Written by Taut ${report.version}. This page needs no network and contains no other file.`;
  byId("drawn").textContent = kinds[report.kind].drawn(report);
}

export function showReport(report) {
  const kind = kinds[report.kind];
  const intervals = (position) => (report.sample ? intervalsAt(report, position) : []);
  showTitle(report);
  const level = new Position(report.start);
  const view = { position: level.position, row: new Position(0), intervals: intervals(level.position) };
  showAnswer(report, level);
  showSlider(report, level);
  showMetrics(report, level, kind.cards);
  const charts = kind.pictures(report).map((draw) => draw(byId("charts"), report, view));
  kind.showRest(report);
  showReasons(report, view);
  showFailures(report, level);
  showFacts(report);
  level.listeners.push((position) => {
    view.position = position;
    view.intervals = intervals(position);
    for (const chart of charts) chart.draw(false);
  });
  // The first charts depend on the selected row.
  view.row.listeners.push(() => charts.slice(0, report.distribution ? 2 : report.reasons ? 1 : 0).forEach((chart) => chart.draw(false)));
}
