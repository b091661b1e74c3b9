// The page of prediction sets: it shows the numbers of `evaluate`, and the slider changes all of them.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { folder, moveTo, open, pictures, seriousFindings, startBrowser, stopBrowser, taut } from "./browser.mjs";

const labels = ["cat & <b>", "dog", "fox"];
const fraction = (i) => (i * 0.6180339887498949) % 1;
// Given probabilities from two inputs; the label is sampled from them.
const row = (i) => {
  const [x, z] = [4 * fraction(3 * i + 1) - 2, 4 * fraction(i * i * 0.37) - 2];
  const weights = [x, z, 0.3].map((one) => Math.exp(1.5 * one));
  const p = weights.map((one) => one / weights.reduce((a, b) => a + b));
  const u = fraction(i * i * 0.713 + 0.5 * i);
  const label = labels[u < p[0] ? 0 : u < p[0] + p[1] ? 1 : 2];
  return [x, z, ...p, `"${label}"`].join(",");
};
const write = (name, begin, end) =>
  writeFileSync(join(folder, `${name}.csv`), [`x,z,${labels.map((label) => `"p_${label}"`)},kind`, ...Array.from({ length: end - begin }, (_, i) => row(begin + i))].join("\n") + "\n");
const tableOf = (page, id) => page.$$eval(`#chart-${id} tbody tr`, (rows) => rows.map((one) => [...one.cells].map((cell) => cell.textContent)));
const near = (text, value, reach = 0.00051) => assert.ok(Math.abs(parseFloat(text) / 100 - value) < reach, `${text} ${value}`);
let page;

before(async () => {
  write("data", 0, 600);
  write("test", 600, 1800);
  taut("fit", "data.csv", "--target", "kind", "--probabilities", "p_", "--transform", "fixed", "-o", "m.taut");
  taut("report", "m.taut", "test.csv", "-o", "sets.html", "--by", "x:3", "--in-order");
  await startBrowser();
  page = await open("sets.html");
  await page.evaluate(() => document.querySelectorAll("details").forEach((node) => (node.open = true)));
});
after(stopBrowser);

test("tables of the pictures are the numbers of evaluate, at every level", async () => {
  for (const level of [0.9, 0.6]) {
    const told = JSON.parse(taut("evaluate", "m.taut", "test.csv", "--confidence", level, "--by", "x:3", "--json")).levels[0];
    await moveTo(page, level);
    const by = await tableOf(page, "by-label");
    assert.deepEqual(by.map(([name]) => name), labels);
    by.forEach((cells, i) => near(cells[2], told.by_label[i].coverage));
    const sizes = await tableOf(page, "sizes");
    assert.deepEqual(sizes.map(([size, rows]) => [size, rows]), told.by_size.map(({ name, rows }) => [name, rows.toLocaleString("en-GB")]));
    const held = await tableOf(page, "confusion");
    held.forEach((cells, i) => cells.slice(1).forEach((cell, k) => near(cell, told.confusion[i][k], 0.0051)));
    assert.equal((await tableOf(page, "groups")).length, 3);
    const metric = await page.$eval('#all-metrics [data-metric="mean_size"]', (cell) => Number(cell.dataset.value));
    assert.equal(metric, told.mean_size);
    assert.match(await page.textContent("#headline"), /have their label in their set/);
  }
});

test("reliability can be chosen for each label", async () => {
  const chooser = page.locator("#chart-reliability select");
  assert.deepEqual(await chooser.locator("option").allTextContents(), ["the most probable label", ...labels]);
  await chooser.selectOption("1");
  const rows = (await tableOf(page, "reliability")).map((cells) => Number(cells[1].replaceAll(",", "")));
  assert.equal(rows.reduce((a, b) => a + b), 1200);
});

test("the slider moves the pictures, without errors, and screen readers work", async () => {
  assert.equal(await page.locator("#reasons").count(), 0);
  await moveTo(page, 0.9);
  const before_ = await pictures(page);
  if (process.env.TAUT_SCREENSHOTS) await page.screenshot({ path: join(process.env.TAUT_SCREENSHOTS, "sets.png"), fullPage: true });
  await moveTo(page, 0.6);
  const after_ = await pictures(page);
  for (const id of ["chart-sizes", "chart-by-label", "chart-confusion", "chart-coverage", "chart-calibration", "chart-time-coverage", "chart-time-size"]) assert.notEqual(before_[id], after_[id], id);
  const text = await page.$$eval("figure", (nodes) => nodes.map((node) => node.textContent).join("\n"));
  for (const word of ["NaN", "undefined", "∞"]) assert.ok(!text.includes(word), word);
  assert.deepEqual(page.wrong, []);
  assert.deepEqual(await seriousFindings(page), []);
});
