"""How many items of each kind every problem has, and which of them tell something wrong."""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence

from grader.practice import Step
from grader.problem import load
from grader.sandbox import open_sandbox
from tests.conftest import ROOT, SLUGS
from tests.practice.check import check


def main(arguments: Sequence[str]) -> int:
    """Prints a row for each problem and framework, then what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("slugs", nargs="*", metavar="PROBLEM", help="default: all of them")
    options = parser.parse_args(arguments)
    print(f"{'items':36}{'':7}" + "".join(f"{step:>10}" for step in Step) + f"{'answers':>10}")
    wrong: list[str] = []
    total: Counter[Step] = Counter()
    with open_sandbox() as sandbox:
        for slug in options.slugs or SLUGS:
            problem = load(ROOT, slug)
            for framework in problem.frameworks:
                found = check(problem, framework, sandbox)
                counts = "".join(f"{found.counts[step]:10}" for step in Step)
                print(f"{slug:36}{framework:7}{counts}{found.answers:10}", flush=True)
                print("".join(f"    {line}\n" for line in found.wrong), end="", flush=True)
                wrong += found.wrong
                total += found.counts
    print(f"{'together':43}" + "".join(f"{total[step]:10}" for step in Step))
    print(f"wrong: {len(wrong)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
