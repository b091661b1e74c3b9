"""Marks the tables of a page for small screens (assets/site.css). A table of texts becomes a list of cards, in which each cell shows the heading
of its column; a table of numbers scrolls beside its first column."""
import html
import itertools
import re


def labelled(page):
    return re.sub(r"(?s)<table>(.*?)</table>", lambda found: marked(found.group(1)), page)


def marked(table):
    if "text-align: right" in table:
        return f"<table data-numbers>{table}</table>"
    headings = [heading(each) for each in re.findall(r"(?s)<th[^>]*>(.*?)</th>", table)]
    rows = re.sub(r"(?s)<tr>(.*?)</tr>", lambda found: f"<tr>{cells(found.group(1), headings)}</tr>", table)
    return f"<table data-cards>{rows}</table>"


def cells(row, headings):
    """The first cell is the title of its card and needs no heading."""
    numbers = itertools.count()

    def cell(found):
        at = next(numbers)
        label = headings[at] if 0 < at < len(headings) else ""
        return f'<td data-label="{label}"{found.group(1)}>' if label else found.group(0)

    return re.sub(r"<td([^>]*)>", cell, row)


def heading(text):
    return html.escape(html.unescape(re.sub(r"<[^>]+>", "", text)).strip())
