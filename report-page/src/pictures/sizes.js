// The distribution of the sizes of sets, and the coverage for each size.
import { Chart } from "../chart.js";
import { count, level as levelText, number, share } from "../format.js";
import { axis, pointerChart, tooltip } from "../theme.js";

export function drawSizes(parent, report, view) {
  const parts = () =>
    report.by_width[view.position].map(([low, high, rows, covered]) => ({ name: low === high ? number(low) : `${number(low)} to ${number(high)}`, rows, covered }));
  const asked = () => levelText(report.levels[view.position].confidence);
  const option = (colours) => {
    const bars = parts();
    const bar = { type: "bar", stack: "rows", barMaxWidth: 60 };
    return {
      ...pointerChart(colours, ({ dataIndex }) => {
        const { name, rows, covered } = bars[dataIndex];
        return tooltip(`Size ${name}`, [["rows", `${count(rows)}, ${share(rows / report.rows)}`], ["covered", share(covered / rows)]]);
      }, { pointer: { type: "shadow", shadowStyle: { color: colours.line, opacity: 0.4 } } }),
      xAxis: axis(colours, { type: "category", data: bars.map(({ name }) => name), name: "labels in the set", nameGap: 26, grid: false }),
      yAxis: axis(colours, { type: "value", axisLabel: { formatter: (value) => share(value, 0) } }),
      series: [
        { ...bar, name: "covered", data: bars.map(({ covered }) => covered / report.rows), itemStyle: { color: colours.accent } },
        { ...bar, name: "missed", data: bars.map(({ rows, covered }) => (rows - covered) / report.rows), itemStyle: { color: colours.miss } },
      ],
    };
  };
  return new Chart(parent, {
    id: "sizes",
    title: "Sizes of sets",
    words: () => `Share of the test rows by the number of labels in their set, at ${asked()}. The upper, red part of a bar: rows whose label is not in their set.`,
    option,
    label: () => parts().map(({ name, rows }) => `${share(rows / report.rows)} hold ${name}`).join(", "),
    head: ["Labels in the set", "Rows", "Share", "Covered"],
    rows: () => parts().map(({ name, rows, covered }) => [name, count(rows), share(rows / report.rows), share(covered / rows)]),
  });
}
