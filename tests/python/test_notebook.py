"""Output in notebooks: a fitted model, progress, a report."""
import html.parser
import re

import numpy as np
import pytest
from conftest import QUICK, make_rows
from sklearn import config_context
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from taut import ConformalRegressor, _core, _notebook, _progress, conformalize, exact_rank, load
from taut._report import Report

VOID = {"br", "meta", "link", "input", "img"}


class Balanced(html.parser.HTMLParser):
    """Checks that every element is closed, in order."""

    def __init__(self, text):
        super().__init__()
        self.open, self.text, self.tags = [], [], set()
        self.feed(text)
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.add(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, tag

    def handle_data(self, data):
        if "style" not in self.open and "script" not in self.open:
            self.text.append(data)

    @property
    def words(self):
        return " ".join(" ".join(self.text).split())


@pytest.fixture(scope="module")
def fitted():
    return ConformalRegressor(**QUICK).fit(*make_rows(400))


def test_a_fitted_model_tells_its_parts_its_rows_and_what_it_delivers(fitted):
    page = Balanced(_notebook.card(fitted))
    record = fitted.record_
    assert f"transformation {record['transform']} by localizer boost" in page.words
    assert "400 rows" in page.words
    for job, name in _notebook.JOBS.items():
        assert f"{name} {record[job]:,}" in page.words
    count = record["calibration_rows"]
    assert f"0.9 {exact_rank(count, 0.9) / (count + 1):.5g}" in page.words
    assert "0.99 intervals are the whole line" in page.words  # 80 calibration rows are too few for it
    assert {"svg", "polyline", "circle"} <= page.tags


def test_the_picture_ends_where_intervals_do(fitted):
    """Each dot is at the quantile of its level (x) and at the level (y)."""
    drawn = _notebook.picture(np.asarray(fitted.model_.scores))
    dots = [tuple(map(float, dot)) for dot in re.findall(r'circle cx="([\d.]+)" cy="([\d.]+)"', drawn)]
    assert len(dots) == 3
    scores = np.sort(fitted.model_.scores)
    quantiles = [scores[exact_rank(len(scores), level) - 1] for level in (0.8, 0.9, 0.95)]
    slope, base = np.polyfit(quantiles, [x for x, _ in dots], 1)
    assert slope > 0
    np.testing.assert_allclose(np.multiply(slope, quantiles) + base, [x for x, _ in dots], atol=0.1)
    slope, base = np.polyfit([0.8, 0.9, 0.95], [y for _, y in dots], 1)
    np.testing.assert_allclose(slope * np.array([0.8, 0.9, 0.95]) + base, [y for _, y in dots], atol=0.1)


@pytest.mark.parametrize("scores", [[], [1.0], [2.0, 2.0, 2.0], [np.inf, np.inf], [-3.0, -2.0], [1e-300, 1e300, 1.0, 2.0]])
def test_odd_scores_make_a_picture_or_none(scores):
    drawn = _notebook.picture(np.array(scores, dtype=float))
    assert drawn == "" or ("nan" not in drawn and "inf" not in Balanced(drawn).words)


def test_other_kinds_of_models_show_themselves(fitted, tmp_path):
    X, y = make_rows(300)
    groups = np.array(["<b>north</b>", "south"])[(X[:, 2] > 0).astype(int)]
    by_group = ConformalRegressor(**QUICK).fit(X, y, groups=groups)
    assert "within each group of" in Balanced(_notebook.card(by_group)).words
    assert "not calibrated" in Balanced(_notebook.card(ConformalRegressor(**QUICK).fit(X, y, calibrate=False))).words
    assert "predictor LinearRegression" in Balanced(_notebook.card(ConformalRegressor(LinearRegression(), **QUICK).fit(X, y))).words
    assert "of your own model" in Balanced(_notebook.card(conformalize(X, X[:, 0], y, effort="quick", random_state=0))).words
    assert "one width everywhere" in Balanced(_notebook.card(ConformalRegressor(localizer="none", **QUICK).fit(X, y))).words
    fitted.save(tmp_path / "m.taut")
    assert _notebook.card(load(tmp_path / "m.taut")) == _notebook.card(fitted)


def test_scikit_learn_decides_when_html_is_wanted(fitted):
    with config_context(display="diagram"):
        assert "taut-card" in fitted._repr_html_()
        bundle = fitted._repr_mimebundle_()
        assert "taut-card" in bundle["text/html"]
        assert bundle["text/plain"] == repr(fitted)
        unfitted = ConformalRegressor()._repr_html_()
        assert "taut-card" not in unfitted
        assert "ConformalRegressor" in unfitted
        assert "ConformalRegressor" in make_pipeline(StandardScaler(), fitted)._repr_html_()
    with config_context(display="text"):
        assert not hasattr(fitted, "_repr_html_")
        assert set(fitted._repr_mimebundle_()) == {"text/plain"}


def test_a_bar_waits_shows_and_goes(monkeypatch):
    pytest.importorskip("IPython")
    import IPython.display

    shown, clock = [], [0.0]

    class Handle:
        def display(self, bundle, raw):
            shown.append(("new", bundle["text/plain"]))

        def update(self, bundle, raw):
            shown.append(("update", bundle["text/plain"]))

    monkeypatch.setattr(IPython.display, "DisplayHandle", Handle)
    bar = _progress.NotebookBar(now=lambda: clock[0])
    bar("fitting", 0.1)
    bar.close()
    assert shown == []  # the work ended too soon for a bar
    clock[0] = 2.0
    for done in (0.2, 0.2001, 0.5):
        bar("fitting", done)
    bar.close()
    assert shown == [("new", "fitting: 20 %"), ("update", "fitting: 50 %"), ("update", "")]


def test_no_bar_outside_notebooks():
    assert _progress.bar() is None


def test_a_report_is_a_file_and_something_to_show(fitted, tmp_path):
    if not _core.can_report():
        pytest.skip("this build has no page of reports")
    X, y = make_rows(100, seed=5)
    written = fitted.report(X, y, tmp_path / "report.html")
    assert written.html == (tmp_path / "report.html").read_text(encoding="utf-8")
    shown = fitted.report(X, y, title="Rents & <costs>")
    assert shown.path is None
    assert shown.save(tmp_path / "again.html").path == str(tmp_path / "again.html")
    assert (tmp_path / "again.html").read_text(encoding="utf-8") == shown.html
    frame = Frame(shown._repr_html_())
    assert frame.page == shown.html


class Frame(html.parser.HTMLParser):
    page = None

    def __init__(self, text):
        super().__init__()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        if tag == "iframe":
            self.page = dict(attributes)["srcdoc"]


def test_the_frame_keeps_every_character():
    page = "<p title=\"a 'quote'\">1 < 2 &amp; 3</p>"
    assert Frame(Report(page)._repr_html_()).page == page


NOTEBOOK = [
    "import numpy as np, taut",
    "from taut import ConformalRegressor, _progress\n_progress.PATIENCE = 0.0",
    "rng = np.random.default_rng(0)\nX = rng.normal(size=(600, 5)); y = X[:, 0] + np.abs(X[:, 1]) * rng.normal(size=600)",
    "ConformalRegressor(random_state=0, effort='quick', predictor='network', epochs=40).fit(X, y)",
]


def test_a_notebook_runs_and_shows(monkeypatch, tmp_path):
    pytest.importorskip("nbclient", reason="nbclient is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    import nbformat
    from nbclient import NotebookClient

    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in NOTEBOOK])
    messages = []

    class Listening(NotebookClient):
        def process_message(self, message, cell, cell_index):
            messages.append(message)
            return super().process_message(message, cell, cell_index)

    Listening(notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    (result,) = [output for output in notebook.cells[-1].outputs if output["output_type"] == "execute_result"]
    assert "taut-card" in result["data"]["text/html"]
    bars = [message["content"]["data"]["text/plain"] for message in messages if message["msg_type"] in ("display_data", "update_display_data")]
    assert any(re.fullmatch(r".+: \d+ %", text) for text in bars), bars
    assert bars[-1] == ""
