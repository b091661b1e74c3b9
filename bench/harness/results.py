"""The newest rows of every measure, kept in a file, so that one can be repeated without the others."""
import json
import pathlib
import traceback

from .context import commit, load_average, now
from .rows import Missing, row


def run(measure, context):
    """Rows and conditions of one measure. If it fails, its row has the error and the other measures still run."""
    result = {"date": now(), "commit": commit(), "load": load_average(), "quick": context.quick}
    try:
        done = measure.run(context)
        result.update(done if isinstance(done, dict) else {"rows": done})
    except Missing as missing:
        result["rows"] = [row(measure.what, measure.instead, note=f"not measured: {missing}")]
    except Exception as error:
        traceback.print_exc()
        result["rows"] = [row(measure.what, measure.instead, note=f"failed: {type(error).__name__}: {error}")]
    result["load_after"] = load_average()
    return result


def read(path):
    path = pathlib.Path(path)
    return json.loads(path.read_text()) if path.exists() else {}


def keep(path, name, result):
    results = read(path)
    results[name] = result
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    whole = path.with_suffix(".tmp")
    whole.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")
    whole.replace(path)
