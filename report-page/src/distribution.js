// The predictive distribution of a sampled row, computed from the one-sided bounds in the document. Bounds at 50 % to 99 % are
// the quantiles from 1 % to 99 %.
import { firstStep, interpolated, lastStep } from "./intervals.js";

export const maxShown = 200; // rows that can be chosen

const clamped = (value, { least, most }) => Math.min(Math.max(value, least ?? -Infinity), most ?? Infinity);

// The bound before it is clipped and rounded to possible values of the target; infinite if there are too few calibration rows.
function rawBound({ distribution, sample, levels }, row, level, which) {
  const unknown = which === "upper" ? Infinity : -Infinity;
  const f = sample.f[row];
  if (distribution.knots) return f + interpolated(distribution[which], distribution.knots.map((knot) => levels[knot].confidence), levels[level].confidence, row, unknown);
  if (distribution[which][level] === null) return unknown;
  const [side, logFactor] = distribution[which][level];
  const scale = sample.log_scale[side === 0 ? 0 : sample.log_scale.length - 1][row] ?? 0;
  const reach = logFactor === null ? 0 : Math.exp(logFactor + scale);
  return side === 0 ? f - reach : f + reach;
}

// The bound as the library computes it. With a step of the target, bounds are moved inward, but not past the middle.
export function boundAt(report, row, level, which) {
  const { levels, range } = report;
  const raw = rawBound(report, row, level, which);
  if (report.distribution.knots || !(range.step > 0)) return clamped(raw, range);
  const isUpper = which === "upper";
  const bound = clamped(isUpper ? lastStep(raw, range.step) : firstStep(raw, range.step), range) + 0; // no −0
  const half = levels.findIndex(({ confidence }) => confidence === 0.5);
  if (half < 0 || levels[level].confidence < 0.5) return bound;
  const between = (rawBound(report, row, half, "lower") + rawBound(report, row, half, "upper")) / 2;
  const middle = clamped(Math.round(between / range.step) * range.step, range) + 0;
  return isUpper ? Math.max(bound, middle) : Math.min(bound, middle);
}

// Points [value, probability that y is at most this value], ascending, for every finite bound.
export function distributionPoints(report, row) {
  const positions = report.distribution.knots ?? report.levels.map((_, level) => level);
  const points = [];
  for (const level of positions) {
    const { confidence } = report.levels[level];
    points.push([boundAt(report, row, level, "lower"), 1 - confidence], [boundAt(report, row, level, "upper"), confidence]);
  }
  return points.filter(([value]) => Number.isFinite(value)).sort((a, b) => a[1] - b[1] || a[0] - b[0]);
}

// The probability at a value, by linear interpolation between points.
export function probabilityAt(points, value) {
  const right = points.findIndex(([at]) => at >= value);
  if (right < 0) return points[points.length - 1][1];
  if (right === 0) return points[0][1];
  const [[a, p], [b, q]] = [points[right - 1], points[right]];
  return b > a ? p + ((q - p) * (value - a)) / (b - a) : q;
}
