#!/usr/bin/env python3
"""fit --model: a model of another library becomes f. The models are written by hand here, so that no library is needed."""
import csv
import json
import struct

from harness import TautTest, main


def narrow(value):
    return struct.unpack("f", struct.pack("f", value))[0]


def xgboost_json(names=("a", "b"), objective="reg:squarederror", base="[5E-1]", **parameters):
    """Two trees: a < 0.25 ? (b < 1 ? 1 : 2) : 3, missing cells of a to the right; and b < 0 ? -0.5 : 0.5, missing cells to the left."""

    def tree(left, right, feature, value, default_left):
        return {"left_children": left, "right_children": right, "split_indices": feature, "split_conditions": value, "default_left": default_left,
                "categories": [], "categories_nodes": [], "categories_segments": [], "categories_sizes": [],
                "tree_param": {"size_leaf_vector": "1"}}

    trees = [tree([1, 3, -1, -1, -1], [2, 4, -1, -1, -1], [0, 1, 0, 0, 0], [0.25, 1.0, 3.0, 1.0, 2.0], [0, 0, 0, 0, 0]),
             tree([1, -1, -1], [2, -1, -1], [1, 0, 0], [0.0, -0.5, 0.5], [1, 0, 0])]
    return {"learner": {"attributes": {}, "feature_names": list(names), "feature_types": ["float"] * len(names),
                        "gradient_booster": {"name": "gbtree", "model": {"gbtree_model_param": {"num_parallel_tree": "1", "num_trees": "2"},
                                                                         "iteration_indptr": [0, 1, 2], "trees": trees}},
                        "learner_model_param": {"base_score": base, "num_class": "0", "num_feature": "2", "num_target": "1", **parameters},
                        "objective": {"name": objective}}, "version": [3, 2, 0]}


def predicted(a, b):
    first = 3.0 if a is None or not narrow(a) < 0.25 else (2.0 if b is None or not narrow(b) < 1 else 1.0)
    second = -0.5 if b is None or narrow(b) < 0 else 0.5
    return 0.5 + first + second


LIGHTGBM = """tree
version=v4
num_class=1
num_tree_per_iteration=1
label_index=0
max_feature_idx=1
objective=regression
feature_names=a b
feature_infos=[0:1] [0:1]
tree_sizes=300

Tree=0
num_leaves=2
num_cat=0
split_feature=0
threshold=0.25
decision_type=10
left_child=-1
right_child=-2
leaf_value=1 2
is_linear=0
shrinkage=1


end of trees
"""


class Foreign(TautTest):
    def rows(self, count=400, header="a,b,y"):
        state, lines = 1, [header]
        for _ in range(count):
            cells = []
            for _ in range(3):
                state = (state * 1103515245 + 12345) % 2**31
                cells.append(state / 2**30 - 1)
            a, b = round(cells[0], 2), round(cells[1] * 2, 2)
            lines.append(f"{'' if state % 11 == 0 else a},{'' if state % 7 == 0 else b},{predicted(a, b) + cells[2]}")
        return self.write("d.csv", "\n".join(lines) + "\n")

    def model(self, name="m.json", **settings):
        return self.write(name, json.dumps(xgboost_json(**settings)))

    def test_predictions_are_those_of_the_model(self):
        data = self.rows()
        self.taut("fit", data, "--target", "y", "--model", self.model(), "-o", "m.taut")
        self.taut("predict", "m.taut", data, "--keep", "a,b", "-o", "p.csv")
        with open(self.folder / "p.csv", encoding="utf-8") as file:
            found = list(csv.DictReader(file))
        self.assertEqual(len(found), 400)
        for row in found:
            a, b = (None if row[name] == "" else float(row[name]) for name in "ab")
            self.assertEqual(float(row["prediction"]), predicted(a, b))

    def test_info_says_where_it_came_from(self):
        self.taut("fit", self.rows(), "--target", "y", "--model", self.model("xgb.json"), "-o", "m.taut")
        self.assertIn("predictor XGBoost 3.2.0, 2 trees, reg:squarederror, from xgb.json", self.taut("info", "m.taut").stdout)
        parts = self.taut("info", "m.taut", "--json").json()
        self.assertEqual(parts["parts"]["imported"]["library"], "XGBoost")
        parts["rows"].pop("source")
        self.assertEqual(parts["rows"], {"all": 400, "predictor": 0, "transform": 320, "validation": 320, "without_target": 0, "of_weight_0": 0, "calibration": 80})

    def test_columns_that_do_not_match_are_named(self):
        data = self.rows()
        self.fails(1, "fit", data, "--target", "y", "--model", self.model(names=("aa", "zzzz")), "-o", "m.taut",
                   says=["d.csv", "'aa' is not there", "'zzzz' is not there"])
        texts = self.write("t.csv", "a,b,y\n" + "".join(f"{'red' if i % 2 else 'blue'},{i % 5},{i % 7}\n" for i in range(100)))
        self.fails(1, "fit", texts, "--target", "y", "--model", self.model(), "-o", "m.taut", says=["'a': the model takes numbers", "texts"])

    def test_without_names_columns_go_by_position(self):
        data = self.rows()
        unnamed = xgboost_json()
        unnamed["learner"]["feature_names"] = []
        path = self.write("u.json", json.dumps(unnamed))
        done = self.taut("fit", data, "--target", "y", "--model", path, "-o", "m.taut")
        self.assertIn("in the order of the table", done.stderr)
        self.fails(1, "fit", data, "--target", "y", "--drop", "b", "--model", path, "-o", "m.taut", says=["2 columns without names", "--drop"])

    def test_constant_columns_of_the_model_stay(self):
        lines = ["a,b,y"] + [f"1,{i % 9 - 4},{predicted(1, i % 9 - 4) + (i * 37 % 11) / 11}" for i in range(200)]
        data = self.write("c.csv", "\n".join(lines) + "\n")
        self.taut("fit", data, "--target", "y", "--model", self.model(), "-o", "m.taut")
        rows = self.write("r.csv", "a,b\n0,0\n")
        self.assertEqual(float(self.taut("predict", "m.taut", rows).stdout.splitlines()[1].split(",")[0]), predicted(0, 0))

    def test_other_tasks_and_files_are_refused_by_name(self):
        data = self.rows()
        for settings, words in [({"objective": "binary:logistic"}, "classification"), ({"objective": "rank:ndcg"}, "ranking"),
                                ({"objective": "mine"}, "not supported"), ({"num_class": "3"}, "classes"), ({"num_target": "2"}, "targets"),
                                ({"base": "[1,2]"}, "several outputs")]:
            self.fails(1, "fit", data, "--target", "y", "--model", self.model(**settings), "-o", "m.taut", says=["m.json", words])
        for text, words in [("", "empty"), ("{}", "not a model of a supported library"), ("x,y\n1,2\n", "not a model"), ("CBM1abc", "binary"),
                            (json.dumps(xgboost_json())[:-50], "cut off")]:
            self.fails(1, "fit", data, "--target", "y", "--model", self.write("bad", text), "-o", "m.taut", says=["bad", words])
        self.fails(2, "fit", data, "--target", "y", "--model", self.model(), "--predictor", "knn", "-o", "m.taut", says=["--predictor"])
        self.fails(2, "fit", data, "--target", "y", "--model", self.model(), "--prediction", "b", "-o", "m.taut", says=["--prediction"])
        self.fails(2, "fit", data, "--target", "y", "--predictor", "imported", "-o", "m.taut", says=["--model FILE"])

    def test_lightgbm_text(self):
        data = self.rows()
        self.taut("fit", data, "--target", "y", "--model", self.write("l.txt", LIGHTGBM), "-o", "m.taut")
        rows = self.write("r.csv", "a,b\n0.25,0\n0.2500001,0\n,0\n")
        lines = self.taut("predict", "m.taut", rows).stdout.splitlines()[1:]
        self.assertEqual([float(line.split(",")[0]) for line in lines], [1, 2, 1])  # <=; missing cells to the left
        self.fails(1, "fit", data, "--target", "y", "--model", self.write("l.txt", LIGHTGBM.replace("is_linear=0", "is_linear=1")), "-o", "m.taut",
                   says=["linear leaves"])
        for broken in (LIGHTGBM.replace("left_child=-1", "left_child=0"), LIGHTGBM.replace("split_feature=0", "split_feature=7"),
                       LIGHTGBM.replace("leaf_value=1 2", "leaf_value=1"), LIGHTGBM.replace("end of trees", "")):
            self.fails(1, "fit", data, "--target", "y", "--model", self.write("l.txt", broken), "-o", "m.taut", says=["l.txt"])

    def test_calibrate_explain_and_report_work(self):
        data = self.rows()
        self.taut("fit", data, "--target", "y", "--model", self.model(), "-o", "m.taut")
        self.taut("calibrate", "m.taut", data, "-o", "n.taut")
        self.taut("evaluate", "n.taut", data)
        self.assertIn("XGBoost", self.taut("explain", "m.taut", data, "--summary").stderr)


if __name__ == "__main__":
    main()
