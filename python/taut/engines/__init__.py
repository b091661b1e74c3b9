"""Taut on a cluster: what `taut.spark`, `taut.dask` and `taut.arrow` share. Nothing here knows an engine; each of them brings a few
functions (engine.py) and the rest is the same code, so that results do not depend on which one ran it."""
