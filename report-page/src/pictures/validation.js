// The validation loss during the training of the localizer, and the epoch or round that was kept.
import { Chart } from "../chart.js";
import { element, table } from "../dom.js";
import { count, number } from "../format.js";
import { axis, markLine, pointerChart, tooltip } from "../theme.js";

export function drawValidation(parent, report) {
  const { curve, best, candidates } = report.training;
  if (curve.length < 2) return undefined;
  const option = (colours) => ({
    ...pointerChart(colours, ({ value: [epoch, loss] }) => tooltip(`Round ${count(epoch)}`, [["validation loss", number(loss, 5)]])),
    xAxis: axis(colours, { type: "value", min: 0, max: curve[curve.length - 1][0], name: "epoch or round", nameGap: 26, axisLabel: { formatter: (value) => number(value, 5) } }),
    yAxis: axis(colours, { type: "value", scale: true, axisLabel: { formatter: (value) => number(value, 4) } }),
    series: [
      {
        type: "line",
        symbol: "none",
        data: curve,
        lineStyle: { color: colours.accent, width: 2 },
        itemStyle: { color: colours.accent },
        markLine: markLine(colours, { xAxis: best }, "kept"),
      },
    ],
  });
  const chart = new Chart(parent, {
    id: "validation",
    title: "Validation curve",
    words: "Loss on validation rows during the training of the localizer. It does not depend on the level.",
    option,
    label: () => `The loss was lowest after ${count(best)} of ${count(curve[curve.length - 1][0])} epochs or rounds.`,
    head: ["Epoch or round", "Validation loss"],
    rows: () => curve.map(([epoch, loss]) => [count(epoch), number(loss, 6)]),
  });
  if (candidates.length > 0) {
    const rows = candidates.map((one) => [one.name, one.sides, number(one.loss, 5), one.kept ? "yes" : ""]);
    chart.table.before(
      element("details", { class: "table" }, element("summary", {}, "Candidates compared on validation rows"),
        table("Candidates", ["Candidate", "Sides", "Validation loss", "Kept"], rows)),
    );
  }
  return chart;
}
