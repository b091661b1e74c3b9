"""Intervals of MAPIE and crepes, each in a configuration that its documentation shows: peers of bench/edge_table.py and bench/conditional_table.py.

f is XGBoost with early stopping, LightGBM where the name ends in lgbm. Each is a function of the training rows, the calibration rows, the test
inputs, the level, the seed and the threads, listed in FORMS. It returns an array with one row for each test row: (lower, upper).
"""
import numpy as np
import xgboost
from distribution_table import fit_lightgbm
from sklearn.ensemble import RandomForestRegressor
from sklearn.model_selection import KFold
from sklearn.preprocessing import StandardScaler


def fit_xgboost(x, y, seed, threads):
    """Early stopping finds the number of rounds on a part of the rows; the model is trained on all."""
    settings = {"learning_rate": 0.05, "max_depth": 6, "random_state": seed, "n_jobs": threads}
    cut = round(0.85 * len(y))  # the rows are shuffled
    trial = xgboost.XGBRegressor(n_estimators=500, early_stopping_rounds=30, **settings)
    trial.fit(x[:cut], y[:cut], eval_set=[(x[cut:], y[cut:])], verbose=False)
    return xgboost.XGBRegressor(n_estimators=trial.best_iteration + 1, **settings).fit(x, y)


def out_of_fold_residuals(fit, x, y):
    residuals = np.empty(len(y))
    for fitted, held in KFold(5).split(x):
        residuals[held] = y[held] - fit(x[fitted], y[fitted]).predict(x[held])
    return residuals


def normalised(f, sigma, calibrate, x_test, level, unit):
    """crepes' regressor around f with difficulties sigma(x). Its constants are absolute, so it works in units of the residuals."""
    from crepes import ConformalRegressor

    regressor = ConformalRegressor().fit((calibrate[1] - f.predict(calibrate[0])) / unit, sigmas=sigma(calibrate[0]))
    return unit * regressor.predict_int(f.predict(x_test) / unit, sigmas=sigma(x_test), confidence=level)


def split_xgb(train, calibrate, x_test, level, seed, threads):
    from mapie.regression import SplitConformalRegressor

    model = SplitConformalRegressor(fit_xgboost(*train, seed, threads), confidence_level=level, prefit=True)
    return model.conformalize(*calibrate).predict_interval(x_test)[1][:, :, 0]


def mapie_cqr_lgbm(train, calibrate, x_test, level, seed, threads):
    from mapie.regression import ConformalizedQuantileRegressor

    models = [fit_lightgbm(*train, seed, threads, objective="quantile", alpha=share) for share in ((1 - level) / 2, (1 + level) / 2, 0.5)]
    model = ConformalizedQuantileRegressor(models, confidence_level=level, prefit=True).conformalize(*calibrate)
    return np.sort(model.predict_interval(x_test)[1][:, :, 0], axis=1)


def crepes_knn_res(train, calibrate, x_test, level, seed, threads):
    """Difficulty of a row: out-of-fold residuals of the 25 nearest training rows."""
    from crepes.extras import DifficultyEstimator

    residuals = out_of_fold_residuals(lambda x, y: fit_xgboost(x, y, seed, threads), *train)
    unit, scaler = residuals.std(), StandardScaler().fit(train[0])
    size = DifficultyEstimator().fit(X=scaler.transform(train[0]), residuals=residuals / unit, k=25, beta=0.01)
    return normalised(fit_xgboost(*train, seed, threads), lambda x: size.apply(scaler.transform(x)), calibrate, x_test, level, unit)


def crepes_rf_std(train, calibrate, x_test, level, seed, threads):
    """Difficulty of a row: the spread of the predictions of a random forest's trees."""
    from crepes.extras import DifficultyEstimator

    f = fit_xgboost(*train, seed, threads)
    forest = RandomForestRegressor(random_state=seed, n_jobs=threads).fit(*train)
    unit = np.abs(train[1]).mean()
    size = DifficultyEstimator().fit(f=lambda x: np.std([tree.predict(x) for tree in forest.estimators_], axis=0) / unit, beta=0.01)
    return normalised(f, size.apply, calibrate, x_test, level, unit)


def resnorm(fit, train, calibrate, x_test, level):
    """Difficulty of a row: a model of the size of out-of-fold residuals, at least a hundredth of their mean."""
    residuals = np.abs(out_of_fold_residuals(fit, *train))
    unit, size = residuals.mean(), fit(train[0], residuals)
    return normalised(fit(*train), lambda x: np.maximum(size.predict(x) / unit, 0.01), calibrate, x_test, level, unit)


def resnorm_xgb(train, calibrate, x_test, level, seed, threads):
    return resnorm(lambda x, y: fit_xgboost(x, y, seed, threads), train, calibrate, x_test, level)


def resnorm_lgbm(train, calibrate, x_test, level, seed, threads):
    return resnorm(lambda x, y: fit_lightgbm(x, y, seed, threads), train, calibrate, x_test, level)


FORMS = {form.__name__: form for form in (split_xgb, mapie_cqr_lgbm, crepes_knn_res, crepes_rf_std, resnorm_xgb, resnorm_lgbm)}
