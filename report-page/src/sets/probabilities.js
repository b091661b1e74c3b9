// How good the probabilities are, which no slider moves.
import { byId, element, scrollable } from "../dom.js";
import { number, share } from "../format.js";

export function showProbabilities(report) {
  const rows = report.probabilities.map(({ name, summary, value }) =>
    element("tr", {}, element("th", { scope: "row" }, name.replace(/_/g, " ")),
      element("td", { class: "number", "data-metric": name, "data-value": value === null ? "" : String(value) }, name === "accuracy" ? share(value) : number(value, 4)),
      element("td", { class: "soft" }, summary)));
  byId("metrics").append(
    element("details", { class: "table" }, element("summary", {}, "The probabilities"), scrollable("The probabilities", element("table", {}, element("tbody", {}, ...rows)))),
  );
}
