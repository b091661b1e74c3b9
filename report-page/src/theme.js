// Settings that all charts share. Colours and fonts come from the current style sheet.
const names = ["page", "card", "ink", "soft", "line", "accent", "accent-soft", "miss", "more"];

export function theme() {
  const style = getComputedStyle(document.documentElement);
  const colours = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
  return { ...colours, font: getComputedStyle(document.body).fontFamily };
}

// Frame, fonts and tooltip of every chart; `grid` and `tooltip` override the defaults.
function frame(colours, grid, tooltip) {
  return {
    animation: false,
    backgroundColor: "transparent",
    textStyle: { fontFamily: colours.font, color: colours.ink, fontSize: 12 },
    grid: { left: 8, right: 20, top: 24, bottom: 30, containLabel: true, ...grid },
    tooltip: {
      confine: true,
      backgroundColor: colours.card,
      borderColor: colours.line,
      textStyle: { color: colours.ink, fontSize: 12, fontFamily: colours.font },
      extraCssText: "box-shadow: 0 4px 16px rgba(0,0,0,.12); max-width: 20rem; white-space: normal",
      ...tooltip,
    },
  };
}

// A chart whose tooltip follows the pointer along an axis: `content(item)` is the tooltip, `pointer` the mark at the position.
export function pointerChart(colours, content, { pointer = { type: "line", lineStyle: { color: colours.line } }, grid } = {}) {
  return frame(colours, grid, { trigger: "axis", axisPointer: pointer, formatter: ([item]) => content(item) });
}

// A chart whose tooltip belongs to single points.
export function pointChart(colours, content, { grid } = {}) {
  return frame(colours, grid, { trigger: "item", formatter: content });
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

// A dashed line at a value, with a label.
export function markLine(colours, where, text, position = "end") {
  return {
    silent: true,
    symbol: "none",
    animation: false,
    lineStyle: { color: colours.ink, type: [4, 4], width: 1, opacity: 0.7 },
    label: { formatter: text, color: colours.soft, fontSize: 11, position },
    data: [where],
  };
}

// Compares a number of covered rows with the range that chance explains: "low", "high" or "inside". The library computes all
// ranges of the page from the same distribution.
export function verdictOf(covered, least, most) {
  if (covered < least) return "low";
  return covered > most ? "high" : "inside";
}

// Covered rows of a group of `rows` rows at a level: their share, the shares that chance explains, and the verdict.
export function judgedGroup(report, position, name, rows, covered) {
  const least = report.ranges[rows].least[position];
  const most = report.ranges[rows].most[position];
  return { name, rows, covered, share: covered / rows, range: [least / rows, most / rows], verdict: verdictOf(covered, least, most) };
}

// The look of a verdict: shape and colour, because colour alone is not enough for all readers.
export function verdictLook(colours, verdict) {
  if (verdict === "low") return { colour: colours.miss, symbol: "diamond" };
  return verdict === "high" ? { colour: colours.more, symbol: "triangle" } : { colour: colours.accent, symbol: "circle" };
}

// The area between low and high of points [x, y, low, high], as an ECharts series; empty if points have no low and high.
export function band(points, colour) {
  const ends = points.filter((point) => point.length > 3);
  if (ends.length === 0) return [];
  return [
    {
      type: "custom",
      silent: true,
      tooltip: { show: false },
      data: [ends.map((point) => point[0])],
      renderItem: (params, api) => ({
        type: "polygon",
        shape: { points: [...ends.map((point) => api.coord([point[0], point[3]])), ...[...ends].reverse().map((point) => api.coord([point[0], point[2]]))] },
        style: { fill: colour, opacity: 0.18 },
      }),
    },
  ];
}

// Rounded limits of an axis that contains all of these values. ECharts itself ignores bands.
export function roundLimits(values) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const step = 10 ** Math.floor(Math.log10(most - least || 1)) / 2;
  return { min: Math.floor(least / step) * step, max: Math.ceil(most / step) * step };
}

// ECharts takes tooltips as HTML, so text must be escaped.
const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escaped = (text) => String(text).replace(/[&<>"']/g, (letter) => escapes[letter]);

export function tooltip(title, pairs) {
  const rows = pairs.map(([name, value]) => `<tr><td class="name">${escaped(name)}</td><td>${escaped(value)}</td></tr>`);
  return `<strong>${escaped(title)}</strong><table class="tip">${rows.join("")}</table>`;
}
