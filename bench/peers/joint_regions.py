"""Joint regions and joint distributions of peers/several.py: membership, volumes, densities, samples."""
import numpy as np

POINTS = 200  # of each row, for volumes


class Box:
    def __init__(self, low, high):
        self.low, self.high = low, high  # (rows, targets)

    def contains(self, y):
        return ((self.low <= y) & (y <= self.high)).all(axis=1)

    def volume(self):
        return np.prod(np.maximum(self.high - self.low, 0), axis=1)


class Ellipsoid:
    """All y whose distance from the centre, measured by the root of a covariance, is at most the radius."""

    def __init__(self, centre, root, radius):
        self.centre, self.root, self.radius = centre, root, radius

    def contains(self, y):
        return np.linalg.norm(np.linalg.solve(self.root, (y - self.centre)[:, :, None])[:, :, 0], axis=1) <= self.radius

    def volume(self):
        from scipy.special import gammaln

        d = self.centre.shape[1]
        ball = np.exp(d / 2 * np.log(np.pi) - gammaln(d / 2 + 1))
        return ball * self.radius ** d * np.abs(np.linalg.det(self.root))


class DensityRegion:
    """All y whose log density is at least a threshold. The volume is an importance-sampling estimate: half of the points come from the distribution,
    half from a wider one, so that the weights stay bounded where the region reaches beyond the distribution's mass."""

    def __init__(self, distribution, thresholds, seed):
        self.distribution, self.thresholds, self.seed = distribution, np.broadcast_to(thresholds, (distribution.rows,)), seed

    def contains(self, y):
        return self.distribution.log_density(y[:, None, :])[:, 0] >= self.thresholds

    def volume(self):
        draw = np.random.default_rng(self.seed)
        points = np.concatenate([self.distribution.sample(draw, POINTS // 2, wide) for wide in (1, 2)], axis=1)
        log_p, log_wide = self.distribution.log_density(points), self.distribution.log_density(points, 2)
        weight = np.exp(-(np.logaddexp(log_p, log_wide) - np.log(2)))
        return np.where(np.isinf(self.thresholds), np.inf, np.where(log_p >= self.thresholds[:, None], weight, 0).mean(axis=1))


class Balls:
    """The union of balls of one radius around points (rows, points, targets). The volume is an unbiased estimate: a random point of a random ball, with the
    weight of one over the number of balls that hold it."""

    def __init__(self, points, radius, seed):
        self.points, self.radius, self.seed = points, np.broadcast_to(radius, (len(points),)), seed

    def contains(self, y):
        return nearest(self.points, y[:, None, :])[:, 0] <= self.radius

    def volume(self):
        from scipy.special import gammaln

        rows, count, d = self.points.shape
        draw, result = np.random.default_rng(self.seed), np.full(rows, np.inf)
        for row in np.flatnonzero(np.isfinite(self.radius)):
            direction = draw.normal(size=(POINTS, d))
            direction *= (draw.uniform(size=(POINTS, 1)) ** (1 / d)) / np.linalg.norm(direction, axis=1, keepdims=True)
            points = self.points[row][draw.integers(count, size=POINTS)] + self.radius[row] * direction
            held = (np.linalg.norm(points[:, None, :] - self.points[row][None], axis=2) <= self.radius[row] * (1 + 1e-12)).sum(axis=1)
            ball = np.exp(d / 2 * np.log(np.pi) - gammaln(d / 2 + 1)) * self.radius[row] ** d
            result[row] = count * ball * (1 / np.maximum(held, 1)).mean()
        return result


def nearest(points, y):
    """The distance of each y (rows, m, targets) to the nearest of the row's points (rows, count, targets): (rows, m)."""
    return np.stack([np.sqrt(((points - y[:, [j], :]) ** 2).sum(axis=2).min(axis=1)) for j in range(y.shape[1])], axis=1)


class MixtureOfResiduals:
    """y = f(x) + s(x) z, z from a Gaussian mixture."""

    def __init__(self, f, s, mixture):
        self.f, self.s, self.mixture, self.rows = f, s, mixture, len(f)

    def log_density(self, y, wide=1):
        from scipy.special import logsumexp

        z = (y - self.f[:, None]) / self.s[:, None]
        flat, terms = z.reshape(-1, z.shape[2]), []
        for weight, mean, covariance in zip(self.mixture.weights_, self.mixture.means_, self.mixture.covariances_):
            root = np.linalg.cholesky(covariance) * wide
            residual = np.linalg.solve(root, (flat - mean).T)
            terms.append(np.log(weight) - 0.5 * (residual ** 2).sum(axis=0) - np.log(np.diag(root)).sum() - len(mean) / 2 * np.log(2 * np.pi))
        return logsumexp(terms, axis=0).reshape(z.shape[:2]) - np.log(self.s).sum(axis=1)[:, None]

    def sample(self, draw, count, wide=1):
        d = self.f.shape[1]
        which = draw.choice(len(self.mixture.weights_), size=(self.rows, count), p=self.mixture.weights_ / self.mixture.weights_.sum())
        roots = np.linalg.cholesky(self.mixture.covariances_) * wide
        z = self.mixture.means_[which] + np.einsum("rcij,rcj->rci", roots[which], draw.normal(size=(self.rows, count, d)))
        return self.f[:, None] + self.s[:, None] * z


class Kernels:
    """Equal Gaussian kernels around points (rows, count, targets) with a deviation for each row and target."""

    def __init__(self, points, width):
        self.points, self.width, self.rows = points, width, len(points)

    def log_density(self, y, wide=1):
        from scipy.special import logsumexp

        width = self.width * wide
        terms = [logsumexp(-0.5 * (((self.points - y[:, [j], :]) / width[:, None]) ** 2).sum(axis=2), axis=1) for j in range(y.shape[1])]
        d = self.points.shape[2]
        return np.stack(terms, axis=1) - (np.log(width).sum(axis=1) + d / 2 * np.log(2 * np.pi) + np.log(self.points.shape[1]))[:, None]

    def sample(self, draw, count, wide=1):
        which = draw.integers(self.points.shape[1], size=(self.rows, count))
        centre = np.take_along_axis(self.points, which[:, :, None], axis=1)
        return centre + wide * self.width[:, None] * draw.normal(size=centre.shape)
