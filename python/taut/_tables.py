"""Results that show themselves as tables: as text, and as HTML in notebooks."""
from __future__ import annotations

import math
from html import escape
from typing import NamedTuple, Union

from ._types import Any, Sequence

STYLE = """<style>
.taut-table {font: 13px/1.45 sans-serif} .taut-table table {border-collapse: collapse; margin: .3em 0}
.taut-table td, .taut-table th {padding: .1em .8em .1em 0; text-align: right; background: none; border: 0; color: inherit}
.taut-table th {font-weight: normal; opacity: .75} .taut-table td {font-variant-numeric: tabular-nums}
.taut-table td:first-child, .taut-table th:first-child {text-align: left}
</style>"""


class Table(NamedTuple):
    """The names of columns, and rows of numbers or texts."""

    head: Sequence[str]
    rows: Sequence[Sequence[Any]]

    def cells(self) -> list[list[str]]:
        return [list(self.head), *([text_of(cell) for cell in row] for row in self.rows)]


Part = Union[str, Table]


def text_of(cell: Any) -> str:
    """Numbers with four digits; an empty text for None and NaN."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return ""
    if isinstance(cell, float):
        return f"{cell:.4g}"
    return f"{cell:,}" if isinstance(cell, int) and not isinstance(cell, bool) else str(cell)


class ShownAsTables:
    """A result that consists of sentences and tables. A subclass defines `_parts`."""

    def _parts(self) -> list[Part]:
        raise NotImplementedError

    def __repr__(self) -> str:
        return "\n".join(part if isinstance(part, str) else as_text(part) for part in self._parts())

    def _repr_html_(self) -> str:
        """For notebooks."""
        parts = (f"<div>{escape(part)}</div>" if isinstance(part, str) else as_html(part) for part in self._parts())
        return f'{STYLE}<div class="taut-table">{"".join(parts)}</div>'


def as_text(table: Table) -> str:
    """The table with columns of equal width, the first one to the left and the others to the right."""
    cells = table.cells()
    widths = [max(len(row[i]) for row in cells) for i in range(len(table.head))]
    lines = []
    for row in cells:
        first, *others = (cell.ljust(width) if i == 0 else cell.rjust(width) for i, (cell, width) in enumerate(zip(row, widths)))
        lines.append("  ".join([first, *others]).rstrip())
    return "\n".join(lines)


def as_html(table: Table) -> str:
    head, *rows = table.cells()
    top = "".join(f"<th>{escape(name)}</th>" for name in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><tr>{top}</tr>{body}</table>"
