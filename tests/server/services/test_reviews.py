"""When something is asked again, and what counts as shown."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from grader.lessons import QuestionKind
from grader.model import Kind as ProblemKind
from server.models import migrations
from server.models.database import Database, open_database
from server.services import accounts
from server.services.reviews import resume, schedule
from server.services.reviews.schedule import Asked, Kind
from server.services.reviews.topics import Part, topics
from server.services.statistics import Standing

BEGIN = datetime(2026, 3, 1, 9, tzinfo=UTC)
ONE = Asked(Kind.QUESTION, "masks", "one")
TWO = Asked(Kind.PRACTICE, "causal_mask", "numpy fill-1")


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """A database with one person, whose number is 1."""
    opened = open_database(database_url)
    migrations.upgrade(opened)
    with opened.write() as session:
        accounts.add_user(session, "lea", "", password_hash="none")
    yield opened
    opened.close()


@pytest.fixture
def on_day(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Sets the clock so many days after the beginning."""

    def chosen(days: float) -> None:
        monkeypatch.setattr(schedule, "clock", lambda session: BEGIN + timedelta(days=days))

    chosen(0)
    return chosen


def answer(database: Database, asked: Asked, right: bool) -> None:
    with database.write() as session:
        schedule.note(session, 1, asked, right)


def due(database: Database) -> list[Asked]:
    with database.read() as session:
        return list(schedule.due(session, 1))


def waits(database: Database, on_day: Callable[[float], None], begin: int) -> int:
    """In how many days after a day something is due."""
    for days in range(400):
        on_day(begin + days)
        if due(database):
            return days
    raise AssertionError("it never comes back")


@pytest.mark.parametrize(
    ("answers", "intervals"),
    [([True, True, True], [2, 11, 46]), ([False, True, True], [1, 2, 6]), ([False, False], [1, 1])],
    ids=["right", "wrong at first", "wrong twice"],
)
def test_what_is_right_comes_back_later_each_time(
    answers: list[bool], intervals: list[int], database: Database, on_day: Callable[[float], None]
) -> None:
    day, found = 0, []
    for right in answers:
        on_day(day)
        answer(database, ONE, right)
        found.append(waits(database, on_day, day))
        day += found[-1]
    assert found == intervals


def test_to_correct_oneself_at_once_is_no_review(
    database: Database, on_day: Callable[[float], None]
) -> None:
    answer(database, ONE, False)
    on_day(0.01)
    answer(database, ONE, True)
    assert due(database) == []
    assert waits(database, on_day, 0) == 1  # as if it had stayed wrong


def test_the_longest_due_comes_first(database: Database, on_day: Callable[[float], None]) -> None:
    answer(database, ONE, True)
    on_day(0.5)
    answer(database, TWO, False)
    on_day(1.6)
    assert due(database) == [TWO]
    on_day(9)
    assert due(database) == [TWO, ONE]
    with database.read() as session:
        assert list(schedule.due(session, 2)) == []


def problem(slug: str, track: str = "masks", kind: ProblemKind = ProblemKind.FUNCTION) -> Any:
    return SimpleNamespace(slug=slug, track=track, kind=kind, requires=())


def question(name: str, kind: QuestionKind) -> Any:
    return SimpleNamespace(name=name, kind=kind)


def test_what_is_shown_of_a_topic() -> None:
    problems = [problem("a"), problem("b"), problem("c", kind=ProblemKind.VALUES)]
    problems.append(problem("d", "heads"))
    questions = (
        question("count", QuestionKind.NUMBER),
        question("why", QuestionKind.CHOICE),
        question("order", QuestionKind.ORDER),
    )
    lessons: list[Any] = [
        SimpleNamespace(slug="l", problems=("gone", "a"), questions=questions),
        SimpleNamespace(slug="of_nothing", problems=(), questions=questions),
    ]
    right = {"l": {"count", "why"}, "of_nothing": {"count"}}
    found = topics(problems, lessons, {"a", "c"}, {"b"}, right)
    assert [topic.track for topic in found] == ["masks", "heads"]
    masks, heads = found
    # on paper: c; predicted: b; a number: count
    assert (masks.by_hand, masks.written, masks.explained) == (Part(3, 4), Part(1, 2), Part(1, 2))
    assert (heads.by_hand, heads.written, heads.explained) == (Part(0, 1), Part(0, 1), Part(0, 0))
    assert (masks.by_hand.state, heads.by_hand.state) == ("tried", "ready")


def test_without_any_submission_one_begins_at_the_first(database: Database) -> None:
    problems = [problem("a"), problem("b")]
    with database.read() as session:
        new = resume.problem(session, 1, problems, {})
        assert (new.problem, new.begun) == (problems[0], False)
        rest = resume.problem(session, 1, problems, {"a": Standing(True, 1)})
        assert rest.problem is problems[1]
        everything = {"a": Standing(True, 1), "b": Standing(True, 1)}
        assert resume.problem(session, 1, problems, everything).problem is None
