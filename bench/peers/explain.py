"""Shapley values of columns for the same trees.   explain.py FOLDER make ROWS | explain.py FOLDER taut|shap|xgboost

`make` grows 500 trees of depth 5 with XGBoost; each side then explains the rows with them.
"""
import json
import pickle
import sys

import numpy
from timing import answer, clocked


def make(folder, rows):
    import xgboost
    draw = numpy.random.default_rng(0)
    x = draw.normal(size=(max(rows, 20_000), 20)).astype(numpy.float32)
    y = x[:, 0] * x[:, 1] + numpy.sin(x[:, 2]) + 0.3 * x[:, 3:].sum(axis=1) + draw.normal(size=len(x))
    booster = xgboost.train({"max_depth": 5, "eta": 0.05, "min_child_weight": 1, "base_score": 0.0, "nthread": 2},
                            xgboost.DMatrix(x, y), 500)
    with open(f"{folder}/explain.pickle", "wb") as file:
        pickle.dump((trees_of(booster), x[:rows], booster.save_raw()), file)


def trees_of(booster):
    trees = []
    for text in booster.get_dump(with_stats=True, dump_format="json"):
        nodes = {}

        def visit(node):
            nodes[node["nodeid"]] = node
            for child in node.get("children", []):
                visit(child)

        visit(json.loads(text))
        place = {node: i for i, node in enumerate(sorted(nodes))}
        ordered = [nodes[key] for key in sorted(nodes)]
        leaves = ["leaf" in node for node in ordered]
        trees.append({
            "left": [-1 if leaf else place[node["yes"]] for node, leaf in zip(ordered, leaves)],
            "right": [-1 if leaf else place[node["no"]] for node, leaf in zip(ordered, leaves)],
            "feature": [-1 if leaf else int(node["split"][1:]) for node, leaf in zip(ordered, leaves)],
            "missing_left": [not leaf and node["missing"] == node["yes"] for node, leaf in zip(ordered, leaves)],
            "value": [float(node["leaf"] if leaf else node["split_condition"]) for node, leaf in zip(ordered, leaves)],
            "cover": [float(node["cover"]) for node in ordered],
        })
    return trees


def by_taut(trees, x):
    from taut import _core
    joined = {key: [value for tree in trees for value in tree[key]] for key in trees[0]}
    sizes = [len(tree["left"]) for tree in trees]
    return lambda: _core.tree_shares(sizes, joined["left"], joined["right"], joined["feature"], joined["missing_left"], joined["value"],
                                     joined["cover"], x, 2)[0]


def by_shap(trees, x):
    import shap
    model = {"trees": [{
        "children_left": numpy.array(tree["left"]),
        "children_right": numpy.array(tree["right"]),
        "children_default": numpy.where(tree["missing_left"], tree["left"], tree["right"]),
        "features": numpy.maximum(tree["feature"], 0),
        # In shap a row goes left if it is at most the threshold, in these trees if it is below.
        "thresholds": numpy.nextafter(numpy.array(tree["value"], dtype=numpy.float32), numpy.float32(-numpy.inf)).astype(float),
        "values": numpy.where(numpy.array(tree["left"]) < 0, tree["value"], 0.0).reshape(-1, 1),
        "node_sample_weight": numpy.array(tree["cover"]),
    } for tree in trees]}
    explainer = shap.TreeExplainer(model, feature_perturbation="tree_path_dependent")
    return lambda: explainer.shap_values(x.astype(float), check_additivity=False)


def by_xgboost(raw, x):
    import xgboost
    booster = xgboost.Booster({"nthread": 2})
    booster.load_model(bytearray(raw))
    return lambda: booster.predict(xgboost.DMatrix(x), pred_contribs=True)[:, :-1]


def main():
    folder, side = sys.argv[1], sys.argv[2]
    if side == "make":
        make(folder, int(sys.argv[3]))
        return
    with open(f"{folder}/explain.pickle", "rb") as file:
        trees, x, raw = pickle.load(file)
    work = {"taut": lambda: by_taut(trees, x), "shap": lambda: by_shap(trees, x), "xgboost": lambda: by_xgboost(raw, x)}[side]()
    figures, shares = clocked(work)
    answer(figures, rows_per_second=len(x) / figures["seconds"], check=float(numpy.abs(shares).sum()))


if __name__ == "__main__":
    main()
