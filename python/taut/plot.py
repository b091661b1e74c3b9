"""Plots on matplotlib axes. Every function takes `ax` and returns a display with `ax_` and `figure_`, as in scikit-learn."""
from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from . import _columns, alarms, metrics
from ._numbers import levels_of
from ._types import Any, ArrayLike, Levels, Rows

if TYPE_CHECKING:
    from .regressor import ConformalRegressor

__all__ = ["Display", "calibration_curve", "intervals", "widths"]


class Display:
    """A plot: `ax_`, its `figure_`, the `artists_`, and the plotted numbers in `data_`."""

    def __init__(self, ax: Any, artists: list[Any], **data: Any) -> None:
        self.ax_ = ax
        self.figure_ = ax.figure
        self.artists_ = artists
        self.data_ = data

    def __repr__(self) -> str:
        return f"<plot of {', '.join(self.data_)}; figure_.savefig(path) writes it>"


def intervals(regressor: ConformalRegressor, X: Rows, y: ArrayLike | None = None, *, confidence_level: Levels = 0.9, feature: int | str = 0,
              max_rows: int | None = None, ax: Any = None, y_pred: ArrayLike | None = None, most_rows: int | None = None) -> Display:
    """Predictions and intervals along one feature (its position or name); targets as dots if given.

    With one input the intervals form a band. With several inputs, rows with equal x have different intervals: each row is a bar, and at
    most `max_rows` rows, by default 100, are drawn, evenly chosen along the feature. Rows whose feature is missing are left out. The former name of max_rows, most_rows, is deprecated; version 0.3 removes it.
    """
    max_rows = alarms.renamed("max_rows", max_rows, "most_rows", most_rows, 100)
    ax = _axes(ax)
    levels = levels_of(confidence_level)
    x, name = _feature(X, feature)
    centre, ends = regressor._intervals(X, levels, y_pred)
    shown = np.argsort(x, kind="stable")[:np.count_nonzero(~np.isnan(x))]
    title = None
    if regressor.n_features_in_ == 1:
        artists = _band(ax, levels, x[shown], centre[shown], ends[shown])
    else:
        if len(shown) > max_rows:
            title = f"{max_rows} of {len(x)} rows"
            shown = shown[np.linspace(0, len(shown) - 1, max_rows).round().astype(int)]
        artists = _bars(ax, levels, x[shown], centre[shown], ends[shown])
    if y is not None:
        alpha = np.clip(300 / max(len(shown), 1), 0.3, 1)  # thousands of opaque dots would hide the intervals
        artists.append(ax.scatter(x[shown], np.asarray(y)[shown], s=10, color="C1", alpha=alpha, linewidths=0, zorder=3, label="target"))
    ax.set(xlabel=name, ylabel="target")
    ax.legend(title=title)
    return Display(ax, artists, x=x, y_pred=centre, intervals=ends, shown=shown)


def widths(regressor: ConformalRegressor, X: Rows | None, *, confidence_level: Levels = 0.9, bins: int = 30, ax: Any = None,
           y_pred: ArrayLike | None = None) -> Display:
    """Widths of the intervals: a histogram of the finite ones for each level."""
    ax = _axes(ax)
    levels = levels_of(confidence_level)
    _, ends = regressor._intervals(X, levels, y_pred)
    sizes = ends[:, 1] - ends[:, 0]
    artists = [ax.hist(sizes[np.isfinite(sizes[:, i]), i], bins=bins, alpha=0.6, label=f"{100 * level:g} %")[2]
               for i, level in enumerate(levels)]
    ax.set(xlabel="width of the interval", ylabel="rows")
    ax.legend(title="confidence")
    return Display(ax, artists, widths=sizes)


def calibration_curve(regressor: ConformalRegressor, X: Rows | None, y: ArrayLike, *, confidence_level: Levels | None = None, ax: Any = None,
                      y_pred: ArrayLike | None = None) -> Display:
    """Coverage of these rows against the confidence level, with the exact 99 % band of random variation."""
    ax = _axes(ax)
    levels = levels_of(np.linspace(0.05, 0.95, 19) if confidence_level is None else confidence_level)
    _, ends = regressor._intervals(X, levels, y_pred)
    observed = np.atleast_1d(metrics.coverage(np.asarray(y, dtype=np.float64), ends))
    calibration_rows = regressor.record_["calibration_rows"]
    band = np.array([metrics.coverage_band(len(ends), calibration_rows, level) for level in levels])
    artists = [ax.fill_between(levels, band[:, 0], band[:, 1], alpha=0.25, color="C0", linewidth=0, label="99 % band")]
    artists += ax.plot([0, 1], [0, 1], color="0.5", linestyle=":", label="as asked for")
    artists += ax.plot(levels, observed, color="C1", marker="o", markersize=3, label="coverage")
    ax.set(xlabel="confidence level", ylabel="share of targets covered", xlim=(0, 1), ylim=(0, 1))
    ax.legend()
    return Display(ax, artists, levels=np.array(levels), coverage=observed, band=band)


def _axes(ax):
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError("taut.plot needs matplotlib: pip install matplotlib") from None
    return plt.subplots()[1]


def _shades(levels):
    """(position, colour) of each level, the widest first. Higher levels are lighter, so that the legend can distinguish them."""
    from matplotlib.colors import to_rgb

    blue = np.array(to_rgb("C0"))
    lightness = np.linspace(0.75, 0.35, len(levels)) if len(levels) > 1 else [0.55]
    return [(i, tuple(1 - (1 - blue) * (1 - light))) for i, light in zip(np.argsort(levels)[::-1], lightness)]


def _band(ax, levels, x, centre, ends):
    artists = [ax.fill_between(x, ends[:, 0, i], ends[:, 1, i], color=colour, linewidth=0, label=f"{100 * levels[i]:g} % interval")
               for i, colour in _shades(levels)]
    return artists + ax.plot(x, centre, color="C0", label="prediction")


def _bars(ax, levels, x, centre, ends):
    """A vertical bar for each interval; lower levels are darker and thicker, and lie on top of the higher ones."""
    thickness = np.clip(250 / max(len(x), 1), 1.5, 6) * np.linspace(0.6, 1, len(levels))
    artists = [ax.vlines(x, ends[:, 0, i], ends[:, 1, i], colors=[colour], linewidth=thick, label=f"{100 * levels[i]:g} % interval")
               for (i, colour), thick in zip(_shades(levels), thickness)]
    return [*artists, ax.scatter(x, centre, s=16, color="black", marker="_", linewidths=1, zorder=2.9, label="prediction")]


def _feature(X, feature):
    if not _columns.is_frame(X):
        return np.asarray(X, dtype=np.float64)[:, feature], f"x{feature}"
    X = _columns.understood(X)
    names = _columns.names_of(X)
    name = feature if isinstance(feature, str) else names[feature]
    table = _columns.table_of(X, names)
    values = table.numbers(table.names.index(name)) if name in table.names else None
    if values is None:
        raise ValueError(f"feature: '{name}' is not a numeric column; choose another")
    return values, name
