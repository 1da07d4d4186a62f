"""Known mistakes of the bank are refused and told their own hints; every lazy answer is refused."""

import pytest

from grader.answers import Answer, answers_for
from grader.comparison.compare import Expected, compare
from grader.diagnosis.fingerprints import mistake_runs
from grader.diagnosis.matching import COSTS
from grader.errors import ProblemError
from grader.inside.frames import DTYPES
from grader.judge import judge
from grader.model import Framework, Kind, Outcome, Submission
from grader.mutation.sieve import size
from grader.sandbox import SandboxPool
from grader.verify.baselines import BASELINES, baseline
from tests.conftest import SLUGS
from tests.shipped import shipped

SUBMITTED = 4  # mistakes that go through `judge`
SLIPS = ("NameError", "UnboundLocalError", "SyntaxError", "IndentationError", "AttributeError")


def declared() -> list[tuple[str, str]]:
    """Slug and framework, without running anything; a problem that cannot be read is one failing
    test, not a failing file.
    """
    found: list[tuple[str, str]] = []
    for slug in SLUGS:
        try:
            found += [(slug, str(framework)) for framework in shipped(slug).frameworks]
        except ProblemError:
            found.append((slug, "unreadable"))
    return found


DECLARED = declared()


@pytest.mark.parametrize(("slug", "framework"), DECLARED, ids=["-".join(row) for row in DECLARED])
def test_a_learner_with_a_known_mistake_is_told_its_hint(
    slug: str, framework: str, sandbox: SandboxPool
) -> None:
    """Verify says so of every mistake (`test_fit_to_use`); some of them take a learner's way here."""
    problem, written = shipped(slug), Framework(framework)
    known = [m for m in problem.mistakes if written in m.sources]
    # what makes values wrong may cost too much as well, and then both are true
    costs = {m.name for m in known if m.verdict in COSTS}
    wrong = []
    for mistake in known[:: len(known) // SUBMITTED]:
        found = judge(problem, Submission(written, mistake.sources[written]), sandbox)
        told = [
            (d.mistake, d.hint)
            for d in found.diagnoses
            if d.mistake == mistake.name or d.mistake not in costs
        ]
        refused = found.verdict not in (Outcome.ACCEPTED, Outcome.JUDGE_ERROR)
        if not refused or told != [(mistake.name, mistake.hint)]:
            wrong.append((mistake.name, found.verdict, [name for name, _ in told], found.message))
    assert wrong == []


@pytest.mark.parametrize(("slug", "framework"), DECLARED, ids=["-".join(row) for row in DECLARED])
def test_no_mistake_fails_by_a_slip_of_its_author(
    slug: str, framework: str, sandbox: SandboxPool
) -> None:
    """An edit that leaves a name undefined or a line out of place is killed too, and its hint is
    never told to anyone.
    """
    problem = shipped(slug)
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
    problem = shipped(slug)
    answers = answers_for(problem, Framework(framework), sandbox)
    hidden = [
        a
        for a in answers.cases
        if not a.case.raises and (problem.kind is Kind.VALUES or not a.case.sample)
    ]

    def differs(answer: Answer, name: str, expected: Expected) -> bool:
        given = baseline(lazy, name, answer)
        given = given.astype(expected.dtype) if expected.dtype in DTYPES else given
        return bool(compare(name, given, expected.dtype, expected, brief=True))

    assert any(
        differs(answer, name, expected)
        for answer in sorted(hidden, key=size)
        for name, expected in answer.expected.items()
    )
