"""Calibrating on a cluster.

Up to `max_rows` rows come to the driver, where C++ calibrates as `taut calibrate` does: the same bytes. Of more rows every score is counted where it
lies (selection.py) and the file keeps `law_points` order statistics of them; or, where rows do not all count alike (groups, weights,
neighbours), a draw of `max_rows` rows by their keys calibrates, which is exactly valid too.
"""
import functools

import numpy as np

from .. import _core, alarms
from .._groups import listed
from . import draw, keys, selection
from .batches import score_batches, table_of
from .engine import gathered, require_columns
from .model import EngineModel, model_of


def calibrate(engine, model, rows, *, key=None, by=None, other_groups="whole-line", weights=None, keep_together=None, towards=None, local=None,
              local_in="prediction", overlapping=None, plain=False, sure=None, max_rows=1_000_000, law_points=9_999, threads=0, worker_threads=1):
    model = model_of(model)
    core = _core.Regressor.from_bytes(model.to_bytes())
    how = {"by": listed(by), "other_groups": other_groups, "weights": weights or "", "keep_together": keep_together or "",
           "local": None if local in (None, False) else 0 if local is True else int(local), "local_in": local_in,
           "overlapping": listed(overlapping), "plain": plain, "sure": sure}
    count = engine.count(rows)
    if count == 0:
        raise ValueError("there are no rows to calibrate on")
    changes = bool(by or weights or keep_together or towards is not None or how["local"] is not None or overlapping)
    is_plain = not changes and (plain or core.calibration["kind"] == "plain")
    wanted = core.sure if sure is None else sure
    if is_plain and count > max_rows:
        if wanted > 0:
            raise ValueError(f"sure={wanted:g} takes the scores of all {count:,} calibration rows, and beyond max_rows={max_rows:,} they are counted; "
                             "raise max_rows, or give sure=0")
        return _counted(engine, core, rows, key, count, max(1, min(law_points, max_rows)), threads, worker_threads)
    names = _columns(engine, rows, model, how, changes)
    if count <= max_rows:
        table, method = draw.drawn(engine, rows, names, key, max_rows, count), "all rows"
    else:
        table, method = _drawn(engine, rows, names, key, how, max_rows, count), "a draw of the rows"
    if towards is not None:
        others = draw.drawn(engine, towards, model.columns_to_predict, key, min(max_rows, 100_000), engine.count(towards))
        how["towards"] = table_of(others, model.columns_to_predict)
    alarms.of_findings(core.calibrate(table_of(table, names), threads, **how))
    return EngineModel(core, {"rows": count, "used": core.record["calibration_rows"], "method": method})


def _named(specifications):
    """The columns behind "region", "age:5"; prediction and scale are none."""
    names = [one.partition(":")[0] for one in specifications]
    return [name for name in names if name not in ("prediction", "scale")]


def _columns(engine, rows, model, how, changes):
    wanted = [*model.columns_to_evaluate, *_named(how["by"]), *_named(how["overlapping"]), how["weights"], how["keep_together"]]
    if not changes and model.core.calibration["kind"] != "plain":
        wanted += engine.columns(rows)  # the kind stays, and may ask for columns that predicting does not need
    names = list(dict.fromkeys(name for name in wanted if name))
    require_columns(engine, rows, names, "calibration rows")
    return names


def _drawn(engine, rows, names, key, how, max_rows, count):
    """Rows that belong together are drawn together; every group gets an equal part of `max_rows`, unless others are to be pooled with it."""
    if how["keep_together"]:
        return draw.drawn(engine, rows, names, how["keep_together"], max_rows, count)
    columns = _named(how["by"])
    if not columns or how["other_groups"] == "pool" or any(":" in one for one in how["by"]) or len(columns) < len(how["by"]):
        return draw.drawn(engine, rows, names, key, max_rows, count)
    sizes = gathered(engine, rows, functools.partial(draw.group_rows, columns), draw.add_counts)
    shares = {name: draw.share_for(max_rows / len(sizes), size) for name, size in sizes.items()}
    return draw.collect(engine, rows, functools.partial(draw.kept_of_groups, names, key, shares, columns), names)


def keys_of_scores(model_bytes, threads, batches):
    """Two orders of the same rows: by the size of the score, and by t, in which rows below their prediction come first, the farthest first."""
    scores, above = score_batches(model_bytes, threads, batches)
    return {"size": selection.ordered_bits(scores), "t": signed_bits(scores, above)}


def signed_bits(scores, above):
    """Keys of t within each side, and the sides: below f the largest score comes first."""
    bits = selection.ordered_bits(scores)
    return np.where(np.asarray(above, dtype=bool), bits, ~bits), np.asarray(above, dtype=np.uint8)


def answer_law(question, scored):
    """Below f and above it are groups of their own: together with the side a key has 65 bits."""
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


def law_ranks(rows, points):
    """Which of `rows` scores stand for `points` rows: rank ⌈j (n + 1) / (m + 1)⌉ for sizes, so that no level is served by too small a score. In the
    order of t lower halves round down and upper ones up: bounds on either side keep their promise."""
    up = [-(-j * (rows + 1) // (points + 1)) for j in range(1, points + 1)]
    down = [max(1, j * (rows + 1) // (points + 1)) for j in range(1, points + 1)]
    return up, [down[j - 1] if 2 * j <= points + 1 else up[j - 1] for j in range(1, points + 1)]


def counted_law(engine, kept, points, **settings):
    """Order statistics of kept scores: sizes, sizes in the order of t, and their sides; and the number of rows."""
    rows, below = engine.gather(kept, sizes_of, add_sizes)
    points = min(points, rows)
    of_size, of_t = law_ranks(rows, points)
    wanted = {"size": of_size, 0: [rank for rank in of_t if rank <= below], 1: [rank - below for rank in of_t if rank > below]}
    settings.setdefault("bins", max(1 << 16, 1 << (64 * points).bit_length() - 1))
    found = selection.Selection({name: ranks for name, ranks in wanted.items() if ranks}, **settings)
    while found.question is not None:
        found.take(engine.gather(kept, functools.partial(answer_law, found.question), selection.merge))
    result = found.keys()
    sizes = selection.from_ordered_bits(np.array(result["size"], dtype=np.uint64))
    lower, upper = (np.array(result.get(side, []), dtype=np.uint64) for side in (0, 1))
    by_t = np.concatenate([selection.from_ordered_bits(~lower), selection.from_ordered_bits(upper)])
    above = np.concatenate([np.zeros(len(lower), dtype=np.uint8), np.ones(len(upper), dtype=np.uint8)])
    return sizes, by_t, above, rows, found


def _counted(engine, core, rows, key, count, points, threads, worker_threads):
    """What checks for drift and for known rows need comes from as many drawn rows as the law has points."""
    model = EngineModel(core)
    names = model.columns_to_evaluate
    kept = engine.map(rows, functools.partial(keys_of_scores, core.to_bytes(), worker_threads))
    try:
        sizes, by_t, above, used, found = counted_law(engine, kept, points)
    finally:
        engine.release(kept)
    points = len(sizes)
    table = keys.in_order(draw.drawn(engine, rows, names, key, points + 12 * points**0.5 + 100, count))
    usable = np.flatnonzero(~np.isnan(_core.row_targets(core, table_of(table, names))))
    if len(usable) < points:
        raise ValueError(f"the key has too few different values: only {len(usable):,} of {points:,} rows could be drawn; name columns that tell rows apart")
    alarms.of_findings(core.calibrate(table_of(table.take(usable[:points]), names), threads, plain=True, sure=0.0))
    counted = _core.with_counted_law(core, sizes, by_t, above)
    return EngineModel(counted, {"rows": used, "used": used, "method": "counted", "law_points": points, "passes": found.passes, "fetched": found.fetched})
