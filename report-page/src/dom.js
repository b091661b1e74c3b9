// Creates an element. Text is added as text, never as HTML, so that names of columns are displayed unchanged.
export function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "class") node.className = value;
    else if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== false) node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== undefined && child !== null));
  return node;
}

export const byId = (id) => document.getElementById(id);

// A table with a head and rows of cells. All columns but the first are right-aligned.
export function table(caption, head, rows) {
  const cell = (value, index, tag) => {
    const isHead = tag === "th";
    return element(tag, { class: index > 0 ? "number" : undefined, scope: isHead ? "col" : undefined }, String(value));
  };
  return element(
    "table",
    {},
    element("caption", { class: "hidden" }, caption),
    element("thead", {}, element("tr", {}, ...head.map((name, index) => cell(name, index, "th")))),
    element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((value, index) => cell(value, index, "td"))))),
  );
}

// A container that scrolls wide content, also with the keyboard.
export function scrollable(name, ...children) {
  return element("div", { class: "scroll", role: "region", "aria-label": name, tabindex: "0" }, ...children);
}

let counter = 0;

// A labelled drop-down list.
export function chooser(label, names, chosen, onChange) {
  const id = `chooser-${++counter}`;
  const select = element("select", { id }, ...names.map((name, index) => element("option", { value: index }, name)));
  select.value = chosen;
  select.addEventListener("change", () => onChange(Number(select.value)));
  return element("span", { class: "chooser" }, element("label", { for: id }, label), select);
}
