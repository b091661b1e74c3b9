// What makes intervals wide: columns by their effect on the width, a chart of it, and the explanation of the selected row.
import { Chart } from "../chart.js";
import { byId, chooser, element, scrollable, table } from "../dom.js";
import { count, number, plural, withUnit } from "../format.js";
import { axis, pointChart, tooltip } from "../theme.js";

const times = (factor) => `${number(factor, 3)} times`;

function drawShares(parent, report, view) {
  const drawn = report.reasons.columns.filter(({ name, factors }) => factors && report.features.some((feature) => feature.name === name));
  let chosen = 0;
  const column = () => drawn[chosen];
  const feature = () => report.features.find(({ name }) => name === column().name);
  const points = () =>
    column().factors.flatMap((factor, at) => (feature().values[at] === null || feature().values[at] === undefined ? [] : [[feature().values[at], factor, at]]));
  const valueText = (value) => (feature().category ? feature().bins[value]?.name ?? "missing" : number(value, 4));
  const chart = new Chart(parent, {
    id: "reasons",
    title: "Effect on the width",
    words: "By how many times a column makes each drawn row's interval wider (above 1) or narrower (below 1) than usual.",
    controls: [
      chooser("of", drawn.map(({ name }) => name), chosen, (choice) => {
        chosen = choice;
        chart.draw();
      }),
    ],
    option: (colours, width) => ({
      ...pointChart(
        colours,
        ({ value }) => {
          const row = view.intervals[value[2]];
          return tooltip(`Row ${count(row.row)}`, [
            [column().name, valueText(value[0])],
            ["makes it", `${times(value[1])} as wide`],
            ["width", withUnit(number(row.width), report.unit)],
          ]);
        },
        { grid: { right: 16, top: 28 } },
      ),
      xAxis: axis(colours, { type: "value", scale: true, name: column().name, nameGap: 26, axisLabel: { formatter: valueText } }),
      yAxis: axis(colours, { type: "log", name: "times as wide", nameLocation: "end", nameGap: 10, nameTextStyle: { color: colours.soft, align: "left", fontSize: 12 }, axisLabel: { formatter: (value) => number(value, 3) } }),
      series: [{ name: "effect", type: "scatter", data: points(), symbolSize: width < 500 ? 4 : 5, itemStyle: { color: colours.accent, opacity: 0.5 } }],
    }),
    label: () => `Effect of ${column().name} on the width of ${plural(points().length, "row")}.`,
    head: () => [column().name, "Times as wide"],
    rows: () => points().map(([value, factor]) => [valueText(value), number(factor, 3)]),
  });
}

export function showReasons(report, view) {
  const section = byId("reasons");
  if (!report.reasons) {
    section.remove();
    return;
  }
  const { columns, pairs, words, lead } = report.reasons;
  const chosen = element("p", { id: "row-reasons", "aria-live": "polite" });
  section.append(element("p", {}, lead));
  if (columns.length > 0) {
    const effects = table("Columns by their effect on the width", ["Column", "Usually", "Narrowest", "Widest"],
      columns.map((one) => [one.name, times(one.usual), times(one.narrowest), times(one.widest)]));
    section.append(scrollable("Columns by their effect on the width", effects));
    if (columns.some(({ name, factors }) => factors && report.features.some((feature) => feature.name === name))) {
      const charts = element("div", { class: "charts" });
      section.append(charts);
      drawShares(charts, report, view);
    }
  }
  for (const pair of pairs)
    section.append(element("p", {}, `${pair.first} and ${pair.second} act together: what one does to the width depends on the other, by ${times(pair.factor)}.`));
  section.append(element("h3", {}, "Reasons for one row"), chosen,
    element("p", { class: "soft" }, "Click a row in the chart of intervals to see its reasons. A share is what the model uses, not a cause."));
  view.row.subscribe((row) => {
    const number = report.sample.row[row];
    chosen.textContent = words[row] ? `Row ${count(number)}: ${words[row]}.` : "";
  });
}
