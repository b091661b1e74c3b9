"""ConformalClassifier: scikit-learn's contract, sets with the right coverage, and the same sets as MAPIE and crepes with the same method."""
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from conftest import RANDOM_SPLITS, slow
from sklearn.base import clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import taut
from taut import ConformalClassifier


def draw(rows, seed, classes=4):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 3))
    z = X @ np.random.default_rng(99).normal(size=(3, classes)) * 1.5
    p = np.exp(z - z.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    y = (p.cumsum(axis=1) > rng.uniform(size=(rows, 1))).argmax(axis=1)
    return X, np.array(["ant", "bee", "cow", "dog", "eel", "fly"])[y]


@pytest.mark.parametrize("classifier", [ConformalClassifier(effort="quick"), slow(ConformalClassifier(LogisticRegression(), effort="quick"))],
                         ids=["own", "outside"])
def test_check_estimator(classifier):
    results = check_estimator(classifier, on_fail=None, on_skip=None, expected_failed_checks=RANDOM_SPLITS)
    assert len(results) > 40
    assert [(result["check_name"], repr(result["exception"])) for result in results if result["status"] == "failed"] == []


@pytest.mark.parametrize("estimator, options", [
    (None, {}), (None, {"by_label": True}), (None, {"conformity_score": "aps"}), slow(None, {"transform": "fixed"}),
    slow(LogisticRegression(), {}), slow(LogisticRegression(), {"by_label": True}), slow(LogisticRegression(), {"conformity_score": "aps"}),
    (LogisticRegression(), {"transform": "fixed"})], ids=str)
def test_sets_cover_and_are_nested(estimator, options):
    X, y = draw(1500, 1)
    new, labels = draw(3000, 2)
    cc = ConformalClassifier(estimator, random_state=0, effort="quick", **options).fit(X, y)
    assert list(cc.classes_) == ["ant", "bee", "cow", "dog"]
    sets, exact = (cc.predict_set(new, confidence_level=[0.8, 0.9], allow_empty=allowed) for allowed in (False, True))
    assert sets.shape == (3000, 4, 2) and sets.dtype == bool
    assert np.all(sets[:, :, 0] <= sets[:, :, 1])
    codes = np.searchsorted(cc.classes_, labels)
    for i, level in enumerate((0.8, 0.9)):
        covered = exact[np.arange(3000), codes, i]
        assert abs(covered.mean() - level) < 0.05
        if options.get("by_label"):
            for k in range(4):
                assert abs(covered[codes == k].mean() - level) < 0.12
    p = cc.predict_proba(new)
    assert np.allclose(p.sum(axis=1), 1) and np.array_equal(cc.classes_[p.argmax(axis=1)], cc.predict(new))
    evaluation = cc.evaluate(new, labels, [0.8, 0.9])
    assert evaluation["levels"][1]["mean_size"] == pytest.approx(sets[:, :, 1].sum(axis=1).mean())
    assert evaluation["levels"][1]["coverage"] == pytest.approx(sets[np.arange(3000), codes, 1].mean())
    assert evaluation["levels"][1]["exact_coverage"] == pytest.approx(exact[np.arange(3000), codes, 1].mean())


@pytest.mark.parametrize("by_label", [False, True])
def test_no_set_is_empty_unless_asked(by_label):
    X, y = draw(600, 40)
    y = np.where(X[:, 0] > 0, "up", "down")  # easy: exact sets at low levels are empty for many rows
    new, _ = draw(500, 41)
    labels = np.where(new[:, 0] > 0, "up", "down")
    cc = ConformalClassifier(LogisticRegression(), random_state=0, effort="quick", by_label=by_label, transform="fixed").fit(X, y)
    levels = [0.5, 0.8, 0.9]
    sets, exact = cc.predict_set(new, levels), cc.predict_set(new, levels, allow_empty=True)
    empty = ~exact.any(axis=1)
    assert empty[:, 0].mean() > 0.3 and (sets.sum(axis=1) >= 1).all()
    assert np.array_equal(sets.transpose(0, 2, 1)[~empty], exact.transpose(0, 2, 1)[~empty]) and (sets.sum(axis=1)[empty] == 1).all()
    assert (sets[:, :, :-1] <= sets[:, :, 1:]).all()
    if not by_label:
        probable = cc.predict_proba(new).argmax(axis=1)
        assert all(sets[row, probable[row], level] for row, level in zip(*np.nonzero(empty)))
    usual, strict = cc.evaluate(new, labels, 0.5), cc.evaluate(new, labels, 0.5, allow_empty=True)
    assert usual["levels"][0]["completed"] == strict["levels"][0]["empty"] == pytest.approx(empty[:, 0].mean())
    assert usual["levels"][0]["coverage"] > 0.9 and usual["levels"][0]["exact_coverage"] == strict["levels"][0]["coverage"]
    assert usual["alarms"] == strict["alarms"] == []


def test_a_stream_and_a_report_complete_empty_sets_too(tmp_path):
    from taut import _core

    X, y = draw(500, 42)
    y = np.where(X[:, 0] > 0, "up", "down")
    fitted = [ConformalClassifier(random_state=0, effort="quick", transform="fixed").fit(X, y) for _ in range(2)]
    new, _ = draw(300, 43)
    labels = np.where(new[:, 0] > 0, "up", "down")
    sets, exact = (cc.stream(new, labels, confidence_level=0.6, allow_empty=allowed) for cc, allowed in zip(fitted, (False, True)))
    assert (exact.sum(axis=1) == 0).any() and (sets.sum(axis=1) >= 1).all()
    assert fitted[0].stream_ == fitted[1].stream_  # what was learnt does not depend on it
    if _core.can_report():
        usual, strict = (fitted[0].report(new, labels, confidence_level=0.6, allow_empty=allowed).html for allowed in (False, True))
        assert "would be empty and hold" in usual and "would be empty and hold" not in strict and "are empty." in strict


def fitted_elsewhere():
    X, y = draw(400, 3)
    model = GaussianNB().fit(X, y)
    calibration, new = draw(100, 4), draw(500, 5)  # 101 · 0.9 is not a whole number; if it is, crepes uses the next rank
    return model, calibration, new


def classical(model, calibration, **options):
    """Fitted on arbitrary rows: with transform="fixed" only the score distribution is learned."""
    X, y = draw(60, 6)
    cc = ConformalClassifier(model, prefit=True, transform="fixed", random_state=0, **options).fit(X, y)
    return cc.calibrate(*calibration)


def test_fixed_gives_the_sets_of_mapie():
    classification = pytest.importorskip("mapie.classification")
    model, calibration, (new, _) = fitted_elsewhere()
    ours = classical(model, calibration).predict_set(new, [0.8, 0.9, 0.95], allow_empty=True)
    peer = classification.SplitConformalClassifier(model, confidence_level=[0.8, 0.9, 0.95], conformity_score="lac", prefit=True)
    theirs = peer.conformalize(*calibration).predict_set(new)[1]
    assert np.array_equal(ours, theirs)


def cumulated(p):
    """The probabilities from the largest down to each label's, summed."""
    order = np.argsort(-p, axis=1, kind="stable")
    sums = np.empty_like(p)
    np.put_along_axis(sums, order, np.take_along_axis(p, order, axis=1).cumsum(axis=1), axis=1)
    return sums


def test_adaptive_sets_are_those_of_their_definition_and_mapie_differs_by_its_draws():
    """MAPIE calibrates with scores that include a random share of the label's probability and predicts with scores that include all of it.
    With the same scores on both sides its sets are equal to ours."""
    classification = pytest.importorskip("mapie.classification")
    model, calibration, (new, _) = fitted_elsewhere()
    codes = np.searchsorted(model.classes_, calibration[1])
    p, p_new = model.predict_proba(calibration[0]), model.predict_proba(new)
    scores = cumulated(p)[np.arange(100), codes]
    ours = classical(model, calibration, conformity_score="aps").predict_set(new, 0.9, allow_empty=True)[:, :, 0]
    assert np.array_equal(ours, cumulated(p_new) <= np.sort(scores)[91 - 1] * (1 + 1e-12))
    peer = classification.SplitConformalClassifier(model, confidence_level=0.9, conformity_score="aps", prefit=True, random_state=0)
    peer.conformalize(*calibration)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = peer.predict_set(new, conformity_score_params={"include_last_label": False})[1][:, :, 0]
    drawn = scores - np.random.RandomState(0).uniform(size=100) * p[np.arange(100), codes]
    same = np.mean(theirs == (cumulated(p_new) <= np.sort(drawn)[91 - 1]))
    assert same > 0.9 and np.mean(ours == theirs) < same


def test_fixed_gives_the_sets_of_crepes_also_by_label():
    crepes = pytest.importorskip("crepes")
    model, calibration, (new, _) = fitted_elsewhere()
    for by_label in (False, True):
        peer = crepes.WrapClassifier(model)
        peer.calibrate(*calibration, class_cond=by_label)
        ours = classical(model, calibration, by_label=by_label).predict_set(new, 0.9, allow_empty=True)[:, :, 0]
        theirs = peer.predict_set(new, labels=False, confidence=0.9, smoothing=False).astype(bool)
        counts = [np.sum(calibration[1] == label) if by_label else len(calibration[1]) for label in model.classes_]
        same = [k for k, n in enumerate(counts) if (n + 1) * 9 % 10 != 0]
        assert same and np.array_equal(ours[:, same], theirs[:, same])


def test_given_probabilities():
    model, calibration, (new, labels) = fitted_elsewhere()
    X, y = draw(800, 7)
    cc = ConformalClassifier(prefit=True, random_state=0, transform="fixed").fit(X, y, y_proba=model.predict_proba(X))
    with pytest.raises(ValueError, match="y_proba"):
        cc.predict_set(new)
    sets = cc.predict_set(new, 0.9, y_proba=model.predict_proba(new))[:, :, 0]
    other = ConformalClassifier(model, prefit=True, random_state=0, transform="fixed").fit(X, y)
    assert np.array_equal(sets, other.predict_set(new, 0.9)[:, :, 0])
    assert np.array_equal(cc.predict_proba(new, y_proba=model.predict_proba(new)), model.predict_proba(new))
    with pytest.raises(ValueError, match="shape"):
        cc.predict_set(new, y_proba=model.predict_proba(new)[:, :2])


def test_files_pickles_and_clones(tmp_path):
    X, y = draw(500, 8)
    cc = ConformalClassifier(random_state=1, by_label=True, effort="quick").fit(X, y)
    sets = cc.predict_set(X, [0.8, 0.9])
    assert np.array_equal(pickle.loads(pickle.dumps(cc)).predict_set(X, [0.8, 0.9]), sets)
    cc.save(tmp_path / "m.taut")
    loaded = taut.load(tmp_path / "m.taut")
    assert isinstance(loaded, ConformalClassifier) and loaded.by_label
    assert np.array_equal(loaded.predict_set(X, [0.8, 0.9]), sets) and list(loaded.classes_) == list(cc.classes_)
    again = clone(cc).fit(X, y)
    assert again.model_.to_bytes() == cc.model_.to_bytes()
    outside = ConformalClassifier(LogisticRegression(), random_state=1).fit(X, y)
    with pytest.raises(ValueError, match="the probabilities come from your LogisticRegression.*joblib"):
        outside.save(tmp_path / "o.taut")
    assert not (tmp_path / "o.taut").exists()
    outside.save(tmp_path / "o.taut", without_estimator=True)
    back = taut.load(tmp_path / "o.taut", estimator=outside.estimators_)
    assert np.array_equal(back.predict_set(X, 0.9), outside.predict_set(X, 0.9))
    with pytest.raises(NotFittedError):
        ConformalClassifier().predict_set(X)


def test_labels_of_any_kind():
    X, y = draw(400, 9)
    names = np.unique(y)
    for labels in (np.array([3, 1, 10, 2]), np.array([-1.0, 0.0, 1.0, 7.0]), np.array(["", "NA", "a", "b|c"]), np.array(["A", "a", "B", "b"])):
        target = labels[np.searchsorted(names, y)]
        cc = ConformalClassifier(random_state=0, effort="quick").fit(X, target)
        assert np.array_equal(cc.classes_, np.unique(target))
        same = ConformalClassifier(random_state=0, effort="quick").fit(X, np.searchsorted(np.unique(target), target))
        assert np.array_equal(cc.predict_set(X, 0.9), same.predict_set(X, 0.9))
        assert np.mean(cc.predict(X) == target) > 0.5
    two = np.where(X[:, 0] > 0, True, False)
    assert ConformalClassifier(random_state=0, effort="quick").fit(X, two).predict_set(X).shape == (400, 2, 1)


def test_frames_with_categories_and_groups():
    X, y = draw(1200, 10)
    frame = pd.DataFrame(X, columns=["a", "b", "c"]).assign(region=np.where(X[:, 0] > 0, "north", "south"))
    cc = ConformalClassifier(random_state=0, by="region", effort="quick").fit(frame, y)
    assert [group["name"] for group in cc.model_.calibration["groups"]] == ["south", "north"]  # in the order of their first rows
    new, labels = draw(1500, 11)
    table = pd.DataFrame(new, columns=["a", "b", "c"]).assign(region=np.where(new[:, 0] > 0, "north", "south"))
    lines = cc.evaluate(table, labels, 0.9, by="region")["levels"][0]["by_group"]
    assert {line["name"] for line in lines} == {"north", "south"} and all(line["coverage"] > 0.82 for line in lines)


def test_it_is_a_classifier_for_scikit_learn():
    X, y = draw(400, 12)
    assert is_classifier(ConformalClassifier())
    scores = cross_val_score(make_pipeline(StandardScaler(), ConformalClassifier(effort="quick", random_state=0)), X, y, cv=3)
    assert scores.mean() > 0.4


def test_what_makes_no_sense_is_refused():
    X, y = draw(100, 13)
    for bad, words in (({"conformity_score": "smallest"}, "lac"), ({"objective": "power:0.5"}, "size or conditional"), ({"transform": "erc"}, "fixed")):
        with pytest.raises(ValueError, match=words):
            ConformalClassifier(**bad).fit(X, y)
    with pytest.raises(ValueError, match="one class"):
        ConformalClassifier().fit(X, np.zeros(100))
    with pytest.raises(TypeError, match="predict_proba"):
        ConformalClassifier(object()).fit(X, y)
    with pytest.raises(ValueError, match="prefit"):
        ConformalClassifier(prefit=True).fit(X, y)


def drifting(rows, seed):
    """Rows whose labels stop depending on the inputs half way."""
    X, y = draw(rows, seed)
    rng = np.random.default_rng(seed)
    return X, np.where((np.arange(rows) >= rows // 2) & (rng.uniform(size=rows) < 0.5), rng.permutation(y), y)


def covered(cc, sets, y):
    return sets[np.arange(len(y)), np.searchsorted(cc.classes_, y), 0]


@pytest.mark.parametrize("estimator", [None, slow(LogisticRegression())], ids=["own", "outside"])
def test_a_stream_follows_labels_that_change(estimator):
    X, y = drifting(4000, 21)
    cc = ConformalClassifier(estimator, random_state=0, effort="quick").fit(*draw(1000, 20))
    still = covered(cc, cc.predict_set(X, 0.9), y)[2000:].mean()
    sets = cc.stream(X, y, confidence_level=0.9)
    assert sets.shape == (4000, 4, 1) and sets.dtype == bool
    assert still < 0.85 and abs(covered(cc, sets, y)[2000:].mean() - 0.9) < 0.02
    assert cc.stream_["targets"] == 4000 and cc.stream_["levels"] == [0.9]


def test_a_stream_in_pieces_with_labels_that_lack(tmp_path):
    X, y = draw(600, 23)
    some = pd.Series(y).where(np.arange(600) % 7 > 0).to_numpy(dtype=object)
    whole, parted = (ConformalClassifier(random_state=0, effort="quick").fit(*draw(500, 22)) for _ in range(2))
    at_once = whole.stream(X, some, 3, [0.8, 0.9])
    first = parted.stream(X[:200], list(some[:200]), 3, [0.8, 0.9])
    parted.save(tmp_path / "half.taut")
    rest = taut.load(tmp_path / "half.taut").stream(X[200:], some[200:], confidence_level=[0.8, 0.9])
    assert np.array_equal(at_once, np.concatenate([first, rest]))
    assert whole.stream_["targets"] == np.sum(np.arange(597) % 7 > 0)  # the last three are not known yet


def test_rows_without_a_label_are_answered_only():
    cc = ConformalClassifier(random_state=0, effort="quick").fit(*draw(500, 22))
    X = draw(5, 23)[0]
    assert np.array_equal(cc.stream(X), cc.stream(X, [None] * 5)) and cc.stream_["targets"] == 0 and cc.stream_["rows"] == 10
    cc.stream(X[:2], [np.nan, "no such label"])
    assert cc.stream_["targets"] == 1  # a label that no training row had is a miss


def test_update_moves_the_sets_and_takes_later_rows_only():
    train, later = draw(500, 24), drifting(1500, 25)
    cc = ConformalClassifier(random_state=0, effort="quick").fit(*train)
    before = cc.predict_set(later[0], 0.9).sum()
    assert cc.update(*later) is cc
    assert cc.predict_set(later[0], 0.9).sum() > before and cc.record_["calibration_rows"] == 1000  # the size of the window
    with pytest.raises(ValueError, match="allow_older"):
        cc.update(*train)
    with pytest.raises(ValueError, match="plain"):
        ConformalClassifier(random_state=0, effort="quick", by_label=True).fit(*train).update(*later)


def test_rows_in_the_order_of_a_column():
    X, y = draw(600, 26)
    frame = pd.DataFrame(X, columns=list("abc")).assign(day=np.arange(600))
    cc = ConformalClassifier(random_state=0, effort="quick", order_by="day").fit(frame.iloc[::-1], y[::-1])
    with pytest.raises(ValueError, match="older than 599"):
        cc.stream(frame, y)
    assert cc.stream(frame.assign(day=frame.day + 600), y).shape == (600, 4, 1)
    with pytest.raises(ValueError, match="order_by"):
        ConformalClassifier(LogisticRegression(), order_by="day").fit(frame, y)


def test_report_is_the_page_of_the_command_line(tmp_path):
    from taut import _core

    if not _core.can_report():
        pytest.skip("this build has no page for reports: node or npm was missing")
    cc = ConformalClassifier(random_state=0, effort="quick").fit(*draw(400, 27))
    X, y = draw(300, 28)
    shown = cc.report(X, y, confidence_level=0.8, title="Animals", by="x0:2")
    assert "<title>Animals</title>" in shown.html and '"over_time":null' in shown.html and "iframe" in shown._repr_html_()
    written = cc.report(X, y, tmp_path / "page.html", in_order=True)
    assert written.html == (tmp_path / "page.html").read_text(encoding="utf-8") and '"over_time":{' in written.html
    assert cc.stream_ is None  # the model itself has learnt nothing


def test_kinds_of_calibration_and_a_check_of_shift():
    X, y = draw(900, 30)
    frame = pd.DataFrame(X, columns=list("abc")).assign(group=np.arange(900) // 3)
    cc = ConformalClassifier(random_state=0, effort="quick", drop="group").fit(*[rows[:300] for rows in (frame, y)])
    for options, kind in [({"local": True}, "local"), ({"towards": frame[600:]}, "towards"), ({"overlapping": ["a:3", "b:2"]}, "overlapping"),
                          ({"keep_together": "group"}, "hierarchical"), ({"plain": True}, "plain")]:
        cc.calibrate(frame[300:600], y[300:600], **options)
        assert cc.model_.calibration["kind"] == kind
        assert covered(cc, cc.predict_set(frame[600:], 0.9), y[600:]).mean() > 0.84
    assert cc.check_shift(frame[600:]) == []
    with pytest.warns(taut.ShiftWarning, match="'a'"):
        assert cc.check_shift(frame.assign(a=frame.a + 2))[0]["column"] == "a"
