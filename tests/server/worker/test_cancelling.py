"""A run that its learner cancels: while it waits, while it is judged, and what it costs."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import update

from grader.model import CaseResult, Verdict
from server.models.accounts import Role
from server.models.submissions import CANCELLED, State, Submission
from server.services import submission_queue, submissions
from server.services.jobs import leases
from server.services.jobs.kinds import SUBMISSIONS
from server.web.context import NAME, Service
from server.worker.room import Core
from tests.server.conftest import (
    BAD,
    FAKE,
    GOOD,
    SLUG,
    Browser,
    MakeApp,
    fake_answers,
    fake_judge,
    token_of,
    user_of,
)
from tests.server.web.test_courses import Class, assigned_on
from tests.server.worker.test_work import ME, OTHER, learners, queue

SHOWN = [{"name": "two by three", "verdict": "accepted", "sample": True, "message": ""}]


@pytest.fixture
def idle(make_app: MakeApp) -> Service:
    """A service whose worker is not running."""
    service: Service = make_app(work=False).extensions[NAME]
    return service


def row_of(service: Service, number: int) -> Submission:
    with service.database.read() as session:
        return session.get_one(Submission, number)


def test_what_waits_ends_at_once_and_is_never_judged(idle: Service) -> None:
    (user,) = learners(idle, "lea")
    number = queue(idle, user)
    assert submissions.cancel(idle.database, user, number)
    row = row_of(idle, number)
    assert (row.state, row.outcome, row.verdict) == (State.DONE, CANCELLED, None)
    assert row.judged_at is not None
    assert submission_queue.claim(idle.database, ME, 30) is None


def test_no_verdict_comes_after_it_is_cancelled(idle: Service) -> None:
    (user,) = learners(idle, "lea")
    number = queue(idle, user)
    claimed = submission_queue.claim(idle.database, ME, 30)
    assert claimed is not None
    submissions.cancel(idle.database, user, number)
    assert row_of(idle, number).state == State.RUNNING
    second = queue(idle, user)
    assert submission_queue.claim(idle.database, OTHER, 30) is None  # still one room of a learner
    verdict: Any = None
    assert not submission_queue.finish(idle.database, claimed, verdict, {})
    assert not submission_queue.note_progress(idle.database, claimed, SHOWN)
    assert submission_queue.end_cancelled(idle.database, claimed)
    row = row_of(idle, number)
    assert (row.state, row.outcome, row.lease_owner) == (State.DONE, CANCELLED, None)
    following = submission_queue.claim(idle.database, OTHER, 30)
    assert following is not None
    assert following.id == second
    assert not submission_queue.end_cancelled(idle.database, following)


def test_a_worker_that_dies_leaves_nothing_behind(idle: Service) -> None:
    (user,) = learners(idle, "lea")
    number = queue(idle, user)
    claimed = submission_queue.claim(idle.database, ME, 30)
    assert claimed is not None
    submissions.cancel(idle.database, user, number)
    with idle.database.write() as session:
        session.execute(update(Submission).values(lease_until=Submission.submitted_at))
    assert leases.reclaim(idle.database, SUBMISSIONS, OTHER) == 1
    again = submission_queue.claim(idle.database, OTHER, 30)
    assert again is not None
    assert again.cancelled
    assert not submission_queue.end_cancelled(idle.database, claimed)  # the dead one comes back
    assert submission_queue.end_cancelled(idle.database, again)
    assert row_of(idle, number).state == State.DONE


class Gate:
    """A judge that shows a case, waits, and shows another."""

    def __init__(self) -> None:
        self.shown, self.go_on, self.after = threading.Event(), threading.Event(), False

    def judge(self, *words: Any, on_case: Callable[[CaseResult], None], **options: Any) -> Verdict:
        """Like the fake judge, in two steps."""
        cases: list[CaseResult] = []
        verdict = fake_judge(*words, on_case=cases.append, **options)
        if "wait here" in words[1].source:
            self.shown.set()
            assert self.go_on.wait(60)
        for case in cases:
            on_case(case)
        self.after = True
        return verdict


def test_the_worker_stops_and_takes_the_next(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.worker.progress.PROGRESS_S", 0.0)
    gate = Gate()
    core = Core(FAKE.open_room, gate.judge, fake_answers)  # type: ignore[arg-type]
    browser = Browser(make_app(core)).sign_up("lea")
    number = int(browser.submit(f"{GOOD}# wait here\n").location.split("/")[2].split("?")[0])
    assert gate.shown.wait(60)
    panel = browser.get(f"/submissions/{number}").text
    assert "Cancel this run" in panel
    browser.post(f"/submissions/{number}/cancel")
    assert "Being cancelled" in browser.get(f"/submissions/{number}").text
    gate.go_on.set()
    live = browser.client.get(f"/submissions/{number}/live?wait=20").json
    assert (live["state"], live["verdict"], gate.after) == ("done", None, False)
    assert "It counts as no attempt." in live["html"]
    assert browser.client.get("/api/v1/me").json["tried"] == []
    browser.judged(GOOD)
    assert browser.client.get("/api/v1/me").json["solved"] == [SLUG]


def cancelled(course: Class, browser: Browser, shown: list[dict[str, Any]]) -> None:
    """A submission that is cancelled after these cases of it were shown."""
    number = int(browser.submit(BAD, last="yes").location.split("/")[2].split("?")[0])
    database = course.teacher.service.database
    claimed = submission_queue.claim(database, ME, 30)
    assert claimed is not None
    if shown:
        submission_queue.note_progress(database, claimed, shown)
    browser.get(f"/submissions/{number}")
    assert browser.post(f"/submissions/{number}/cancel").status_code == 303
    submission_queue.end_cancelled(database, claimed)


def test_what_was_shown_before_the_judge_failed_stays_shown(make_app: MakeApp) -> None:
    app = make_app(work=False)
    course = Class(user_of(app, "terry", Role.INSTRUCTOR), attempts="2")
    browser = Browser(app).sign_up("lea")
    course.join(browser)
    number = int(browser.submit(BAD, last="yes").location.split("/")[2].split("?")[0])
    database = course.teacher.service.database
    claimed = submission_queue.claim(database, OTHER, -1)  # it shows a case, and dies
    assert claimed is not None
    submission_queue.note_progress(database, claimed, SHOWN)
    assert leases.reclaim(database, SUBMISSIONS, ME) == 1
    browser.get(f"/submissions/{number}")
    assert browser.post(f"/submissions/{number}/cancel").status_code == 303
    assert course.row("lea")["problems"][0]["attempts"] == 1
    assert "1 of 2 attempts used" in assigned_on(browser)
    assert "None" not in browser.get(f"/problems/{SLUG}/submissions").text


@pytest.mark.parametrize(
    ("shown", "used"), [([], 0), (SHOWN, 1)], ids=["nothing was shown", "a case was shown"]
)
def test_what_it_costs(make_app: MakeApp, shown: list[dict[str, Any]], used: int) -> None:
    app = make_app(work=False)
    course = Class(user_of(app, "terry", Role.INSTRUCTOR), attempts="2", feedback="after_due")
    browser = Browser(app).sign_up("lea")
    course.join(browser)
    cancelled(course, browser, shown)
    assert f"{used} of 2 attempts used" in assigned_on(browser)
    cell = course.row("lea")["problems"][0]
    assert (cell["attempts"], cell["score"], cell["state"]) == (
        used,
        None,
        "tried" if used else "none",
    )
    page = browser.get(f"/problems/{SLUG}/submissions").text
    assert "Cancelled" in page


def test_the_api_cancels_what_is_ones_own(make_app: MakeApp) -> None:
    app = make_app(work=False)
    lea, bob = (token_of(app, name) for name in ("lea", "bob"))
    client = app.test_client()
    sent = {"problem": SLUG, "framework": "numpy", "source": GOOD}
    number = client.post("/api/v1/submissions", json=sent, headers=lea).json["id"]
    path = f"/api/v1/submissions/{number}/cancel"
    assert client.post(path, headers=bob).status_code == 404
    for _ in range(2):  # again: it is cancelled
        answer = client.post(path, headers=lea)
        assert answer.status_code == 200
        found = answer.json
        assert (found["state"], found["cancelled"], found["verdict"]) == ("done", True, None)


def test_what_is_judged_stays(app: Any) -> None:
    browser = Browser(app).sign_up("lea")
    number = browser.judged(GOOD)
    browser.get(f"/submissions/{number}")
    answer = browser.post(f"/submissions/{number}/cancel")
    assert (answer.status_code, "it is judged" in answer.text) == (409, True)
    assert browser.client.get(f"/api/v1/submissions/{number}").json["cancelled"] is False
