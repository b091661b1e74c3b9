// The answer, whose sentences the library writes for every level, and the slider that sets the level of the page.
import { byId, element } from "../dom.js";
import { level as levelText, number, share, withUnit } from "../format.js";
import { metricAt } from "./metrics.js";

export function showAnswer(report, level) {
  level.subscribe((position) => {
    const { tone, headline, statements } = report.levels[position];
    byId("answer").dataset.tone = tone;
    byId("headline").textContent = headline;
    byId("statements").replaceChildren(
      ...statements.flatMap(([label, text]) => [element("dt", {}, label), element("dd", {}, ...withCommands(text))]),
    );
  });
}

// Shows 'taut ...' in a text as code.
function withCommands(text) {
  return text.split(/('taut [a-z]+')/).map((part) => (/^'taut /.test(part) ? element("code", {}, part.slice(1, -1)) : part));
}

export function showSlider(report, level) {
  const slider = byId("level");
  slider.max = report.levels.length - 1;
  slider.value = level.position;
  slider.addEventListener("input", () => level.move(Number(slider.value)));
  const metric = Object.fromEntries(report.metrics.map((one) => [one.name, one]));
  level.subscribe((position) => {
    const words = levelText(report.levels[position].confidence);
    const width = metricAt(metric, metric.mean_width ? "mean_width" : "mean_size", position);
    const brief = `${share(metric.coverage.values[position])} of the test rows covered` +
      (width === null ? "" : `, ${metric.mean_width ? "mean width" : "labels in a set"} ${withUnit(number(width), report.unit)}`);
    byId("level-value").textContent = words;
    byId("level-brief").textContent = brief;
    slider.setAttribute("aria-valuetext", `${words}: ${brief}`);
    slider.style.setProperty("--filled", `${(100 * position) / (report.levels.length - 1)}%`);
  });
}
