"""Kinds of columns: they are reported, options override them, and they are the same for every library and at prediction."""
import inspect
import json
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
from conftest import QUICK, make_rows, slow
from sklearn.base import clone
from sklearn.linear_model import LinearRegression

import taut
from taut import ConformalRegressor, _options, load

ROWS = 400
DECLARED = {"categorical": ["zip"], "ordered": {"size": ["S", "M", "L"]}, "na": ["-999", "unknown"]}
FLAGS = ["--categorical", "zip", "--ordered", "size:S<M<L", "--na", "-999,unknown"]


def sales(rows=ROWS, seed=0):
    """A table of texts, with typical cells."""
    draw = np.random.default_rng(seed)
    X, y = make_rows(rows, seed)
    frame = pd.DataFrame({
        "a": [repr(value) for value in X[:, 0].tolist()],
        "b": np.where(draw.random(rows) < 0.1, "-999", [repr(value) for value in X[:, 1].round(3).tolist()]),
        "zip": draw.choice(["00501", "02138", "94110"], rows),
        "size": draw.choice(["S", "M", "L", "unknown"], rows),
        "paid": draw.choice(["yes", "No", "Unknown"], rows, p=[0.5, 0.4, 0.1]),
        "price": [f"${value:,.2f}" for value in draw.gamma(3, 900, rows)],
        "when": pd.Series(pd.Timestamp("2024-01-01") + pd.to_timedelta(draw.integers(0, 900, rows), "D")).dt.strftime("%Y-%m-%d"),
        "colour": draw.choice(["red", "green", "blue"], rows),
        "code": [f"k{value}" for value in draw.permutation(rows)],
        "one": "1",
    })
    return frame, y + 0.5 * (frame["colour"] == "red").to_numpy() + (frame["size"] == "L").to_numpy()


def typed(frame):
    """The same table with typed columns."""
    flags = frame["paid"].str.lower().map({"yes": True, "no": False})
    return frame.assign(
        a=frame["a"].astype(float), b=frame["b"].astype(float), paid=pd.array(flags.where(flags.notna(), None), dtype="boolean"),
        price=frame["price"].str.replace("[$,]", "", regex=True).astype(float), when=pd.to_datetime(frame["when"]),
        colour=frame["colour"].astype("category"), size=pd.Categorical(frame["size"].replace("unknown", None), ["S", "M", "L"], ordered=True))


FORMS = {
    "texts": lambda frame: frame,
    "typed": typed,
    "polars texts": pl.from_pandas,
    "polars": lambda frame: pl.from_pandas(typed(frame)),
    "pyarrow texts": lambda frame: pytest.importorskip("pyarrow").Table.from_pandas(frame),
    "pyarrow": lambda frame: pytest.importorskip("pyarrow").Table.from_pandas(typed(frame)),
}


@pytest.fixture(scope="module")
def fitted():
    frame, y = sales()
    return ConformalRegressor(**DECLARED, **QUICK).fit(frame, y)


def test_columns_say_what_they_were_taken_for(fitted):
    frame, _ = sales()
    facts = {fact["name"]: fact for fact in fitted.columns_}
    assert list(facts) == list(frame.columns)
    assert {name: fact["kind"] for name, fact in facts.items()} == {
        "a": "number", "b": "number", "zip": "category", "size": "ordered category", "paid": "boolean", "price": "number", "when": "date",
        "colour": "category", "code": "id", "one": "constant"}
    assert [name for name, fact in facts.items() if fact["use"] == "left out"] == ["code", "one"]
    assert facts["size"]["categories"] == ["S", "M", "L"] and facts["a"]["words"] == ""
    assert facts["price"]["words"] == "number, written like $1,234.5"
    for name, fact in facts.items():
        said = [words for words in fitted.messages_ if words.startswith(f"column '{name}': ")]
        assert said == ([f"column '{name}': {fact['words']}"] if fact["words"] else [])


@pytest.mark.parametrize("form", FORMS)
def test_new_rows_are_read_by_the_model_whatever_their_types(fitted, form):
    frame, y = sales(150, seed=1)
    new = FORMS[form](frame)
    np.testing.assert_array_equal(fitted.predict_interval(new)[1], fitted.predict_interval(frame)[1])
    np.testing.assert_array_equal(fitted.p_values(new, y), fitted.p_values(frame, y))
    assert fitted.check_shift(new) == fitted.check_shift(frame)
    assert fitted.evaluate(new, y) == fitted.evaluate(frame, y)


@pytest.mark.parametrize("form", ["texts", slow("polars texts"), slow("pyarrow texts")])
def test_texts_of_every_library_give_the_model_of_the_command_line(form, fitted, tmp_path, program):
    frame, y = sales()
    frame.assign(y=y).to_csv(tmp_path / "d.csv", index=False)
    program("fit", "d.csv", "--target", "y", "-o", "m.taut", "--effort", "quick", "--epochs", 20, "--seed", 0, *FLAGS)
    cr = ConformalRegressor(**DECLARED, **QUICK).fit(FORMS[form](frame), y)
    assert cr.model_.to_bytes() == fitted.model_.to_bytes()
    read = load(tmp_path / "m.taut")
    new, y_new = sales(150, seed=1)
    np.testing.assert_array_equal(read.predict_interval(new)[1], cr.predict_interval(new)[1])
    assert [fact for fact in read.columns_ if fact["use"] == "input"] == [fact for fact in cr.columns_ if fact["use"] == "input"]
    new.assign(y=y_new).to_csv(tmp_path / "new.csv", index=False)
    program("predict", "m.taut", "new.csv", "-o", "p.csv")
    np.testing.assert_array_equal(pd.read_csv(tmp_path / "p.csv")["upper_0.9"], read.predict_interval(new)[1][:, 1, 0])


def test_typed_columns_give_the_same_intervals_as_texts(fitted):
    frame, y = sales()
    cr = ConformalRegressor(**{**DECLARED, "ordered": None}, **QUICK).fit(typed(frame), y)
    assert [(fact["name"], fact["kind"]) for fact in cr.columns_] == [(fact["name"], fact["kind"]) for fact in fitted.columns_]
    np.testing.assert_array_equal(cr.predict_interval(typed(frame))[1], fitted.predict_interval(frame)[1])
    plain = frame.assign(price=typed(frame)["price"].map(str))  # the training rows of this model have no currency signs
    np.testing.assert_array_equal(cr.predict_interval(plain)[1], fitted.predict_interval(frame)[1])


def test_zip_codes_that_pandas_has_read_as_numbers(fitted):
    new, _ = sales(50, seed=1)
    np.testing.assert_array_equal(fitted.predict(new.assign(zip=new["zip"].astype(int))), fitted.predict(new))


@pytest.mark.parametrize("as_array", [True, False])
def test_words_for_missing_cells_are_numbers_too(as_array):
    X, y = make_rows(300)
    gaps = np.random.default_rng(3).random(X.shape) < 0.2
    marked, plain = np.where(gaps, -999.0, X), np.where(gaps, np.nan, X)
    if not as_array:
        marked, plain = pd.DataFrame(marked, columns=list("abc")), pd.DataFrame(plain, columns=list("abc"))
    cr, expected = ConformalRegressor(na=[-999], **QUICK).fit(marked, y), ConformalRegressor(**QUICK).fit(plain, y)
    for rows in (marked, plain):
        np.testing.assert_array_equal(cr.predict_interval(rows)[1], expected.predict_interval(plain)[1])
    assert cr.check_shift(marked) == expected.check_shift(plain)


def test_unseen_values_warn_but_words_for_missing_cells_do_not(fitted, recwarn):
    new, _ = sales(60, seed=1)
    first = np.arange(60) < 10  # a column that is missing in every row would be another alarm
    fitted.predict_interval(new.assign(colour=new["colour"].astype(object).mask(first, "UNKNOWN"), b=new["b"].astype(object).mask(first, "unknown")))
    assert [str(warning.message) for warning in recwarn if issubclass(warning.category, taut.TautWarning)] == []
    with pytest.warns(taut.UnseenCategoriesWarning, match="colour"):
        fitted.predict_interval(new.assign(colour="violet"))
    with pytest.warns(taut.TextAmongNumbersWarning, match="'b'"):
        fitted.predict_interval(new.assign(b="much"))


def test_decimal_commas():
    X, y = make_rows(300)
    texts = pd.DataFrame({"a": [f"{value:.3f}".replace(".", ",") for value in X[:, 0]], "b": [f"{1000 + value:.0f}" for value in 50 * X[:, 1]]})
    numbers = pd.DataFrame({"a": X[:, 0].round(3), "b": (1000 + 50 * X[:, 1]).round()})
    numbers["a"] = [float(f"{value:.3f}") for value in X[:, 0]]
    numbers["b"] = [float(f"{1000 + value:.0f}") for value in 50 * X[:, 1]]
    cr, expected = ConformalRegressor(decimal=",", **QUICK).fit(texts, y), ConformalRegressor(**QUICK).fit(numbers, y)
    for rows in (texts, numbers, pl.from_pandas(texts)):
        np.testing.assert_array_equal(cr.predict(rows), expected.predict(numbers))
    with pytest.raises(ValueError, match="decimal is '.' or ',', got ';'"):
        ConformalRegressor(decimal=";").fit(numbers, y)


def test_columns_that_are_left_out_need_not_be_of_use_at_prediction(tmp_path):
    X, y = make_rows(300, columns=4)
    X[:, 1] = 7
    cr = ConformalRegressor(drop=["x3"], **QUICK).fit(X, y)
    assert [(fact["name"], fact["use"]) for fact in cr.columns_] == [("x0", "input"), ("x1", "left out"), ("x2", "input"), ("x3", "left out")]
    expected = cr.predict(X)
    np.testing.assert_array_equal(ConformalRegressor(**QUICK).fit(X[:, [0, 2]], y).predict(X[:, [0, 2]]), expected)
    cr.save(tmp_path / "m.taut")
    np.testing.assert_array_equal(load(tmp_path / "m.taut").predict(X), expected)
    frame = pd.DataFrame(X, columns=list("abcd"))
    ConformalRegressor(drop="d", **QUICK).fit(frame, y).save(tmp_path / "n.taut")
    same = load(tmp_path / "n.taut")
    for rows in (frame, frame[["c", "a"]]):
        np.testing.assert_array_equal(same.predict(rows), expected)
    with pytest.raises(ValueError, match="no column 'c'"):
        same.predict(frame[["a", "b"]])


@pytest.mark.parametrize("estimator", [None, LinearRegression()], ids=["own", "outside"])
def test_rows_without_a_target_are_left_out_and_counted(estimator, rows):
    X, y = rows
    gaps = np.random.default_rng(1).random(len(y)) < 0.1
    QUICK = {"localizer": "none", "random_state": 0, **({} if estimator else {"predictor": "linear"})}  # quick fits; the test is about counts of rows
    expected = ConformalRegressor(estimator, **QUICK).fit(X[~gaps], y[~gaps])
    for holes, options in ((np.where(gaps, np.nan, y), {}), (pd.Series(np.where(gaps, None, y)), {}),
                           (pd.array(np.where(gaps, np.nan, y), dtype="Float64"), {}), (np.where(gaps, -999, y), {"na": [-999]})):
        cr = ConformalRegressor(estimator, skip_missing_target=True, **options, **QUICK).fit(X, holes)
        np.testing.assert_array_equal(cr.predict_interval(X)[1], expected.predict_interval(X)[1])
        assert cr.record_["skipped_rows"] == gaps.sum() and cr.record_["calibration_rows"] == expected.record_["calibration_rows"]
        assert f"{gaps.sum()} rows without a target left out" in cr.messages_
        cr.calibrate(X, holes)
        assert cr.record_["calibration_rows"] == (~gaps).sum()
        words = f"Input y contains NaN: {gaps.sum()} of 300 rows have no target, the first is row {gaps.argmax()}"
        with pytest.raises(ValueError, match=f"{words}.*skip_missing_target=True"):
            ConformalRegressor(estimator, **options, **QUICK).fit(X, holes)
        with pytest.raises(ValueError, match=words):
            cr.evaluate(X, holes)
    with pytest.raises(ValueError, match="infinity"):
        ConformalRegressor(skip_missing_target=True).fit(X, np.where(gaps, np.inf, y))


@pytest.mark.parametrize("name", ["drop", "categorical", "numeric", "date", "ordered", "na"])
def test_lists_of_texts_are_checked(name):
    frame, y = sales()
    with pytest.raises(TypeError, match=f"{name} takes a sequence of texts, got 3"):
        ConformalRegressor(**{name: 3}).fit(frame, y)
    if name != "na":
        with pytest.raises(ValueError, match="no column 'nothing'"):
            ConformalRegressor(**{name: "nothing" if name != "ordered" else {"nothing": "ab"}}, **QUICK).fit(frame, y)


def test_orders_and_questions_in_the_words_of_python():
    frame, y = sales()
    with pytest.raises(ValueError, match="the value '<5' of the column 'size' contains '<'"):
        ConformalRegressor(ordered={"size": ["<5", "5"]}).fit(frame, y)
    with pytest.raises(ValueError, match="'unknown' means a missing cell"):
        ConformalRegressor(ordered={"size": ["S", "M", "unknown"]}, na="unknown").fit(frame, y)
    frame["mixed"] = np.where(np.arange(ROWS) % 4 == 3, "many", np.arange(ROWS).astype(str))
    with pytest.raises(ValueError) as asked:
        ConformalRegressor(random_state=0).fit(frame, y)
    assert "numeric=['mixed'] (the other cells count as missing), categorical=['mixed'], or drop=['mixed']" in str(asked.value)
    assert "--" not in str(asked.value)
    assert int(re.search(r"'many' \(row (\d+)\)", str(asked.value)).group(1)) % 4 == 3  # counted from 0
    frame["day"] = np.where(np.arange(ROWS) % 2 == 0, "01/02/2024", "03/04/2024")
    with pytest.raises(ValueError, match=r"date=\['day:dmy'\] or date=\['day:mdy'\]"):
        ConformalRegressor(drop=["mixed"]).fit(frame, y)
    cr = ConformalRegressor(drop=["mixed"], date={"day": "mdy"}, **QUICK).fit(frame, y)
    assert next(fact for fact in cr.columns_ if fact["name"] == "day")["words"] == "date, 2024-01-02 to 2024-03-04, month before day"


def test_declarations_survive_clone_and_files(tmp_path):
    frame, y = sales()
    cr = clone(ConformalRegressor(**DECLARED, drop=["colour"], **QUICK)).fit(frame, y)
    cr.save(tmp_path / "m.taut")
    same = load(tmp_path / "m.taut")
    assert same.get_params()["ordered"] == ("size:S<M<L",) and same.get_params()["na"] == ("-999", "unknown")
    again = clone(same).fit(frame, y)
    np.testing.assert_array_equal(again.predict_interval(frame)[1], cr.predict_interval(frame)[1])


@pytest.mark.parametrize("form", ["texts", "polars texts", "pyarrow texts"])
def test_look_tells_what_the_command_line_tells(form, tmp_path, program):
    frame, y = sales()
    frame.assign(y=y).to_csv(tmp_path / "d.csv", index=False)
    told = json.loads(program("look", "d.csv", "--target", "y", "--json", *FLAGS))
    assert taut.look(FORMS[form](frame), y, **DECLARED) == told["columns"]


def test_look_without_a_target_and_of_arrays():
    X, y = make_rows(100)
    facts = taut.look(X)
    assert [fact["name"] for fact in facts] == ["x0", "x1", "x2"] and {fact["kind"] for fact in facts} == {"number"}
    *_, target = taut.look(X, np.where(np.arange(100) < 3, np.nan, y))
    assert target["words"] == "the target" and target["missing"] == 3
    assert target["warnings"] == ["3 rows without a readable target: correct them, or use skip_missing_target"]
    (fact,) = taut.look(pd.DataFrame({"t": y}), y)[:1]
    assert fact["warnings"] == ["repeats the target: does it exist before the target is known?"]
    pa = pytest.importorskip("pyarrow")
    facts = taut.look(pa.table({"a": y, "tags": pa.array([[1]] * 100)}))
    assert facts[1] == {"name": "tags", "kind": "other", "use": "left out", "words": "left out, it holds lists"}
    with pytest.raises(TypeError, match="look takes a table"):
        taut.look(3)


def test_look_has_the_parameters_of_the_regressor():
    for name in set(inspect.signature(taut.look).parameters) - {"X", "y"}:
        assert name in _options.LISTED


def schools(rows=300, seed=0):
    """Schools with neighbouring numbers have nothing in common; the row number says nothing."""
    draw = np.random.default_rng(seed)
    effects = np.random.default_rng(1).permutation(20)
    school, x = draw.integers(0, 20, rows), draw.normal(size=rows)
    frame = pd.DataFrame({"obs": np.arange(1, rows + 1), "schoolid": 1001 + school, "x": x})
    return frame, effects[school] + x + draw.normal(size=rows) / 2


def test_repeated_ids_become_categories_and_are_found_by_value():
    frame, y = schools()
    cr = ConformalRegressor(**QUICK).fit(frame, y)
    facts = {fact["name"]: fact for fact in cr.columns_}
    assert facts["schoolid"]["kind"] == "category" and facts["obs"]["use"] == "left out"
    assert "numeric=['schoolid']" in facts["schoolid"]["words"]
    assert sum("'schoolid' are used as ids" in sentence for sentence in cr.messages_) == 1
    expected = cr.predict(frame)
    for dtype in ("float64", "int32", "Int64", "string", "category"):
        assert np.array_equal(cr.predict(frame.astype({"schoolid": dtype})), expected), dtype
    assert np.array_equal(cr.predict(pl.from_pandas(frame)), expected)
    kept = ConformalRegressor(numeric=["schoolid", "obs"], **QUICK).fit(frame, y)
    assert {fact["name"]: fact["kind"] for fact in kept.columns_} == {"obs": "number", "schoolid": "number", "x": "number"}


def test_few_rows_are_told_of_cv_plus():
    X, y = make_rows(45, 0)
    told = [sentence for sentence in ConformalRegressor(**QUICK).fit(X, y).messages_ if "split='cv+'" in sentence]
    assert len(told) == 1 and "0.73" in told[0]
    assert not any("narrower as a rule" in sentence for sentence in ConformalRegressor(split="cv+", **QUICK).fit(X, y).messages_)


@pytest.mark.parametrize("form", ["object", "string", "category", "polars", "pyarrow"])
def test_the_text_none_is_a_level_and_the_object_none_is_missing(form):
    X, y = make_rows(300)
    cells = np.array(["None", "Driver", None, "Both"], dtype=object)[np.arange(300) % 4]
    bags = pd.Series(cells, dtype=form) if form in ("object", "string", "category") else pd.Series(cells, dtype=object)
    frame = pd.DataFrame({"a": X[:, 0], "bags": bags})
    if form == "polars":
        frame = pl.from_pandas(frame)
    elif form == "pyarrow":
        frame = pytest.importorskip("pyarrow").Table.from_pandas(frame)
    (fact,) = [fact for fact in taut.look(frame) if fact["name"] == "bags"]
    assert sorted(fact["categories"]) == ["Both", "Driver", "None"] and fact["missing"] == 75
    assert ("na=['None'] makes it missing" in fact["words"]) == (form != "category")
    (told,) = [fact for fact in taut.look(frame, na=["None"]) if fact["name"] == "bags"]
    assert sorted(told["categories"]) == ["Both", "Driver"] and told["missing"] == 150
    numbers = pd.DataFrame({"a": X[:, 0], "b": np.where(np.arange(300) % 4 == 0, "None", X[:, 1].round(3).astype(str))})
    assert [(fact["kind"], fact["missing"]) for fact in taut.look(numbers)] == [("number", 0), ("number", 75)]


def test_none_is_a_class_label():
    X, _ = make_rows(300)
    labels = np.where(X[:, 0] > 0.5, "Marked", np.where(X[:, 1] > 0, "Some", "None"))
    cc = taut.ConformalClassifier(random_state=0, effort="quick").fit(X, labels)
    assert list(cc.classes_) == ["Marked", "None", "Some"]
    assert cc.evaluate(X, labels)["rows"] == 300
    (target,) = [fact for fact in taut.look(X, labels) if fact["name"] == "y"]
    assert (target["kind"], target["missing"], target["warnings"], target["different"]) == ("category", 0, [], 3)
    assert "is a class; na=['None'] makes it missing" in target["words"]
