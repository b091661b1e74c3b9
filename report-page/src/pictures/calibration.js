// Measured coverage against confidence at all levels, with the band that chance explains.
import { Chart } from "../chart.js";
import { count, level as levelText, share } from "../format.js";
import { axis, markLine, pointerChart, tooltip, verdictLook, verdictOf } from "../theme.js";

export function drawCalibration(parent, report, view) {
  const { nominal, coverage, low, high } = report.curve;
  const here = () => report.levels[view.position].confidence;
  const at = () => nominal.indexOf(here());
  const verdicts = nominal.map((_, i) => verdictOf(coverage[i], low[i], high[i]));
  const points = (values) => nominal.map((level, i) => [level, values[i]]);

  const option = (colours) => {
    const line = { type: "line", symbol: "none", silent: true };
    const now = at();
    const look = verdictLook(colours, verdicts[now]);
    return {
      ...pointerChart(colours, ({ dataIndex }) =>
        tooltip(`Confidence ${levelText(nominal[dataIndex])}`, [
          ["covered", share(coverage[dataIndex])],
          ["chance explains", `${share(low[dataIndex])} to ${share(high[dataIndex])}`],
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
          symbol: look.symbol,
          itemStyle: { color: look.colour, borderColor: colours.card, borderWidth: 2 },
          markLine: markLine(colours, { xAxis: here() }, levelText(here())),
          z: 6,
        },
      ],
    };
  };

  return new Chart(parent, {
    id: "calibration",
    title: "Calibration curve",
    words: () => {
      const number = (verdict) => verdicts.filter((one) => one === verdict).length;
      const [below, above] = [number("low"), number("high")];
      const part = (found, where) => (found === 0 ? [] : [`${where} at ${count(found)} of ${count(verdicts.length)} levels`]);
      const off = [...part(below, "below"), ...part(above, "above")];
      return (
        `Share of all test rows covered at every level. Shaded: what chance explains at each level, ${count(Math.round(100 * report.band))} times in 100, if the rows come from the same source as the calibration rows. ` +
        `The curve ${off.length === 0 ? "stays inside" : `is ${off.join(" and ")}`}.`
      );
    },
    option,
    label: () => `At ${levelText(here())}, ${share(coverage[at()])} are covered; chance explains ${share(low[at()])} to ${share(high[at()])}.`,
    head: ["Confidence", "Covered", "Chance explains from", "to"],
    rows: () => nominal.map((level, i) => [levelText(level), share(coverage[i]), share(low[i]), share(high[i])]),
  });
}
