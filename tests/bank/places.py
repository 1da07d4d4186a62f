"""How often the first wrong step of a trace is where the mistake is: part of `make hints`.

Each known mistake that is an edit of a reference has a place: the lines that the edit changes, or
the next statement that sets something, where what was changed is a condition or was taken away.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.explore.trace import Trace, trace
from grader.inside.instrument import Kind
from grader.model import Framework, Outcome, Submission
from grader.problem import Edit, Problem, changes, load
from grader.sandbox import Sandbox, open_sandbox
from tests.conftest import ROOT, SLUGS

COLUMNS = ("count", "placed", "silent", "elsewhere")
SETS = (Kind.ASSIGN, Kind.CHANGE, Kind.RETURN)


@dataclass(frozen=True, slots=True)
class Places:
    """How the first wrong steps fare; each field counts mistakes that fail a public case."""

    count: int = 0
    placed: int = 0
    silent: int = 0

    def __add__(self, other: "Places") -> "Places":
        return Places(
            self.count + other.count, self.placed + other.placed, self.silent + other.silent
        )

    def counts(self) -> tuple[int, ...]:
        """Returns the numbers in the order of `COLUMNS`."""
        return self.count, self.placed, self.silent, self.count - self.placed - self.silent


def edited(reference: str, edit: Edit) -> list[range]:
    """Returns the lines of the mistake's source in which it differs from the reference."""
    found, further = [], 0
    for part in changes(reference, edit):
        first = reference.count("\n", 0, part.start) + 1 + further
        found.append(range(first, first + part.text.rstrip().count("\n") + 1))
        further += part.text.count("\n") - reference.count("\n", part.start, part.end)
    return found


def placed(found: Trace, lines: range) -> bool:
    """Is the first wrong step in these lines, or in the first statement after their beginning?"""
    if found.wrong is None:
        return False
    later = (s.line for s in found.steps if s.kind in SETS and s.line >= lines.start)
    return found.wrong.line in lines or found.wrong.line == min(later, default=0)


def edits(problem: Problem) -> Iterator[tuple[str, Framework, str, list[range]]]:
    """Yields each mistake that is an edit: its name, its source, and its places."""
    for mistake in problem.mistakes:
        if mistake.random:
            continue
        for framework, edit in mistake.edits.items():
            lines = edited(problem.references[framework], edit)
            yield mistake.name, framework, mistake.sources[framework], lines


def rates(problem: Problem, sandbox: Sandbox, verbose: bool = False) -> Places:
    """Traces each mistake in the first public case that it fails."""
    total = Places()
    for name, framework, source, lines in edits(problem):
        found = trace(problem, Submission(framework, source), sandbox, rules=False)
        if found.verdict is Outcome.ACCEPTED:
            continue
        right = any(placed(found, each) for each in lines)
        total += Places(1, right, found.wrong is None)
        if verbose and not right:
            line = found.wrong.line if found.wrong else "no line"
            edited_in = ", ".join(str(each.start) for each in lines)
            print(f"    {name} ({framework}): lines {edited_in}; told {line}")
    return total


def main(arguments: Sequence[str]) -> None:
    """Prints a row for each problem, then the sums."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("slugs", nargs="*", metavar="PROBLEM", help="default: all of them")
    parser.add_argument("--verbose", action="store_true", help="list what is placed wrongly")
    options = parser.parse_args(arguments)
    print(f"{'first wrong step':44}" + "".join(f"{column:>10}" for column in COLUMNS))
    total = Places()
    with open_sandbox() as sandbox:
        for slug in options.slugs or SLUGS:
            found = rates(load(ROOT, slug), sandbox, options.verbose)
            total += found
            print(f"{slug:44}" + "".join(f"{n:10}" for n in found.counts()), flush=True)
    share = 100 * total.placed / max(total.count, 1)
    print(f"{'together':44}" + "".join(f"{n:10}" for n in total.counts()))
    print(f"a true place: {share:.1f} %")


if __name__ == "__main__":
    main(sys.argv[1:])
