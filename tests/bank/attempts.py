"""Labelled submissions, and how well the judge's hints name their causes.

`attempts/<slug>/` holds natural attempts: what learners write from the statement alone, each with
the causes of its failure. `make hints` judges them and the known mistakes of the bank, and prints
the rates for each problem. A further kind of labelled submissions is one more entry in `KINDS`.

Mutants are wrong references made by machine, a sample for each problem. Nobody knows their causes,
so their columns mean: a mistake is named (one), the line that was changed is told, by the mistake's
edit or by an exception (all), neither (silent), and a mistake in another line only (false).
"""

import argparse
import ast
import random
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice
from pathlib import Path

from grader.explore.trace import trace
from grader.judge import judge
from grader.model import Framework, Outcome, Submission, Verdict
from grader.mutation import sample
from grader.problem import Problem, changes, composed, load
from grader.sandbox import Sandbox, open_sandbox
from tests.bank.places import placed
from tests.conftest import ROOT, SLUGS

FOLDER = Path(__file__).with_name("attempts")
HEADER = "# causes: "
OTHER = "other: "  # a cause that no known mistake of the problem describes
COLUMNS = ("count", "one", "all", "silent", "false")
PAIRS = 6  # of each framework of a problem
MAY_PASS = ("pairs", "mutants")  # each undoes the other; it is right all the same
MUTANTS = 22  # of each problem; about a third of them are accepted, since they are right
# true of many attempts and no cause of their failure: not counted, unless it is the only mistake
WIDER = {"float64_result", "float64_results", "double_precision_always"}

# a softmax over all tokens forms the matrix, too
ALSO = {("retention", "softmax"): ("masked_matrix",)}


@dataclass(frozen=True, slots=True)
class Attempt:
    """One submission with the causes of its failure; a right one has none.

    A cause is the name of a known mistake, several names that are equally right (`a|b`), or
    `other: ` and a phrase.
    """

    slug: str
    name: str
    framework: Framework
    thought: str
    causes: tuple[str, ...]
    source: str
    line: int = 0  # of the reference, that a mutant changes

    @property
    def right(self) -> bool:
        """Is this a right solution?"""
        return not self.causes


@dataclass(frozen=True, slots=True)
class Rates:
    """How the hints fare over wrong attempts; each field counts attempts."""

    count: int = 0
    one: int = 0  # at least one cause is named
    all: int = 0  # every cause is named
    silent: int = 0  # nothing is named
    false: int = 0  # something is named that is not a cause

    def __add__(self, other: "Rates") -> "Rates":
        return Rates(*(a + b for a, b in zip(self.counts(), other.counts(), strict=True)))

    def counts(self) -> tuple[int, ...]:
        """Returns the fields in the order of `COLUMNS`."""
        return tuple(getattr(self, column) for column in COLUMNS)

    def line(self) -> str:
        """`16 wrong: one cause named 75 %, all 25 %, silent 19 %, false 6 %`."""
        one, every, silent, false = (
            f"{100 * n / max(self.count, 1):.1f} %"
            for n in (self.one, self.all, self.silent, self.false)
        )
        return f"{self.count} wrong: one cause named {one}, all {every}, silent {silent}, false {false}"


def read(path: Path) -> Attempt:
    """Returns the attempt in a file.

    Raises `ValueError` when its docstring or the line with its causes is missing.
    """
    source = path.read_text(encoding="utf-8")
    thought = ast.get_docstring(ast.parse(source))
    header = source.splitlines()[1]
    if not thought or not header.startswith(HEADER):
        raise ValueError(f"{path}: begins with a one-line docstring and then '{HEADER}…'")
    causes = tuple(c.strip() for c in header.removeprefix(HEADER).split(","))
    return Attempt(
        path.parent.name,
        path.stem,
        Framework(path.stem.rpartition("_")[2]),
        thought,
        () if causes == ("none",) else causes,
        source,
    )


def natural(problem: Problem) -> Iterator[Attempt]:
    """What learners write from the statement alone."""
    for path in sorted((FOLDER / problem.slug).glob("*.py")):
        yield read(path)


def single(problem: Problem) -> Iterator[Attempt]:
    """Each known mistake, as it is."""
    for mistake in problem.mistakes:
        for framework, source in mistake.sources.items():
            name = f"{mistake.name}_{framework}"
            causes = (mistake.name, *ALSO.get((problem.slug, mistake.name), ()))
            yield Attempt(problem.slug, name, framework, mistake.hint, causes, source)


def pairs(problem: Problem) -> Iterator[Attempt]:
    """Two known mistakes at once, where their edits do not overlap: some of each framework, always
    the same ones.
    """
    for framework in problem.frameworks:
        known = [m for m in problem.mistakes if framework in m.edits and not m.random]
        every = list(combinations(known, 2))
        random.Random(f"{problem.slug} {framework}").shuffle(every)
        sources = (
            (a, b, composed(problem.references[framework], a.edits[framework], b.edits[framework]))
            for a, b in every
        )
        for a, b, source in islice((each for each in sources if each[2]), PAIRS):
            name, causes = f"{a.name}+{b.name}_{framework}", (a.name, b.name)
            yield Attempt(problem.slug, name, framework, "Two mistakes.", causes, source or "")


def mutated(problem: Problem) -> Iterator[Attempt]:
    """Some mutants of each reference, right and wrong ones."""
    for framework in problem.frameworks:
        for mutant in sample(problem, framework, MUTANTS // len(problem.frameworks), seed=0):
            name = f"{mutant.operator}_{framework}"
            cause = (f"{OTHER}{mutant}",)
            yield Attempt(
                problem.slug, name, framework, str(mutant), cause, mutant.source, mutant.line
            )


KINDS: dict[str, Callable[[Problem], Iterator[Attempt]]] = {
    "single": single,
    "pairs": pairs,
    "natural": natural,
    "mutants": mutated,
}


def named(verdict: Verdict) -> tuple[str, ...]:
    """Returns the names of the mistakes that a verdict gives hints for."""
    return tuple(diagnosis.mistake for diagnosis in verdict.diagnoses)


def rate(attempt: Attempt, names: Iterable[str]) -> Rates:
    """Returns the rates of one wrong attempt whose verdict names these mistakes."""
    causes = [set(cause.split("|")) for cause in attempt.causes]
    true = set().union(*causes)
    told = {name for name in names if name in true or name not in WIDER}
    hits = [cause for cause in causes if cause & told]
    return Rates(
        count=1,
        one=bool(hits),
        all=len(hits) == len(causes),
        silent=not told,
        false=bool(told - true),
    )


def place(problem: Problem, attempt: Attempt, verdict: Verdict, traced: bool = False) -> Rates:
    """Returns the rates of one wrong mutant: is it named, and is its line told?

    `traced`: the first wrong step, which a report tells where it names nothing, is in that line.
    """
    names = named(verdict)
    shown = {finding.line for case in verdict.cases for finding in case.findings}
    edited = {line for name in names for line in edited_lines(problem, attempt.framework, name)}
    there = traced or attempt.line in shown | edited
    return Rates(
        count=1,
        one=bool(names),
        all=there,
        silent=not names and not there,
        false=bool(names) and not there,
    )


def first_wrong_there(problem: Problem, attempt: Attempt, sandbox: Sandbox) -> bool:
    """Is the first wrong step of a mutant where it was changed?"""
    submission = Submission(attempt.framework, attempt.source)
    found = trace(problem, submission, sandbox, rules=False)
    return placed(found, range(attempt.line, attempt.line + 1))


def same_program(verdict: Verdict) -> bool:
    """Does what is named do exactly what the program does, in every case that fails?

    Then a mechanical change is another way to write that mistake, and naming it is true.
    """
    told = {case for d in verdict.diagnoses if not d.guess for case in d.cases}
    failed = {case.name for case in verdict.cases if case.verdict is not Outcome.ACCEPTED}
    return bool(told) and failed <= told


def edited_lines(problem: Problem, framework: Framework, name: str) -> set[int]:
    """Returns the lines of the reference that a known mistake changes; none for a whole file."""
    (mistake,) = (m for m in problem.mistakes if m.name == name)
    edit, reference = mistake.edits.get(framework), problem.references[framework]
    parts = () if edit is None else changes(reference, edit)
    spans = [[1 + reference.count("\n", 0, at) for at in (p.start, p.end)] for p in parts]
    return {line for first, last in spans for line in range(first, last + 1)}


def verdict_of(
    problem: Problem, attempt: Attempt, sandbox: Sandbox, explain: bool = True
) -> Verdict:
    """Judges one attempt."""
    submission = Submission(attempt.framework, attempt.source)
    return judge(problem, submission, sandbox, explain=explain)


def _rates(problem: Problem, kind: str, sandbox: Sandbox, verbose: bool) -> Rates:
    total = Rates()
    for attempt in KINDS[kind](problem):
        if attempt.right:
            continue
        verdict = verdict_of(problem, attempt, sandbox)
        if kind in MAY_PASS and verdict.verdict is Outcome.ACCEPTED:
            continue
        names = named(verdict)
        if attempt.line:
            traced = not names and first_wrong_there(problem, attempt, sandbox)
            rates = place(problem, attempt, verdict, traced)
        else:
            rates = rate(attempt, names)
        if kind in MAY_PASS and rates.false and same_program(verdict):
            rates = replace(rates, false=0)
        total += rates
        if verbose and (rates.false or not rates.all):
            told = ", ".join(names) or "nothing"
            print(f"    {attempt.name}: {', '.join(attempt.causes)}; named {told}")
    return total


def _row(name: str, rates: Rates) -> str:
    return f"{name:44}" + "".join(f"{count:8}" for count in rates.counts())


def main(arguments: Sequence[str]) -> None:
    """Prints one table for each kind: a row for each problem, then the sums."""
    parser = argparse.ArgumentParser(prog="make hints", description=__doc__)
    parser.add_argument("slugs", nargs="*", metavar="PROBLEM", help="default: all of them")
    parser.add_argument("--kind", choices=KINDS, action="append", help="default: every kind")
    parser.add_argument("--verbose", action="store_true", help="list what is not named right")
    options = parser.parse_args(arguments)
    with open_sandbox() as sandbox:
        for kind in options.kind or KINDS:
            print(f"{kind:44}" + "".join(f"{column:>8}" for column in COLUMNS))
            total = Rates()
            for slug in options.slugs or SLUGS:
                rates = _rates(load(ROOT, slug), kind, sandbox, options.verbose)
                total += rates
                print(_row(slug, rates), flush=True)
            print(_row("together", total), total.line(), "", sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
