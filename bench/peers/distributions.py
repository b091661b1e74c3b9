"""Predictive distributions of other libraries, for bench/boards.py: quantiles of new rows at given levels.

Each function gets (x, y, new, levels, seed, threads) as arrays and returns an array (rows of new, levels). All train on all rows that they
are given and stop early on a part of them, as their documentation recommends.
"""
import numpy as np

ROUNDS, PATIENCE = 2000, 50


def held_out(x, y, seed):
    order = np.random.default_rng(seed).permutation(len(y))
    cut = max(1, round(0.85 * len(y)))
    return (x[order[:cut]], y[order[:cut]]), (x[order[cut:]], y[order[cut:]])


def catboost(x, y, new, levels, seed, threads):
    from catboost import CatBoostRegressor

    train, stop = held_out(x, y, seed)
    model = CatBoostRegressor(iterations=ROUNDS, loss_function="MultiQuantile:alpha=" + ",".join(map(str, levels)), random_seed=seed,
                              thread_count=threads, verbose=False, allow_writing_files=False)
    model.fit(*train, eval_set=stop, early_stopping_rounds=PATIENCE)
    return model.predict(new)


def quantile_forest(x, y, new, levels, seed, threads):
    from quantile_forest import RandomForestQuantileRegressor

    model = RandomForestQuantileRegressor(n_estimators=500, min_samples_leaf=5, random_state=seed, n_jobs=threads)
    return np.asarray(model.fit(x, y).predict(new, quantiles=list(levels))).reshape(len(new), len(levels))


def ngboost(x, y, new, levels, seed, threads):
    from ngboost import NGBRegressor
    from scipy.stats import norm

    train, stop = held_out(x, y, seed)
    model = NGBRegressor(n_estimators=ROUNDS, learning_rate=0.02, random_state=seed, verbose=False)
    model.fit(*train, X_val=stop[0], Y_val=stop[1], early_stopping_rounds=PATIENCE)
    normal = model.pred_dist(new).params
    return normal["loc"][:, None] + normal["scale"][:, None] * norm.ppf(levels)


PEERS = {"catboost": catboost, "quantile-forest": quantile_forest, "ngboost": ngboost}
