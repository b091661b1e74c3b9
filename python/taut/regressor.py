"""ConformalRegressor: the Regressor of C++ as a scikit-learn estimator, around any other regressor."""
from __future__ import annotations

import numpy as np
from sklearn.base import RegressorMixin

from . import _columns, _core, _distributions, _foreign, _groups, _loss, _notebook, _options, _outside, _progress, _targets, alarms
from ._calibration import GroupedRows
from ._distil import Distils
from ._groups import listed, numbered
from ._model import ConformalModel
from ._notebook import ShowsItself
from ._numbers import levels_of, shown
from ._questions import DistributionQuestions
from ._report import WritesReports
from ._several import columns_of
from ._stream import StreamedRows
from ._loss import Loss
from ._types import Any, ArrayLike, Dicts, FloatArray, Levels, Literal, Mapping, Names, Never, RandomState, Rows, Self, Sequence
from .evaluation import Evaluation
from .explanation import ExplainsRows


@_options.documented
class ConformalRegressor(GroupedRows, DistributionQuestions, StreamedRows, ExplainsRows, WritesReports, Distils, ShowsItself, RegressorMixin,
                         ConformalModel):
    """Prediction intervals that are guaranteed to cover, around the predictions of any regression model; for several targets at once, joint
    regions.

    Without an estimator Taut's own predictor is fitted (`predictor`), exactly as the command line does. With one, `fit`
    cross-fits five clones of it on 80 % of the rows, trains the transformation on their out-of-fold residuals and calibrates
    on the other 20 %; the prediction is the mean of the five. With `prefit=True` the estimator is used as it is, and `fit`
    needs rows that it has not seen. Trees of XGBoost, LightGBM, CatBoost and scikit-learn (HistGradientBoosting, forests) are imported
    in both cases: the same predictions, faster, and saved with the model; other estimators are called.

    Parameters
    ----------
    estimator : regressor, callable, list, dict or None, default=None
        A regressor with fit and predict. With `prefit=True` a fitted one, a function X -> y_pred, or a list of these, whose mean is the
        prediction; or a model of a predictive distribution, on which the intervals are built: one with `predict_quantiles`, `pred_dist` (NGBoost),
        `predict(X, output_type="quantiles")` (TabPFN, TabICL), `predict(X, quantiles=...)` (quantile-forest) or MultiQuantile (CatBoost), a list of
        quantile regressors of several levels (scikit-learn, LightGBM), or a dict {level: model}.
    prefit : bool, default=False
        The estimator is trained already, on other rows.
    region : {'auto', 'box', 'ellipsoid', 'density'}, default='auto'
        The kind of the joint region of several targets; auto: validation rows choose.
    y_range : str or None, default=None
        'height:0:,count:0:99:1': minimum, maximum and perhaps step of each named one of several targets, instead of y_min, y_max and y_step.
    {options}
    loss : callable or None, default=None
        A loss that boosted trees of f minimise instead of their own: a function (prediction, y, weight) -> (gradient, curvature), or
        (gradient, curvature, loss), of arrays in units of y, with the first two derivatives of each row's loss by its prediction. They are
        checked before training. f is then boosted trees alone.
    n_jobs : int or None, default=-1
        Threads; -1: all cores. Results do not depend on it.
    verbose : bool or None, default=None
        The progress of `fit`. None: a bar in a notebook or terminal, if it takes longer than a second; True: elsewhere too, as lines on
        standard error; False: none.

    Attributes
    ----------
    model_ : taut._core.Regressor
        The model of a .taut file.
    estimators_ : list
        The fitted estimators whose mean is the prediction; only with an outside estimator.
    record_ : dict
        Numbers of rows for each step, and the candidates that were compared on validation rows.
    columns_ : list of dict
        For every column of X its name, the kind that was inferred, its use ("input", "left out"), and the reason.
    messages_ : list of str
        Messages of the fit.
    target_names_ : list of str
        The names of the targets, if there are several: the columns of y, or y0, y1, ...
    n_features_in_ : int
        The number of columns of X.
    feature_names_in_ : ndarray of str
        The names of the columns of X, if it had names.

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

    def __init__(
        self, estimator: Any = None, *, prefit: bool = False, region: Literal["auto", "box", "ellipsoid", "density"] = "auto",
        y_range: str | None = None,
        quantile_columns: Names | None = None, sample_columns: Names | None = None, drop: Names | None = None, categorical: Names | None = None,
        numeric: Names | None = None, date: Names | Mapping[str, str] | None = None, ordered: Names | Mapping[str, Sequence[str]] | None = None,
        increasing: Names | None = None, decreasing: Names | None = None,
        na: Names | Sequence[str | float] | None = None, decimal: str | None = None, skip_missing_target: bool = False,
        predictor: str = "stack", target_scale: Literal["as-is", "root", "log", "auto"] | None = None, localizer: str = "boost",
        transform: str = "curve", score_scale: Literal["auto", "as-is", "root", "log", "learned", "probability"] = "auto",
        objective: str | None = None, focus: float | None = None, sides: Literal["one", "two", "auto"] = "auto",
        split: str | None = None, by: Names | None = None, other_groups: Literal["whole-line", "pool"] = "whole-line",
        keep_together: str | None = None, sure: float | None = None, in_order: bool = False, order_by: str | None = None, gap: int = 0,
        delay: int = 0, lags: Sequence[int] | None = None, rolling: Sequence[int] | None = None, past_of: Names | None = None,
        y_min: float | None = None, y_max: float | None = None, y_step: float | None = None, max_rows: int | None = None,
        random_state: RandomState | None = None, effort: Literal["quick", "normal", "thorough"] = "normal", repeats: int = 1,
        time: float | str | None = None, knn_rows: int = 1000,
        see_prediction: Literal["yes", "no", "auto"] = "auto", hidden: Sequence[int] = (100, 100, 100, 100, 100), rate: float | None = None,
        batch: int | None = None, epochs: int | None = None, patience: int | None = None, depth: int | None = None,
        min_weight: float | None = None, calibrate_by_weight: bool = False, loss: Loss | None = None, n_jobs: int | None = -1,
        verbose: bool | None = None,
    ) -> None:
        self._take_parameters(locals())

    def fit(self, X: Rows | None, y: ArrayLike, *, y_pred: ArrayLike | None = None, by: Names | None = None,
            groups: ArrayLike | None = None, keep_together: ArrayLike | None = None, in_order: bool | None = None,
            calibrate: bool = True, sample_weight: ArrayLike | str | None = None, exposure: ArrayLike | str | None = None,
            **refused: Never) -> Self:
        """Trains on some rows and calibrates on the others.

        The split of the rows
            estimator=None : 20 % calibrate; the others train predictor and transformation, cross-fitted (or as `split` says).
            an estimator   : the same, with clones of the estimator as predictor.
            prefit=True    : 80 % train and validate the transformation, in folds, 20 % calibrate (or as `split` says); with
                             transform="fixed" or localizer="none" nothing is learnt, and all rows calibrate.

        Parameters
        ----------
        X : array or table of shape (rows, columns)
            numpy, scipy.sparse, pandas, polars, pyarrow, or anything with `__arrow_c_stream__`; None with `y_pred`: no inputs.
        y : array of shape (rows,) or (rows, targets)
            The target, or several targets: then regions hold all of them at once (docs/several-targets.md). With `skip_missing_target` a row
            without some of its targets trains the others.
        y_pred : array of shape (rows,) or (rows, 2), or dict {level: array}, optional
            Predictions for these rows by a model that has not seen them; only with `prefit=True`, instead of an estimator. Two columns are
            quantile predictions, the lower and the upper one, which the intervals are built on. A dict, or a frame whose columns are named by
            levels, has the quantiles of a predictive distribution.
        by : str or sequence of str, optional
            Group-conditional (Mondrian) coverage in the groups of these columns of X, "region", ["region", "age:5"], "prediction:5";
            instead of the parameter `by` of the regressor.
        groups : array of shape (rows,), optional
            The same with groups that are not columns of X: a value for each row, which `predict_interval` then needs too.
        keep_together : str or array of shape (rows,), optional
            Rows with the same value (patients, shops) stay in one part, folds included, and the guarantee is for a
            new value: the name of a column of X, or an array with a value for each row.
        in_order : bool, optional
            Rows come one after another in time: training before validation before calibration.
        calibrate : bool, default=True
            False leaves no rows for calibration; until `calibrate` is called, intervals are the whole line.
        sample_weight : array of shape (rows,) or str, optional
            How much each row counts in training: a row of weight 2 counts as two rows, a row of weight 0 as none. An array, or the name
            of a column of X. Estimators get them too. Calibration rows count equally unless `calibrate_by_weight`.
        exposure : array of shape (rows,) or str, optional
            The exposure of each row, such as years insured: y divided by it is modelled, with noise that shrinks as it grows. An array,
            or the name of a column of X, which rows to predict need too.
        """
        with _progress.shown(self.verbose), self._unchanged_on_failure():
            try:
                return self._fit(X, y, y_pred, by, groups, keep_together, in_order, calibrate, sample_weight, exposure, refused)
            finally:
                self.__dict__.pop("_levels_of_fit", None)

    def _fit(self, X, y, y_pred, by, groups, keep_together, in_order, calibrate, sample_weight, exposure, refused):
        several = columns_of(y)
        if several is not None:
            return self._fit_several(X, several, y_pred, by, groups, keep_together, in_order, calibrate, sample_weight, exposure, refused)
        for name, value in (("region", "" if self.region == "auto" else self.region), ("y_range", self.y_range)):
            if value:
                raise ValueError(f"{name}={value!r} is for several targets, and y has one; leave it out, or give y with a column for each target")
        X, y, options, elsewhere = self._begin_fit(X, y, calibrate, refused, sample_weight)
        names = _columns.names_of(X)
        further = self._grouped(options, y, names, by, groups, keep_together, in_order)
        weights = self._weighed(X, options, len(y), sample_weight, further)
        if exposure is not None:
            if self.estimator is not None or y_pred is not None:
                raise ValueError("exposure: y divided by the exposure is modelled by Taut's own predictors; leave the estimator out, or exposure")
            options["exposure"], column = _groups.column_of("exposure", exposure, X, [*names, options["target"], *further], len(y))
            if not isinstance(exposure, str):
                further[options["exposure"]] = column
        self._check_columns(options, [*names, *further])
        levels, y_pred = self._distribution_of_fit(y_pred, y, options)
        found = _foreign.fitted(self, X, y, names, options, further, elsewhere) if self.prefit and y_pred is None and not levels else None
        if found is None:
            if self.prefit or self.estimator is not None or y_pred is not None:
                counts = np.ones(len(y), dtype=bool) if weights is None else weights != 0
                usable, together = np.flatnonzero(~np.isnan(y) & counts), None if self.prefit else self._together(X, options, further)
                numbers = [] if together is None else numbered(np.asarray(together)[usable]).tolist()
                y_pred, trained = self._training_outputs(X, y, y_pred, options, calibrate, usable, numbers, weights)
                if trained is not None and np.isfinite(y_pred[usable]).all():
                    found = _foreign.fitted(self, X, y, names, options, further, elsewhere, np.where(trained, y_pred, np.nan))
        if found is None:
            if levels:
                options["quantile_columns"] = _distributions.columns_of(levels, names)
            elif y_pred is not None:
                options.update((name, _columns.free_name(name, names)) for name in _targets.prediction_options(y_pred))
            table = self._table(X, y_pred, y, options, further, names)
            found = (*_core.Regressor.fit(table, options, self._threads(), elsewhere, loss=_loss.checked(self, y_pred)), table)
        model, messages, table = found
        raised = self._keep(model, messages, table, names)
        alarms.of_fallback(self.record_)
        alarms.of_findings(raised)
        return self

    def predict(self, X: Rows, *, exposure: ArrayLike | None = None) -> FloatArray:
        """f(x), one number for each row; (rows, targets) for several targets; for a model with exposures times the exposure of the row, an
        array or a column of X."""
        self._check_fitted()
        X = self._check(X, reset=False, min_rows=0)
        outputs = self._outputs(X, None) if self._is_outside() else None
        if outputs is not None and outputs.ndim == 1:
            return outputs
        further = None
        if exposure is not None or self.model_.options["exposure"]:
            further = self._exposed(exposure, _columns.rows_of(X, exposure), self._names(X))
        predictions: FloatArray = self.model_.predict(self._table(X, outputs, None, self.model_.options, further), self._threads())
        return predictions

    def predict_interval(self, X: Rows | None, confidence_level: Levels = 0.9, *, y_pred: ArrayLike | None = None, smooth: int | None = None,
                         tails: Literal["both", "equal"] = "both", each: bool = False, groups: ArrayLike | None = None,
                         sample_weight: ArrayLike | None = None, exposure: ArrayLike | None = None) -> tuple[FloatArray, FloatArray]:
        """Predictions (rows,) and intervals (rows, 2, levels): [:, 0] the lower ends, [:, 1] the upper ones; after `set_output` one frame.

        An interval is (-inf, inf) if there are too few calibration rows for its level, (nan, nan) if it is empty. For several targets the
        predictions are (rows, targets) and the intervals (rows, targets, 2, levels): a box that holds the joint region, so that all targets
        lie in it at once with the given confidence. A density region may be empty; its box is then nan.

        Parameters
        ----------
        X : array or table of shape (rows, columns), or one row
            One row is a Series of pandas or a dict with the names of the columns.
        confidence_level : float or sequence of float, default=0.9
            A level between 0 and 1, or several; intervals are nested.
        y_pred : array of shape (rows,) or (rows, 2), optional
            Predictions for these rows, if the model was fitted with predictions instead of an estimator.
        smooth : int, optional
            A seed for randomized ranks, which depend on each row's inputs: coverage is exact instead of slightly above (at least
            the level with ties).
        tails : {'both', 'equal'}, default='both'
            "equal": y is below the interval, and above it, with probability at most (1 - confidence_level) / 2; "both": the two
            together at most 1 - confidence_level, so that one side may be missed more often, and the interval is narrower.
        each : bool, default=False
            For several targets: an interval for each target at its own confidence, which promises nothing about the others.
        groups, sample_weight : array of shape (rows,), optional
            Of these rows, if the model was calibrated with arrays of them.
        exposure : array of shape (rows,), optional
            Of these rows, if the model was fitted with an array of them.
        """
        levels = levels_of(confidence_level)
        if tails not in ("both", "equal"):
            raise ValueError(f"tails must be 'both' or 'equal', got {shown(tails)}")
        if tails == "equal" and smooth is not None:
            raise ValueError("smooth goes with tails='both': the ends of an interval with equal tails are exact ranks")
        further = {"groups": groups, "sample_weight": sample_weight}
        self._check_fitted()
        if self._is_several():
            if tails == "equal" or smooth is not None or y_pred is not None:
                self._require_one_target(f"predict_interval({'tails=' if tails == 'equal' else 'smooth=' if smooth is not None else 'y_pred='}...)",
                                         "leave it out")
            return self._boxes(X, levels, each, further)
        if each:
            raise ValueError("each=True is for several targets, and this model was fitted with one")
        ends = (self._equal_tailed(X, levels, y_pred, further, exposure) if tails == "equal"
                else self._intervals(X, levels, y_pred, smooth, further, exposure))
        return self._in_container(X, levels, *ends)

    def evaluate(self, X: Rows | None, y: ArrayLike, confidence_level: Levels = 0.9, *, y_pred: ArrayLike | None = None, by: Names | None = None,
                 groups: ArrayLike | None = None, sample_weight: ArrayLike | None = None, keep_together: ArrayLike | None = None,
                 exposure: ArrayLike | None = None) -> Evaluation:
        """Evaluates the intervals on rows that the model has not seen. The result is an `Evaluation`: a dict with the keys of `taut evaluate
        --json` that is shown as a table; `to_frame()` makes a frame.

        None means that a number is not defined for these rows. Widths and scores are infinite if an interval is; `unbounded` is the share
        of such rows. Each alarm in `alarms` (coverage outside its band, rows that trained the model, ...) is also a warning.

        Parameters
        ----------
        X, y : rows and their targets, as in `fit`
        confidence_level : float or sequence of float, default=0.9
        y_pred : array of shape (rows,) or (rows, 2), optional
            As in `predict_interval`.
        by : str or sequence of str, optional
            Also an entry for each group of rows, in `by_group`: names of columns of X ("region", "age:5", "prediction:5").
        groups : array of shape (rows,), optional
            The same with an array of groups, a value for each row; a model that was calibrated with such an array needs it.
        sample_weight : array of shape (rows,), optional
            Weights by which coverage and scores are averaged too, in `weighted`. If the model was calibrated with weights, those of these
            rows, which it needs.
        keep_together, exposure : array of shape (rows,), optional
            Of these rows, if the model was calibrated or fitted with arrays; without keep_together, groups are assumed to be as large as
            those of the calibration rows.
        """
        by = listed(by)
        further = {"groups": groups, "sample_weight": sample_weight, "by": by}
        name, weights = self._weights_to_average(X, y, sample_weight)
        if name:
            further["sample_weight"] = None
        table = self._rows_table(X, y, y_pred, further=further, keep_together=keep_together, exposure=exposure, weights=weights,
                                 absent=self._absent(X, self.model_.options["sample_weight"] if sample_weight is None else sample_weight))
        return self._evaluate(table, confidence_level, by, sample_weight=name)

    def check_shift(self, X: Rows | None, *, y_pred: ArrayLike | None = None, keep_together: ArrayLike | None = None,
                    exposure: ArrayLike | None = None) -> Dicts:
        """Differences between the inputs and those of the calibration rows that chance does not explain, as by `taut predict
        --check-shift`. Returns a list of dicts (column, words, p_value), the most significant first. Without a shift the list is empty,
        except for at most 1 table in 1,000. Findings are also a ShiftWarning. keep_together: the groups of these rows, if the model was
        calibrated with an array of groups; then groups are compared; exposure: as in `predict_interval`."""
        return self._check_shift(self._rows_table(X, given=y_pred, keep_together=keep_together, exposure=exposure))

    def _in_container(self, X, levels, y_pred, intervals):
        """A pair of arrays or, after `set_output`, a frame with the columns of `taut predict`: prediction, lower_0.9, upper_0.9, ..."""

        def columns():
            named = {"prediction": y_pred}
            for i, level in enumerate(levels):
                named[f"lower_{level}"] = np.ascontiguousarray(intervals[:, 0, i])
                named[f"upper_{level}"] = np.ascontiguousarray(intervals[:, 1, i])
            return named

        frame = self._frame_or_none(X, columns)
        return (y_pred, intervals) if frame is None else frame

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = self.estimator is None and not self.prefit
        return tags

    def _describe_parts(self):
        return _notebook.parts_of_regressor(self)

    def _outside(self):
        if not self.prefit or _distributions.kind_of(self.estimator) is None:
            return _outside.Predictions()
        levels = self.__dict__.get("_levels_of_fit")
        return _distributions.Distributions(_distributions.levels_in(self.model_.options) if levels is None else levels)

    def _distribution_of_fit(self, y_pred, y, options):
        """The levels of a distribution that an outside model or y_pred gives, or (), and y_pred as an array."""
        if y_pred is not None and _distributions.is_by_level(y_pred):
            levels, y_pred = _distributions.array_of(y_pred, len(y))
        elif self.prefit and y_pred is None and self.estimator is not None and _distributions.kind_of(self.estimator) is not None:
            levels = _distributions.levels_of(self.estimator)
        else:
            levels = ()
        named = [name for name in ("quantile_columns", "sample_columns") if options.get(name)]
        if named and (levels or y_pred is not None or self.estimator is not None):
            raise ValueError(f"{named[0]} names columns of X, which replace an estimator and y_pred; leave one of them out")
        self._levels_of_fit = levels
        return levels, y_pred

    def _is_outside(self):
        if self.model_.imported:
            return False
        options = self.model_.options
        return options["prediction"] + options["lower_prediction"] != "" or _distributions.names_in(options)[1]

    def _given(self, values, rows, options=None):
        if isinstance(values, np.ndarray) and values.ndim == 2 and options is None and values.shape[1] != 2:
            return values  # the quantiles of a fit, checked already
        if options is not None and options["quantile_columns"]:
            return _distributions.given_for(values, rows, options)
        return _targets.predictions_of(values, rows, options)

    def _intervals(self, X, levels, y_pred=None, smooth=None, further=None, exposure=None):
        """The result of predict_interval as a pair of arrays, whatever set_output says."""
        self._require_one_target("this")
        table = self._rows_table(X, given=y_pred, further=further or {"groups": None, "sample_weight": None}, exposure=exposure)
        if smooth is None and self.model_.calibration["kind"] == "plain":
            alarms.of_too_few_rows(self.record_["calibration_rows"], levels, self.model_.sure)
        alarms.of_findings(self.model_.input_alarms(table))
        f, ends, found = self.model_.predict_interval(table, levels, self._threads(), smooth)
        alarms.of_findings(found)
        return f, ends

    def _table(self, X, outputs, y, options, further=None, names=None):
        columns = {}
        if outputs is not None:
            names_of_outputs = ([text.rpartition("=")[0] for text in options["quantile_columns"]] if options.get("quantile_columns")
                                else [options[name] for name in _targets.prediction_options(outputs)])
            columns.update(zip(names_of_outputs, np.atleast_2d(outputs.T)))
        if y is not None and y.ndim == 2:
            columns.update(zip(self.target_names_, y.T))
        elif y is not None:
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
        several = columns_of(y)
        if several is not None or (not reset and self._is_several()):
            return self._targets_of(several, reset, skip)
        return _targets.numeric_target(_targets.numbers_of(y), _options.missing_numbers(self.na), skip, advice)

    def _lacking(self, y):
        return np.isnan(np.asarray(y, dtype=np.float64))
