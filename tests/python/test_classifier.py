"""ConformalClassifier: scikit-learn's contract, sets that cover, and the same sets as MAPIE and crepes where the method is the same."""
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
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


@pytest.mark.parametrize("classifier", [ConformalClassifier(effort="quick"), ConformalClassifier(LogisticRegression(), effort="quick")],
                         ids=["own", "outside"])
def test_check_estimator(classifier):
    results = check_estimator(classifier, on_fail=None, on_skip=None)
    assert len(results) > 40
    assert [(result["check_name"], repr(result["exception"])) for result in results if result["status"] == "failed"] == []


@pytest.mark.parametrize("estimator", [None, LogisticRegression()], ids=["own", "outside"])
@pytest.mark.parametrize("options", [{}, {"by_label": True}, {"conformity_score": "cumulated"}, {"transform": "fixed"}], ids=str)
def test_sets_cover_and_are_nested(estimator, options):
    X, y = draw(1500, 1)
    new, labels = draw(3000, 2)
    cc = ConformalClassifier(estimator, random_state=0, effort="quick", **options).fit(X, y)
    assert list(cc.classes_) == ["ant", "bee", "cow", "dog"]
    sets = cc.predict_set(new, confidence_level=[0.8, 0.9])
    assert sets.shape == (3000, 4, 2) and sets.dtype == bool
    assert np.all(sets[:, :, 0] <= sets[:, :, 1])
    codes = np.searchsorted(cc.classes_, labels)
    for i, level in enumerate((0.8, 0.9)):
        covered = sets[np.arange(3000), codes, i]
        assert abs(covered.mean() - level) < 0.05
        if options.get("by_label"):
            for k in range(4):
                assert abs(covered[codes == k].mean() - level) < 0.12
    p = cc.predict_proba(new)
    assert np.allclose(p.sum(axis=1), 1) and np.array_equal(cc.classes_[p.argmax(axis=1)], cc.predict(new))
    evaluation = cc.evaluate(new, labels, [0.8, 0.9])
    assert evaluation["levels"][1]["mean_size"] == pytest.approx(sets[:, :, 1].sum(axis=1).mean())
    assert evaluation["levels"][1]["coverage"] == pytest.approx(sets[np.arange(3000), codes, 1].mean())


def fitted_elsewhere():
    X, y = draw(400, 3)
    model = GaussianNB().fit(X, y)
    calibration, new = draw(100, 4), draw(500, 5)  # 101 · 0.9 is no whole number: crepes counts one rank more where it is
    return model, calibration, new


def classical(model, calibration, **options):
    """Fitted on rows of which none matters: with transform="fixed" only the law is learned."""
    X, y = draw(60, 6)
    cc = ConformalClassifier(model, prefit=True, transform="fixed", random_state=0, **options).fit(X, y)
    return cc.calibrate(*calibration)


@pytest.mark.parametrize("name", ["lac", "aps"])
def test_fixed_gives_the_sets_of_mapie(name):
    classification = pytest.importorskip("mapie.classification")
    scores = pytest.importorskip("mapie.conformity_scores")
    model, calibration, (new, _) = fitted_elsewhere()
    score = scores.LACConformityScore() if name == "lac" else scores.APSConformityScore()
    for level in (0.8, 0.9, 0.95):
        peer = classification.SplitConformalClassifier(model, confidence_level=level, conformity_score=score, prefit=True)
        peer.conformalize(*calibration)
        # With its default, MAPIE adds the label after the last one whose score is calibrated: more than the method asks for.
        params = {} if name == "lac" else {"conformity_score_params": {"include_last_label": False}}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs = peer.predict_set(new, **params)[1][:, :, 0]
        ours = classical(model, calibration, conformity_score="least" if name == "lac" else "cumulated").predict_set(new, level)[:, :, 0]
        assert np.array_equal(ours, theirs), level


def test_fixed_gives_the_sets_of_crepes_also_by_label():
    crepes = pytest.importorskip("crepes")
    model, calibration, (new, _) = fitted_elsewhere()
    for by_label in (False, True):
        peer = crepes.WrapClassifier(model)
        peer.calibrate(*calibration, class_cond=by_label)
        ours = classical(model, calibration, by_label=by_label).predict_set(new, 0.9)[:, :, 0]
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
    outside.save(tmp_path / "o.taut")
    back = taut.load(tmp_path / "o.taut", estimator=outside.estimators_)
    assert np.array_equal(back.predict_set(X, 0.9), outside.predict_set(X, 0.9))
    with pytest.raises(NotFittedError):
        ConformalClassifier().predict_set(X)


def test_labels_of_any_kind():
    X, y = draw(400, 9)
    names = np.unique(y)
    for labels in (np.array([3, 1, 10, 2]), np.array([0.5, 1.5, 2.5, 3.5]), np.array(["", "NA", "a", "b|c"]), np.array(["A", "a", "B", "b"])):
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
    assert [group["name"] for group in cc.model_.calibration["groups"]] == ["north", "south"]
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
    for bad, words in (({"conformity_score": "smallest"}, "least"), ({"objective": "power:0.5"}, "size or conditional"), ({"transform": "erc"}, "fixed")):
        with pytest.raises(ValueError, match=words):
            ConformalClassifier(**bad).fit(X, y)
    with pytest.raises(ValueError, match="one class"):
        ConformalClassifier().fit(X, np.zeros(100))
    with pytest.raises(TypeError, match="predict_proba"):
        ConformalClassifier(object()).fit(X, y)
    with pytest.raises(ValueError, match="prefit"):
        ConformalClassifier(prefit=True).fit(X, y)
