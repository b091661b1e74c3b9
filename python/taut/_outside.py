"""Models that are not ours: anything with fit and predict, a plain function, or several whose mean is the prediction."""
import copy

import numpy as np


def members_of(estimator):
    """A fitted model, or a list of them, as a list."""
    members = list(estimator) if isinstance(estimator, (list, tuple)) else [estimator]
    for member in members:
        if not hasattr(member, "predict") and not callable(member):
            raise TypeError(f"estimator takes a model with fit and predict, or with prefit=True a function X -> y_pred; got {member!r}")
        refuse_classifier(member)
    if not members:
        raise ValueError("estimator: an empty list predicts nothing")
    return members


def refuse_classifier(estimator):
    """Classes may be numbers, so nothing else would notice."""
    from sklearn.utils import get_tags

    kind = get_tags(estimator).estimator_type if hasattr(estimator, "__sklearn_tags__") else getattr(estimator, "_estimator_type", None)
    if kind == "classifier":
        raise TypeError(f"estimator takes a regressor, which predicts numbers; got the classifier {type(estimator).__name__}: intervals "
                        "around the number of a class mean nothing")


def predict(members, X):
    """f(x): the mean over the members, which are not asked for no rows: many models refuse an empty table."""
    if X.shape[0] == 0:
        return np.empty(0)
    total = 0.0
    for member in members:
        total = total + one_prediction(member, X)
    return np.ascontiguousarray(total / len(members), dtype=np.float64)


def one_prediction(member, X):
    rows = X.shape[0]
    given = np.asarray(member.predict(X) if hasattr(member, "predict") else member(X), dtype=np.float64)
    if given.shape not in ((rows,), (rows, 1)):
        raise ValueError(f"the estimator must predict one number for each of {rows} rows, got an array of shape {given.shape}")
    return given.reshape(rows)


def cross_fit(estimator, X, y, folds):
    """One clone for each fold, trained on the others: the clones, and each fold's predictions by the clone that has not seen it."""
    from sklearn.base import clone
    from sklearn.utils import _safe_indexing

    if not hasattr(estimator, "fit"):
        raise TypeError(f"{estimator!r} has no fit: say prefit=True if it is a model that is trained already")
    refuse_classifier(estimator)
    members, out_of_fold = [], np.full(len(y), np.nan)
    for fold in folds:
        others = np.sort(np.concatenate([other for other in folds if other is not fold]))
        member = clone(estimator, safe=False) if hasattr(estimator, "get_params") else copy.deepcopy(estimator)
        fitted = member.fit(_safe_indexing(X, others), y[others])
        members.append(member if fitted is None else fitted)
        out_of_fold[fold] = one_prediction(members[-1], _safe_indexing(X, fold))
    return members, out_of_fold
