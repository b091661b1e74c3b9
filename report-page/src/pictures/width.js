// The width of the interval of each sampled row against a column or the prediction.
import { Chart } from "../chart.js";
import { chooser } from "../dom.js";
import { count, number, plural, withUnit } from "../format.js";
import { axis, pointChart, tooltip } from "../theme.js";

// Spreads rows of one category horizontally. The golden ratio spreads them evenly, and in the same way every time.
const jitter = (index) => (((index * 0.6180339887) % 1) - 0.5) * 0.6;

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length / 2;
  return sorted.length === 0 ? NaN : 0.5 * (sorted[Math.ceil(half) - 1] + sorted[Math.floor(half)]);
}

export function drawWidth(parent, report, view) {
  const unit = report.unit;
  let chosen = report.features.length > 1 ? 1 : 0;
  const feature = () => report.features[chosen];
  const usable = (row) => Number.isFinite(row.width) && feature().values[row.index] !== null;
  const place = (row) => feature().values[row.index] + (feature().category ? jitter(row.index) : 0);

  const xAxis = (colours) => {
    if (!feature().category)
      return axis(colours, { type: "value", scale: true, name: feature().name, nameGap: 26, axisLabel: { formatter: (value) => number(value, 4) } });
    const names = feature().bins.map((bin) => bin.name);
    return axis(colours, {
      type: "value",
      min: -0.5,
      max: names.length - 0.5,
      interval: 1,
      name: feature().name,
      nameGap: 26,
      grid: false,
      axisLabel: { customValues: names.map((_, at) => at), formatter: (value) => names[value] ?? "", width: 80, overflow: "truncate" },
    });
  };

  const option = (colours, width) => {
    const series = (name, covered, style) => ({
      name,
      type: "scatter",
      data: view.intervals.filter((row) => row.covered === covered && usable(row)).map((row) => [place(row), row.width, row.index]),
      ...style,
    });
    return {
      ...pointChart(
        colours,
        ({ value }) => {
          const row = view.intervals[value[2]];
          const at = feature().category ? feature().bins[feature().values[row.index]].name : number(feature().values[row.index], 4);
          return tooltip(`Row ${count(row.row)}${row.covered ? "" : ": missed"}`, [
            [feature().name, at],
            ["width", withUnit(number(row.width), unit)],
            [report.target, withUnit(number(row.y, 4), unit)],
            ["prediction", withUnit(number(row.f, 4), unit)],
          ]);
        },
        { grid: { right: 16, top: 28 } },
      ),
      xAxis: xAxis(colours),
      yAxis: axis(colours, {
        type: "value",
        min: 0,
        name: unit ? `width, ${unit}` : "width",
        nameLocation: "end",
        nameGap: 10,
        nameTextStyle: { color: colours.soft, align: "left", fontSize: 12 },
        axisLabel: { formatter: (value) => number(value, 4) },
      }),
      series: [
        series("covered", true, { symbolSize: width < 500 ? 4 : 5, itemStyle: { color: colours.accent, opacity: 0.45 } }),
        series("missed", false, { symbol: "diamond", symbolSize: 7, itemStyle: { color: colours.miss, opacity: 0.9 }, z: 5 }),
      ],
    };
  };

  // The bin of a number: the one with the nearest middle.
  const binOf = (value) => {
    if (value === null) return feature().bins.findIndex((bin) => bin.name === "missing");
    if (feature().category) return value;
    let best = 0;
    feature().bins.forEach((bin, at) => {
      if (bin.middle !== null && Math.abs(bin.middle - value) < Math.abs(feature().bins[best].middle - value)) best = at;
    });
    return best;
  };
  const byBin = () => {
    const widths = feature().bins.map(() => []);
    for (const row of view.intervals) widths[binOf(feature().values[row.index])]?.push(row.width);
    return feature().bins.map((bin, at) => [bin.name, count(widths[at].length), number(median(widths[at]))]);
  };

  const chart = new Chart(parent, {
    id: "width",
    title: "Width",
    words: () =>
      view.intervals.some((row) => Number.isFinite(row.width))
        ? "The width of the interval of each drawn row. Diamonds are misses."
        : "At this level every interval is the whole line: there is nothing to draw.",
    controls: [
      chooser("against", report.features.map((one) => one.name), chosen, (choice) => {
        chosen = choice;
        chart.draw();
      }),
    ],
    option,
    label: () => `Width against ${feature().name} for ${plural(view.intervals.filter(usable).length, "row")}; the table has medians.`,
    head: () => [feature().name, "Rows drawn", "Median width"],
    rows: byBin,
  });
  return chart;
}
