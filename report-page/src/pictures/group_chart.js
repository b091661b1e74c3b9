// Groups of rows one below the other: a dot for the share that is covered, a bar for a range, a line for the level that was asked for.
import { level as levelText, share } from "../format.js";
import { axis, markLine, pointerChart, verdictLook } from "../theme.js";

function rangeBar(params, api) {
  const at = api.value(0);
  const [left, y] = api.coord([api.value(1), at]);
  const right = api.coord([api.value(2), at])[0];
  return { type: "line", shape: { x1: left, y1: y, x2: right, y2: y }, style: { stroke: api.visual("color"), lineWidth: 7, lineCap: "round" } };
}

// A group has name, share, range and verdict; `content(group)` is its tooltip.
export function groupChart(colours, groups, asked, content) {
  const look = (group) => verdictLook(colours, group.verdict);
  const least = Math.max(0, Math.floor(20 * Math.min(asked, ...groups.flatMap((group) => [group.share, group.range[0]])) - 0.2) / 20);
  const pointer = { type: "shadow", shadowStyle: { color: colours.line, opacity: 0.4 } };
  return {
    ...pointerChart(colours, ({ dataIndex }) => content(groups[dataIndex]), { pointer }),
    xAxis: axis(colours, {
      type: "value",
      min: least,
      max: 1,
      interval: least >= 0.7 ? 0.05 : least >= 0.5 ? 0.1 : 0.2,
      name: "covered",
      nameGap: 26,
      axisLabel: { formatter: (value) => share(value, 0) },
    }),
    yAxis: axis(colours, {
      type: "category",
      inverse: true,
      data: groups.map((group) => group.name),
      grid: false,
      axisLabel: { width: 130, overflow: "truncate", interval: 0 },
    }),
    series: [
      {
        type: "custom",
        renderItem: rangeBar,
        data: groups.map((group, at) => [at, ...group.range]),
        encode: { x: [1, 2], y: 0 },
        itemStyle: { color: colours["accent-soft"] },
        markLine: markLine(colours, { xAxis: asked }, levelText(asked), "start"),
      },
      {
        type: "scatter",
        symbolSize: 10,
        data: groups.map((group, at) => ({ value: [group.share, at], itemStyle: { color: look(group).colour }, symbol: look(group).symbol })),
        z: 5,
      },
    ],
  };
}
