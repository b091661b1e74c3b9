"""Taut on a cluster: the code that `taut.spark`, `taut.dask` and `taut.arrow` share. It does not depend on an engine: each engine implements
a few functions (engine.py), and the rest is the same code, so that results do not depend on the engine."""
