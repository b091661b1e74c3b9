"""The options of a fit, from the list of C++ (taut/options/options.hpp), with the names of scikit-learn."""
from __future__ import annotations

import inspect
import numbers
import os
import re
import textwrap
from collections.abc import Mapping
from typing import TypeVar

import numpy as np

from . import _core
from ._numbers import plain, shown

Documented = TypeVar("Documented")

LISTED = {option["parameter"]: option for option in _core.options() if option["parameter"]}


def for_core(parameters):
    """A dict of options for C++ from parameters by their Python names. None means the default of C++."""
    unknown = set(parameters) - set(LISTED)
    if unknown:
        raise TypeError(f"unexpected option '{sorted(unknown)[0]}'; there are: {', '.join(LISTED)}")
    options = {LISTED[name]["name"]: texts_of(name, plain(value)) if is_list_of_texts(name) else plain(value)
               for name, value in parameters.items() if value is not None}
    if isinstance(options.get("time"), numbers.Real) and not isinstance(options["time"], bool):
        options["time"] = f"{float(options['time']):f}"  # in seconds
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


# Options that take more than their default shows, as annotations and as words of a docstring.
SPECIAL = {
    "date": ("Names | Mapping[str, str]", "str, sequence of str or mapping"),
    "ordered": ("Names | Mapping[str, Sequence[str]]", "str, sequence of str or mapping"),
    "na": ("Names | Sequence[str | float]", "str or sequence of str or numbers"),
    "time": ("float | str", "float or str"),
    "random_state": ("RandomState", "int, numpy.random.Generator or numpy.random.RandomState"),
}


def type_of(name: str) -> tuple[str, str]:
    """The annotation of an option (without None) and its type in a docstring, from the list of C++: for "sides" `Literal['one', 'two',
    'auto']` and `{'one', 'two', 'auto'}`."""
    if name in SPECIAL:
        return SPECIAL[name]
    value, default = LISTED[name]["value"], LISTED[name]["default"]
    if re.fullmatch(r"[a-z-]+(\|[a-z-]+)+", value):
        choices = value.split("|")
        return f"Literal[{', '.join(repr(one) for one in choices)}]", f"{{{', '.join(map(repr, choices))}}}"
    if isinstance(default, list):
        return ("Names", "str or sequence of str") if is_list_of_texts(name) else ("Sequence[int]", "sequence of int")
    word = type(default).__name__
    return word, word


def documented(cls: type[Documented]) -> type[Documented]:
    """Replaces {options} in the docstring of a class: the options that its constructor has and that the docstring does not list, with their
    types, defaults and the help of the command line."""
    if cls.__doc__ is not None:  # python -OO removes docstrings
        parameters = inspect.signature(cls).parameters
        missing = [name for name in LISTED if name in parameters and not re.search(rf"(?m)^    {name} : ", cls.__doc__)]
        cls.__doc__ = cls.__doc__.replace("{options}", documentation({name: parameters[name].default for name in missing}))
    return cls


def documentation(defaults: Mapping[str, object]) -> str:
    """Options with these defaults as lines of a docstring."""
    lines = []
    for name, default in defaults.items():
        lines.append(f"{name} : {type_of(name)[1]}{' or None' if default is None else ''}, default={default!r}")
        lines += textwrap.wrap(LISTED[name]["help"], 110, initial_indent="    ", subsequent_indent="    ")
    return textwrap.indent("\n".join(lines), "    ").lstrip()
