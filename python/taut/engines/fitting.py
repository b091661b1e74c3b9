"""Fitting on a cluster, in the order of `taut fit --split cross`: columns → folds → f → residuals of rows that f has not seen → g. Calibration rows come
later and from elsewhere."""
import functools

import numpy as np

from .. import _core, alarms
from . import draw, training
from .batches import table_of
from .model import EngineModel

COLUMN_ROWS = 20_000  # rows that decide what columns are
LEVELS = (0.68, 0.9, 0.95)
_OURS = {"categorical", "numeric", "date", "ordered", "na", "decimal", "y_min", "y_max", "y_step", "skip_missing_target", "drop"}


def fit(engine, rows, target, *, key, folds=5, num_workers=2, seed=0, objective="conditional", sides="auto", columns=None, column_rows=COLUMN_ROWS,
        threads_per_worker=1, predictor=None, localizer=None, **options):
    """See taut.spark.fit."""
    exponent = exponent_of(objective)
    if sides not in ("one", "two", "auto"):
        raise ValueError(f"sides is 'one', 'two' or 'auto', got {sides!r}")
    if not 2 <= folds <= 100:
        raise ValueError(f"folds: 2 to 100, got {folds}")
    unknown = set(options) - _OURS
    if unknown:
        raise TypeError(f"fit has no option '{min(unknown)}'; there are: {', '.join(sorted(_OURS))}")
    key_columns = [] if key is None else [key] if isinstance(key, str) else list(key)
    known = engine.columns(rows)
    inputs = [name for name in (columns or known) if name != target and (columns or name not in key_columns)]
    absent = [name for name in [target, *inputs, *key_columns] if name not in known]
    if absent:
        raise ValueError(f"the training rows have no column '{absent[0]}'; there are: {', '.join(known)}")
    names = [*inputs, target]
    count = engine.count(rows)
    table = draw.drawn(engine, rows, names, key, column_rows, count)
    begun, said = _core.begin_assembly(table_of(table, names), {"target": target, "seed": seed, **options})
    plan = training.Plan(begun.to_bytes(), key, folds, seed, ("one", "two") if sides == "auto" else (sides,), threads_per_worker,
                         predictor=dict(predictor or {}), localizer=dict(localizer or {}))
    results = engine.train(rows, key_columns or names, functools.partial(training.train, plan), num_workers)
    model = _assembled(begun, results, exponent, count)
    alarms.of_fallback(model.core.record)
    model.messages_ = said
    return model


def exponent_of(objective):
    """The dial between equal coverage and the narrowest intervals: s ∝ E[r | x]^(1 / (1 + p))."""
    name, _, number = objective.partition(":")
    power = {"conditional": 0.0, "size": 1.0}.get(objective)
    if name == "power":
        power = float(number) if number.replace(".", "", 1).isdigit() else None
    if power is None or not 0 <= power <= 1:
        raise ValueError(f"objective is 'conditional', 'size' or 'power:P' with P from 0 to 1, got {objective!r}")
    return 1 / (1 + power)


def _assembled(begun, results, exponent, count):
    first = next(result for result in results if result["predictor"] is not None)
    scale, rows = first["scale"], first["rows"]
    chosen = None if scale is None else _chosen([result["sample"] for result in results if "sample" in result], exponent)
    parts = None
    if chosen is not None:
        parts = {"unit": scale["unit"], "prediction_offset": scale["prediction_offset"], "exponent": exponent, "members": scale[chosen]}
    core = _core.assemble(begun, first["predictor"], parts, "rows of a cluster", count, count - rows, rows)
    return EngineModel(core)


def _chosen(samples, exponent):
    """One side, two, or None where one width everywhere is best, by the interval score of rows that neither f nor g was trained on."""
    residual = np.concatenate([sample["residual"] for sample in samples])
    losses = {None: mean_log_interval_score(residual, np.zeros((len(residual), 1)))}
    for sides in samples[0]["log_scales"]:
        losses[sides] = mean_log_interval_score(residual, exponent * np.concatenate([sample["log_scales"][sides] for sample in samples]))
    return min(losses, key=losses.get)


def mean_log_interval_score(residual, log_scales):
    """Over the levels .68, .9 and .95, calibrated on the same rows; these never calibrate the model."""
    scales = np.exp(log_scales)
    below, above = scales[:, 0], scales[:, -1]
    z = np.abs(residual) / np.where(residual < 0, below, above)
    result = 0.0
    for level in LEVELS:
        q = np.quantile(z, level, method="inverted_cdf")
        beyond = np.maximum(-residual - q * below, 0) + np.maximum(residual - q * above, 0)
        result += np.log(np.mean(q * (below + above) + 2 / (1 - level) * beyond)) / len(LEVELS)
    return result
