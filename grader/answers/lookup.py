"""Finds the answers of a problem: in memory, on disk, or by running the reference.

`cases.py` is drawn twice: with the installation's secret for the hidden cases, and with a public
seed for the samples and for each hidden case's public twin, of which everything that explains is
told (docs/design/twins.md).
"""

from collections.abc import Collection

import numpy as np

from grader import storage
from grader.answers.answer import Answer, Answers
from grader.answers.cases import generate
from grader.answers.draw import answers_of, drawn
from grader.cache import Cache
from grader.case import Case
from grader.errors import ProblemError, UsageError
from grader.findings.text import T_
from grader.model import Framework
from grader.problem import Problem, did_you_mean
from grader.sandbox import Sandbox

_answers: Cache[tuple[str, str, str, int], Answers] = Cache()


def answers_for(problem: Problem, framework: Framework, sandbox: Sandbox, seed: int = 0) -> Answers:
    """The answers, from memory, from disk, or by running the reference.

    Raises `ProblemError` when the problem's own code fails.
    """

    def compute() -> tuple[Answers, bool]:
        hidden = drawn(problem, framework, sandbox, storage.hidden_seed(problem.digest, seed))
        return (
            with_twins(
                problem, hidden, public_answers(problem, framework, sandbox), framework, seed
            ),
            True,
        )

    return _answers.get((problem.slug, problem.digest, str(framework), seed), compute)


def public_answers(problem: Problem, framework: Framework, sandbox: Sandbox) -> list[Answer]:
    """Every case drawn with the public seed, which anybody may see.

    Raises `ProblemError` when the problem's own code fails.
    """
    return drawn(problem, framework, sandbox, storage.public_seed(problem.slug), timed=False)


def chosen_answers(
    problem: Problem,
    framework: Framework,
    sandbox: Sandbox,
    seed: int,
    names: Collection[str],
) -> Answers:
    """The answers of the cases of these names alone, which are computed anew.

    Raises `ProblemError` when the problem's own code fails, `UsageError` for a name that no case
    has.
    """
    draws = storage.hidden_seed(problem.digest, seed), storage.public_seed(problem.slug)
    both = [generate(problem, framework, sandbox, draw) for draw in draws]
    known = [case.name for case in both[0]]
    for name in names:
        if name not in known:
            words = T_(
                "no case '%(case)s' in %(path)s%(meant)s",
                case=name,
                path=str(problem.folder / "cases.py"),
                meant=did_you_mean(name, known),
            )
            raise UsageError(words)
    hidden, public = (
        answers_of(problem, framework, sandbox, [c for c in cases if c.name in names])
        for cases in both
    )
    return with_twins(problem, hidden, public, framework, seed)


def sample_answers(problem: Problem, sandbox: Sandbox) -> list[tuple[Case, dict[str, np.ndarray]]]:
    """The sample cases with their answers, for statements."""
    answers = public_answers(problem, problem.frameworks[0], sandbox)
    return [
        (a.case, {name: e.shown for name, e in a.expected.items()})
        for a in answers
        if a.case.sample
    ]


def with_twins(
    problem: Problem, hidden: list[Answer], public: list[Answer], framework: Framework, seed: int
) -> Answers:
    """Hidden cases beside their public twins; samples are the public ones.

    Raises `ProblemError` when the two lists differ.
    """
    ours, theirs = [a.case.name for a in hidden], [a.case.name for a in public]
    if ours != theirs:
        other = next((name for name in ours if name not in theirs), ours[0])
        words = T_(
            "%(path)s: yields other cases for another seed (such as '%(case)s'); draw values and"
            " sizes from `rng`, never the names, the number or the order of the cases",
            path=str(problem.folder / "cases.py"),
            case=other,
        )
        raise ProblemError(words)
    pairs = list(zip(hidden, public, strict=True))
    twins = {b.case.name: b for a, b in pairs if b.case.sample or _differ(a.case, b.case)}
    return Answers(framework, seed, tuple(b if b.case.sample else a for a, b in pairs), twins)


def _differ(hidden: Case, public: Case) -> bool:
    """Was anything drawn for this case? Else the public draw is the hidden case itself."""
    one, two = hidden.tensors(), public.tensors()
    same = one.keys() == two.keys() and all(
        one[n].dtype == two[n].dtype
        and one[n].shape == two[n].shape
        and one[n].tobytes() == two[n].tobytes()
        for n in one
    )
    return not same or (hidden.options, hidden.init) != (public.options, public.init)
