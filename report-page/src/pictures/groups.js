// The coverage of each group that was asked for, those that need attention first.
import { Chart } from "../chart.js";
import { count, level as levelText, number, plural, share } from "../format.js";
import { tooltip } from "../theme.js";
import { groupChart } from "./group_chart.js";

function groupsAt(report, position) {
  const { lines, below } = report.by_group.levels[position];
  return lines.map(([name, rows, covered, low, high, width], at) => ({
    name, rows, width, range: [low, high], share: covered / rows, verdict: at < below ? "low" : "inside",
  }));
}

export function drawGroups(parent, report, view) {
  const { by, groups: all } = report.by_group;
  const groups = () => groupsAt(report, view.position);
  const asked = () => report.levels[view.position].confidence;
  const words = () => report.by_group.levels[view.position].words;
  const sentence = () => `${words().charAt(0).toUpperCase()}${words().slice(1)}.`;

  const content = (group) =>
    tooltip(group.name, [
      ["covered", `${share(group.share)} of ${plural(group.rows, "row")}`],
      ["coverage of the group", `${share(group.range[0])} to ${share(group.range[1])}`],
      [report.kind === "sets" ? "labels in a set" : "mean width", number(group.width)],
    ]);

  const first = () => (groups().length < all ? `The ${count(groups().length)} of ${count(all)} groups that need attention most. ` : "");
  return new Chart(parent, {
    id: "groups",
    title: `Coverage by ${by}`,
    tall: true,
    words: () =>
      `A dot is the share of a group's rows that is covered, its bar where the group's coverage lies, 99 times in 100. A red diamond: below ${levelText(asked())}, beyond what chance explains over all groups. ` +
      first() + sentence(),
    option: (colours) => groupChart(colours, groups(), asked(), content),
    label: () => `Coverage by ${by}, where ${levelText(asked())} were asked for: ${words()}`,
    head: () => [by, "Rows", "Covered", "From", "to", report.kind === "sets" ? "Labels in a set" : "Mean width"],
    rows: () => groups().map((group) => [group.name, count(group.rows), share(group.share), ...group.range.map((end) => share(end)), number(group.width)]),
  });
}
