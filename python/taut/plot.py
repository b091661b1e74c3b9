"""Pictures on matplotlib axes. Every function takes `ax` and returns a display with `ax_` and `figure_`, as scikit-learn's do."""
import numpy as np

from . import _columns, metrics
from ._levels import levels_of

__all__ = ["Display", "calibration_curve", "intervals", "widths"]


class Display:
    """What was drawn: `ax_`, its `figure_`, the `artists_`, and the numbers behind them in `data_`."""

    def __init__(self, ax, artists, **data):
        self.ax_ = ax
        self.figure_ = ax.figure
        self.artists_ = artists
        self.data_ = data


def intervals(regressor, X, y=None, *, confidence_level=0.9, feature=0, ax=None, y_pred=None):
    """Predictions and intervals along one feature (its position or name); targets as dots where given."""
    ax = _axes(ax)
    levels = levels_of(confidence_level)
    values, name = _feature(X, feature)
    centre, ends = _arrays(regressor, X, levels, y_pred)
    order = np.argsort(values, kind="stable")
    artists = []
    for i in np.argsort(levels)[::-1]:
        artists.append(ax.fill_between(values[order], ends[order, 0, i], ends[order, 1, i], alpha=0.25, color="C0", linewidth=0,
                                       label=f"{100 * levels[i]:g} % interval"))
    artists += ax.plot(values[order], centre[order], color="C0", label="prediction")
    if y is not None:
        artists.append(ax.scatter(values, np.asarray(y), s=6, color="C1", alpha=0.6, label="target"))
    ax.set(xlabel=name, ylabel="target")
    ax.legend()
    return Display(ax, artists, x=values, y_pred=centre, intervals=ends)


def widths(regressor, X, *, confidence_level=0.9, bins=30, ax=None, y_pred=None):
    """How wide the intervals are: a histogram of the finite ones for each level."""
    ax = _axes(ax)
    levels = levels_of(confidence_level)
    _, ends = _arrays(regressor, X, levels, y_pred)
    sizes = ends[:, 1] - ends[:, 0]
    artists = [ax.hist(sizes[np.isfinite(sizes[:, i]), i], bins=bins, alpha=0.6, label=f"{100 * level:g} %")[2]
               for i, level in enumerate(levels)]
    ax.set(xlabel="width of the interval", ylabel="rows")
    ax.legend(title="confidence")
    return Display(ax, artists, widths=sizes)


def calibration_curve(regressor, X, y, *, confidence_level=None, ax=None, y_pred=None):
    """Coverage of these rows against the level asked for, with the exact 99 % band in which chance leaves it."""
    ax = _axes(ax)
    levels = levels_of(np.linspace(0.05, 0.95, 19) if confidence_level is None else confidence_level)
    _, ends = _arrays(regressor, X, levels, y_pred)
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


def _arrays(regressor, X, levels, y_pred):
    """predict_interval as arrays, whatever set_output says."""
    container = regressor.__dict__.get("_container", "default")
    try:
        return regressor.set_output(transform="default").predict_interval(X, levels, y_pred=y_pred)
    finally:
        regressor.set_output(transform=container)


def _feature(X, feature):
    if not _columns.is_frame(X):
        return np.asarray(X, dtype=np.float64)[:, feature], f"x{feature}"
    position = list(X.columns).index(feature) if isinstance(feature, str) else feature
    name = _columns.names_of(X)[position]
    kind, values, _ = (_columns.read_polars if _columns.is_polars(X) else _columns.read_pandas)(X, position, name)
    if kind != "numbers":
        raise ValueError(f"feature: '{name}' is no column of numbers; choose another")
    return np.asarray(values, dtype=np.float64), name
