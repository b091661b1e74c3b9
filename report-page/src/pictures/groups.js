// The coverage of each group of rows: of those that were asked for, the ones that need attention first, and of each true label.
import { Chart } from "../chart.js";
import { count, level as levelText, number, plural, share } from "../format.js";
import { tooltip } from "../theme.js";
import { groupChart } from "./group_chart.js";

// A group has name, rows, width, range, share and verdict; `thing` is what it is, `first` heads the column of names.
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
