"""One quantile of the calibrated predictive distribution as a scikit-learn regressor."""
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.metrics import mean_pinball_loss
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

__all__ = ["QuantileEstimator"]


class QuantileEstimator(RegressorMixin, BaseEstimator):
    """The result of `ConformalRegressor.quantile_estimator`: `predict(X)` is a quantile of y, one number for each row.

    The regressor is already fitted and calibrated. As with scikit-learn's FrozenEstimator, `fit` changes nothing and
    `clone` keeps it.

    Parameters
    ----------
    regressor : a fitted ConformalRegressor
    quantile : the probability that y is below the prediction, between 0 and 1
    """

    def __init__(self, regressor, quantile=0.5):
        self.regressor = regressor
        self.quantile = quantile

    def fit(self, X, y=None):
        """Does nothing, because the regressor is fitted. Raises NotFittedError if it is not."""
        check_is_fitted(self.regressor, "model_")
        return self

    def predict(self, X):
        """The quantile for every row, (rows,); infinite if there are too few calibration rows for it."""
        return self.regressor.predict_distribution(X).ppf(float(self.quantile))

    def score(self, X, y):
        """Minus the mean pinball loss of the quantile; greater is better. R² would measure the mean, not a quantile."""
        return -mean_pinball_loss(y, self.predict(X), alpha=self.quantile)

    def get_params(self, deep=True):
        """Only `regressor` and `quantile`: the regressor is not fitted again, so its parameters cannot be changed."""
        return {"regressor": self.regressor, "quantile": self.quantile}

    @property
    def n_features_in_(self):
        return self.regressor.n_features_in_

    @property
    def feature_names_in_(self):
        return self.regressor.feature_names_in_

    def __sklearn_clone__(self):
        return type(self)(self.regressor, self.quantile)

    def __sklearn_is_fitted__(self):
        return hasattr(self.regressor, "model_")

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self.regressor).input_tags
        return tags
