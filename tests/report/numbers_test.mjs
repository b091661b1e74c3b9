// The page's own arithmetic, by laws.
import assert from "node:assert/strict";
import { test } from "node:test";

const source = new URL("../../report-page/src/", import.meta.url);
const { binomialBand } = await import(new URL("beta.js", source));
const { cut, intervalsAt } = await import(new URL("intervals.js", source));
const { level, number, share } = await import(new URL("format.js", source));

// P(X <= x) for X ~ Binomial(n, p), summed.
function binomialCdf(x, n, p) {
  let sum = 0;
  let term = n * Math.log1p(-p);
  for (let k = 0; k <= x; ++k) {
    sum += Math.exp(term);
    term += Math.log((n - k) / (k + 1)) + Math.log(p / (1 - p));
  }
  return sum;
}

test("an end of the band leaves exactly half of the rest beyond", () => {
  for (const [hits, n] of [[1, 2], [3, 10], [45, 50], [90, 100], [997, 1000], [9012, 10000]]) {
    const [low, high] = binomialBand(hits, n, 0.99);
    // Ends are found to 1e-6, which moves a tail by at most n times that.
    assert.ok(Math.abs(1 - binomialCdf(hits - 1, n, low) - 0.005) < 1e-4 * Math.sqrt(n), `${hits} of ${n}: ${low}`);
    assert.ok(Math.abs(binomialCdf(hits, n, high) - 0.005) < 1e-4 * Math.sqrt(n), `${hits} of ${n}: ${high}`);
  }
});

test("bands at the ends are closed", () => {
  assert.equal(binomialBand(0, 20, 0.99)[0], 0);
  assert.equal(binomialBand(20, 20, 0.99)[1], 1);
  assert.ok(Math.abs(binomialBand(0, 20, 0.99)[1] - (1 - 0.005 ** (1 / 20))) < 1e-6);
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

test("a closed form reaches scale times reach to either side", () => {
  const sample = { row: [1], f: [10], y: [12], covered_from: [1], reach: [0, Math.log(2), null], log_scale: [[Math.log(1)], [Math.log(3)]] };
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
  assert.equal(number(1.5e-7), "1.50e−7");
  assert.equal(number(null), "–");
  assert.equal(number(Infinity), "∞");
  assert.equal(share(0.9017), "90.2 %");
  assert.equal(share(0.9125), "91.3 %");
  assert.equal(share(0.99999), "99.999 %");
  assert.equal(share(1), "100.0 %");
  assert.equal(share(0.996, 0), "100 %"); // axes have round numbers
  assert.equal(level(0.995), "99.5 %");
  assert.equal(level(0.57), "57 %");
});
