// The arithmetic of the page.
import assert from "node:assert/strict";
import { test } from "node:test";

const source = new URL("../../report-page/src/", import.meta.url);
const { cut, intervalsAt } = await import(new URL("intervals.js", source));
const { level, number, plural, share } = await import(new URL("format.js", source));
const { judgedGroup, pointChart, pointerChart, verdictLook, verdictOf } = await import(new URL("theme.js", source));

test("below its range a group is low, above it high, at its ends inside", () => {
  assert.deepEqual([4, 5, 7, 9, 10].map((covered) => verdictOf(covered, 5, 9)), ["low", "inside", "inside", "inside", "high"]);
  const report = { ranges: { 10: { least: [3, 5], most: [8, 9] } } };
  const group = judgedGroup(report, 1, "red", 10, 4);
  assert.deepEqual(group, { name: "red", rows: 10, covered: 4, share: 0.4, range: [0.5, 0.9], verdict: "low" });
  assert.equal(judgedGroup(report, 0, "red", 10, 4).verdict, "inside");
});

test("too much is not painted as too little", () => {
  const colours = { miss: "red", more: "green", accent: "blue" };
  const [low, inside, high] = ["low", "inside", "high"].map((verdict) => verdictLook(colours, verdict));
  assert.deepEqual(low, { colour: "red", symbol: "diamond" });
  assert.deepEqual(inside, { colour: "blue", symbol: "circle" });
  assert.deepEqual(high, { colour: "green", symbol: "triangle" });
});

test("charts have their frame and tooltip from one place", () => {
  const colours = { font: "f", ink: "i", card: "c", line: "l" };
  const pointer = pointerChart(colours, (item) => item.words, { grid: { top: 12 } });
  const point = pointChart(colours, (item) => item.words);
  assert.deepEqual(pointer.grid, { ...point.grid, top: 12 });
  const { trigger, axisPointer, formatter, ...common } = pointer.tooltip;
  const { trigger: other, formatter: content, ...same } = point.tooltip;
  assert.deepEqual(common, same);
  assert.deepEqual([trigger, other, axisPointer.type], ["axis", "item", "line"]);
  assert.deepEqual([formatter([{ words: "a" }]), content({ words: "b" })], ["a", "b"]);
});

test("ranges and steps cut as the library cuts", () => {
  const counts = { least: 0, most: null, step: 1 };
  assert.deepEqual(cut([-2.3, 4.7], 1.2, counts), [0, 4]);
  assert.deepEqual(cut([1.2, 1.4], 1.3, counts), [1, 1]);
  assert.deepEqual(cut([-5, -3], -4, counts), [0, 0]);
  assert.deepEqual(cut([1.2, 1.4], 1.3, { least: null, most: null, step: 0 }), [1.2, 1.4]);
});

const levels = [0.5, 0.6, 0.7].map((confidence) => ({ confidence }));
const range = { least: null, most: null, step: 0 };

test("a closed form reaches scale times factor to either side", () => {
  const sample = { row: [1], f: [10], y: [12], covered_from: [1], log_factor: [0, Math.log(2), null], log_scale: [[Math.log(1)], [Math.log(3)]] };
  const [{ lower, upper, covered }] = intervalsAt({ levels, sample, range }, 1);
  assert.ok(Math.abs(lower - 8) < 1e-12 && Math.abs(upper - 16) < 1e-12 && covered);
  assert.equal(intervalsAt({ levels, sample, range }, 0)[0].covered, false);
  assert.equal(intervalsAt({ levels, sample, range }, 2)[0].width, Infinity); // too few calibration rows
});

test("between tabulated levels half-widths are in proportion", () => {
  const sample = { row: [1], f: [10], y: [12], covered_from: [0], knots: [0, 2], below: [[1], [3]], above: [[2], [4]] };
  const [{ lower, upper }] = intervalsAt({ levels, sample, range }, 1);
  assert.ok(Math.abs(lower - 8) < 1e-12 && Math.abs(upper - 13) < 1e-12);
});

test("numbers are English", () => {
  assert.equal(number(1234567), "1,230,000");
  assert.equal(number(-0.012345), "−0.0123");
  assert.equal(number(0), "0");
  assert.equal(number(1.5e-7), "1.5e−7");
  assert.equal(number(-2e15), "−2e15");
  assert.equal(number(0.0003), "0.0003");
  assert.equal(number(1234.5, 6), "1,234.5");
  assert.deepEqual([0, 1, 1200].map((rows) => plural(rows, "row")), ["0 rows", "1 row", "1,200 rows"]);
  assert.equal(number(null), "–");
  assert.equal(number(Infinity), "∞");
  assert.equal(share(0.9017), "90.2 %");
  assert.equal(share(0.9125), "91.3 %");
  assert.equal(share(0.99999), "99.999 %");
  assert.equal(share(1), "100.0 %");
  assert.equal(share(0.996, 0), "100 %"); // axes show rounded numbers
  assert.equal(level(0.995), "99.5 %");
  assert.equal(level(0.57), "57 %");
});
