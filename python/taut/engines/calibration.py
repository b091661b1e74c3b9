"""Calibration on a cluster.

Up to `max_rows` rows are collected on the driver, where C++ calibrates as `taut calibrate` does: the same bytes. With more rows and plain calibration,
the workers count all scores (selection.py), and the file keeps `distribution_points` order statistics. Other kinds of calibration (groups, weights,
localized) then use a random sample of about `max_rows` rows, selected by their keys, which is exactly valid too.
"""
import functools

import numpy as np

from .. import _core, alarms
from .._groups import listed
from . import draw, keys, selection
from .batches import score_batches, table_of
from .engine import gathered, require_columns
from .model import EngineModel, model_of


DISTRIBUTION_POINTS = 9_999  # order statistics that a file keeps of more than max_rows scores


def calibrate(engine, model, rows, *, key=None, by=None, other_groups="whole-line", weights=None, keep_together=None, towards=None, local=None,
              local_in="prediction", overlapping=None, plain=False, sure=None, max_rows=1_000_000, distribution_points=None, threads=0, worker_threads=1,
              law_points=None):
    """See taut.spark.calibrate."""
    points = alarms.renamed("distribution_points", distribution_points, "law_points", law_points, DISTRIBUTION_POINTS)
    model = model_of(model)
    core = _core.Regressor.from_bytes(model.to_bytes())
    options = {"by": listed(by), "other_groups": other_groups, "weights": weights or "", "keep_together": keep_together or "",
               "local": None if local in (None, False) else 0 if local is True else int(local), "local_in": local_in,
               "overlapping": listed(overlapping), "plain": plain, "sure": sure}
    count = engine.count(rows)
    if count == 0:
        raise ValueError("there are no rows to calibrate on")
    changes = bool(by or weights or keep_together or towards is not None or options["local"] is not None or overlapping)
    is_plain = not changes and (plain or core.calibration["kind"] == "plain")
    wanted = core.sure if sure is None else sure
    if is_plain and count > max_rows:
        if wanted > 0:
            raise ValueError(f"sure={wanted:g} needs the scores of all {count:,} calibration rows, but of more than max_rows={max_rows:,} rows only order "
                             "statistics are kept; raise max_rows, or give sure=0")
        return _counted(engine, core, rows, key, count, max(1, min(points, max_rows)), threads, worker_threads)
    names = _columns(engine, rows, model, options, changes)
    if count <= max_rows:
        table, method = draw.sampled(engine, rows, names, key, max_rows, count), "all rows"
    else:
        table, method = _sampled(engine, rows, names, key, options, max_rows, count), "a draw of the rows"
    if towards is not None:
        others = draw.sampled(engine, towards, model.columns_to_predict, key, min(max_rows, 100_000), engine.count(towards))
        options["towards"] = table_of(others, model.columns_to_predict)
    alarms.of_findings(core.calibrate(table_of(table, names), threads, **options))
    return EngineModel(core, {"rows": count, "used": core.record["calibration_rows"], "method": method})


def _named(specifications):
    """The columns of "region", "age:5"; prediction and scale are not columns."""
    names = [one.partition(":")[0] for one in specifications]
    return [name for name in names if name not in ("prediction", "scale")]


def _columns(engine, rows, model, options, changes):
    wanted = [*model.columns_to_evaluate, *_named(options["by"]), *_named(options["overlapping"]), options["weights"], options["keep_together"]]
    if not changes and model.core.calibration["kind"] != "plain":
        wanted += engine.columns(rows)  # the kind stays the same, and may need columns that predicting does not need
    names = list(dict.fromkeys(name for name in wanted if name))
    require_columns(engine, rows, names, "calibration rows")
    return names


def _sampled(engine, rows, names, key, options, max_rows, count):
    """A random sample of the rows. Rows that stay together are sampled together. Every group gets an equal part of `max_rows`, unless groups are pooled."""
    if options["keep_together"]:
        return draw.sampled(engine, rows, names, options["keep_together"], max_rows, count)
    columns = _named(options["by"])
    if not columns or options["other_groups"] == "pool" or any(":" in one for one in options["by"]) or len(columns) < len(options["by"]):
        return draw.sampled(engine, rows, names, key, max_rows, count)
    sizes = gathered(engine, rows, functools.partial(draw.group_rows, columns), draw.add_counts)
    shares = {name: draw.share_for(max_rows / len(sizes), size) for name, size in sizes.items()}
    return draw.collect(engine, rows, functools.partial(draw.kept_of_groups, names, key, shares, columns), names)


def keys_of_scores(model_bytes, threads, batches):
    """Keys for two orders of the same rows: by the score, and by t, the signed score, in which rows below their prediction come first, the farthest first."""
    scores, above = score_batches(model_bytes, threads, batches)
    return {"size": selection.ordered_bits(scores), "t": signed_bits(scores, above)}


def signed_bits(scores, above):
    """Keys of t within each side, and the sides. Below f the largest score comes first."""
    bits = selection.ordered_bits(scores)
    return np.where(np.asarray(above, dtype=bool), bits, ~bits), np.asarray(above, dtype=np.uint8)


def answer_distribution(question, scored):
    """The answer of one partition. The sides below and above f are separate groups: with the side a key would have 65 bits."""
    result = {}
    if "size" in question.ranges:
        result["size"] = selection.answer(selection.Question({None: question.ranges["size"]}, question.fetch), scored["size"])[None]
    bits, above = scored["t"]
    sides = selection.answer(selection.Question({side: question.ranges[side] for side in (0, 1) if side in question.ranges}, question.fetch), bits, above)
    return {**result, **sides}


def sizes_of(scored):
    return [len(scored["size"]), int((scored["t"][1] == 0).sum())]


def add_sizes(parts):
    return [sum(part[i] for part in parts) for i in range(2)]


def distribution_ranks(rows, points):
    """The ranks of `points` order statistics of `rows` scores: ⌈j (n + 1) / (m + 1)⌉ for scores, so that no quantile is too small. In the order of t,
    ranks in the lower half are rounded down and those in the upper half up, so that lower and upper bounds keep their guarantee."""
    up = [-(-j * (rows + 1) // (points + 1)) for j in range(1, points + 1)]
    down = [max(1, j * (rows + 1) // (points + 1)) for j in range(1, points + 1)]
    return up, [down[j - 1] if 2 * j <= points + 1 else up[j - 1] for j in range(1, points + 1)]


def counted_distribution(engine, kept, points, **settings):
    """Order statistics of the kept scores: in the order of the score, in the order of t, their sides, the number of rows, and the Selection."""
    rows, below = engine.gather(kept, sizes_of, add_sizes)
    points = min(points, rows)
    of_size, of_t = distribution_ranks(rows, points)
    wanted = {"size": of_size, 0: [rank for rank in of_t if rank <= below], 1: [rank - below for rank in of_t if rank > below]}
    settings.setdefault("bins", max(1 << 16, 1 << (64 * points).bit_length() - 1))
    found = selection.Selection({name: ranks for name, ranks in wanted.items() if ranks}, **settings)
    while found.question is not None:
        found.take(engine.gather(kept, functools.partial(answer_distribution, found.question), selection.merge))
    result = found.keys()
    sizes = selection.from_ordered_bits(np.array(result["size"], dtype=np.uint64))
    lower, upper = (np.array(result.get(side, []), dtype=np.uint64) for side in (0, 1))
    by_t = np.concatenate([selection.from_ordered_bits(~lower), selection.from_ordered_bits(upper)])
    above = np.concatenate([np.zeros(len(lower), dtype=np.uint8), np.ones(len(upper), dtype=np.uint8)])
    return sizes, by_t, above, rows, found


def _counted(engine, core, rows, key, count, points, threads, worker_threads):
    """Calibrates by counting. The checks for shift and for known rows use a random sample of as many rows as there are points."""
    model = EngineModel(core)
    names = model.columns_to_evaluate
    kept = engine.map(rows, functools.partial(keys_of_scores, core.to_bytes(), worker_threads))
    try:
        sizes, by_t, above, used, found = counted_distribution(engine, kept, points)
    finally:
        engine.release(kept)
    points = len(sizes)
    table = keys.in_order(draw.sampled(engine, rows, names, key, points + 12 * points**0.5 + 100, count))
    usable = np.flatnonzero(~np.isnan(_core.row_targets(core, table_of(table, names))))
    if len(usable) < points:
        raise ValueError(f"the key has too few different values: only {len(usable):,} of {points:,} rows could be sampled; name columns that identify rows")
    alarms.of_findings(core.calibrate(table_of(table.take(usable[:points]), names), threads, plain=True, sure=0.0))
    counted = _core.with_counted_distribution(core, sizes, by_t, above)
    return EngineModel(counted, {"rows": used, "used": used, "method": "counted", "distribution_points": points, "passes": found.passes,
                                 "fetched": found.fetched})
