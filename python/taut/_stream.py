"""Rows that come one after another: predicted, then learnt from."""
import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _classes, _options
from ._levels import levels_of
from ._output import in_container


class KnowsItsStream:
    @property
    def stream_(self):
        """What has moved: rows, targets, levels and the confidence that is asked for each now; None where nothing was streamed."""
        check_is_fitted(self, "model_")
        return self.model_.stream_state


class StreamedRows(KnowsItsStream):
    """The part of ConformalRegressor that follows time."""

    def stream(self, X, y=None, delay=None, confidence_level=0.9, *, y_pred=None, controller=None, window=None, half_life=None,
               scorecast=None, recentre=None, at_least=None, refit_every=None, refit_rows=None, refit_lag=None, history=None,
               allow_older=False):
        """Predicts each row and then learns from its target, so that in the long run the share of covered targets is the level, whatever
        the rows do: predictions (rows,) and intervals (rows, 2, levels), as of `predict_interval`. What is learnt stays in the model: the
        next call goes on where this one ended. Rows whose y is NaN, or all where y is None, are predicted only.

        Parameters
        ----------
        X, y : rows in the order in which they came
        delay : targets are known so many rows after their own, and learnt from no earlier; 0 at first
        controller : how levels move: "dtaci" (at first), "aci", "aci:0.02", "pid", "none"
        window : so many recent scores count; half_life : one that is so many rows old counts half
        scorecast : whether the next score is forecast from the last ones; True at first
        recentre : whether intervals, and predictions with them, move as a whole where errors lie to one side; True at first
        at_least : promise at least the level instead of the level: no set is made empty because targets are missed too rarely; False at
            first
        refit_every : train predictor and transformation anew after every so many rows, on the last refit_rows (20,000) of the stream;
            the new ones take over refit_lag rows later (a tenth of refit_every); an estimator of another library stays as it is
        history : (X, y) of rows before the first one of the stream, those of the fit for example, or (X, y, y_pred): predictor and
            transformation are trained on all of them, once, or with refit_every whenever they are trained anew
        allow_older : take rows that are older (by `order_by`) than those that the model has seen
        Options that are None stay as the model has them.
        """
        check_is_fitted(self, "model_")
        levels = levels_of(confidence_level)
        table, X = self._streamed_table(X, y, y_pred)
        options = {"controller": controller, "window": window, "half_life": half_life, "delay": delay, "scorecast": scorecast,
                   "recentre": recentre, "at_least": at_least, "refit_every": refit_every, "refit_rows": refit_rows, "refit_lag": refit_lag,
                   "allow_older": allow_older}
        if history is not None:
            before, _ = self._streamed_table(*history) if len(history) == 3 else self._streamed_table(*history, None)
            self.model_.begin_with(before, options, _options.threads_of(self.n_jobs))
        f, ends = self.model_.stream(table, levels, options, _options.threads_of(self.n_jobs))
        return in_container(self.__dict__.get("_container"), X, levels, f, ends)

    def update(self, X, y, *, y_pred=None, confidence_level=None, delay=None, controller=None, window=None, half_life=None,
               scorecast=None, recentre=None, at_least=None, refit_every=None, refit_rows=None, refit_lag=None, allow_older=False):
        """Moves the scores and levels on by rows that came since, predictor and transformation stay: what `taut update` does. The
        parameters are those of `stream`. Rows that the model has seen, or older ones, are refused unless `allow_older`."""
        check_is_fitted(self, "model_")
        levels = [] if confidence_level is None else levels_of(confidence_level)
        table, _ = self._streamed_table(X, y, y_pred)
        options = {"controller": controller, "window": window, "half_life": half_life, "delay": delay, "scorecast": scorecast,
                   "recentre": recentre, "at_least": at_least, "refit_every": refit_every, "refit_rows": refit_rows, "refit_lag": refit_lag,
                   "allow_older": allow_older}
        self.model_.update(table, levels, options, _options.threads_of(self.n_jobs))
        self.record_ = self.model_.record
        return self

    def _streamed_table(self, X, y, y_pred):
        if y is None or np.isnan(np.asarray(y, dtype=np.float64)).all():
            X = self._check(X, reset=False, least_rows=0)
            y = None
        else:
            X, y = self._check(X, y, reset=False, skip=True)
        return self._table(X, self._predictions(X, y_pred), y, self._names(X), self.model_.options), X


class StreamedSets(KnowsItsStream):
    """The part of ConformalClassifier that follows time."""

    def stream(self, X, y=None, delay=None, confidence_level=0.9, *, y_proba=None, controller=None, window=None, half_life=None,
               scorecast=None, at_least=None, allow_older=False):
        """Gives each row its sets and then learns from its label, so that in the long run the share of labels that are in their sets is
        the level, whatever the rows do: booleans (rows, classes, levels), as of `predict_set`. What is learnt stays in the model: the next
        call goes on where this one ended. Rows whose y is None or NaN, or all where y is None, are predicted only. Probabilities and
        shifts stay as they are. The parameters are those of `ConformalRegressor.stream`.
        """
        check_is_fitted(self, "model_")
        levels = levels_of(confidence_level)
        options = {"controller": controller, "window": window, "half_life": half_life, "delay": delay, "scorecast": scorecast,
                   "at_least": at_least, "allow_older": allow_older}
        members = self.model_.stream(self._streamed_table(X, y, y_proba), levels, options, _options.threads_of(self.n_jobs))
        return self._as_sets(members)

    def update(self, X, y, *, y_proba=None, confidence_level=None, delay=None, controller=None, window=None, half_life=None, scorecast=None,
               at_least=None, allow_older=False):
        """Moves the scores and levels on by rows that came since, probabilities and shifts stay: what `taut update` does. Rows that
        the model has seen, or older ones, are refused unless `allow_older`."""
        check_is_fitted(self, "model_")
        levels = [] if confidence_level is None else levels_of(confidence_level)
        options = {"controller": controller, "window": window, "half_life": half_life, "delay": delay, "scorecast": scorecast,
                   "at_least": at_least, "allow_older": allow_older}
        self.model_.update(self._streamed_table(X, y, y_proba), levels, options, _options.threads_of(self.n_jobs))
        self.record_ = self.model_.record
        return self

    def _streamed_table(self, X, y, y_proba):
        lacks = np.array([]) if y is None else _classes.lacking(y)
        if lacks.all():
            X, codes = self._check(X, reset=False, least_rows=0), None
        else:
            X, filled = self._check(X, _classes.filled(y, lacks, self.classes_[0]), reset=False)
            codes = np.where(lacks, np.nan, self._codes(filled))
        return self._table(X, self._probabilities(X, y_proba), codes, self.model_.options)
