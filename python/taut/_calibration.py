"""Which calibration rows count for a new row: groups, weights, neighbours, rows that stay together."""
import numpy as np

from . import _columns, _groups


class GroupedRows:
    """The part of ConformalRegressor that knows kinds of calibration."""

    def calibrate(self, X, y, *, y_pred=None, groups=None, other_groups=None, keep_together=None, sample_weight=None, towards=None,
                  towards_y_pred=None, local=None, local_in="prediction", overlapping=None, plain=False, sure=None):
        """The same predictor and transformation with new calibration rows, which must have played no part in the fit.

        At most one of these says which calibration rows count for a new row; without any that stays as it is.

        Parameters
        ----------
        groups : the guarantee within each group: names of columns of X ("region", "age:5", "prediction:5"), or an array with a
            value for each row; other_groups="pool" gives rows of other groups what holds on average instead of the whole line
        keep_together : rows with the same value count as one, and the guarantee is for a new value: a name or an array
        sample_weight : how much likelier each row is among the rows to predict than here; `predict_interval` needs theirs too
        towards : rows of another population, without targets: these weights are learnt
        local : calibration rows near the row to predict count: True, or about how many; near by prediction and scale, or with
            local_in="inputs" by all inputs that are no categories
        overlapping : the guarantee for groups that overlap, of each value of these columns of X at once, of parts ("age:5"), and for
            numbers that are not cut along them; intervals only
        plain : every calibration row counts alike
        sure : coverage of at least the confidence level with this probability over calibration sets, in all groups at once; 0: on average
            over them; None: as the model has it
        """
        self._check_fitted()
        X, y = self._check(X, y, reset=False, skip=self.skip_missing_target)
        names, options, rows = self._names(X), self.model_.options, len(y)
        how = {"plain": plain, "sure": sure}
        if groups is None and keep_together is None and sample_weight is None and towards is None and local is None and not plain:
            if self.model_.calibration["kind"] in ("by-group", "hierarchical", "weighted"):
                self._require_further(names)
        if groups is not None:
            how["other_groups"] = other_groups or options["other_groups"]
        further = self._name_groups(how, rows, [*names, options["target"]], groups, keep_together)
        if sample_weight is not None:
            how["weights"] = _columns.free_name("sample_weight", [*names, options["target"]])
            further[how["weights"]] = _groups.weights_of(sample_weight, rows)
        table = self._table(X, self._outputs(X, y_pred), y, options, further, names)
        return self._calibrate(table, towards, towards_y_pred, local, local_in, overlapping, **how)

    def _grouped(self, options, y, names, groups, keep_together, in_order=None):
        """The options of the fit for groups, rows that stay together and rows in order; columns that arrays of them become."""
        if in_order is not None:
            options["in_order"] = bool(in_order)
        if groups is not None and options.get("by"):
            raise ValueError("groups and by both name groups; give one of them")
        further = self._name_groups(options, len(y), [*names, options["target"]], groups, keep_together)
        together = options.get("keep_together")
        if isinstance(together, str) and together and together not in names and together not in further:
            raise ValueError(f"keep_together: X has no column '{together}'; name one, or give an array with a value for each row")
        if further:
            options["drop"] = [*options.get("drop", []), *(name for name in further if name != together)]
        return further

    @staticmethod
    def _name_groups(options, rows, taken, groups, keep_together):
        """Sets the options `by` and `keep_together`: names of columns of X, or new ones for arrays; returns the columns that these become."""
        further = {}
        if groups is not None:
            named = _groups.named(groups, rows)
            options["by"] = named or _groups.new_names("group", groups, taken)
            if named is None:
                further.update(_groups.columns_of("groups", groups, rows, options["by"]))
        if keep_together is not None:
            is_name = isinstance(keep_together, str)
            options["keep_together"] = keep_together if is_name else _columns.free_name("together", [*taken, *further])
            if not is_name:
                further.update(_groups.columns_of("keep_together", keep_together, rows, [options["keep_together"]]))
        return further

    def _further(self, rows, groups, sample_weight, names):
        """Columns of rows to predict that the kind of calibration asks for, from arrays."""
        kind, wanted, further = self.model_.calibration["kind"], self.model_.further_columns, {}
        if groups is not None and kind != "by-group":
            raise ValueError("groups: this model was not calibrated with groups")
        lacking = [name for name in wanted if name not in names]
        if groups is not None and lacking:  # else they are named columns of X, and there
            further.update(_groups.columns_of("groups", groups, rows, lacking))
        if sample_weight is not None:
            if kind != "weighted":
                raise ValueError("sample_weight: this model was not calibrated with weights")
            further[wanted[0]] = _groups.weights_of(sample_weight, rows)
        self._require_further([*names, *further])
        return further

    def _kept_together(self, keep_together, rows, names):
        """The column that tells which rows belong together, from an array; nothing where X has it."""
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
        """The values of the column that tells which rows stay together, or None."""
        name = options.get("keep_together")
        if not name:
            return None
        if name in further:
            return further[name]
        if not _columns.is_frame(X) or name not in _columns.names_of(X):
            raise ValueError(f"keep_together: X has no column '{name}'; name one, or give an array with a value for each row")
        return np.asarray(X[name])
