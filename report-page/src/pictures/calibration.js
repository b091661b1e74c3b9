// Asked for against delivered, at all levels, with the band that chance allows.
import { Chart } from "../chart.js";
import { count, level as levelText, share } from "../format.js";
import { axis, following, mark, tip } from "../theme.js";

export function drawCalibration(parent, report, view) {
  const { nominal, coverage, low, high } = report.curve;
  const here = () => report.levels[view.position].confidence;
  const at = () => nominal.indexOf(here());
  const outside = nominal.map((_, i) => coverage[i] < low[i] || coverage[i] > high[i]);
  const points = (values) => nominal.map((level, i) => [level, values[i]]);

  const option = (colours) => {
    const line = { type: "line", symbol: "none", silent: true };
    const now = at();
    return {
      ...following(colours, ({ dataIndex }) =>
        tip(`Confidence ${levelText(nominal[dataIndex])}`, [
          ["covered", share(coverage[dataIndex])],
          ["expected", `${share(low[dataIndex])} to ${share(high[dataIndex])}`],
        ]),
      ),
      xAxis: axis(colours, {
        type: "value", min: 0, max: 1, interval: 0.2, name: "confidence asked for", nameGap: 26, axisLabel: { formatter: (value) => share(value, 0) },
      }),
      yAxis: axis(colours, { type: "value", min: 0, max: 1, interval: 0.2, axisLabel: { formatter: (value) => share(value, 0) } }),
      series: [
        { ...line, data: points(low), stack: "band", lineStyle: { opacity: 0 } },
        {
          ...line,
          data: points(high.map((value, i) => value - low[i])),
          stack: "band",
          lineStyle: { opacity: 0 },
          areaStyle: { color: colours["accent-soft"], opacity: 1 },
        },
        { ...line, silent: false, data: points(coverage), lineStyle: { color: colours.accent, width: 2 }, itemStyle: { color: colours.accent } },
        {
          type: "scatter",
          data: [[here(), coverage[now]]],
          symbolSize: 12,
          symbol: outside[now] ? "diamond" : "circle",
          itemStyle: { color: outside[now] ? colours.miss : colours.accent, borderColor: colours.card, borderWidth: 2 },
          markLine: mark(colours, { xAxis: here() }, levelText(here())),
          z: 6,
        },
      ],
    };
  };

  return new Chart(parent, {
    id: "calibration",
    title: "Calibration curve",
    words: () => {
      const off = outside.filter(Boolean).length;
      const all = outside.length;
      return (
        `Coverage of the test rows at every level. Shaded: where it lies with ${levelText(report.band)} probability if the rows are exchangeable. ` +
        (off === 0 ? "The curve stays inside." : `The curve is outside at ${count(off)} of ${count(all)} levels.`)
      );
    },
    option,
    label: () => `At ${levelText(here())}, ${share(coverage[at()])} are covered; expected ${share(low[at()])} to ${share(high[at()])}.`,
    head: ["Confidence", "Covered", "Expected from", "to"],
    rows: () => nominal.map((level, i) => [levelText(level), share(coverage[i]), share(low[i]), share(high[i])]),
  });
}
