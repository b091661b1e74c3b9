// Whether a number of covered rows is what chance explains. The library computes the ranges, by one law for the whole page.

// "low", "high" or "inside".
export function verdictOf(covered, least, most) {
  if (covered < least) return "low";
  return covered > most ? "high" : "inside";
}

// Covered rows of a group of `rows` rows at a level: their share, the shares that chance explains, and the verdict.
export function judgedGroup(report, position, name, rows, covered) {
  const least = report.ranges[rows].least[position];
  const most = report.ranges[rows].most[position];
  return { name, rows, covered, share: covered / rows, range: [least / rows, most / rows], verdict: verdictOf(covered, least, most) };
}
