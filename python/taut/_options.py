"""The options of a fit, from the list of C++ (taut/options/options.hpp), with the names of scikit-learn."""
import numbers
import os
import textwrap
from collections.abc import Mapping

import numpy as np

from . import _core
from ._numbers import plain, shown

LISTED = {option["parameter"]: option for option in _core.options() if option["parameter"]}


def for_core(parameters):
    """A dict of options for C++ from parameters by their Python names. None means the default of C++."""
    unknown = set(parameters) - set(LISTED)
    if unknown:
        raise TypeError(f"unexpected option '{sorted(unknown)[0]}'; there are: {', '.join(LISTED)}")
    options = {LISTED[name]["name"]: texts_of(name, plain(value)) if is_list_of_texts(name) else plain(value)
               for name, value in parameters.items() if value is not None}
    options["seed"] = seed_of(parameters.get("random_state"))
    return options


def is_list_of_texts(name):
    """Whether the option is a list of texts, such as names of columns."""
    return LISTED[name]["default"] == [] and not LISTED[name]["value"].startswith("N")


def texts_of(name, value):
    """A list of texts from one text, several, or a mapping: {"size": ["S", "M", "L"]} gives "size:S<M<L", {"when": "dmy"} "when:dmy"."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        return [f"{column}:{order_of(name, column, rest)}" for column, rest in value.items()]
    if isinstance(value, (bool, numbers.Number)) or not hasattr(value, "__iter__"):
        return value  # C++ raises an error that says what is expected
    return [str(text) for text in value]


def order_of(name, column, values):
    if isinstance(values, str):
        return values
    texts = [str(value) for value in values]
    odd = next((text for text in texts if "<" in text), None)
    if odd is not None:
        raise ValueError(f"{name}: the value {odd!r} of the column '{column}' contains '<', which separates values; rename it, or make the "
                         "column an ordered categorical of pandas")
    return "<".join(texts)


def missing_numbers(na):
    """The texts in `na` that are numbers, as numbers."""
    texts = texts_of("na", na) if na is not None else []
    return [number for number in map(_core.read_cell, texts) if isinstance(number, float)] if isinstance(texts, list) else []


def from_core(options):
    """A model's options by their Python names, without those that have the default of C++."""
    return {
        name: tuple(options[option["name"]]) if isinstance(options[option["name"]], list) else options[option["name"]]
        for name, option in LISTED.items()
        if options[option["name"]] != option["default"]
    }


def seed_of(random_state):
    """The seed: an int itself, or a random number from a generator (for None from numpy's global one)."""
    if isinstance(random_state, numbers.Integral) and not isinstance(random_state, bool):
        return int(random_state)
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31 - 1))
    if random_state is None:
        random_state = np.random.mtrand._rand
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    raise ValueError(f"random_state takes an int, a numpy generator or None, got {shown(random_state)}")


def threads_of(n_jobs):
    """The number of threads for C++ from scikit-learn's n_jobs. Results do not depend on it."""
    if n_jobs is None:
        return 1
    if not isinstance(n_jobs, numbers.Integral) or isinstance(n_jobs, bool):
        raise TypeError(f"n_jobs takes a whole number or None, got {shown(n_jobs)}")
    if n_jobs == 0:
        raise ValueError("n_jobs takes a number of threads, or -1 for all cores; got 0")
    return int(n_jobs) if n_jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + int(n_jobs))


def documentation():
    """The options as lines of a docstring, with the help of the command line."""
    lines = []
    for name, option in LISTED.items():
        lines.append(f"{name} : {option['value'] or 'bool'}")
        lines += textwrap.wrap(option["help"], 110, initial_indent="    ", subsequent_indent="    ")
    return textwrap.indent("\n".join(lines), "    ")
