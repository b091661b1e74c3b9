// Pages with few rows, ties, shifted rows and infinite intervals: correct messages, consistent verdicts, no NaN.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { folder, moveTo, open, startBrowser, stopBrowser, taut } from "./browser.mjs";

// Model and test rows of each page; see `before`.
const pages = {
  good: ["model", "test"],
  low: ["model", "shifted"],
  high: ["model", "calm"],
  ties: ["ties", "ties"],
  range: ["range", "calm"],
  "five calibration rows": ["five", "test"],
  "one test row": ["model", "one"],
  "five and one": ["five", "one"],
  learning: ["model", "test", "--learning-curve", "data.csv"],
};
const file = (name) => `${name.replaceAll(" ", "-")}.html`;

// A pseudorandom number in [0, 1) for each i, the same on every machine.
const fraction = (i) => (i * 0.6180339887498949) % 1;
const row = (i, scale, round) => {
  const noise = scale * (0.2 + fraction(7 * i + 1)) * (2 * fraction(i * i + 0.5) - 1);
  return `${fraction(3 * i)},${["red", "green"][i % 2]},0,${round ? Math.round(4 * noise) : noise}`;
};
const write = (name, rows, scale = 1, round = false, start = 0) =>
  writeFileSync(join(folder, `${name}.csv`), ["x,colour,f,y", ...Array.from({ length: rows }, (_, i) => row(start + i, scale, round))].join("\n") + "\n");

before(async () => {
  write("data", 1000);
  write("test", 1500, 1, false, 1000);
  write("shifted", 1500, 3, false, 1000);
  write("calm", 1500, 0.3, false, 1000);
  write("ties", 1500, 1, true);
  write("few", 5, 1, false, 5000);
  write("one", 1, 1, false, 1000);
  const fit = (name, data, ...more) => taut("fit", `${data}.csv`, "--target", "y", "--prediction", "f", "--localizer", "none", ...more, "-o", `${name}.taut`);
  fit("model", "data");
  fit("range", "data", "--y-min", "-100");
  fit("ties", "ties");
  taut("calibrate", "model.taut", "few.csv", "-o", "five.taut");
  for (const [name, [model, data, ...more]] of Object.entries(pages)) taut("report", `${model}.taut`, `${data}.csv`, ...more, "-o", file(name));
  await startBrowser();
});
after(stopBrowser);

const openAll = (page) => page.evaluate(() => document.querySelectorAll("details").forEach((node) => (node.open = true)));
const tableOf = (page, id) => page.$$eval(`#chart-${id} tbody tr`, (rows) => rows.map((one) => [...one.cells].map((cell) => cell.textContent)));
const optionsOf = (page, id) => page.$$eval(`#chart-${id} select option`, (options) => options.map((option) => option.value));

test("the gain of more rows is drawn if it was requested", async () => {
  const page = await open(file("learning"));
  await openAll(page);
  const rows = await tableOf(page, "learning");
  assert.deepEqual(rows.map((one) => one[1]), [...Array(rows.length - 4).fill("measured"), ...Array(4).fill("expected")]);
  assert.deepEqual(rows.slice(-4).map((one) => one[0]), ["1,000", "2,000", "4,000", "10,000"]);
  assert.match(await page.textContent("#chart-learning figcaption"), /twice as many rows would make the interval score about/);
  const inked = await page.$eval("#chart-learning canvas", (canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return data.some((value, at) => at % 4 === 3 && value > 0);
  });
  assert.ok(inked);
  assert.equal(await (await open(file("good"))).$("#chart-learning"), null);
});

test("no page says NaN, infinity or undefined, and one is singular", async () => {
  for (const name of Object.keys(pages)) {
    const page = await open(file(name));
    await openAll(page);
    for (const level of [0.5, 0.82, 0.9, 0.99]) {
      await moveTo(page, level);
      for (const option of await optionsOf(page, "coverage")) await page.selectOption("#chart-coverage select", option);
      const labels = await page.$$eval("[aria-label]", (nodes) => nodes.map((node) => node.getAttribute("aria-label")).join("\n"));
      const text = `${await page.innerText("body")}\n${labels}\n${await page.locator("noscript").textContent()}`;
      assert.doesNotMatch(text, /\bnan\b|infinity|undefined|\bnull\b|\[object/i, `${name} at ${level}`);
      assert.doesNotMatch(text, /(^|[^\d,.])1 ((test|calibration|drawn) )?(rows|groups|intervals|levels)\b/, `${name} at ${level}`);
    }
    assert.deepEqual(page.wrong, [], name);
    await page.close();
  }
});

test("headline, pictures and failures agree at every level", async () => {
  const verdicts = { "too-low": "low", "as-promised": "inside", "no-quantile": "inside", more: "high", "too-high": "high" };
  for (const [name, [model, data]] of Object.entries(pages)) {
    const levels = [0.5, 0.75, 0.9, 0.97];
    const evaluation = JSON.parse(taut("evaluate", `${model}.taut`, `${data}.csv`, "--confidence", levels.join(","), "--json"));
    const page = await open(file(name));
    await openAll(page);
    for (const { confidence, coverage, coverage_low: low, coverage_high: high } of evaluation.levels) {
      await moveTo(page, confidence);
      const tone = await page.getAttribute("#answer", "data-tone");
      const verdict = coverage < low ? "low" : coverage > high ? "high" : "inside";
      assert.equal(verdicts[tone], verdict, `${name} at ${confidence}: ${tone}`);
      let tooLow = 0;
      for (const option of await optionsOf(page, "coverage")) {
        await page.selectOption("#chart-coverage select", option);
        const groups = await tableOf(page, "coverage");
        const words = await page.innerText("#chart-coverage figcaption");
        if (groups.length > 1) tooLow += groups.filter((cells) => cells[5] === "too low").length;
        else assert.equal(groups[0][5], { low: "too low", inside: "chance explains it", high: "more often than asked" }[verdict], `${name} at ${confidence}`);
        assert.equal(/Chance explains every group\./.test(words), groups.every((cells) => cells[5] === "chance explains it"));
      }
      const lead = await page.innerText("#failures-lead");
      if (tooLow > 0) assert.match(lead, /covered less often than chance explains/);
      if (/^No group|no group of them stands out/.test(lead)) assert.equal(tooLow, 0, `${name} at ${confidence}: ${lead}`);
    }
    await page.close();
  }
});

test("each kind of page has its tone and its headline", async () => {
  const expected = {
    low: ["too-low", /^Only \d\d\.\d % of 1,500 test rows fall in their interval; 90 % were asked for\.$/],
    high: ["too-high", /^100\.0 % of 1,500 test rows fall in their interval, more often than the 90 % asked for\.$/],
    range: ["more", /^100\.0 % of 1,500 test rows fall in their interval, more often than the 90 % asked for\.$/],
    ties: ["as-promised", /^\d+\.\d % of 1,500 test rows fall in their interval; 90 % were asked for\.$/],
    "five calibration rows": ["no-quantile", /^There are too few calibration rows for 90 %\.$/],
    "one test row": ["as-promised", /^The only test row falls (in|outside) its interval; 90 % were asked for\.$/],
  };
  const colour = (page) => page.evaluate(() => getComputedStyle(document.getElementById("answer")).borderLeftColor);
  const colours = {};
  for (const [name, [tone, headline]] of Object.entries(expected)) {
    const page = await open(file(name));
    assert.equal(await page.getAttribute("#answer", "data-tone"), tone, name);
    assert.match(await page.innerText("#headline"), headline);
    colours[tone] = await colour(page);
    await page.close();
  }
  assert.notEqual(colours.more, colours["too-low"]);
  assert.notEqual(colours["too-high"], colours["too-low"]);
  const page = await open(file("five calibration rows"));
  for (const id of ["intervals", "width"]) assert.match(await page.innerText(`#chart-${id} figcaption`), /every interval is the whole line: there is nothing to draw\./);
  assert.equal(await page.innerText("#failures-lead"), "There is nothing to judge at 90 %.");
  await page.close();
});
