// A page of charts. See chart_page in taut/report/report.hpp for the format of the document.
import { Chart } from "./chart.js";
import { byId, element, scrollable, table } from "./dom.js";
import { number } from "./format.js";
import { axis, band, pointChart, roundLimits, tooltip } from "./theme.js";

// Styles of series. They differ in lightness, line style and symbol, not only in hue.
const styles = [
  { hue: "accent", symbol: "circle", type: "solid" },
  { hue: "miss", symbol: "diamond", type: [6, 4] },
  { hue: "ink", symbol: "triangle", type: [2, 3] },
  { hue: "soft", symbol: "rect", type: "solid" },
];

const barWidth = 26;

const isText = (chart) => chart.series.some((series) => series.points.some(([x]) => typeof x === "string"));

// Series with the same text on the axis are drawn side by side: the offset from its centre in pixels.
const offsetOf = (index, count) => 14 * (index - (count - 1) / 2);

const whisker = (shift) => (params, api) => {
  const [x, low] = api.coord([api.value(0), api.value(1)]);
  const high = api.coord([api.value(0), api.value(2)])[1];
  const style = { stroke: api.visual("color"), lineWidth: 2, lineCap: "round" };
  return { type: "line", shape: { x1: x + shift, y1: low, x2: x + shift, y2: high }, style };
};

function seriesOf(chart, colours) {
  return chart.series.flatMap((one, index) => {
    const style = styles[index % styles.length];
    const colour = colours[style.hue];
    const data = one.points.map(([x, y]) => [x, y]);
    const common = { name: one.name, data, itemStyle: { color: colour } };
    if (chart.kind === "lines")
      return [{ ...common, type: "line", symbol: style.symbol, symbolSize: 6, lineStyle: { color: colour, width: 2, type: style.type } }, ...band(one.points, colour)];
    const bars = chart.kind === "bars";
    const shift = isText(chart) ? offsetOf(index, chart.series.length) * (bars ? barWidth / 14 : 1) : 0;
    const ends = one.points.filter((point) => point.length > 3).map(([x, , low, high]) => [x, low, high]);
    const whiskers = {
      name: one.name, type: "custom", renderItem: whisker(shift), data: ends, encode: { x: 0, y: [1, 2] },
      itemStyle: { color: bars ? colours.ink : colour }, z: 4, tooltip: { show: false },
    };
    const main = bars
      ? { ...common, type: "bar", barWidth, barGap: 0 }
      : { ...common, type: "scatter", symbol: style.symbol, symbolSize: 9, symbolOffset: [shift, 0], z: 5 };
    return ends.length > 0 ? [main, whiskers] : [main];
  });
}

// Includes the bands, which ECharts ignores when it chooses limits.
function yLimits(chart) {
  const ends = chart.series.flatMap((one) => one.points.flatMap(([, ...values]) => values));
  return chart.log_y ? { min: Math.min(...ends), max: Math.max(...ends) } : roundLimits(ends);
}

function optionOf(chart) {
  return (colours) => ({
    ...pointChart(
      colours,
      ({ seriesName, value }) => tooltip(seriesName, [[chart.x, typeof value[0] === "string" ? value[0] : number(value[0], 4)], [chart.y, number(value[1], 4)]]),
      { grid: { top: chart.series.length > 1 ? 40 : 28 } },
    ),
    legend: { show: chart.series.length > 1, top: 0, left: 0, textStyle: { color: colours.soft }, data: chart.series.map((one) => one.name) },
    xAxis: axis(colours, isText(chart)
      ? { type: "category", data: [...new Set(chart.series.flatMap((one) => one.points.map(([x]) => x)))], name: chart.x, nameGap: 26, grid: false }
      : { type: chart.log_x ? "log" : "value", scale: true, name: chart.x, nameGap: 26, axisLabel: { formatter: (value) => number(value, 4) } }),
    yAxis: axis(colours, {
      type: chart.log_y ? "log" : "value",
      scale: chart.kind !== "bars",
      axisLabel: { formatter: (value) => number(value, 4) },
      ...(chart.kind === "lines" ? yLimits(chart) : {}),
    }),
    series: seriesOf(chart, colours),
  });
}

export function showCharts({ title, lead = [], charts = [], tables = [] }) {
  byId("title").textContent = title;
  byId("lead").append(...lead.map((paragraph) => element("p", {}, paragraph)));
  charts.forEach((chart, index) => {
    const points = chart.series.reduce((sum, one) => sum + one.points.length, 0);
    new Chart(byId("charts"), {
      id: index,
      title: chart.title,
      words: `${chart.words ?? ""}${chart.words ? " " : ""}Upwards: ${chart.y}.`,
      wide: charts.length === 1 || new Set(chart.series.flatMap((one) => one.points.map(([x]) => x))).size > 4 && isText(chart),
      option: optionOf(chart),
      label: () => `${points} points of ${chart.series.map((one) => one.name).join(", ")}; the table has them.`,
      head: ["Series", chart.x, chart.y, "Low", "High"],
      rows: () => chart.series.flatMap((one) => one.points.map(([x, y, low, high]) => [one.name, typeof x === "string" ? x : number(x, 5), number(y, 5), number(low, 5), number(high, 5)])),
    });
  });
  byId("tables").append(...tables.flatMap((one) => {
    const rows = one.rows.map((row) => row.map((value) => (typeof value === "number" ? number(value, 5) : value ?? "–")));
    return [element("h2", {}, one.title), scrollable(one.title, table(one.title, one.head, rows))];
  }));
}
