// The predictive distribution of one row: the probability that y is at most each value, the interval, and the true value.
import { Chart } from "../chart.js";
import { boundAt, distributionPoints, maxShown, probabilityAt } from "../distribution.js";
import { chooser } from "../dom.js";
import { count, level as levelText, number, share, withUnit } from "../format.js";
import { axis, pointerChart, tooltip } from "../theme.js";

export function drawDistribution(parent, report, view) {
  const { target, unit } = report;
  const rows = report.sample.row.slice(0, maxShown);
  const value = (one) => withUnit(number(one, 4), unit);
  const row = () => view.intervals[view.row.position];
  const points = () => distributionPoints(report, view.row.position);

  // The part of the curve that lies in the interval.
  const inside = (curve) => {
    const [low, high] = [Math.max(row().lower, curve[0][0]), Math.min(row().upper, curve[curve.length - 1][0])];
    if (!(low < high)) return [];
    const end = (at) => [at, probabilityAt(curve, at)];
    return [end(low), ...curve.filter(([at]) => at > low && at < high), end(high)];
  };

  const option = (colours) => {
    const curve = points();
    const { y, covered } = row();
    return {
      ...pointerChart(
        colours,
        ({ value: [at, probability] }) => tooltip(`${share(probability)} probability`, [[`${target} at most`, value(at)]]),
        { grid: { top: 16 } },
      ),
      xAxis: axis(colours, {
        type: "value",
        scale: true,
        name: unit ? `${target}, ${unit}` : target,
        nameGap: 26,
        axisLabel: { formatter: (at) => number(at, 4) },
      }),
      yAxis: axis(colours, { type: "value", min: 0, max: 1, axisLabel: { formatter: (at) => share(at, 0) } }),
      series: [
        { name: "distribution", type: "line", data: curve, showSymbol: false, lineStyle: { color: colours.accent, width: 2 }, itemStyle: { color: colours.accent } },
        {
          name: "interval",
          type: "line",
          data: curve.length > 0 ? inside(curve) : [],
          showSymbol: false,
          silent: true,
          lineStyle: { width: 0 },
          areaStyle: { color: colours["accent-soft"], opacity: 0.6 },
          z: 1,
        },
        {
          name: "true value",
          type: "scatter",
          data: curve.length > 0 ? [[y, probabilityAt(curve, y)]] : [],
          symbol: covered ? "circle" : "diamond",
          symbolSize: covered ? 9 : 12,
          itemStyle: { color: covered ? colours.accent : colours.miss },
          z: 5,
        },
      ],
    };
  };

  const sentence = () => {
    const words = levelText(report.levels[view.position].confidence);
    const [lower, upper] = ["lower", "upper"].map((which) => boundAt(report, view.row.position, view.position, which));
    const bounds = [
      Number.isFinite(upper) ? `at most ${value(upper)} with ${words} confidence` : "",
      Number.isFinite(lower) ? `at least ${value(lower)} with ${words} confidence` : "",
    ].filter(Boolean);
    if (bounds.length === 0) return `There are too few calibration rows for a bound at ${words}.`;
    return `${target} is ${bounds.join(", and ")}${bounds.length > 1 ? ": each by itself" : ""}.`;
  };

  const select = chooser("Row", rows.map((one) => count(one)), 0, (choice) => view.row.move(choice));
  const chart = new Chart(parent, {
    id: "distribution",
    title: "The predictive distribution of one row",
    wide: true,
    words: () =>
      `Row ${count(row().row)}. ${sentence()} The curve gives the probability that ${target} is at most a value; the interval at this level is shaded, ` +
      (row().covered ? "the dot is the true value." : "the diamond is the true value, outside it."),
    controls: [select],
    option,
    label: () => sentence(),
    head: ["Probability", `${target} at most`],
    rows: () => points().map(([at, probability]) => [share(probability, 0), number(at, 4)]),
  });
  view.row.listeners.push((position) => (select.querySelector("select").value = position));
  return chart;
}
