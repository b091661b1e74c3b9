"""Classifiers that are not ours, their probabilities, and labels as texts."""
import copy
import sys

import numpy as np

from . import _core

UNKNOWN = "a label that no training row had"


def texts_of(classes):
    """Labels as C++ knows them: their own texts, or numbers where those would be one or missing."""
    texts = [str(label) for label in classes.tolist()]
    keys = {text.lower() for text in texts}
    reads = [_core.read_cell(text) for text in texts]
    odd = any(isinstance(value, float) and np.isnan(value) for value in reads) or any(text != text.strip() or not text for text in texts)
    odd = odd or UNKNOWN in texts or len({value for value in reads if isinstance(value, float)}) < sum(isinstance(value, float) for value in reads)
    return [str(k) for k in range(len(texts))] if odd or len(keys) < len(texts) else texts


def free_prefix(prefix, names):
    while any(name.startswith(prefix) for name in names):
        prefix += "_"
    return prefix


def given(y_proba, rows, classes):
    """(rows, classes) numbers."""
    p = np.asarray(y_proba, dtype=np.float64)
    if p.shape != (rows, classes):
        raise ValueError(f"y_proba: expected a probability for each of {rows} rows and {classes} classes, got shape {p.shape}")
    return p


def lacking(y):
    """Where a row has no label: None, NaN, pandas.NA."""
    absent = getattr(sys.modules.get("pandas"), "NA", None)
    return np.array([label is None or label is absent or label != label for label in np.asarray(y, dtype=object).reshape(-1)], dtype=bool)


def filled(y, lacks, label):
    """`y` with a label in every row, as an array of what its labels are."""
    if not lacks.any():
        return y
    return np.array([label if lacking_one else one for one, lacking_one in zip(np.asarray(y, dtype=object).reshape(-1).tolist(), lacks)])


def members_of(estimator):
    """A fitted classifier, or a list of them, as a list."""
    members = list(estimator) if isinstance(estimator, (list, tuple)) else [estimator]
    for member in members:
        if not hasattr(member, "predict_proba"):
            raise TypeError(f"estimator takes a classifier with predict_proba; got {member!r}; CalibratedClassifierCV gives one to those without")
    if not members:
        raise ValueError("estimator: an empty list predicts nothing")
    return members


def predict_proba(members, X, classes):
    """The mean over the members, which are not asked for no rows."""
    if X.shape[0] == 0:
        return np.empty((0, len(classes)))
    return sum(one_prediction(member, X, classes) for member in members) / len(members)


def one_prediction(member, X, classes):
    """In the order of `classes`; a class that the member has not seen has probability 0."""
    own = np.asarray(member.predict_proba(X), dtype=np.float64)
    known = np.asarray(getattr(member, "classes_", classes))
    if own.ndim != 2 or own.shape != (X.shape[0], len(known)):
        raise ValueError(f"the estimator must give a probability for each of {X.shape[0]} rows and {len(known)} classes, got shape {own.shape}")
    if len(known) == len(classes) and np.array_equal(known, classes):
        return own
    p = np.zeros((X.shape[0], len(classes)))
    for k, label in enumerate(known):
        where = np.flatnonzero(classes == label)
        if len(where) == 0:
            raise ValueError(f"the estimator knows the class {label!r}, which y does not have")
        p[:, where[0]] = own[:, k]
    return p


def cross_fit(estimator, X, y, folds, classes):
    """One clone for each fold, trained on the others: the clones, and each fold's probabilities by the clone that has not seen it."""
    from sklearn.base import clone
    from sklearn.utils import _safe_indexing

    if not hasattr(estimator, "fit") or not hasattr(estimator, "predict_proba"):
        raise TypeError(f"{estimator!r} has no fit or no predict_proba: say prefit=True if it is a model that is trained already")
    members, out_of_fold = [], np.full((len(y), len(classes)), 1 / len(classes))
    for fold in folds:
        others = np.sort(np.concatenate([other for other in folds if other is not fold]))
        if len(np.unique(y[others])) < 2:  # most classifiers refuse that, and there is nothing to learn
            from sklearn.dummy import DummyClassifier

            member = DummyClassifier()
        else:
            member = clone(estimator, safe=False) if hasattr(estimator, "get_params") else copy.deepcopy(estimator)
        fitted = member.fit(_safe_indexing(X, others), y[others])
        members.append(member if fitted is None else fitted)
        out_of_fold[fold] = one_prediction(members[-1], _safe_indexing(X, fold), classes)
    return members, out_of_fold
