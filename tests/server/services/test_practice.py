"""Answers to practice items: how a form becomes one, who may give one, and what is recorded."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select, update

from grader.errors import SubmissionError
from grader.model import Framework
from grader.practice import Step
from grader.problem import Problem
from server.models.base import now
from server.models.database import clock
from server.models.practice import PracticeAnswer, PracticeSet
from server.models.reviews import Review
from server.models.submissions import Submission
from server.services import accounts, submission_queue
from server.services.practice import answers, sets
from server.services.practice.sending import NewAnswer, send, texts_of
from server.web.context import NAME, Service
from tests.server.conftest import SLUG, MakeApp

NUMPY = Framework.NUMPY


@pytest.fixture
def idle(make_app: MakeApp) -> Service:
    """A service whose worker is not running."""
    service: Service = make_app(work=False).extensions[NAME]
    return service


def person(service: Service, name: str = "lea") -> int:
    with service.database.write() as session:
        return accounts.add_user(session, name, "", password_hash="none").id


def problem(service: Service) -> Problem:
    found = service.bank.get(SLUG)
    assert found is not None
    return found


FORMS = {
    "a shape": (Step.PREDICT, {}, ["2 3"], ["2 3"]),
    "blanks": (Step.FILL, {}, ["2 * x", "x"], ["2 * x", "x"]),
    "the order of the places, not of the fields": (
        Step.ARRANGE,
        {"place-1": "12", "place-2": "", "place-3": " 2", "other": "9"},
        [],
        ["3 1"],
    ),
    "a line": (Step.BUG, {"line": "4"}, [], ["4"]),
    "a mended line": (Step.BUG, {"line": "4", "text": " x = 1\r\n"}, [], ["4: x = 1"]),
}


@pytest.mark.parametrize(("step", "form", "given", "texts"), FORMS.values(), ids=FORMS.keys())
def test_a_form_is_an_answer(
    step: Step, form: Mapping[str, str], given: list[str], texts: list[str]
) -> None:
    assert texts_of(step, form, given) == texts


REFUSED = {
    "nothing": (Step.PREDICT, {}, [], "no answer"),
    "an empty blank": (Step.FILL, {}, ["x", " "], "no answer"),
    "no line has a place": (Step.ARRANGE, {"place-1": ""}, [], "no answer"),
    "a place twice": (Step.ARRANGE, {"place-1": "1", "place-2": "1"}, [], "same place"),
    "no line": (Step.BUG, {"text": "x"}, [], "Choose a line"),
    "a line mended to nothing": (Step.BUG, {"line": "1", "text": " "}, [], "as it should be"),
    "a long text": (Step.FILL, {}, ["x" * 1001], "at most 1,000 characters"),
    "long inputs": (Step.BEAT, {}, ["x" * 20_001], "at most 20,000 characters"),
    "no inputs": (Step.BEAT, {}, [" \r\n"], "no answer"),
    "many texts": (Step.FILL, {}, ["x"] * 9, "at most 1,000 characters"),
    "a NUL": (Step.FILL, {}, ["\0"], "at most 1,000 characters"),
}


@pytest.mark.parametrize(("step", "form", "given", "said"), REFUSED.values(), ids=REFUSED.keys())
def test_a_form_that_is_none_is_refused(
    step: Step, form: Mapping[str, str], given: list[str], said: str
) -> None:
    with pytest.raises(SubmissionError, match=said):
        texts_of(step, form, given)


def answered(
    service: Service, user: int, *texts: str, item: str = "fill-1", **result: Any
) -> PracticeAnswer | None:
    """Send an answer, let a worker finish it, and read what is recorded."""
    woken: list[int] = []
    new = NewAnswer(user, problem(service), NUMPY, item, texts)
    row = send(service.database, new, woken.append)
    assert woken == [row.id]
    claimed = submission_queue.claim(service.database, "host:1:a", 30)
    assert claimed is not None and claimed.exploration == row.exploration
    about = {"right": False, "solved": False, "digest": problem(service).digest, **result}
    submission_queue.finish(service.database, claimed, None, {"result": about} if result else {})
    with service.database.read() as session:
        return answers.of(session, user, problem(service), NUMPY).get(item)


def test_the_last_answer_is_kept_and_solved_stays_solved(idle: Service) -> None:
    lea = person(idle)
    wrong = answered(idle, lea, "x", right=False)
    assert wrong is not None and (wrong.answer, wrong.correct, wrong.solved_at) == (
        ["x"],
        False,
        None,
    )
    solved = answered(idle, lea, "2 * x", right=True, solved=True)
    assert solved is not None and solved.correct and solved.solved_at is not None
    later = answered(idle, lea, "3 * x", right=False)
    assert later is not None
    assert (later.answer, later.correct, later.solved_at) == (["3 * x"], False, solved.solved_at)


def test_a_wrong_line_that_is_found_is_not_yet_solved(idle: Service) -> None:
    found = answered(idle, person(idle), "2", item="bug-1", right=True, solved=False)
    assert found is not None and found.correct and found.solved_at is None


def test_an_answer_plans_when_the_item_is_asked_again(idle: Service) -> None:
    lea = person(idle)
    answered(idle, lea, "2", item="bug-1", right=True, solved=False)
    answered(idle, lea, "x", right=False)
    answered(idle, lea, "2 * x", item="fill-2", right=True, solved=True)
    with idle.database.read() as session:
        days = {
            row.item: round((row.due - clock(session)).total_seconds() / 86400)
            for row in session.scalars(select(Review))
        }
    assert days == {"numpy fill-1": 1, "numpy fill-2": 2}  # a line that is found is not mended


def test_what_the_judge_lost_and_another_version_are_no_answer(idle: Service) -> None:
    lea, bob = person(idle), person(idle, "bob")
    assert answered(idle, lea, "x") is None
    assert answered(idle, lea, "x", right=True, solved=True, digest="of yesterday") is None
    assert answered(idle, bob, "y", right=False) is not None
    # an item of the same name in a new version is another item
    new = answered(idle, lea, "x", right=False)
    assert new is not None and new.solved_at is None


def test_an_answer_is_in_no_history_and_no_count(idle: Service) -> None:
    lea = person(idle)
    answered(idle, lea, "2 * x", right=True, solved=True)
    with idle.database.read() as session:
        row = session.scalars(select(Submission)).one()
    assert (row.samples_only, row.outcome, row.verdict) == (True, None, None)


def test_a_set_is_wanted_once_and_again_a_while_after_it_failed(idle: Service) -> None:
    database, double = idle.database, problem(idle)
    for _ in range(2):
        sets.want(database, double, NUMPY)
    key = (double.slug, double.digest, "numpy")
    with database.read() as session:
        assert sets.wanted(session) == [key]
    with database.write() as session:
        sets.store(session, key, None, "the room died")
    sets.want(database, double, NUMPY)
    with database.write() as session:
        assert sets.wanted(session) == []
        session.execute(update(PracticeSet).values(at=now() - timedelta(minutes=6)))
    sets.want(database, double, NUMPY)
    with database.write() as session:
        assert sets.wanted(session) == [key]
        sets.store(session, key, [])
    sets.want(database, double, NUMPY)
    with database.read() as session:
        row = sets.find(session, double, NUMPY)
        assert row is not None and (row.items, sets.wanted(session)) == ([], [])
