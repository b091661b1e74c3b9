"""Shares of columns: they add up, name the causes, fit the shap package, and equal what XGBoost and shap compute for the same trees."""
import json
import warnings

import numpy as np
import pandas as pd
import pytest

from taut import ConformalRegressor, _core


def noisy(rows, seed):
    draw = np.random.default_rng(seed)
    x = draw.normal(size=(rows, 5))
    y = 5 + 2 * x[:, 0] + x[:, 1] ** 2 + np.where(x[:, 2] > 0, 1.5, 0.1) * draw.normal(size=rows)
    return x, y


@pytest.fixture(scope="module")
def fitted():
    x, y = noisy(2000, 0)
    return ConformalRegressor(predictor="boost", effort="quick", random_state=0).fit(x, y)


def test_shares_add_up(fitted):
    x, _ = noisy(200, 1)
    why = fitted.explain(x)
    prediction, width = why.prediction, why.width
    assert prediction.values.shape == (200, 5)
    np.testing.assert_allclose(prediction.base_values + prediction.values.sum(axis=1), fitted.predict(x), rtol=1e-12)
    np.testing.assert_array_equal(prediction.total, fitted.predict(x))
    np.testing.assert_allclose(width.base_values + width.values.sum(axis=1), width.total, rtol=1e-10, atol=1e-12)
    _, intervals = fitted.predict_interval(x)
    ratio = (intervals[:, 1, 0] - intervals[:, 0, 0]) / np.exp(width.total)
    np.testing.assert_allclose(ratio, ratio[0], rtol=1e-9)
    np.testing.assert_array_equal(prediction.data, x)
    np.testing.assert_allclose(why.factors, np.exp(width.values))


def test_causes_come_first(fitted):
    why = fitted.explain(noisy(500, 2)[0])
    columns = [name for name, _ in why.width.importance() if name in why.feature_names]
    assert columns[0] == why.feature_names[2]
    assert why.prediction.importance()[0][0] == why.feature_names[0]


def test_names_of_a_frame_and_categories():
    x, y = noisy(600, 3)
    frame = pd.DataFrame(x, columns=list("abcde"))
    frame["kind"] = pd.Categorical(np.where(x[:, 0] > 0, "up", "down"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        why = ConformalRegressor(predictor="boost", effort="quick", random_state=0).fit(frame, y).explain(frame.head(20))
    assert why.prediction.feature_names == [*"abcde", "kind"]
    assert set(np.unique(why.prediction.data[:, 5])) <= {0.0, 1.0}


def test_no_rows(fitted):
    why = fitted.explain(np.empty((0, 5)))
    assert why.prediction.values.shape == (0, 5)


def test_given_predictions_have_widths_only():
    x, y = noisy(800, 4)
    f = 5 + 2 * x[:, 0] + x[:, 1] ** 2
    why = ConformalRegressor(prefit=True, random_state=0).fit(x, y, y_pred=f).explain(x, y_pred=f)
    assert why.prediction is None
    assert any("given" in note for note in why.notes)


def test_plots_of_shap_take_it(fitted):
    shap = pytest.importorskip("shap", reason="LEFT OUT: the shap package is not installed, so its plots were not tried")
    import matplotlib
    matplotlib.use("Agg")
    explanation = fitted.explain(noisy(50, 5)[0]).width.to_shap()
    shap.plots.bar(explanation, show=False)
    shap.plots.beeswarm(explanation, show=False)
    shap.plots.waterfall(explanation[0], show=False)


# ---- the same trees in other libraries

def xgboost_trees(booster):
    """The trees as arrays for _core.tree_shares: value and cover of leaves, thresholds of inner nodes."""
    sizes, left, right, features, missing, values, covers = [], [], [], [], [], [], []
    for text in booster.get_dump(with_stats=True, dump_format="json"):
        nodes = {}

        def visit(node):
            nodes[node["nodeid"]] = node
            for child in node.get("children", []):
                visit(child)

        visit(json.loads(text))
        place = {node: i for i, node in enumerate(sorted(nodes))}
        sizes.append(len(nodes))
        for key in sorted(nodes):
            node = nodes[key]
            is_leaf = "leaf" in node
            left.append(-1 if is_leaf else place[node["yes"]])
            right.append(-1 if is_leaf else place[node["no"]])
            features.append(-1 if is_leaf else int(node["split"][1:]))
            missing.append(False if is_leaf else node["missing"] == node["yes"])
            values.append(float(node["leaf"] if is_leaf else node["split_condition"]))
            covers.append(float(node["cover"]))
    return sizes, left, right, features, missing, values, covers


def trained_xgboost():
    xgboost = pytest.importorskip("xgboost", reason="LEFT OUT: XGBoost is not installed, so its trees were not compared")
    x, y = noisy(1500, 6)
    x = x.astype(np.float32)
    x[::7, 1] = np.nan
    booster = xgboost.train({"max_depth": 5, "eta": 0.1, "base_score": 0.0, "nthread": 1}, xgboost.DMatrix(x, y), 40)
    return xgboost, booster, x


def test_equals_xgboost():
    xgboost, booster, x = trained_xgboost()
    expected = booster.predict(xgboost.DMatrix(x[:200]), pred_contribs=True)
    shares, base = _core.tree_shares(*xgboost_trees(booster), x[:200])
    np.testing.assert_allclose(shares, expected[:, :-1], atol=2e-5)
    np.testing.assert_allclose(base, expected[0, -1], atol=2e-4)


def test_equals_shap():
    shap = pytest.importorskip("shap", reason="LEFT OUT: the shap package is not installed, so its values were not compared")
    _, booster, x = trained_xgboost()
    explainer = shap.TreeExplainer(booster, feature_perturbation="tree_path_dependent")
    shares, _ = _core.tree_shares(*xgboost_trees(booster), x[:200])
    np.testing.assert_allclose(shares, explainer.shap_values(x[:200]), atol=2e-5)
