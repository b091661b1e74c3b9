// Charts over time: they show the numbers of `evaluate --in-order` and `stream`.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { folder, moveTo, open, pictures, seriousFindings, startBrowser, stopBrowser, taut } from "./browser.mjs";

const fraction = (i) => (i * 0.6180339887498949) % 1;
// The noise doubles in the second half of the test rows.
const row = (i) => {
  const noise = (i < 1800 ? 1 : 2) * (0.2 + fraction(7 * i + 1)) * (2 * fraction(i * i * 0.37 + 0.5) - 1);
  return `${fraction(3 * i)},0,${noise}`;
};
const write = (name, begin, end) =>
  writeFileSync(join(folder, `${name}.csv`), ["x,f,y", ...Array.from({ length: end - begin }, (_, i) => row(begin + i))].join("\n") + "\n");
const tableOf = (page, id) => page.$$eval(`#chart-${id} tbody tr`, (rows) => rows.map((one) => [...one.cells].map((cell) => cell.textContent)));
// The page streams all levels of its slider at once, so that they are nested.
const levels = Array.from({ length: 50 }, (_, i) => String((50 + i) / 100)).join(",");
let page;

before(async () => {
  write("data", 0, 800);
  write("test", 800, 2800);
  taut("fit", "data.csv", "--target", "y", "--prediction", "f", "--localizer", "none", "--in-order", "-o", "m.taut");
  taut("report", "m.taut", "test.csv", "--in-order", "-o", "time.html");
  taut("report", "m.taut", "test.csv", "-o", "plain.html");
  await startBrowser();
  page = await open("time.html");
  await page.evaluate(() => document.querySelectorAll("details").forEach((node) => (node.open = true)));
});
after(stopBrowser);

test("coverage and width over time are those of evaluate --in-order", async () => {
  const told = JSON.parse(taut("evaluate", "m.taut", "test.csv", "--in-order", "--confidence", levels, "--json")).in_order.levels.find(({ confidence }) => confidence === 0.9);
  await moveTo(page, 0.9);
  const shown = await tableOf(page, "time-coverage");
  assert.ok(shown.length > 50);
  for (const [upTo, covered] of shown) {
    const point = told.rolling.find(({ row }) => row + 1 === Number(upTo.replaceAll(",", "")));
    assert.ok(Math.abs(parseFloat(covered) / 100 - point.coverage) < 0.00101, upTo);
  }
  const widths = await tableOf(page, "time-width");
  assert.ok(Math.abs(parseFloat(widths.at(-1)[1]) - told.rolling.at(-1).mean_width) < 0.01 * told.rolling.at(-1).mean_width);
  // Fixed intervals lose coverage; streamed ones keep the level.
  const last = (column) => parseFloat(shown.at(-1)[column]) / 100;
  assert.ok(last(2) < 0.8 && last(1) > 0.85, `${shown.at(-1)}`);
});

test("intervals along time are those of the stream", async () => {
  const lines = taut("stream", "m.taut", "test.csv", "--confidence", levels).trim().split("\n").map((line) => line.split(","));
  const upper = lines[0].indexOf("upper_0.9");
  await moveTo(page, 0.9);
  const shown = await tableOf(page, "along-time");
  assert.equal(shown.length, 100);
  assert.equal(shown.at(-1)[0], "2,000");
  shown.forEach((cells, i) => assert.ok(Math.abs(Number(cells[4].replace("−", "-").replaceAll(",", "")) - Number(lines.at(i - 100)[upper])) < 1e-3));
});

test("the slider moves the pictures, without errors, and screen readers work", async () => {
  const wide = await pictures(page);
  await moveTo(page, 0.6);
  const narrow = await pictures(page);
  for (const id of ["chart-time-coverage", "chart-time-width", "chart-along-time"]) assert.notEqual(wide[id], narrow[id], id);
  assert.deepEqual(page.wrong, []);
  assert.deepEqual(await seriousFindings(page), []);
  const text = await page.$$eval("figure", (nodes) => nodes.map((node) => node.textContent).join("\n"));
  for (const word of ["NaN", "undefined", "∞"]) assert.ok(!text.includes(word), word);
  if (process.env.TAUT_SCREENSHOTS) await page.screenshot({ path: join(process.env.TAUT_SCREENSHOTS, "time.png"), fullPage: true });
});

test("a report without --in-order has none of them", async () => {
  const plain = await open("plain.html");
  assert.equal(await plain.$("#chart-time-coverage"), null);
});
