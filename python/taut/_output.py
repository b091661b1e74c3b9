"""Predictions and intervals in the container that set_output asked for."""
import numpy as np


def in_container(container, X, levels, y_pred, intervals):
    """A pair of arrays, or a frame with the columns that `taut predict` writes: prediction, lower_0.9, upper_0.9, ..."""
    if container in (None, "default"):
        return y_pred, intervals
    columns = {"prediction": y_pred}
    for i, level in enumerate(levels):
        columns[f"lower_{level}"] = np.ascontiguousarray(intervals[:, 0, i])
        columns[f"upper_{level}"] = np.ascontiguousarray(intervals[:, 1, i])
    if container == "polars":
        import polars as pl

        return pl.DataFrame(columns)
    import pandas as pd

    return pd.DataFrame(columns, index=X.index if isinstance(X, pd.DataFrame) else None)
