"""The driver's part of a fit on a cluster, in the order of `taut fit --split cross`: columns → folds → f → out-of-fold residuals → g. Workers do the
training (training.py). Calibration is a separate step with other rows (calibration.py)."""
import functools

import numpy as np

from .. import _core, alarms
from .._groups import listed
from .._numbers import shown
from . import draw, keys, training
from .batches import table_of
from .engine import require_columns
from .model import EngineModel

COLUMN_ROWS = 20_000  # rows from which the kinds of columns are inferred
_OURS = {"categorical", "numeric", "date", "ordered", "na", "decimal", "y_min", "y_max", "y_step", "skip_missing_target", "drop"}


def fit(engine, rows, target, *, key, folds=5, num_workers=2, seed=0, objective="conditional", sides="auto", columns=None, column_rows=COLUMN_ROWS,
        threads_per_worker=1, predictor=None, localizer=None, **options):
    """See taut.spark.fit."""
    exponent = exponent_of(objective)
    if sides not in ("one", "two", "auto"):
        raise ValueError(f"sides must be 'one', 'two' or 'auto', got {shown(sides)}")
    if not 2 <= folds <= 100:
        raise ValueError(f"folds must be from 2 to 100, got {folds}")
    unknown = set(options) - _OURS
    if unknown:
        raise TypeError(f"fit has no option '{min(unknown)}'; there are: {', '.join(sorted(_OURS))}")
    key_columns = listed(key)
    inputs = [name for name in (columns or engine.columns(rows)) if name != target and (columns or name not in key_columns)]
    require_columns(engine, rows, [target, *inputs, *key_columns], "training rows")
    names = [*inputs, target]
    count = engine.count(rows)
    table = keys.in_order(draw.sampled(engine, rows, names, key, column_rows, count))
    begun, messages = _core.begin_assembly(table_of(table, names), {"target": target, "seed": seed, **options})
    plan = training.Plan(begun.to_bytes(), key, folds, seed, ("one", "two") if sides == "auto" else (sides,), threads_per_worker,
                         predictor=dict(predictor or {}), localizer=dict(localizer or {}))
    results = engine.train(rows, key_columns or names, functools.partial(training.train, plan), num_workers)
    model = EngineModel(_assembled(begun, results, exponent, count))
    alarms.of_fallback(model.core.record)
    model.messages_ = messages
    return model


def exponent_of(objective):
    """The exponent e in s ∝ E[r | x]^e: 1 for equal coverage at every x, 1/2 for the narrowest intervals."""
    try:
        exponent = _core.scale_exponent(objective)
    except ValueError:
        exponent = None
    if exponent is None:
        raise ValueError(f"objective must be 'conditional', 'size' or 'power:P' with P from 0 to 1, got {shown(objective)}")
    return exponent


def _assembled(begun, results, exponent, count):
    first = results[0]
    scale, rows = first["scale"], first["rows"]
    chosen = None if scale is None else _chosen([result["sample"] for result in results], exponent)
    parts = None
    if chosen is not None:
        parts = {"unit": scale["unit"], "prediction_offset": scale["prediction_offset"], "exponent": exponent, "members": scale[chosen[0]],
                 "other": scale[chosen[1]] if len(chosen) > 1 else []}
    return _core.assemble(begun, first["predictor"], parts, "rows of a cluster", count, count - rows, rows)


def _chosen(samples, exponent):
    """The sides with the lowest out-of-fold interval score: one, two, or both (the mean in log s); None if one width everywhere is best."""
    residual = np.concatenate([sample["residual"] for sample in samples])
    candidates = {(sides,): np.concatenate([sample["log_scales"][sides] for sample in samples]) for sides in samples[0]["log_scales"]}
    if len(candidates) > 1:
        candidates["one", "two"] = (candidates["one",] + candidates["two",]) / 2
    losses = {None: _core.log_mean_interval_score(residual, np.zeros((len(residual), 1)))}
    losses.update({names: _core.log_mean_interval_score(residual, exponent * u) for names, u in candidates.items()})
    return min(losses, key=losses.get)
