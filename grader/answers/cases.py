"""Runs `cases.py` in the room and checks the cases that it yields."""

import hashlib

from grader.cache import Cache
from grader.case import STATISTICS, Case, CaseError
from grader.errors import ProblemError
from grader.model import Framework, Kind
from grader.problem import Entry, Problem, did_you_mean
from grader.sandbox import Sandbox

# of a hidden and a public draw, and of what is compared with mutants
_drawn: Cache[tuple[str, str, bytes, int], list[Case]] = Cache(4)
KEPT_BYTES = 16 << 20  # of a draw that is kept


def generate(problem: Problem, framework: Framework, sandbox: Sandbox, draw: int) -> list[Case]:
    """The cases of a draw, from memory where another framework has asked for them just now.

    Raises `ProblemError`.
    """

    def make() -> tuple[list[Case], bool]:
        cases = generate_anew(problem, framework, sandbox, draw)
        size = sum(array.nbytes for case in cases for array in case.tensors().values())
        return cases, size <= KEPT_BYTES

    # not of the digest alone: inputs for mutants come from the same problem with other code
    code = hashlib.sha256(problem.cases.encode("utf-8", "surrogatepass")).digest()
    return list(_drawn.get((problem.slug, problem.digest, code, draw), make))


def generate_anew(
    problem: Problem, framework: Framework, sandbox: Sandbox, draw: int
) -> list[Case]:
    """Run cases.py in the room and check what it yields. Raises `ProblemError`."""
    where = f"{problem.folder / 'cases.py'}"
    try:
        cases = sandbox.generate(problem.cases, framework, draw)
    except CaseError as error:
        raise ProblemError(f"{where}: {error}") from None
    names = [case.name for case in cases]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice or not cases:
        raise ProblemError(
            f"{where}:"
            f" {f'two cases are called {twice!r}; rename one' if twice else 'yields no case'}"
        )
    for case in cases:
        _check(problem, case, where)
    return cases


def _check(problem: Problem, case: Case, where: str) -> None:
    _check_entries(problem, case, where)
    _check_constructor(problem, case, where)
    _check_arguments(problem, case, where)
    _check_wants(problem, case, where)


def _check_entries(problem: Problem, case: Case, where: str) -> None:
    entries = {e.name: e for e in problem.entries}
    for name in (case.call, case.then):
        if name and name not in entries:
            raise ProblemError(
                f"{where}: case '{case.name}' calls '{name}'; problem.toml has {', '.join(entries)}"
            )


def _check_arguments(problem: Problem, case: Case, where: str) -> None:
    entry = problem.entry(case.call)
    taken = {"row"} if problem.kind is Kind.VALUES else {p.name for p in entry.params}
    for arrays, call in ((case.inputs, ""), (case.before, " before")):
        given = {*case.arguments("before" if call else "inputs"), *case.options}
        missing = [p.name for p in entry.params if p.required and p.name not in given]
        unknown = sorted(given - taken)
        if (missing or unknown) and (arrays is case.inputs or case.before):
            what = (
                f"does not give '{missing[0]}'{call}"
                if missing
                else f"gives '{unknown[0]}'{call}, which {entry.name} does not take"
            )
            raise ProblemError(f"{where}: case '{case.name}' {what}")


def _check_constructor(problem: Problem, case: Case, where: str) -> None:
    taken = problem.entry(case.call).init
    names = [parameter.name for parameter in taken]
    missing = [p.name for p in taken if p.required and p.name not in case.init]
    unknown = sorted(set(case.init) - set(names))
    if missing:
        raise ProblemError(
            f"{where}: case '{case.name}' does not give '{missing[0]}' in init, which the"
            " constructor takes"
        )
    if unknown:
        raise ProblemError(
            f"{where}: case '{case.name}' gives '{unknown[0]}' in init, which the constructor does"
            f" not take{did_you_mean(unknown[0], names)}"
        )


def _check_wants(problem: Problem, case: Case, where: str) -> None:
    returns = last_entry(problem, case).returns
    once = {"grad": (*case.inputs, *case.state), "after": tuple(case.inputs)}
    others = dict.fromkeys(STATISTICS, returns) if case.draws else once
    for want in case.wants:
        group, _, name = want.partition(".")
        if want not in returns and name not in others.get(group, ()):
            known = ", ".join((*returns, *(f"{group}.NAME" for group in others)))
            raise ProblemError(f"{where}: case '{case.name}' wants '{want}'; it can want {known}")


def last_entry(problem: Problem, case: Case) -> Entry:
    """Returns the entry point whose result is judged."""
    return problem.entry(case.then or case.call)
