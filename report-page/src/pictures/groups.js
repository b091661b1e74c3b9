// The coverage of each group that was asked for, those that need attention first.
import { Chart } from "../chart.js";
import { count, level as levelText, number, plural, share } from "../format.js";
import { axis, markLine, pointerChart, tooltip, verdictLook } from "../theme.js";

function groupsAt(report, position) {
  const { lines, below } = report.by_group.levels[position];
  return lines.map(([name, rows, covered, low, high, width], at) => ({
    name, rows, covered, low, high, width, share: covered / rows, verdict: at < below ? "low" : "inside",
  }));
}

export function drawGroups(parent, report, view) {
  const { by, groups: all } = report.by_group;
  const groups = () => groupsAt(report, view.position);
  const asked = () => report.levels[view.position].confidence;
  const words = () => report.by_group.levels[view.position].words;
  const sentence = () => `${words().charAt(0).toUpperCase()}${words().slice(1)}.`;

  const bandBar = (params, api) => {
    const at = api.value(0);
    const [left, y] = api.coord([api.value(1), at]);
    const right = api.coord([api.value(2), at])[0];
    return { type: "line", shape: { x1: left, y1: y, x2: right, y2: y }, style: { stroke: api.visual("color"), lineWidth: 7, lineCap: "round" } };
  };

  const option = (colours) => {
    const shown = groups();
    const look = (group) => verdictLook(colours, group.verdict);
    const least = Math.max(0, Math.floor(20 * Math.min(asked(), ...shown.map((group) => group.low)) - 0.2) / 20);
    const content = ({ dataIndex }) => {
      const group = shown[dataIndex];
      return tooltip(group.name, [
        ["covered", `${share(group.share)} of ${plural(group.rows, "row")}`],
        ["coverage of the group", `${share(group.low)} to ${share(group.high)}`],
        ["mean width", number(group.width)],
      ]);
    };
    return {
      ...pointerChart(colours, content, { pointer: { type: "shadow", shadowStyle: { color: colours.line, opacity: 0.4 } } }),
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
        data: shown.map((group) => group.name),
        grid: false,
        axisLabel: { width: 130, overflow: "truncate", interval: 0 },
      }),
      series: [
        {
          type: "custom",
          renderItem: bandBar,
          data: shown.map((group, at) => [at, group.low, group.high]),
          encode: { x: [1, 2], y: 0 },
          itemStyle: { color: colours["accent-soft"] },
          markLine: markLine(colours, { xAxis: asked() }, levelText(asked()), "start"),
        },
        {
          type: "scatter",
          symbolSize: 10,
          data: shown.map((group, at) => ({ value: [group.share, at], itemStyle: { color: look(group).colour }, symbol: look(group).symbol })),
          z: 5,
        },
      ],
    };
  };

  const first = () => (groups().length < all ? `The ${count(groups().length)} of ${count(all)} groups that need attention most. ` : "");
  return new Chart(parent, {
    id: "groups",
    title: `Coverage by ${by}`,
    tall: true,
    words: () =>
      `A dot is the share of a group's rows that is covered, its bar where the group's coverage lies, 99 times in 100. A red diamond: below ${levelText(asked())}, beyond what chance explains over all groups. ` +
      first() + sentence(),
    option,
    label: () => `Coverage by ${by}, where ${levelText(asked())} were asked for: ${words()}`,
    head: () => [by, "Rows", "Covered", "From", "to", "Mean width"],
    rows: () => groups().map((group) => [group.name, count(group.rows), share(group.share), share(group.low), share(group.high), number(group.width)]),
  });
}
