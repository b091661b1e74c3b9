"""Random models of other libraries, with missing cells, inputs equal to thresholds, categories and link functions."""
import os
import tempfile

import numpy as np


def rows_of(seed):
    """Training rows, targets, and rows to predict: the training rows, so that thresholds are met exactly, and others."""
    rng = np.random.default_rng(seed)
    n, p = int(rng.integers(80, 400)), int(rng.integers(1, 8))
    X = rng.normal(size=(n, p))
    if seed % 3 == 0:
        X = np.round(X, 1)
    X *= 10.0 ** rng.integers(-3, 4, size=p)
    if seed % 2:
        X[rng.random(X.shape) < 0.15] = np.nan
    if seed % 5 == 0:
        X[rng.random(X.shape) < 0.3] = 0
    y = np.nan_to_num(X[:, 0]) / (np.nanstd(X[:, 0]) + 1e-9) + rng.normal(size=n)
    T = np.vstack([X, rng.normal(size=(200, p)) * 10.0 ** rng.integers(-3, 4, size=p)])
    T[rng.random(T.shape) < 0.05] = np.nan
    T[rng.random(T.shape) < 0.02] = 1e-36
    return rng, X, y, T


def is_positive(seed):
    return seed % 4 == 1


def xgboost_model(seed):
    import xgboost as xgb

    rng, X, y, T = rows_of(seed)
    objective = ["reg:squarederror", "reg:absoluteerror", "reg:pseudohubererror"][seed // 4 % 3]
    if is_positive(seed):
        y, objective = np.exp(y / 2), ["reg:gamma", "count:poisson", "reg:tweedie"][seed // 4 % 3]
    if seed % 16 == 2:
        y, objective = 1 / (1 + np.exp(-y)), "reg:logistic"
    settings = {"booster": "dart", "rate_drop": 0.3} if seed % 7 == 3 else {}
    if seed % 11 == 5:
        settings["num_parallel_tree"] = 3
    if seed % 5 == 2:  # categories; the rows to predict have further ones
        X[:, -1], T[:, -1] = rng.integers(0, 12, len(X)), rng.integers(0, 20, len(T))
        settings.update(enable_categorical=True, feature_types=["q"] * (X.shape[1] - 1) + ["c"], max_cat_to_onehot=int(rng.integers(1, 6)))
    model = xgb.XGBRegressor(n_estimators=int(rng.integers(1, 30)), max_depth=int(rng.integers(1, 8)), objective=objective,
                             learning_rate=float(rng.choice([0.1, 0.3, 1.0])), n_jobs=1, **settings)
    if seed % 9 == 4:
        model.set_params(early_stopping_rounds=2)
        model.fit(X, y, eval_set=[(X[:40], np.roll(y[:40], 7))], verbose=False)
    else:
        model.fit(X, y)
    return bytes(model.get_booster().save_raw("ubj" if seed % 2 else "json")), T, model.predict(T).astype(np.float64)


def lightgbm_model(seed):
    import lightgbm as lgb

    rng, X, y, T = rows_of(seed)
    objective = ["regression", "regression_l1", "huber", "quantile", "mape", "fair"][seed // 4 % 6]
    if is_positive(seed):
        y, objective = np.exp(y / 2), ["gamma", "poisson", "tweedie"][seed // 4 % 3]
    settings = {3: {"boosting_type": "dart"}, 5: {"boosting_type": "rf", "subsample": 0.7, "subsample_freq": 1}}.get(seed % 7, {})
    settings |= {1: {"zero_as_missing": True}, 2: {"use_missing": False}}.get(seed % 6, {})
    if seed % 13 == 4 and objective == "regression":
        settings["reg_sqrt"] = True
    categories = "auto"
    if seed % 4 == 2:
        X[:, -1], categories = rng.integers(0, 40, len(X)), [X.shape[1] - 1]
        T[:, -1] = rng.integers(-3, 60, len(T)) + 0.5 * (rng.random(len(T)) < 0.1)
    model = lgb.LGBMRegressor(n_estimators=int(rng.integers(1, 30)), num_leaves=int(rng.integers(2, 40)), objective=objective, verbose=-1,
                              min_child_samples=int(rng.integers(1, 20)), n_jobs=1, **settings)
    model.fit(X, y, categorical_feature=categories)
    return model.booster_.model_to_string().encode(), T, model.predict(T)


def catboost_model(seed):
    import catboost as cb

    rng, X, y, T = rows_of(seed)
    loss = ["RMSE", "MAE", "Quantile:alpha=0.3", "Huber:delta=1"][seed // 4 % 4]
    if is_positive(seed):
        y, loss = np.exp(y / 2), ["Poisson", "Tweedie:variance_power=1.5"][seed // 4 % 2]
    settings = {"grow_policy": ["Lossguide", "Depthwise"][seed % 2]} if seed % 5 == 2 else {}
    if seed % 3 == 1:
        settings["nan_mode"] = "Max"
    model = cb.CatBoostRegressor(iterations=int(rng.integers(1, 40)), depth=int(rng.integers(1, 8)), loss_function=loss, verbose=0,
                                 allow_writing_files=False, thread_count=1, **settings).fit(X, y)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "m.json")
        model.save_model(path, format="json")
        with open(path, "rb") as file:
            return file.read(), T, model.predict(T)


def sklearn_model(seed):
    from sklearn.ensemble import ExtraTreesRegressor, HistGradientBoostingRegressor, RandomForestRegressor

    rng, X, y, T = rows_of(seed)
    if seed % 3 == 0:
        kind = RandomForestRegressor if seed % 2 else ExtraTreesRegressor
        model = kind(int(rng.integers(1, 20)), max_depth=[None, 3][seed % 4 // 2], random_state=seed, n_jobs=1)
        T = T if np.isnan(X).any() else np.nan_to_num(T)
        return model.fit(X, y), T, model.predict(T)
    settings = {}
    if is_positive(seed):
        y, settings = np.exp(y / 2), {"loss": ["gamma", "poisson"][seed // 4 % 2]}
    if seed % 4 == 2:
        X[:, -1], T[:, -1] = rng.integers(0, 30, len(X)), rng.integers(-3, 40, len(T))
        settings["categorical_features"] = [X.shape[1] - 1]
    model = HistGradientBoostingRegressor(max_iter=int(rng.integers(1, 30)), max_leaf_nodes=int(rng.integers(2, 31)), random_state=seed, **settings)
    return model.fit(X, y), T, model.predict(T)
