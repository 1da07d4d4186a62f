"""An extension: one learner of a class has more time, and everything that depends on it follows."""

import json
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select, update

from server.models.accounts import User
from server.models.base import now
from server.models.courses import Assignment, Extension
from server.models.notices import Notice
from server.models.teaching import Deed
from tests.server.conftest import BAD, GOOD, SLUG, Browser
from tests.server.web.test_courses import Class, assigned_on


def extend(course: Class, name: str, due: str = "2099-03-01T12:00", reason: str = "ill") -> Any:
    """The form on a learner's page."""
    path = f"/teach/assignments/{course.assignment}/learners/{number_of(course, name)}"
    course.teacher.get(path)
    return course.teacher.post(f"{path}/extension", {"due": due, "reason": reason})


def number_of(course: Class, name: str) -> int:

    with course.teacher.service.database.read() as session:
        return session.scalars(select(User.id).where(User.name == name)).one()


def end_at(course: Class, class_minutes: float, own_minutes: float) -> None:
    """The assignment is due so many minutes from now, for the class and for who has an extension."""
    with course.teacher.service.database.write() as session:
        due = now() + timedelta(minutes=class_minutes)
        opened = now() - timedelta(days=30)
        session.execute(update(Assignment).values(opens_at=opened, due_at=due))
        session.execute(update(Extension).values(due_at=now() + timedelta(minutes=own_minutes)))


@pytest.fixture
def otto(app: Any) -> Browser:
    """Another learner, without an extension."""
    return Browser(app).sign_up("otto")


def test_work_in_the_time_of_an_extension_is_not_late(
    teacher: Browser, learner: Browser, otto: Browser
) -> None:
    course = Class(teacher, late="cutoff")
    for browser in (learner, otto):
        course.join(browser)
    assert extend(course, "lea").status_code == 303
    end_at(course, -5, 60)
    for browser in (learner, otto):
        browser.judged(GOOD)
    assert [course.row(name)["total"] for name in ("lea", "otto")] == [10.0, 0.0]
    end_at(course, -120, -60)
    assert course.row("lea")["problems"][0]["days_late"] == 1


def test_pages_and_gradebook_say_until_when(
    teacher: Browser, learner: Browser, otto: Browser
) -> None:
    course = Class(teacher)
    for browser in (learner, otto):
        course.join(browser)
    extend(course, "lea")
    own, words = "2099-03-01 12:00", "(extended for you)"
    for page in (assigned_on(learner), learner.get(f"/courses/{course.course}").text):
        assert (own in page, words in page) == (True, True)
    for page in (assigned_on(otto), otto.get(f"/courses/{course.course}").text):
        assert (own in page, words in page) == (False, False)
    matrix = teacher.get(f"/teach/assignments/{course.assignment}").text
    assert f"until {own}" in matrix.split("lea</a>")[1].split("</tr>")[0]
    assert "until" not in matrix.split("otto</a>")[1].split("</tr>")[0]
    assert course.row("lea")["due_at"] == "2099-03-01T11:00:00+00:00"
    book = f"/teach/assignments/{course.assignment}/gradebook"
    lines = teacher.get(f"{book}.csv").text.split("\r\n")
    assert lines[0].endswith(",total,of,due")
    assert lines[1].endswith("2099-03-01T11:00:00+00:00")
    assert lines[2].endswith("2099-01-08T17:00:00+00:00")
    assert "2099-03-01T11:00:00+00:00" in teacher.get(f"{book}.nbgrader").text.split("\r\n")[1]


def test_attempts_are_limited_until_the_extension_ends(teacher: Browser, learner: Browser) -> None:
    course = Class(teacher, late="cutoff", attempts="1")
    course.join(learner)
    extend(course, "lea")
    end_at(course, -5, 60)
    assert learner.submit(BAD).status_code == 409
    learner.judged(BAD, last="yes")
    assert learner.submit(BAD, last="yes").status_code == 422
    end_at(course, -5, -1)  # over: one may practise as much as one likes
    assert learner.submit(BAD).status_code == 303


def test_results_and_solution_stay_closed_until_the_extension_ends(
    teacher: Browser, learner: Browser, otto: Browser
) -> None:
    course = Class(teacher, feedback="after_due", no_own_inputs="on")
    for browser in (learner, otto):
        course.join(browser)
        browser.judged(GOOD)
    extend(course, "lea")
    end_at(course, -5, 60)
    assert [shown(browser) for browser in (learner, otto)] == [False, True]
    closed = "The solution stays closed until &#39;Week 1&#39; is due."
    browsers = (learner, otto)
    said = [closed in browser.get(f"/problems/{SLUG}/solution").text for browser in browsers]
    assert said == [True, False]
    tries = {"framework": "numpy", "source": GOOD, "kind": "try", "inputs": "x: [1.0]"}
    answer = learner.post(f"/problems/{SLUG}/explorations", tries)
    assert answer.status_code == 422
    end_at(course, -5, -1)
    assert shown(learner)


def shown(browser: Browser) -> bool:
    """Whether a learner reads the result, on every page that could tell; all say the same."""
    lists = [
        '"wrong_answer"' in text or '"accepted"' in text
        for text in (json.dumps(browser.get("/api/v1/submissions").json),)
    ]
    pages = {
        "/progress": "outcome ok",
        f"/problems/{SLUG}/submissions": "outcome ok",
        "/": "state-solved",
        "/api/v1/me": f'"{SLUG}"',
    }
    found = {*lists, *(words in browser.get(path).text for path, words in pages.items())}
    assert len(found) == 1, found
    return found.pop()


def test_an_earlier_extension_takes_no_time_away(course: Class, learner: Browser) -> None:
    course.join(learner)
    extend(course, "lea")
    end_at(course, 120, 60)
    assert "(extended for you)" not in assigned_on(learner)
    assert "until" not in course.teacher.get(f"/teach/assignments/{course.assignment}/live").text


@pytest.fixture
def course(teacher: Browser) -> Class:
    """A course on the most generous terms."""
    return Class(teacher)


REFUSED = [
    ("no reason", {"reason": " "}, "Say why."),
    ("no time", {"due": "tomorrow"}, "is not a valid date and time"),
    ("no later", {"due": "2099-01-08T18:00"}, "must be later than the assignment is due"),
    ("nothing to take back", {"due": ""}, "There is no extension to take back"),
]


@pytest.mark.parametrize(
    ("form", "words"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
def test_refused(course: Class, learner: Browser, form: dict[str, str], words: str) -> None:
    course.join(learner)
    answer = extend(course, "lea", **form)
    assert (answer.status_code, words in answer.text) == (422, True)


def test_an_error_leaves_the_form_as_it_was_sent(course: Class, learner: Browser) -> None:
    course.join(learner)
    extend(course, "lea")
    shown = extend(course, "lea", "2099-01-07T18:00", "a <long> illness").text
    opened, form = shown.split("Change the extension")
    assert opened.endswith("<details open><summary>")
    assert 'name="due" value="2099-01-07T18:00"' in form
    assert 'name="reason" value="a &lt;long&gt; illness"' in form
    assert "illness" not in opened


def test_a_refused_score_leaves_what_was_sent(course: Class, learner: Browser) -> None:
    course.join(learner)
    path = f"/teach/assignments/{course.assignment}/learners/{number_of(course, 'lea')}"
    course.teacher.get(path)
    form = {"slug": SLUG, "score": "-1", "reason": "a bonus"}
    scores, extension = course.teacher.post(f"{path}/override", form).text.split(
        "Give an extension"
    )
    assert ('value="-1"' in scores, 'name="reason" value="a bonus"' in scores) == (True, True)
    assert scores.endswith("<details><summary>")
    assert "bonus" not in extension


def test_the_learner_is_told_and_it_is_logged(course: Class, learner: Browser) -> None:
    course.join(learner)
    extend(course, "lea")
    extend(course, "lea", "2099-04-01T12:00", "still ill")
    extend(course, "lea", "", "well again")
    page = learner.get("/").text
    link = f'<a href="/courses/{course.course}#a{course.assignment}">Week 1</a>'
    told = "An instructor, terry, gave you until 2099-03-01 12:00 Europe/Berlin for &#39;{}&#39;"
    assert told.format(link) in page
    assert f"terry, took back your extension for &#39;{link}&#39;" in page
    with course.teacher.service.database.write() as session:  # as they were stored before
        for notice in session.scalars(select(Notice)):
            kept = dict(notice.detail["parameters"])
            del kept["assignment_id"], kept["course_id"]
            notice.detail = {**notice.detail, "parameters": kept}
    assert told.format("Week 1") in learner.get("/").text
    with course.teacher.service.database.read() as session:
        assert session.scalars(select(Extension)).all() == []
        deeds = session.scalars(select(Deed).where(Deed.action == "extension").order_by(Deed.id))
        logged = [(d.reason, (d.detail or {})["was"], (d.detail or {})["due"]) for d in deeds]
    first, second = (f"2099-0{month}-01 12:00 Europe/Berlin" for month in (3, 4))
    assert logged == [
        ("ill", None, first),
        ("still ill", first, second),
        ("well again", second, None),
    ]


def test_the_name_of_a_zone_is_told_as_it_is(course: Class, learner: Browser) -> None:
    course.join(learner)
    form = {"action": "zone", "zone": "UTC"}
    course.teacher.post(f"/teach/courses/{course.course}/settings", form)
    extend(course, "lea")
    assert "gave you until 2099-03-01 12:00 UTC for" in learner.get("/").text
