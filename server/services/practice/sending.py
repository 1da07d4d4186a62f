"""An answer to a practice item on its way in: who may give one, and its row in the queue."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from grader.errors import SubmissionError
from grader.model import Framework
from grader.practice import Step
from grader.practice.reading import MOST_INPUT_TEXT, MOST_TEXT
from grader.problem import Problem
from server.messages import Message
from server.models.base import now
from server.models.database import Database
from server.models.submissions import Submission
from server.services import statistics, submissions
from server.services.courses.items import opened_steps
from server.services.courses.terms import given
from server.services.practice.answers import KIND

MOST_TEXTS = 8
PLACE = re.compile(r"place-(\d{1,4})")


@dataclass(frozen=True, slots=True)
class NewAnswer:
    """What a person answers to an item, before it is judged."""

    user_id: int
    problem: Problem
    framework: Framework
    item: str
    texts: Sequence[str]


def closed_steps(session: Session, user_id: int, slug: str) -> Mapping[Step, str]:
    """Returns the steps of a problem that are closed until an assignment is due, with its title.

    Items show lines of the reference, so they are closed where the solution is. A step that is
    assigned itself, in the same course, is open: its teachers want it.
    """
    if statistics.may_read_solution(session, user_id, slug):
        return {}
    keepers = [each for each, own in given(session, user_id, slug) if own.due_at > now()]
    opened = opened_steps(session, user_id, slug) if keepers else set()
    return {
        step: keeper.title
        for keeper in reversed(keepers)
        for step in Step
        if (keeper.course_id, str(step)) not in opened
    }


def closed_by(session: Session, user_id: int, slug: str, step: Step | None = None) -> str:
    """Returns the assignment that keeps a step closed until it is due, or, without a step, all of
    practice; empty when none does.
    """
    closed = closed_steps(session, user_id, slug)
    if step is not None:
        return closed.get(step, "")
    return next(iter(closed.values())) if len(closed) == len(Step) else ""


def texts_of(step: Step, form: Mapping[str, str], given: Sequence[str]) -> list[str]:
    """Returns the answer in a form, as `grader.practice.read` takes it; `given` are the values of
    its fields `answer`.

    Raises `SubmissionError` for what cannot be one.
    """
    texts = {Step.ARRANGE: _order, Step.BUG: _line}.get(step, lambda _: list(given))(form)
    if not texts or not all(text.strip() for text in texts):
        raise SubmissionError(Message("There is no answer yet."))
    texts = [text.replace("\r\n", "\n") for text in texts]
    most = MOST_INPUT_TEXT if step is Step.BEAT else MOST_TEXT
    if len(texts) > MOST_TEXTS or any(len(t) > most or "\0" in t for t in texts):
        raise SubmissionError(Message("An answer has at most %(most)s characters.", most=most))
    return texts


def _order(form: Mapping[str, str]) -> list[str]:
    """The lines that have a place, in the order of their places."""
    named = ((PLACE.fullmatch(name), value.strip()) for name, value in form.items())
    placed = [(value, match[1]) for match, value in named if match is not None and value]
    places = [place for place, _ in placed]
    if len(set(places)) != len(places) or not all(p.isdecimal() and len(p) < 5 for p in places):
        raise SubmissionError(Message("Two lines have the same place; give each one its own."))
    return [" ".join(line for _, line in sorted(placed, key=lambda pair: int(pair[0])))]


def _line(form: Mapping[str, str]) -> list[str]:
    """The number of a line, and its new text where the form has that field."""
    number, text = form.get("line", "").strip(), form.get("text")
    if not number:
        raise SubmissionError(Message("Choose a line."))
    if text is None:
        return [number]
    if not text.strip():
        raise SubmissionError(Message("Write the line as it should be."))
    return [f"{number}: {text.strip()}"]


def send(database: Database, answer: NewAnswer, wake: Callable[[int], None]) -> Submission:
    """Queues an answer to be judged, as a sample run that is in no history.

    Raises `SubmissionError` where practice is closed.
    """
    with database.write() as session:
        step = Step(answer.item.rpartition("-")[0])
        keeper = closed_by(session, answer.user_id, answer.problem.slug, step)
        if keeper:
            raise SubmissionError(
                Message("Practice stays closed until '%(title)s' is due.", title=keeper)
            )
        row, _ = submissions.submit(
            session,
            answer.user_id,
            answer.problem,
            answer.framework,
            "\n".join(answer.texts),
            samples_only=True,
            exploration={"kind": KIND, "item": answer.item, "answer": list(answer.texts)},
        )
    wake(row.id)
    return row
