"""ConformalClassifier: the Classifier of C++ as a scikit-learn classifier, around any other classifier."""
import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from . import _classes, _columns, _core, _outside, alarms
from ._groups import listed
from ._model import ConformalModel
from ._numbers import levels_of, shown
from ._report import WritesSetReports
from ._stream import StreamedSets


class ConformalClassifier(StreamedSets, WritesSetReports, ClassifierMixin, ConformalModel):
    """Prediction sets that are guaranteed to contain the true label, from the probabilities of any classifier.

    Without an estimator Taut's own boosted trees are fitted, exactly as the command line does. With one, `fit` cross-fits five
    clones of it on 80 % of the rows, learns a shift of the score for each row from their out-of-fold probabilities, and calibrates on
    the other 20 %; the probabilities are the mean of the five. With `prefit=True` the estimator is used as it is, and `fit` needs rows that
    it has not seen.

    Parameters
    ----------
    estimator : a classifier with fit and predict_proba, or None
        With `prefit=True` a fitted one, or a list of these, whose mean is the probability.
    prefit : bool
        The estimator is trained already, on other rows.
    conformity_score : which labels come first into a set: "lac", "aps", "randomized-aps", "raps:0.01,1"
    by_label : bool
        Class-conditional coverage: a guarantee for the rows of each true label instead of all rows together.
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
    model_ : the model of a .taut file
    estimators_ : the fitted estimators whose mean are the probabilities; only with an outside estimator
    record_ : numbers of rows for each step, and results on validation rows
    messages_ : messages of the fit

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

    def __init__(self, estimator=None, *, prefit=False, conformity_score=None, by_label=False, transform="curve", objective=None, focus=None,
                 split=None, by=None, other_groups="whole-line", keep_together=None, sure=None, in_order=False, order_by=None, gap=0, delay=0,
                 drop=None, categorical=None, numeric=None, date=None, ordered=None, na=None, decimal=None, max_rows=None,
                 effort="normal", random_state=None, n_jobs=-1):
        self._take_parameters(locals())

    def fit(self, X, y, *, y_proba=None, calibrate=True):
        """Trains on some rows and calibrates on the others.

        y_proba : probabilities (rows, classes) for these rows by a model that has not seen them, the classes in sorted order; only with
            `prefit=True`, instead of an estimator
        calibrate : False leaves no rows for calibration; until `calibrate` is called, every set holds every label
        """
        X, y, options, elsewhere = self._begin_fit(X, y, calibrate)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"y has only one class, {shown(self.classes_[0])}; at least two are needed")
        self._texts, self._prefix = _classes.texts_of(self.classes_), ""
        if self.prefit or self.estimator is not None or y_proba is not None:
            y_proba, _ = self._training_outputs(X, y, y_proba, options, calibrate, np.arange(len(y)))
            self._prefix = _classes.free_prefix("p_", _columns.names_of(X))
        table = self._table(X, y_proba, codes, options)
        classes = {"probabilities": self._prefix, "score": self.conformity_score or "", "by_label": bool(self.by_label)}
        model, messages = _core.Classifier.fit(table, options, classes, self._threads(), elsewhere)
        alarms.of_findings(self._keep(model, messages, table, model.calibration["notes"]))
        return self

    def calibrate(self, X, y, *, y_proba=None, by=None, other_groups=None, by_label=None, keep_together=None, towards=None,
                  towards_y_proba=None, local=None, local_in="prediction", overlapping=None, plain=False, sure=None):
        """Calibrates again on new rows that were not used in the fit; probabilities and shifts stay the same. Options are those of
        `ConformalRegressor.calibrate`; `by`, `keep_together` and `overlapping` name columns of X. Without any option the kind of calibration
        stays as it is."""
        return self._calibrate(self._rows_table(X, y, y_proba), towards, towards_y_proba, local, local_in, overlapping, by=listed(by),
                               other_groups=other_groups or self.model_.options["other_groups"], by_label=by_label,
                               keep_together=keep_together or "", plain=plain, sure=sure)

    def predict(self, X):
        """The most probable label of each row."""
        p = self.predict_proba(X)
        return self.classes_[p.argmax(axis=1)]

    def predict_proba(self, X, *, y_proba=None):
        """Probabilities (rows, classes), recalibrated on rows that their model has not seen unless transform="fixed"."""
        table = self._rows_table(X, given=y_proba)
        return self._in_order(self.model_.probabilities(table, self._threads()))

    def predict_set(self, X, confidence_level=0.9, *, y_proba=None, smooth=None):
        """Booleans (rows, classes, levels): True if the set of a row at a level contains the class.

        confidence_level : a level between 0 and 1, or several; sets are nested
        y_proba : probabilities for these rows, if the model was fitted with probabilities instead of an estimator
        smooth : a seed for randomized ranks, which depend on each row's inputs: coverage is exact instead of slightly above
        """
        table = self._rows_table(X, given=y_proba)
        _, members, found = self.model_.predict_sets(table, levels_of(confidence_level), self._threads(), smooth)
        alarms.of_findings(found)
        return self._as_sets(members)

    def evaluate(self, X, y, confidence_level=0.9, *, y_proba=None, by=None):
        """Evaluates sets and probabilities on rows that the model has not seen, with the keys of `taut evaluate --json`. Each alarm in
        `alarms` is also a warning."""
        return self._evaluate(self._rows_table(X, y, y_proba), confidence_level, by)

    def check_shift(self, X, *, y_proba=None):
        """Differences between the inputs and those of the calibration rows that chance does not explain: see `ConformalRegressor.check_shift`."""
        return self._check_shift(self._rows_table(X, given=y_proba))

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
        lacks = self._lacking(y) if skip else False
        y = column_or_1d(_classes.filled(y, lacks, self.classes_[0]) if skip else y, warn=True)
        check_classification_targets(y)
        return y if reset else np.where(lacks, np.nan, self._codes(y))


def from_model(model, estimator, path, n_jobs):
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
    names = list(model.columns)
    if not all(name == f"x{i}" for i, name in enumerate(names)):
        classifier.feature_names_in_ = np.array(names, dtype=object)
    classifier.n_features_in_ = len(names)
    return classifier
