"""What one worker does when a model is fitted: its rows once through C++ to the inputs of trees, then XGBoost, which grows the same trees on all
workers together. f once for every fold, then g from the residuals of rows that the f of their fold has not seen.

Rows outside a fold's training get gradients of 0 instead of matrices of their own: one quantised matrix serves all folds, a byte a cell.
"""
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from .. import _core
from . import keys, trees
from .batches import decoded, table_of
from .model import EngineModel

BEND = 0.5  # of the loss of f, in standard units: taut/predict/bent_loss.hpp
LEAST_RESIDUAL = 1e-12
HELD_OUT = 1 / 8  # of a fold's training rows, for early stopping
LEVELS = (0.68, 0.9, 0.95)  # that judge scales
MOST_LOG_SCALE = 50.0  # a margin further away means nothing


@dataclass
class Plan:
    """Everything that decides the trees, the same for all workers."""

    model_bytes: bytes
    key: object
    folds: int = 5
    seed: int = 0
    sides: tuple = ("one",)
    threads: int = 1
    most_sampled: int = 200_000  # rows that choose between one side and two
    rows: int = 0
    predictor: dict = field(default_factory=dict)  # parameters of XGBoost that the user sets
    localizer: dict = field(default_factory=dict)


def settings_of_f(rows):
    """As taut/predict/boosting.cpp has them."""
    few = rows < 20_000
    return {"max_depth": 6 if few else 8, "learning_rate": 0.1 if few else 0.25, "min_child_weight": 5 if few else 10, "subsample": 0.8,
            "colsample_bytree": 1 if rows < 5_000 else 0.8, "max_bin": 128, "rounds": 600, "patience": 25}


def settings_of_g(rows):
    """As taut/localize/boost.cpp has them; there trees grow g = −2 log s, whose curvature is a quarter of that of log s."""
    short = rows < 5_000
    return {"max_depth": 4 if rows < 10_000 else 5, "learning_rate": 0.05 if short else 0.25, "min_child_weight": 4 * 20, "reg_lambda": 4 * 1.0,
            "max_bin": 64 if rows < 50_000 else 256, "rounds": 1000, "patience": 50 if short else 15}


class Rows:
    """The rows of one worker, in the order of their hashes: how they arrived does not matter."""

    def __init__(self, plan, batches):
        model = decoded(plan.model_bytes)
        names = EngineModel(model).columns_to_evaluate
        inputs, targets, hashes = [], [], []
        for batch in batches:
            if batch.num_rows == 0:
                continue
            table = table_of(batch, names)
            y = _core.row_targets(model, table)
            usable = ~np.isnan(y)
            inputs.append(_core.tree_inputs(model, table, plan.threads)[usable])
            targets.append(y[usable])
            hashes.append(keys.of_batch(batch, plan.key, plan.seed)[usable])
        columns = inputs[0].shape[1] if inputs else _columns(model)
        self.x = np.concatenate([np.zeros((0, columns), dtype=np.float32), *inputs])
        self.y = np.concatenate([np.zeros(0), *targets])
        self.hash = np.concatenate([np.zeros(0, dtype=np.uint64), *hashes])
        order = np.argsort(self.hash, kind="stable")
        self.x, self.y, self.hash = self.x[order], self.y[order], self.hash[order]
        self.fold = (keys.mixed(self.hash, keys.FOLD) % np.uint64(plan.folds)).astype(np.int64)

    def held(self, fold):
        """Others for each fold, so that every row trains some member."""
        return keys.share_of(keys.mixed(self.hash, keys.HOLD), fold) < HELD_OUT


def _columns(model):
    empty = pa.table({name: pa.array([], type=pa.float64() if categories is None else pa.string()) for name, categories in model.columns})
    return _core.tree_inputs(model, table_of(empty, empty.schema.names), 1).shape[1]


def total(*values):
    """Sums over all workers, the same on each."""
    from xgboost import collective

    return collective.allreduce(np.array(values, dtype=np.float64), collective.Op.SUM)


def boost(matrix, losses, trainings, judge, settings, own, seed, threads):
    """One booster for each loss, round by round together, until judge(margins of each) has not fallen for a while: the trees of each up to the best
    round, and the margins there. What `judge` says must be the same on all workers."""
    import xgboost as xgb

    chosen = {**settings, **own}
    rounds, patience = int(chosen.pop("rounds")), int(chosen.pop("patience"))
    boosters = [xgb.Booster({"tree_method": "hist", "base_score": 0.0, "reg_lambda": 1.0, "nthread": threads, "seed": seed,
                             "objective": "reg:squarederror", **chosen}, [matrix]) for _ in losses]
    best_loss, best_round, best_margins = np.inf, 0, None
    for number in range(rounds + 1):
        margins = [booster.predict(matrix, output_margin=True, training=True).astype(np.float64).reshape(-1) for booster in boosters]
        judged = judge(margins)
        if best_margins is None or judged < best_loss:
            best_loss, best_round, best_margins = judged, number, margins
        if number == rounds or number - best_round >= patience:
            break
        for booster, loss, training, margin in zip(boosters, losses, trainings, margins):
            slopes = [np.where(training, values, 0.0).astype(np.float32) for values in loss(margin)]
            booster.update(matrix, iteration=number, fobj=lambda *_, slopes=slopes: tuple(slopes))
    return [trees.of_booster(booster, best_round) for booster in boosters], best_margins


def bent_loss(y):
    """δ²(1/w − 1), w = 1/√(1 + (e/δ)²), of e = f − y: gradient w e, curvature w."""

    def loss(margins):
        error = margins - y
        w = 1 / np.sqrt(1 + (error / BEND) ** 2)
        return w * error, w

    return loss


def mean_bent_loss(y, rows):
    """Over these rows of all workers."""

    def judge(margins):
        sums = total((np.sqrt(1 + ((margins[0] - y)[rows] / BEND) ** 2) - 1).sum(), rows.sum())
        return sums[0] / max(1.0, sums[1])

    return judge


def gamma_loss(r):
    """u + r e^−u, least at u = log E[r | x], which is what the objective `conditional` finds: gradient 1 − z, curvature 1 + z, z = r e^−u."""

    def loss(u):
        z = r * np.exp(-np.clip(u, -MOST_LOG_SCALE, MOST_LOG_SCALE))
        return 1 - z, 1 + z

    return loss


def mean_log_interval_score(residual, starts, rows):
    """Over the levels, of these rows of all workers, calibrated on themselves: what a user sees of a scale. Quantiles are read off a histogram of
    log z, fine enough for choosing."""
    edges = np.linspace(-12, 12, 4801)
    own = residual[rows]
    below = own < 0

    def judge(margins):
        scales = [np.exp(np.clip(start + margin[rows], -MOST_LOG_SCALE, MOST_LOG_SCALE)) for start, margin in zip(starts, margins)]
        low, high = scales[0], scales[-1]
        log_z = np.log(np.maximum(np.abs(own), LEAST_RESIDUAL) / np.where(below, low, high))
        counts = total(*np.bincount(np.clip(np.searchsorted(edges, log_z), 0, len(edges) - 1), minlength=len(edges)))
        up_to = np.cumsum(counts)
        reaches = [np.exp(edges[min(int(np.searchsorted(up_to, level * up_to[-1])), len(edges) - 1)]) for level in LEVELS]
        sums = total(*(value for q, level in zip(reaches, LEVELS) for value in [
            (q * (low + high) + 2 / (1 - level) * (np.maximum(-own - q * low, 0) + np.maximum(own - q * high, 0))).sum()]))
        return float(np.log(np.maximum(sums / max(1.0, up_to[-1]), 1e-300)).mean())

    return judge


def train(plan, batches, rank):
    """The result is the same on every worker but for `sample`."""
    import xgboost as xgb

    rows = Rows(plan, batches)
    own, skipped = len(rows.y), 0
    count, sum_y = total(own, rows.y.sum())
    if count < 2 * plan.folds:
        raise ValueError(f"there are {int(count)} rows to train on; {plan.folds} folds take at least {2 * plan.folds}")
    centre = sum_y / count
    unit = total(np.abs(rows.y - centre).sum())[0] / count or 1.0
    f, out_of_fold = _train_f(xgb, plan, rows, int(count), centre, unit)
    residual = rows.y - out_of_fold
    mean_residual = total(np.abs(residual).sum())[0] / count
    result = {"rank": rank, "rows": int(count), "skipped_rows": skipped, "predictor": {"centre": centre, "unit": unit, "members": f}, "scale": None}
    if mean_residual > 0:
        scale, sample = _train_g(xgb, plan, rows, int(count), out_of_fold, residual / mean_residual, mean_residual)
        result.update(scale=scale, sample=sample)
    if rank != 0:
        result.update(predictor=None, scale=None)
    return result


def _train_f(xgb, plan, rows, count, centre, unit):
    settings = settings_of_f(count)
    matrix = xgb.QuantileDMatrix(rows.x, max_bin=int(plan.predictor.get("max_bin", settings["max_bin"])), nthread=plan.threads)
    y, members, out_of_fold = (rows.y - centre) / unit, [], np.zeros(len(rows.y))
    for fold in range(plan.folds):
        outside = rows.fold != fold
        held = rows.held(fold)
        [grown], [margins] = boost(matrix, [bent_loss(y)], [outside & ~held], mean_bent_loss(y, outside & held), settings, plan.predictor,
                                   plan.seed + fold, plan.threads)
        members.append(grown)
        out_of_fold[~outside] = centre + unit * margins[~outside]
    return members, out_of_fold


def _offset(predictions):
    """What the inputs lose of f before it becomes a float: the first worker's rows decide for all."""
    from xgboost import collective

    step = max(1, len(predictions) // 65_536)
    return collective.broadcast(_core.float_offset(predictions[::step].tolist()) if len(predictions) else 0.0, 0)


def _train_g(xgb, plan, rows, count, out_of_fold, residual, unit):
    """One side: |r| of all rows. Two: each side from its own rows; r · 1{side} costs 3 to 4 % of the interval score."""
    settings = settings_of_g(count)
    offset = _offset(out_of_fold)
    seen = _core.prediction_inputs(np.ascontiguousarray(out_of_fold), offset, unit)
    matrix = xgb.QuantileDMatrix(np.column_stack([rows.x, seen]), max_bin=int(plan.localizer.get("max_bin", settings["max_bin"])), nthread=plan.threads)
    size = np.maximum(np.abs(residual), LEAST_RESIDUAL)
    parts = {"one": [np.ones(len(size), dtype=bool)], "two": [residual < 0, residual >= 0]}
    scale, log_scales = {"unit": unit, "prediction_offset": offset}, {}
    for sides in plan.sides:
        scale[sides], log_scales[sides] = [], np.zeros((len(size), len(parts[sides])))
        for fold in range(plan.folds):
            outside = rows.fold != fold
            # The mean of |r| on a side is the start, so that the first trees do not spend themselves on it.
            sums = [total(size[those & outside].sum(), (those & outside).sum()) for those in parts[sides]]
            starts = [float(np.log(r / n)) if n > 0 else 0.0 for r, n in sums]
            grown, margins = boost(matrix, [gamma_loss(size * np.exp(-start)) for start in starts], [outside & those for those in parts[sides]],
                                   mean_log_interval_score(residual, starts, ~outside), settings, plan.localizer, plan.seed + fold, plan.threads)
            u = np.column_stack([start + margin for start, margin in zip(starts, margins)])
            centre = float(total(u[outside].sum())[0] / total(outside.sum() * u.shape[1])[0])
            scale[sides].append({"sides": [{**one, "initial": start} for one, start in zip(grown, starts)], "centre": centre})
            log_scales[sides][~outside] = u[~outside] - centre
    chosen = keys.share_of(rows.hash, keys.DRAW) < plan.most_sampled / count
    sample = {"residual": residual[chosen], "log_scales": {sides: u[chosen] for sides, u in log_scales.items()}}
    return scale, sample
