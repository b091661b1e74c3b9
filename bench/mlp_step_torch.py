"""The step of bench/mlp_step.cpp in PyTorch, on one thread: prints microseconds per step for 16 and 256 rows."""

import time

import torch

torch.set_num_threads(1)


def network(inputs=10, width=100, layers=5):
    sizes = [inputs] + [width] * layers
    parts = [part for a, b in zip(sizes, sizes[1:]) for part in (torch.nn.Linear(a, b), torch.nn.ReLU())]
    return torch.nn.Sequential(*parts, torch.nn.Linear(width, 1))


def seconds_per_step(rows, steps=400):
    torch.manual_seed(0)
    x = torch.randn(4096, 10)
    model = network()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    order = torch.randperm(len(x))

    def step(i):
        begin = i * rows % (len(x) - rows + 1)
        optimizer.zero_grad()
        (model(x[order[begin : begin + rows]]) ** 2).mean().backward()
        optimizer.step()

    for i in range(50):
        step(i)
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        for i in range(steps):
            step(i)
        best = min(best, (time.perf_counter() - start) / steps)
    return best


if __name__ == "__main__":
    for rows in (16, 256):
        print(f"{rows} rows: {seconds_per_step(rows) * 1e6:.0f} microseconds per step (PyTorch {torch.__version__})")
