"""Mistakes that mypy must report, one in every line that ends with a code: see test_typing.py. It is not run."""
from __future__ import annotations

import numpy as np

import taut
from taut import ConformalClassifier, ConformalRegressor, metrics

X, y = np.zeros((20, 2)), np.zeros(20)
cr = ConformalRegressor(random_sate=0)  # [call-arg]
cr = ConformalRegressor(effort="quik")  # [arg-type]
cr = ConformalRegressor(epochs="many")  # [arg-type]
cr.fit(X, y, weights=y)  # [arg-type]
cr.fit(X)  # [call-arg]
cr.predict_interval(X, confidence=0.9)  # [call-arg]
cr.predict_interval(X, tails="left")  # [arg-type]
width: str = cr.predict_interval(X)[1]  # [assignment]
cr.evaluate(X, y).to_frame(kind="levels")  # [call-arg]
cr.predict_distribution(X).pdf(y)  # [attr-defined]
ConformalClassifier(predictor="boost")  # [call-arg]
taut.conformalize(X, y, y, objectve="size")  # [call-arg]
taut.conformalise(X, y, y)  # [attr-defined]
metrics.coverage(y, X, level=0.9)  # [call-arg]
