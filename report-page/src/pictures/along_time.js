// The last rows one after another: what was predicted, and what came.
import { Chart } from "../chart.js";
import { count, level as levelText, number } from "../format.js";
import { axis, pointerChart, tooltip, verdictLook } from "../theme.js";

export function drawAlongTime(parent, report, view) {
  const { rows, y, f } = report.over_time;
  const here = () => report.over_time.levels[view.position];
  const isMissed = (i) => !(here().lower[i] <= y[i] && y[i] <= here().upper[i]);
  const missed = () => rows.map((_, i) => i).filter(isMissed);

  const option = (colours) => {
    const { lower, upper } = here();
    const points = (values) => rows.map((row, i) => [row, values[i]]);
    const line = { type: "line", symbol: "none", silent: true };
    const finite = (value) => (Number.isFinite(value) ? value : null);
    const look = verdictLook(colours, "low");
    return {
      ...pointerChart(colours, ({ dataIndex: i }) =>
        tooltip(`Row ${count(rows[i])}`, [
          ["target", number(y[i], 5)],
          ["predicted", number(f[i], 5)],
          ["interval", `${number(lower[i], 5)} to ${number(upper[i], 5)}`],
        ]),
      ),
      xAxis: axis(colours, { type: "value", min: rows[0], max: rows.at(-1), name: "row", nameGap: 26, grid: false, axisLabel: { formatter: (value) => count(value) } }),
      yAxis: axis(colours, { type: "value", scale: true, axisLabel: { formatter: (value) => number(value) } }),
      series: [
        { ...line, silent: false, data: points(f), lineStyle: { color: colours.accent, width: 1.5 }, itemStyle: { color: colours.accent }, z: 4 },
        { ...line, data: points(lower.map(finite)), lineStyle: { opacity: 0 }, stack: "band", stackStrategy: "all" },
        {
          ...line,
          data: points(upper.map((value, i) => (finite(value) === null || finite(lower[i]) === null ? null : value - lower[i]))),
          lineStyle: { opacity: 0 },
          stack: "band",
          stackStrategy: "all",
          areaStyle: { color: colours["accent-soft"], opacity: 1 },
        },
        { type: "scatter", symbolSize: 4, silent: true, data: points(y), itemStyle: { color: colours.ink, opacity: 0.8 }, z: 5 },
        { type: "scatter", symbolSize: 9, silent: true, symbol: look.symbol, data: missed().map((i) => [rows[i], y[i]]), itemStyle: { color: look.colour }, z: 6 },
      ],
    };
  };

  return new Chart(parent, {
    id: "along-time",
    title: "Intervals along time",
    wide: true,
    words: () =>
      `The last ${count(rows.length)} rows in their order: shaded the interval of ${levelText(report.levels[view.position].confidence)}, said before the target was known; the line is the prediction, ` +
      `dots are targets. Red diamonds were missed: ${count(missed().length)}.`,
    option,
    label: () => `${count(missed().length)} of the last ${count(rows.length)} targets were missed.`,
    head: ["Row", "Target", "Predicted", "From", "To"],
    rows: () => rows.map((row, i) => [count(row), number(y[i], 5), number(f[i], 5), number(here().lower[i], 5), number(here().upper[i], 5)]),
  });
}
