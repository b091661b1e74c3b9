// Facts about data and model, and the commands that reproduce the report.
import { byId, element, scrollable } from "../dom.js";

export function showFacts(report) {
  const { groups, commands } = report.facts;
  const list = (facts) => element("dl", {}, ...facts.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
  const [open, closed] = [groups.slice(0, 2), groups.slice(2)];
  byId("facts").append(
    element("div", { class: "facts" }, ...open.map((group) => element("div", {}, element("h3", {}, group.title), list(group.facts)))),
    ...closed.map((group) => element("details", { class: "table" }, element("summary", {}, group.title), list(group.facts))),
    element("h3", {}, "How to reproduce this report"),
    scrollable("Commands", element("pre", {}, element("code", {}, commands.join("\n")))),
  );
}
