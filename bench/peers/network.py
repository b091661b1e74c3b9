"""The step of bench/mlp_step.cpp in PyTorch, on one thread: seconds for one step.   network.py ROWS [STEPS]"""
import sys

import torch
from timing import answer, clocked

torch.set_num_threads(1)


def network(inputs=10, width=100, layers=5):
    sizes = [inputs] + [width] * layers
    parts = [part for a, b in zip(sizes, sizes[1:]) for part in (torch.nn.Linear(a, b), torch.nn.ReLU())]
    return torch.nn.Sequential(*parts, torch.nn.Linear(width, 1))


def main():
    rows, steps = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 400
    torch.manual_seed(0)
    x = torch.randn(4096, 10)
    model = network()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    order = torch.randperm(len(x))

    def step(i):
        begin = i * rows % (len(x) - rows + 1)
        optimizer.zero_grad()
        (model(x[order[begin:begin + rows]]) ** 2).mean().backward()
        optimizer.step()

    for i in range(50):
        step(i)
    figures, _ = clocked(lambda: [step(i) for i in range(steps)])
    answer({name: value / steps for name, value in figures.items()}, version=torch.__version__)


if __name__ == "__main__":
    main()
