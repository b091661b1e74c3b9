// Clopper and Pearson's exact interval for a probability, from the incomplete beta function.

// log Γ by Lanczos' series, to 1e-14 for positive arguments.
const lanczos = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
  -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

function logGamma(x) {
  let sum = lanczos[0];
  for (let i = 1; i < lanczos.length; ++i) sum += lanczos[i] / (x - 1 + i);
  const t = x + 6.5;
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum);
}

// The continued fraction of I_x(a, b), which converges fast below (a + 1) / (a + b + 2).
function continuedFraction(x, a, b) {
  const tiny = 1e-300;
  let c = 1;
  let d = 1 / Math.max(1 - ((a + b) * x) / (a + 1), tiny);
  let result = d;
  for (let m = 1; m < 10000; ++m) {
    for (const term of [
      (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)),
      (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1)),
    ]) {
      d = 1 + term * d;
      c = 1 + term / c;
      d = 1 / (Math.abs(d) < tiny ? tiny : d);
      c = Math.abs(c) < tiny ? tiny : c;
      result *= d * c;
    }
    if (Math.abs(d * c - 1) < 1e-15) break;
  }
  return result;
}

// P(X <= x) for X ~ Beta(a, b).
export function betaCdf(x, a, b) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) + logGamma(a + b) - logGamma(a) - logGamma(b));
  return x < (a + 1) / (a + b + 2) ? (front * continuedFraction(x, a, b)) / a : 1 - (front * continuedFraction(1 - x, b, a)) / b;
}

function betaQuantile(p, a, b) {
  let low = 0;
  let high = 1;
  // Bisection, narrowed first around the mean: bins are drawn on every move of the slider.
  const mean = a / (a + b);
  const deviation = Math.sqrt((mean * (1 - mean)) / (a + b + 1));
  for (const reach of [4, 8]) {
    const left = mean - reach * deviation;
    const right = mean + reach * deviation;
    if (left > 0 && betaCdf(left, a, b) < p) low = Math.max(low, left);
    if (right < 1 && betaCdf(right, a, b) > p) high = Math.min(high, right);
    if (low > 0 && high < 1) break;
  }
  while (high - low > 1e-6) {
    const middle = 0.5 * (low + high);
    if (betaCdf(middle, a, b) < p) low = middle;
    else high = middle;
  }
  return 0.5 * (low + high);
}

export function binomialBand(hits, n, probability) {
  const tail = (1 - probability) / 2;
  return [
    hits === 0 ? 0 : betaQuantile(tail, hits, n - hits + 1),
    hits === n ? 1 : betaQuantile(1 - tail, hits + 1, n - hits),
  ];
}
