"""A user's script, which `mypy --strict` must accept: see test_typing.py. It is not run."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

import taut
from taut import ConformalClassifier, ConformalRegressor, Distribution, Evaluation, Explanation, Regions, metrics, plot

Numbers = NDArray[np.float64]


def regression(X: Numbers, y: Numbers, X_new: Numbers, y_new: Numbers) -> float:
    cr = ConformalRegressor(predictor="boost", effort="quick", sides="two", random_state=np.random.default_rng(0), hidden=[10, 10], verbose=False)
    cr.fit(X, y, keep_together=np.arange(len(y)) // 3).calibrate(X_new, y_new, groups=X_new[:, 0] > 0, other_groups="pool")
    y_pred, intervals = cr.predict_interval(X_new, confidence_level=[0.8, 0.9], tails="equal")
    widths: Numbers = intervals[:, 1] - intervals[:, 0]
    one_row: tuple[Numbers, Numbers] = cr.predict_interval({"a": 1.0, "b": "north"})
    evaluation: Evaluation = cr.evaluate(X_new, y_new, np.linspace(0.1, 0.9, 9), by=["x0:2", "x1:3"])
    coverage: float = evaluation["levels"][0]["coverage"]
    plain: dict[str, Any] = evaluation.to_dict()
    print(evaluation, plain, evaluation.to_frame("groups", library="polars"), widths.mean(), y_pred.mean(), one_row, cr.record_["rows"])
    shifted = [found["column"] for found in cr.check_shift(X_new)]
    cr.save("m.taut")
    again: ConformalRegressor = taut.load("m.taut", n_jobs=2)
    print(shifted, again.set_output(transform="pandas").n_features_in_, again.feature_names_in_.tolist(), again.messages_[:1])
    return coverage


def questions(cr: ConformalRegressor, X: Numbers, y: Numbers) -> Numbers:
    distribution: Distribution = cr.predict_distribution(X)
    crps: Numbers = distribution.crps(y) + distribution.cdf(0.0) + distribution.ppf(0.5) + distribution.rvs(1, random_state=0)[:, 0]
    explanation: Explanation = cr.explain(X, walks=8)
    if explanation.width is not None:
        print(explanation.width.importance()[0][1] + 1.0, explanation.width.values.sum())
    bounds: Numbers = cr.predict_bound(X, "upper", 0.95) + cr.p_values(X, y, alternative="less")
    print(distribution.to_frame([0.1, 0.9]), explanation.to_dict()["prediction"], cr.predict_quantiles(X, (0.1, 0.9)).shape, cr.ask(X, "mean"))
    print(cr.quantile_estimator(0.9).predict(X).mean())
    return crps + bounds


def several(X: Numbers, Y: Numbers) -> Numbers:
    cr = ConformalRegressor(region="ellipsoid").fit(X, Y)
    regions: Regions = cr.predict_region(X, [0.8, 0.9])
    inside: NDArray[np.bool_] = regions.contains(Y) & cr.contains(X, Y, (0.8, 0.9))
    print(regions.kind, regions.to_frame(), regions.side.mean(), inside.mean(), cr.target_names_)
    y_pred, boxes = cr.predict_interval(X, 0.9, each=True)
    return cr.predict_quantiles(X, [0.1, 0.9], weights=[1.0, 2.0]) + cr.sample(X, 2)[:, :, 0] + boxes[:, 0, :, 0] + y_pred


def labels(X: Numbers, y: NDArray[np.str_]) -> int:
    cc = ConformalClassifier(by_label=True, conformity_score="aps", in_order=True).fit(X, y)
    sets: NDArray[np.bool_] = cc.predict_set(X, [0.8, 0.9])
    print(cc.predict_proba(X).argmax(axis=1), cc.classes_[0], cc.evaluate(X, y).to_frame(), cc.columns_[0]["kind"])
    cc.update(X, y, allow_older=True)
    return int(sets.sum())


def stream(cr: ConformalRegressor, X: Numbers, y: Numbers) -> float:
    _, intervals = cr.stream(X, y, delay=3, confidence_level=0.9, controller="aci", window=500)
    state = cr.stream_
    return 0.0 if state is None else float(np.mean(intervals))


def functions(X: Numbers, f: Numbers, y: Numbers) -> None:
    cr = taut.conformalize(X, f, y, objective="size", random_state=0, y_min=0.0)
    ends: Numbers = taut.intervals_from_residuals(y - f, f, [0.8, 0.9])
    low, high = metrics.coverage_band(200, taut.min_calibration_rows(0.9), 0.9)
    print(metrics.coverage(y, ends), metrics.pinball_loss(y, ends[:, :, 0], [0.1, 0.9]).sum(), high - low)
    scorer = metrics.interval_score_scorer(0.9)
    print(scorer(cr, X, y) + 1.0, [column["name"] for column in taut.look(X, y)])
    plot.intervals(cr, X, y, feature=1).figure_.savefig("intervals.png")


def engines(rows: Any) -> Iterator[Any]:
    import taut.arrow
    import taut.dask
    import taut.spark

    model = taut.spark.fit(rows, target="y", key="id", num_workers=2)
    calibrated = taut.dask.calibrate(model, rows, by=["region"])
    calibrated.save("m.taut")
    report = taut.arrow.evaluate("m.taut", rows, confidence_level=0.9)
    print(report["levels"], report.to_frame())
    return taut.arrow.predict(calibrated, rows, confidence_level=[0.8, 0.9], keep=["id"])
