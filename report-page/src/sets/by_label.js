// The rows of each true label: how often their sets hold it, and how large these are.
import { Chart } from "../chart.js";
import { count, level as levelText, number, plural, share } from "../format.js";
import { groupChart } from "../pictures/group_chart.js";
import { tooltip } from "../theme.js";

export function drawByLabel(parent, report, view) {
  const asked = () => report.levels[view.position].confidence;
  const groups = () =>
    report.by_label[view.position]
      .map(([rows, covered, low, high, size], at) => ({
        name: report.labels[at], rows, covered, size, share: covered / rows, range: [low, high], verdict: high < asked() ? "low" : "inside",
      }))
      .filter(({ rows }) => rows > 0);
  const content = (group) =>
    tooltip(group.name, [
      ["covered", `${share(group.share)} of ${plural(group.rows, "row")}`],
      ["coverage of the label", `${share(group.range[0])} to ${share(group.range[1])}`],
      ["labels in a set", number(group.size)],
    ]);
  const below = () => groups().filter(({ verdict }) => verdict === "low").length;
  const promise = report.by_label_promised
    ? "The model promises its coverage for each label."
    : "The model promises coverage for all rows together, not for each label; --by-label does.";
  return new Chart(parent, {
    id: "by-label",
    title: "Coverage by true label",
    tall: report.labels.length > 8,
    words: () =>
      `A dot is the share of the rows with a label whose sets hold it, its bar where the label's coverage lies, 99 times in 100. A red diamond: all of the bar is below ${levelText(asked())}. ` +
      `${promise} ${below() === 0 ? "No label is below." : `${count(below())} of ${plural(groups().length, "label")} below.`}`,
    option: (colours) => groupChart(colours, groups(), asked(), content),
    label: () => `${plural(below(), "label")} below ${levelText(asked())}.`,
    head: ["True label", "Rows", "Covered", "From", "to", "Labels in a set"],
    rows: () => groups().map((group) => [group.name, count(group.rows), share(group.share), ...group.range.map((end) => share(end)), number(group.size)]),
  });
}
