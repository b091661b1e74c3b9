"""Functions that return a fitted ConformalRegressor: from arrays of predictions, and from a model file."""
import errno
import os
import re

import numpy as np

from . import _core, _outside
from .regressor import ConformalRegressor


def conformalize(X, y_pred, y, *, random_state=None, n_jobs=-1, calibrate=True, **options):
    """Intervals from arrays alone: predictions `y_pred` for rows X, by a model that has not seen them, and their targets.

    `y_pred` may have two columns, a lower and an upper quantile prediction. X may be None: then the widths depend on the predictions only.
    Options are those of ConformalRegressor. The result is a fitted ConformalRegressor, which needs `y_pred` for every new table of rows:

        cr = taut.conformalize(X, y_pred, y, objective="size", random_state=0)
        _, intervals = cr.predict_interval(X_new, 0.9, y_pred=y_pred_new)
    """
    regressor = ConformalRegressor(prefit=True, random_state=random_state, n_jobs=n_jobs, **options)
    return regressor.fit(X, y, y_pred=y_pred, calibrate=calibrate)


def load(path, estimator=None, *, n_jobs=-1):
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
    outside = model.options["prediction"] + model.options["lower_prediction"] != ""
    own = f"a predictor of its own ({model.imported or model.options['predictor']})"
    regressor = ConformalRegressor._restored(model, estimator, path, n_jobs, outside, own)
    if estimator is not None:
        regressor.estimators_ = _outside.Predictions().members_of(estimator)
    regressor.columns_ = model.column_facts
    names = [name for name, _ in model.columns]
    regressor._left_out = [fact["name"] for fact in model.column_facts if fact["use"] != "input"] + list(model.options["drop"])
    if all(re.fullmatch(r"x\d+", name) for name in [*names, *regressor._left_out]):
        names = [f"x{i}" for i in range(len(names) + len(regressor._left_out))]  # from an array, whose columns are identified by position
    else:
        regressor.feature_names_in_ = np.array(names, dtype=object)
    regressor.n_features_in_ = len(names)
    return regressor
