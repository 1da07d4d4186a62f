"""Every known mistake of the bank, submitted as a learner would: refused, and told its own hint.

And every lazy answer is refused.
"""

import pytest

from grader.answers import answers_for
from grader.diagnosis.fingerprints import mistake_runs
from grader.diagnosis.matching import COSTS
from grader.errors import ProblemError
from grader.inside.frames import DTYPES
from grader.model import Framework, Kind, Outcome
from grader.problem import load
from grader.sandbox import SandboxPool
from grader.verify.baselines import BASELINES, baseline
from tests.bank.judged import judged
from tests.conftest import ROOT, SLUGS

SLIPS = ("NameError", "UnboundLocalError", "SyntaxError", "IndentationError", "AttributeError")


def declared() -> list[tuple[str, str]]:
    """Slug and framework, without running anything; a problem that cannot be read is one failing
    test, not a failing file.
    """
    found: list[tuple[str, str]] = []
    for slug in SLUGS:
        try:
            found += [(slug, str(framework)) for framework in load(ROOT, slug).frameworks]
        except ProblemError:
            found.append((slug, "unreadable"))
    return found


DECLARED = declared()


@pytest.mark.parametrize(("slug", "framework"), DECLARED, ids=["-".join(row) for row in DECLARED])
def test_every_mistake_is_refused_and_told_its_own_hint(
    slug: str, framework: str, sandbox: SandboxPool
) -> None:
    known = judged(slug, sandbox)
    wrong = []
    for mistake in known.problem.mistakes:
        found = known.mistakes[Framework(framework)].get(mistake.name)
        if found is None:
            continue
        # what makes values wrong may cost too much as well, and then both are true
        costs = {m.name for m in known.problem.mistakes if m.verdict in COSTS} - {mistake.name}
        told = [(d.mistake, d.hint) for d in found.diagnoses if d.mistake not in costs]
        if found.verdict in (Outcome.ACCEPTED, Outcome.JUDGE_ERROR) or told != [
            (mistake.name, mistake.hint)
        ]:
            names = [name for name, _ in told]
            wrong.append(f"{mistake.name}: {found.verdict}, told {names}: {found.message}")
    assert wrong == []


@pytest.mark.parametrize("slug", SLUGS)
def test_each_mistake_is_judged_once_for_all_tests(slug: str, sandbox: SandboxPool) -> None:
    """What `verify` says of a mistake is said of the runs that its verdict comes from."""
    known = judged(slug, sandbox)
    assert known.replayed == sum(len(found) for found in known.mistakes.values())


@pytest.mark.parametrize(("slug", "framework"), DECLARED, ids=["-".join(row) for row in DECLARED])
def test_no_mistake_fails_by_a_slip_of_its_author(
    slug: str, framework: str, sandbox: SandboxPool
) -> None:
    """An edit that leaves a name undefined or a line out of place is killed too, and its hint is
    never told to anyone.
    """
    problem = load(ROOT, slug)
    known = mistake_runs(problem, answers_for(problem, Framework(framework), sandbox), sandbox)
    runs = [(name, each.run) for name, found in known.items() for each in found.values()]
    assert [
        (name, run.case, run.error.text)
        for name, run in runs
        if run.error and run.error.type in SLIPS
    ] == []


@pytest.mark.parametrize(("slug", "framework"), DECLARED, ids=["-".join(row) for row in DECLARED])
@pytest.mark.parametrize("lazy", BASELINES)
def test_every_lazy_answer_is_refused(
    slug: str, framework: str, lazy: str, sandbox: SandboxPool
) -> None:
    """Zeros, the mean of the values, an input handed back, argmax: in the right shape and dtype,
    they fail a hidden case.
    """
    from grader.comparison.compare import compare

    problem = load(ROOT, slug)
    answers = answers_for(problem, Framework(framework), sandbox)
    hidden = [
        a
        for a in answers.cases
        if not a.case.raises and (problem.kind is Kind.VALUES or not a.case.sample)
    ]
    differs = []
    for answer in hidden:
        for name, expected in answer.expected.items():
            given = baseline(lazy, name, answer)
            given = given.astype(expected.dtype) if expected.dtype in DTYPES else given
            differs.append(bool(compare(name, given, expected.dtype, expected)))
    assert any(differs)
