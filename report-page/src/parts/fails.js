// Regions with too many misses, in words of the columns, judged on rows that did not find them.
import { byId, element } from "../dom.js";
import { count, level as levelText, number, share } from "../format.js";

// Band, coverage and level on one line from 0 or one half to 1.
function gauge(coverage, band, confidence) {
  const least = Math.min(0.5, Math.floor(10 * band[0]) / 10);
  const place = (value) => `${(100 * (value - least)) / (1 - least)}%`;
  const bar = element("span", { class: "gauge", "aria-hidden": "true" });
  const add = (name, left, width) => {
    const part = element("span", { class: name });
    part.style.left = left;
    if (width) part.style.width = width;
    bar.append(part);
  };
  add("gauge-band", place(band[0]), `${(100 * (band[1] - band[0])) / (1 - least)}%`);
  add("gauge-level", place(confidence));
  add("gauge-dot", place(coverage));
  return bar;
}

function regionItem(region, confidence) {
  const verdict = region.clear ? "clearly too low" : "chance may explain it";
  return element(
    "li",
    { class: region.clear ? "region clear" : "region" },
    element("p", { class: "where" }, region.words),
    element("p", {}, element("strong", {}, `${share(region.coverage)} of ${count(region.rows)} rows`), ` – ${verdict} `,
      element("span", { class: "soft" }, `(exact band ${share(region.band[0])} to ${share(region.band[1])})`)),
    gauge(region.coverage, region.band, confidence),
  );
}

function slabItem(slab, confidence, at) {
  return element(
    "li",
    { class: "region" },
    element("p", { class: "where" }, `Worst slab${at === confidence ? "" : ` at ${levelText(at)}`}: ${slab.words}`),
    element("p", {}, element("strong", {}, slab.rows > 0 ? `${share(slab.coverage)} of ${count(slab.rows)} rows` : "no row of the judging half"),
      element("span", { class: "soft" }, ` – ${slab.formula}, columns standardised`)),
  );
}

// The slab takes long to find and is known at some levels only: the nearest one is shown, and says so.
function nearestSlab(report, position) {
  let best = -1;
  report.slabs.forEach((slab, at) => {
    if (slab && (best < 0 || Math.abs(at - position) < Math.abs(best - position))) best = at;
  });
  return best;
}

export function showFails(report, level) {
  const lead = element("p", {});
  const list = element("ul", { class: "regions" });
  byId("fails").append(
    lead,
    list,
    element("p", { class: "soft" },
      "A shallow tree on the misses of one random half of the rows finds the regions; the other half judges them, so what is shown is not the luck of the search. " +
      `Bands are exact and hold at ${levelText(report.band)} for all regions of a level together. The worst slab is the tenth of the rows between two parallel planes with the least coverage, found and judged in the same way.`),
  );
  level.follow((position) => {
    const { confidence } = report.levels[position];
    const regions = report.regions[position];
    const clear = regions.filter((region) => region.clear).length;
    lead.textContent =
      clear > 0
        ? `${clear === 1 ? "One region is" : `${number(clear)} regions are`} clearly covered less often than ${levelText(confidence)}.`
        : regions.length > 0
          ? `No region is clearly covered less often than ${levelText(confidence)}. The most suspicious:`
          : "No region stands out.";
    const items = regions.map((region) => regionItem(region, confidence));
    const at = nearestSlab(report, position);
    if (at >= 0) items.push(slabItem(report.slabs[at], confidence, report.levels[at].confidence));
    list.replaceChildren(...items);
  });
}
