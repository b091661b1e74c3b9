// The area between low and high of points [x, y, low, high], as a series of ECharts; nothing where points have no ends.
export function band(points, colour) {
  const ends = points.filter((point) => point.length > 3);
  if (ends.length === 0) return [];
  return [
    {
      type: "custom",
      silent: true,
      tooltip: { show: false },
      data: [ends.map((point) => point[0])],
      renderItem: (params, api) => ({
        type: "polygon",
        shape: { points: [...ends.map((point) => api.coord([point[0], point[3]])), ...[...ends].reverse().map((point) => api.coord([point[0], point[2]]))] },
        style: { fill: colour, opacity: 0.18 },
      }),
    },
  ];
}

// Round ends of an axis that shows all of these, bands included, which ECharts would not see.
export function roundLimits(values) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const step = 10 ** Math.floor(Math.log10(most - least || 1)) / 2;
  return { min: Math.floor(least / step) * step, max: Math.ceil(most / step) * step };
}
