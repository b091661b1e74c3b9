// Shared by the tests of the page: the program, a browser, and a page that records its errors.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as anyTest } from "node:test";
import { pathToFileURL } from "node:url";

const { TAUT, TAUT_PAGE_MODULES } = process.env;
export const skipped = 77; // the exit code that ctest shows as skipped

// `make test` runs one pass over the page; with TAUT_SLOW=1, as in `make test-slow`, the slow tests run and no others.
const slowRun = process.env.TAUT_SLOW === "1";
const leftToTheOtherRun = () => {};
export const test = slowRun ? leftToTheOtherRun : anyTest;
export const slow = slowRun ? anyTest : leftToTheOtherRun;

// Skips the test, with a message, if something other than the page is missing.
export function leaveOut(reason) {
  console.error(`SKIPPED: ${reason}`);
  process.exit(skipped);
}

const browser = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => existsSync(path));
if (!browser) leaveOut("there is no Chromium; `tools/setup browser` installs it");
if (!existsSync(join(TAUT_PAGE_MODULES ?? "", "playwright-core"))) leaveOut("there is no playwright-core; npm fetches it where tests are built");
const modules = createRequire(join(TAUT_PAGE_MODULES, "tests.js"));
const { chromium } = modules("playwright-core");
const axe = modules("axe-core").source;

export const folder = mkdtempSync(join(tmpdir(), "taut-report-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

export function taut(...words) {
  return execFileSync(TAUT, words.map(String), { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 28 });
}

let context;
const deadline = 600_000; // milliseconds; long, because a busy machine is slow and only a hang should fail

export async function startBrowser() {
  context = await chromium.launchPersistentContext(join(folder, "profile"), {
    executablePath: browser,
    timeout: deadline,
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  context.setDefaultTimeout(deadline);
}

export const stopBrowser = () => context.close();

// Opens a file of the folder. `page.wrong` gathers console errors, exceptions, dialogs and requests for anything but the file.
export function open(file, options = {}) {
  const address = pathToFileURL(join(folder, file)).href;
  return openAddress(address, (url) => url === address, options);
}

// Opens any page; `expected` decides which requests are allowed.
export async function openAddress(address, expected, { width = 1280, height = 900, colorScheme = "light" } = {}) {
  const page = await context.newPage();
  page.wrong = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && page.wrong.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => page.wrong.push(`exception: ${error.message}`));
  page.on("dialog", (dialog) => {
    page.wrong.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on("request", (request) => !expected(request.url()) && page.wrong.push(`request: ${request.url()}`));
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme });
  await page.goto(address);
  return page;
}

// Moves the slider as a reader does: a new value and the event that it fires.
export async function moveTo(page, confidence) {
  await page.evaluate((wanted) => {
    const { levels } = JSON.parse(document.getElementById("document").textContent);
    const slider = document.getElementById("level");
    slider.value = levels.findIndex((level) => Math.abs(level.confidence - wanted) < 1e-12);
    slider.dispatchEvent(new Event("input"));
  }, confidence);
  await settled(page);
}

// Polls from outside, because the policy of the page forbids the driver's evaluation inside. The limit is long for busy machines;
// the wait ends as soon as the page is ready.
export async function until(page, condition) {
  for (const end = Date.now() + deadline; Date.now() < end; await page.waitForTimeout(25)) {
    if (await page.evaluate(condition)) return;
  }
  throw new Error(`never came true: ${condition}`);
}

export const settled = (page) => until(page, () => !document.querySelector("[data-stale]"));

// One text per chart: its pixels.
export function pictures(page) {
  return page.evaluate(() =>
    Object.fromEntries([...document.querySelectorAll("figure")].map((figure) => [figure.id, figure.querySelector("canvas").toDataURL()])),
  );
}

// Findings of axe-core that are serious or worse.
export async function seriousFindings(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document));
  return violations
    .filter(({ impact }) => ["serious", "critical"].includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 200)).join(" | ")}`);
}
