"""Outside models that predict distributions: their quantiles of every row, whatever the library calls them."""
import inspect
import numbers
import re

import numpy as np

from . import _outside
from ._numbers import shown

# Asked of models that predict any level.
LEVELS = (0.01, 0.025, *(round(k / 20, 2) for k in range(1, 20)), 0.975, 0.99)
_PREFIX = "prediction_q"  # of the names of columns that hold the quantiles of an outside model


class Distributions(_outside.Outputs):
    """Quantiles of every row, (rows, levels), by one fitted model."""

    def __init__(self, levels):
        self.levels = tuple(levels)

    def members_of(self, estimator):
        """The model alone: a list or dict of models is one distribution."""
        return [estimator]

    def unknown(self, rows):
        return np.full((rows, len(self.levels)), np.nan)

    def of_one(self, member, X):
        found = quantiles_of(member, X, self.levels)
        if found.shape != (X.shape[0], len(self.levels)):
            raise ValueError(f"the estimator must predict {len(self.levels)} quantiles for each of {X.shape[0]} rows, got an array of shape "
                             f"{found.shape}")
        return found


def kind_of(estimator):
    """How the quantiles of a fitted model are asked for; None if it predicts one number. The first that fits counts:

    "models" : a dict of models by their levels, or a list of models that each were trained for another level
    "fixed" : predict() gives the quantiles of the levels that the model was trained for (CatBoost MultiQuantile, XGBoost quantile_alpha)
    "predict_quantiles" : predict_quantiles(X, levels)
    "pred_dist" : pred_dist(X).ppf(level), as in NGBoost
    "output_type" : predict(X, output_type="quantiles", quantiles=levels or alphas=levels), as in TabPFN and TabICL
    "quantiles" : predict(X, quantiles=levels), as in quantile-forest
    """
    if isinstance(estimator, dict):
        return "models"
    if isinstance(estimator, (list, tuple)):
        levels = [level_of(one) for one in estimator]
        return "models" if len(levels) > 1 and None not in levels and len(set(levels)) > 1 else None
    if _fixed_levels(estimator):
        return "fixed"
    if callable(getattr(estimator, "predict_quantiles", None)):
        return "predict_quantiles"
    if callable(getattr(estimator, "pred_dist", None)):
        return "pred_dist"
    named = _parameters(estimator)
    if "output_type" in named and ("quantiles" in named or "alphas" in named):
        return "output_type"
    return "quantiles" if "quantiles" in named else None


def levels_of(estimator):
    """The levels that the model is asked for, ascending."""
    kind = kind_of(estimator)
    if kind == "fixed":
        levels = _fixed_levels(estimator)
    elif kind == "models":
        levels = list(estimator) if isinstance(estimator, dict) else [level_of(one) for one in estimator]
    else:
        return LEVELS
    return checked(levels, "estimator")


def checked(levels, what):
    """Levels as a sorted tuple. Raises ValueError for fewer than two, one outside of (0, 1), or two equal ones."""
    for level in levels:
        if not isinstance(level, numbers.Real) or isinstance(level, bool) or not 0 < level < 1:
            raise ValueError(f"{what}: a level is a number between 0 and 1, both excluded, got {shown(level)}")
    found = sorted(float(level) for level in levels)
    if len(found) < 2 or len(set(found)) < len(found):
        raise ValueError(f"{what}: a distribution takes at least two different levels, got {', '.join(map(str, found)) or 'none'}")
    return tuple(found)


def quantiles_of(estimator, X, levels):
    """The quantiles at these levels, (rows, levels)."""
    kind = kind_of(estimator)
    if kind == "models":
        by_level = estimator if isinstance(estimator, dict) else {level_of(one): one for one in estimator}
        by_level = {float(level): one for level, one in by_level.items()}
        _require(levels, by_level)
        return np.column_stack([_one_number(by_level[level], X) for level in levels])
    if kind == "fixed":
        own = [float(level) for level in _fixed_levels(estimator)]
        _require(levels, own)
        return _array(estimator.predict(X))[:, [own.index(level) for level in levels]]
    if kind == "predict_quantiles":
        return _array(estimator.predict_quantiles(X, list(levels)))
    if kind == "pred_dist":
        distribution = estimator.pred_dist(X)
        return np.column_stack([np.asarray(distribution.ppf(level), dtype=np.float64).reshape(-1) for level in levels])
    if kind == "output_type":
        name = "quantiles" if "quantiles" in _parameters(estimator) else "alphas"
        return _array(estimator.predict(X, output_type="quantiles", **{name: list(levels)}))
    if kind == "quantiles":
        return _array(estimator.predict(X, quantiles=list(levels)))
    raise TypeError(f"{shown(estimator)} predicts no quantiles")


def level_of(model):
    """The level of a model that predicts one quantile; None for any other. A pipeline has the level of its last step."""
    if hasattr(model, "steps"):
        model = model.steps[-1][1]
    if not hasattr(model, "get_params"):
        return None
    params = model.get_params(deep=False)
    if type(model).__name__ == "QuantileRegressor" or params.get("loss") == "quantile" and "quantile" in params:
        level = params.get("quantile")
    elif params.get("loss") == "quantile" or params.get("objective") == "quantile":  # GradientBoostingRegressor, LightGBM
        level = params.get("alpha")
    elif params.get("objective") == "reg:quantileerror":
        level = params.get("quantile_alpha")
    else:
        return None
    return float(level) if isinstance(level, numbers.Real) else None


def columns_of(levels, taken):
    """Names of the columns of quantiles, with their levels, as the option quantile_columns has them."""
    from ._columns import free_name

    return [f"{free_name(f'{_PREFIX}{level}', taken)}={level}" for level in levels]


def names_in(options):
    """The columns of a model's given distribution, and whether an outside model, or y_pred, fills them instead of X."""
    names = [text.rpartition("=")[0] for text in options["quantile_columns"]] or list(options["sample_columns"])
    return names, bool(names) and all(name.startswith(_PREFIX) for name in names)


def levels_in(options):
    """The levels of a model's columns of quantiles."""
    return tuple(float(text.rpartition("=")[2]) for text in options["quantile_columns"])


def is_by_level(y_pred):
    """Whether predictions given by the user state levels: a dict {level: column}, or a frame whose columns are named by numbers."""
    if isinstance(y_pred, dict):
        return True
    names = getattr(y_pred, "columns", None)
    return names is not None and not callable(names) and len(names) > 1 and all(
        isinstance(name, numbers.Real) and not isinstance(name, bool) and 0 < name < 1 for name in names)


def array_of(y_pred, rows):
    """Such predictions as levels and an array (rows, levels)."""
    by_level = {level: y_pred[level] for level in (y_pred if isinstance(y_pred, dict) else y_pred.columns)}
    levels = checked(list(by_level), "y_pred")
    by_level = {float(level): np.asarray(values, dtype=np.float64) for level, values in by_level.items()}
    for level, values in by_level.items():
        if values.shape != (rows,):
            raise ValueError(f"y_pred: expected one number for each of {rows} rows at the level {level}, got shape {values.shape}")
    return levels, np.column_stack([by_level[level] for level in levels])


def given_for(y_pred, rows, options):
    """Predictions of new rows for a model with these options, (rows, levels): by level, or an array in the order of the levels."""
    wanted = levels_in(options)
    if is_by_level(y_pred):
        levels, values = array_of(y_pred, rows)
        _require(wanted, levels)
        return np.ascontiguousarray(values[:, [levels.index(level) for level in wanted]])
    values = np.asarray(y_pred, dtype=np.float64)
    if values.shape != (rows, len(wanted)):
        raise ValueError(f"y_pred: this model was fitted with quantiles at {len(wanted)} levels, so that y_pred has the shape ({rows}, "
                         f"{len(wanted)}), or is a dict {{level: column}}; got the shape {values.shape}")
    return np.ascontiguousarray(values)


def _require(wanted, known):
    missing = [level for level in wanted if level not in known]
    if missing:
        raise ValueError(f"quantiles at the levels {', '.join(map(str, missing))} are missing; there are {', '.join(map(str, sorted(known)))}")


def _parameters(estimator):
    try:
        return inspect.signature(estimator.predict).parameters
    except (AttributeError, TypeError, ValueError):
        return {}


def _fixed_levels(estimator):
    """The levels of a model that was trained for several; empty for any other."""
    library = type(estimator).__module__.partition(".")[0]
    if library == "catboost" or hasattr(estimator, "get_all_params"):
        try:
            loss = str(estimator.get_param("loss_function"))
        except (AttributeError, TypeError, ValueError):
            return []
        stated = re.search(r"alpha=([0-9.,eE\s-]+)", loss) if loss.startswith("MultiQuantile") else None
        return [float(level) for level in stated.group(1).split(",")] if stated else []
    levels = getattr(estimator, "quantile_alpha", None)
    if getattr(estimator, "objective", None) == "reg:quantileerror" and np.ndim(levels) == 1 and len(levels) > 1:
        return [float(level) for level in levels]
    return []


def _one_number(model, X):
    values = np.asarray(model.predict(X) if hasattr(model, "predict") else model(X), dtype=np.float64)
    if values.shape not in ((X.shape[0],), (X.shape[0], 1)):
        raise ValueError(f"the model of a level must predict one number for each of {X.shape[0]} rows, got an array of shape {values.shape}")
    return values.reshape(-1)


def _array(given):
    """(rows, levels) from an array or frame, or from a list with an array for each level, as TabPFN gives it."""
    if isinstance(given, (list, tuple)):
        return np.column_stack([np.asarray(one, dtype=np.float64).reshape(-1) for one in given])
    return np.asarray(given, dtype=np.float64)
