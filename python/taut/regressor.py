"""ConformalRegressor: C++'s Model as a scikit-learn estimator, on top of any other."""
import logging
import os

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.utils import get_tags
from sklearn.utils.validation import check_consistent_length, check_is_fitted, validate_data

from . import _columns, _core, _foreign, _given_predictions, _groups, _look, _options, _outside, _targets, alarms
from ._calibration import GroupedRows
from ._columns import rows_of as _rows
from ._levels import levels_of
from ._notebook import ShowsItself
from ._output import in_container
from ._parameter_only import ParameterOnly
from ._questions import LawQuestions
from ._report import WritesReports
from ._stream import StreamedRows
from .explanation import ExplainsRows

_log = logging.getLogger("taut")


class ConformalRegressor(GroupedRows, LawQuestions, StreamedRows, ExplainsRows, WritesReports, ShowsItself, RegressorMixin, BaseEstimator):
    __doc__ = f"""Prediction intervals that are guaranteed to cover, around the predictions of any regression model.

    Without an estimator Taut's own predictor is fitted (`predictor`), exactly as the command line does. With one, `fit`
    cross-fits five clones of it on 80 % of the rows, trains the transformation on their out-of-fold residuals and calibrates
    on the other 20 %; the prediction is the mean of the five. With `prefit=True` the estimator is used as it is, and `fit`
    needs rows that it has not seen. Trees of XGBoost, LightGBM, CatBoost and scikit-learn (HistGradientBoosting, forests) are then
    taken over: the same predictions, faster, and saved with the model; other estimators are called.

    Parameters
    ----------
    estimator : a regressor with fit and predict, or None
        With `prefit=True` a fitted one, a function X -> y_pred, or a list of these, whose mean is the prediction.
    prefit : bool
        The estimator is trained already, on other rows.
    n_jobs : int or None
        Threads; -1: all cores. Results do not depend on it.
{_options.documentation()}

    Attributes
    ----------
    model_ : what a .taut file holds
    estimators_ : the fitted estimators whose mean is the prediction; only with an outside estimator
    record_ : which rows did what, and what validation rows chose among
    columns_ : a dict for every column of X: its name, the kind that it was taken for, its use ("input", "left out"), and why in words
    messages_ : what the fit had to say
    n_features_in_, feature_names_in_ : as in scikit-learn

    Examples
    --------
    >>> import numpy as np
    >>> from taut import ConformalRegressor
    >>> X = np.linspace(0, 1, 200).reshape(-1, 1)
    >>> y = X[:, 0] + np.sin(40 * X[:, 0]) * X[:, 0]
    >>> cr = ConformalRegressor(predictor="linear", random_state=0).fit(X, y)
    >>> y_pred, intervals = cr.predict_interval(X, confidence_level=[0.8, 0.9])
    >>> intervals.shape
    (200, 2, 2)
    """

    transform = ParameterOnly()

    def __init__(self, estimator=None, *, prefit=False, drop=None, categorical=None, numeric=None, date=None, ordered=None, na=None,
                 decimal=None, skip_missing_target=False, predictor="stack", target_scale=None, localizer="boost", transform="curve",
                 objective=None, focus=None, sides="auto", split=None, by=None, other_groups="whole-line", keep_together=None,
                 sure=None, in_order=False, order_by=None, gap=0, delay=0, lags=None, rolling=None, past_of=None, y_min=None, y_max=None, y_step=None,
                 max_rows=None, random_state=None, effort="normal", knn_rows=1000, see_prediction="auto", hidden=(100, 100, 100, 100, 100),
                 rate=None, batch=None, epochs=None, patience=None, depth=None, min_weight=None, n_jobs=-1):
        self.estimator = estimator
        self.prefit = prefit
        self.drop = drop
        self.categorical = categorical
        self.numeric = numeric
        self.date = date
        self.ordered = ordered
        self.na = na
        self.decimal = decimal
        self.skip_missing_target = skip_missing_target
        self.predictor = predictor
        self.target_scale = target_scale
        self.localizer = localizer
        self.transform = transform
        self.objective = objective
        self.focus = focus
        self.sides = sides
        self.split = split
        self.by = by
        self.other_groups = other_groups
        self.keep_together = keep_together
        self.sure = sure
        self.in_order, self.order_by, self.gap, self.delay = in_order, order_by, gap, delay
        self.lags, self.rolling, self.past_of = lags, rolling, past_of
        self.y_min, self.y_max, self.y_step = y_min, y_max, y_step
        self.max_rows, self.random_state = max_rows, random_state
        self.effort = effort
        self.knn_rows = knn_rows
        self.see_prediction = see_prediction
        self.hidden = hidden
        self.rate = rate
        self.batch = batch
        self.epochs = epochs
        self.patience = patience
        self.depth = depth
        self.min_weight = min_weight
        self.n_jobs = n_jobs

    def get_params(self, deep=True):
        """Parameters by name, those of the estimator too if `deep`."""
        params = {name: self.__dict__[name] for name in self._get_param_names()}
        if deep and hasattr(self.estimator, "get_params") and not isinstance(self.estimator, type):
            params.update((f"estimator__{name}", value) for name, value in self.estimator.get_params().items())
        return params

    def __sklearn_clone__(self):
        """A clone with prefit=True keeps its estimator: an unfitted copy of it would be of no use."""
        if self.prefit:
            copied = type(self)(**{name: value if name == "estimator" else clone(value, safe=False)
                                   for name, value in self.get_params(deep=False).items()})
        else:
            copied = super().__sklearn_clone__()
        return copied.set_output(transform=self.__dict__.get("_container"))

    def fit(self, X, y, *, y_pred=None, groups=None, keep_together=None, in_order=None, calibrate=True, **refused):
        """Trains what has to be trained and calibrates on rows that trained nothing.

        Which rows do what
            estimator=None : 20 % calibrate; the others train predictor and transformation, cross-fitted (or as `split` says).
            an estimator   : the same, with clones of the estimator as predictor.
            prefit=True    : 80 % train and judge the transformation, in folds, 20 % calibrate (or as `split` says); with
                             transform="fixed" or localizer="none" nothing is learnt, and all rows calibrate.

        Parameters
        ----------
        y_pred : predictions for these rows by a model that has not seen them; only with `prefit=True`, instead of an estimator.
            (rows,), or (rows, 2) for quantile predictions: the lower and the upper one, between and around which intervals lie
        groups : the guarantee within each group: names of columns of X ("region", "age:5", "prediction:5"), as in `by`, or an
            array with a value for each row, which `predict_interval` then needs too
        keep_together : rows with the same value (patients, shops) stay in one part, folds included, and the guarantee is for a
            new value: the name of a column of X, or an array with a value for each row
        in_order : rows come one after another in time: training before validation before calibration
        calibrate : False leaves no rows for calibration; until `calibrate` is called, intervals are the whole line
        """
        if refused:
            raise TypeError(_groups.refusal_of(sorted(refused)[0]))
        if y is None:
            raise ValueError("ConformalRegressor requires y to be passed, but the target y is None")
        X, y = self._check(X, y, reset=True, skip=self.skip_missing_target)
        self.__dict__.pop("_left_out", None)
        names = _columns.names_of(X)
        options = self._options_for_core()
        options["target"] = _columns.free_name("y", names)
        further = self._grouped(options, y, names, groups, keep_together, in_order)
        self.__dict__.pop("estimators_", None)
        elsewhere = None if calibrate else _core.Table("no calibration rows", 0)
        found = _foreign.fitted(self, X, y, names, options, further, elsewhere) if self.prefit and y_pred is None else None
        if found is not None:
            return self._keep(*found, names)
        if self.prefit or self.estimator is not None or y_pred is not None:
            y_pred = self._training_predictions(X, y, y_pred, options, calibrate, further)
            options.update((name, _columns.free_name(name, names)) for name in _given_predictions.options_of(y_pred))
        table = self._table(X, y_pred, y, names, options, further)
        model, said = _core.Model.fit(table, options, _options.threads_of(self.n_jobs), elsewhere)
        return self._keep(model, said, table, names)

    def _keep(self, model, said, table, names):
        self.model_, self.record_ = model, model.record
        self.columns_ = _look.columns_of(self.model_, table, names)
        found = model.fit_alarms()
        self.messages_ = [*table.notes, *said, *(alarm["words"] for alarm in found), *_look.sentences(self.record_, self.model_)]
        for sentence in self.messages_:
            _log.info(sentence)
        alarms.of_fallback(self.record_)
        alarms.of_findings(found)
        return self

    def predict(self, X):
        """f(x), one number for each row."""
        self._check_fitted()
        X = self._check(X, reset=False, least_rows=0)
        if self._is_outside():
            return self._predictions(X, None)
        return self.model_.predict(self._table(X, None, None, self._names(X), {}), _options.threads_of(self.n_jobs))

    def predict_interval(self, X, confidence_level=0.9, *, y_pred=None, smooth=None, tails="both", groups=None, sample_weight=None):
        """Predictions (rows,) and intervals (rows, 2, levels): [:, 0] the lower ends, [:, 1] the upper ones.

        An interval is (-inf, inf) where there are too few calibration rows for its level, (nan, nan) where it is empty.

        Parameters
        ----------
        confidence_level : a level between 0 and 1, or several; nested intervals
        y_pred : predictions for these rows, where the model was fitted with such instead of an estimator
        smooth : a seed: random ranks, keyed to each row's inputs, so that coverage is exact instead of slightly above (with ties at least)
        tails : "equal": y is below the interval with at most half of what the confidence leaves, and above it likewise; "both":
            the two together, so that one side may be missed more often, and the interval is narrower
        groups, sample_weight : of these rows, where the model was calibrated with arrays of them
        """
        levels = levels_of(confidence_level)
        if tails not in ("both", "equal"):
            raise ValueError(f"tails must be 'both' or 'equal', got {tails!r}")
        if tails == "equal" and smooth is not None:
            raise ValueError("smooth goes with tails='both': the ends of an interval with equal tails are exact ranks")
        further = {"groups": groups, "sample_weight": sample_weight}
        ends = self._equal_tailed(X, levels, y_pred, further) if tails == "equal" else self._intervals(X, levels, y_pred, smooth, further)
        return in_container(self.__dict__.get("_container"), X, levels, *ends)

    def evaluate(self, X, y, confidence_level=0.9, *, y_pred=None, by=None, groups=None, sample_weight=None, keep_together=None):
        """How good the intervals are on rows that the model has not seen: what `taut evaluate --json` tells.

        None: a number is not defined for these rows. Widths and scores are infinite where an interval is; `unbounded` is the share of
        such rows. What is in `alarms` (coverage outside its band, rows that trained the model, ...) is also a warning.
        by : also a line for each group of rows, in `by_group`: names of columns of X ("region", "age:5", "prediction:5")
        groups, sample_weight, keep_together : of these rows, where the model was calibrated with arrays; without keep_together groups are
            taken to be as large as those of the calibration rows
        """
        check_is_fitted(self, "model_")
        levels = levels_of(confidence_level)
        X, y = self._check(X, y, reset=False)
        further = self._further(_rows(X, y), groups, sample_weight, self._names(X))
        further.update(self._kept_together(keep_together, _rows(X, y), self._names(X)))
        table = self._table(X, self._predictions(X, y_pred), y, self._names(X), self.model_.options, further)
        evaluation = self.model_.evaluate(table, levels, _options.threads_of(self.n_jobs), _groups.listed(by))
        alarms.of_findings(evaluation["alarms"])
        return evaluation

    def check_shift(self, X, *, y_pred=None, keep_together=None):
        """Where the inputs differ from those of the calibration rows by more than chance explains: what `taut predict
        --check-shift` tells. A list of dicts (column, words, p_value), the clearest first. Rows of the same kind give an empty one,
        but for at most 1 table in 1,000. What is found is also a ShiftWarning. keep_together: which rows belong together, where the
        model was calibrated with an array of it: groups are compared then."""
        check_is_fitted(self, "model_")
        X = self._check(X, reset=False, least_rows=0)
        y_pred, names = self._predictions(X, y_pred), self._names(X)
        table = self._table(X, y_pred, None, names, self.model_.options, self._kept_together(keep_together, _rows(X, y_pred), names))
        found, raised = self.model_.check_shift(table, _options.threads_of(self.n_jobs))
        alarms.of_findings(raised)
        return found

    def save(self, path):
        """Writes a model file, the same as the command line's. An outside estimator is not in it: see `load`."""
        check_is_fitted(self, "model_")
        self.model_.save(os.fspath(path))

    def set_output(self, *, transform=None):
        """What `predict_interval` returns: "default" a pair of arrays, "pandas" or "polars" one frame."""
        if transform not in (None, "default", "pandas", "polars"):
            raise ValueError(f"set_output takes 'default', 'pandas' or 'polars', got {transform!r}")
        if transform is not None:
            self._container = transform
        return self

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self._takes_missing()
        tags.input_tags.sparse = not hasattr(self.estimator, "__sklearn_tags__") or get_tags(self.estimator).input_tags.sparse
        tags.target_tags.required = True
        return tags

    def _takes_missing(self):
        if self.estimator is None:
            return True
        return not hasattr(self.estimator, "__sklearn_tags__") or get_tags(self.estimator).input_tags.allow_nan

    def _options_for_core(self):
        options = _options.for_core({name: self.__dict__[name] for name in _options.LISTED})
        if self.prefit or self.estimator is None:
            return options
        if self.split not in (None, "cross"):
            raise ValueError("split: an estimator is cross-fitted (split='cross'); shares are for Taut's own predictors and "
                             f"for prefit=True; got {self.split!r}")
        return {**options, "split": "cross"}

    def _training_predictions(self, X, y, y_pred, options, calibrate, further):
        """The prediction column of the training table: for each row by models that have not seen it."""
        if y_pred is not None:
            if self.estimator is not None or not self.prefit:
                raise ValueError("y_pred stands for an estimator: use ConformalRegressor(prefit=True).fit(X, y, y_pred=...)")
            return _given_predictions.given(y_pred, len(y))
        if self.prefit:
            if self.estimator is None:
                raise ValueError("prefit=True needs a fitted estimator, or its predictions: fit(X, y, y_pred=...)")
            self.estimators_ = _outside.members_of(self.estimator)
            return _outside.predict(self.estimators_, X)
        usable = np.flatnonzero(~np.isnan(y))
        together = self._together(X, options, further)
        numbers = [] if together is None else _groups.numbered(np.asarray(together)[usable]).tolist()
        folds, calibration = _core.cross_rows(len(usable), options, _columns.SOURCE, not calibrate, numbers)
        folds, calibration = [usable[fold] for fold in folds], usable[calibration]
        self.estimators_, f = _outside.cross_fit(self.estimator, X, y, folds)
        if len(calibration) > 0:
            from sklearn.utils import _safe_indexing

            f[calibration] = _outside.predict(self.estimators_, _safe_indexing(X, calibration))
        return f

    def _predictions(self, X, y_pred):
        """f for rows to come, None where C++ computes it."""
        if not self._is_outside():
            if y_pred is not None:
                raise ValueError("y_pred: this model has a predictor of its own")
            return None
        if y_pred is not None:
            return _given_predictions.as_fitted(y_pred, _rows(X, y_pred), self.model_.options)
        if not hasattr(self, "estimators_"):
            raise ValueError("this model holds no predictor, its predictions came from a model of yours: give y_pred=..., or for "
                             "a file load(path, estimator=model)")
        return _outside.predict(self.estimators_, X)

    def _intervals(self, X, levels, y_pred=None, smooth=None, further=None):
        """predict_interval as a pair of arrays, whatever set_output says."""
        self._check_fitted()
        X = self._check(X, reset=False, least_rows=0)
        y_pred, names = self._predictions(X, y_pred), self._names(X)
        columns = self._further(_rows(X, y_pred), names=names, **(further or {"groups": None, "sample_weight": None}))
        table = self._table(X, y_pred, None, names, self.model_.options, columns)
        if smooth is None and self.model_.calibration["kind"] == "plain":
            alarms.of_too_few_rows(self.record_["calibration_rows"], levels, self.model_.sure)
        alarms.of_findings(self.model_.input_alarms(table))
        f, ends, found = self.model_.predict_interval(table, levels, _options.threads_of(self.n_jobs), smooth)
        alarms.of_findings(found)
        return f, ends

    def _check_fitted(self):
        """scikit-learn's check asks for all tags of the estimator, which takes longer than a row does."""
        if "model_" not in self.__dict__:
            check_is_fitted(self, "model_")

    def _is_outside(self):
        if self.model_.imported:
            return False
        return self.model_.options["prediction"] + self.model_.options["lower_prediction"] != ""

    def _names(self, X):
        """What C++ calls the columns of X: by their own names, or those of the fit by position."""
        if X is None or _columns.is_frame(X):
            return _columns.names_of(X)
        fitted = list(getattr(self, "feature_names_in_", _columns.names_of(X)))
        if len(fitted) != X.shape[1]:  # of a file with columns that were left out, see load
            raise ValueError(f"X has {X.shape[1]} columns without names, but the model knows {len(fitted)}: {', '.join(fitted[:10])}; give it a table "
                             "with names, or these columns alone, in this order")
        return fitted

    def _table(self, X, y_pred, y, names, options, further=None):
        columns = {}
        if y_pred is not None:
            columns.update(zip((options[name] for name in _given_predictions.options_of(y_pred)), np.atleast_2d(y_pred.T)))
        if y is not None:
            columns[options["target"]] = y
        table = _columns.table_of(X, names, **columns)
        _groups.add(table, further or {})
        return table

    def _check(self, X, y=None, *, reset, least_rows=1, skip=False):
        """What scikit-learn asks of every estimator; tables keep their columns as they are. Of rows to predict C++ or the
        estimator refuse what they cannot take: looking at a million rows twice would cost more than some predictors do. `skip`: rows may lack a target."""
        if y is None and not reset and _columns.is_plain(X, self.__dict__, least_rows):
            return X
        X, y = _columns.understood(X), _targets.numbers_of(y)
        if X is None and self.estimator is None:
            if reset:
                self.n_features_in_ = 0
            return None if y is None else (None, self._target(y, reset, skip))
        if _columns.is_frame(X):
            self._check_names(X, reset)
            if X.shape[0] < least_rows or X.shape[1] == 0:
                raise ValueError(f"Found array with {X.shape[0]} sample(s) and {X.shape[1]} feature(s); at least {least_rows} and 1 are "
                                 "needed")
            if y is None:
                return X
            y = self._target(y, reset, skip)
            check_consistent_length(X, y)
            return X, y
        settings = {"reset": reset, "dtype": [np.float64, np.float32], "accept_sparse": ["csr", "csc"],
                    "ensure_all_finite": reset and not self._takes_missing()}
        if y is None:
            return validate_data(self, X, ensure_min_samples=least_rows, **settings)
        X = validate_data(self, X, ensure_min_samples=2 if reset else least_rows, **settings)
        y = self._target(y, reset, skip)
        check_consistent_length(X, y)
        return X, y

    def _target(self, y, reset, skip):
        advice = ", as skip_missing_target=True does" if reset else ""
        return _targets.numeric_target(y, _options.missing_numbers(self.na), skip, advice)

    def _check_names(self, X, reset):
        if not reset and "_left_out" in self.__dict__:
            return  # of a file that does not tell all columns of its table: C++ finds those that it needs by their names
        if not isinstance(X, _columns.ArrowRows):
            validate_data(self, X, skip_check_array=True, reset=reset)
            return
        if self.estimator is not None:
            raise TypeError("X is an Arrow stream, which an estimator of another library cannot choose rows of; give a table of pandas, polars "
                            "or pyarrow")
        if reset:  # afterwards C++ finds columns by their names
            self.n_features_in_, self.feature_names_in_ = X.shape[1], np.array(_columns.names_of(X), dtype=object)
