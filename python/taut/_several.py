"""Several targets at once: the methods of ConformalRegressor whose results are joint regions."""
from __future__ import annotations

import numpy as np

from . import _columns, _core, _options, _targets, alarms
from ._frames import index_of, named
from ._model import ConformalModel
from ._numbers import levels_of, numbers, plain, shown
from ._types import Any, ArrayLike, BoolArray, FloatArray, Levels, RandomState, Rows
from .regions import Regions, boxes_by_name


class JointRegions(ConformalModel):
    """The methods of ConformalRegressor about several targets, and what other methods do for such models."""

    target_names_: list[str]
    region: str
    y_range: str | None
    loss: Any
    na: Any

    def predict_region(self, X: Rows, confidence_level: Levels = 0.9, *, groups: ArrayLike | None = None,
                       sample_weight: ArrayLike | None = None) -> Regions:
        """Joint regions of several targets, as `Regions`: all targets of a row lie in its region at once with the given confidence.

        Parameters
        ----------
        X : array or table of shape (rows, columns), or one row
        confidence_level : float or sequence of float, default=0.9
            Regions of several levels are nested.
        groups, sample_weight : array of shape (rows,), optional
            As in `predict_interval`.
        """
        self._require_several("predict_region", "predict_interval has the intervals of one target")
        levels = levels_of(confidence_level)
        table = self._joint_table(X, groups, sample_weight)
        self._warn_of_levels(table, levels)
        f, boxes, volumes, found = self.model_.predict_boxes(table, levels, False, self._threads())
        alarms.of_findings(found)
        record = self.record_  # every fit, calibration and stream has another one

        def contains(y):
            if self.record_ is not record:
                raise ValueError("these regions were predicted before the model was fitted, calibrated or updated again, so it cannot tell what "
                                 "they contain: call predict_region again")
            return self._contained(table, y, levels)[0]

        return Regions(self.model_.region, self.target_names_, levels, f, boxes, volumes, contains, index_of(X))

    def contains(self, X: Rows, y: ArrayLike, confidence_level: Levels = 0.9, *, groups: ArrayLike | None = None,
                 sample_weight: ArrayLike | None = None) -> BoolArray:
        """Whether the joint regions of the rows hold their targets: (rows,) for one level, (rows, levels) for several.

        Parameters
        ----------
        X : array or table of shape (rows, columns), or one row
        y : array or table of shape (rows, targets)
        confidence_level : float or sequence of float, default=0.9
        groups, sample_weight : array of shape (rows,), optional
            As in `predict_interval`.
        """
        self._require_several("contains", "compare y with the ends of predict_interval")
        levels = levels_of(confidence_level)
        table = self._joint_table(X, groups, sample_weight)
        self._warn_of_levels(table, levels)
        inside, _ = self._contained(table, y, levels)
        return inside if np.ndim(confidence_level) > 0 else np.ascontiguousarray(inside[:, 0])

    def sample(self, X: Rows, n: int = 100, *, random_state: RandomState | None = 0, groups: ArrayLike | None = None,
               sample_weight: ArrayLike | None = None) -> FloatArray:
        """Random values of the joint distribution of the targets: (rows, n, targets).

        The values of a row are those of calibration rows, moved and scaled to the row, so there are as many different ones as calibration
        rows that count for it. They are an estimate, without a guarantee.

        Parameters
        ----------
        X : array or table of shape (rows, columns), or one row
        n : int, default=100
            Values for each row.
        random_state : int, numpy.random.Generator or numpy.random.RandomState, default=0
        groups, sample_weight : array of shape (rows,), optional
            As in `predict_interval`.
        """
        self._require_several("sample", "predict_distribution(X).rvs(n) samples one target")
        if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < 1:
            raise ValueError(f"n takes a whole number of values for each row, at least 1; got {shown(n)}")
        table = self._joint_table(X, groups, sample_weight)
        _, values = self._joint_answers(table, [f"samples:{int(n)}"], seed=_options.seed_of(random_state))
        return values.reshape(table.rows, int(n), len(self.target_names_))

    # What other methods do for several targets.

    def _is_several(self):
        return isinstance(self.__dict__.get("model_"), _core.JointRegressor)

    def _require_several(self, method, instead):
        self._check_fitted()
        if not self._is_several():
            raise ValueError(f"{method} is for several targets, and this model was fitted with one; {instead}")

    def _require_one_target(self, what, instead="fit a model of one target for it"):
        if self._is_several():
            raise ValueError(f"{what} is for one target, and this model predicts {len(self.target_names_)} ({', '.join(self.target_names_)}); "
                             f"{instead}")

    def _fit_several(self, X, found, y_pred, by, groups, keep_together, in_order, calibrate, sample_weight, exposure, refused):
        if self.estimator is not None or self.prefit or y_pred is not None:
            raise ValueError(f"y has {len(found.columns)} columns: several targets are for Taut's own predictors; leave out estimator, prefit and "
                             "y_pred, or fit each target alone, as MultiOutputRegressor does")
        for name, value in (("sample_weight", sample_weight), ("exposure", exposure), ("loss", self.loss)):
            if value is not None:
                raise ValueError(f"{name} is for one target, and y has {len(found.columns)} columns; leave it out, or fit each target alone")
        X, values, options, elsewhere = self._begin_fit(X, found, calibrate, refused)
        names = _columns.names_of(X)
        self.target_names_ = found.names_beside(names)
        options["target"] = ",".join(self.target_names_)
        further = self._grouped(options, values, [*names, *self.target_names_], by, groups, keep_together, in_order)
        self._check_columns(options, [*names, *further, *self.target_names_])
        table = self._table(X, None, values, options, further, names)
        model, messages = _core.JointRegressor.fit(table, options, self.region, self.y_range or "", self._threads(), elsewhere)
        alarms.of_findings(self._keep(model, messages, table, names))
        return self

    def _targets_of(self, found, reset, skip):
        """Checked targets (rows, targets) of columns; None: y is one column."""
        if not reset:
            self._check_targets(found)
        advice = ", or give skip_missing_target=True: such rows then train the other targets" if reset else ""
        return found.numbers(_options.missing_numbers(self.na), skip, advice)

    def _check_targets(self, found):
        """Raises ValueError unless the columns are those of the fit."""
        count, wanted = 1 if found is None else len(found.columns), self.target_names_ if self._is_several() else []
        listed = ", ".join(wanted)
        if count != max(1, len(wanted)):
            fitted = f"{len(wanted)} targets ({listed})" if wanted else "one target"
            raise ValueError(f"y has {count} column{'s' if count > 1 else ''}, but the model was fitted with {fitted}")
        had_names = any(name.rstrip("_") != f"y{j}" for j, name in enumerate(wanted))
        is_reordered = found.names is not None and found.names != wanted and sorted(found.names) == sorted(wanted)
        if is_reordered or (found.names is not None and had_names and found.names != wanted):
            raise ValueError(f"y has the columns {', '.join(found.names)}, but the model was fitted with {listed}, in this order")

    def _joint_table(self, X, groups=None, sample_weight=None):
        table = self._rows_table(X, further={"groups": groups, "sample_weight": sample_weight})
        alarms.of_findings(self.model_.input_alarms(table))
        return table

    def _warn_of_levels(self, table, levels):
        if table.rows > 0 and self.model_.calibration["kind"] == "plain":
            alarms.of_too_few_rows(self.record_["calibration_rows"], levels, self.model_.sure)

    def _joint_answers(self, table, questions, sum_of=None, weights=(), seed=0):
        names, values, found = self.model_.ask(table, questions, sum_of, weights, seed, self._threads())
        alarms.of_findings(found)
        return names, values

    def _contained(self, table, y, levels):
        """Whether regions hold y, booleans (rows, levels), and p-values (rows,)."""
        y = self._target(y, False, False)
        if len(y) != table.rows:
            raise ValueError(f"X has {table.rows:,} rows, and y has {len(y):,}")
        inside, p = self.model_.contains(table, np.ascontiguousarray(y), levels, self._threads())
        return inside.astype(bool), p

    def _boxes(self, X, levels, each, further):
        """Predictions (rows, targets) and boxes (rows, targets, 2, levels), or the intervals of each target alone."""
        table = self._joint_table(X, **further)
        self._warn_of_levels(table, levels)
        f, boxes, _, found = self.model_.predict_boxes(table, levels, bool(each), self._threads())
        alarms.of_findings(found)
        frame = self._frame_or_none(X, lambda: boxes_by_name(self.target_names_, levels, f, boxes))
        return (f, boxes) if frame is None else frame

    def _quantiles_of_targets(self, X, quantiles, weights, sum_of, further):
        """Quantiles of a linear combination of the targets (rows, quantiles), or of each target (rows, targets, quantiles)."""
        table = self._joint_table(X, **further)
        if weights is not None and sum_of is not None:
            raise ValueError("weights and sum both define a linear combination of the targets; give one of them")
        is_sum, text = weights is not None or sum_of is not None, None if sum_of is None else str(sum_of)
        names, values = self._joint_answers(table, [f"quantile:{float(p)!r}" for p in np.atleast_1d(quantiles)], text, self._weights_of_sum(weights))
        if is_sum:
            names, values = names[1:], np.ascontiguousarray(values[:, 1:])  # the first one is the mean
        frame = self._frame_or_none(X, lambda: named(names, values))
        if frame is not None:
            return frame
        return values if is_sum else values.reshape(table.rows, len(self.target_names_), -1)

    def _weights_of_sum(self, weights: Any) -> list[float]:
        """A weight for each target; empty if no linear combination is asked for by weights."""
        if weights is None:
            return []
        if isinstance(weights, dict):
            unknown = [name for name in weights if name not in self.target_names_]
            if unknown:
                raise ValueError(f"weights: no target is called {shown(unknown[0])}; there are {', '.join(self.target_names_)}")
            weights = [weights.get(name, 0) for name in self.target_names_]
        given = numbers("weights", weights, (1,))
        if len(given) != len(self.target_names_) or not np.isfinite(given).all():
            raise ValueError(f"weights takes a finite number for each of the {len(self.target_names_)} targets ({', '.join(self.target_names_)}), got "
                             f"{plain(given)}")
        return [float(weight) for weight in given]


def columns_of(y: Any) -> _targets.SeveralColumns | None:
    """The columns of y if there are several, else None."""
    return _targets.SeveralColumns.of(y)
