"""Two synthetic series whose distribution is known at every row, so that the optimal intervals are too. The distribution changes in the streamed part."""
import numpy as np
import pandas as pd

ROWS = 10_000


def normal_quantile(level):
    from statistics import NormalDist

    return NormalDist().inv_cdf((1 + level) / 2)


def drawn(mean_of, scale_of, level, seed):
    """An autoregressive series; mean_of and scale_of are functions of the row's number, its inputs and the previous target."""
    draw = np.random.default_rng(seed)
    x = draw.uniform(-1, 1, size=(ROWS, 3))
    noise = draw.normal(size=ROWS)
    y, mean, scale = (np.zeros(ROWS) for _ in range(3))
    for t in range(ROWS):
        mean[t] = mean_of(t, x[t], y[t - 1] if t else 0.0)
        scale[t] = scale_of(t, x[t])
        y[t] = mean[t] + scale[t] * noise[t]
    table = pd.DataFrame({"a": x[:, 0], "b": x[:, 1], "c": x[:, 2], "hour": np.arange(ROWS) % 24, "y": y}).round(6)
    reach = normal_quantile(level) * scale
    return table, "y", (mean - reach, mean + reach)


def wander(level):
    """Slow drift: the effect of an input changes its sign over the years; the noise grows and shrinks."""
    def mean(t, x, last):
        return 0.6 * last + 2 * np.sin(2 * np.pi * (t % 24) / 24) + 3 * np.cos(2 * np.pi * t / 14_000) * x[0] + x[1] ** 2

    def scale(t, x):
        return (0.3 + 0.5 * abs(x[2])) * np.exp(0.7 * np.sin(2 * np.pi * t / 3_000))

    return drawn(mean, scale, level, 11)


def regimes(level):
    """Sudden changes: from row 7,000 on the level jumps up and down, and from row 8,000 on the noise is twice what it was."""
    def mean(t, x, last):
        jump = 3 * (t // 1_000 % 2) if t >= 7_000 else 0
        return 0.5 * last + jump + 2 * x[0] * x[1] + x[2]

    def scale(t, x):
        return (0.3 + 0.6 * (x[0] > 0)) * (2 if t >= 8_000 else 1)

    return drawn(mean, scale, level, 12)


DRAWN = {"wander": wander, "regimes": regimes}
