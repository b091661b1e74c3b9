// Numbers as English text, formatted as in taut/report/answer.cpp.
const formats = new Map();

function format(digits) {
  if (!formats.has(digits)) formats.set(digits, new Intl.NumberFormat("en-GB", { maximumSignificantDigits: digits }));
  return formats.get(digits);
}

export function number(value, digits = 3) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e12 || size < 1e-4)) return Number(value.toPrecision(digits)).toExponential().replace(/-/g, "−").replace("+", "");
  return format(digits).format(value + 0).replace("-", "−");
}

export const count = (value) => value.toLocaleString("en-GB");

// "1 row", "2 rows".
export const plural = (value, singular) => `${count(value)} ${singular}${value === 1 ? "" : "s"}`;

export function share(value, digits = 1) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  // Rounds like share_text in taut/report/answer.cpp; 99.96 % must not become "100.0 %".
  let decimals = digits;
  let power = 10 ** decimals;
  let rounded = Math.round(100 * value * power) / power;
  for (; decimals > 0 && value < 1 && rounded === 100 && decimals < 9; ++decimals) {
    power *= 10;
    rounded = Math.round(100 * value * power) / power;
  }
  return `${rounded.toFixed(decimals)} %`;
}

// 0.995 is 99.5 %, 0.9 is 90 %.
export const level = (value) => `${Number((100 * value).toPrecision(10))} %`;

export const withUnit = (text, unit) => (unit && /\d/.test(text) ? `${text} ${unit}` : text);
