// Every page of the site in Chromium, from its folder: no errors, nothing fetched from elsewhere, no page wider than a phone or a laptop, code that
// scrolls inside of its block, tables that can be read, formulas that have a size, search that finds. TAUT_SITE is the folder; screenshots are left in TAUT_SCREENSHOTS.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { leaveOut, openAddress, startBrowser, stopBrowser, until } from "../report/browser.mjs";

const site = resolve(process.env.TAUT_SITE ?? "build/site");
const screenshots = resolve(process.env.TAUT_SCREENSHOTS ?? join(site, "..", "site-screenshots"));
if (!existsSync(join(site, "index.html"))) leaveOut(`there is no site at ${site}; \`make site\` builds it`);
mkdirSync(screenshots, { recursive: true });

const pages = readdirSync(site, { recursive: true }).filter((name) => name.endsWith(".html") && name !== "404.html");
assert.ok(pages.length > 20, `only ${pages.length} pages`);
const root = pathToFileURL(site).href;
const own = (url) => url.startsWith(root) || url.startsWith("data:") || url.startsWith("blob:");
const open = (name, options) => openAddress(pathToFileURL(join(site, name)).href, own, options);

// The tags of elements that extend beyond the page to the right, except those that scroll.
const tooWide = (page) =>
  page.evaluate(() => {
    if (document.documentElement.scrollWidth <= innerWidth) return [];
    const scrolls = (node) => node && node !== document.body && (getComputedStyle(node).overflowX !== "visible" || scrolls(node.parentElement));
    return [...document.querySelectorAll("article *")]
      .filter((node) => node.getBoundingClientRect().right > innerWidth + 1 && !scrolls(node.parentElement))
      .slice(0, 5)
      .map((node) => `${node.tagName} ${node.className}: ${node.textContent.slice(0, 60)}`)
      .concat([`the page is ${document.documentElement.scrollWidth} wide`]);
  });

// Blocks of code that are cut off: wider than the column of text, or with a long line that cannot be scrolled to.
const cutCode = (page) =>
  page.evaluate(() => {
    const column = document.querySelector("article").getBoundingClientRect();
    return [...document.querySelectorAll("article pre > code")]
      .filter((code) => code.getBoundingClientRect().width > 0) // not in a closed box
      .filter((code) => {
        const box = code.getBoundingClientRect();
        const longest = code.scrollWidth > code.clientWidth;
        code.scrollLeft = 1e6;
        const reached = Math.abs(code.scrollLeft + code.clientWidth - code.scrollWidth) <= 1;
        code.scrollLeft = 0;
        const style = getComputedStyle(code);
        const bar = style.overflowX !== "hidden" && style.scrollbarWidth !== "none";
        return box.right > column.right + 1 || box.right > innerWidth + 1 || (longest && !(reached && bar));
      })
      .slice(0, 3)
      .map((code) => `code is cut off: ${code.textContent.slice(0, 60)}`);
  });

// Cells of tables with so little width that their text becomes a column of letters. Tables of numbers scroll instead.
const narrowCells = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("article table:not([class]) td")]
      .filter((cell) => cell.textContent.trim().length > 40 && cell.clientWidth > 0)
      .filter((cell) => cell.clientWidth < 140 && !cell.closest("[data-numbers]"))
      .slice(0, 3)
      .map((cell) => `a cell of ${cell.clientWidth} px: ${cell.textContent.slice(0, 60)}`),
  );

async function everyPage() {
  const wrong = [];
  for (const name of pages) {
    const wide = await open(name, { width: 1280, height: 900 });
    for (const what of [...(await tooWide(wide)), ...(await cutCode(wide)), ...(await narrowCells(wide))]) wrong.push(`${name} at 1280: ${what}`);
    await wide.close();
    const page = await open(name, { width: 390, height: 844 });
    wrong.push(...page.wrong.map((what) => `${name}: ${what}`), ...(await tooWide(page)).map((what) => `${name} at 390: ${what}`));
    for (const what of [...(await cutCode(page)), ...(await narrowCells(page))]) wrong.push(`${name} at 390: ${what}`);
    const broken = await page.evaluate(() => [...document.images].filter((image) => image.complete && image.naturalWidth === 0).map((image) => image.src));
    wrong.push(...broken.map((image) => `${name}: no picture at ${relative(site, image)}`));
    const letters = await page.evaluate(() => parseFloat(getComputedStyle(document.querySelector("article p")).fontSize));
    if (letters < 14) wrong.push(`${name}: letters of ${letters} px on a phone`);
    await page.close();
  }
  assert.deepEqual(wrong, []);
}

async function formulasAreDrawn() {
  const page = await open("formulas.html");
  const sizes = await page.evaluate(() => [...document.querySelectorAll("math")].map((each) => each.getBoundingClientRect().height));
  assert.ok(sizes.length > 20 && sizes.every((height) => height > 5), `formulas: ${sizes}`);
  assert.ok(await page.evaluate(() => document.querySelectorAll("mfrac").length > 1 && !document.querySelector("article").textContent.includes("\\frac")));
  await page.close();
}

async function searchFinds() {
  const page = await open("index.html");
  await page.click(".md-search__input");
  await page.keyboard.type("worst slab", { delay: 20 });
  await until(page, () => document.querySelectorAll(".md-search-result__item").length > 0);
  const found = await page.evaluate(() => [...document.querySelectorAll(".md-search-result__link")].map((link) => link.getAttribute("href")));
  assert.ok(found.some((link) => /method|results|commands/.test(link)), `found: ${found}`);
  assert.deepEqual(page.wrong, []);
  await page.close();
}

// At 1280 px a line of 110 letters of code fits, with both columns at the sides: the width of --help.
async function codeHasRoom() {
  const page = await open("commands.html");
  const letters = await page.evaluate(() => {
    const code = document.querySelector("article pre > code");
    const style = getComputedStyle(code);
    const measured = document.createElement("canvas").getContext("2d");
    measured.font = `${style.fontSize} ${style.fontFamily}`;
    const room = code.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    return room / measured.measureText("0").width;
  });
  assert.ok(letters >= 110, `${letters} letters fit`);
  await page.close();
}

// In the reference a kind does not run into the text: the text of a parameter is a paragraph of its own.
async function kindsAreApart() {
  const page = await open("reference-python.html");
  const [apart, together] = await page.evaluate(() => [
    [...document.querySelectorAll("article li > p > em:last-child")].filter((each) => each.parentElement.nextElementSibling?.tagName === "P").length,
    [...document.querySelectorAll("article li p")].map((each) => each.textContent).filter((text) => / - [\w, ]+ : /.test(text)),
  ]);
  assert.ok(apart > 10, `${apart} parameters with a kind and a text`);
  assert.deepEqual(together, []);
  await page.close();
}

async function pictures() {
  for (const [name, options] of [
    ["index.html", {}],
    ["index.html", { width: 390, height: 844 }],
    ["tutorials/house-prices.html", {}],
    ["tutorials/house-prices.html", { width: 390, height: 844 }],
    ["formulas.html", { colorScheme: "dark" }],
    ["reference-python.html", {}],
    ["reference-python.html", { width: 390, height: 844 }],
    ["python.html", { colorScheme: "dark" }],
    ["python.html", { width: 390, height: 844, colorScheme: "dark" }],
    ["commands.html", {}],
    ["results.html", { width: 390, height: 844 }],
    ["serving.html", {}],
    ["serving.html", { width: 390, height: 844 }],
  ]) {
    const page = await open(name, options);
    await page.evaluate(() => localStorage.clear()); // the theme remembers the colours of the first page
    await page.reload();
    const file = `${name.replace(/\W+/g, "-")}-${options.width ?? 1280}-${options.colorScheme ?? "light"}.png`;
    await page.screenshot({ path: join(screenshots, file) });
    await page.close();
  }
}

// Two versions: the box leads from a page to the same page of the other version, or to its first page if that is missing; an old version shows a notice.
async function versionsLeadToOneAnother() {
  const folder = mkdtempSync(join(tmpdir(), "taut-site-"));
  for (const version of ["0.9.1", "0.10.0"])
    execFileSync("python3", ["tools/publish-site", folder, "--from", site, "--version", version]);
  rmSync(join(folder, "0.9.1", "install.html"));
  execFileSync("python3", ["tools/publish-site", folder, "--from", site, "--version", "0.10.0"]); // updates the list of versions
  const address = (name) => pathToFileURL(join(folder, name)).href;
  const at = (name) => openAddress(address(name), (url) => url.startsWith(pathToFileURL(folder).href) || /^(data|blob):/.test(url));
  const go = async (from, to) => {
    const page = await at(from);
    const [told, chosen, old] = await page.evaluate(() => [
      [...document.querySelectorAll(".taut-versions option")].map((each) => each.textContent),
      document.querySelector(".taut-versions").value,
      document.querySelector(".taut-old")?.textContent ?? "",
    ]);
    assert.deepEqual(told, ["0.10.0", "0.9.1"]);
    assert.equal(chosen, from.split("/")[0]);
    assert.equal(old.includes("newest version is 0.10.0"), chosen === "0.9.1");
    await page.evaluate((value) => {
      const box = document.querySelector(".taut-versions");
      box.value = value;
      box.dispatchEvent(new Event("change"));
    }, to.split("/")[0]);
    // Checks the address, because a wait for events could start after the last event.
    for (let tries = 0; page.url() !== address(to) && tries < 400; ++tries) await page.waitForTimeout(25);
    assert.equal(page.url(), address(to));
    assert.deepEqual(page.wrong, []);
    await page.close();
  };
  await go("0.9.1/tutorials/drift.html", "0.10.0/tutorials/drift.html");
  await go("0.10.0/method.html", "0.9.1/method.html");
  await go("0.10.0/install.html", "0.9.1/index.html");
  rmSync(folder, { recursive: true });
}

await startBrowser();
try {
  await everyPage();
  await codeHasRoom();
  await kindsAreApart();
  await formulasAreDrawn();
  await searchFinds();
  await versionsLeadToOneAnother();
  await pictures();
} finally {
  await stopBrowser();
}
console.log(`${pages.length} pages: no errors, nothing wider than 390 or 1280 px, code scrolls, tables can be read, formulas drawn, search finds, versions lead to one another; screenshots in ${screenshots}`);
