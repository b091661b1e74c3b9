"""The paper's experiment in PyTorch: five trained methods on one real set, one run.   paper.py FILE TARGET DROPPED EPOCHS

Our own implementation of the paper's description: nearest neighbours as f (at most 1000 rows), a ReLU network of five hidden layers of
100, the sum over all pairs of a batch of 16 rows through the inverse transformation, Adam, after each epoch the size by leave-one-out on
100 validation rows, at the end the same on 100 test rows. One thread, because with batches of 16 rows more threads are slower.
"""
import csv
import gzip
import sys

import numpy
import torch
from timing import answer, clocked

METHODS = ["erc (error fit)", "erc", "linear", "exp", "sigma"]
ALPHAS = (0.05, 0.1, 0.32)
TINY = 1e-8


def read(path, target, drop):
    with gzip.open(path, "rt", newline="") as file:
        header, *rows = csv.reader(file)
    inputs = [i for i, name in enumerate(header) if name != target and name not in drop]
    y = numpy.array([row[header.index(target)] for row in rows], dtype=numpy.float32)
    return numpy.array([[row[i] for i in inputs] for row in rows], dtype=numpy.float32), y


def cut(x, y, seed):
    """40 % for f, 40 % for the transformation, 20 % test; standardised and in units of mean |y| by the first part."""
    order = numpy.random.default_rng(seed).permutation(len(y))
    first, second = round(0.4 * len(y)), round(0.8 * len(y))
    centre, scale = x[order[:first]].mean(0), x[order[:first]].std(0)
    x = (x - centre) / numpy.where(scale > 0, scale, 1)
    y = y / numpy.abs(y[order[:first]]).mean()
    return [(torch.from_numpy(x[part]), torch.from_numpy(y[part])) for part in numpy.split(order, [first, second])]


def neighbours(train, queries):
    """The mean of the K nearest of at most 1000 rows; K by validation."""
    x, y = train[0][:1000], train[1][:1000]
    fold = int(0.8 * len(x))

    def predict(x, y, at, k):
        return y[torch.cdist(at, x).topk(min(k, len(x)), largest=False).indices].mean(1)

    best = min((2, 4, 8, 16, 32), key=lambda k: ((predict(x[:fold], y[:fold], x[fold:], k) - y[fold:]) ** 2).sum().item())
    return [predict(x, y, at, best) for at in queries]


def network(inputs, width=100, layers=5):
    sizes = [inputs] + [width] * layers
    parts = [part for a, b in zip(sizes, sizes[1:]) for part in (torch.nn.Linear(a, b), torch.nn.ReLU())]
    return torch.nn.Sequential(*parts, torch.nn.Linear(width, 1))


def transformed(method, a, g):
    if method.startswith("erc"):
        return a / (g * g + TINY)
    if method == "exp":
        return a * torch.exp(g)
    log_odds = torch.log(a + TINY) + g
    return torch.sigmoid(log_odds) if method == "sigma" else log_odds


def inverse(method, b, g):
    if method.startswith("erc"):
        return b * (g * g + TINY)
    if method == "exp":
        return b * torch.exp(-g)
    return torch.exp((torch.logit(b, eps=1e-6) if method == "sigma" else b) - g)


def loss(method, a, g):
    if method == "erc (error fit)":
        return ((g * g - a) ** 2).mean()
    b = transformed(method, a, g)
    half_widths = torch.sqrt(inverse(method, b[:, None], g[None, :]) + TINY)
    return (half_widths.sum() - half_widths.diagonal().sum()) / (len(a) * (len(a) - 1))


@torch.no_grad()
def leave_one_out(method, model, x, a, most=100):
    """Mean half-width at three levels: the quantile for each row from all others."""
    x, a = x[:most], a[:most]
    g = model(x).squeeze(1)
    b = transformed(method, a, g)
    sizes = []
    for alpha in ALPHAS:
        total = 0.0
        for i in range(len(b)):
            others = torch.sort(torch.cat((b[:i], b[i + 1:]))).values
            quantile = others[min(len(others) - 1, int((1 - alpha) * len(others)))]
            total += torch.sqrt(inverse(method, quantile, g[i])).item()
        sizes.append(total / len(b))
    return sizes


def train(method, x, a, epochs, batch=16, rate=1e-4):
    fold = max(len(x) - 100, int(0.8 * len(x)))
    model = network(x.shape[1])
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    best, kept = float("inf"), None
    for _ in range(epochs):
        order = torch.randperm(fold)
        for begin in range(0, fold - batch + 1, batch):
            rows = order[begin:begin + batch]
            optimizer.zero_grad()
            loss(method, a[rows], model(x[rows]).squeeze(1)).backward()
            optimizer.step()
        size = leave_one_out(method, model, x[fold:], a[fold:])[0]
        if kept is None or size < best:
            best, kept = size, {name: value.clone() for name, value in model.state_dict().items()}
    model.load_state_dict(kept)
    return model


def experiment(path, target, drop, epochs, seed=0):
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    first, second, test = cut(*read(path, target, drop), seed)
    f_second, f_test = neighbours(first, [second[0], test[0]])
    scores, test_scores = (f_second - second[1]) ** 2, (f_test - test[1]) ** 2
    return {method: leave_one_out(method, train(method, second[0], scores, epochs), test[0], test_scores) for method in METHODS}


def main():
    path, target, drop, epochs = sys.argv[1:]
    figures, _ = clocked(lambda: experiment(path, target, drop.split(","), int(epochs)))
    answer(figures, version=torch.__version__)


if __name__ == "__main__":
    main()
