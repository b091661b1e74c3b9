"""Joint regions for several targets by other methods: peers of bench/several_table.py.

Each form is a function of the rows, the confidence levels, the seed and the threads, listed in FORMS. It returns {level: Region} and a sampler of the
joint distribution, or None where the method has none. Targets are in units of the deviation over the training rows (`Rows`). `Shared` computes the base
models once for all forms and charges its time to each form that uses it.

Boxes: `bonferroni_split`, `bonferroni_cqr` give every target its own interval at 1 - alpha / d; `max_split`, `max_scaled` and `m_cp` take the maximum
over the targets of one score and one rank. `m_cp` is M-CP of Dheur et al. (arXiv 2501.10533): quantiles at alpha / 2 and 1 - alpha / 2.
Regions of a joint distribution, of the same study: `dr_cp` (density), `c_hdr` (highest-density regions), `pcp` and `c_pcp` (balls around samples), each
on two base models: `_lgbm`, LightGBM for mean and scale of every target with a Gaussian mixture of the standardised out-of-fold residual vectors, and
`_forest`, the targets of the training rows in the leaves of a forest, smoothed by a Gaussian kernel (the study's forest is of another kind).
`mapie_ellipsoid`: mapie.experimental of MAPIE 1.6, a network for mean and covariance; it needs torch.
"""
import contextlib
import functools
import time

import numpy as np
from distribution_table import fit_lightgbm
from interval_runs import conformal_quantile
from joint_regions import Balls, Box, DensityRegion, Ellipsoid, Kernels, MixtureOfResiduals, nearest

SAMPLES = 100  # of each row: reference points of pcp, and draws that c_hdr and c_pcp rank against


def of_folds(fit, x, y, count=5):
    """Out-of-fold predictions."""
    from sklearn.model_selection import KFold

    result = np.empty(len(y))
    for fitted, held in KFold(count).split(x):
        result[held] = fit(x[fitted], y[fitted]).predict(x[held])
    return result


class Rows:
    """The same rows for every form: x as arrays with NaN for missing cells, y in units of the deviation over the training rows."""

    def __init__(self, parts, seed, threads):
        self.unit = parts["train"][1].std(axis=0)
        self.unit[self.unit == 0] = 1
        self.x = {name: np.asarray(x, float) for name, (x, _) in parts.items()}
        self.y = {name: y / self.unit for name, (_, y) in parts.items()}
        self.d, self.seed, self.threads = len(self.unit), seed, threads


def timed(method):
    """Computes once, and notes the processor time without that of other such methods, which are noted by themselves."""

    @functools.wraps(method)
    def work(self, *arguments):
        key = (method.__name__, *arguments)
        if key not in self.found:
            with self.clock(key):
                self.found[key] = method(self, *arguments)
        self.frames[-1]["uses"] |= {key, *self.uses[key]}
        return self.found[key]
    return work


class Shared:
    """Base models, computed when a form first needs them. A form pays for all that it uses, whoever needed it first."""

    def __init__(self, rows):
        self.rows, self.found, self.costs, self.uses = rows, {}, {}, {}
        self.frames = [{"uses": set(), "inside": 0.0}]

    @contextlib.contextmanager
    def clock(self, key):
        self.frames.append({"uses": set(), "inside": 0.0})
        start = time.process_time()
        yield
        spent, frame = time.process_time() - start, self.frames.pop()
        self.costs[key], self.uses[key] = spent - frame["inside"], frame["uses"]
        self.frames[-1]["inside"] += spent

    def run(self, name, levels):
        """What the form returns, and its processor seconds."""
        with self.clock(name):
            found = FORMS[name](self.rows, self, levels)
        return found, self.costs[name] + sum(self.costs[key] for key in self.uses[name])

    def fit(self, x, y, **loss):
        return fit_lightgbm(x, y, self.rows.seed, self.rows.threads, **loss)

    @timed
    def mean(self, j):
        model = self.fit(self.rows.x["train"], self.rows.y["train"][:, j])
        return {part: model.predict(self.rows.x[part]) for part in ("calibrate", "test")}

    @timed
    def residuals(self, j):
        """Out-of-fold residuals of the training rows."""
        x, y = self.rows.x["train"], self.rows.y["train"][:, j]
        return y - of_folds(self.fit, x, y)

    @timed
    def scale(self, j):
        """A model of the mean absolute residual, at least a hundredth of its mean; out of fold for the training rows."""
        x, size = self.rows.x["train"], np.abs(self.residuals(j))
        least, model = max(size.mean() / 100, 1e-9), self.fit(x, size)
        found = {part: np.maximum(model.predict(self.rows.x[part]), least) for part in ("calibrate", "test")}
        return {**found, "train": np.maximum(of_folds(self.fit, x, size), least)}

    @timed
    def quantile(self, j, share):
        model = self.fit(self.rows.x["train"], self.rows.y["train"][:, j], objective="quantile", alpha=share)
        return {part: model.predict(self.rows.x[part]) for part in ("calibrate", "test")}

    @timed
    def lgbm(self):
        """{part: distribution}. The number of components is chosen by BIC."""
        from sklearn.mixture import GaussianMixture

        z = np.column_stack([self.residuals(j) / self.scale(j)["train"] for j in range(self.rows.d)])
        candidates = [GaussianMixture(count, reg_covar=1e-4, random_state=self.rows.seed).fit(z) for count in (1, 2, 4, 8) if len(z) >= 30 * count]
        mixture = min(candidates, key=lambda found: found.bic(z))
        return {part: MixtureOfResiduals(np.column_stack([self.mean(j)[part] for j in range(self.rows.d)]),
                                         np.column_stack([self.scale(j)[part] for j in range(self.rows.d)]), mixture)
                for part in ("calibrate", "test")}

    @timed
    def forest(self):
        """{part: distribution}: targets of training rows that share a leaf, with Silverman's width for each row."""
        from sklearn.ensemble import RandomForestRegressor

        x, y = self.rows.x, self.rows.y["train"]
        forest = RandomForestRegressor(n_estimators=100, min_samples_leaf=5, max_features=1 / 3, random_state=self.rows.seed, n_jobs=self.rows.threads)
        leaves = forest.fit(x["train"], y).apply(x["train"])
        draw, result = np.random.default_rng(self.rows.seed), {}
        members = [dict(zip(*grouped(leaves[:, tree]))) for tree in range(leaves.shape[1])]
        for part in ("calibrate", "test"):
            at = forest.apply(x[part])
            points = np.empty((len(at), 2 * SAMPLES, self.rows.d))
            for row in range(len(at)):
                for i in range(points.shape[1]):
                    tree = i % leaves.shape[1]
                    points[row, i] = y[draw.choice(members[tree][at[row, tree]])]
            width = points.std(axis=1) * (4 / (self.rows.d + 2) / points.shape[1]) ** (1 / (self.rows.d + 4))
            result[part] = Kernels(points, np.maximum(width, 1e-3))
        return result


def grouped(labels):
    """The different labels, and for each the positions that have it."""
    order = np.argsort(labels, kind="stable")
    names, starts = np.unique(labels[order], return_index=True)
    return names, np.split(order, starts[1:])


def bonferroni(rows, levels, low, high):
    """Boxes of intervals at 1 - alpha / d. `low`, `high`: {level: {part: (rows, targets)}}."""
    result = {}
    for level in levels:
        each = 1 - (1 - level) / rows.d
        score = np.maximum(low[level]["calibrate"] - rows.y["calibrate"], rows.y["calibrate"] - high[level]["calibrate"])
        # Levels such as 1 - 0.1 / 3 are no thousandths: the rank is rounded up.
        rank = int(np.ceil((len(score) + 1) * each - 1e-9))
        reach = np.sort(score, axis=0)[rank - 1] if rank <= len(score) else np.full(rows.d, np.inf)
        result[level] = Box(low[level]["test"] - reach, high[level]["test"] + reach)
    return result


def columns(found, parts=("calibrate", "test")):
    return {part: np.column_stack([one[part] for one in found]) for part in parts}


def bonferroni_split(rows, shared, levels):
    f = columns([shared.mean(j) for j in range(rows.d)])
    return bonferroni(rows, levels, dict.fromkeys(levels, f), dict.fromkeys(levels, f)), None


def quantile_ends(rows, shared, levels, divide):
    low, high = {}, {}
    for level in levels:
        share = round((1 - level) / 2 / divide, 6)
        low[level] = columns([shared.quantile(j, share) for j in range(rows.d)])
        high[level] = columns([shared.quantile(j, round(1 - share, 6)) for j in range(rows.d)])
    return low, high


def bonferroni_cqr(rows, shared, levels):
    return bonferroni(rows, levels, *quantile_ends(rows, shared, levels, rows.d)), None


def boxes(rows, levels, f, scale):
    """Boxes f ± q scale, q by the rank of the largest scaled residual."""
    scores = (np.abs(rows.y["calibrate"] - f["calibrate"]) / scale["calibrate"]).max(axis=1)
    return {level: Box(f["test"] - conformal_quantile(scores, level) * scale["test"], f["test"] + conformal_quantile(scores, level) * scale["test"])
            for level in levels}


def max_split(rows, shared, levels):
    f = columns([shared.mean(j) for j in range(rows.d)])
    size = np.array([np.abs(shared.residuals(j)).mean() for j in range(rows.d)])
    return boxes(rows, levels, f, {part: np.broadcast_to(size, f[part].shape) for part in f}), None


def max_scaled(rows, shared, levels):
    return boxes(rows, levels, columns([shared.mean(j) for j in range(rows.d)]), columns([shared.scale(j) for j in range(rows.d)])), None


def m_cp(rows, shared, levels):
    low, high = quantile_ends(rows, shared, levels, 1)
    result = {}
    for level in levels:
        y = rows.y["calibrate"]
        reach = conformal_quantile(np.maximum(low[level]["calibrate"] - y, y - high[level]["calibrate"]).max(axis=1), level)
        result[level] = Box(low[level]["test"] - reach, high[level]["test"] + reach)
    return result, None


def sampler(distribution, seed):
    return lambda count: distribution.sample(np.random.default_rng([seed, 7]), count)


def dr_cp(rows, base, levels):
    """The score is minus the density: one threshold for all rows."""
    scores = -base["calibrate"].log_density(rows.y["calibrate"][:, None, :])[:, 0]
    return {level: DensityRegion(base["test"], -conformal_quantile(scores, level), rows.seed) for level in levels}


def c_hdr(rows, base, levels):
    """The score is the share of samples whose density is higher."""
    draw = np.random.default_rng([rows.seed, 1])
    at = base["calibrate"].log_density(rows.y["calibrate"][:, None, :])
    scores = (base["calibrate"].log_density(base["calibrate"].sample(draw, SAMPLES)) > at).sum(axis=1)
    sampled = -np.sort(-base["test"].log_density(base["test"].sample(draw, SAMPLES)), axis=1)
    result = {}
    for level in levels:
        count = conformal_quantile(scores, level)
        thresholds = sampled[:, int(count)] if count < SAMPLES else np.full(len(sampled), -np.inf)
        result[level] = DensityRegion(base["test"], thresholds, rows.seed)
    return result


def pcp(rows, base, levels):
    """The score is the distance to the nearest of the row's samples."""
    draw = np.random.default_rng([rows.seed, 2])
    scores = nearest(base["calibrate"].sample(draw, SAMPLES), rows.y["calibrate"][:, None, :])[:, 0]
    points = base["test"].sample(draw, SAMPLES)
    return {level: Balls(points, conformal_quantile(scores, level), rows.seed) for level in levels}


def c_pcp(rows, base, levels):
    """The score is the share of further samples that are nearer to the first ones."""
    draw = np.random.default_rng([rows.seed, 3])
    points = base["calibrate"].sample(draw, SAMPLES)
    at = nearest(points, rows.y["calibrate"][:, None, :])
    scores = (nearest(points, base["calibrate"].sample(draw, SAMPLES)) < at).sum(axis=1)
    points = base["test"].sample(draw, SAMPLES)
    reach = np.sort(nearest(points, base["test"].sample(draw, SAMPLES)), axis=1)
    result = {}
    for level in levels:
        count = conformal_quantile(scores, level)
        result[level] = Balls(points, reach[:, int(count)] if count < SAMPLES else np.inf, rows.seed)
    return result


def on_base(form, name):
    def work(rows, shared, levels):
        base = getattr(shared, name)()
        return form(rows, base, levels), sampler(base["test"], rows.seed)
    work.__name__ = f"{form.__name__}_{name}"
    return work


def mapie_ellipsoid(rows, shared, levels):
    """As in its example notebook: the network is mean and covariance, MAPIE computes the scores of the calibration rows. The radius is the exact rank.
    Missing inputs are medians, inputs are standardised. 300 epochs, its default, for small sets; as many steps as 3,000 rows would take for others."""
    import torch
    from mapie.experimental import MultivariateResidualNormalisedScore
    from mapie.regression import SplitConformalRegressor
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    torch.manual_seed(rows.seed)
    torch.set_num_threads(rows.threads)
    prepare = make_pipeline(SimpleImputer(strategy="median", keep_empty_features=True), StandardScaler()).fit(rows.x["train"])
    x = {part: prepare.transform(rows.x[part]).astype(np.float32) for part in rows.x}
    centre = rows.y["train"].mean(axis=0)
    y = {part: (rows.y[part] - centre).astype(np.float32) for part in rows.y}
    score = MultivariateResidualNormalisedScore(mode="full_cholesky")
    score.fit(x["train"], y["train"], num_epochs=min(300, max(10, 900_000 // len(x["train"]))))
    trainer = score.covariance_estimator_
    trainer.backbone.eval()  # without its dropout
    model = SplitConformalRegressor(estimator=trainer, conformity_score=score, confidence_level=list(levels), prefit=True)
    model.conformalize(x["calibrate"], y["calibrate"])
    scores = np.asarray(model._mapie_regressor.conformity_scores_).reshape(-1)
    mean, covariance = trainer.get_distribution(x["test"])
    root = np.linalg.cholesky(covariance.astype(float))
    mean = mean.astype(float) + centre

    def sample(count):
        draw = np.random.default_rng([rows.seed, 7])
        return mean[:, None] + np.einsum("rij,rcj->rci", root, draw.normal(size=(len(mean), count, rows.d)))
    return {level: Ellipsoid(mean, root, conformal_quantile(scores, level)) for level in levels}, sample


FORMS = {form.__name__: form for form in (
    bonferroni_split, bonferroni_cqr, max_split, max_scaled, m_cp,
    *(on_base(form, base) for base in ("lgbm", "forest") for form in (dr_cp, c_hdr, pcp, c_pcp)), mapie_ellipsoid)}
