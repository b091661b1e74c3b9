// Reliability of probabilities: rows in ten bins of a probability, and how often it came true.
import { Chart } from "../chart.js";
import { chooser } from "../dom.js";
import { count, share } from "../format.js";
import { axis, pointChart, tooltip, verdictLook } from "../theme.js";

const whisker = (params, api) => {
  const [x, low] = api.coord([api.value(0), api.value(1)]);
  const high = api.coord([api.value(0), api.value(2)])[1];
  return { type: "line", shape: { x1: x, y1: low, x2: x, y2: high }, style: { stroke: api.visual("color"), lineWidth: 5, lineCap: "round" } };
};

export function drawReliability(parent, report) {
  let chosen = 0;
  const names = report.reliability.map(({ name }) => name);
  const bins = () => report.reliability[chosen].bins.map(([mean, right, rows, low, high]) => ({
    mean, right, rows, low, high, verdict: high < mean ? "low" : low > mean ? "high" : "inside",
  }));
  const off = () => bins().filter(({ verdict }) => verdict !== "inside").length;
  const words = () => (off() === 0 ? "Chance explains every group." : `Chance does not explain ${count(off())} of ${count(bins().length)} groups.`);
  const option = (colours) => ({
    ...pointChart(colours, ({ dataIndex }) => {
      const { mean, right, rows, low, high } = bins()[dataIndex];
      return tooltip(`Probability ${share(mean)}`, [["came true", `${share(right)} of ${count(rows)} rows`], ["true share", `${share(low)} to ${share(high)}`]]);
    }),
    xAxis: axis(colours, { type: "value", min: 0, max: 1, interval: 0.2, name: "probability", nameGap: 26, axisLabel: { formatter: (value) => share(value, 0) } }),
    yAxis: axis(colours, { type: "value", min: 0, max: 1, interval: 0.2, axisLabel: { formatter: (value) => share(value, 0) } }),
    series: [
      { type: "custom", renderItem: whisker, data: bins().map(({ mean, low, high }) => [mean, low, high]), encode: { x: 0, y: [1, 2] }, itemStyle: { color: colours["accent-soft"] }, silent: true },
      { type: "line", data: [[0, 0], [1, 1]], symbol: "none", silent: true, lineStyle: { color: colours.ink, type: [4, 4], width: 1, opacity: 0.7 } },
      {
        type: "scatter", symbolSize: 10, z: 5,
        data: bins().map(({ mean, right, verdict }) => ({ value: [mean, right], symbol: verdictLook(colours, verdict).symbol, itemStyle: { color: verdictLook(colours, verdict).colour } })),
      },
    ],
  });
  const chart = new Chart(parent, {
    id: "reliability",
    title: "Are probabilities right?",
    words: () => `Rows in ten groups by a probability, and how often it came true. On the dashed line probabilities are right; below it they are too high. A bar contains the true share 99 times in 100. ${words()}`,
    controls: [
      chooser("of", names, chosen, (choice) => {
        chosen = choice;
        chart.draw();
      }),
    ],
    option,
    label: () => `Of ${names[chosen]}. ${words()}`,
    head: ["Mean probability", "Rows", "Came true", "From", "to"],
    rows: () => bins().map(({ mean, rows, right, low, high }) => [share(mean), count(rows), share(right), share(low), share(high)]),
  });
  return chart;
}
