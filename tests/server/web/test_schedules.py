"""A draft that is published at a time chosen before: what, when, and why not."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select, update

from server.models.accounts import Role, User
from server.models.base import now
from server.models.submissions import State, Submission
from server.models.teaching import Deed, Draft, Publication, Rejudge, Schedule, VerifyRun
from server.services.problems import scheduling
from tests.server.conftest import Browser, MakeApp, user_of
from tests.server.instructors import FIT, found_fit, send_zip

AT = "2099-05-01T08:00"


@pytest.fixture
def teacher(make_app: MakeApp) -> Browser:
    """An instructor of a service whose worker is not running: what is due waits for the test."""
    return user_of(make_app(work=False), "terry", Role.INSTRUCTOR)


@pytest.fixture
def draft(teacher: Browser) -> int:
    """A draft that verify found fit."""
    number = send_zip(teacher, FIT)
    found_fit(teacher, number)
    return number


def schedule(teacher: Browser, draft: int, at: str = AT) -> Any:
    teacher.get(f"/teach/drafts/{draft}")
    return teacher.post(f"/teach/drafts/{draft}/schedule", {"at": at, "note": "the first"})


def come(teacher: Browser) -> list[str]:
    """The time has come."""
    database = teacher.service.database
    with database.write() as session:
        session.execute(update(Schedule).values(at=now() - timedelta(seconds=1)))
    return [done.slug for done in scheduling.publish_due(database, teacher.service.bank)]


def numbers(teacher: Browser) -> list[tuple[int, str]]:
    with teacher.service.database.read() as session:
        return [(row.number, row.note) for row in session.scalars(select(Publication))]


def test_it_is_published_when_it_is_due_and_once(teacher: Browser, draft: int) -> None:
    assert "Publish it later" in teacher.get(f"/teach/drafts/{draft}").text
    assert schedule(teacher, draft).status_code == 303
    page = teacher.get(f"/teach/drafts/{draft}").text
    assert ("It is published on" in page, "2099-05-01 08:00" in page) == (True, True)
    database, bank = teacher.service.database, teacher.service.bank
    assert list(scheduling.publish_due(database, bank)) == []
    assert come(teacher) == ["sigmoid_attention"]
    assert come(teacher) == []
    assert numbers(teacher) == [(1, "the first")]
    with database.read() as session:
        assert session.scalars(select(Schedule)).all() == []
        deeds = session.scalars(select(Deed.action).order_by(Deed.id)).all()
    assert deeds[-2:] == ["schedule", "publish"]


def test_the_worker_does_it(make_app: MakeApp, teacher: Browser, draft: int) -> None:
    schedule(teacher, draft)
    with teacher.service.database.write() as session:
        session.execute(update(Schedule).values(at=now() - timedelta(seconds=1)))
    teacher.service.worker.start(judging=False)  # sweeps once before it returns
    assert numbers(teacher) == [(1, "the first")]
    assert teacher.service.bank.get("sigmoid_attention") is not None


def test_what_no_mistake_explained_is_judged_again(teacher: Browser, draft: int) -> None:
    """As after a version that somebody publishes at once."""
    schedule(teacher, draft)
    with teacher.service.database.write() as session:
        session.execute(update(Schedule).values(at=now() - timedelta(seconds=1)))
        session.execute(update(User).values(role=Role.ADMIN))
        (sender,) = session.scalars(select(User.id).where(User.name == "terry"))
        row = Submission(user_id=sender, problem="sigmoid_attention", framework="numpy", source="x")
        row.state, row.outcome, row.judged_at = State.DONE, "wrong_answer", now()
        row.score, row.max_score, row.digest = 0, 1, "of the version before"
        row.behaviour = {}
        session.add(row)
    teacher.service.worker.start(judging=False)
    with teacher.service.database.read() as session:
        assert session.scalars(select(Rejudge.problem)).all() == ["sigmoid_attention"]


def test_it_is_taken_back(teacher: Browser, draft: int) -> None:
    schedule(teacher, draft)
    assert schedule(teacher, draft, "").status_code == 303
    assert come(teacher) == []
    assert numbers(teacher) == []


def test_a_changed_draft_is_not_published_and_its_owner_reads_why(
    teacher: Browser, draft: int
) -> None:
    schedule(teacher, draft)
    with teacher.service.database.write() as session:
        row = session.get_one(Draft, draft)
        row.files = {**row.files, "problems/extra.md": next(iter(row.files.values()))}
    assert come(teacher) == []
    assert numbers(teacher) == []
    page = teacher.get("/").text
    assert "Your draft sigmoid_attention was to be published on" in page
    assert "The draft has changed since it was scheduled." in page
    assert '<div class="flash failed" role="status" data-notice="not_published">' in page


def test_whoever_is_no_instructor_any_more_publishes_nothing(teacher: Browser, draft: int) -> None:
    schedule(teacher, draft)
    with teacher.service.database.write() as session:
        session.execute(update(User).values(role=Role.LEARNER))
    assert come(teacher) == []
    assert numbers(teacher) == []


def test_a_deleted_draft_takes_its_schedule_with_it(teacher: Browser, draft: int) -> None:
    schedule(teacher, draft)
    assert teacher.post(f"/teach/drafts/{draft}/delete").status_code == 303
    assert come(teacher) == []
    with teacher.service.database.read() as session:
        assert session.scalars(select(Schedule)).all() == []


@pytest.mark.parametrize(
    ("at", "words"),
    [("2020-01-01T08:00", "Choose a time to come."), ("soon", "is not a valid date and time")],
    ids=["past", "no time"],
)
def test_refused(teacher: Browser, draft: int, at: str, words: str) -> None:
    answer = schedule(teacher, draft, at)
    assert (answer.status_code, words in answer.text) == (422, True)


def test_an_error_leaves_the_form_as_it_was_sent(teacher: Browser, draft: int) -> None:
    """Above all the courses: without them, everybody would get the problem."""
    teacher.get("/teach/courses")
    for title in ("Spring", "Autumn"):
        answer = teacher.post("/teach/courses", {"title": title, "zone": "Europe/Berlin"})
    number = answer.location.rsplit("/", 1)[1]
    form = {"at": "2020-01-01T08:00", "note": "at <last>", "course": [number]}
    path = f"/teach/drafts/{draft}"
    page = teacher.post(f"{path}/schedule", {**form, "zone": "Europe/Berlin"}).text
    chosen = f'name="course" value="{number}" checked'
    at_once, later = page.split("Publish it later")
    assert at_once.endswith("<details open><summary>")
    assert 'name="at" value="2020-01-01T08:00"' in later
    assert "<option selected>Europe/Berlin</option>" in later
    assert 'name="note" value="at &lt;last&gt;"' in later
    assert (later.count("checked"), chosen in later, "checked" in at_once) == (1, True, False)
    assert "at &lt;last&gt;" not in teacher.get(path).text


def test_what_is_not_fit_is_not_scheduled(teacher: Browser, draft: int) -> None:
    with teacher.service.database.write() as session:
        session.execute(update(VerifyRun).values(fit=False))
    answer = schedule(teacher, draft)
    assert (answer.status_code, "has not found fit" in answer.text) == (422, True)


def test_the_clock_of_a_course(teacher: Browser, draft: int) -> None:
    """It has summer time at that date; the page says both times."""
    teacher.get("/teach/courses")
    teacher.post("/teach/courses", {"title": "Spring", "zone": "Europe/Berlin"})
    assert "<option>Europe/Berlin</option>" in teacher.get(f"/teach/drafts/{draft}").text
    form = {"at": "2099-07-01T08:00", "zone": "Europe/Berlin"}
    assert teacher.post(f"/teach/drafts/{draft}/schedule", form).status_code == 303
    page = teacher.get(f"/teach/drafts/{draft}").text
    assert "2099-07-01 08:00 Europe/Berlin (2099-07-01 06:00 UTC)" in page
    answer = teacher.post(f"/teach/drafts/{draft}/schedule", form | {"zone": "Mars/Olympus"})
    assert (answer.status_code, "is not a valid time zone" in answer.text) == (422, True)


def test_a_program_schedules_and_takes_it_back(teacher: Browser, draft: int) -> None:
    path = f"/api/v1/drafts/{draft}/schedule"
    token = {"X-CSRFToken": teacher.csrf}

    def send(at: object) -> Any:
        return teacher.client.post(path, json={"at": at, "note": "the first"}, headers=token)

    sent = send("2099-07-01T08:00:00+02:00")
    assert (sent.status_code, sent.json) == (
        200,
        {
            "problem": "sigmoid_attention",
            "at": "2099-07-01T06:00:00+00:00",
            "note": "the first",
            "courses": [],
        },
    )
    assert "2099-07-01 06:00 UTC" in teacher.get(f"/teach/drafts/{draft}").text
    assert send("2020-01-01T08:00:00Z").json["detail"] == "Choose a time to come."
    late = send("9999-12-31T23:59:59-23:59")
    assert (late.status_code, late.json["detail"]) == (422, "Choose a time to come.")
    half = {"at": "2099-07-01T08:00:00Z", "note": "half \ud800"}
    refused = teacher.client.post(path, json=half, headers=token)
    assert (refused.status_code, "Note: it has half a character" in refused.text) == (422, True)
    refused = teacher.client.post(path, json={**half, "courses": [1, "a"]}, headers=token)
    assert refused.json["detail"] == "courses[1]: Not a valid integer."
    long = {**half, "note": "x" * 401}
    for each in (path, path.replace("schedule", "publish")):
        refused = teacher.client.post(
            each, json=long if each == path else {"note": "x" * 401}, headers=token
        )
        assert (refused.status_code, refused.json["parameters"]["most"]) == (422, 400)
    for at in ("2099-07-01T08:00:00", "soon", 7):
        refused = send(at)
        assert (refused.status_code, "such as 2027-01-31T08:00" in refused.json["detail"]) == (
            422,
            True,
        )
    assert send(None).json["at"] is None
    assert come(teacher) == []
