// Colours and fonts for the charts, as the style sheet has them now.
const names = ["page", "card", "ink", "soft", "line", "accent", "accent-soft", "miss"];

export function theme() {
  const style = getComputedStyle(document.documentElement);
  const colours = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
  return { ...colours, font: getComputedStyle(document.body).fontFamily };
}

// Axes and tooltip that all charts share.
export function base(colours) {
  return {
    animation: false,
    backgroundColor: "transparent",
    textStyle: { fontFamily: colours.font, color: colours.ink, fontSize: 12 },
    tooltip: {
      confine: true,
      backgroundColor: colours.card,
      borderColor: colours.line,
      textStyle: { color: colours.ink, fontSize: 12, fontFamily: colours.font },
      extraCssText: "box-shadow: 0 4px 16px rgba(0,0,0,.12); max-width: 20rem; white-space: normal",
    },
  };
}

// The same for a chart that follows the pointer: `words` gives the tooltip of an item, `pointer` what marks its place.
export function following(colours, words, pointer = { type: "line", lineStyle: { color: colours.line } }) {
  const common = base(colours);
  return {
    ...common,
    grid: { left: 8, right: 20, top: 24, bottom: 30, containLabel: true },
    tooltip: { ...common.tooltip, trigger: "axis", axisPointer: pointer, formatter: ([item]) => words(item) },
  };
}

export function axis(colours, options) {
  return {
    nameLocation: "middle",
    nameTextStyle: { color: colours.soft, fontSize: 12 },
    axisLabel: { color: colours.soft, hideOverlap: true, ...options.axisLabel },
    axisLine: { show: false, onZero: false, lineStyle: { color: colours.line } },
    axisTick: { show: false },
    splitLine: { show: options.grid !== false, lineStyle: { color: colours.line } },
    ...Object.fromEntries(Object.entries(options).filter(([key]) => key !== "grid" && key !== "axisLabel")),
  };
}

// A faint line at a value that matters.
export function mark(colours, where, text, position = "end") {
  return {
    silent: true,
    symbol: "none",
    animation: false,
    lineStyle: { color: colours.ink, type: [4, 4], width: 1, opacity: 0.7 },
    label: { formatter: text, color: colours.soft, fontSize: 11, position },
    data: [where],
  };
}

// ECharts takes tooltips as HTML; ours are lines of text.
const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escaped = (text) => String(text).replace(/[&<>"']/g, (letter) => escapes[letter]);

export function tip(title, pairs) {
  const rows = pairs.map(([name, value]) => `<tr><td class="name">${escaped(name)}</td><td>${escaped(value)}</td></tr>`);
  return `<strong>${escaped(title)}</strong><table class="tip">${rows.join("")}</table>`;
}
