"""ConformalModel, the base of ConformalRegressor and ConformalClassifier: a model of C++ as a scikit-learn estimator around any other estimator."""
from __future__ import annotations

import logging
import os
import re
from contextlib import contextmanager

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.utils import _safe_indexing, get_tags
from sklearn.utils.validation import check_consistent_length, check_is_fitted, validate_data

from . import _columns, _core, _groups, _look, _one_row, _options, alarms
from ._export import ExportsItself
from ._frames import NamedOutput
from ._numbers import levels_of, shown
from ._types import Any, Dicts, Path
from ._weights import WeighsRows
from .evaluation import Evaluation

_log = logging.getLogger("taut")


class ParameterOnly:
    """A parameter that has the name of a scikit-learn method. get_params() returns it, but it is not an attribute."""

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, instance, owner=None):
        raise AttributeError(f"'{self.name}' is a parameter: read it with get_params(), change it with set_params()")

    def __set__(self, instance, value):
        instance.__dict__[self.name] = value


class ConformalModel(WeighsRows, ExportsItself, NamedOutput, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Everything that does not depend on the type of the target. A subclass defines the constants below and

    _outside() : the outputs of outside estimators, `_outside.Predictions` or `_outside.Probabilities`
    _is_outside() : whether the fitted model needs these outputs
    _given(values, rows, options) : outputs given by the user, checked; `options` are those of the fitted model
    _target(y, reset, skip) : the checked target; after the fit in the form that C++ reads; NaN if `skip` allows rows without a target
    _lacking(y) : a mask of rows without a target
    _table(X, outputs, y, options, further, names) : rows as C++ reads them
    """

    _GIVEN = "y_pred"  # the argument for outputs given by the user
    _OUTPUTS = "predictions"
    _ESTIMATOR = "predictor"  # the part that a file does not contain if an outside estimator is used
    _OWN = "a predictor"  # the part of Taut that computes outputs
    _SHARED_SPLITS = "predictors"
    _WITHOUT_ROWS = "intervals are the whole line"  # what is predicted if there are too few calibration rows
    _SPARSE = ["csr", "csc"]

    transform = ParameterOnly()

    estimator: Any
    prefit: bool
    model_: Any  # _core.Regressor or _core.Classifier
    record_: dict[str, Any]
    messages_: list[str]
    columns_: Dicts
    estimators_: list[Any]
    n_features_in_: int
    feature_names_in_: np.ndarray[Any, np.dtype[Any]]

    def _take_parameters(self, given):
        """Stores all arguments of __init__, from its locals()."""
        self.__dict__.update((name, value) for name, value in given.items() if name != "self")

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters by name; if `deep`, also those of the estimator."""
        params = {name: self.__dict__[name] for name in self._get_param_names()}
        if deep and hasattr(self.estimator, "get_params") and not isinstance(self.estimator, type):
            params.update((f"estimator__{name}", value) for name, value in self.estimator.get_params().items())
        return params

    def __sklearn_clone__(self):
        """With prefit=True the clone keeps the fitted estimator, because an unfitted copy would be useless."""
        if self.prefit:
            copied = type(self)(**{name: value if name == "estimator" else clone(value, safe=False)
                                   for name, value in self.get_params(deep=False).items()})
        else:
            copied = super().__sklearn_clone__()
        return copied.set_output(transform=self.__dict__.get("_container"))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self._takes_missing()
        tags.input_tags.sparse = not hasattr(self.estimator, "__sklearn_tags__") or get_tags(self.estimator).input_tags.sparse
        tags.target_tags.required = True
        return tags

    def save(self, path: Path, *, without_estimator: bool = False) -> None:
        """Writes a model file in the format of the command line. It contains Taut's own predictors and imported trees. A model whose
        estimator is called is refused; pickle and joblib keep all of it. without_estimator=True writes its file nevertheless, for
        `load(path, estimator=...)`."""
        check_is_fitted(self, "model_")
        if not without_estimator and self._is_outside() and self.__dict__.get("estimators_"):
            own, why = type(self.estimators_[0]).__name__, self.__dict__.get("_why_called")
            raise ValueError(f"save: the {self._OUTPUTS} come from your {own}, which a model file cannot contain{f' ({why})' if why else ''}; keep the "
                             "whole model with pickle or joblib: joblib.dump(model, path); or write the file without it: save(path, "
                             "without_estimator=True), and give it again: load(path, estimator=...)")
        self.model_.save(os.fspath(path))

    @property
    def stream_(self) -> dict[str, Any] | None:
        """The state of the stream: rows, targets, levels and the confidence now used for each level; None if nothing was streamed."""
        check_is_fitted(self, "model_")
        state: dict[str, Any] | None = self.model_.stream_state
        return state

    @contextmanager
    def _unchanged_on_failure(self):
        """What a fit does here is undone if it raises before it has a new model."""
        before = dict(self.__dict__)
        try:
            yield
        except BaseException:
            if self.__dict__.get("model_") is before.get("model_"):
                self.__dict__.clear()
                self.__dict__.update(before)
            raise

    # The fit: check rows and options → outputs of an outside estimator, if any → C++ → messages.

    def _begin_fit(self, X, y, calibrate, refused, sample_weight=None):
        """Checked rows, the options of C++, and calibration rows: None, or an empty table if `calibrate` is false. `refused`: arguments that
        `fit` does not have."""
        if refused:
            raise TypeError(_groups.refusal_of(sorted(refused)[0]))
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        X, y = self._check_weighed(X, y, self._absent(X, sample_weight), reset=True, skip=self.skip_missing_target)
        for name in ("estimators_", "_left_out", "_why_called", "target_names_"):  # from an earlier fit or a file
            self.__dict__.pop(name, None)
        options = self._options_for_core()
        options["target"] = _columns.free_name("y", _columns.names_of(X))
        return X, y, options, None if calibrate else _core.Table("no calibration rows", 0)

    @staticmethod
    def _check_columns(options, names):
        """Raises ValueError for a column that the options name and X lacks, before an estimator is trained."""
        _core.check_columns(_columns.SOURCE, [*names, options["target"]], options)

    def _options_for_core(self):
        options = _options.for_core({name: self.__dict__[name] for name in _options.LISTED if name in self.__dict__})
        if self.prefit or self.estimator is None:
            return options
        if options.get("order_by"):
            raise ValueError("order_by: an estimator of another library is trained on rows as they stand; sort them by time and use in_order=True")
        if self.split not in (None, "cross"):
            raise ValueError(f"split: an estimator is cross-fitted (split='cross'); shares are for Taut's own {self._SHARED_SPLITS} and "
                             f"for prefit=True; got {shown(self.split)}")
        return {**options, "split": "cross"}

    def _training_outputs(self, X, y, given, options, calibrate, usable, groups=(), weights=None):
        """Outputs for the rows of a fit, each by models that were not trained on the row, and a mask of rows on which cross-fitted models were
        trained. `usable`: the rows that have a target; `groups`: their group numbers, if groups stay together."""
        outside = self._outside()
        if given is not None:
            if self.estimator is not None or not self.prefit:
                raise ValueError(f"{self._GIVEN} replaces an estimator: use {type(self).__name__}(prefit=True).fit(X, y, {self._GIVEN}=...)")
            return self._given(given, len(y)), None
        if self.prefit:
            if self.estimator is None:
                raise ValueError(f"prefit=True needs a fitted estimator, or its {self._OUTPUTS}: fit(X, y, {self._GIVEN}=...)")
            self.estimators_ = outside.members_of(self.estimator)
            return outside.predict(self.estimators_, X), None
        folds, _ = _core.cross_rows(len(usable), options, _columns.SOURCE, not calibrate, groups)
        folds = [usable[fold] for fold in folds]
        self.estimators_, outputs = outside.cross_fit(self.estimator, X, y, folds, weights)
        trained = np.zeros(len(y), dtype=bool)
        trained[np.concatenate(folds)] = True
        others = usable[~trained[usable]]  # rows that calibrate, and those that max_rows leaves out
        if len(others) > 0:
            outputs[others] = outside.predict(self.estimators_, _safe_indexing(X, others))
        return outputs, trained

    def _keep(self, model, messages, table, names):
        """Stores the fitted model, the kinds of the columns with these `names`, and messages. Returns the alarms, which must be raised last."""
        self.model_, self.record_ = model, model.record
        self.columns_ = _look.columns_of(model, table, names)
        found = model.fit_alarms()
        self.messages_ = [*table.notes, *messages, *(alarm["words"] for alarm in found), *_look.sentences(model.record, model)]
        for sentence in self.messages_:
            _log.info(sentence)
        return found

    @classmethod
    def _restored(cls, model, estimator, path, n_jobs, outside, own, **parameters):
        """A fitted estimator with the model of a file; the subclass adds columns and labels. `own` describes the predictor in the file."""
        if estimator is not None and not outside:
            raise ValueError(f"{path}: this model has {own}; load it without estimator")
        taken = cls._get_param_names()
        options = {name: value for name, value in _options.from_core(model.options).items() if name in taken}
        restored = cls(estimator, prefit=outside, n_jobs=n_jobs, **{"random_state": model.options["seed"], **options, **parameters})
        restored.model_, restored.record_, restored.messages_, restored.columns_ = model, model.record, [], model.column_facts
        names = [fact["name"] for fact in model.column_facts if fact["use"] == "input"]
        restored._left_out = [fact["name"] for fact in model.column_facts if fact["use"] != "input"] + list(model.options["drop"])
        if all(re.fullmatch(r"x\d+", name) for name in [*names, *restored._left_out]):
            names = [f"x{i}" for i in range(len(names) + len(restored._left_out))]  # from an array, whose columns are identified by position
        else:
            restored.feature_names_in_ = np.array(names, dtype=object)
        restored.n_features_in_ = len(names)
        return restored

    # Calls into the fitted model.

    def _rows_table(self, X, y=None, given=None, *, skip=False, min_rows=0, further=None, keep_together=None, exposure=None, weights=None,
                    absent=None):
        """A table of the user's rows: with targets to learn from or to evaluate, without targets to predict. `further`: groups and weights that
        the kind of calibration needs. `absent`: a mask of rows that may lack a target."""
        self._check_fitted()
        if y is None:
            X = self._check(X, reset=False, min_rows=min_rows)
        else:
            X, y = self._check_weighed(X, y, absent, reset=False, skip=skip)
        outputs, names = self._outputs(X, given), self._names(X)
        rows, columns = _columns.rows_of(X, outputs if y is None else y), {}
        if further is not None:
            columns = self._further(rows, names=names, **further)
        if keep_together is not None:
            columns.update(self._kept_together(keep_together, rows, names))
        columns.update(self._exposed(exposure, rows, [*names, *columns]))
        columns.update(weights or {})
        return self._table(X, outputs, y, self.model_.options, columns, names)

    def _calibrate(self, table, towards, towards_given, local, local_in, overlapping, towards_exposure=None, **settings):
        if towards is not None:
            exposure = self.model_.options["exposure"]
            if towards_exposure is None and exposure and not (_columns.is_frame(towards) and exposure in _columns.names_of(towards)):
                raise ValueError("towards: this model was fitted with exposures: give towards_exposure=..., a number for each of its rows, or "
                                 f"a column '{exposure}'")
            settings["towards"] = self._rows_table(towards, given=towards_given, min_rows=1, exposure=towards_exposure)
        if overlapping is not None:
            settings["overlapping"] = _groups.listed(overlapping)
        if local is not None and local is not False:
            settings["local"], settings["local_in"] = 0 if local is True else int(local), local_in
        raised = self.model_.calibrate(table, self._threads(), **settings)
        self.record_ = self.model_.record
        self.messages_ = list(self.model_.calibration["notes"])
        alarms.of_findings(raised)  # the last step: a warning may be an exception
        return self

    def _evaluate(self, table, confidence_level, by, allow_empty=False, sample_weight=""):
        levels = levels_of(confidence_level)
        evaluation = Evaluation(self.model_.evaluate(table, levels, self._threads(), _groups.listed(by), allow_empty, sample_weight))
        alarms.of_findings(evaluation["alarms"])
        return evaluation

    def _check_shift(self, table):
        found, raised = self.model_.check_shift(table, self._threads())
        alarms.of_findings(raised)
        return found

    def _stream_table(self, X, y, given):
        """A table of rows for a stream. If no row has a target, all rows are only predicted."""
        self._check_fitted()
        self._refuse_exposure("a stream")
        return self._rows_table(X, None if y is None or self._lacking(y).all() else y, given, skip=True)

    def _update(self, X, y, given, confidence_level, options):
        check_is_fitted(self, "model_")
        levels = [] if confidence_level is None else levels_of(confidence_level)
        self.model_.update(self._stream_table(X, y, given), levels, options, self._threads())
        self.record_ = self.model_.record
        return self

    def _outputs(self, X, given):
        """Outputs for new rows; None if C++ computes them."""
        if not self._is_outside():
            if given is not None:
                raise ValueError(f"{self._GIVEN}: this model has {self._OWN} of its own; leave {self._GIVEN} out")
            return None
        if given is not None:
            first = next(iter(given.values())) if isinstance(given, dict) and given else given
            return self._given(given, _columns.rows_of(X, first), self.model_.options)
        if not hasattr(self, "estimators_"):
            raise ValueError(f"this model contains no {self._ESTIMATOR}, its {self._OUTPUTS} came from your own model: give {self._GIVEN}=..., or for "
                             "a file load(path, estimator=model)")
        return self._outside().predict(self.estimators_, X)

    # Checks.

    def _threads(self):
        return _options.threads_of(self.n_jobs)

    def _target_columns(self):
        """The columns of the fitted model's targets."""
        return self.__dict__.get("target_names_", [self.model_.options["target"]])

    def _takes_missing(self):
        if self.estimator is None:
            return True
        return not hasattr(self.estimator, "__sklearn_tags__") or get_tags(self.estimator).input_tags.allow_nan

    def _check_fitted(self):
        """Avoids scikit-learn's check where possible: it computes all tags of the estimator, which takes longer than predicting a row."""
        if "model_" not in self.__dict__:
            check_is_fitted(self, "model_")

    def _names(self, X):
        """The column names of X for C++: its own names or, for an array, those of the fit by position."""
        if X is None or _columns.is_frame(X):
            return _columns.names_of(X)
        fitted = list(getattr(self, "feature_names_in_", _columns.names_of(X)))
        if len(fitted) != X.shape[1]:  # a model from a file with columns that were left out, see load
            raise ValueError(f"X has {X.shape[1]} columns without names, but the model has {len(fitted)}: {', '.join(fitted[:10])}; give it a "
                             "table with names, or these columns alone, in this order")
        return fitted

    def _check(self, X, y=None, *, reset, min_rows=1, skip=False):
        """The checks that scikit-learn requires of every estimator; columns of tables are not changed. The values of rows to predict are not
        checked here, because C++ or the estimator rejects invalid ones, and a second pass over a million rows would take longer than some
        predictors. `skip`: rows without a target are allowed."""
        if y is None and not reset and _columns.is_plain(X, self.__dict__, min_rows):
            return X
        if _one_row.is_one_row(X):
            X = self._one_row(X, reset)
        X = _columns.understood(X)
        if _columns.is_frame(X):
            self._check_names(X, reset)
            if X.shape[0] < min_rows or X.shape[1] == 0:
                raise ValueError(f"Found array with {X.shape[0]} sample(s) and {X.shape[1]} feature(s); at least {min_rows} and 1 are "
                                 "needed")
        else:
            try:
                X = validate_data(self, X, reset=reset, dtype=[np.float64, np.float32], accept_sparse=self._SPARSE,
                                  ensure_all_finite=reset and not self._takes_missing(), ensure_min_samples=2 if reset else min_rows)
            except ValueError as error:
                if "could not convert string" not in str(error):
                    raise
                raise ValueError(f"{error}: cells of an array must be numbers; give a DataFrame of pandas or polars, which may have texts, "
                                 "categories and dates") from None
        if y is None:
            return X
        y = self._target(y, reset, skip)
        check_consistent_length(X, y)
        return X, y

    def _one_row(self, X, reset):
        if reset:
            _one_row.refuse_to_fit(X)
        names = getattr(self, "feature_names_in_", None)
        return _one_row.frame_of_row(X, None if names is None else [str(name) for name in names])

    def _without_further(self, X):
        """X without columns that the model was given as arrays in the fit, and that it finds by their names."""
        wanted = {self.model_.options["exposure"], *getattr(self.model_, "further_columns", ())} - set(getattr(self, "feature_names_in_", ()))
        names = _columns.names_of(X)
        if self.estimator is not None or wanted.isdisjoint(names):
            return X
        kept = [name for name in names if name not in wanted]
        return X.select(kept) if hasattr(X, "select") else X[kept]

    def _check_names(self, X, reset):
        if not reset and "_left_out" in self.__dict__:
            return  # a file does not name all columns of its table; C++ finds those that it needs by their names
        if not isinstance(X, _columns.ArrowRows):
            validate_data(self, X if reset else self._without_further(X), skip_check_array=True, reset=reset)
            return
        if self.estimator is not None:
            raise TypeError("X is an Arrow stream, from which an estimator of another library cannot select rows; give a table of pandas, polars "
                            "or pyarrow")
        if reset:  # afterwards C++ finds columns by their names
            self.n_features_in_, self.feature_names_in_ = X.shape[1], np.array(_columns.names_of(X), dtype=object)
