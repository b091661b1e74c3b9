// Charts over time: coverage and width over the last rows, of a stream that learns from each row and of the fixed model. For
// prediction sets the width is their size.
import { Chart } from "../chart.js";
import { count, level as levelText, number, share, withUnit } from "../format.js";
import { axis, markLine, pointerChart, tooltip, verdictLook } from "../theme.js";

const line = { type: "line", symbol: "none", silent: true };
const hidden = { lineStyle: { opacity: 0 } };

function legend(colours) {
  return { show: true, top: 0, right: 8, itemWidth: 18, itemHeight: 8, textStyle: { color: colours.soft, fontSize: 11 }, data: ["learning from each row", "as calibrated"] };
}

function bothLines(colours, at, learning, staying) {
  const points = (values) => at.map((row, i) => [row, values[i]]);
  return [
    { ...line, name: "as calibrated", data: points(staying), lineStyle: { color: colours.soft, width: 1.5, type: [4, 3] }, itemStyle: { color: colours.soft } },
    { ...line, silent: false, name: "learning from each row", data: points(learning), lineStyle: { color: colours.accent, width: 2 }, itemStyle: { color: colours.accent } },
  ];
}

function rowAxis(colours, at) {
  return axis(colours, { type: "value", min: at[0], max: at.at(-1), name: "row", nameGap: 26, grid: false, axisLabel: { formatter: (value) => count(value) } });
}

export function drawCoverageOverTime(parent, report, view) {
  const { window, at } = report.over_time;
  const here = () => report.over_time.levels[view.position];
  const asked = () => report.levels[view.position].confidence;

  const option = (colours) => {
    const now = here();
    const least = Math.max(0, Math.floor(10 * Math.min(now.low, ...now.coverage, ...now.still) - 0.2) / 10);
    const flat = (value) => at.map((row) => [row, value]);
    return {
      ...pointerChart(colours, ({ dataIndex: i }) =>
        tooltip(`${count(window)} rows up to row ${count(at[i])}`, [
          ["covered", share(now.coverage[i])],
          ["as calibrated", share(now.still[i])],
          ["adapted confidence", share(now.asked[i])],
        ]),
      { grid: { top: 34 } }),
      legend: legend(colours),
      xAxis: rowAxis(colours, at),
      yAxis: axis(colours, { type: "value", min: least, max: 1, axisLabel: { formatter: (value) => share(value, 0) } }),
      series: [
        { ...line, ...hidden, data: flat(now.low), stack: "band" },
        { ...line, ...hidden, data: flat(now.high - now.low), stack: "band", areaStyle: { color: colours["accent-soft"], opacity: 1 },
          markLine: markLine(colours, { yAxis: asked() }, levelText(asked()), "insideEndTop") },
        ...bothLines(colours, at, now.coverage, now.still),
      ],
    };
  };

  return new Chart(parent, {
    id: "time-coverage",
    title: "Coverage over time",
    words: () => {
      const now = here();
      return (
        `Share of the last ${count(window)} targets that were covered, each predicted before it was known. Shaded: what chance explains, 99 times in 100. ` +
        `Learning from each row ${share(now.all)} are covered, in the worst ${count(window)} rows ${share(now.worst)} (up to row ${count(now.worst_row)}); ` +
        `as calibrated ${share(now.still_all)}, at worst ${share(now.still_worst)}.`
      );
    },
    option,
    label: () => `At ${levelText(asked())} the stream covers ${share(here().all)}, at worst ${share(here().worst)} over ${count(window)} rows.`,
    head: ["Up to row", "Covered", "As calibrated", "Adapted confidence"],
    rows: () => at.map((row, i) => [count(row), share(here().coverage[i]), share(here().still[i]), share(here().asked[i])]),
  });
}

export function drawWidthOverTime(parent, report, view) {
  const here = () => report.over_time.levels[view.position];
  return drawMeanOverTime(parent, report, view, {
    id: "time-width",
    title: "Width over time",
    mean: "mean width",
    words: (window) =>
      `Mean width of the last ${window} intervals${report.unit ? `, in ${report.unit}` : ""}. The interval score, width plus a penalty for misses, is ` +
      `${number(here().score)} when learning from each row and ${number(here().still_score)} as calibrated; smaller is better.`,
  });
}

export function drawSizeOverTime(parent, report, view) {
  return drawMeanOverTime(parent, report, view, {
    id: "time-size",
    title: "Size over time",
    mean: "mean size",
    words: (window) => `The mean number of labels in the last ${window} sets.`,
  });
}

function drawMeanOverTime(parent, report, view, { id, title, mean, words }) {
  const { window, at } = report.over_time;
  const here = () => report.over_time.levels[view.position];
  const text = (value) => withUnit(number(value), report.unit);
  const heading = mean[0].toUpperCase() + mean.slice(1);

  const option = (colours) => ({
    ...pointerChart(colours, ({ dataIndex: i }) =>
      tooltip(`${count(window)} rows up to row ${count(at[i])}`, [[mean, text(here().width[i])], ["as calibrated", text(here().still_width[i])]]),
    { grid: { top: 34 } }),
    legend: legend(colours),
    xAxis: rowAxis(colours, at),
    yAxis: axis(colours, { type: "value", min: 0, axisLabel: { formatter: (value) => number(value) } }),
    series: bothLines(colours, at, here().width, here().still_width),
  });

  return new Chart(parent, {
    id,
    title,
    words: () => words(count(window)),
    option,
    label: () => `The ${mean} goes from ${text(here().width[0])} to ${text(here().width.at(-1))}.`,
    head: ["Up to row", heading, "As calibrated"],
    rows: () => at.map((row, i) => [count(row), number(here().width[i]), number(here().still_width[i])]),
  });
}

// The last rows in their order: prediction, interval and target.
export function drawAlongTime(parent, report, view) {
  const { rows, y, f } = report.over_time;
  const here = () => report.over_time.levels[view.position];
  const isMissed = (i) => !(here().lower[i] <= y[i] && y[i] <= here().upper[i]);
  const missed = () => rows.map((_, i) => i).filter(isMissed);

  const option = (colours) => {
    const { lower, upper } = here();
    const points = (values) => rows.map((row, i) => [row, values[i]]);
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
      xAxis: rowAxis(colours, rows),
      yAxis: axis(colours, { type: "value", scale: true, axisLabel: { formatter: (value) => number(value) } }),
      series: [
        { ...line, silent: false, data: points(f), lineStyle: { color: colours.accent, width: 1.5 }, itemStyle: { color: colours.accent }, z: 4 },
        { ...line, data: points(lower.map(finite)), ...hidden, stack: "band", stackStrategy: "all" },
        {
          ...line,
          data: points(upper.map((value, i) => (finite(value) === null || finite(lower[i]) === null ? null : value - lower[i]))),
          ...hidden,
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
      `The last ${count(rows.length)} rows in their order. The interval at ${levelText(report.levels[view.position].confidence)}, predicted before the target was known, is shaded; the line is the prediction, ` +
      `dots are targets. Red diamonds were missed: ${count(missed().length)}.`,
    option,
    label: () => `${count(missed().length)} of the last ${count(rows.length)} targets were missed.`,
    head: ["Row", "Target", "Predicted", "From", "To"],
    rows: () => rows.map((row, i) => [count(row), number(y[i], 5), number(f[i], 5), number(here().lower[i], 5), number(here().upper[i], 5)]),
  });
}
