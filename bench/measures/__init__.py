"""The list of all measures. A measure is one file and one line here.

Each file has NAME, WHAT and INSTEAD, which are shown in the table if it fails, and run(context), which returns rows of the table.
"""
import types

from . import boosting, classes, csv, explain, fit, foreign, growth, intervals, load, localizer, metrics, million, model_rows, nearest, network, objective, one_row, paper, parquet, questions, stack_row, start, threads

_FILES = [network, paper, objective, localizer, boosting, fit, million, classes, model_rows, intervals, one_row, stack_row, questions, explain, foreign, nearest, metrics, csv, parquet, start, growth, load, threads]


def measures():
    return [types.SimpleNamespace(name=file.NAME, what=file.WHAT, instead=file.INSTEAD, run=file.run) for file in _FILES]
