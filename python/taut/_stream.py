"""Streams: rows that come one after another are predicted, then learnt from."""
from sklearn.utils.validation import check_is_fitted

from ._numbers import levels_of

OPTIONS = ("controller", "window", "half_life", "delay", "scorecast", "recentre", "at_least", "refit_every", "refit_rows", "refit_lag", "allow_older")


def _options_in(arguments):
    """The options of a stream among the locals() of a method."""
    return {name: arguments[name] for name in OPTIONS if name in arguments}


class StreamedRows:
    """The stream methods of ConformalRegressor."""

    def stream(self, X, y=None, delay=None, confidence_level=0.9, *, y_pred=None, controller=None, window=None, half_life=None,
               scorecast=None, recentre=None, at_least=None, refit_every=None, refit_rows=None, refit_lag=None, history=None,
               allow_older=False):
        """Predicts each row and then learns from its target, so that in the long run the share of covered targets is the level, whatever
        the rows do. Returns predictions (rows,) and intervals (rows, 2, levels), as `predict_interval` does. The model keeps what it learnt,
        and the next call continues from there. Rows whose y is NaN, or all rows if y is None, are only predicted.

        Parameters
        ----------
        X, y : rows in the order in which they came
        delay : the target of a row becomes known, and is learnt from, `delay` rows later; initially 0
        controller : how levels move: "dtaci" (initially), "aci", "aci:0.02", "pid", "none"
        window : only the latest `window` scores count
        half_life : the weight of a score halves every `half_life` rows
        scorecast : whether the next score is forecast from the last ones; initially True
        recentre : whether intervals and predictions are shifted if recent errors lie to one side; initially True
        at_least : cover at least the level instead of the level: intervals are not made empty because coverage was too high; initially
            False
        refit_every : retrain predictor and transformation every `refit_every` rows on the last refit_rows (20,000) rows of the stream; the
            new ones are used from refit_lag rows later (a tenth of refit_every); an estimator of another library is not retrained
        history : (X, y) or (X, y, y_pred) of rows before the first row of the stream, for example those of the fit: predictor and
            transformation are trained on all of them, once or, with refit_every, at every refit
        allow_older : accept rows that are older (by `order_by`) than those that the model has seen

        Options that are None stay as in the model.
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
        """Updates scores and levels with newer rows, as `taut update` does; predictor and transformation stay the same. The parameters are
        those of `stream`. Rows that the model has seen, or older ones, are refused unless `allow_older`."""
        return self._update(X, y, y_pred, confidence_level, _options_in(locals()))


class StreamedSets:
    """The stream methods of ConformalClassifier."""

    def stream(self, X, y=None, delay=None, confidence_level=0.9, *, y_proba=None, controller=None, window=None, half_life=None,
               scorecast=None, at_least=None, allow_older=False, allow_empty=False):
        """Predicts the sets of each row and then learns from its label, so that in the long run the share of labels in their sets is the
        level, whatever the rows do. Returns booleans (rows, classes, levels), as `predict_set` does. The model keeps what it learnt, and
        the next call continues from there. Rows whose y is None or NaN, or all rows if y is None, are only predicted. Probabilities and
        shifts do not change. The parameters are those of `ConformalRegressor.stream`, and `allow_empty` of
        `predict_set`: the model learns from the exact sets either way.
        """
        options = _options_in(locals())
        check_is_fitted(self, "model_")
        table = self._stream_table(X, y, y_proba)
        return self._as_sets(self.model_.stream(table, levels_of(confidence_level), options, self._threads(), allow_empty))

    def update(self, X, y, *, y_proba=None, confidence_level=None, delay=None, controller=None, window=None, half_life=None, scorecast=None,
               at_least=None, allow_older=False):
        """Updates scores and levels with newer rows, as `taut update` does; probabilities and shifts stay the same. Rows that the model
        has seen, or older ones, are refused unless `allow_older`."""
        return self._update(X, y, y_proba, confidence_level, _options_in(locals()))
