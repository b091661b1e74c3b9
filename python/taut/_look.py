"""The kinds that are inferred for columns: of a table before a fit, and of a model after it."""
from __future__ import annotations

import numpy as np

from . import _columns, _core, _distributions, _one_row, _options, _targets
from ._types import ArrayLike, Dicts, Mapping, Names, Rows, Sequence


def look(X: Rows, y: ArrayLike | None = None, *, categorical: Names | None = None, numeric: Names | None = None,
         date: Names | Mapping[str, str] | None = None, ordered: Names | Mapping[str, Sequence[str]] | None = None,
         na: Names | Sequence[str | float] | None = None, decimal: str | None = None) -> Dicts:
    """Shows how Taut reads a table; nothing is fitted. Returns a dict for each column, with the keys of `taut look --json`:

    name, kind ("number", "date", "category", "id", ...), use ("input", "left out", "unclear": declare its kind), declared, words (why,
    and how to overrule it), cells (that hold a value), missing, different, lowest and highest (of a date in seconds since 1970),
    histogram, frequent values, warnings. Where there is one, also categories and format.

    `pandas.DataFrame(taut.look(X))` is a table of it. With y, numbers or class labels, there is an entry for the target, or for each of
    several, and warnings name columns that repeat it.
    The other parameters are those of ConformalRegressor.
    """
    X = _columns.understood(X)
    if not hasattr(X, "shape") or _one_row.is_one_row(X):
        raise TypeError(f"look takes a table or an array of two dimensions, got {type(X).__name__}")
    names = _columns.names_of(X)
    declared = {"categorical": categorical, "numeric": numeric, "date": date, "ordered": ordered, "na": na, "decimal": decimal}
    options = _options.for_core({**declared, "random_state": 0})
    columns, labels = {}, {}
    several = None if y is None else _targets.SeveralColumns.of(y)
    if several is not None:
        targets = several.names_beside(names)
        options["target"] = ",".join(targets)
        columns.update(zip(targets, several.numbers(may_lack=True).T))
    elif y is not None:
        name = options["target"] = _columns.free_name("y", names)
        if _targets.holds_labels(y):
            labels[name] = np.asarray(y, dtype=object)
        else:
            columns[name] = _targets.numeric_target(_targets.numbers_of(y), may_lack=True)
    table = _columns.table_of(X, names, labels, **columns)
    return [*_core.look(table, options), *of_other_types(table, names)]


def columns_of(model, table, names):
    """The facts of each column of the table of a fit, in its order: the kind that was inferred, and its use."""
    facts = {fact["name"]: fact for fact in [*model.column_facts, *of_other_types(table, names)]}
    for option in ("drop", "keep_together", "sample_weight", "exposure"):
        named = model.options[option]
        for name in ([named] if named else []) if isinstance(named, str) else named:
            facts.setdefault(name, {"name": name, "kind": "", "use": "left out", "words": f"left out: {option} names it"})
    for name in _distributions.names_in(model.options)[0]:
        facts.setdefault(name, {"name": name, "kind": "number", "use": "left out", "words": "left out as input: it belongs to the given distribution"})
    return [facts[name] for name in names]


def of_other_types(table, names):
    """Columns that C++ does not read, such as lists. The notes of the table give the reason."""
    known = set(table.names)
    facts = []
    for name in names:
        if name not in known:
            place = f"{_columns.SOURCE}, column '{name}': "
            words = next(note[len(place):] for note in table.notes if note.startswith(place))
            facts.append({"name": name, "kind": "other", "use": "left out", "words": words})
    return facts


def sentences(record, model):
    """The messages of `taut fit` on rows and columns."""
    skipped = record["skipped_rows"]
    lines = [f"{skipped:,} row{'s' if skipped > 1 else ''} without a target left out"] if skipped > 0 else []
    return lines + [f"column '{fact['name']}': {fact['words']}" for fact in model.column_facts if fact["words"]]
