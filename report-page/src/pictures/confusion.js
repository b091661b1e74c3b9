// How often the sets of each true label contain each label: one square for each pair, darker for larger shares.
import { Chart } from "../chart.js";
import { level as levelText, share } from "../format.js";
import { axis, pointChart, tooltip } from "../theme.js";

const square = (params, api) => {
  const [x, y] = api.coord([api.value(0), api.value(1)]);
  const [width, height] = api.size([1, 1]);
  const held = api.value(2);
  return {
    type: "rect",
    shape: { x: x - width / 2 + 1, y: y - height / 2 + 1, width: Math.max(1, width - 2), height: Math.max(1, height - 2), r: 3 },
    style: { fill: api.visual("color"), opacity: 0.04 + 0.96 * held },
  };
};

export function drawConfusion(parent, report, view) {
  const { labels } = report;
  const rowsOf = (label) => report.by_label[view.position][label][0];
  const held = (truth, other) => (rowsOf(truth) === 0 ? 0 : report.held[view.position][truth][other] / rowsOf(truth));
  const pairs = () => labels.flatMap((_, truth) => labels.map((__, other) => [other, truth, held(truth, other)]));
  const asked = () => levelText(report.levels[view.position].confidence);
  // The pair of different labels with the largest share.
  const worst = () => pairs().filter(([other, truth]) => other !== truth).sort((a, b) => b[2] - a[2])[0];
  const worstWords = () => {
    const [other, truth, share_] = worst();
    return `Most often confused: ${share(share_)} of the rows of ${labels[truth]} have ${labels[other]} in their set.`;
  };
  const option = (colours) => ({
    ...pointChart(colours, ({ value: [other, truth, share_] }) =>
      tooltip(`True label ${labels[truth]}`, [[`sets that hold ${labels[other]}`, share(share_)]])),
    xAxis: axis(colours, { type: "category", data: labels, name: "label in the set", nameGap: 26, grid: false, axisLabel: { width: 90, overflow: "truncate" } }),
    yAxis: axis(colours, { type: "category", inverse: true, data: labels, grid: false, axisLabel: { width: 110, overflow: "truncate", interval: labels.length > 12 ? "auto" : 0 } }),
    series: [{
      type: "custom", renderItem: square, encode: { x: 0, y: 1 },
      data: pairs().map((value) => ({ value, itemStyle: { color: value[0] === value[1] ? colours.accent : colours.miss } })),
    }],
  });
  return new Chart(parent, {
    id: "confusion",
    title: "Which labels the sets hold",
    tall: labels.length > 6,
    words: () => `A line for each true label: how often sets at ${asked()} hold each label, the darker the more often; on the diagonal the coverage of the label. ${worstWords()}`,
    option,
    label: worstWords,
    head: () => ["True label", ...labels],
    rows: () => labels.map((name, truth) => [name, ...labels.map((_, other) => (rowsOf(truth) === 0 ? "–" : share(held(truth, other), 0)))]),
  });
}
