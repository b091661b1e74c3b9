// Groups of rows that are covered less often than chance explains, described by their columns.
import { byId, element } from "../dom.js";
import { count, level as levelText, plural, share } from "../format.js";

// A line that ends at 1, with the range that chance explains, the measured share and the confidence level.
function gauge(found, least, confidence) {
  const start = Math.max(0, Math.min(0.5, Math.floor(10 * Math.min(found, least)) / 10));
  const place = (value) => `${(100 * (value - start)) / (1 - start)}%`;
  const bar = element("span", { class: "gauge", "aria-hidden": "true" });
  const add = (name, left, width) => {
    const part = element("span", { class: name });
    part.style.left = left;
    if (width) part.style.width = width;
    bar.append(part);
  };
  add("gauge-range", place(least), `${(100 * (1 - least)) / (1 - start)}%`);
  add("gauge-level", place(confidence));
  add("gauge-dot", place(found));
  return bar;
}

function failureItem(failure, confidence) {
  const { words, rows, covered, least, all_rows: allRows, all_covered: allCovered } = failure;
  const origin = allRows
    ? ` The group was found on one half of the rows, and these numbers are of the other half. Of all ${count(allRows)} rows in it ${share(allCovered / allRows)} are covered.`
    : "";
  return element(
    "li",
    { class: "failure" },
    element("p", { class: "where" }, `Where ${words}`),
    element("p", {}, element("strong", {}, `${share(covered / rows)} of ${plural(rows, "row")}`), " are covered. ",
      element("span", { class: "soft" }, `Chance explains ${share(least / rows)} and more.${origin}`)),
    gauge(covered / rows, least / rows, confidence),
  );
}

function leadText(tone, confidence, found) {
  const level = levelText(confidence);
  if (tone === "no-quantile") return `There is nothing to judge at ${level}.`;
  if (found > 0) return `${found === 1 ? "One group of rows is" : `${count(found)} groups of rows are`} covered less often than chance explains at ${level}.`;
  if (tone === "too-low") return "The rows as a whole are covered too rarely, and no group of them stands out.";
  return `No group of rows is covered less often than chance explains at ${level}.`;
}

function slabText(report, position) {
  const slab = report.slabs[position];
  if (slab)
    return `The worst slab, the least covered tenth of the rows that a search over directions found: where ${slab.words}, ${share(slab.covered / slab.rows)} of ${plural(slab.rows, "held-out row")} are covered${slab.low ? "" : ", which chance explains"}.`;
  const known = report.metrics.find(({ name }) => name === "worst_slab_coverage").values.map((value) => value !== null);
  const searched = report.levels.filter((_, at) => known[at]).map(({ confidence }) => levelText(confidence));
  return known[position] || searched.length === 0 ? "" : `The worst slab is searched for at ${searched.join(", ")}.`;
}

export function showFailures(report, level) {
  const lead = element("p", { id: "failures-lead" });
  const list = element("ul", { class: "failures" });
  const more = element("p", {});
  const slab = element("p", { class: "soft" });
  byId("failures").append(
    lead,
    list,
    more,
    slab,
    element("p", { class: "soft" },
      "Three kinds of groups are tested: those of the coverage chart, by size and by every column; regions that a shallow tree on the misses found; and the worst slab. " +
      "Tree and slab are found on one random half of the rows and tested on the other, because a group looks worse than it is on the rows that found it. " +
      `The range that chance explains has the same distribution as in the chart and in the answer above. If coverage is the same everywhere, all ${count(report.groups)} ranges of a level together hold in ${count(Math.round(100 * report.band))} of 100 reports; ` +
      "a group's range is therefore wider than the range of all rows, which is tested alone."),
  );
  level.subscribe((position) => {
    const { confidence, tone } = report.levels[position];
    const { list: listed, count: found } = report.failures[position];
    lead.textContent = leadText(tone, confidence, found);
    list.replaceChildren(...listed.map((failure) => failureItem(failure, confidence)));
    const rest = found - listed.length;
    more.textContent = rest > 0 ? `${plural(rest, "more group")} can be seen in the coverage chart.` : "";
    slab.textContent = slabText(report, position);
  });
}
