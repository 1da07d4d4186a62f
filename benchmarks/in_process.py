"""Measures the baseline: the same calls of the same source in one interpreter without a sandbox.

`python -m benchmarks.in_process FRAMEWORK ROUNDS [PAUSE_MS]` reads the cached answers, calls the
reference on every case, and prints the median milliseconds of a round as JSON. Between the rounds
it sleeps for so long: caches cool then, as they do between submissions. With ROUNDS = 1 the whole
process is the "cold subprocess" that the warm verdict is compared with.
"""

import json
import os
import statistics
import sys
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

from grader.answers import answers_for  # noqa: E402
from grader.inside import child  # noqa: E402
from grader.inside.call import call  # noqa: E402
from grader.model import Framework  # noqa: E402
from grader.problem import default_bank, load  # noqa: E402
from grader.sandbox import open_sandbox  # noqa: E402
from grader.sandbox.job import Job, question, setup  # noqa: E402

SLUG = "scaled_dot_product_attention"


def main(framework: Framework, rounds: int, pause_ms: int = 0) -> None:
    """Measures so many rounds of all cases."""
    problem = load(default_bank(), SLUG)
    # from the cache: the benchmark has filled it
    answers = answers_for(problem, framework, open_sandbox("bubblewrap"))
    cases = tuple(a.case for a in answers.cases)
    job = Job(
        source=problem.references[framework],
        framework=framework,
        kind=problem.kind,
        entries=problem.entries,
        cases=cases,
        limits=problem.limits,
        rules=problem.rules,
    )
    first = setup(job, problem.limits.memory_mib)
    questions = [(question(job, i, case), case.tensors()) for i, case in enumerate(cases)]
    if framework is Framework.TORCH:
        import torch

        torch.set_num_threads(1)
    times = []
    for _ in range(rounds):
        time.sleep(pause_ms / 1e3)
        started = time.perf_counter()
        loaded, namespace = child.load(first)
        ended = [call(namespace, first, meta, tensors)[0]["ended"] for meta, tensors in questions]
        times.append((time.perf_counter() - started) * 1e3)
        assert loaded["frame"] == "loaded" and set(ended) == {"returned"}, (loaded, ended)
    print(json.dumps({"median_ms": statistics.median(times[rounds // 5 :])}))


if __name__ == "__main__":
    main(Framework(sys.argv[1]), *map(int, sys.argv[2:]))
