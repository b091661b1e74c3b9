"""ConformalClassifier: C++'s ClassModel as a scikit-learn classifier, on top of any other."""
import logging
import os

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils import get_tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, check_is_fitted, column_or_1d, validate_data

from . import _classes, _columns, _core, _groups, _options, alarms
from ._levels import levels_of
from ._parameter_only import ParameterOnly
from ._report import WritesSetReports
from ._stream import StreamedSets

_log = logging.getLogger("taut")


class ConformalClassifier(StreamedSets, WritesSetReports, ClassifierMixin, BaseEstimator):
    """Sets of labels that are guaranteed to hold the true one, around the probabilities of any classifier.

    Without an estimator Taut's own boosted trees are fitted, exactly as the command line does. With one, `fit` cross-fits five
    clones of it on 80 % of the rows, learns from their out-of-fold probabilities how much room each row needs, and calibrates on the
    other 20 %; the probabilities are the mean of the five. With `prefit=True` the estimator is used as it is, and `fit` needs rows that
    it has not seen.

    Parameters
    ----------
    estimator : a classifier with fit and predict_proba, or None
        With `prefit=True` a fitted one, or a list of these, whose mean is the probability.
    prefit : bool
        The estimator is trained already, on other rows.
    conformity_score : which labels come first into a set: "least", "cumulated", "randomised", "regularised:0.01,1"
    by_label : bool
        The guarantee for the rows of each true label instead of all rows together.
    transform : "curve" learns a shift for each row, "fixed" is the classical method: one cut-off everywhere, probabilities as they are
    objective : "size" for small sets, "conditional" for coverage that is equal across rows
    focus : the one confidence level that matters most
    split, by, other_groups, keep_together, sure, in_order, order_by, gap, delay, drop, categorical, numeric, date, ordered, na, decimal, max_rows,
    effort, random_state : as those of ConformalRegressor
    n_jobs : int or None
        Threads; -1: all cores. Results do not depend on it.

    Attributes
    ----------
    classes_ : the labels, in the order of every array
    model_ : what a .taut file holds
    estimators_ : the fitted estimators whose mean are the probabilities; only with an outside estimator
    record_ : which rows did what, and what validation rows said
    messages_ : what the fit had to say

    Examples
    --------
    >>> import numpy as np
    >>> from taut import ConformalClassifier
    >>> X = np.random.default_rng(0).normal(size=(300, 2))
    >>> y = np.where(X[:, 0] + X[:, 1] > 0, "up", "down")
    >>> cc = ConformalClassifier(random_state=0).fit(X, y)
    >>> sets = cc.predict_set(X, confidence_level=[0.8, 0.9])
    >>> sets.shape
    (300, 2, 2)
    """

    transform = ParameterOnly()

    def __init__(self, estimator=None, *, prefit=False, conformity_score=None, by_label=False, transform="curve", objective=None, focus=None,
                 split=None, by=None, other_groups="whole-line", keep_together=None, sure=None, in_order=False, order_by=None, gap=0, delay=0,
                 drop=None, categorical=None, numeric=None, date=None, ordered=None, na=None, decimal=None, max_rows=None,
                 effort="normal", random_state=None, n_jobs=-1):
        self.estimator = estimator
        self.prefit = prefit
        self.conformity_score = conformity_score
        self.by_label = by_label
        self.transform = transform
        self.objective = objective
        self.focus = focus
        self.split = split
        self.by = by
        self.other_groups = other_groups
        self.keep_together = keep_together
        self.sure = sure
        self.in_order, self.order_by, self.gap, self.delay = in_order, order_by, gap, delay
        self.drop = drop
        self.categorical = categorical
        self.numeric = numeric
        self.date = date
        self.ordered = ordered
        self.na = na
        self.decimal = decimal
        self.effort = effort
        self.max_rows = max_rows
        self.random_state = random_state
        self.n_jobs = n_jobs

    def get_params(self, deep=True):
        """Parameters by name, those of the estimator too if `deep`."""
        params = {name: self.__dict__[name] for name in self._get_param_names()}
        if deep and hasattr(self.estimator, "get_params") and not isinstance(self.estimator, type):
            params.update((f"estimator__{name}", value) for name, value in self.estimator.get_params().items())
        return params

    def __sklearn_clone__(self):
        """A clone with prefit=True keeps its estimator: an unfitted copy of it would be of no use."""
        if not self.prefit:
            return super().__sklearn_clone__()
        return type(self)(**{name: value if name == "estimator" else clone(value, safe=False)
                             for name, value in self.get_params(deep=False).items()})

    def fit(self, X, y, *, y_proba=None, calibrate=True):
        """Trains what has to be trained and calibrates on rows that trained nothing.

        y_proba : probabilities (rows, classes) for these rows by a model that has not seen them, the classes in sorted order; only with
            `prefit=True`, instead of an estimator
        calibrate : False leaves no rows for calibration; until `calibrate` is called, every set holds every label
        """
        if y is None:
            raise ValueError("ConformalClassifier requires y to be passed, but the target y is None")
        X, y = self._check(X, y, reset=True)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"y has one class only, {self.classes_[0]!r}: there is nothing to tell apart")
        self._texts = _classes.texts_of(self.classes_)
        names = _columns.names_of(X)
        options = self._options_for_core()
        options["target"] = _columns.free_name("y", names)
        self._prefix = ""
        self.__dict__.pop("estimators_", None)
        if self.prefit or self.estimator is not None or y_proba is not None:
            y_proba = self._training_probabilities(X, codes, y_proba, options, calibrate)
            self._prefix = _classes.free_prefix("p_", names)
        table = self._table(X, y_proba, codes, options)
        elsewhere = None if calibrate else _core.Table("no calibration rows", 0)
        classes = {"probabilities": self._prefix, "score": self.conformity_score or "", "by_label": bool(self.by_label)}
        self.model_, said = _core.ClassModel.fit(table, options, classes, _options.threads_of(self.n_jobs), elsewhere)
        self.record_ = self.model_.record
        found = self.model_.fit_alarms()
        self.messages_ = [*table.notes, *said, *(alarm["words"] for alarm in found), *self.model_.calibration["notes"]]
        for sentence in self.messages_:
            _log.info(sentence)
        alarms.of_findings(found)
        return self

    def calibrate(self, X, y, *, y_proba=None, by=None, other_groups=None, by_label=None, keep_together=None, towards=None,
                  towards_y_proba=None, local=None, local_in="prediction", overlapping=None, plain=False, sure=None):
        """The same probabilities and shifts with new calibration rows, which must have played no part in the fit. Options are those of
        `ConformalRegressor.calibrate`; `by`, `keep_together` and `overlapping` name columns of X. Without any option which calibration rows
        count stays as it is."""
        check_is_fitted(self, "model_")
        X, y = self._check(X, y, reset=False)
        table = self._table(X, self._probabilities(X, y_proba), self._codes(y), self.model_.options)
        others = None
        if towards is not None:
            towards = self._check(towards, reset=False)
            others = self._table(towards, self._probabilities(towards, towards_y_proba), None, self.model_.options)
        near = None if local is None or local is False else 0 if local is True else int(local)
        raised = self.model_.calibrate(table, _options.threads_of(self.n_jobs), _groups.listed(by),
                                       other_groups or self.model_.options["other_groups"], plain, by_label, others, near, local_in,
                                       keep_together or "", _groups.listed(overlapping), sure)
        self.record_ = self.model_.record
        self.messages_ = list(self.model_.calibration["notes"])
        alarms.of_findings(raised)  # the last step: a warning may be an exception
        return self

    def predict(self, X):
        """The most probable label of each row."""
        p = self.predict_proba(X)
        return self.classes_[p.argmax(axis=1)]

    def predict_proba(self, X, *, y_proba=None):
        """Probabilities (rows, classes), recalibrated on rows that their model has not seen unless transform="fixed"."""
        check_is_fitted(self, "model_")
        X = self._check(X, reset=False, least_rows=0)
        table = self._table(X, self._probabilities(X, y_proba), None, self.model_.options)
        return self._in_order(self.model_.probabilities(table, _options.threads_of(self.n_jobs)))

    def predict_set(self, X, confidence_level=0.9, *, y_proba=None, smooth=None):
        """Booleans (rows, classes, levels): True where the set of a row at a level holds the class.

        confidence_level : a level between 0 and 1, or several; sets are nested
        y_proba : probabilities for these rows, where the model was fitted with such instead of an estimator
        smooth : a seed: random ranks, keyed to each row's inputs, so that coverage is exact instead of slightly above
        """
        check_is_fitted(self, "model_")
        levels = levels_of(confidence_level)
        X = self._check(X, reset=False, least_rows=0)
        table = self._table(X, self._probabilities(X, y_proba), None, self.model_.options)
        _, members, found = self.model_.predict_sets(table, levels, _options.threads_of(self.n_jobs), smooth)
        alarms.of_findings(found)
        return self._as_sets(members)

    def evaluate(self, X, y, confidence_level=0.9, *, y_proba=None, by=None):
        """How good sets and probabilities are on rows that the model has not seen: what `taut evaluate --json` tells. What is in
        `alarms` is also a warning."""
        check_is_fitted(self, "model_")
        levels = levels_of(confidence_level)
        X, y = self._check(X, y, reset=False)
        table = self._table(X, self._probabilities(X, y_proba), self._codes(y), self.model_.options)
        evaluation = self.model_.evaluate(table, levels, _options.threads_of(self.n_jobs), _groups.listed(by))
        alarms.of_findings(evaluation["alarms"])
        return evaluation

    def check_shift(self, X, *, y_proba=None):
        """Where the inputs differ from those of the calibration rows by more than chance explains: as `ConformalRegressor.check_shift`."""
        check_is_fitted(self, "model_")
        X = self._check(X, reset=False, least_rows=0)
        table = self._table(X, self._probabilities(X, y_proba), None, self.model_.options)
        found, raised = self.model_.check_shift(table, _options.threads_of(self.n_jobs))
        alarms.of_findings(raised)
        return found

    def save(self, path):
        """Writes a model file, the same as the command line's. An outside estimator is not in it: see `load`."""
        check_is_fitted(self, "model_")
        self.model_.save(os.fspath(path))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self._takes_missing()
        tags.target_tags.required = True
        return tags

    def _takes_missing(self):
        if self.estimator is None:
            return True
        return not hasattr(self.estimator, "__sklearn_tags__") or get_tags(self.estimator).input_tags.allow_nan

    def _options_for_core(self):
        own = {"estimator", "prefit", "conformity_score", "by_label", "n_jobs"}
        options = _options.for_core({name: self.__dict__[name] for name in self._get_param_names() if name not in own})
        if self.estimator is not None and not self.prefit and options.get("order_by"):
            raise ValueError("order_by: an estimator of another library is trained on rows as they stand; sort them by time and use in_order=True")
        if self.prefit or self.estimator is None:
            return options
        if self.split not in (None, "cross"):
            raise ValueError("split: an estimator is cross-fitted (split='cross'); shares are for Taut's own trees and for prefit=True; "
                             f"got {self.split!r}")
        return {**options, "split": "cross"}

    def _training_probabilities(self, X, codes, y_proba, options, calibrate):
        """Probabilities of the training table: for each row by models that have not seen it."""
        rows, count = len(codes), len(self.classes_)
        if y_proba is not None:
            if self.estimator is not None or not self.prefit:
                raise ValueError("y_proba stands for an estimator: use ConformalClassifier(prefit=True).fit(X, y, y_proba=...)")
            return _classes.given(y_proba, rows, count)
        if self.prefit:
            if self.estimator is None:
                raise ValueError("prefit=True needs a fitted estimator, or its probabilities: fit(X, y, y_proba=...)")
            self.estimators_ = _classes.members_of(self.estimator)
            return _classes.predict_proba(self.estimators_, X, self.classes_)
        folds, calibration = _core.cross_rows(rows, options, _columns.SOURCE, not calibrate)
        self.estimators_, p = _classes.cross_fit(self.estimator, X, self.classes_[codes], folds, self.classes_)
        if len(calibration) > 0:
            from sklearn.utils import _safe_indexing

            p[calibration] = _classes.predict_proba(self.estimators_, _safe_indexing(X, calibration), self.classes_)
        return p

    def _probabilities(self, X, y_proba):
        """Given probabilities of rows to come, None where C++ computes them."""
        if not self._prefix:
            if y_proba is not None:
                raise ValueError("y_proba: this model has trees of its own")
            return None
        if y_proba is not None:
            return _classes.given(y_proba, X.shape[0], len(self.classes_))
        if not hasattr(self, "estimators_"):
            raise ValueError("this model holds no classifier, its probabilities came from a model of yours: give y_proba=..., or for a file "
                             "load(path, estimator=model)")
        return _classes.predict_proba(self.estimators_, X, self.classes_)

    def _in_order(self, array):
        """The last axis in the order of classes_. A class that no training row had has probability 0 and is in no set."""
        labels = self.model_.labels
        if labels == self._texts:
            return array
        position = {text: i for i, text in enumerate(labels)}
        result = np.zeros((*array.shape[:-1], len(self._texts)), dtype=array.dtype)
        for k, text in enumerate(self._texts):
            if text in position:
                result[..., k] = array[..., position[text]]
        return result

    def _as_sets(self, members):
        """Flags (rows, levels, labels) of C++ as booleans (rows, classes, levels)."""
        return np.ascontiguousarray(self._in_order(members.astype(bool)).transpose(0, 2, 1))

    def _codes(self, y):
        """The position of each label in classes_; one more for labels that are none of them."""
        place = np.searchsorted(self.classes_, y)
        place = np.minimum(place, len(self.classes_) - 1)
        return np.where(self.classes_[place] == y, place, len(self.classes_))

    def _table(self, X, y_proba, codes, options):
        columns = {}
        if y_proba is not None:
            columns = {self._prefix + text: np.ascontiguousarray(y_proba[:, k]) for k, text in enumerate(self._texts)}
        table = _columns.table_of(X, self._names(X), **columns)
        if codes is not None:
            table.add_category(options["target"], np.asarray(codes, dtype=np.float64), [*self._texts, _classes.UNKNOWN], True, False)
        return table

    def _names(self, X):
        if _columns.is_frame(X):
            return _columns.names_of(X)
        return list(getattr(self, "feature_names_in_", _columns.names_of(X)))

    def _check(self, X, y=None, *, reset, least_rows=1):
        X = _columns.understood(X)
        if _columns.is_frame(X):
            if isinstance(X, _columns.ArrowRows):
                raise TypeError("X is an Arrow stream; give a table of pandas, polars or pyarrow")
            validate_data(self, X, skip_check_array=True, reset=reset)
            if X.shape[0] < least_rows or X.shape[1] == 0:
                raise ValueError(f"Found array with {X.shape[0]} sample(s) and {X.shape[1]} feature(s); at least {least_rows} and 1 are needed")
        else:
            X = validate_data(self, X, reset=reset, dtype=[np.float64, np.float32], ensure_all_finite=reset and not self._takes_missing(),
                              ensure_min_samples=2 if reset else least_rows)
        if y is None:
            return X
        y = column_or_1d(y, warn=True)
        check_classification_targets(y)
        check_consistent_length(X, y)
        return X, y


def from_model(model, estimator, path, n_jobs):
    """A fitted classifier from a file; labels are texts, or numbers where all of them are."""
    options, own = model.options, model.class_options
    outside = own["probabilities"] != ""
    if estimator is not None and not outside:
        raise ValueError(f"{path}: this model has trees of its own; load it without estimator")
    taken = set(ConformalClassifier._get_param_names())
    parameters = {name: value for name, value in _options.from_core(options).items() if name in taken}
    classifier = ConformalClassifier(estimator, prefit=outside, n_jobs=n_jobs,
                                     **{**parameters, "random_state": options["seed"], "conformity_score": own["score"] or None,
                                        "by_label": model.calibration["kind"] == "by-label"})
    texts = list(model.labels)
    numbers = [_core.read_cell(text) for text in texts]
    if estimator is not None:
        classifier.estimators_ = _classes.members_of(estimator)
        known = np.asarray(classifier.estimators_[0].classes_)
        classifier.classes_ = known if _classes.texts_of(known) == texts else np.array(texts, dtype=object)
    elif all(isinstance(number, float) for number in numbers):
        whole = all(number == int(number) for number in numbers)
        classifier.classes_ = np.array(numbers, dtype=np.int64 if whole else np.float64)
    else:
        classifier.classes_ = np.array(sorted(texts))
    classifier._texts = _classes.texts_of(classifier.classes_)
    if set(classifier._texts) != set(texts):
        classifier.classes_, classifier._texts = np.array(sorted(texts)), sorted(texts)
    classifier._prefix = own["probabilities"]
    classifier.model_, classifier.record_, classifier.messages_ = model, model.record, []
    names = list(model.columns)
    if not all(name == f"x{i}" for i, name in enumerate(names)):
        classifier.feature_names_in_ = np.array(names, dtype=object)
    classifier.n_features_in_ = len(names)
    return classifier
