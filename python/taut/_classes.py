"""Class labels as texts, rows without a label, and probabilities given by the user."""
import sys

import numpy as np

from . import _core

UNKNOWN = "a label that no training row had"


def texts_of(classes):
    """Labels for C++: their texts, or numbers if C++ would read two of the texts as equal or one as missing."""
    texts = [str(label) for label in classes.tolist()]
    keys = {text.lower() for text in texts}
    reads = [_core.read_cell(text) for text in texts]
    odd = any(isinstance(value, float) and np.isnan(value) for value in reads) or any(text != text.strip() or not text for text in texts)
    odd = odd or UNKNOWN in texts or len({value for value in reads if isinstance(value, float)}) < sum(isinstance(value, float) for value in reads)
    return [str(k) for k in range(len(texts))] if odd or len(keys) < len(texts) else texts


def free_prefix(prefix, names):
    while any(name.startswith(prefix) for name in names):
        prefix += "_"
    return prefix


def given(y_proba, rows, classes):
    """The given probabilities as an array (rows, classes)."""
    p = np.asarray(y_proba, dtype=np.float64)
    if p.shape != (rows, classes):
        raise ValueError(f"y_proba: expected a probability for each of {rows} rows and {classes} classes, got shape {p.shape}")
    return p


def lacking(y):
    """A mask of the rows without a label: None, NaN, pandas.NA."""
    absent = getattr(sys.modules.get("pandas"), "NA", None)
    return np.array([label is None or label is absent or label != label for label in np.asarray(y, dtype=object).reshape(-1)], dtype=bool)


def filled(y, lacks, label):
    """`y` as an array in which `label` replaces missing labels."""
    if not lacks.any():
        return y
    return np.array([label if lacking_one else one for one, lacking_one in zip(np.asarray(y, dtype=object).reshape(-1).tolist(), lacks)])


def without(y, lacks):
    """The labels of an array `y` that are not missing, with a type of their own: the column of labels with gaps holds objects."""
    return np.array(y[~lacks].tolist()) if lacks.any() else y
