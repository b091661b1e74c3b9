"""ConformalRegressor: the Regressor of C++ as a scikit-learn estimator, around any other regressor."""
import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils import get_tags

from . import _columns, _core, _foreign, _look, _options, _outside, _targets, alarms
from ._calibration import GroupedRows
from ._groups import listed, numbered, refusal_of
from ._model import ConformalModel
from ._notebook import ShowsItself
from ._numbers import levels_of, shown
from ._questions import DistributionQuestions
from ._report import WritesReports
from ._stream import StreamedRows
from .explanation import ExplainsRows


class ConformalRegressor(GroupedRows, DistributionQuestions, StreamedRows, ExplainsRows, WritesReports, ShowsItself, RegressorMixin, ConformalModel):
    __doc__ = f"""Prediction intervals that are guaranteed to cover, around the predictions of any regression model.

    Without an estimator Taut's own predictor is fitted (`predictor`), exactly as the command line does. With one, `fit`
    cross-fits five clones of it on 80 % of the rows, trains the transformation on their out-of-fold residuals and calibrates
    on the other 20 %; the prediction is the mean of the five. With `prefit=True` the estimator is used as it is, and `fit`
    needs rows that it has not seen. Trees of XGBoost, LightGBM, CatBoost and scikit-learn (HistGradientBoosting, forests) are imported
    in both cases: the same predictions, faster, and saved with the model; other estimators are called.

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
    model_ : the model of a .taut file
    estimators_ : the fitted estimators whose mean is the prediction; only with an outside estimator
    record_ : numbers of rows for each step, and the candidates that were compared on validation rows
    columns_ : a dict for every column of X: its name, the kind that was inferred, its use ("input", "left out"), and the reason
    messages_ : messages of the fit
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

    _SPARSE = ["csr", "csc"]

    def __init__(self, estimator=None, *, prefit=False, drop=None, categorical=None, numeric=None, date=None, ordered=None, na=None,
                 decimal=None, skip_missing_target=False, predictor="stack", target_scale=None, localizer="boost", transform="curve",
                 objective=None, focus=None, sides="auto", split=None, by=None, other_groups="whole-line", keep_together=None,
                 sure=None, in_order=False, order_by=None, gap=0, delay=0, lags=None, rolling=None, past_of=None, y_min=None, y_max=None, y_step=None,
                 max_rows=None, random_state=None, effort="normal", knn_rows=1000, see_prediction="auto", hidden=(100, 100, 100, 100, 100),
                 rate=None, batch=None, epochs=None, patience=None, depth=None, min_weight=None, n_jobs=-1):
        self._take_parameters(locals())

    def __sklearn_clone__(self):
        return super().__sklearn_clone__().set_output(transform=self.__dict__.get("_container"))

    def fit(self, X, y, *, y_pred=None, by=None, groups=None, keep_together=None, in_order=None, calibrate=True, **refused):
        """Trains on some rows and calibrates on the others.

        The split of the rows
            estimator=None : 20 % calibrate; the others train predictor and transformation, cross-fitted (or as `split` says).
            an estimator   : the same, with clones of the estimator as predictor.
            prefit=True    : 80 % train and validate the transformation, in folds, 20 % calibrate (or as `split` says); with
                             transform="fixed" or localizer="none" nothing is learnt, and all rows calibrate.

        Parameters
        ----------
        y_pred : predictions for these rows by a model that has not seen them; only with `prefit=True`, instead of an estimator.
            (rows,), or (rows, 2) for quantile predictions: the lower and the upper one, which the intervals are built on
        by : group-conditional (Mondrian) coverage in the groups of these columns of X, "region", ["region", "age:5"], "prediction:5";
            instead of the parameter `by` of the regressor
        groups : the same with groups that are not columns of X: an array with a value for each row, which `predict_interval` then needs too
        keep_together : rows with the same value (patients, shops) stay in one part, folds included, and the guarantee is for a
            new value: the name of a column of X, or an array with a value for each row
        in_order : rows come one after another in time: training before validation before calibration
        calibrate : False leaves no rows for calibration; until `calibrate` is called, intervals are the whole line
        """
        if refused:
            raise TypeError(refusal_of(sorted(refused)[0]))
        X, y, options, elsewhere = self._begin_fit(X, y, calibrate, self.skip_missing_target)
        names = _columns.names_of(X)
        further = self._grouped(options, y, names, by, groups, keep_together, in_order)
        found = _foreign.fitted(self, X, y, names, options, further, elsewhere) if self.prefit and y_pred is None else None
        if found is None:
            if self.prefit or self.estimator is not None or y_pred is not None:
                usable, together = np.flatnonzero(~np.isnan(y)), None if self.prefit else self._together(X, options, further)
                numbers = [] if together is None else numbered(np.asarray(together)[usable]).tolist()
                y_pred, trained = self._training_outputs(X, y, y_pred, options, calibrate, usable, numbers)
                if trained is not None and np.isfinite(y_pred[usable]).all():
                    found = _foreign.fitted(self, X, y, names, options, further, elsewhere, np.where(trained, y_pred, np.nan))
        if found is None:
            if y_pred is not None:
                options.update((name, _columns.free_name(name, names)) for name in _targets.prediction_options(y_pred))
            table = self._table(X, y_pred, y, options, further, names)
            found = (*_core.Regressor.fit(table, options, self._threads(), elsewhere), table)
        model, messages, table = found
        self.columns_ = _look.columns_of(model, table, names)
        raised = self._keep(model, messages, table, _look.sentences(model.record, model))
        alarms.of_fallback(self.record_)
        alarms.of_findings(raised)
        return self

    def predict(self, X):
        """f(x), one number for each row."""
        self._check_fitted()
        X = self._check(X, reset=False, min_rows=0)
        if self._is_outside():
            return self._outputs(X, None)
        return self.model_.predict(self._table(X, None, None, {}), self._threads())

    def predict_interval(self, X, confidence_level=0.9, *, y_pred=None, smooth=None, tails="both", groups=None, sample_weight=None):
        """Predictions (rows,) and intervals (rows, 2, levels): [:, 0] the lower ends, [:, 1] the upper ones.

        An interval is (-inf, inf) if there are too few calibration rows for its level, (nan, nan) if it is empty.

        Parameters
        ----------
        confidence_level : a level between 0 and 1, or several; nested intervals
        y_pred : predictions for these rows, if the model was fitted with predictions instead of an estimator
        smooth : a seed for randomized ranks, which depend on each row's inputs: coverage is exact instead of slightly above (at least
            the level with ties)
        tails : "equal": y is below the interval, and above it, with probability at most (1 - confidence_level) / 2; "both": the two
            together at most 1 - confidence_level, so that one side may be missed more often, and the interval is narrower
        groups, sample_weight : of these rows, if the model was calibrated with arrays of them
        """
        levels = levels_of(confidence_level)
        if tails not in ("both", "equal"):
            raise ValueError(f"tails must be 'both' or 'equal', got {shown(tails)}")
        if tails == "equal" and smooth is not None:
            raise ValueError("smooth goes with tails='both': the ends of an interval with equal tails are exact ranks")
        further = {"groups": groups, "sample_weight": sample_weight}
        ends = self._equal_tailed(X, levels, y_pred, further) if tails == "equal" else self._intervals(X, levels, y_pred, smooth, further)
        return self._in_container(X, levels, *ends)

    def evaluate(self, X, y, confidence_level=0.9, *, y_pred=None, by=None, groups=None, sample_weight=None, keep_together=None):
        """Evaluates the intervals on rows that the model has not seen, with the keys of `taut evaluate --json`.

        None means that a number is not defined for these rows. Widths and scores are infinite if an interval is; `unbounded` is the share
        of such rows. Each alarm in `alarms` (coverage outside its band, rows that trained the model, ...) is also a warning.

        by : also an entry for each group of rows, in `by_group`: names of columns of X ("region", "age:5", "prediction:5")
        groups : the same with an array of groups, a value for each row; a model that was calibrated with such an array needs it
        sample_weight, keep_together : of these rows, if the model was calibrated with arrays; without keep_together, groups are
            assumed to be as large as those of the calibration rows
        """
        by = listed(by)
        further = {"groups": groups, "sample_weight": sample_weight, "by": by}
        return self._evaluate(self._rows_table(X, y, y_pred, further=further, keep_together=keep_together), confidence_level, by)

    def check_shift(self, X, *, y_pred=None, keep_together=None):
        """Differences between the inputs and those of the calibration rows that chance does not explain, as by `taut predict
        --check-shift`. Returns a list of dicts (column, words, p_value), the most significant first. Without a shift the list is empty,
        except for at most 1 table in 1,000. Findings are also a ShiftWarning. keep_together: the groups of these rows, if the model was
        calibrated with an array of groups; then groups are compared."""
        return self._check_shift(self._rows_table(X, given=y_pred, keep_together=keep_together))

    def set_output(self, *, transform=None):
        """Sets what `predict_interval` returns: "default" a pair of arrays, "pandas" or "polars" one frame."""
        if transform not in (None, "default", "pandas", "polars"):
            raise ValueError(f"set_output takes 'default', 'pandas' or 'polars', got {shown(transform)}")
        if transform is not None:
            self._container = transform
        return self

    def _in_container(self, X, levels, y_pred, intervals):
        """A pair of arrays or, after `set_output`, a frame with the columns of `taut predict`: prediction, lower_0.9, upper_0.9, ..."""
        container = self.__dict__.get("_container")
        if container in (None, "default"):
            return y_pred, intervals
        columns = {"prediction": y_pred}
        for i, level in enumerate(levels):
            columns[f"lower_{level}"] = np.ascontiguousarray(intervals[:, 0, i])
            columns[f"upper_{level}"] = np.ascontiguousarray(intervals[:, 1, i])
        if container == "polars":
            import polars as pl

            return pl.DataFrame(columns)
        import pandas as pd

        return pd.DataFrame(columns, index=X.index if isinstance(X, pd.DataFrame) else None)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = not hasattr(self.estimator, "__sklearn_tags__") or get_tags(self.estimator).input_tags.sparse
        return tags

    def _outside(self):
        return _outside.Predictions()

    def _is_outside(self):
        if self.model_.imported:
            return False
        return self.model_.options["prediction"] + self.model_.options["lower_prediction"] != ""

    def _given(self, values, rows, options=None):
        return _targets.predictions_of(values, rows, options)

    def _intervals(self, X, levels, y_pred=None, smooth=None, further=None):
        """The result of predict_interval as a pair of arrays, whatever set_output says."""
        table = self._rows_table(X, given=y_pred, further=further or {"groups": None, "sample_weight": None})
        if smooth is None and self.model_.calibration["kind"] == "plain":
            alarms.of_too_few_rows(self.record_["calibration_rows"], levels, self.model_.sure)
        alarms.of_findings(self.model_.input_alarms(table))
        f, ends, found = self.model_.predict_interval(table, levels, self._threads(), smooth)
        alarms.of_findings(found)
        return f, ends

    def _table(self, X, outputs, y, options, further=None, names=None):
        columns = {}
        if outputs is not None:
            columns.update(zip((options[name] for name in _targets.prediction_options(outputs)), np.atleast_2d(outputs.T)))
        if y is not None:
            columns[options["target"]] = y
        return _columns.table_of(X, self._names(X) if names is None else names, further, **columns)

    def _check(self, X, y=None, *, reset, min_rows=1, skip=False):
        if X is not None or self.estimator is not None:
            return super()._check(X, y, reset=reset, min_rows=min_rows, skip=skip)
        if reset:
            self.n_features_in_ = 0
        return None if y is None else (None, self._target(y, reset, skip))

    def _target(self, y, reset, skip):
        advice = ", as skip_missing_target=True does" if reset else ""
        return _targets.numeric_target(_targets.numbers_of(y), _options.missing_numbers(self.na), skip, advice)

    def _lacking(self, y):
        return np.isnan(np.asarray(y, dtype=np.float64))

    def _check_names(self, X, reset):
        if not reset and "_left_out" in self.__dict__:
            return  # a file does not name all columns of its table; C++ finds those that it needs by their names
        if not isinstance(X, _columns.ArrowRows):
            super()._check_names(X, reset)
            return
        if self.estimator is not None:
            raise TypeError("X is an Arrow stream, from which an estimator of another library cannot select rows; give a table of pandas, polars "
                            "or pyarrow")
        if reset:  # afterwards C++ finds columns by their names
            self.n_features_in_, self.feature_names_in_ = X.shape[1], np.array(_columns.names_of(X), dtype=object)
