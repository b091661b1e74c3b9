// The answer in words, written by the library for every level.
import { byId, element } from "../dom.js";

export function showAnswer(report, level) {
  level.follow((position) => {
    const { tone, headline, sentences } = report.levels[position];
    byId("answer").dataset.tone = tone;
    byId("headline").textContent = headline;
    byId("sentences").replaceChildren(...sentences.map((sentence) => element("p", {}, ...commands(sentence))));
  });
}

// 'taut ...' in a sentence is a command.
function commands(sentence) {
  return sentence.split(/('taut [a-z]+')/).map((part) => (/^'taut /.test(part) ? element("code", {}, part.slice(1, -1)) : part));
}
