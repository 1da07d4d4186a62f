"""Makes the items of a problem, easiest step first."""

from grader.answers import answers_for
from grader.cache import Cache
from grader.findings.text import T_
from grader.model import Framework, Kind
from grader.practice.arrange import arranges
from grader.practice.beat import beats
from grader.practice.bug import bugs
from grader.practice.fill import fills
from grader.practice.item import Item
from grader.practice.predict import predictions
from grader.practice.reading import AnswerError
from grader.problem import Problem
from grader.sandbox import Sandbox

_items: Cache[tuple[str, str, str], tuple[Item, ...]] = Cache()


def items(problem: Problem, framework: Framework, sandbox: Sandbox) -> tuple[Item, ...]:
    """Returns all items of a problem; the same for one digest.

    Raises `ProblemError` when the problem's own code fails.
    """

    def compute() -> tuple[tuple[Item, ...], bool]:
        answers = answers_for(problem, framework, sandbox)
        predicted = tuple(predictions(problem, framework, answers, sandbox))
        if problem.kind is Kind.VALUES:  # its program is the numbers that are asked for
            return predicted, True
        made: tuple[Item, ...] = (
            *predicted,
            *arranges(problem, framework),
            *fills(problem, framework),
            *bugs(problem, framework, answers, sandbox),
            *beats(problem, framework, answers, sandbox),
        )
        return made, True

    return _items.get((problem.slug, problem.digest, str(framework)), compute)


def find(problem: Problem, framework: Framework, name: str, sandbox: Sandbox) -> Item:
    """Returns the item of that id. Raises `AnswerError` where there is none."""
    known = {item.id: item for item in items(problem, framework, sandbox)}
    if name not in known:
        raise AnswerError(
            T_(
                "%(problem)s has no practice item '%(name)s'; there are %(known)s",
                problem=problem.slug,
                name=name,
                known=", ".join(known) or "–",
            )
        )
    return known[name]
