"""Imports the trees of fitted models of other libraries, so that neither predictions nor model files need the library."""
import logging
import os
import tempfile

import numpy as np

from . import _columns, _core, _outside

_log = logging.getLogger("taut")
_REASONS = ("its columns are not those of the model", "the models were trained on other rows than this fit trains on")  # errors of C++
_FORESTS = ("RandomForestRegressor", "ExtraTreesRegressor")


MAX_NODES = 20_000_000  # of all cross-fitted models together; more would take a gigabyte in memory, and nearly as much in the file


class NotTaken(Exception):
    """The reason why a model is called instead of being imported."""


def trees_of(estimator):
    """A `_core.ForeignModel`. Raises NotTaken with the reason if the trees cannot be imported."""
    library = type(estimator).__module__.partition(".")[0]
    read = {"xgboost": _xgboost, "lightgbm": _lightgbm, "catboost": _catboost, "sklearn": _sklearn}.get(library)
    if read is None:
        raise NotTaken(f"{type(estimator).__name__} is not of a library whose trees can be imported")
    try:
        return read(estimator)
    except (ValueError, AttributeError) as error:
        raise NotTaken(str(error)) from error


def taken(estimator, X, names, options):
    """The trees with the column names of X. Raises NotTaken if they cannot be imported."""
    model = trees_of(estimator)
    if X is None or _columns.is_sparse(X):
        raise NotTaken("X is sparse: its zeros may mean missing cells to the library")
    if model.columns != len(names):
        raise NotTaken(f"the model has {model.columns} columns, X has {len(names)}")
    if not (model.names and _columns.is_frame(X) and set(model.names) <= set(names)):
        model.set_names(names)
    if set(model.names) & {*options.get("drop", ()), options.get("keep_together", "")}:
        raise NotTaken("columns of the model are not inputs here")
    return model


def mean_of(members, X, names, options, out_of_fold):
    """The trees of cross-fitted members, whose mean is f, with the out-of-fold prediction of every row. Raises NotTaken."""
    first, *others = (taken(member, X, names, options) for member in _within(MAX_NODES, members))
    for other in others:
        try:
            first.add(other)
        except ValueError as error:  # a category that one fold does not have, for example
            raise NotTaken(str(error)) from error
    first.set_out_of_fold(np.ascontiguousarray(out_of_fold))
    return first


def fitted(regressor, X, y, names, options, further, elsewhere, out_of_fold=None):
    """The model with the trees of the regressor's estimator, the messages, and the table; None if the estimator is called instead. With
    `out_of_fold` predictions of the rows: with the trees of its cross-fitted `estimators_`."""
    if regressor.estimator is None or isinstance(regressor.estimator, (list, tuple)):
        return None
    if not isinstance(regressor.estimator, _boosters()):
        _outside.Predictions().members_of(regressor.estimator)  # refuses classifiers
    try:
        if out_of_fold is None:
            foreign = taken(regressor.estimator, X, names, options)
        else:
            foreign = mean_of(regressor.estimators_, X, names, options, out_of_fold)
        table = regressor._table(X, None, y, options, further, names)
        fit_options = {**options, "predictor": "stack"}
        model, messages = _core.Regressor.fit(table, fit_options, regressor._threads(), elsewhere, foreign)
    except (NotTaken, ValueError) as reason:
        if not isinstance(reason, NotTaken) and not any(words in str(reason) for words in _REASONS):
            raise
        regressor._why_called = str(reason)
        _log.info(f"the estimator is called, its trees are not taken over: {reason}")
        return None
    return model, [f"trees taken over: {foreign.words}", *foreign.notes, *messages], table


def _within(most, members):
    """The members; NotTaken at the one with which the trees of scikit-learn's forests have more than `most` nodes."""
    nodes = 0
    for member in members:
        if type(member).__name__ in _FORESTS:
            nodes += sum(tree.tree_.node_count for tree in member.estimators_)
        if nodes > most:
            raise NotTaken(f"the trees have more than {most:,} nodes")
        yield member


def _boosters():
    """Model classes whose predict() takes no arrays, so that only their trees can be used."""
    import sys

    xgboost = sys.modules.get("xgboost")
    return (xgboost.Booster,) if xgboost is not None else ()


def _source(estimator):
    return type(estimator).__name__


def _xgboost(model):
    booster = model
    if hasattr(model, "get_booster"):
        if not np.isnan(model.missing):
            raise NotTaken(f"missing={model.missing} means missing cells to the model")
        booster = model.get_booster()
    elif booster.attr("best_iteration") is not None:
        booster = booster.copy()  # without best_iteration predict() uses all trees, whatever early stopping found
        booster.set_attr(best_iteration=None)
    return _core.ForeignModel.read(bytes(booster.save_raw("ubj")), _source(model))


def _lightgbm(model):
    booster = getattr(model, "booster_", model)
    return _core.ForeignModel.read(booster.model_to_string().encode(), _source(model))


def _catboost(model):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.json")
        try:
            model.save_model(path, format="json")
        except Exception as error:  # CatBoost has exception types of its own
            raise NotTaken(str(error)) from error
        with open(path, "rb") as file:
            return _core.ForeignModel.read(file.read(), _source(model))


def _sklearn(model):
    name = type(model).__name__
    if name == "HistGradientBoostingRegressor":
        return _histograms(model)
    if name in _FORESTS:
        return _forest(model)
    raise NotTaken(f"trees of {name} are not known")


def _forest(model):
    if model.n_outputs_ != 1:
        raise NotTaken("several outputs")
    trees = [member.tree_ for member in model.estimators_]
    leaf = [tree.children_left < 0 for tree in trees]
    columns = {
        "left": _joined((tree.children_left for tree in trees), np.int32),
        "right": _joined((tree.children_right for tree in trees), np.int32),
        "feature": _joined((tree.feature for tree in trees), np.int32),
        "missing_left": _joined((tree.missing_go_to_left for tree in trees), np.uint8),
        "value": _joined((np.where(end, tree.value[:, 0, 0], tree.threshold) for tree, end in zip(trees, leaf)), np.float64),
    }
    return _from_arrays(model, trees=columns, sizes=[tree.node_count for tree in trees], features=model.n_features_in_, float_inputs=True,
                        objective=model.criterion, divisor=float(len(trees)))


def _histograms(model):
    from sklearn._loss.link import IdentityLink, LogLink

    if model.n_trees_per_iteration_ != 1:
        raise NotTaken("several outputs")
    link = model._loss.link
    if type(link) not in (IdentityLink, LogLink):
        raise NotTaken(f"the link {type(link).__name__} is not known")
    order, texts, numbers = _categories_of(model)
    predictors = [one for (one,) in model._predictors]
    nodes = [one.nodes for one in predictors]
    sets, bitset, first = [], [], 0
    for one in predictors:
        rows = np.asarray(one.raw_left_cat_bitsets, dtype=np.uint32).reshape(-1, 8)
        sets.extend(rows.tolist())
        bitset.append(np.where((one.nodes["is_categorical"] == 1) & (one.nodes["is_leaf"] == 0), one.nodes["bitset_idx"].astype(np.int64) + first, -1))
        first += len(rows)
    leaf = [node["is_leaf"].astype(bool) for node in nodes]
    columns = {
        "left": _joined((np.where(end, -1, node["left"].astype(np.int64)) for node, end in zip(nodes, leaf)), np.int32),
        "right": _joined((np.where(end, -1, node["right"].astype(np.int64)) for node, end in zip(nodes, leaf)), np.int32),
        "feature": order[_joined((node["feature_idx"] for node in nodes), np.int64)].astype(np.int32),
        "missing_left": _joined((node["missing_go_to_left"] for node in nodes), np.uint8),
        "value": _joined((np.where(end, node["value"], node["num_threshold"]) for node, end in zip(nodes, leaf)), np.float64),
        "set": _joined(bitset, np.int32),
    }
    return _from_arrays(model, trees=columns, sizes=[len(node) for node in nodes], features=len(order), float_inputs=False, objective=model.loss,
                        start=float(np.ravel(model._baseline_prediction)[0]), is_exponential=isinstance(link, LogLink), sets=sets, texts=texts,
                        numbers=numbers)


def _categories_of(model):
    """The positions in X of the model's columns (it puts categories first), and the categories of each column of X."""
    n = model.n_features_in_
    texts, numbers = [[] for _ in range(n)], [[] for _ in range(n)]
    if model.is_categorical_ is None:
        return np.arange(n), texts, numbers
    places = np.flatnonzero(model.is_categorical_)
    encoder = model._preprocessor.named_transformers_["encoder"]
    for place, known in zip(places, encoder.categories_):
        values = [value for value in known.tolist() if value is not None and value == value]
        if all(isinstance(value, str) for value in values):
            texts[place] = values
        elif all(isinstance(value, (int, float)) for value in values):
            numbers[place] = [float(value) for value in values]
        else:
            raise NotTaken("categories that are neither texts nor numbers")
    return np.concatenate([places, np.flatnonzero(~np.asarray(model.is_categorical_))]), texts, numbers


def _joined(arrays, dtype):
    return np.ascontiguousarray(np.concatenate([np.asarray(one) for one in arrays]), dtype=dtype)


def _from_arrays(model, *, trees, sizes, features, float_inputs, objective, start=0.0, divisor=1.0, is_exponential=False, sets=(), texts=None,
                 numbers=None):
    import sklearn

    none = [[] for _ in range(features)]
    trees.setdefault("set", np.full(len(trees["value"]), -1, dtype=np.int32))
    return _core.ForeignModel.from_arrays(version=sklearn.__version__, objective=str(objective), source=_source(model), texts=texts or none,
                                          numbers=numbers or none, sizes=np.asarray(sizes, dtype=np.int64), sets=list(sets),
                                          float_inputs=float_inputs, start=start, divisor=divisor, is_exponential=is_exponential, **trees)
