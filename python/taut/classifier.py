"""ConformalClassifier: the Classifier of C++ as a scikit-learn classifier, around any other classifier."""
from __future__ import annotations

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from . import _classes, _columns, _core, _notebook, _options, _outside, _progress, alarms
from ._groups import listed
from ._model import ConformalModel
from ._notebook import ShowsItself
from ._numbers import levels_of, shown
from ._report import WritesSetReports
from ._stream import StreamedSets
from ._types import (Any, ArrayLike, BoolArray, Dicts, FloatArray, Labels, Levels, Literal, Mapping, Names, Never, Path, RandomState, Rows, Self,
                     Sequence)
from .evaluation import Evaluation


@_options.documented
class ConformalClassifier(StreamedSets, WritesSetReports, ShowsItself, ClassifierMixin, ConformalModel):
    """Prediction sets that are guaranteed to contain the true label, from the probabilities of any classifier.

    Without an estimator Taut's own boosted trees are fitted, exactly as the command line does. With one, `fit` cross-fits five
    clones of it on 80 % of the rows, learns a shift of the score for each row from their out-of-fold probabilities, and calibrates on
    the other 20 %; the probabilities are the mean of the five. With `prefit=True` the estimator is used as it is, and `fit` needs rows that
    it has not seen.

    Parameters
    ----------
    estimator : classifier, list or None, default=None
        A classifier with fit and predict_proba. With `prefit=True` a fitted one, or a list of these, whose mean is the probability.
    prefit : bool, default=False
        The estimator is trained already, on other rows.
    conformity_score : str or None, default=None
        Which labels come first into a set: "lac", "aps", "randomized-aps", "raps:0.01,1".
    by_label : bool, default=False
        Class-conditional coverage: a guarantee for the rows of each true label instead of all rows together.
    transform : {'curve', 'fixed'}, default='curve'
        "curve" learns a shift for each row, "fixed" is the classical method: one cut-off everywhere, probabilities as they are.
    objective : {'size', 'conditional'} or None, default=None
        "size" for small sets, "conditional" for coverage that is equal across rows.
    {options}
    n_jobs : int or None, default=-1
        Threads; -1: all cores. Results do not depend on it.
    verbose : bool or None, default=None
        The progress of `fit`. None: a bar in a notebook or terminal, if it takes longer than a second; True: elsewhere too, as lines on
        standard error; False: none.

    Attributes
    ----------
    classes_ : ndarray of shape (classes,)
        The labels, in the order of every array.
    model_ : taut._core.Classifier
        The model of a .taut file.
    estimators_ : list
        The fitted estimators whose mean are the probabilities; only with an outside estimator.
    record_ : dict
        Numbers of rows for each step, and results on validation rows.
    columns_ : list of dict
        For every column of X its name, the kind that was inferred, its use ("input", "left out"), and the reason.
    messages_ : list of str
        Messages of the fit.

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

    _GIVEN, _OUTPUTS, _ESTIMATOR = "y_proba", "probabilities", "classifier"
    _OWN, _SHARED_SPLITS = "trees", "trees"
    _WITHOUT_ROWS = "sets hold every label"

    classes_: Labels

    def __init__(
        self, estimator: Any = None, *, prefit: bool = False, conformity_score: str | None = None, by_label: bool = False,
        transform: str = "curve", objective: str | None = None, focus: float | None = None, split: str | None = None, by: Names | None = None,
        other_groups: Literal["whole-line", "pool"] = "whole-line", keep_together: str | None = None, sure: float | None = None,
        in_order: bool = False, order_by: str | None = None, gap: int = 0, delay: int = 0, drop: Names | None = None,
        categorical: Names | None = None, numeric: Names | None = None, date: Names | Mapping[str, str] | None = None,
        ordered: Names | Mapping[str, Sequence[str]] | None = None, na: Names | Sequence[str | float] | None = None,
        decimal: str | None = None, skip_missing_target: bool = False, max_rows: int | None = None,
        effort: Literal["quick", "normal", "thorough"] = "normal", random_state: RandomState | None = None, n_jobs: int | None = -1,
        verbose: bool | None = None,
    ) -> None:
        self._take_parameters(locals())

    def fit(self, X: Rows, y: ArrayLike, *, y_proba: ArrayLike | None = None, calibrate: bool = True, sample_weight: ArrayLike | str | None = None,
            **refused: Never) -> Self:
        """Trains on some rows and calibrates on the others.

        Parameters
        ----------
        X : array or table of shape (rows, columns)
            numpy, scipy.sparse, pandas, polars, pyarrow, or anything with `__arrow_c_stream__`.
        y : array of shape (rows,)
            The labels.
        y_proba : array of shape (rows, classes), optional
            Probabilities for these rows by a model that has not seen them, the classes in sorted order; only with `prefit=True`, instead of
            an estimator.
        calibrate : bool, default=True
            False leaves no rows for calibration; until `calibrate` is called, every set holds every label.
        sample_weight : array of shape (rows,) or str, optional
            How much each row counts in training: a row of weight 2 counts as two rows, a row of weight 0 as none. An array, or the name
            of a column of X. Estimators get them too. Calibration rows count equally.
        """
        with _progress.shown(self.verbose), self._unchanged_on_failure():
            return self._fit(X, y, y_proba, calibrate, sample_weight, refused)

    def _fit(self, X, y, y_proba, calibrate, sample_weight, refused):
        X, y, options, elsewhere = self._begin_fit(X, y, calibrate, refused, sample_weight)
        further = {}
        weights = self._weighed(X, options, len(y), sample_weight, further)
        self._check_columns(options, [*_columns.names_of(X), *further])
        lacks = self._lacking(y) if self.skip_missing_target else np.zeros(len(y), dtype=bool)
        absent = lacks if weights is None else lacks | (weights == 0)
        usable, codes = np.flatnonzero(~absent), np.full(len(y), np.nan)
        self.classes_, codes[usable] = np.unique(_classes.without(y, absent), return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"y has only one class, {shown(self.classes_[0])}; at least two are needed" if len(usable) else "y has no labels")
        self._texts, self._prefix = _classes.texts_of(self.classes_), ""
        if self.prefit or self.estimator is not None or y_proba is not None:
            labels = np.full(len(y), self.classes_[0], dtype=self.classes_.dtype)
            labels[usable] = self.classes_[codes[usable].astype(int)]
            y_proba, _ = self._training_outputs(X, labels, y_proba, options, calibrate, usable, weights=weights)
            self._prefix = _classes.free_prefix("p_", _columns.names_of(X))
        table = self._table(X, y_proba, codes, options, further)
        classes = {"probabilities": self._prefix, "score": self.conformity_score or "", "by_label": bool(self.by_label)}
        model, messages = _core.Classifier.fit(table, options, classes, self._threads(), elsewhere)
        messages = [*messages, *model.calibration["notes"]]
        alarms.of_findings(self._keep(model, messages, table, _columns.names_of(X)))
        return self

    def calibrate(self, X: Rows, y: ArrayLike, *, y_proba: ArrayLike | None = None, by: Names | None = None,
                  other_groups: Literal["whole-line", "pool"] | None = None, by_label: bool | None = None, keep_together: str | None = None,
                  towards: Rows | None = None, towards_y_proba: ArrayLike | None = None, local: bool | int | None = None,
                  local_in: Literal["prediction", "inputs"] = "prediction", overlapping: Names | None = None, plain: bool = False,
                  sure: float | None = None) -> Self:
        """Calibrates again on new rows that were not used in the fit; probabilities and shifts stay the same. Options are those of
        `ConformalRegressor.calibrate`; `by`, `keep_together` and `overlapping` name columns of X. Without any option the kind of calibration
        stays as it is."""
        self._check_fitted()
        absent = self._absent(X, self.model_.options["sample_weight"])
        table = self._rows_table(X, y, y_proba, skip=self.skip_missing_target, absent=absent)
        return self._calibrate(table, towards, towards_y_proba, local, local_in, overlapping, by=listed(by),
                               other_groups=other_groups or self.model_.options["other_groups"], by_label=by_label,
                               keep_together=keep_together or "", plain=plain, sure=sure)

    def predict(self, X: Rows) -> Labels:
        """The most probable label of each row."""
        p = self.predict_proba(X)
        return self.classes_[p.argmax(axis=1)]

    def predict_proba(self, X: Rows, *, y_proba: ArrayLike | None = None) -> FloatArray:
        """Probabilities (rows, classes), recalibrated on rows that their model has not seen unless transform="fixed". Always an array,
        whatever `set_output` says, because scikit-learn's scorers select its columns by position."""
        table = self._rows_table(X, given=y_proba)
        return self._in_order(self.model_.probabilities(table, self._threads()))

    def predict_set(self, X: Rows, confidence_level: Levels = 0.9, *, y_proba: ArrayLike | None = None, smooth: int | None = None,
                    allow_empty: bool = False) -> BoolArray:
        """Booleans (rows, classes, levels): True if the set of a row at a level contains the class; after `set_output` one frame with the
        columns of `taut predict --wide`: prediction, probability and, for each level, set_0.9_LABEL for every label, and size_0.9.

        Parameters
        ----------
        X : array or table of shape (rows, columns), or one row
            One row is a Series of pandas or a dict with the names of the columns.
        confidence_level : float or sequence of float, default=0.9
            A level between 0 and 1, or several; sets are nested.
        y_proba : array of shape (rows, classes), optional
            Probabilities for these rows, if the model was fitted with probabilities instead of an estimator.
        smooth : int, optional
            A seed for randomized ranks, which depend on each row's inputs: coverage is exact instead of slightly above.
        allow_empty : bool, default=False
            True gives exact sets, which may be empty. By default an empty set gets the most probable class, so that coverage can only grow.
        """
        table, levels = self._rows_table(X, given=y_proba), levels_of(confidence_level)
        p, members, found = self.model_.predict_sets(table, levels, self._threads(), smooth, allow_empty)
        alarms.of_findings(found)
        return self._in_container(X, levels, self._as_sets(members), self._in_order(p))

    def evaluate(self, X: Rows, y: ArrayLike, confidence_level: Levels = 0.9, *, y_proba: ArrayLike | None = None,
                 by: Names | None = None, allow_empty: bool = False, sample_weight: ArrayLike | None = None) -> Evaluation:
        """Evaluates sets and probabilities on rows that the model has not seen. The result is an `Evaluation`: a dict with the keys of `taut
        evaluate --json` that is shown as a table; `to_frame()` makes a frame. Each alarm in `alarms` is also a warning. `allow_empty`
        as in `predict_set`. `sample_weight`: weights by which coverage and sizes are averaged too, in `weighted`."""
        name, weights = self._weights_to_average(X, y, sample_weight)
        table = self._rows_table(X, y, y_proba, weights=weights, absent=self._absent(X, sample_weight))
        return self._evaluate(table, confidence_level, by, allow_empty, name)

    def check_shift(self, X: Rows, *, y_proba: ArrayLike | None = None) -> Dicts:
        """Differences between the inputs and those of the calibration rows that chance does not explain: see `ConformalRegressor.check_shift`."""
        return self._check_shift(self._rows_table(X, given=y_proba))

    def _in_container(self, X, levels, sets, probabilities=None):
        """Booleans (rows, classes, levels) as they are or, after `set_output`, as a frame."""

        def columns():
            named = {}
            if probabilities is not None:
                named = {"prediction": self.classes_[probabilities.argmax(axis=1)], "probability": probabilities.max(axis=1, initial=0)}
            for i, level in enumerate(levels):
                named.update((f"set_{level}_{label}", sets[:, k, i]) for k, label in enumerate(self._texts))
                named[f"size_{level}"] = sets[:, :, i].sum(axis=1)
            return named

        frame = self._frame_or_none(X, columns)
        return sets if frame is None else frame

    def _describe_parts(self):
        return _notebook.parts_of_classifier(self)

    def _outside(self):
        return _outside.Probabilities(self.classes_)

    def _is_outside(self):
        return self._prefix != ""

    def _given(self, values, rows, options=None):
        return _classes.given(values, rows, len(self.classes_))

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
        """The position of each label in classes_; len(classes_) for other labels."""
        place = np.searchsorted(self.classes_, y)
        place = np.minimum(place, len(self.classes_) - 1)
        return np.where(self.classes_[place] == y, place, len(self.classes_))

    def _table(self, X, outputs, y, options, further=None, names=None):
        columns = {}
        if outputs is not None:
            columns = {self._prefix + text: np.ascontiguousarray(outputs[:, k]) for k, text in enumerate(self._texts)}
        table = _columns.table_of(X, self._names(X) if names is None else names, further, **columns)
        if y is not None:
            table.add_category(options["target"], np.asarray(y, dtype=np.float64), [*self._texts, _classes.UNKNOWN], True, False)
        return table

    def _lacking(self, y):
        return _classes.lacking(y)

    def _target(self, y, reset, skip):
        """For a fit the labels as they are; afterwards their codes."""
        lacks = self._lacking(y) if skip else np.zeros(np.asarray(y).shape[:1], dtype=bool)
        if reset:
            y = column_or_1d(np.asarray(y, dtype=object) if lacks.any() else y, warn=True)
            check_classification_targets(_classes.without(y, lacks))
            return y
        y = column_or_1d(_classes.filled(y, lacks, self.classes_[0]), warn=True)
        check_classification_targets(y)
        return np.where(lacks, np.nan, self._codes(y))


def from_model(model: Any, estimator: Any, path: Path, n_jobs: int | None) -> ConformalClassifier:
    """A fitted classifier from a file; labels are texts, or numbers where all of them are."""
    class_options = model.class_options
    classifier = ConformalClassifier._restored(model, estimator, path, n_jobs, class_options["probabilities"] != "", "trees of its own",
                                               conformity_score=class_options["score"] or None, by_label=model.calibration["kind"] == "by-label")
    texts = list(model.labels)
    numbers = [_core.read_cell(text) for text in texts]
    if estimator is not None:
        classifier.estimators_ = _outside.Probabilities().members_of(estimator)
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
    classifier._prefix = class_options["probabilities"]
    return classifier
