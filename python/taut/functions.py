"""Functions that return a fitted ConformalRegressor: from arrays of predictions, and from a model file."""
from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

from . import _core, _distributions, _loss
from ._option_types import RegressorOptions
from ._types import Any, ArrayLike, Path, RandomState, Rows, Unpack
from .regressor import ConformalRegressor

if TYPE_CHECKING:
    from .classifier import ConformalClassifier


def conformalize(X: Rows | None, y_pred: ArrayLike, y: ArrayLike, *, random_state: RandomState | None = None, n_jobs: int | None = -1,
                 calibrate: bool = True, **options: Unpack[RegressorOptions]) -> ConformalRegressor:
    """Intervals from arrays alone: predictions `y_pred` for rows X, by a model that has not seen them, and their targets.

    `y_pred` may have two columns, a lower and an upper quantile prediction. X may be None: then the widths depend on the predictions only.
    Options are those of ConformalRegressor. The result is a fitted ConformalRegressor, which needs `y_pred` for every new table of rows:

        cr = taut.conformalize(X, y_pred, y, objective="size", random_state=0)
        _, intervals = cr.predict_interval(X_new, 0.9, y_pred=y_pred_new)
    """
    regressor = ConformalRegressor(prefit=True, random_state=random_state, n_jobs=n_jobs, **options)
    return regressor.fit(X, y, y_pred=y_pred, calibrate=calibrate)


def load(path: Path, estimator: Any = None, *, n_jobs: int | None = -1) -> Any:
    """A fitted ConformalRegressor, or ConformalClassifier, from a model file, whether the command line or Python wrote it.

    The file does not contain an outside estimator. If one made the predictions, give it here: a fitted model, a function, or the
    list `estimators_` of a cross-fitted one.
    """
    if not os.path.exists(path):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), os.fspath(path))
    model = _core.load_any(os.fspath(path))
    if isinstance(model, _core.Classifier):
        from .classifier import from_model

        return from_model(model, estimator, path, n_jobs)
    if isinstance(model, _core.JointRegressor):
        joint = ConformalRegressor._restored(model, estimator, path, n_jobs, False, "predictors of its own", region=model.region, y_range=model.y_range or None)
        joint.target_names_ = model.targets
        return joint
    outside = model.options["prediction"] + model.options["lower_prediction"] != "" or _distributions.names_in(model.options)[1]
    own = f"a predictor of its own ({model.imported or model.options['predictor']})"
    # Columns that an outside model fills are no columns of X.
    filled: dict[str, Any] = {"quantile_columns": None} if _distributions.names_in(model.options)[1] else {}
    if model.has_own_loss:
        filled["loss"] = _loss.not_in_file
    regressor = ConformalRegressor._restored(model, estimator, path, n_jobs, outside, own, **filled)
    if estimator is not None:
        regressor.estimators_ = regressor._outside().members_of(estimator)
    return regressor
