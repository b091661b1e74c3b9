// The intervals of the drawn rows at a level, from what the document carries of each row.

// As the library cuts them: to the target's range, ends pulled inward to its steps; where nothing is left, the value nearest to f.
const near = 1e-9;

export function cut([lower, upper], f, { least, most, step }) {
  const low = least ?? -Infinity;
  const high = most ?? Infinity;
  let [a, b] = [Math.max(lower, low), Math.min(upper, high)];
  if (step > 0) {
    if (Number.isFinite(a)) a = Math.ceil(a / step - near) * step;
    if (Number.isFinite(b)) b = Math.floor(b / step + near) * step;
  }
  if (a <= b) return [a + 0, b + 0]; // no −0
  let nearest = Math.min(Math.max(f, low), high);
  if (step > 0) {
    nearest = Math.round(nearest / step) * step;
    if (nearest < low) nearest = Math.ceil(low / step - near) * step;
    if (nearest > high) nearest = Math.floor(high / step + near) * step;
  }
  return [nearest + 0, nearest + 0];
}

// Half-widths between two tabulated levels, in proportion. An unknown one is infinite.
function interpolated(table, knots, level, row) {
  let right = knots.findIndex((knot) => knot >= level);
  if (right < 0) right = knots.length - 1;
  const value = (knot) => table[knot][row] ?? Infinity;
  if (knots[right] === level || right === 0) return value(right);
  const share = (level - knots[right - 1]) / (knots[right] - knots[right - 1]);
  const [low, high] = [value(right - 1), value(right)];
  return low < 0 || high < 0 ? (share < 1 ? low : high) : low + share * (high - low);
}

// One entry per drawn row; an empty set has width 0 and NaN ends.
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
      down = interpolated(sample.below, knots, confidence, row);
      up = interpolated(sample.above, knots, confidence, row);
    }
    const empty = !closed && down < 0 && up < 0;
    const [lower, upper] = empty ? [NaN, NaN] : closed ? cut([f - down, f + up], f, range) : [f - down, f + up];
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
