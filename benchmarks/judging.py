"""Measures every figure of docs/performance.md in one run, with its baselines: `make bench`,
`python -m benchmarks.judging [--json FILE] [PART …]`.

Compare ratios between machines; absolute times hold for the machine of the run.
"""

import argparse
import json
import os
import platform
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path

from benchmarks import rooms, verdicts
from benchmarks.figures import Figure, print_table
from benchmarks.verdicts import SLUG
from grader.answers import answers_for
from grader.model import Framework
from grader.problem import Problem, default_bank, load
from grader.sandbox import SandboxPool, open_sandbox

PARTS: dict[str, Callable[[Problem, SandboxPool], Iterator[Figure]]] = {
    "warm": verdicts.warm,
    "cold": verdicts.cold,
    "docker": rooms.docker,
    "throughput": verdicts.throughput,
    "memory": rooms.memory,
    "endurance": rooms.endurance,
}


def main() -> int:
    """Runs the named parts, or all, prints a table and writes JSON.

    Returns 1 when a figure is outside its bound.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, default=Path("bench.json"))
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []])
    options = parser.parse_args()
    problem = load(default_bank(), SLUG)
    figures: list[Figure] = []
    with open_sandbox("bubblewrap") as sandbox:
        for framework in Framework:
            answers_for(problem, framework, sandbox)
        for part in options.parts or PARTS:
            for figure in PARTS[part](problem, sandbox):
                figures.append(figure)
                print(
                    f"{figure.name}: {figure.value:.4g} {figure.unit}", file=sys.stderr, flush=True
                )
    print_table(figures)
    where = {
        "python": platform.python_version(),
        "system": platform.platform(),
        "cpus": os.cpu_count(),
    }
    options.json.write_text(
        json.dumps({"machine": where, "figures": [asdict(f) for f in figures]}, indent=1)
    )
    return 1 if any(f.holds is False for f in figures) else 0


if __name__ == "__main__":
    sys.exit(main())
