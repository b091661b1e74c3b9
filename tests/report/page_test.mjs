// The page in a browser: its content, its reactions, and things that it must never do.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";

import { folder, moveTo, open, pictures, seriousFindings, settled, slow, startBrowser, stopBrowser, taut, test, until } from "./browser.mjs";

const levels = [0.8, 0.9, 0.95];
const megabyte = 1_000_000;
const size = (file) => statSync(join(folder, file)).size;
const read = (file) => readFileSync(join(folder, file), "utf8");
const write = (file, text) => writeFileSync(join(folder, file), text);

before(async () => {
  taut("synth", "cos", "--rows", 3000, "--seed", 1, "-o", "all.csv");
  const lines = read("all.csv").trim().split("\n");
  write("data.csv", [lines[0], ...lines.slice(1, 1201)].join("\n") + "\n");
  write("test.csv", [lines[0], ...lines.slice(1201)].join("\n") + "\n");
  // A scale has a closed form, so the page can draw any level. Transformations without one are tested below.
  taut("fit", "data.csv", "--target", "y", "--predictor", "linear", "--effort", "quick", "--transform", "exp", "-o", "m.taut");
  taut("report", "m.taut", "test.csv", "--unit", "mm", "-o", "report.html");
  await startBrowser();
});
after(stopBrowser);

test("numbers are those of evaluate --json", async () => {
  const evaluation = JSON.parse(taut("evaluate", "m.taut", "test.csv", "--confidence", levels.join(","), "--json"));
  const page = await open("report.html");
  for (const expected of evaluation.levels) {
    await moveTo(page, expected.confidence);
    const shown = await page.evaluate(() =>
      Object.fromEntries([...document.querySelectorAll("[data-metric]")].map(({ dataset }) => [dataset.metric, dataset.value === "" ? null : Number(dataset.value)])),
    );
    assert.deepEqual(shown, expected);
    const words = await page.innerText("#answer");
    const large = await page.innerText("#metrics .card .value");
    assert.ok(words.startsWith(`${large} of 1,800 test rows`), `${large}: ${words}`);
    assert.ok(Math.abs(Number(large.replace(" %", "")) - 100 * expected.coverage) <= 0.05 + 1e-9);
  }
  assert.deepEqual(page.wrong, []);
  await page.close();
});

// The largest difference of any channel of any pixel, of 255. Chromium's antialiasing sometimes differs by one or two units.
function pixelDistance(page, one, other) {
  return page.evaluate(
    async (sources) => {
      const [a, b] = await Promise.all(
        sources.map(async (source) => {
          const picture = new Image();
          picture.src = source;
          await picture.decode();
          const canvas = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
          canvas.drawImage(picture, 0, 0);
          return canvas.getImageData(0, 0, picture.width, picture.height).data;
        }),
      );
      return a.length === b.length ? a.reduce((most, value, at) => Math.max(most, Math.abs(value - b[at])), 0) : 255;
    },
    [one, other],
  );
}

test("the slider changes every chart, the words and the numbers", async () => {
  const page = await open("report.html");
  const look = async () => ({ ...(await pictures(page)), words: await page.innerText("#answer"), numbers: await page.innerText("#metrics"), brief: await page.innerText("#level-brief") });
  await moveTo(page, 0.6);
  const first = await look();
  await moveTo(page, 0.97);
  const second = await look();
  assert.deepEqual(Object.keys(first).slice(0, 6), ["chart-intervals", "chart-distribution", "chart-width", "chart-coverage", "chart-calibration", "chart-validation"]);
  for (const name of Object.keys(first)) {
    // Training does not depend on the level, and a column's factor of the width is the same at all levels.
    if (name === "chart-validation" || name === "chart-reasons") assert.equal(first[name], second[name]);
    else assert.notEqual(first[name], second[name], name);
  }
  await moveTo(page, 0.6);
  const again = await look();
  for (const name of Object.keys(first))
    if (name.startsWith("chart-")) assert.ok((await pixelDistance(page, again[name], first[name])) <= 8, `${name} differs after a move there and back`);
    else assert.equal(again[name], first[name]);
  assert.deepEqual(page.wrong, []);
  await page.close();
});

// Row number -> lower and upper end, as the page's table of intervals has them.
async function drawnIntervals(page, confidence) {
  await moveTo(page, confidence);
  await page.evaluate(() => (document.querySelector("#chart-intervals details").open = true));
  await page.waitForSelector("#chart-intervals tbody tr");
  const rows = await page.$$eval("#chart-intervals tbody tr", (found) => found.map((row) => [...row.cells].map((cell) => cell.textContent)));
  const value = (text) => Number(text.replace("−", "-").replace(/,/g, ""));
  return new Map(rows.map((cells) => [value(cells[0]), [value(cells[3]), value(cells[4]), cells[6]]]));
}

function predictedIntervals(model, data, confidence, target) {
  const [head, ...rows] = taut("predict", model, data, "--confidence", confidence, "--keep", target).trim().split("\n");
  assert.equal(head.split(",").length, 4);
  return rows.map((row) => row.split(",").map(Number));
}

async function compareIntervals(file, model, confidence, tolerance) {
  const page = await open(file);
  const drawn = await drawnIntervals(page, confidence);
  const truth = predictedIntervals(model, "test.csv", confidence, "y");
  assert.equal(drawn.size, 200);
  for (const [row, [lower, upper, covered]] of drawn) {
    const [y, , low, high] = truth[row - 1];
    const allowed = tolerance * (high - low) + 1e-3 * Math.max(Math.abs(low), Math.abs(high));
    assert.ok(Math.abs(lower - low) <= allowed && Math.abs(upper - high) <= allowed, `row ${row}: ${lower} ${upper}, not ${low} ${high}`);
    assert.equal(covered, low <= y && y <= high ? "yes" : "no");
  }
  await page.close();
}

test("drawn intervals are those of predict", () => compareIntervals("report.html", "m.taut", 0.73, 0));

slow("drawn intervals are those of predict at other levels", async () => {
  for (const confidence of [0.5, 0.99]) await compareIntervals("report.html", "m.taut", confidence, 0);
});

slow("without a closed form intervals are interpolated between tabulated levels", async () => {
  taut("fit", "data.csv", "--target", "y", "--predictor", "linear", "--transform", "shift", "--objective", "size", "--epochs", "20", "-o", "shift.taut");
  taut("report", "shift.taut", "test.csv", "-o", "shift.html");
  const page = await open("shift.html");
  const words = await page.innerText("#drawn");
  await page.close();
  assert.match(words, JSON.parse(taut("info", "shift.taut", "--json")).fell_back ? /drawn/ : /interpolated/);
  await compareIntervals("shift.html", "shift.taut", 0.9, 0);
  await compareIntervals("shift.html", "shift.taut", 0.77, 0.05);
  await compareDistribution("shift.html", "shift.taut", 0.9, 6e-3);
  await compareDistribution("shift.html", "shift.taut", 0.8, 6e-3);
});

const numberOf = (text) => Number(text.replace("−", "-").replace(/,/g, ""));

// Compares the bounds in the sentence and in the table of the distribution's chart with those of predict.
async function compareDistribution(file, model, confidence, tolerance = 1e-3) {
  const page = await open(file);
  await moveTo(page, confidence);
  await page.evaluate(() => (document.querySelector("#chart-distribution details").open = true));
  const percent = confidence * 100;
  const quantiles = [0.01, 0.1, 0.5, 0.9, 0.99];
  const [head, ...truth] = taut("predict", model, "test.csv", "--lower", confidence, "--upper", confidence, "--quantiles", quantiles.join(",")).trim().split("\n");
  assert.equal(head, ["prediction", `lower_bound_${confidence}`, `upper_bound_${confidence}`, ...quantiles.map((p) => `q${p}`)].join(","));
  for (const choice of [0, 7, 199]) {
    await page.selectOption("#chart-distribution select", String(choice));
    await settled(page);
    const words = await page.innerText("#chart-distribution figcaption");
    const found = words.match(new RegExp(`Row ([\\d,]+)\\. y is at most (\\S+)(?: mm)? with ${percent} % confidence, and at least (\\S+)(?: mm)? with ${percent} % confidence: each by itself\\.`));
    assert.ok(found, words);
    const [row, upper, lower] = found.slice(1).map(numberOf);
    const [, low, high, ...q] = truth[row - 1].split(",").map(Number);
    const near = (a, b) => assert.ok(Math.abs(a - b) <= tolerance * Math.max(Math.abs(low), Math.abs(high)), `row ${row}: ${a}, not ${b}`);
    near(lower, low);
    near(upper, high);
    const cells = await page.$$eval("#chart-distribution tbody tr", (rows) => rows.map((one) => [...one.cells].map((cell) => cell.textContent)));
    const at = (p) => cells.filter(([share]) => share === `${100 * p} %`).map(([, value]) => numberOf(value));
    for (const [i, p] of quantiles.entries()) {
      const values = at(p);
      assert.equal(values.length, p === 0.5 ? 2 : 1, `${p}`); // the median lies between two bounds
      near(values.reduce((sum, value) => sum + value, 0) / values.length, q[i]);
    }
    const all = cells.map(([, value]) => numberOf(value));
    assert.deepEqual(all, [...all].sort((a, b) => a - b));
  }
  assert.deepEqual(page.wrong, []);
  await page.close();
}

slow("the distribution of a row: its bounds and quantiles are those of predict", async () => {
  for (const confidence of [0.5, 0.9, 0.95]) await compareDistribution("report.html", "m.taut", confidence);
});

test("what makes intervals wide is said as explain says it", async () => {
  const found = JSON.parse(taut("explain", "m.taut", "test.csv", "--summary", "--json")).width;
  const page = await open("report.html");
  const words = await page.innerText("#reasons");
  assert.match(words, /not a cause/);
  const names = await page.$$eval("#reasons .scroll > table tbody tr", (rows) => rows.map((row) => row.cells[0].textContent));
  for (const { column } of found.columns) assert.ok(names.includes(column), `${column}: ${names}`);
  assert.deepEqual(page.wrong, []);
  await page.close();
});

slow("a click on a row of the intervals shows its distribution and its reasons, on a phone too", async () => {
  for (const width of [1280, 390]) {
    const page = await open("report.html", { width });
    const canvas = page.locator("#chart-intervals canvas");
    await canvas.scrollIntoViewIfNeeded();
    const box = await canvas.boundingBox();
    const seen = new Set();
    for (const share of [0.3, 0.6, 0.9]) {
      const before_ = await pictures(page);
      await canvas.click({ position: { x: share * box.width, y: 0.5 * box.height } });
      await settled(page);
      const chosen = await page.$eval("#chart-distribution select", (select) => select.options[select.selectedIndex].textContent);
      assert.ok((await page.innerText("#chart-distribution figcaption")).includes(`Row ${chosen}. `));
      assert.ok((await page.innerText("#row-reasons")).startsWith(`Row ${chosen}: prediction `)); // and its reasons
      seen.add(chosen);
      const after_ = await pictures(page);
      assert.notEqual(after_["chart-distribution"], before_["chart-distribution"]);
      assert.notEqual(after_["chart-intervals"], before_["chart-intervals"]); // the chosen row is marked
      assert.equal(after_["chart-width"], before_["chart-width"]);
    }
    assert.equal(seen.size, 3);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
    assert.deepEqual(page.wrong, []);
    await page.close();
  }
});

test("names from the data are shown as text", async () => {
  const names = ["<script>alert(1)</script>", "</script>", "<!--<img src=x onerror=alert(2)>", `"it's" & \u2028 {{title}}`];
  const quoted = (text) => `"${text.replace(/"/g, '""')}"`;
  const row = (i) => [Math.sin(i), Math.cos(3 * i), i % 7, ["</script><script>alert(3)</script>", "<b>bold</b>", "plain"][i % 3]];
  const lines = Array.from({ length: 900 }, (_, i) => [...row(i).map((cell) => (typeof cell === "string" ? quoted(cell) : cell)), Math.sin(i) + (1 + (i % 7)) * Math.sin(i * i)].join(","));
  const head = [...names, "<img src=y onerror=alert(4)>"];
  write("hostile.csv", [head.map(quoted).join(","), ...lines].join("\n") + "\n");
  taut("fit", "hostile.csv", "--target", head[4], "--predictor", "linear", "--effort", "quick", "-o", "hostile.taut");
  taut("report", "hostile.taut", "hostile.csv", "--unit", "<i>€</i>", "-o", "hostile.html");
  const page = await open("hostile.html");
  const chosen = page.locator("#chart-width select option");
  assert.deepEqual(new Set(await chosen.allTextContents()), new Set(["prediction f(x)", ...names]));
  assert.equal(await page.locator("h1").textContent(), `Prediction intervals for ${head[4]}`);
  assert.equal(await page.title(), `Prediction intervals for ${head[4]}`);
  assert.ok((await page.innerText("#facts")).includes("taut fit hostile.csv --target '<img src=y onerror=alert(4)>'"));
  assert.equal(await page.locator("img, i, b, main script").count(), 0);
  for (let choice = 0; choice < names.length + 1; ++choice) {
    await page.selectOption("#chart-width select", String(choice));
    await page.selectOption("#chart-coverage select", String(choice + 1));
  }
  // Tooltips take HTML.
  for (const id of ["#chart-intervals", "#chart-width", "#chart-coverage"]) {
    await page.locator(`${id} canvas`).hover();
    await page.waitForTimeout(150);
    assert.equal(await page.locator("img, i, b, main script").count(), 0);
  }
  for (const details of await page.locator("details").all()) await details.evaluate((node) => (node.open = true));
  await page.waitForTimeout(100);
  assert.equal(await page.locator("img, i, b, main script").count(), 0);
  assert.deepEqual(page.wrong, []);
  await page.close();
});

slow("rows that are not exchangeable are bad news, said plainly", async () => {
  const [head, ...rows] = read("test.csv").trim().split("\n");
  write("drift.csv", [head, ...rows.map((row) => row.replace(/[^,]+$/, (y) => 4 * Number(y) + 9))].join("\n") + "\n");
  taut("report", "m.taut", "drift.csv", "-o", "drift.html");
  const page = await open("drift.html");
  assert.equal(await page.getAttribute("#answer", "data-tone"), "too-low");
  const words = await page.innerText("#answer");
  for (const expected of [/^Only \d+\.\d % of 1,800 test rows fall in their interval; 90 % were asked for\./, /not exchangeable/, /taut calibrate/]) assert.match(words, expected);
  assert.match(await page.innerText("#failures-lead"), /groups of rows are covered less often than chance explains at 90 %\.$/);
  assert.deepEqual(page.wrong, []);
  await page.close();
});

test("hovering shows the row", async () => {
  const page = await open("report.html");
  await page.locator("#chart-intervals canvas").hover();
  await until(page, () => /Row [\d,]+[^]*prediction[^]*interval[^]*width[^]*x2/.test(document.getElementById("chart-intervals").innerText));
  await page.close();
});

test("works by keyboard", async () => {
  const page = await open("report.html");
  await page.focus("#level");
  const before_ = await page.innerText("#headline");
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.innerText("#level-value"), "91 %");
  assert.match(await page.getAttribute("#level", "aria-valuetext"), /^91 %: \d+\.\d % of the test rows covered/);
  assert.notEqual(await page.innerText("#headline"), before_);
  await page.keyboard.press("Home");
  assert.equal(await page.innerText("#level-value"), "50 %");
  await page.focus("#chart-coverage select");
  const old = (await pictures(page))["chart-coverage"];
  await page.keyboard.press("ArrowDown");
  await settled(page);
  assert.notEqual((await pictures(page))["chart-coverage"], old);
  await page.focus("#chart-calibration summary");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#chart-calibration tbody tr");
  assert.equal(await page.locator("#chart-calibration tbody tr").count(), 59);
  await page.close();
});

async function checkAccess(colorScheme, width) {
  const page = await open("report.html", { colorScheme, width });
  await page.evaluate(() => document.querySelectorAll("#metrics details, #facts details, #chart-calibration details").forEach((node) => (node.open = true)));
  await page.waitForSelector("#chart-calibration tbody tr");
  assert.deepEqual(await seriousFindings(page), []);
  await page.evaluate(() => document.querySelectorAll("details").forEach((node) => (node.open = true)));
  await page.waitForSelector("#chart-intervals tbody tr");
  for (const figure of await page.locator("figure").all()) {
    assert.match(await figure.locator("[role=img]").getAttribute("aria-label"), /\w+\. .+\./);
    assert.ok((await figure.locator("tbody tr").count()) > 1);
  }
  assert.deepEqual(page.wrong, []);
  await page.close();
}

test("accessible: axe-core finds nothing serious, every chart has a name and a table", () => checkAccess("light", 1280));

slow("accessible on a phone and in the dark", () => checkAccess("dark", 390));

slow("nothing is wider than the screen, and screenshots are written", async () => {
  const shots = process.env.TAUT_SCREENSHOTS ?? folder;
  mkdirSync(shots, { recursive: true });
  for (const [name, width, height] of [["desktop", 1280, 900], ["phone", 390, 844]]) {
    for (const colorScheme of ["light", "dark"]) {
      const page = await open("report.html", { width, height, colorScheme });
      await settled(page);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), `${name} scrolls sideways`);
      await page.screenshot({ path: join(shots, `report-${name}-${colorScheme}.png`), fullPage: true });
      assert.deepEqual(page.wrong, []);
      await page.close();
    }
  }
});

slow("paper is light", async () => {
  const page = await open("report.html", { colorScheme: "dark" });
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--card").trim()), "#ffffff");
  assert.equal(await page.locator("#level").isVisible(), false);
  assert.deepEqual(page.wrong, []);
  await page.close();
});

slow("100,000 rows: below 1 MB, sampled and said so, and the slider is followed", async () => {
  const rows = Array.from({ length: 100000 }, (_, i) => `${Math.sin(i)},${Math.sin(i) + (1.2 + Math.cos(i)) * Math.sin(i * i)}`);
  write("many.csv", `f,y\n${rows.join("\n")}\n`);
  write("few.csv", `f,y\n${rows.slice(0, 2000).join("\n")}\n`);
  taut("fit", "few.csv", "--target", "y", "--prediction", "f", "--see-prediction", "yes", "--transform", "exp", "-o", "many.taut");
  taut("report", "many.taut", "many.csv", "-o", "many.html");
  assert.ok(size("many.html") < megabyte, `${size("many.html")} bytes`);
  const page = await open("many.html");
  assert.match(await page.innerText("#drawn"), /^1,000 of 100,000 rows are drawn, chosen at random; all numbers use all rows\./);
  await page.locator("#chart-width").scrollIntoViewIfNeeded();
  // Every move of the slider is answered before the next one; how soon depends on the machine and is printed only.
  const shown = await page.evaluate(() => {
    const slider = document.getElementById("level");
    const answers = [];
    for (let position = 0; position < 50; position += 7) {
      const begin = performance.now();
      slider.value = position;
      slider.dispatchEvent(new Event("input"));
      answers.push({ text: document.getElementById("answer").innerText, time: performance.now() - begin });
    }
    return answers;
  });
  console.log(`slider with 100,000 rows: ${shown.map(({ time }) => time.toFixed(0)).join(" ")} ms a move`);
  assert.equal(new Set(shown.map(({ text }) => text)).size, shown.length);
  assert.deepEqual(page.wrong, []);
  await page.close();
});

// Two of the columns are constant, and are not inputs.
slow("a wide table with long names stays below 1 MB", async () => {
  const columns = 120;
  const head = [...Array.from({ length: columns }, (_, i) => `${"ü".repeat(80)} ${i}`), "y"];
  const line = (i) => [...Array.from({ length: columns }, (_, j) => (j % 4 === 0 ? `level ${"ß".repeat(60)} ${(i * (j + 3)) % 17}` : Math.sin(i * (j + 1)))), Math.sin(i) * (1 + (i % 5))];
  write("wide.csv", [head, ...Array.from({ length: 600 }, (_, i) => line(i))].map((cells) => cells.join(",")).join("\n") + "\n");
  taut("fit", "wide.csv", "--target", "y", "--predictor", "boost", "--effort", "quick", "--transform", "shift", "--objective", "size", "--epochs", "5", "-o", "wide.taut");
  taut("report", "wide.taut", "wide.csv", "-o", "wide.html");
  assert.ok(size("wide.html") < megabyte, `${size("wide.html")} bytes`);
  const page = await open("wide.html", { width: 390 });
  assert.match(await page.innerText("#drawn"), /24 columns can be chosen.*94 others are left out/);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
  assert.deepEqual(page.wrong, []);
  await page.close();
});

slow("a page of other charts", async () => {
  execFileSync(process.env.TEST_REPORT, ["--gtest_filter=ReportPage.ChartsOfOthers"], { env: { ...process.env, TAUT_CHART_PAGE: join(folder, "charts.html") } });
  const page = await open("charts.html");
  assert.equal(await page.locator("h1").textContent(), "Widths </script>");
  assert.equal(await page.locator("figure canvas").count(), 3);
  assert.equal(await page.locator("main b, main i").count(), 0);
  for (const details of await page.locator("details").all()) await details.evaluate((node) => (node.open = true));
  await page.waitForSelector("#chart-1 tbody tr");
  assert.match(await page.innerText("#chart-1 tbody"), /<i>cos<\/i>/);
  assert.deepEqual(await seriousFindings(page), []);
  await page.screenshot({ path: join(process.env.TAUT_SCREENSHOTS ?? folder, "charts.png"), fullPage: true });
  assert.deepEqual(page.wrong, []);
  await page.close();
});
