"""Coverage, widths and interval scores in one pass. Sums are exact (exact_sums.py), so the results do not depend on the partitions, not even in the
last bit."""
import functools
import math
from fractions import Fraction

import numpy as np

from .. import _core, alarms
from .._groups import listed
from ..evaluation import Evaluation
from . import draw, exact_sums
from .batches import checked_levels, decoded, table_of
from .engine import gathered, require_columns
from .model import EngineModel, model_of

ALL = None  # the key of all rows


def evaluate(engine, model, rows, confidence_level=(0.8, 0.9, 0.95), *, by=None, worker_threads=1):
    """A dict with keys as in ConformalRegressor.evaluate: rows, calibration_rows, levels, alarms and, with `by`, by_group."""
    model = model_of(model)
    levels, columns = checked_levels(confidence_level), listed(by)
    require_columns(engine, rows, [*model.columns_to_evaluate, *columns], "rows")
    evaluated = gathered(engine, rows, functools.partial(evaluate_batches, model.to_bytes(), levels, columns, worker_threads), add_evaluated)
    if ALL not in evaluated:
        raise ValueError("there are no rows to evaluate")
    result = {"rows": evaluated[ALL]["rows"], "calibration_rows": model.core.record["calibration_rows"],
              "levels": [_level(model.core, evaluated[ALL], levels, i) for i in range(len(levels))]}
    result["alarms"] = [alarm for level in result["levels"] for alarm in _alarms(model, level)]
    if columns:
        names = sorted(name for name in evaluated if name is not ALL)
        result["by_group"] = [{"confidence": level, "groups": [_group(model.core, name, evaluated[name], levels, i) for name in names]}
                              for i, level in enumerate(levels)]
    alarms.of_findings(result["alarms"])
    return Evaluation(result)


def evaluate_batches(model_bytes, levels, by, threads, batches):
    """Counts and exact sums over all rows and over each group."""
    model = decoded(model_bytes)
    wrapped = EngineModel(model)
    parts = []
    for batch in batches:
        if batch.num_rows == 0:
            continue
        table = table_of(batch, wrapped.columns_to_evaluate)
        y = _core.row_targets(model, table)
        _, intervals, _ = model.predict_interval(table, levels, threads)
        usable = ~np.isnan(y)
        parts.append({ALL: _evaluated(y[usable], intervals[usable], levels)})
        if by:
            names = draw.group_names(batch, by)
            parts.extend({name: _evaluated(y[chosen], intervals[chosen], levels)}
                         for name in np.unique(names).tolist() for chosen in [usable & (names == name)] if chosen.any())
    return add_evaluated(parts)


def _evaluated(y, intervals, levels):
    result = {"rows": len(y), "levels": []}
    for i, level in enumerate(levels):
        low, high = intervals[:, 0, i], intervals[:, 1, i]
        empty = np.isnan(low)
        finite = np.isfinite(low) & np.isfinite(high)
        lower, upper, target = low[finite], high[finite], y[finite]
        outside = np.maximum(lower - target, 0) + np.maximum(target - upper, 0)
        result["levels"].append({"covered": int(((low <= y) & (y <= high)).sum()), "empty": int(empty.sum()), "finite": int(finite.sum()),
                                 "width": _total(upper - lower), "score": _total((upper - lower) + 2 / (1 - level) * outside)})
    return result


def _total(values):
    return exact_sums.of(values, np.zeros(len(values), dtype=np.int64), 1)


def add_evaluated(parts):
    total = {}
    for part in parts:
        for name, evaluated in part.items():
            total[name] = _added(total[name], evaluated) if name in total else evaluated
    return total


def _added(a, b):
    zero = np.zeros(1, dtype=np.int64)
    return {"rows": a["rows"] + b["rows"], "levels": [
        {key: exact_sums.merged([one[key], other[key]], [zero, zero], 1) if isinstance(one[key], dict) else one[key] + other[key] for key in one}
        for one, other in zip(a["levels"], b["levels"])]}


def _mean(sums, rows):
    return float(Fraction(int(exact_sums.as_integers(sums, 1)[0])) * exact_sums.UNIT / rows) if rows else None


def _level(core, evaluated, levels, i):
    level, one, rows = levels[i], evaluated["levels"][i], evaluated["rows"]
    result = {"confidence": level, "rank": None, "delivered": None, "coverage": one["covered"] / rows, "coverage_low": None, "coverage_high": None}
    if core.calibration["kind"] == "plain":
        calibrated = core.record["calibration_rows"]
        rank, last, delivered = core.ranks(level)
        result["rank"], result["delivered"] = rank, delivered
        if calibrated:
            result["coverage_low"] = _core.coverage_band(rows, calibrated, rank)[0]
            result["coverage_high"] = _core.coverage_band(rows, calibrated, last)[1]
    # As in `evaluate` on one machine: an unbounded interval makes means infinite, an empty one has width 0 and an infinite score.
    infinite = rows - one["finite"] - one["empty"]
    result.update(unbounded=infinite / rows, mean_width=math.inf if infinite else _mean(one["width"], rows),
                  interval_score=math.inf if infinite or one["empty"] else _mean(one["score"], rows), empty=one["empty"], infinite=infinite)
    return result


def _group(core, name, evaluated, levels, i):
    one = _level(core, evaluated, levels, i)
    return {"name": name, "rows": evaluated["rows"], "covered": evaluated["levels"][i]["covered"], "coverage": one["coverage"], "low": one["coverage_low"],
            "high": one["coverage_high"], "unbounded": one["unbounded"], "mean_width": one["mean_width"],
            "interval_score": one["interval_score"], "infinite": one["infinite"]}


def _alarms(model, level):
    low, high, coverage = level["coverage_low"], level["coverage_high"], level["coverage"]
    options = model.core.options
    restricted = options["y_step"] > 0 or np.isfinite(options["y_min"]) or np.isfinite(options["y_max"])
    if low is None or not (coverage < low or (coverage > high and not restricted)):
        return []
    return [{"kind": "coverage", "numbers": {"confidence": level["confidence"], "coverage": coverage, "low": low, "high": high},
             "words": f"the coverage at {level['confidence']} is {coverage:.4f}, outside the {low:.4f} to {high:.4f} that chance explains: "
                      "these rows and the calibration rows are not of one source"}]
