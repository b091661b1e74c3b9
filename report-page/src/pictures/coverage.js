// Does coverage hold for narrow and wide intervals alike, and along every column? All test rows, in bins, with exact bands.
import { binomialBand } from "../beta.js";
import { Chart } from "../chart.js";
import { chooser } from "../controls.js";
import { count, level as levelText, number, share } from "../format.js";
import { axis, following, mark, tip } from "../theme.js";

function widthBins(report, position) {
  return report.by_width[position].map(([low, high, , rows, hits]) => ({
    name: low === high ? number(low) : `${number(low ?? Infinity)} to ${number(high ?? Infinity)}`,
    rows,
    hits,
  }));
}

function featureBins(feature, position) {
  return feature.bins.map((bin) => {
    let hits = 0;
    for (let i = 0; i <= position; ++i) hits += bin.hits[i];
    return { name: bin.name, rows: bin.rows, hits };
  });
}

export function drawCoverage(parent, report, view) {
  let chosen = 0;
  const names = ["width of the interval", ...report.features.map((feature) => feature.name)];
  const bins = () => {
    const all = chosen === 0 ? widthBins(report, view.position) : featureBins(report.features[chosen - 1], view.position);
    return all.map((bin) => ({ ...bin, coverage: bin.hits / bin.rows, band: binomialBand(bin.hits, bin.rows, report.band) }));
  };
  const nominal = () => report.levels[view.position].confidence;
  const outside = (bin) => nominal() < bin.band[0] || nominal() > bin.band[1];

  const whisker = (params, api) => {
    const at = api.value(0);
    const [left, y] = api.coord([api.value(1), at]);
    const right = api.coord([api.value(2), at])[0];
    const style = { stroke: api.visual("color"), lineWidth: 2, lineCap: "round" };
    return { type: "line", shape: { x1: left, y1: y, x2: right, y2: y }, style };
  };

  const option = (colours) => {
    const all = bins();
    const colour = (bin) => (outside(bin) ? colours.miss : colours.accent);
    const least = Math.max(0, Math.floor(20 * Math.min(nominal(), ...all.map((bin) => bin.band[0])) - 0.2) / 20);
    return {
      ...following(
        colours,
        ({ dataIndex }) => {
          const bin = all[dataIndex];
          return tip(bin.name, [
            ["covered", `${share(bin.coverage)} of ${count(bin.rows)} rows`],
            [`${levelText(report.band)} band`, `${share(bin.band[0])} to ${share(bin.band[1])}`],
          ]);
        },
        { type: "shadow", shadowStyle: { color: colours.line, opacity: 0.4 } },
      ),
      xAxis: axis(colours, {
        type: "value",
        min: least,
        max: 1,
        interval: least >= 0.7 ? 0.05 : least >= 0.5 ? 0.1 : 0.2,
        name: "covered",
        nameGap: 26,
        axisLabel: { formatter: (value) => share(value, 0) },
      }),
      yAxis: axis(colours, {
        type: "category",
        inverse: true,
        data: all.map((bin) => bin.name),
        grid: false,
        axisLabel: { width: 130, overflow: "truncate", interval: 0 },
      }),
      series: [
        {
          type: "custom",
          renderItem: whisker,
          data: all.map((bin, at) => ({ value: [at, ...bin.band], itemStyle: { color: colour(bin) } })),
          encode: { x: [1, 2], y: 0 },
          markLine: mark(colours, { xAxis: nominal() }, levelText(nominal()), "start"),
        },
        {
          type: "scatter",
          symbolSize: 9,
          data: all.map((bin, at) => ({ value: [bin.coverage, at], itemStyle: { color: colour(bin) }, symbol: outside(bin) ? "diamond" : "circle" })),
          z: 5,
        },
      ],
    };
  };

  const chart = new Chart(parent, {
    id: "coverage",
    title: "Coverage",
    words: () => `Share of all ${count(report.rows)} test rows covered, with exact ${levelText(report.band)} bands. A band off the dashed line says that coverage is not even.`,
    controls: [
      chooser("by", names, chosen, (choice) => {
        chosen = choice;
        chart.draw();
      }),
    ],
    option,
    label: () => {
      const off = bins().filter(outside).length;
      return `Coverage by ${names[chosen]}: ${off === 0 ? "all bins agree" : `${off} of ${bins().length} bins disagree`} with ${levelText(nominal())}.`;
    },
    head: () => [names[chosen], "Rows", "Covered", "Band from", "to"],
    rows: () => bins().map((bin) => [bin.name, count(bin.rows), share(bin.coverage), share(bin.band[0]), share(bin.band[1])]),
  });
  return chart;
}
