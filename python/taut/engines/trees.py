"""A booster of XGBoost as arrays that C++ makes trees of. Both have the same semantics (float thresholds, left when x < threshold, a side for missing
cells, float sums in the order of the trees), so predictions agree in every bit."""
import json

import numpy as np


def of_booster(booster, rounds):
    """The first `rounds` trees. The booster starts from a margin of 0."""
    trees = json.loads(bytes(booster.save_raw("json")))["learner"]["gradient_booster"]["model"]["trees"][:rounds]

    def joined(name, kind):
        return np.concatenate([np.zeros(0, dtype=kind), *(np.array(tree[name], dtype=kind) for tree in trees)])

    left = joined("left_children", np.int32)
    feature = joined("split_indices", np.int32)
    feature[left < 0] = -1
    return {"initial": 0.0, "sizes": np.array([len(tree["left_children"]) for tree in trees], dtype=np.int32), "left": left,
            "right": joined("right_children", np.int32), "feature": feature, "missing_left": joined("default_left", np.uint8),
            "value": joined("split_conditions", np.float32), "cover": joined("sum_hessian", np.float32)}
