"""The display of a fitted estimator in a notebook: parts, rows, delivered coverage, a small chart."""
from html import escape

import numpy as np
from sklearn import get_config
from sklearn.utils import estimator_html_repr

from .residuals import exact_rank

LEVELS = (0.8, 0.9, 0.95, 0.99)
JOBS = {"predictor_rows": "predictor", "transform_rows": "transformation", "validation_rows": "validation", "calibration_rows": "calibration"}
KINDS = {"by-group": "within each group of", "by-label": "for the rows of each true label", "hierarchical": "for a new value of",
         "local": "near the row to predict", "overlapping": "within overlapping groups of", "weighted": "with weights"}
# Colours come from the notebook's own theme, so that dark ones stay readable.
STYLE = """<style>
.taut-card {font: 13px/1.45 sans-serif; display: inline-block; border: 1px solid #8888; border-radius: 6px; padding: .6em 1em; max-width: 46em}
.taut-card table {border-collapse: collapse; margin: .3em 0} .taut-card th {text-align: left; font-weight: normal; opacity: .75}
.taut-card td, .taut-card th {padding: .1em .8em .1em 0; text-align: left; background: none; border: 0; color: inherit}
.taut-card .number {text-align: right; font-variant-numeric: tabular-nums} .taut-card .sides {display: flex; flex-wrap: wrap; gap: 0 2em}
.taut-card summary {cursor: pointer; opacity: .75} .taut-card svg {color: inherit}
</style>"""


class ShowsItself:
    """HTML for notebooks. scikit-learn decides when it is shown (set_config(display=...)) and shows the parameters; a fitted model adds a card."""

    def _html_repr(self):
        """Called by scikit-learn 1.7 and later, for `_repr_html_` and `_repr_mimebundle_`."""
        diagram = estimator_html_repr(self)
        if "model_" not in self.__dict__:
            return diagram
        return f"{card(self)}<details><summary>parameters</summary>{diagram}</details>"

    def _repr_html_inner(self):
        return self._html_repr()

    def _repr_mimebundle_(self, **kwargs):
        bundle = {"text/plain": repr(self)}
        if get_config()["display"] == "diagram":
            bundle["text/html"] = self._html_repr()
        return bundle


def card(estimator):
    model, record = estimator.model_, estimator.record_
    rows = table([(name, f"{record[job]:,}") for job, name in JOBS.items() if record[job]])
    left = f"<div><b>{record['rows']:,} rows</b>{rows}</div>"
    return f"""{STYLE}<div class="taut-card"><b>{type(estimator).__name__}</b>, fitted: {escape(estimator._describe_parts())}
<div class="sides">{left}<div>{promise(model, record, estimator._WITHOUT_ROWS)}</div>{picture(np.asarray(model.scores), model.sure)}</div></div>"""


def name_of_outside(estimator):
    """The classes of the outside estimators of a fitted model, or None if it has none."""
    if estimator.estimator is None:
        return None
    return ", ".join(sorted({type(each).__name__ for each in getattr(estimator, "estimators_", [estimator.estimator])}))


def parts_of_regressor(regressor):
    """The parts of the model, described as by `taut info`."""
    model, record = regressor.model_, regressor.record_
    if "region" in record:
        return f"joint regions of the kind {record['region']} for the targets {', '.join(regressor.target_names_)}"
    outside = name_of_outside(regressor)
    if outside is not None:
        predictor = f"predictor {outside}"
    elif model.options["quantile_columns"] or model.options["sample_columns"]:
        predictor = "a given predictive distribution"
    elif model.options["prediction"] or model.options["lower_prediction"]:
        predictor = "predictions of your own model"
    else:
        weights = [f"{member['predictor']} {member['weight']:.2g}" for member in record["stack"] if member["weight"] > 0]
        predictor = f"predictor {model.imported or model.options['predictor']}" + (f" ({', '.join(weights)})" if weights else "")
    kept = next((candidate for candidate in record["candidates"] if candidate["kept"]), None)
    if record["transform"] == "fixed" or model.options["localizer"] == "none":
        return f"{predictor}; one width everywhere"
    if kept is None:
        sides = ""
    elif kept["name"].startswith("fixed"):
        sides = ", no scale"
    else:
        sides = ", one scale for both sides" if kept["sides"] == 1 else ", a scale for each side"
    return f"{predictor}; transformation {record['transform']} by localizer {model.options['localizer']}{sides}"


def parts_of_classifier(classifier):
    """Labels, probabilities and the conformity score of the model."""
    model, record = classifier.model_, classifier.record_
    outside = name_of_outside(classifier)
    if outside is not None:
        source = f"probabilities of {outside}"
    elif model.class_options["probabilities"]:
        source = "probabilities of your own model"
    else:
        weights = [f"{name} {weight:.2g}" for name, weight in record["predictor_weights"].items() if weight > 0]
        members = f" ({', '.join(weights)})" if len(weights) > 1 else ""
        source = f"probabilities of own trees{members}"
    cut = "one cut-off everywhere" if record["transform"] == "fixed" else "a cut-off for each row"
    score = f"; conformity score {model.class_options['score']}" if model.class_options["score"] else ""
    return f"{len(model.labels)} labels; {source}{score}; {cut}"


def promise(model, record, without_rows):
    """Delivered coverage for plain calibration; for other kinds a description, because the guarantee then differs between rows."""
    kind, count = model.calibration["kind"], record["calibration_rows"]
    if count == 0:
        return f"<b>not calibrated</b>: until <code>calibrate</code> is called, {without_rows}"
    in_order = model.options.get("in_order") or model.options.get("order_by")
    if kind != "plain":
        by = model.calibration["by"] or ""
        word = "coverage if exchangeable" if in_order else "guaranteed coverage"
        return f"<b>{word}</b><br>{KINDS.get(kind, kind)} {escape(str(by))}".rstrip()
    lines = []
    for level in LEVELS:
        rank = exact_rank(count, level, model.sure)
        delivered = f"{rank / (count + 1):.5g}" if rank <= count else f"{without_rows}: too few calibration rows"
        lines.append((f"{level:g}", delivered))
    if in_order:
        return f"<b>no guaranteed coverage</b>: rows in order are not exchangeable with those that follow{table(lines, ('confidence', 'if exchangeable'))}"
    sure = f", for {100 * model.sure:g} % of calibration sets at least the confidence" if model.sure else ""
    return f"<b>guaranteed coverage{sure}</b>{table(lines, ('confidence', 'delivered'))}"


def table(lines, head=None):
    top = "" if head is None else f"<tr><th>{head[0]}</th><th>{head[1]}</th></tr>"
    return "<table>" + top + "".join(f'<tr><th>{escape(name)}</th><td class="number">{escape(value)}</td></tr>' for name, value in lines) + "</table>"


def picture(scores, sure=0.0, width=220, height=110):
    """The empirical distribution function of the calibration scores, with a mark at the score of each level."""
    scores = np.sort(scores[np.isfinite(scores)])
    if len(scores) < 2 or scores[0] == scores[-1]:
        return ""
    shown = [level for level in LEVELS[:3] if exact_rank(len(scores), level, sure) <= len(scores)]
    marks = [(scores[exact_rank(len(scores), level, sure) - 1], level) for level in shown]
    # The axis ends before the largest scores, which would compress all others.
    end = max([scores[int(0.97 * (len(scores) - 1))], *(1.05 * score for score, _ in marks)])
    start, left, bottom = min(scores[0], 0.0), 6, height - 18
    if not start < end:
        return ""

    def x(score):
        return left + (width - 40 - left) * (min(score, end) - start) / (end - start)

    def y(share):
        return bottom - (bottom - 10) * share

    at = np.unique(np.linspace(0, len(scores) - 1, 120).round().astype(int))
    at = at[scores[at] <= end]
    line = " ".join(f"{x(scores[i]):.1f},{y((i + 1) / (len(scores) + 1)):.1f}" for i in at)
    dots = "".join(f'<circle cx="{x(score):.1f}" cy="{y(level):.1f}" r="3" fill="#d95f02"/>'
                   f'<text x="{x(score) + 6:.1f}" y="{y(level) + 10:.1f}" font-size="10" fill="currentColor">{level:g}</text>' for score, level in marks)
    return (f'<svg role="img" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
            "<title>Share of calibration rows by score; an interval ends at the score of its level</title>"
            f'<path d="M{left},6V{bottom}H{width - 30}" stroke="currentColor" stroke-opacity=".5" fill="none"/>'
            f'<polyline points="{line}" stroke="#1b9e77" stroke-width="2" fill="none"/>{dots}'
            f'<text x="{left}" y="{height - 4}" font-size="10" fill="currentColor">score of calibration rows</text></svg>')
