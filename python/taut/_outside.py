"""Outside estimators: anything with fit and predict, a function, a classifier with predict_proba, or a list of these, whose mean is used."""
import copy

import numpy as np
from sklearn import get_config
from sklearn.base import clone
from sklearn.utils import _safe_indexing, get_tags
from sklearn.utils.metadata_routing import get_routing_for_object
from sklearn.utils.validation import has_fit_parameter

from . import _progress
from ._numbers import shown


def takes_weights(estimator):
    """Whether fit(X, y, sample_weight=...) of the estimator works: it has the argument, or passes it on by metadata routing."""
    if has_fit_parameter(estimator, "sample_weight"):
        return True
    if not get_config()["enable_metadata_routing"] or not hasattr(estimator, "get_metadata_routing"):
        return False
    return "sample_weight" in get_routing_for_object(estimator).consumes("fit", ["sample_weight"])


class Outputs:
    """Outputs of estimators for rows, and cross-fitting. A subclass defines the output of one estimator."""

    def members_of(self, estimator):
        """A fitted model, or a list of them, as a list."""
        members = list(estimator) if isinstance(estimator, (list, tuple)) else [estimator]
        for member in members:
            self.check_fitted(member)
        if not members:
            raise ValueError("estimator: the list is empty; give at least one fitted model")
        return members

    def predict(self, members, X):
        """The mean over the members. They are not called for an empty table, which many models refuse."""
        if X.shape[0] == 0:
            return self.unknown(0)
        total = 0.0
        for member in members:
            total = total + self.of_one(member, X)
        return np.ascontiguousarray(total / len(members), dtype=np.float64)

    def cross_fit(self, estimator, X, y, folds, weights=None):
        """Trains one clone for each fold on the other folds, with these weights of the rows. Returns the clones and the out-of-fold
        outputs."""
        self.check_trainable(estimator)
        if weights is not None and not takes_weights(estimator):
            raise ValueError(f"sample_weight: {type(estimator).__name__} takes no weights of rows, so it cannot be trained with them; leave sample_weight "
                             "out, or wrap the estimator in one that passes them on (set_fit_request(sample_weight=True) inside a pipeline)")
        members, out_of_fold, bar = [], self.unknown(len(y)), _progress.bar()
        try:
            for i, fold in enumerate(folds):
                if bar is not None:
                    bar(f"training {type(estimator).__name__}, fold {i + 1} of {len(folds)}", i / len(folds))
                others = np.sort(np.concatenate([other for other in folds if other is not fold]))
                member = self.copy_of(estimator, y[others])
                own = {} if weights is None else {"sample_weight": weights[others]}
                fitted = member.fit(_safe_indexing(X, others), y[others], **own)
                members.append(member if fitted is None else fitted)
                out_of_fold[fold] = self.of_one(members[-1], _safe_indexing(X, fold))
        except (TypeError, ValueError) as error:
            if hasattr(error, "add_note"):  # Python 3.11
                error.add_note(f"while {type(estimator).__name__} was trained for {len(folds)} folds. If it cannot take columns of texts, dates or "
                               "missing cells, encode them in a pipeline around it, or leave the estimator out: Taut's own predictors take them.")
            raise
        finally:
            if bar is not None:
                bar.close()
        return members, out_of_fold

    def copy_of(self, estimator, y):
        """An untrained copy, to be trained on the targets `y`."""
        return clone(estimator, safe=False) if hasattr(estimator, "get_params") else copy.deepcopy(estimator)


class Predictions(Outputs):
    """One number for each row."""

    def check_fitted(self, member):
        if not hasattr(member, "predict") and not callable(member):
            raise TypeError(f"estimator takes a model with fit and predict, or with prefit=True a function X -> y_pred; got {shown(member)}")
        self._refuse_classifier(member)

    def check_trainable(self, estimator):
        if not hasattr(estimator, "fit"):
            raise TypeError(f"{shown(estimator)} has no fit; use prefit=True if it is already trained")
        self._refuse_classifier(estimator)

    def unknown(self, rows):
        return np.full(rows, np.nan)

    def of_one(self, member, X):
        rows = X.shape[0]
        given = np.asarray(member.predict(X) if hasattr(member, "predict") else member(X), dtype=np.float64)
        if given.shape not in ((rows,), (rows, 1)):
            raise ValueError(f"the estimator must predict one number for each of {rows} rows, got an array of shape {given.shape}")
        return given.reshape(rows)

    def _refuse_classifier(self, estimator):
        """Raises TypeError for a classifier. Classes may be numbers, so no other check would detect it."""
        kind = get_tags(estimator).estimator_type if hasattr(estimator, "__sklearn_tags__") else getattr(estimator, "_estimator_type", None)
        if kind == "classifier":
            raise TypeError(f"estimator takes a regressor, which predicts numbers; got the classifier {type(estimator).__name__}: intervals "
                            "around the number of a class mean nothing")


class Probabilities(Outputs):
    """Probabilities (rows, classes), in the order of `classes`. A class that a member has not seen has probability 0."""

    def __init__(self, classes=()):
        self.classes = np.asarray(classes)

    def check_fitted(self, member):
        if not hasattr(member, "predict_proba"):
            raise TypeError(f"estimator takes a classifier with predict_proba; got {shown(member)}; CalibratedClassifierCV gives one to those without")

    def check_trainable(self, estimator):
        if not hasattr(estimator, "fit") or not hasattr(estimator, "predict_proba"):
            raise TypeError(f"{shown(estimator)} has no fit or no predict_proba; use prefit=True if it is already trained")

    def unknown(self, rows):
        return np.full((rows, len(self.classes)), 1 / len(self.classes))

    def copy_of(self, estimator, y):
        if len(np.unique(y)) < 2:  # most classifiers refuse a single class
            from sklearn.dummy import DummyClassifier

            return DummyClassifier()
        return super().copy_of(estimator, y)

    def of_one(self, member, X):
        given, rows = np.asarray(member.predict_proba(X), dtype=np.float64), X.shape[0]
        known = np.asarray(getattr(member, "classes_", self.classes))
        if given.ndim != 2 or given.shape != (rows, len(known)):
            raise ValueError(f"the estimator must give a probability for each of {rows} rows and {len(known)} classes, got shape {given.shape}")
        if len(known) == len(self.classes) and np.array_equal(known, self.classes):
            return given
        p = np.zeros((rows, len(self.classes)))
        for k, label in enumerate(known):
            where = np.flatnonzero(self.classes == label)
            if len(where) == 0:
                raise ValueError(f"the estimator has the class {shown(label)}, which y does not have")
            p[:, where[0]] = given[:, k]
        return p
