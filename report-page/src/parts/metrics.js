// Cards with the most important numbers, and a table of all metrics.
import { byId, element, scrollable } from "../dom.js";
import { count, level as levelText, number, share, withUnit } from "../format.js";

const shares = new Set(["coverage", "coverage_low", "coverage_high", "worst_slab_coverage", "size_stratified_coverage", "singletons", "correct_singletons", "empty", "full", "unbounded"]);
const widths = new Set(["mean_width", "median_width", "interval_score"]);

// JSON has no infinity: if some intervals are unbounded, a width or score of null means infinity.
export function metricAt(metric, name, position) {
  const value = metric[name].values[position];
  const isInfinite = value === null && widths.has(name) && metric.unbounded?.values[position] > 0;
  return isInfinite ? Infinity : value;
}

export function shown(name, value, unit) {
  if (shares.has(name)) return share(value, 2);
  return widths.has(name) ? withUnit(number(value, 4), unit) : number(value, 4);
}

const row = (name, exact, text, meaning) =>
  element("tr", {}, element("th", { scope: "row" }, name.replace(/_/g, " ")),
    element("td", { class: "number", "data-metric": name, "data-value": exact === null ? "" : String(exact) }, text),
    element("td", { class: "soft" }, meaning));

function card(title) {
  const value = element("p", { class: "value" });
  const remark = element("p", { class: "soft" });
  return { node: element("div", { class: "card" }, element("h3", {}, title), value, remark), value, remark };
}

// `percent` comes from the library and is the same as in the answer.
function againstConstant(percent) {
  if (percent === null) return "";
  if (percent === 0) return "as wide as one width for all";
  return `${Math.abs(percent)} % ${percent < 0 ? "narrower" : "wider"} than one width for all`;
}

// [title, value, remark] of each card. `value(name)` is the value of a metric, `measure` formats it with its unit.
export const intervalCards = (value, measure, percent) => [
  ["Mean width", measure(value("mean_width")), value("unbounded") > 0 ? `${share(value("unbounded"))} of the intervals have no end` : againstConstant(percent)],
  ["Median width", measure(value("median_width")), "half of the intervals are narrower"],
  ["Interval score", measure(value("interval_score")), "width plus a penalty for misses; lower is better"],
];

export const setCards = (value, measure) => [
  ["Labels in a set", measure(value("mean_size")), `${share(value("empty"))} of the sets are empty`],
  ["One label", [share(value("singletons"))], `of these ${share(value("correct_singletons"))} are right`],
  ["Lowest by size", [share(value("size_stratified_coverage"))], "the lowest coverage of sets of one size"],
];

export function showMetrics(report, level, cardsOf) {
  const unit = report.unit;
  const metric = Object.fromEntries(report.metrics.map((one) => [one.name, one]));
  const measure = (value) => [number(value), ...(unit && value !== null ? [element("small", {}, ` ${unit}`)] : [])];
  const at = (position) => (name) => metricAt(metric, name, position);
  const titles = cardsOf(at(0), measure, null).map(([title]) => title);
  const cards = [card("Covered"), ...titles.map(card)];
  const body = element("tbody");
  const note = element("p", { class: "soft" });
  const allMetrics = element(
    "details",
    { class: "table" },
    element("summary", {}, "All numbers"),
    scrollable("All numbers", element("table", { id: "all-metrics" }, body)),
    note,
  );
  byId("metrics").append(element("div", { class: "cards" }, ...cards.map((one) => one.node)), allMetrics);

  level.subscribe((position) => {
    const { confidence, rank, delivered, against_constant: percent } = report.levels[position];
    const value = at(position);
    cards[0].value.textContent = share(value("coverage"));
    cards[0].remark.textContent = `chance explains ${share(value("coverage_low"))} to ${share(value("coverage_high"))}`;
    cardsOf(value, measure, percent).forEach(([, shown_, remark], index) => {
      cards[index + 1].value.replaceChildren(...shown_);
      cards[index + 1].remark.textContent = remark;
    });
    body.replaceChildren(
      row("confidence", confidence, levelText(confidence), "the level that was asked for"),
      ...(rank > 0 ? [row("rank", rank, count(rank), `which of the ${count(report.calibration_rows)} sorted calibration scores is the quantile`)] : []),
      ...(delivered === null ? [] : [row("delivered", delivered, share(delivered, 3), "the coverage that is guaranteed: rank / (calibration rows + 1)")]),
      ...report.metrics.map((one) => row(one.name, one.values[position], shown(one.name, value(one.name), unit), one.summary)),
    );
    const slow = report.metrics.filter((one) => !one.everywhere);
    const computedAt = report.levels.filter((_, i) => slow.some((one) => one.values[i] !== null)).map((one) => levelText(one.confidence));
    note.textContent =
      (report.rows === 1 ? "All numbers are of 1 test row." : `All numbers are of all ${count(report.rows)} test rows.`) +
      (computedAt.length === 0 ? "" : ` ${slow.map((one) => one.name.replace(/_/g, " ")).join(" and ")} take long and are computed at ${computedAt.join(", ")} only.`);
  });
}

// Metrics of the probabilities, which do not depend on the slider.
export function showProbabilities(report) {
  const rows = report.probabilities.map(({ name, summary, value }) => row(name, value, name === "accuracy" ? share(value) : number(value, 4), summary));
  byId("metrics").append(
    element("details", { class: "table" }, element("summary", {}, "The probabilities"), scrollable("The probabilities", element("table", {}, element("tbody", {}, ...rows)))),
  );
}
