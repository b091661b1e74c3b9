// The few numbers that matter most, large; all of them in a table.
import { byId, element, scrollable } from "../dom.js";
import { count, level as levelText, number, share, withUnit } from "../format.js";

const shares = new Set(["coverage", "coverage_low", "coverage_high", "worst_slab_coverage", "size_stratified_coverage"]);
const widths = new Set(["mean_width", "median_width", "interval_score"]);

export function shown(name, value, unit) {
  if (shares.has(name)) return share(value, 2);
  return widths.has(name) ? withUnit(number(value, 4), unit) : number(value, 4);
}

function card(title) {
  const value = element("p", { class: "value" });
  const remark = element("p", { class: "soft" });
  return { node: element("div", { class: "card" }, element("h3", {}, title), value, remark), value, remark };
}

// `percent` is the library's, as in the words of the answer.
function againstConstant(percent) {
  if (percent === null) return "";
  if (percent === 0) return "as wide as one width for all";
  return `${Math.abs(percent)} % ${percent < 0 ? "narrower" : "wider"} than one width for all`;
}

export function showMetrics(report, level) {
  const unit = report.unit;
  const metric = Object.fromEntries(report.metrics.map((one) => [one.name, one]));
  const cards = { coverage: card("Covered"), mean: card("Mean width"), median: card("Median width"), score: card("Interval score") };
  const body = element("tbody");
  const note = element("p", { class: "soft" });
  const allMetrics = element(
    "details",
    { class: "table" },
    element("summary", {}, "All numbers"),
    scrollable("All numbers", element("table", { id: "all-metrics" }, body)),
    note,
  );
  byId("metrics").append(element("div", { class: "cards" }, ...Object.values(cards).map((one) => one.node)), allMetrics);

  const measure = (one, value) => one.value.replaceChildren(number(value), ...(unit && value !== null ? [element("small", {}, ` ${unit}`)] : []));

  level.subscribe((position) => {
    const { confidence, rank, delivered, against_constant: percent } = report.levels[position];
    const value = (name) => metric[name].values[position];
    cards.coverage.value.textContent = share(value("coverage"));
    cards.coverage.remark.textContent = `chance explains ${share(value("coverage_low"))} to ${share(value("coverage_high"))}`;
    measure(cards.mean, value("mean_width"));
    cards.mean.remark.textContent = againstConstant(percent);
    measure(cards.median, value("median_width"));
    cards.median.remark.textContent = "half of the intervals are narrower";
    measure(cards.score, value("interval_score"));
    cards.score.remark.textContent = "width, and what misses cost; lower is better";

    const row = (name, exact, text, meaning) =>
      element("tr", {}, element("th", { scope: "row" }, name.replace(/_/g, " ")),
        element("td", { class: "number", "data-metric": name, "data-value": exact === null ? "" : String(exact) }, text),
        element("td", { class: "soft" }, meaning));
    body.replaceChildren(
      row("confidence", confidence, levelText(confidence), "the level that was asked for"),
      row("rank", rank, count(rank), `which of the ${count(report.calibration_rows)} sorted calibration scores is the quantile`),
      row("delivered", delivered, share(delivered, 3), "the coverage that is guaranteed: rank / (calibration rows + 1)"),
      ...report.metrics.map((one) => row(one.name, one.values[position], shown(one.name, one.values[position], unit), one.summary)),
    );
    const slow = report.metrics.filter((one) => !one.everywhere);
    const at = report.levels.filter((_, i) => slow.some((one) => one.values[i] !== null)).map((one) => levelText(one.confidence));
    note.textContent =
      (report.rows === 1 ? "All numbers are of 1 test row." : `All numbers are of all ${count(report.rows)} test rows.`) +
      (at.length === 0 ? "" : ` ${slow.map((one) => one.name.replace(/_/g, " ")).join(" and ")} take long and are computed at ${at.join(", ")} only.`);
  });
}
