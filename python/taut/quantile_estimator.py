"""One quantile of the calibrated predictive distribution as a scikit-learn regressor."""
from __future__ import annotations

from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.metrics import mean_pinball_loss
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from ._types import Any, ArrayLike, FloatArray, Rows, Self

__all__ = ["QuantileEstimator"]


class QuantileEstimator(RegressorMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """The result of `ConformalRegressor.quantile_estimator`: `predict(X)` is a quantile of y, one number for each row.

    The regressor is already fitted and calibrated. As with scikit-learn's FrozenEstimator, `fit` changes nothing and
    `clone` keeps it.

    Parameters
    ----------
    regressor : ConformalRegressor
        A fitted one.
    quantile : float, default=0.5
        The probability that y is below the prediction, between 0 and 1.
    """

    def __init__(self, regressor: Any, quantile: float = 0.5) -> None:
        self.regressor = regressor
        self.quantile = quantile

    def fit(self, X: Rows, y: ArrayLike | None = None) -> Self:
        """Does nothing, because the regressor is fitted. Raises NotFittedError if it is not."""
        check_is_fitted(self.regressor, "model_")
        return self

    def predict(self, X: Rows) -> FloatArray:
        """The quantile for every row, (rows,); infinite if there are too few calibration rows for it."""
        quantiles: FloatArray = self.regressor.predict_distribution(X).ppf(float(self.quantile))
        return quantiles

    def score(self, X: Rows, y: ArrayLike) -> float:
        """Minus the mean pinball loss of the quantile; greater is better. R² would measure the mean, not a quantile."""
        return -float(mean_pinball_loss(y, self.predict(X), alpha=self.quantile))

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Only `regressor` and `quantile`: the regressor is not fitted again, so its parameters cannot be changed."""
        return {"regressor": self.regressor, "quantile": self.quantile}

    @property
    def n_features_in_(self) -> int:
        """The number of columns of X."""
        return int(self.regressor.n_features_in_)

    @property
    def feature_names_in_(self) -> Any:
        """The names of the columns of X, if it had names."""
        return self.regressor.feature_names_in_

    def __sklearn_clone__(self):
        return type(self)(self.regressor, self.quantile)

    def __sklearn_is_fitted__(self):
        return hasattr(self.regressor, "model_")

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self.regressor).input_tags
        return tags
