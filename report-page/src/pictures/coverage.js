// Coverage of groups of test rows: by the width of intervals or the size of sets, and by every column.
import { Chart } from "../chart.js";
import { chooser } from "../dom.js";
import { count, level as levelText, number, plural, share } from "../format.js";
import { groupChart } from "./groups.js";
import { judgedGroup, tooltip } from "../theme.js";

const verdictWords = { low: "too low", high: "more often than asked", inside: "chance explains it" };

function widthGroups(report, position) {
  return report.by_width[position].map(([low, high, rows, covered]) => {
    const name = low === high ? number(low ?? Infinity) : `${number(low ?? Infinity)} to ${number(high ?? Infinity)}`;
    return judgedGroup(report, position, name, rows, covered);
  });
}

function columnGroups(report, feature, position) {
  return feature.bins.map((bin) => {
    let covered = 0;
    for (let i = 0; i <= position; ++i) covered += bin.covered[i];
    return judgedGroup(report, position, bin.name, bin.rows, covered);
  });
}

function summary(groups) {
  const number_ = (verdict) => groups.filter((group) => group.verdict === verdict).length;
  const [low, high] = [number_("low"), number_("high")];
  if (low + high === 0) return "Chance explains every group.";
  const part = (found, words) => (found === 0 ? [] : [`${count(found)} of ${plural(groups.length, "group")} covered ${words}`]);
  return `${[...part(low, "too rarely"), ...part(high, "more often than asked")].join(", ")}.`;
}

export function drawCoverage(parent, report, view) {
  let chosen = 0;
  const names = [report.kind === "sets" ? "size of the set" : "width of the interval", ...report.features.map((feature) => feature.name)];
  const groups = () => (chosen === 0 ? widthGroups(report, view.position) : columnGroups(report, report.features[chosen - 1], view.position));
  const asked = () => report.levels[view.position].confidence;

  const content = (group) =>
    tooltip(group.name, [
      ["covered", `${share(group.share)} of ${plural(group.rows, "row")}`],
      ["chance explains", `${share(group.range[0])} to ${share(group.range[1])}`],
      ["verdict", verdictWords[group.verdict]],
    ]);

  const chart = new Chart(parent, {
    id: "coverage",
    title: "Coverage",
    words: () =>
      `A dot is the share of a group's rows that is covered, of ${report.rows === 1 ? "1 test row" : `all ${count(report.rows)} test rows`}. ` +
      "A bar is what chance explains if coverage is the same everywhere. " +
      `Below its bar, a red diamond: covered too rarely. Above it, a triangle: more often than asked. ${summary(groups())}`,
    controls: [
      chooser("by", names, chosen, (choice) => {
        chosen = choice;
        chart.draw();
      }),
    ],
    option: (colours) => groupChart(colours, groups(), asked(), content),
    label: () => `Coverage by ${names[chosen]}, where ${levelText(asked())} were asked for: ${summary(groups())}`,
    head: () => [names[chosen], "Rows", "Covered", "Chance explains from", "to", "Verdict"],
    rows: () =>
      groups().map((group) => [group.name, count(group.rows), share(group.share), share(group.range[0]), share(group.range[1]), verdictWords[group.verdict]]),
  });
  return chart;
}
