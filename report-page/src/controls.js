// A labelled list to choose from.
import { element } from "./dom.js";

let counter = 0;

export function chooser(label, names, chosen, onChange) {
  const id = `chooser-${++counter}`;
  const select = element("select", { id }, ...names.map((name, index) => element("option", { value: index }, name)));
  select.value = chosen;
  select.addEventListener("change", () => onChange(Number(select.value)));
  return element("span", { class: "chooser" }, element("label", { for: id }, label), select);
}
