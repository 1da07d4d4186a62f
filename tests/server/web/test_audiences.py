"""A problem that was published for the learners of some courses: who finds it, and until when."""

import re
from typing import Any

import pytest
from sqlalchemy import select

from server.models.accounts import Role
from server.models.courses import Course, Member
from server.models.teaching import Audience, Deed, Schedule
from server.services.problems import scheduling
from tests.server.conftest import Browser, MakeApp, user_of
from tests.server.instructors import FIT, SLUG, found_fit, send_zip

PATHS = (
    f"/problems/{SLUG}",
    f"/problems/{SLUG}/leaderboard",
    f"/problems/{SLUG}/practice",
    f"/problems/{SLUG}/solution",
    f"/problems/{SLUG}/submissions",
    f"/problems/{SLUG}/try",
    f"/api/v1/problems/{SLUG}",
)
LISTS = ("/", "/progress", "/today", "/leaderboard", "/api/v1/problems")


@pytest.fixture
def app(make_app: MakeApp) -> Any:
    """A service whose worker is not running: no verdict is needed here."""
    return make_app(work=False)


@pytest.fixture
def teacher(app: Any) -> Browser:
    """An instructor with two courses."""
    browser = user_of(app, "terry", Role.INSTRUCTOR)
    for title in ("Spring", "Autumn"):
        browser.get("/teach/courses")
        assert browser.post("/teach/courses", {"title": title, "zone": "UTC"}).status_code == 303
    return browser


@pytest.fixture
def draft(teacher: Browser) -> int:
    """A draft that verify found fit."""
    number = send_zip(teacher, FIT)
    found_fit(teacher, number)
    return number


def course(browser: Browser, title: str) -> int:
    with browser.service.database.read() as session:
        return session.scalars(select(Course.id).where(Course.title == title)).one()


def publish(teacher: Browser, draft: int, *titles: str) -> Any:
    teacher.get(f"/teach/drafts/{draft}")
    chosen = [str(course(teacher, title)) for title in titles]
    return teacher.post(f"/teach/drafts/{draft}/publish", {"course": chosen})


def audience(teacher: Browser, *titles: str, **form: str) -> Any:
    teacher.get(f"/teach/problems/{SLUG}")
    chosen = [str(course(teacher, title)) for title in titles]
    return teacher.post(f"/teach/problems/{SLUG}/audience", {"course": chosen, **form})


def learner_of(app: Any, teacher: Browser, name: str, title: str = "") -> Browser:
    browser = user_of(app, name, Role.LEARNER)
    if title:
        with teacher.service.database.write() as session:
            code = session.get_one(Course, course(teacher, title)).code
        browser.get("/courses")
        assert browser.post("/courses/join", {"code": code}).status_code == 303
    return browser


def finds(browser: Browser) -> set[bool]:
    """Whether somebody gets the problem, at its addresses and in the lists."""
    there = {browser.get(path).status_code not in (404, 302) for path in PATHS[::6]}
    return there | {SLUG in browser.get(path).text for path in ("/", "/api/v1/problems")}


def test_only_the_learners_of_the_course_find_it_until_it_is_opened(
    app: Any, teacher: Browser, draft: int
) -> None:
    assert publish(teacher, draft, "Spring").status_code == 303
    inside, outside = learner_of(app, teacher, "ina", "Spring"), learner_of(app, teacher, "otto")
    elsewhere, visitor = learner_of(app, teacher, "ella", "Autumn"), Browser(app)
    other, admin = user_of(app, "theo", Role.INSTRUCTOR), user_of(app, "ada", Role.ADMIN)
    people = (inside, outside, elsewhere, visitor, other, admin, teacher)
    assert [finds(each) for each in people] == [
        {True}, {False}, {False}, {False}, {True}, {True}, {True},
    ]  # fmt: skip
    assert "Spring" in teacher.get(f"/teach/problems/{SLUG}").text
    assert audience(teacher, everybody="yes").status_code == 303
    assert [finds(each) for each in people] == [{True}] * len(people)
    with teacher.service.database.read() as session:
        deeds = session.scalars(select(Deed).where(Deed.action == "audience").order_by(Deed.id))
        said = [(deed.subject, deed.reason, deed.detail) for deed in deeds]
    assert said[0] == (SLUG, "", {"courses": "Spring"})
    assert said[1][:2] == (SLUG, "open to everybody")


@pytest.mark.parametrize("path", PATHS)
def test_no_address_of_it_is_there_for_others(
    app: Any, teacher: Browser, draft: int, path: str
) -> None:
    publish(teacher, draft, "Spring")
    inside, outside = learner_of(app, teacher, "ina", "Spring"), learner_of(app, teacher, "otto")
    assert outside.get(path).status_code == 404
    assert inside.get(path).status_code == 200


@pytest.mark.parametrize("path", LISTS)
def test_no_list_names_it_to_others(app: Any, teacher: Browser, draft: int, path: str) -> None:
    publish(teacher, draft, "Spring")
    page = learner_of(app, teacher, "otto").get(path).text
    assert (SLUG in page, "Sigmoid" in page) == (False, False)


def test_nothing_is_sent_to_it_by_others(app: Any, teacher: Browser, draft: int) -> None:
    publish(teacher, draft, "Spring")
    outside = learner_of(app, teacher, "otto")
    outside.get("/")
    sent = {"source": "x = 1\n", "framework": "numpy", "action": "submit"}
    assert outside.post(f"/problems/{SLUG}/submit", sent).status_code == 404
    token = {"X-CSRFToken": outside.csrf}
    body = {"problem": SLUG, "framework": "numpy", "source": "x = 1\n"}
    answer = outside.client.post("/api/v1/submissions", json=body, headers=token)
    assert answer.status_code == 404


def test_who_leaves_the_course_reads_their_own_submission_without_the_statement(
    app: Any, teacher: Browser, draft: int
) -> None:
    publish(teacher, draft, "Spring")
    inside = learner_of(app, teacher, "ina", "Spring")
    inside.get(f"/problems/{SLUG}")
    sent = {"source": "mine = 1\n", "framework": "numpy", "action": "submit", "once": "1"}
    number = inside.post(f"/problems/{SLUG}/submit", sent).location
    found = re.search(r"/submissions/\d+", number)
    assert found is not None
    assert "statement" in inside.get(found[0]).text
    with teacher.service.database.write() as session:
        session.delete(session.scalars(select(Member).where(Member.teaches.is_(False))).one())
    page = inside.get(found[0])
    assert (page.status_code, 'id="statement"' in page.text) == (200, False)


def test_an_assignment_of_another_course_cannot_have_it(
    app: Any, teacher: Browser, draft: int
) -> None:
    publish(teacher, draft, "Spring")

    def assign(title: str) -> Any:
        number = course(teacher, title)
        teacher.get("/teach")  # what was done is said once
        there = SLUG in teacher.get(f"/teach/courses/{number}").text
        form = {
            "title": "Week 1",
            "opens": "2020-01-01T08:00",
            "due": "2099-01-01T08:00",
            "late": "none",
            "feedback": "full",
            "problem": SLUG,
        }
        return there, teacher.post(f"/teach/courses/{number}/assignments", form).status_code

    assert (assign("Autumn"), assign("Spring")) == ((False, 422), (True, 303))
    answer = audience(teacher, "Autumn")
    assert (answer.status_code, "leave that course in" in answer.text) == (422, True)
    assert audience(teacher, "Autumn", "Spring").status_code == 303
    assert assign("Autumn") == (True, 303)


def test_an_open_problem_stays_open(teacher: Browser, draft: int) -> None:
    publish(teacher, draft)
    answer = audience(teacher, "Spring")
    assert (answer.status_code, "reaches everybody" in answer.text) == (422, True)


def test_a_shipped_problem_stays_open(teacher: Browser) -> None:
    shipped = "double"
    assert teacher.get(f"/problems/{shipped}").status_code == 200
    form = {"course": str(course(teacher, "Spring"))}
    answer = teacher.post(f"/teach/problems/{shipped}/audience", form)
    assert (answer.status_code, "everybody sees it" in answer.text) == (422, True)


def test_a_course_that_one_does_not_teach(app: Any, teacher: Browser, draft: int) -> None:
    other = user_of(app, "theo", Role.INSTRUCTOR)
    other.get("/teach/courses")
    other.post("/teach/courses", {"title": "Theirs", "zone": "UTC"})
    for titles in (("Theirs",), ("Spring", "Theirs")):
        answer = publish(teacher, draft, *titles)
        assert (answer.status_code, "courses that you teach" in answer.text) == (422, True)
    assert publish(teacher, draft, "Spring").status_code == 303
    assert audience(teacher).status_code == 422  # no course, and not everybody
    assert audience(teacher, "Theirs").status_code == 422
    with teacher.service.database.read() as session:
        numbers = session.scalars(select(Audience.course_id)).all()
    assert numbers == [course(teacher, "Spring")]


@pytest.mark.parametrize("number", ["", "one", "999"])
def test_no_course_of_that_number(teacher: Browser, draft: int, number: str) -> None:
    teacher.get(f"/teach/drafts/{draft}")
    form = {"course": number}
    assert teacher.post(f"/teach/drafts/{draft}/publish", form).status_code == 422


def test_a_version_of_what_everybody_sees_reaches_everybody(teacher: Browser, draft: int) -> None:
    assert publish(teacher, draft).status_code == 303
    path = "problems/starter_numpy.py"
    number = send_zip(teacher, FIT | {path: FIT[path] + "\n# another word\n"})
    found_fit(teacher, number)
    instead = "copy the draft under another name"
    assert instead in teacher.get(f"/teach/drafts/{number}").text
    answer = publish(teacher, number, "Spring")
    assert (answer.status_code, instead in answer.text) == (422, True)


def test_a_schedule_and_a_program_limit_it_too(app: Any, teacher: Browser, draft: int) -> None:
    spring = course(teacher, "Spring")
    form = {"at": "2099-05-01T08:00", "course": str(spring)}
    assert teacher.post(f"/teach/drafts/{draft}/schedule", form).status_code == 303
    assert "Only for the learners of Spring" in " ".join(
        re.sub(r"<[^>]+>", "", teacher.get(f"/teach/drafts/{draft}").text).split()
    )
    token = {"X-CSRFToken": teacher.csrf}
    body = {"at": "2099-05-02T08:00:00Z", "courses": [spring]}
    sent = teacher.client.post(f"/api/v1/drafts/{draft}/schedule", json=body, headers=token)
    assert sent.json["courses"] == [spring]
    database, bank = teacher.service.database, teacher.service.bank
    with database.write() as session:
        session.get_one(Schedule, draft).at = session.get_one(Course, spring).created_at
    assert [done.slug for done in scheduling.publish_due(database, bank)] == [SLUG]
    bank.look_again()
    assert finds(Browser(app)) == {False}
    assert finds(learner_of(app, teacher, "ina", "Spring")) == {True}
