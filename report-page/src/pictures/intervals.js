// Intervals of sampled rows, narrowest first. Missed rows differ in colour and in shape.
import { Chart } from "../chart.js";
import { maxShown } from "../distribution.js";
import { chooser } from "../dom.js";
import { count, number, plural, withUnit } from "../format.js";
import { axis, pointerChart, tooltip } from "../theme.js";

const maxFeatures = 6;

export function drawIntervals(parent, report, view) {
  const unit = report.unit;
  const clickable = report.distribution || report.reasons;
  let around = true;

  const shown = () => view.intervals.slice(0, maxShown).sort((a, b) => a.width - b.width);
  const origin = (row) => (around ? row.f : 0);
  const finite = (row) => Number.isFinite(row.width);

  const details = (row) => {
    const pairs = [
      [report.target, withUnit(number(row.y, 4), unit)],
      ["prediction", withUnit(number(row.f, 4), unit)],
      ["interval", Number.isNaN(row.lower) ? "empty" : `${number(row.lower, 4)} to ${withUnit(number(row.upper, 4), unit)}`],
      ["width", withUnit(number(row.width), unit)],
    ];
    for (const feature of report.features.slice(1, 1 + maxFeatures)) {
      const value = feature.values[row.index];
      pairs.push([feature.name, feature.category ? feature.bins[value]?.name ?? "missing" : number(value, 4)]);
    }
    return tooltip(`Row ${count(row.row)}${row.covered ? "" : ": missed"}`, pairs);
  };

  const bar = (rows, colours) => (params, api) => {
    const row = rows[params.dataIndex];
    const [x, top] = api.coord([params.dataIndex, row.upper - origin(row)]);
    const bottom = api.coord([params.dataIndex, row.lower - origin(row)])[1];
    const step = api.size([1, 0])[0];
    return {
      type: "line",
      shape: { x1: x, y1: top, x2: x, y2: bottom },
      style: { stroke: row.index === view.row.position ? colours.ink : api.visual("color"), lineWidth: Math.max(1, Math.min(4, 0.6 * step)), lineCap: "round" },
    };
  };

  const option = (colours, width) => {
    const rows = shown().filter(finite);
    const points = (covered) => rows.flatMap((row, at) => (row.covered === covered ? [[at, row.y - origin(row)]] : []));
    return {
      ...pointerChart(colours, ({ axisValue }) => details(rows[axisValue]), { grid: { right: 12, top: 12, bottom: 24 } }),
      xAxis: axis(colours, {
        type: "category",
        data: rows.map((_, at) => at),
        name: "narrowest to widest",
        nameGap: 8,
        grid: false,
        axisLabel: { show: false },
      }),
      yAxis: axis(colours, {
        type: "value",
        scale: true,
        axisLabel: { formatter: (value) => number(value, 4) },
      }),
      series: [
        {
          name: "interval",
          type: "custom",
          renderItem: bar(rows, colours),
          data: rows.map((row, at) => [at, row.lower - origin(row), row.upper - origin(row)]),
          encode: { x: 0, y: [1, 2] },
          itemStyle: { color: colours["accent-soft"] },
        },
        {
          name: "covered",
          type: "scatter",
          data: points(true),
          symbolSize: width < 500 ? 2.5 : 3.5,
          itemStyle: { color: colours.accent },
        },
        {
          name: "missed",
          type: "scatter",
          symbol: "diamond",
          data: points(false),
          symbolSize: width < 500 ? 7 : 9,
          itemStyle: { color: colours.miss },
          z: 5,
        },
      ],
    };
  };

  const missed = () => shown().filter((row) => !row.covered).length;
  const chart = new Chart(parent, {
    id: "intervals",
    title: "Intervals",
    wide: true,
    words: () =>
      !shown().some(finite)
        ? "At this level every interval is the whole line: there is nothing to draw."
        : `${plural(shown().length, "test row")}, narrowest interval first. A dot is the true value; a diamond lies outside its interval. ` +
      (around ? "Heights are distances from the prediction" : `Heights are values of ${report.target}`) +
      (unit ? `, in ${unit}.` : ".") +
      (clickable ? ` Click a row to see ${[report.distribution && "its distribution", report.reasons && "its reasons"].filter(Boolean).join(" and ")} below.` : ""),
    controls: [
      chooser("Show", ["around the prediction", `as values of ${report.target}`], 0, (choice) => {
        around = choice === 0;
        chart.draw();
      }),
    ],
    option,
    label: () => `${count(missed())} of ${plural(shown().length, "drawn row")} outside the interval.`,
    head: ["Row", "Prediction", report.target, "Lower", "Upper", "Width", "Covered"],
    rows: () =>
      shown().map((row) => [
        count(row.row),
        ...[row.f, row.y, row.lower, row.upper, row.width].map((value) => number(value, 4)),
        row.covered ? "yes" : "no",
      ]),
  });
  // A click selects a row anywhere above or below its bar, because 200 bars are thin.
  if (clickable)
    chart.onClick((at) => {
      const row = shown().filter(finite)[at];
      if (row) view.row.move(row.index);
    });
  return chart;
}
