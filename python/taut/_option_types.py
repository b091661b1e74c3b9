"""The options of a fit as a type, for functions that pass them on to ConformalRegressor. A test compares it with the constructor."""
from __future__ import annotations

from typing import TypedDict

from ._types import Literal, Mapping, Names, Sequence

__all__ = ["RegressorOptions"]


class RegressorOptions(TypedDict, total=False):
    """Keyword arguments of ConformalRegressor, except `estimator`, `prefit`, `region`, `y_range`, `random_state`, `n_jobs` and `verbose`."""

    quantile_columns: Names | None
    sample_columns: Names | None
    drop: Names | None
    categorical: Names | None
    numeric: Names | None
    date: Names | Mapping[str, str] | None
    ordered: Names | Mapping[str, Sequence[str]] | None
    increasing: Names | None
    decreasing: Names | None
    na: Names | Sequence[str | float] | None
    decimal: str | None
    skip_missing_target: bool
    predictor: str
    target_scale: Literal["as-is", "root", "log", "auto"] | None
    localizer: str
    transform: str
    score_scale: Literal["auto", "as-is", "root", "log", "learned", "probability"]
    objective: str | None
    focus: float | None
    sides: Literal["one", "two", "auto"]
    split: str | None
    by: Names | None
    other_groups: Literal["whole-line", "pool"]
    keep_together: str | None
    sure: float | None
    in_order: bool
    order_by: str | None
    gap: int
    delay: int
    lags: Sequence[int] | None
    rolling: Sequence[int] | None
    past_of: Names | None
    y_min: float | None
    y_max: float | None
    y_step: float | None
    max_rows: int | None
    effort: Literal["quick", "normal", "thorough"]
    repeats: int
    time: float | str | None
    knn_rows: int
    see_prediction: Literal["yes", "no", "auto"]
    hidden: Sequence[int]
    rate: float | None
    batch: int | None
    epochs: int | None
    patience: int | None
    depth: int | None
    min_weight: float | None
    calibrate_by_weight: bool
