// Computes the intervals of the sampled rows at a level from the data in the document.

const near = 1e-9;

// The first multiple of the step at or above a value, and the last at or below it.
export const firstStep = (value, step) => (step > 0 && Number.isFinite(value) ? Math.ceil(value / step - near) * step : value);
export const lastStep = (value, step) => (step > 0 && Number.isFinite(value) ? Math.floor(value / step + near) * step : value);

// Cuts an interval like the library: to the range of the target, with ends moved inward to multiples of its step. Every interval
// contains the possible value that a growing interval reaches first: the nearest one to f, measured in scales of its side.
export function cut([lower, upper], f, { least, most, step }, [below, above] = [1, 1]) {
  const low = least ?? -Infinity;
  const high = most ?? Infinity;
  const from = (value) => firstStep(value, step);
  const upTo = (value) => lastStep(value, step);
  if (!(step > 0) && low === -Infinity && high === Infinity) return [lower, upper];
  const under = upTo(Math.min(f, high));
  const over = from(Math.max(f, low));
  const isUnder = under >= low && !(over <= high && (over - f) / above < (f - under) / below);
  const first = isUnder ? under : over;
  let [a, b] = [from(Math.max(lower, low)), upTo(Math.min(upper, high))];
  if (!(a <= b)) [a, b] = [first, first];
  return [Math.min(a, first) + 0, Math.max(b, first) + 0]; // no −0
}

// Linear interpolation of a distance between two tabulated levels; `unknown` for a distance that is not in the table.
export function interpolated(table, knots, level, row, unknown, isEmpty = () => false) {
  let right = knots.findIndex((knot) => knot >= level);
  if (right < 0) right = knots.length - 1;
  const value = (knot) => table[knot][row] ?? unknown;
  if (knots[right] === level || right === 0) return value(right);
  const share = (level - knots[right - 1]) / (knots[right] - knots[right - 1]);
  const [low, high] = [value(right - 1), value(right)];
  if (low === high || isEmpty(low) || isEmpty(high)) return share < 1 ? low : high;
  return low + share * (high - low);
}

// One entry per sampled row; an empty set has width 0 and NaN ends.
export function intervalsAt(report, level) {
  const { sample, range } = report;
  const closed = sample.log_factor !== undefined;
  const position = (knot) => report.levels[knot].confidence;
  const knots = closed ? [] : sample.knots.map(position);
  const confidence = report.levels[level].confidence;
  const logFactor = closed ? sample.log_factor[level] ?? Infinity : 0;
  return sample.f.map((f, row) => {
    let down;
    let up;
    if (closed) {
      down = Math.exp(logFactor + (sample.log_scale[0][row] ?? 0));
      up = Math.exp(logFactor + (sample.log_scale[sample.log_scale.length - 1][row] ?? 0));
    } else {
      down = interpolated(sample.below, knots, confidence, row, Infinity, (width) => width < 0);
      up = interpolated(sample.above, knots, confidence, row, Infinity, (width) => width < 0);
    }
    const empty = !closed && down < 0 && up < 0;
    const [lower, upper] = empty ? [NaN, NaN] : closed ? cut([f - down, f + up], f, range, [down, up]) : [f - down, f + up];
    return {
      index: row,
      row: sample.row[row],
      f,
      y: sample.y[row],
      lower,
      upper,
      width: empty ? 0 : upper - lower,
      covered: level >= sample.covered_from[row],
    };
  });
}
