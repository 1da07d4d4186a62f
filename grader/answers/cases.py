"""Runs `cases.py` in the room and checks the cases that it yields."""

import hashlib

from grader.cache import Cache
from grader.case import STATISTICS, Case, CaseError
from grader.errors import ProblemError
from grader.findings.text import T_, Text, told
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
        words = T_("%(path)s: %(error)s", path=where, error=told(error))
        raise ProblemError(words) from None
    names = [case.name for case in cases]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        words = T_(
            "%(path)s: two cases are called %(name)s; rename one", path=where, name=repr(twice)
        )
        raise ProblemError(words)
    if not cases:
        raise ProblemError(T_("%(path)s: yields no case", path=where))
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
            words = T_(
                "calls '%(name)s'; problem.toml has %(known)s", name=name, known=", ".join(entries)
            )
            raise _wrong(case, where, words)


def _wrong(case: Case, where: str, reason: Text) -> ProblemError:
    return ProblemError(
        T_("%(path)s: case '%(case)s' %(what)s", path=where, case=case.name, what=reason)
    )


def _check_arguments(problem: Problem, case: Case, where: str) -> None:
    entry = problem.entry(case.call)
    taken = {"row"} if problem.kind is Kind.VALUES else {p.name for p in entry.params}
    for arrays, group in ((case.inputs, "inputs"), (case.before, "before")):
        given = {*case.arguments(group), *case.options}
        missing = [p.name for p in entry.params if p.required and p.name not in given]
        unknown = sorted(given - taken)
        if (missing or unknown) and (arrays is case.inputs or case.before):
            call = T_(" before") if group == "before" else ""
            what = (
                T_("does not give '%(name)s'%(before)s", name=missing[0], before=call)
                if missing
                else T_(
                    "gives '%(name)s'%(before)s, which %(entry)s does not take",
                    name=unknown[0],
                    before=call,
                    entry=entry.name,
                )
            )
            raise _wrong(case, where, what)


def _check_constructor(problem: Problem, case: Case, where: str) -> None:
    taken = problem.entry(case.call).init
    names = [parameter.name for parameter in taken]
    missing = [p.name for p in taken if p.required and p.name not in case.init]
    unknown = sorted(set(case.init) - set(names))
    if missing:
        words = T_("does not give '%(name)s' in init, which the constructor takes", name=missing[0])
        raise _wrong(case, where, words)
    if unknown:
        words = T_(
            "gives '%(name)s' in init, which the constructor does not take%(meant)s",
            name=unknown[0],
            meant=did_you_mean(unknown[0], names),
        )
        raise _wrong(case, where, words)


def _check_wants(problem: Problem, case: Case, where: str) -> None:
    returns = last_entry(problem, case).returns
    once = {"grad": (*case.inputs, *case.state), "after": tuple(case.inputs)}
    others = dict.fromkeys(STATISTICS, returns) if case.draws else once
    for want in case.wants:
        group, _, name = want.partition(".")
        if want not in returns and name not in others.get(group, ()):
            known = ", ".join((*returns, *(f"{group}.NAME" for group in others)))
            words = T_("wants '%(want)s'; it can want %(known)s", want=want, known=known)
            raise _wrong(case, where, words)


def last_entry(problem: Problem, case: Case) -> Entry:
    """Returns the entry point whose result is judged."""
    return problem.entry(case.then or case.call)
