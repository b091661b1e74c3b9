"""Distillation: a smaller, faster model that imitates a fitted one."""
from __future__ import annotations

import operator

from . import _columns, _core, _look, _options, alarms
from ._model import ConformalModel
from ._types import ArrayLike, RandomState, Rows, Self


class Distils(ConformalModel):
    """The method `distil` of ConformalRegressor."""

    def distil(self, X: Rows, X_cal: Rows | None = None, y_cal: ArrayLike | None = None, *, y_pred: ArrayLike | None = None,
               learn_from: int = 20_000, random_state: RandomState | None = None) -> Self:
        """A student: a new fitted ConformalRegressor that imitates this one and predicts a row in a few microseconds.

        It learns the predictions and intervals of this model on the rows X, which need no targets. Its coverage is guaranteed by the
        calibration rows X_cal, y_cal, on which this model must not have been trained; rows that are in both X and X_cal do not train the
        student. Without them the student is not calibrated, and its intervals are the whole line until `calibrate` is called.

        Parameters
        ----------
        X : array or table of shape (rows, columns)
            Rows like those to be predicted, the more the better: those of the fit, others without targets, or both.
        X_cal, y_cal : rows and their targets, optional
            Calibration rows. The rows that calibrated this model may be used again if its transformation is "curve", the default, or a
            scale: the student learns nothing from their scores.
        y_pred : array of shape (rows,) or (rows, 2), optional
            Predictions for X, if this model was fitted with predictions instead of an estimator. The student predicts without them.
        learn_from : int, default=20_000
            Number of rows to learn from: if X has fewer, others are made from them; 0: none are made.
        random_state : int, numpy.random.Generator or numpy.random.RandomState, optional
            None: as in this model.
        """
        self._check_fitted()
        self._refuse_exposure("distil")
        learn_from = operator.index(learn_from)
        if (X_cal is None) != (y_cal is None):
            raise ValueError("X_cal and y_cal are the calibration rows and their targets: give both, or neither")
        table = self._rows_table(X, given=y_pred, min_rows=1)
        if X_cal is None:
            calibration = _core.Table("no calibration rows", 0)
        else:
            X_cal, y_cal = self._check(X_cal, y_cal, reset=False, skip=self.skip_missing_target)
            names = self._names(X_cal)
            calibration = _columns.table_of(X_cal, names, None, **{self.model_.options["target"]: y_cal})
        seed = None if random_state is None else _options.seed_of(random_state)
        model, messages = self.model_.distil(table, self._threads(), calibration, type(self).__name__, seed, learn_from)
        student = self._restored(model, None, "the student", self.n_jobs, False, "a predictor of its own")
        if "feature_names_in_" not in self.__dict__:  # columns of arrays are identified by position, also those that are not used
            for name in ("n_features_in_", "feature_names_in_", "_left_out"):
                student.__dict__.pop(name, None)
                if name in self.__dict__:
                    student.__dict__[name] = self.__dict__[name]
        raised = model.fit_alarms()
        student.messages_ = [*messages, *(alarm["words"] for alarm in raised), *_look.sentences(model.record, model)]
        alarms.of_findings(raised)
        return student
