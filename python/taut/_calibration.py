"""Calibration methods: group-conditional, weighted, localized, hierarchical."""
from __future__ import annotations

import numpy as np

from . import _columns, _groups
from ._model import ConformalModel
from ._types import ArrayLike, Literal, Names, Rows, Self


class GroupedRows(ConformalModel):
    """The calibration methods of ConformalRegressor."""

    skip_missing_target: bool

    def calibrate(self, X: Rows | None, y: ArrayLike, *, y_pred: ArrayLike | None = None, by: Names | None = None,
                  groups: ArrayLike | None = None, other_groups: Literal["whole-line", "pool"] | None = None,
                  keep_together: ArrayLike | None = None, sample_weight: ArrayLike | None = None, towards: Rows | None = None, towards_y_pred: ArrayLike | None = None,
                  local: bool | int | None = None, local_in: Literal["prediction", "inputs"] = "prediction", overlapping: Names | None = None,
                  plain: bool = False, sure: float | None = None, exposure: ArrayLike | None = None, towards_exposure: ArrayLike | None = None) -> Self:
        """Calibrates again on new rows that were not used in the fit; predictor and transformation stay the same.

        At most one of the parameters from `by` to `plain` may be given. Without any, the kind of calibration stays as it is.

        Parameters
        ----------
        X, y : rows and their targets, as in `fit`
        y_pred, towards_y_pred : array of shape (rows,) or (rows, 2), optional
            Predictions for X and for `towards`, if the model was fitted with predictions instead of an estimator.
        by : str or sequence of str, optional
            Group-conditional (Mondrian) coverage in the groups of these columns of X: "region", ["region", "age:5"], "prediction:5".
        groups : array of shape (rows,), optional
            The same with groups that are not columns of X: a value for each row, which `predict_interval` then needs too.
        other_groups : {'whole-line', 'pool'}, optional
            With "pool" rows of other groups get intervals calibrated on all rows, not the whole line.
        keep_together : str or array of shape (rows,), optional
            Hierarchical calibration: rows with the same value count as one, and the guarantee is for a new value; a name
            of a column of X, or an array.
        sample_weight : array of shape (rows,), optional
            Covariate shift weights: how much likelier each row is among the rows to predict than here; `predict_interval`
            needs the weights of its rows too.
        towards : array or table, optional
            Rows of the population to predict, without targets: covariate shift weights are learnt from them.
        local : bool or int, optional
            Localized: calibration rows near the row to predict count; True, or about how many.
        local_in : {'prediction', 'inputs'}, default='prediction'
            Nearness is measured by prediction and scale, or by all inputs that are not categorical.
        overlapping : str or sequence of str, optional
            A guarantee for overlapping groups: every value of these columns of X, parts of a number ("age:5"), and along a
            number that is not cut into parts; intervals only.
        plain : bool, default=False
            Every calibration row has the same weight.
        sure : float, optional
            Coverage of at least the confidence level with this probability over calibration sets, in all groups at once; 0: on average
            over them; None: as in the model.
        exposure, towards_exposure : array of shape (rows,), optional
            Of the rows X and of `towards`, if the model was fitted with an array of exposures.
        """
        self._check_fitted()
        X, y = self._check_weighed(X, y, self._absent(X, self.model_.options["sample_weight"]), reset=False, skip=self.skip_missing_target)
        names, options, rows = self._names(X), self.model_.options, len(y)
        settings = {"plain": plain, "sure": sure}
        by, groups = _groups.by_or_array(by, groups, rows)
        if not by and groups is None and keep_together is None and sample_weight is None and towards is None and local is None and not plain:
            if self.model_.calibration["kind"] in ("by-group", "hierarchical", "weighted"):
                self._require_further(names)
        if by or groups is not None:
            settings["by"], settings["other_groups"] = by, other_groups or options["other_groups"]
        further = self._name_groups(settings, rows, [*names, *self._target_columns()], groups, keep_together)
        if sample_weight is not None:
            settings["weights"] = _columns.free_name("sample_weight", [*names, *self._target_columns()])
            further[settings["weights"]] = _groups.weights_of(sample_weight, rows)
        further.update(self._exposed(exposure, rows, [*names, *further]))
        table = self._table(X, self._outputs(X, y_pred), y, options, further, names)
        return self._calibrate(table, towards, towards_y_pred, local, local_in, overlapping, towards_exposure, **settings)

    def _grouped(self, options, y, names, by, groups, keep_together, in_order=None):
        """Sets the options of the fit for groups, rows that stay together and rows in order; returns the columns for those given as arrays."""
        if in_order is not None:
            options["in_order"] = bool(in_order)
        by, groups = _groups.by_or_array(by, groups, len(y))
        if (by or groups is not None) and options.get("by"):
            raise ValueError(f"by={options['by']} of {type(self).__name__} and {'by' if by else 'groups'} of fit both define groups; give one of them")
        if by:
            options["by"] = by
        further = self._name_groups(options, len(y), [*names, options["target"]], groups, keep_together)
        together = options.get("keep_together")
        if isinstance(together, str) and together and together not in names and together not in further:
            raise ValueError(f"keep_together: X has no column '{together}'; name one, or give an array with a value for each row")
        if further:
            options["drop"] = [*options.get("drop", []), *(name for name in further if name != together)]
        return further

    @staticmethod
    def _name_groups(options, rows, taken, groups, keep_together):
        """Sets the options `by`, to new names for an array, and `keep_together`, to the name of a column of X or a new one for an array.
        Returns the columns of these arrays."""
        further = {}
        if groups is not None:
            options["by"] = _groups.new_names("group", groups, taken)
            further.update(_groups.columns_of("groups", groups, rows, options["by"]))
        if keep_together is not None:
            is_name = isinstance(keep_together, str)
            options["keep_together"] = keep_together if is_name else _columns.free_name("together", [*taken, *further])
            if not is_name:
                further.update(_groups.columns_of("keep_together", keep_together, rows, [options["keep_together"]]))
        return further

    def _further(self, rows, groups, sample_weight, names, by=None):
        """The columns that the kind of calibration needs of rows to predict, from arrays. `by`: the list of groups to report, to which those of
        an array are added; None: nothing is reported."""
        kind, wanted, further = self.model_.calibration["kind"], self.model_.further_columns, {}
        if groups is not None and kind != "by-group" and by is None:
            raise ValueError("groups: this model was not calibrated with groups")
        lacking = [name for name in wanted if name not in names] if kind == "by-group" else []
        if groups is not None and (lacking or by is not None):  # otherwise X has these columns
            own = lacking or _groups.new_names("group", groups, [*names, *self._target_columns()])
            further.update(_groups.columns_of("groups", groups, rows, own))
            if by is not None:
                by += own
        if sample_weight is not None:
            if kind != "weighted":
                raise ValueError("sample_weight: this model was not calibrated with weights")
            further.update(self._of_new_weights(sample_weight, wanted[0], rows, names))
        self._require_further([*names, *further])
        return further

    def _kept_together(self, keep_together, rows, names):
        """The column that identifies rows that stay together, from an array; empty if X has it."""
        if self.model_.calibration["kind"] != "hierarchical":
            raise ValueError("keep_together: this model was not calibrated with groups of rows that count once")
        name = self.model_.calibration["by"]
        return {} if name in names else _groups.columns_of("keep_together", keep_together, rows, [name])

    def _require_further(self, names):
        lacking = [name for name in self.model_.further_columns if name not in names]
        if lacking and self.model_.calibration["kind"] == "weighted":
            raise ValueError("this model was calibrated with weights: give sample_weight=..., one number for each row")
        if lacking:
            raise ValueError(f"this model was calibrated by groups: give groups=..., a value for each row ({', '.join(lacking)})")

    def _together(self, X, options, further):
        """The values of the column that identifies rows that stay together, or None."""
        name = options.get("keep_together")
        if not name:
            return None
        if name in further:
            return further[name]
        if not _columns.is_frame(X) or name not in _columns.names_of(X):
            raise ValueError(f"keep_together: X has no column '{name}'; name one, or give an array with a value for each row")
        return np.asarray(X[name])
