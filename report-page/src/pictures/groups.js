// Charts of the coverage of groups of rows.
import { Chart } from "../chart.js";
import { count, level as levelText, number, plural, share } from "../format.js";
import { axis, markLine, pointerChart, tooltip, verdictLook } from "../theme.js";

function rangeBar(params, api) {
  const at = api.value(0);
  const [left, y] = api.coord([api.value(1), at]);
  const right = api.coord([api.value(2), at])[0];
  return { type: "line", shape: { x1: left, y1: y, x2: right, y2: y }, style: { stroke: api.visual("color"), lineWidth: 7, lineCap: "round" } };
}

// One line for each group: a dot for the covered share, a bar for a range, and a vertical line at the confidence level `asked`.
// A group has name, share, range and verdict; `content(group)` is its tooltip.
export function groupChart(colours, groups, asked, content) {
  const look = (group) => verdictLook(colours, group.verdict);
  const least = Math.max(0, Math.floor(20 * Math.min(asked, ...groups.flatMap((group) => [group.share, group.range[0]])) - 0.2) / 20);
  const pointer = { type: "shadow", shadowStyle: { color: colours.line, opacity: 0.4 } };
  return {
    ...pointerChart(colours, ({ dataIndex }) => content(groups[dataIndex]), { pointer }),
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
      data: groups.map((group) => group.name),
      grid: false,
      axisLabel: { width: 130, overflow: "truncate", interval: 0 },
    }),
    series: [
      {
        type: "custom",
        renderItem: rangeBar,
        data: groups.map((group, at) => [at, ...group.range]),
        encode: { x: [1, 2], y: 0 },
        itemStyle: { color: colours["accent-soft"] },
        markLine: markLine(colours, { xAxis: asked }, levelText(asked), "start"),
      },
      {
        type: "scatter",
        symbolSize: 10,
        data: groups.map((group, at) => ({ value: [group.share, at], itemStyle: { color: look(group).colour }, symbol: look(group).symbol })),
        z: 5,
      },
    ],
  };
}

// A group has name, rows, width, range, share and verdict. `thing` is "group" or "label", `first` the heading of the names.
function groupPicture(parent, report, view, { thing, first, groups, ...rest }) {
  const size = report.kind === "sets" ? "labels in a set" : "mean width";
  const content = (group) =>
    tooltip(group.name, [
      ["covered", `${share(group.share)} of ${plural(group.rows, "row")}`],
      [`coverage of the ${thing}`, `${share(group.range[0])} to ${share(group.range[1])}`],
      [size, number(group.width)],
    ]);
  return new Chart(parent, {
    option: (colours) => groupChart(colours, groups(), report.levels[view.position].confidence, content),
    head: [first, "Rows", "Covered", "From", "to", size[0].toUpperCase() + size.slice(1)],
    rows: () => groups().map((group) => [group.name, count(group.rows), share(group.share), ...group.range.map((end) => share(end)), number(group.width)]),
    ...rest,
  });
}

export function drawGroups(parent, report, view) {
  const { by, groups: all } = report.by_group;
  const here = () => report.by_group.levels[view.position];
  const asked = () => levelText(report.levels[view.position].confidence);
  const groups = () =>
    here().lines.map(([name, rows, covered, low, high, width], at) => ({
      name, rows, width, range: [low, high], share: covered / rows, verdict: at < here().below ? "low" : "inside",
    }));
  const sentence = () => `${here().words.charAt(0).toUpperCase()}${here().words.slice(1)}.`;
  const some = () => (here().lines.length < all ? `The ${count(here().lines.length)} of ${count(all)} groups that need attention most. ` : "");
  return groupPicture(parent, report, view, {
    id: "groups",
    title: `Coverage by ${by}`,
    thing: "group",
    first: by,
    groups,
    tall: true,
    words: () =>
      `A dot is the share of a group's rows that is covered, its bar where the group's coverage lies, 99 times in 100. A red diamond: below ${asked()}, beyond what chance explains over all groups. ` +
      some() + sentence(),
    label: () => `Coverage by ${by}, where ${asked()} were asked for: ${here().words}`,
  });
}

export function drawByLabel(parent, report, view) {
  const asked = () => report.levels[view.position].confidence;
  const groups = () =>
    report.by_label[view.position]
      .map(([rows, covered, low, high, width], at) => ({
        name: report.labels[at], rows, width, range: [low, high], share: covered / rows, verdict: high < asked() ? "low" : "inside",
      }))
      .filter(({ rows }) => rows > 0);
  const below = () => groups().filter(({ verdict }) => verdict === "low").length;
  const promise = report.by_label_promised
    ? "The model promises its coverage for each label."
    : "The model promises coverage for all rows together, not for each label; --by-label does.";
  return groupPicture(parent, report, view, {
    id: "by-label",
    title: "Coverage by true label",
    thing: "label",
    first: "True label",
    groups,
    tall: report.labels.length > 8,
    words: () =>
      `A dot is the share of the rows with a label whose sets hold it, its bar where the label's coverage lies, 99 times in 100. A red diamond: all of the bar is below ${levelText(asked())}. ` +
      `${promise} ${below() === 0 ? "No label is below." : `${count(below())} of ${plural(groups().length, "label")} below.`}`,
    label: () => `${plural(below(), "label")} below ${levelText(asked())}.`,
  });
}
