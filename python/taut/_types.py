"""Types in the signatures of the package."""
from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NoReturn, Protocol, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from typing_extensions import Self, TypeAlias, Unpack
elif sys.version_info >= (3, 11):
    from typing import Self, TypeAlias, Unpack
else:
    from typing import Any as Self
    from typing import Generic as Unpack
    from typing import TypeAlias

__all__ = ["Any", "ArrayLike", "BoolArray", "Container", "Dicts", "FloatArray", "Labels", "Levels", "Library", "Literal", "Mapping",
           "NDArray", "Names", "Never", "Path", "RandomState", "Rows", "Self", "Sequence", "Unpack"]

Never: TypeAlias = NoReturn  # of keyword arguments that are refused with an explanation
FloatArray: TypeAlias = NDArray[np.float64]
BoolArray: TypeAlias = NDArray[np.bool_]
Labels: TypeAlias = NDArray[Any]
Levels: TypeAlias = Union[float, Sequence[float], "NDArray[np.floating[Any]]"]  # one confidence level, or several
Names: TypeAlias = Union[str, Sequence[str]]  # one name of a column, or several
RandomState: TypeAlias = Union[int, np.random.Generator, np.random.RandomState]
Path: TypeAlias = Union[str, "os.PathLike[str]"]
Dicts: TypeAlias = "list[dict[str, Any]]"
Library: TypeAlias = Literal["pandas", "polars"]
Container: TypeAlias = Literal["default", "pandas", "polars"]


class ArrowStream(Protocol):
    """A table of polars, pyarrow, DuckDB and others."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


class Interchange(Protocol):
    """A table with the dataframe interchange protocol."""

    def __dataframe__(self, nan_as_null: bool = False, allow_copy: bool = True) -> Any: ...


class Sparse(Protocol):
    """A sparse matrix or array of scipy."""

    def tocsc(self) -> Any: ...


# Rows of inputs: an array, a table of any library, or one row as a mapping from names of columns to cells, such as a Series of pandas.
Rows: TypeAlias = Union[ArrayLike, ArrowStream, Interchange, Sparse, Mapping[str, object]]
