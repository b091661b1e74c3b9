"""Rows that come one after another: predicted, then learnt from."""
from sklearn.utils.validation import check_is_fitted

from ._numbers import levels_of

OPTIONS = ("controller", "window", "half_life", "delay", "scorecast", "recentre", "at_least", "refit_every", "refit_rows", "refit_lag", "allow_older")


def _options_in(arguments):
    """Those of a method's locals() that are options of a stream."""
    return {name: arguments[name] for name in OPTIONS if name in arguments}


class StreamedRows:
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
        options = _options_in(locals())
        check_is_fitted(self, "model_")
        levels = levels_of(confidence_level)
        table = self._stream_table(X, y, y_pred)
        if history is not None:
            before = self._stream_table(*history) if len(history) == 3 else self._stream_table(*history, None)
            self.model_.begin_with(before, options, self._threads())
        return self._in_container(X, levels, *self.model_.stream(table, levels, options, self._threads()))

    def update(self, X, y, *, y_pred=None, confidence_level=None, delay=None, controller=None, window=None, half_life=None,
               scorecast=None, recentre=None, at_least=None, refit_every=None, refit_rows=None, refit_lag=None, allow_older=False):
        """Moves the scores and levels on by rows that came since, predictor and transformation stay: what `taut update` does. The
        parameters are those of `stream`. Rows that the model has seen, or older ones, are refused unless `allow_older`."""
        return self._update(X, y, y_pred, confidence_level, _options_in(locals()))


class StreamedSets:
    """The part of ConformalClassifier that follows time."""

    def stream(self, X, y=None, delay=None, confidence_level=0.9, *, y_proba=None, controller=None, window=None, half_life=None,
               scorecast=None, at_least=None, allow_older=False):
        """Gives each row its sets and then learns from its label, so that in the long run the share of labels that are in their sets is
        the level, whatever the rows do: booleans (rows, classes, levels), as of `predict_set`. What is learnt stays in the model: the next
        call goes on where this one ended. Rows whose y is None or NaN, or all where y is None, are predicted only. Probabilities and
        shifts stay as they are. The parameters are those of `ConformalRegressor.stream`.
        """
        options = _options_in(locals())
        check_is_fitted(self, "model_")
        return self._as_sets(self.model_.stream(self._stream_table(X, y, y_proba), levels_of(confidence_level), options, self._threads()))

    def update(self, X, y, *, y_proba=None, confidence_level=None, delay=None, controller=None, window=None, half_life=None, scorecast=None,
               at_least=None, allow_older=False):
        """Moves the scores and levels on by rows that came since, probabilities and shifts stay: what `taut update` does. Rows that
        the model has seen, or older ones, are refused unless `allow_older`."""
        return self._update(X, y, y_proba, confidence_level, _options_in(locals()))
