// The answer in words, written by the library for every level.
import { byId, element } from "../dom.js";

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

// 'taut ...' in a text is a command.
function withCommands(text) {
  return text.split(/('taut [a-z]+')/).map((part) => (/^'taut /.test(part) ? element("code", {}, part.slice(1, -1)) : part));
}
