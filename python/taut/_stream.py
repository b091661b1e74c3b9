"""Streams: rows that come one after another are predicted, then learnt from."""
from __future__ import annotations

from sklearn.utils.validation import check_is_fitted

from . import _core
from ._model import ConformalModel
from ._numbers import levels_of
from .regions import boxes_by_name
from ._types import Any, ArrayLike, BoolArray, FloatArray, Levels, Rows, Self

OPTIONS = ("controller", "window", "half_life", "delay", "scorecast", "recentre", "at_least", "refit_every", "refit_rows", "refit_lag", "allow_older")


def _options_in(arguments):
    """The options of a stream among the locals() of a method."""
    return {name: arguments[name] for name in OPTIONS if name in arguments}


class StreamedRows(ConformalModel):
    """The stream methods of ConformalRegressor."""

    def stream(self, X: Rows | None, y: ArrayLike | None = None, delay: int | None = None, confidence_level: Levels = 0.9, *,
               y_pred: ArrayLike | None = None, controller: str | None = None, window: int | None = None, half_life: float | None = None,
               scorecast: bool | None = None, recentre: bool | None = None, at_least: bool | None = None, refit_every: int | None = None,
               refit_rows: int | None = None, refit_lag: int | None = None, history: tuple[Any, ...] | None = None,
               allow_older: bool = False) -> tuple[FloatArray, FloatArray]:
        """Predicts each row and then learns from its target, so that in the long run the share of covered targets is the level, whatever
        the rows do. Returns predictions (rows,) and intervals (rows, 2, levels), as `predict_interval` does. The model keeps what it learnt,
        and the next call continues from there. Rows whose y is NaN, or all rows if y is None, are only predicted.

        Parameters
        ----------
        X, y : rows in the order in which they came, and their targets
        delay : int, optional
            The target of a row becomes known, and is learnt from, `delay` rows later; initially 0.
        confidence_level : float or sequence of float, default=0.9
        y_pred : array of shape (rows,) or (rows, 2), optional
            As in `predict_interval`.
        controller : str, optional
            How levels move: "dtaci" (initially), "aci", "aci:0.02", "pid", "none".
        window : int, optional
            Only the latest `window` scores count.
        half_life : float, optional
            The weight of a score halves every `half_life` rows.
        scorecast : bool, optional
            Whether the next score is forecast from the last ones; initially True.
        recentre : bool, optional
            Whether intervals and predictions are shifted if recent errors lie to one side; initially True.
        at_least : bool, optional
            Cover at least the level instead of the level: intervals are not made empty because coverage was too high; initially False.
        refit_every, refit_rows, refit_lag : int, optional
            Retrain predictor and transformation every `refit_every` rows on the last refit_rows (20,000) rows of the stream; the
            new ones are used from refit_lag rows later (a tenth of refit_every); an estimator of another library is not retrained.
        history : tuple, optional
            (X, y) or (X, y, y_pred) of rows before the first row of the stream, for example those of the fit: predictor and
            transformation are trained on all of them, once or, with refit_every, at every refit.
        allow_older : bool, default=False
            Accept rows that are older (by `order_by`) than those that the model has seen.

        Options that are None stay as in the model.
        """
        options = _options_in(locals())
        check_is_fitted(self, "model_")
        levels = levels_of(confidence_level)
        table = self._stream_table(X, y, y_pred)
        if isinstance(self.model_, _core.JointRegressor):
            if history is not None:
                raise ValueError("history is for one target: a model of several targets is not trained again; leave it out")
            f, boxes = self.model_.stream(table, levels, options, self._threads())
            self.record_ = self.model_.record
            frame = self._frame_or_none(X, lambda: boxes_by_name(self.model_.targets, levels, f, boxes))
            return (f, boxes) if frame is None else frame
        if history is not None:
            before = self._stream_table(*history) if len(history) == 3 else self._stream_table(*history, None)
            self.model_.begin_with(before, options, self._threads())
        return self._in_container(X, levels, *self.model_.stream(table, levels, options, self._threads()))

    def update(self, X: Rows | None, y: ArrayLike, *, y_pred: ArrayLike | None = None, confidence_level: Levels | None = None,
               delay: int | None = None, controller: str | None = None, window: int | None = None, half_life: float | None = None,
               scorecast: bool | None = None, recentre: bool | None = None, at_least: bool | None = None, refit_every: int | None = None,
               refit_rows: int | None = None, refit_lag: int | None = None, allow_older: bool = False) -> Self:
        """Updates scores and levels with newer rows, as `taut update` does; predictor and transformation stay the same. The parameters are
        those of `stream`. Rows that the model has seen, or older ones, are refused unless `allow_older`."""
        return self._update(X, y, y_pred, confidence_level, _options_in(locals()))


class StreamedSets(ConformalModel):
    """The stream methods of ConformalClassifier."""

    def stream(self, X: Rows, y: ArrayLike | None = None, delay: int | None = None, confidence_level: Levels = 0.9, *,
               y_proba: ArrayLike | None = None, controller: str | None = None, window: int | None = None, half_life: float | None = None,
               scorecast: bool | None = None, at_least: bool | None = None, allow_older: bool = False,
               allow_empty: bool = False) -> BoolArray:
        """Predicts the sets of each row and then learns from its label, so that in the long run the share of labels in their sets is the
        level, whatever the rows do. Returns booleans (rows, classes, levels), as `predict_set` does. The model keeps what it learnt, and
        the next call continues from there. Rows whose y is None or NaN, or all rows if y is None, are only predicted. Probabilities and
        shifts do not change. The parameters are those of `ConformalRegressor.stream`, and `allow_empty` of
        `predict_set`: the model learns from the exact sets either way.
        """
        options = _options_in(locals())
        check_is_fitted(self, "model_")
        levels = levels_of(confidence_level)
        table = self._stream_table(X, y, y_proba)
        return self._in_container(X, levels, self._as_sets(self.model_.stream(table, levels, options, self._threads(), allow_empty)))

    def update(self, X: Rows, y: ArrayLike, *, y_proba: ArrayLike | None = None, confidence_level: Levels | None = None,
               delay: int | None = None, controller: str | None = None, window: int | None = None, half_life: float | None = None,
               scorecast: bool | None = None, at_least: bool | None = None, allow_older: bool = False) -> Self:
        """Updates scores and levels with newer rows, as `taut update` does; probabilities and shifts stay the same. Rows that the model
        has seen, or older ones, are refused unless `allow_older`."""
        return self._update(X, y, y_proba, confidence_level, _options_in(locals()))
