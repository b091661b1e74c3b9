// The learning curve: the interval score against the number of rows, measured and extrapolated.
import { Chart } from "../chart.js";
import { count, level as levelText, number, share } from "../format.js";
import { axis, band, pointChart, roundLimits, tooltip } from "../theme.js";

const tick = (value) => (value >= 1e6 ? `${number(value / 1e6)}M` : value >= 1e3 ? `${number(value / 1e3)}k` : count(value));

export function drawLearning(parent, report) {
  const { confidence, repeats, band: probability, found, expected, words } = report.learning;
  const points = [...found.map((point) => ["measured", ...point]), ...expected.map((point) => ["expected", ...point])];
  const content = ({ data: [rows, score, low, high], seriesName }) =>
    tooltip(`${count(rows)} rows`, [["interval score", number(score)], [seriesName === "measured" ? "one error" : `${share(probability)} band`, `${number(low)} to ${number(high)}`]]);
  const line = (name, data, colour, look) => ({
    name, data, type: "line", symbol: "circle", symbolSize: 7, lineStyle: { color: colour, width: 2, ...look }, itemStyle: { color: colour }, encode: { x: 0, y: 1 },
  });
  const ends = [...found, ...expected].flatMap(([, ...figures]) => figures);
  const option = (colours) => ({
    ...pointChart(colours, content),
    xAxis: axis(colours, { type: "log", name: "rows", nameGap: 26, axisLabel: { formatter: tick } }),
    yAxis: axis(colours, { type: "value", ...roundLimits(ends), axisLabel: { formatter: (value) => number(value, 4) } }),
    series: [...band(expected, colours.accent), line("measured", found, colours.accent), line("expected", expected, colours.soft, { type: [4, 4] })],
  });
  return new Chart(parent, {
    id: "learning",
    title: "Learning curve",
    words: `Interval score at ${levelText(confidence)} of models fitted to growing parts of a table, ${repeats} times each. The dashed line and its band are the expectation for more rows. ${words}`,
    option,
    label: () => words,
    head: ["Rows", "", "Interval score", "From", "to"],
    rows: () => points.map(([kind, rows, ...figures]) => [count(rows), kind, ...figures.map((figure) => number(figure))]),
  });
}
