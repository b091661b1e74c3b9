// The law of y at a drawn row: one-sided bounds, from what the document carries of them. Bounds at 50 % to 99 % are the quantiles
// from 1 % to 99 %.
import { firstStep, interpolated, lastStep } from "./intervals.js";

export const mostShown = 200; // rows that can be chosen

const clamped = (value, { least, most }) => Math.min(Math.max(value, least ?? -Infinity), most ?? Infinity);

// As the library answers: bounds are possible values of the target. Infinite where there are too few calibration rows.
export function boundAt(report, row, level, which) {
  const { law, sample, range } = report;
  const sign = which === "upper" ? 1 : -1;
  const f = sample.f[row];
  if (law.knots) {
    const knots = law.knots.map((knot) => report.levels[knot].confidence);
    const value = f + interpolated(law[which], knots, report.levels[level].confidence, row, sign * Infinity);
    return clamped(value, range);
  }
  const bound = law[which][level];
  if (bound === null) return clamped(sign * Infinity, range);
  const [side, logFactor] = bound;
  const scale = sample.log_scale[side === 0 ? 0 : sample.log_scale.length - 1][row] ?? 0;
  const reach = logFactor === null ? 0 : Math.exp(logFactor + scale);
  const value = side === 0 ? f - reach : f + reach;
  return clamped(sign > 0 ? lastStep(value, range.step) : firstStep(value, range.step), range) + 0; // no −0
}

// [value, probability that y is at most it], ascending, for every level whose bounds are finite.
export function distribution(report, row) {
  const positions = report.law.knots ?? report.levels.map((_, level) => level);
  const points = [];
  for (const level of positions) {
    const { confidence } = report.levels[level];
    points.push([boundAt(report, row, level, "lower"), 1 - confidence], [boundAt(report, row, level, "upper"), confidence]);
  }
  return points.filter(([value]) => Number.isFinite(value)).sort((a, b) => a[1] - b[1] || a[0] - b[0]);
}

// The curve between its points, in proportion.
export function probabilityAt(points, value) {
  const right = points.findIndex(([at]) => at >= value);
  if (right < 0) return points[points.length - 1][1];
  if (right === 0) return points[0][1];
  const [[a, p], [b, q]] = [points[right - 1], points[right]];
  return b > a ? p + ((q - p) * (value - a)) / (b - a) : q;
}
