"""`2 of 3 forgot …`: the mistakes of an assignment's problem, of a class, and of everybody; who may
open the submissions behind a bar.
"""

import re
from typing import Any

import pytest
from sqlalchemy import update

from server.models.accounts import Role
from server.models.base import now
from server.models.courses import Assignment
from server.models.submissions import Submission
from server.services.courses import mistakes
from tests.server.conftest import BAD, GOOD, SLUG, Browser, user_of
from tests.server.web.test_courses import Class

AGAIN = "double_again"


class School:
    """Two classes of two teachers, and a learner in none."""

    def __init__(self, app: Any, teacher: Browser) -> None:
        self.course = Class(teacher)
        self.other = Class(user_of(app, "theo", Role.INSTRUCTOR))
        lea, leo, lia, mia, nobody = (
            Browser(app).sign_up(name) for name in ("lea", "leo", "lia", "mia", "nobody")
        )
        for browser in (lea, leo, lia):
            self.course.join(browser)
        self.other.join(mia)
        lia.judged(GOOD)
        self.sent = {
            "lea": [lea.judged(BAD), lea.judged(BAD + "# again\n")],
            "leo": [leo.judged(BAD)],
            "mia": [mia.judged(BAD)],
            "nobody": [nobody.judged(BAD)],
        }
        self.lea = lea

    def of(self, *names: str) -> list[int]:
        return sorted((n for name in names for n in self.sent[name]), reverse=True)


@pytest.fixture
def school(app: Any, teacher: Browser) -> School:
    return School(app, teacher)


def bars(page: str) -> list[tuple[str, str]]:
    """(how many, mistake) of each bar."""
    return re.findall(r"<strong>(\d+ of \d+)</strong> <code>([^<]+)</code>", page)


def opened(page: str) -> list[int]:
    """The submissions that a page lists."""
    return [int(n) for n in re.findall(r"/submissions/(\d+)\"", page)]


@pytest.mark.parametrize(
    ("path", "who", "bar", "behind"),
    [
        ("/teach/assignments/{assignment}/mistakes/double", "teacher", "2 of 3", ["lea", "leo"]),
        ("/teach/courses/{course}/mistakes", "teacher", "2 of 3", ["lea", "leo"]),
        ("/teach/problems/double/mistakes", "teacher", "4 of 5", ["lea", "leo"]),
        ("/teach/problems/double/mistakes", "other", "4 of 5", ["mia"]),
        ("/teach/problems/double/mistakes", "stranger", "4 of 5", []),
        ("/teach/problems/double/mistakes", "admin", "4 of 5", ["lea", "leo", "mia", "nobody"]),
    ],
    ids=[
        "assignment",
        "class",
        "everybody-teacher",
        "everybody-another_teacher",
        "everybody-who_teaches_nobody",
        "everybody-admin",
    ],
)
def test_bars_and_what_is_behind_them(
    app: Any, school: School, path: str, who: str, bar: str, behind: list[str]
) -> None:
    asker = {"teacher": school.course.teacher, "other": school.other.teacher}.get(who) or user_of(
        app, who, Role.ADMIN if who == "admin" else Role.INSTRUCTOR
    )
    path = path.format(assignment=school.course.assignment, course=school.course.course)
    page = asker.get(path).text
    assert (bars(page), opened(page), "It is not doubled." in page) == ([(bar, "once")], [], True)
    (link,) = re.findall(r'<a href="([^"]+)"><strong>', page)
    page = asker.get(link.replace("&amp;", "&")).text
    assert opened(page) == school.of(*behind)
    for link in re.findall(r'href="([^"]+/submissions/\d+)"', page):
        assert "# wrong" in re.sub(r"<[^>]+>", "", asker.get(link).text)


def test_a_class_sees_each_problem_that_has_opened(school: School) -> None:
    school.course.assign(problem=AGAIN, title="Week 2")
    school.course.assign(problem=AGAIN, title="Week 9", opens="2098-01-01T08:00")
    school.lea.judged(BAD, AGAIN)
    path = f"/teach/courses/{school.course.course}/mistakes"
    assert bars(school.course.teacher.get(path).text) == [("2 of 3", "once"), ("1 of 1", "once")]
    assert opened(
        school.course.teacher.get(f"{path}?problem={AGAIN}&mistake=once").text
    ) != school.of("lea", "leo")
    assert opened(
        school.course.teacher.get(f"{path}?problem={SLUG}&mistake=once").text
    ) == school.of("lea", "leo")


def test_what_was_sent_before_it_was_assigned_is_not_the_classes(school: School, app: Any) -> None:
    early = Browser(app).sign_up("early")
    early.judged(BAD, AGAIN)
    school.course.join(early)
    school.course.assign(problem=AGAIN, title="Week 2")
    with school.course.teacher.service.database.write() as session:
        session.execute(
            update(Assignment).where(Assignment.title == "Week 2").values(opens_at=now())
        )
    number = early.judged(BAD, AGAIN)
    path = f"/teach/courses/{school.course.course}/mistakes?problem={AGAIN}&mistake=once"
    assert opened(school.course.teacher.get(path).text) == [number]


def test_only_admins_read_without_a_class(school: School, admin: Browser) -> None:
    path = f"/teach/problems/{SLUG}/submissions/{school.sent['nobody'][0]}"
    assert (admin.get(path).status_code, school.course.teacher.get(path).status_code) == (200, 403)
    assert admin.get(path.replace(SLUG, AGAIN)).status_code == 404


def test_a_submission_counts_for_each_mistake_that_its_verdict_names(app: Any) -> None:
    browser = Browser(app).sign_up("lea")
    number = browser.judged(BAD)
    service = browser.service
    with service.database.write() as session:
        row = session.get_one(Submission, number)
        assert row.verdict is not None
        (first,) = row.verdict["diagnoses"]
        others = [{**first, "mistake": name} for name in (AGAIN, "third")]
        row.verdict = {**row.verdict, "diagnoses": [first, *others]}
    with service.database.read() as session:
        found = mistakes.histogram(session, mistakes.by_all(SLUG), {})
        assert {bar.mistake: (bar.learners, bar.of) for bar in found} == {
            "once": (1, 1),
            AGAIN: (1, 1),
            "third": (1, 1),
        }
        for bar in found:
            rows = mistakes.examples(session, mistakes.by_all(SLUG), bar.mistake)
            assert [row.id for row in rows] == [number]
        assert mistakes.examples(session, mistakes.by_all(SLUG), "another") == []
