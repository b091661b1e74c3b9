// A chart of the page: heading, description, controls, canvas, and a table for readers who cannot see the canvas.
import { element, scrollable } from "./dom.js";
import { init } from "./echarts.js";
import { theme } from "./theme.js";

const charts = [];

function redrawAll() {
  for (const chart of charts) chart.paint();
}

// Visible charts follow the slider at once. Others are redrawn when the browser is idle, or when they become visible. On a busy
// machine a browser may never be idle, so a chart waits half a second at most.
const whenIdle = (work) => (window.requestIdleCallback ? requestIdleCallback(work, { timeout: 500 }) : setTimeout(work, 50));
const visibility = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    const chart = charts.find((one) => one.canvas === entry.target);
    chart.inSight = entry.isIntersecting;
    if (chart.inSight && chart.stale) chart.paint(false);
  }
}, { rootMargin: "100px" });

export class Chart {
  // `option(colours, width)` returns ECharts' option, `label()` a sentence for screen readers, `rows()` the rows of the table.
  constructor(parent, { id, title, words, controls = [], wide = false, tall = false, option, label, head, rows }) {
    this.option = option;
    this.label = label;
    this.rows = rows;
    this.head = head;
    this.title = title;
    this.canvas = element("div", { class: tall ? "canvas tall" : "canvas", role: "img" });
    this.words = element("p", { class: "soft" });
    this.text = words;
    this.table = element("details", { class: "table" }, element("summary", {}, "As a table"));
    this.table.addEventListener("toggle", () => this.fillTable());
    parent.append(
      element(
        "figure",
        { class: wide ? "chart wide" : "chart", id: `chart-${id}` },
        element("figcaption", {}, element("h3", {}, title), this.words),
        controls.length > 0 ? element("div", { class: "controls" }, ...controls) : undefined,
        this.canvas,
        this.table,
      ),
    );
    this.echart = init(this.canvas, undefined, { renderer: "canvas", devicePixelRatio: Math.max(2, window.devicePixelRatio) });
    charts.push(this);
    this.inSight = true;
    this.draw();
    new ResizeObserver(() => this.resize()).observe(this.canvas);
    visibility.observe(this.canvas);
  }

  // Calls `listener(position on the axis of categories)` for a click anywhere in the chart.
  onClick(listener) {
    this.echart.getZr().on("click", ({ offsetX, offsetY }) => {
      if (this.echart.containPixel("grid", [offsetX, offsetY])) listener(this.echart.convertFromPixel({ xAxisIndex: 0 }, offsetX));
    });
  }

  get stale() {
    return this.canvas.dataset.stale !== undefined;
  }

  resize() {
    if (this.canvas.clientWidth === this.echart.getWidth() && this.canvas.clientHeight === this.echart.getHeight()) return;
    this.echart.resize();
    this.paint();
  }

  // Paints from scratch, or updates the existing chart, which is faster and enough if only the level has changed.
  paint(afresh = true) {
    delete this.canvas.dataset.stale;
    this.echart.setOption(this.option(theme(), this.canvas.clientWidth), { notMerge: afresh, silent: true });
  }

  draw(afresh = true) {
    if (this.inSight || afresh) this.paint(afresh);
    else if (!this.stale) {
      this.canvas.dataset.stale = "";
      whenIdle(() => this.stale && this.paint(false));
    }
    this.words.textContent = typeof this.text === "function" ? this.text() : this.text;
    this.canvas.setAttribute("aria-label", `${this.title}. ${this.label()}`);
    this.fillTable();
  }

  fillTable() {
    if (!this.table.open) return;
    const head = typeof this.head === "function" ? this.head() : this.head;
    const cell = (value, index) => element("td", { class: index > 0 ? "number" : undefined }, String(value));
    const grid = element(
      "table",
      {},
      element("thead", {}, element("tr", {}, ...head.map((name, i) => element("th", { scope: "col", class: i > 0 ? "number" : undefined }, name)))),
      element("tbody", {}, ...this.rows().map((row) => element("tr", {}, ...row.map(cell)))),
    );
    this.table.replaceChildren(this.table.firstElementChild, scrollable(`${this.title}, as a table`, grid));
  }
}

// Charts take their colours from the style sheet, which follows the reader's colour scheme. Printed pages are always light.
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redrawAll);
addEventListener("beforeprint", () => {
  document.documentElement.dataset.theme = "light";
  redrawAll();
});
addEventListener("afterprint", () => {
  delete document.documentElement.dataset.theme;
  redrawAll();
});
