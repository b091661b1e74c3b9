"""The parts of the site that need no packages: docstrings in the reference, and tables for small screens."""
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "site"))

import reference  # noqa: E402
import tables  # noqa: E402

DOCSTRING = """Does it.

A paragraph with a < b.

Parameters
----------
X : array-like of shape (n, p)
    The inputs.

    Another paragraph of X.
seed : the seed of all random numbers
one, two,
three : as above

Returns
-------
self : object
    Itself.

Examples
--------
>>> 1 + 1
2
"""


class Reference(unittest.TestCase):
    def test_kinds_do_not_run_into_texts(self):
        said = reference.prose(DOCSTRING)
        self.assertIn("- `X` : *array-like of shape (n, p)*\n\n    The inputs.\n\n    Another paragraph of X.\n", said)
        self.assertIn("    Another paragraph of X.\n\n- `seed` : the seed of all random numbers\n\n- `one, two", said)
        self.assertIn("- `one, two, three` : as above\n", said)
        self.assertIn("**Returns**\n\n- `self` : *object*\n\n    Itself.\n", said)
        self.assertIn("a &lt; b", said)
        self.assertTrue(said.endswith("```python\n>>> 1 + 1\n2\n```"), said)


class Tables(unittest.TestCase):
    def test_cells_of_texts_know_their_headings(self):
        page = ("<p>x</p><table>\n<thead>\n<tr>\n<th>class</th>\n<th>by <code>f</code></th>\n<th></th>\n</tr>\n</thead>\n<tbody>\n"
                "<tr>\n<td>A</td>\n<td>b &amp; c</td>\n<td>d</td>\n</tr>\n</tbody>\n</table>")
        said = tables.labelled(page)
        self.assertIn("<table data-cards>", said)
        self.assertIn('<td>A</td>\n<td data-label="by f">b &amp; c</td>\n<td>d</td>', said)
        self.assertEqual(said.count("data-label"), 1)

    def test_tables_of_numbers_and_code_stay(self):
        numbers = '<table>\n<th style="text-align: right;">n</th><td style="text-align: right;">1</td></table>'
        self.assertEqual(tables.labelled(numbers), numbers.replace("<table>", "<table data-numbers>"))
        code = '<table class="highlighttable"><tr><td>1</td></tr></table>'
        self.assertEqual(tables.labelled(code), code)


if __name__ == "__main__":
    unittest.main(verbosity=0)
