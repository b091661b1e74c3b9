"""Prediction intervals that are guaranteed to cover and as tight as each x allows.

    from taut import ConformalRegressor, load
    cr = ConformalRegressor(estimator).fit(X, y)
    y_pred, intervals = cr.predict_interval(X_new, confidence_level=[0.9, 0.95])

    cc = ConformalClassifier(classifier).fit(X, labels)
    sets = cc.predict_set(X_new, confidence_level=0.9)

Everything but the version is imported on first use, so `import taut` takes little longer than `import numpy`.
"""
import importlib
from typing import TYPE_CHECKING

from ._fastest import prefer_fastest

prefer_fastest()

from ._core import __version__  # noqa: E402

if TYPE_CHECKING:
    from . import metrics, plot
    from .alarms import (CoverageWarning, CrossedPredictionsWarning, EmptyColumnsWarning, FallbackWarning, NoOverlapWarning,
                         OutsideRowsWarning, RepeatedRowsWarning, SeenRowsWarning, ShiftWarning, TautWarning, TextAmongNumbersWarning,
                         TooFewRowsWarning, UnseenCategoriesWarning, UnseenGroupsWarning, UnusableColumnsWarning, WeightsWarning)
    from ._look import look
    from .classifier import ConformalClassifier
    from .distribution import Distribution
    from .evaluation import Evaluation
    from .explanation import Explanation
    from .functions import conformalize, load
    from .regions import Regions
    from .regressor import ConformalRegressor
    from .residuals import exact_rank, intervals_from_residuals, least_calibration_rows, min_calibration_rows

__all__ = [
    "ConformalClassifier", "ConformalRegressor", "CoverageWarning", "CrossedPredictionsWarning", "Distribution",
    "EmptyColumnsWarning", "Evaluation", "Explanation", "FallbackWarning", "NoOverlapWarning", "OutsideRowsWarning", "Regions",
    "RepeatedRowsWarning", "SeenRowsWarning", "ShiftWarning", "TautWarning", "TextAmongNumbersWarning", "TooFewRowsWarning", "UnseenCategoriesWarning",
    "UnseenGroupsWarning", "UnusableColumnsWarning", "WeightsWarning", "__version__", "conformalize", "exact_rank", "intervals_from_residuals",
    "least_calibration_rows", "load", "look", "metrics", "min_calibration_rows", "plot",
]

# The module of each name; None: the name is itself a module.
_HOMES = {"ConformalClassifier": "classifier", "ConformalRegressor": "regressor", "Distribution": "distribution", "Evaluation": "evaluation",
          "Explanation": "explanation", "Regions": "regions", "conformalize": "functions", "load": "functions", "look": "_look",
          "exact_rank": "residuals", "intervals_from_residuals": "residuals", "least_calibration_rows": "residuals",
          "min_calibration_rows": "residuals", "metrics": None, "plot": None,
          **{name: "alarms" for name in __all__ if name.endswith("Warning")}}


if not TYPE_CHECKING:  # type checkers would accept every name

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module 'taut' has no attribute '{name}'; there are: {', '.join(sorted(_HOMES))}")
        home = _HOMES[name]
        module = importlib.import_module(f".{home or name}", __name__)
        value = module if home is None else getattr(module, name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
