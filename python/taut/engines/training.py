"""The training on one worker. C++ computes the inputs of trees from its rows, then XGBoost grows the same trees on all workers together: f once for
every fold, then g from the out-of-fold residuals. Settings and losses are those of the library.

Rows that do not train a fold get gradients of 0. So all folds share one quantised matrix, with one byte per cell.
"""
import json
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from .. import _core
from . import keys
from .batches import decoded, table_of
from .model import EngineModel

MAX_LOG_SCALE = 50.0  # larger values of |log s| are clipped
MAX_BINS = 256  # more would need two bytes per cell


@dataclass
class Plan:
    """Everything that determines the trees, the same on all workers."""

    model_bytes: bytes
    key: object
    folds: int = 5
    seed: int = 0
    sides: tuple = ("one",)
    threads: int = 1
    max_sampled: int = 200_000  # rows for the choice between one side and two
    predictor: dict = field(default_factory=dict)  # parameters of XGBoost that the user sets
    localizer: dict = field(default_factory=dict)

    def settings(self, part, rows, columns):
        """The library's settings for f ("predictor") or g ("localizer") with the names of XGBoost. The library grows trees for g = −2 log s, this module
        for log s, for which the curvature is four times as large."""
        settings, factor = _core.training_settings(rows, columns)[part], 4 if part == "localizer" else 1
        return {"max_depth": settings["depth"], "learning_rate": settings["rate"], "min_child_weight": factor * settings["min_weight"],
                "reg_lambda": factor * settings["lambda"], "subsample": settings["row_share"], "colsample_bytree": settings["column_share"],
                "max_bin": min(settings["bins"], MAX_BINS), "rounds": settings["rounds"], "patience": settings["patience"], **getattr(self, part)}


class Rows:
    """The rows of one worker, sorted by their hashes, so that the order of arrival does not matter."""

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
        """A mask of the rows for early stopping in a fold. They differ between folds, so that every row trains some member."""
        return keys.share_of(keys.mixed(self.hash, keys.HOLD), fold) < _core.held_out_share


def _columns(model):
    empty = pa.table({name: pa.array([], type=pa.float64() if categories is None else pa.string()) for name, categories in model.columns})
    return _core.tree_inputs(model, table_of(empty, empty.schema.names), 1).shape[1]


def train(plan, batches, rank):
    """Trains f and g. Only the result of rank 0 has the trees; `sample` has rows of this worker, everything else is the same on all workers."""
    import xgboost as xgb

    rows = Rows(plan, batches)
    count, sum_y = total([len(rows.y), rows.y.sum()])
    if count < 2 * plan.folds:
        raise ValueError(f"there are {int(count)} rows to train on; {plan.folds} folds take at least {2 * plan.folds}")
    centre = sum_y / count
    unit = total([np.abs(rows.y - centre).sum()])[0] / count or 1.0
    f, out_of_fold = _train_f(xgb, plan, rows, int(count), centre, unit)
    residual = rows.y - out_of_fold
    mean_residual = total([np.abs(residual).sum()])[0] / count
    result = {"rank": rank, "rows": int(count), "predictor": {"centre": centre, "unit": unit, "members": f}, "scale": None}
    if mean_residual > 0:
        result["scale"], result["sample"] = _train_g(xgb, plan, rows, int(count), out_of_fold, residual / mean_residual, mean_residual)
    if rank != 0:
        result.update(predictor=None, scale=None)
    return result


def _train_f(xgb, plan, rows, count, centre, unit):
    """The trees of each fold, and the out-of-fold prediction of every row."""
    settings = plan.settings("predictor", count, rows.x.shape[1])
    matrix = xgb.QuantileDMatrix(rows.x, max_bin=int(settings["max_bin"]), nthread=plan.threads)
    y, members, out_of_fold = (rows.y - centre) / unit, [], np.zeros(len(rows.y))
    for fold in range(plan.folds):
        outside, held = rows.fold != fold, rows.held(fold)
        validated = outside & held

        def slopes(margins):
            _, gradient, curvature = _core.predictor_loss(margins[:, 0] - y)
            return gradient[:, None], curvature[:, None]

        def loss(margins, validated=validated):
            value, count = total([_core.predictor_loss((margins[:, 0] - y)[validated])[0].sum(), validated.sum()])
            return value / max(1.0, count)

        [grown], margins = boost(matrix, 1, slopes, outside & ~held, loss, settings, plan.seed + fold, plan.threads)
        members.append(grown)
        out_of_fold[~outside] = centre + unit * margins[~outside, 0]
    return members, out_of_fold


def _train_g(xgb, plan, rows, count, out_of_fold, residual, unit):
    """Trains the scale. One side: on |r| of all rows. Two sides: each on the rows of its side; training on r · 1{side} made the interval score 3 to 4 %
    worse."""
    from xgboost import collective

    offset = collective.broadcast(_core.prediction_offset(out_of_fold), 0)  # computed from the rows of rank 0
    x = np.column_stack([rows.x, _core.prediction_inputs(out_of_fold, offset, unit)])
    settings = plan.settings("localizer", count, x.shape[1])
    matrix = xgb.QuantileDMatrix(x, max_bin=int(settings["max_bin"]), nthread=plan.threads)
    parts = {"one": [np.ones(len(residual), dtype=bool)], "two": [residual < 0, residual >= 0]}
    scale, log_scales = {"unit": unit, "prediction_offset": offset}, {}
    for sides in plan.sides:
        scale[sides], log_scales[sides] = [], np.zeros((len(residual), len(parts[sides])))
        for fold in range(plan.folds):
            outside = rows.fold != fold
            # Boosting starts at the log of the mean |r| of each side, so that the first trees need not learn it.
            sums = [total([np.abs(residual[those & outside]).sum(), (those & outside).sum()]) for those in parts[sides]]
            start = np.array([np.log(r / n) if r > 0 else 0.0 for r, n in sums])

            def slopes(margins, start=start):
                return _core.scale_slopes(residual, _bounded(start + margins))

            def loss(margins, start=start, validated=~outside):
                return _core.log_mean_interval_score(residual[validated], _bounded(start + margins[validated]), total)

            grown, margins = boost(matrix, len(start), slopes, outside, loss, settings, plan.seed + fold, plan.threads)
            u = start + margins
            centre = float(total([u[outside].sum()])[0] / total([outside.sum() * u.shape[1]])[0])
            scale[sides].append({"sides": [{**one, "initial": float(first)} for one, first in zip(grown, start)], "centre": centre})
            log_scales[sides][~outside] = u[~outside] - centre
    chosen = keys.share_of(rows.hash, keys.DRAW) < plan.max_sampled / count
    sample = {"residual": residual[chosen], "log_scales": {sides: u[chosen] for sides, u in log_scales.items()}}
    return scale, sample


def _bounded(log_scale):
    return np.clip(log_scale, -MAX_LOG_SCALE, MAX_LOG_SCALE)


def total(values):
    """The sums over all workers; every worker gets the same result."""
    from xgboost import collective

    return collective.allreduce(np.array(values, dtype=np.float64), collective.Op.SUM)


def boost(matrix, outputs, slopes, training, loss, settings, seed, threads):
    """Trains one booster for each output, all in the same rounds, until loss(margins) has not fallen for `patience` rounds. Returns the trees of each up
    to the best round, and the margins at that round, (rows, outputs). `slopes(margins)` returns gradients and curvatures; those of rows that are
    not in `training` are set to 0. `loss` must return the same number on all workers."""
    import xgboost as xgb

    chosen = dict(settings)
    rounds, patience = int(chosen.pop("rounds")), int(chosen.pop("patience"))
    boosters = [xgb.Booster({"tree_method": "hist", "base_score": 0.0, "nthread": threads, "seed": seed, "objective": "reg:squarederror", **chosen},
                            [matrix]) for _ in range(outputs)]
    best_loss, best_round, best_margins = np.inf, 0, None
    for number in range(rounds + 1):
        margins = np.stack([booster.predict(matrix, output_margin=True, training=True).astype(np.float64).reshape(-1) for booster in boosters], axis=1)
        found = loss(margins)
        if best_margins is None or found < best_loss:
            best_loss, best_round, best_margins = found, number, margins
        if number == rounds or number - best_round >= patience:
            break
        gradients, curvatures = (np.where(training[:, None], values, 0.0).astype(np.float32) for values in slopes(margins))
        for booster, gradient, curvature in zip(boosters, gradients.T, curvatures.T):
            slopes_of_output = np.ascontiguousarray(gradient), np.ascontiguousarray(curvature)
            booster.update(matrix, iteration=number, fobj=lambda *_, slopes_of_output=slopes_of_output: slopes_of_output)
    return [trees_of(booster, best_round) for booster in boosters], best_margins


def trees_of(booster, rounds):
    """The first `rounds` trees of a booster that starts from a margin of 0, as arrays for C++. Both have the same semantics (float thresholds, left if
    x < threshold, a default side for missing cells, float sums in the order of the trees), so predictions agree in every bit."""
    trees = json.loads(bytes(booster.save_raw("json")))["learner"]["gradient_booster"]["model"]["trees"][:rounds]

    def joined(name, kind):
        return np.concatenate([np.zeros(0, dtype=kind), *(np.array(tree[name], dtype=kind) for tree in trees)])

    left = joined("left_children", np.int32)
    feature = joined("split_indices", np.int32)
    feature[left < 0] = -1
    return {"initial": 0.0, "sizes": np.array([len(tree["left_children"]) for tree in trees], dtype=np.int32), "left": left,
            "right": joined("right_children", np.int32), "feature": feature, "missing_left": joined("default_left", np.uint8),
            "value": joined("split_conditions", np.float32), "cover": joined("sum_hessian", np.float32)}
