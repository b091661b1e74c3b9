"""Times a function and prints the result as a line of JSON, for the scripts of this folder."""
import json
import statistics
import time


def clocked(work, repeats=1):
    """The median of seconds and of processor seconds over calls of `work`, with its last result."""
    seconds, processor, result = [], [], None
    for _ in range(repeats):
        start, used = time.perf_counter(), time.process_time()
        result = work()
        seconds.append(time.perf_counter() - start)
        processor.append(time.process_time() - used)
    return {"seconds": statistics.median(seconds), "processor": statistics.median(processor)}, result


def answer(figures, **more):
    print(json.dumps({**figures, **more}))
