"""Judged again beside the old verdicts: the diff, applying, discarding, and what a learner then
reads.
"""

import re
import time
from typing import Any

import pytest
from sqlalchemy import select

from server.models.accounts import Role
from server.models.submissions import Submission
from server.models.teaching import Deed, Revision
from server.worker.threads import Core
from tests.server.conftest import (
    BAD,
    FAKE,
    GOOD,
    SLUG,
    Browser,
    MakeApp,
    fake_answers,
    fake_judge,
    user_of,
)


@pytest.fixture
def strict() -> dict[str, bool]:
    """Whether the judge has become stricter: then nothing is accepted that says `sloppy`."""
    return {"now": False}


@pytest.fixture
def site(make_app: MakeApp, strict: dict[str, bool]) -> Any:
    """A service whose judge changes its mind."""

    def judge(problem: Any, submission: Any, sandbox: Any, **options: Any) -> Any:
        if strict["now"] and "sloppy" in submission.source:
            submission = type(submission)(submission.framework, "# wrong\n")
        return fake_judge(problem, submission, sandbox, **options)

    return make_app(Core(FAKE.open_room, judge, fake_answers))


def rejudge(admin: Browser, ids: list[int], reason: str = "a case was added") -> int:
    admin.get(f"/teach/problems/{SLUG}/rejudge?which=all")
    answer = admin.post(f"/teach/problems/{SLUG}/rejudge", {"id": ids, "reason": reason})
    assert answer.status_code == 303, answer.text
    number = int(answer.location.rsplit("/", 1)[1])
    end = time.monotonic() + 60
    while (
        time.monotonic() < end
        and admin.get(f"/teach/rejudges/{number}/live").json["state"] != "done"
    ):
        time.sleep(0.05)
    return number


def outcomes(browser: Browser) -> dict[int, str | None]:
    with browser.service.database.read() as session:
        return {row.id: row.outcome for row in session.scalars(select(Submission))}


def test_diff_then_apply(site: Any, strict: dict[str, bool]) -> None:
    learner, admin = Browser(site).sign_up("lea"), user_of(site, "ada", Role.ADMIN)
    good, sloppy, bad = (
        learner.judged(GOOD),
        learner.judged(GOOD + "# sloppy\n"),
        learner.judged(BAD),
    )
    strict["now"] = True
    number = rejudge(admin, [good, sloppy, bad])
    page = admin.get(f"/teach/rejudges/{number}").text
    assert "3 of 3 judged" in page
    rows = re.findall(r"<th scope=\"row\">lea <span class=\"soft\">#(\d+)", page)
    assert rows == [str(sloppy)]
    before = outcomes(admin)
    assert before == {good: "accepted", sloppy: "accepted", bad: "wrong_answer"}

    assert admin.post(f"/teach/rejudges/{number}/apply").status_code == 303
    assert outcomes(admin) == before | {sloppy: "wrong_answer"}
    page = learner.get(f"/submissions/{sloppy}").text
    assert "This verdict was revised (" in page
    assert "Accepted, 2 / 2" in page
    assert "a case was added" in page
    assert 'class="revision"' not in learner.get(f"/submissions/{good}").text
    with admin.service.database.read() as session:
        kept = session.scalars(select(Revision)).one()
        assert (kept.submission_id, kept.outcome, kept.verdict["verdict"]) == (
            sloppy,
            "accepted",
            "accepted",
        )
        assert session.scalars(select(Deed.action).order_by(Deed.id)).all() == [
            "rejudge",
            "rejudge applied",
        ]
    assert admin.post(f"/teach/rejudges/{number}/apply").status_code == 422


def test_discard_leaves_everything(site: Any, strict: dict[str, bool]) -> None:
    learner, admin = Browser(site).sign_up("lea"), user_of(site, "ada", Role.ADMIN)
    sloppy = learner.judged(GOOD + "# sloppy\n")
    strict["now"] = True
    number = rejudge(admin, [sloppy])
    assert admin.post(f"/teach/rejudges/{number}/discard").status_code == 303
    assert outcomes(admin) == {sloppy: "accepted"}
    assert "revised" not in learner.get(f"/submissions/{sloppy}").text
    assert admin.post(f"/teach/rejudges/{number}/apply").status_code == 422


@pytest.mark.parametrize("words", ["our fault", "broken problem", "defect"])
def test_where_the_judge_fails_the_old_verdict_stays(site: Any, words: str) -> None:
    learner, admin = Browser(site).sign_up("lea"), user_of(site, "ada", Role.ADMIN)
    row = learner.judged(GOOD)
    with admin.service.database.write() as session:
        session.get_one(Submission, row).source = f"# {words}\n"
    number = rejudge(admin, [row])
    assert "where the judge failed" in admin.get(f"/teach/rejudges/{number}").text
    admin.post(f"/teach/rejudges/{number}/apply")
    assert outcomes(admin) == {row: "accepted"}


def test_a_verdict_that_came_in_between_is_kept(site: Any, strict: dict[str, bool]) -> None:
    learner, admin = Browser(site).sign_up("lea"), user_of(site, "ada", Role.ADMIN)
    sloppy = learner.judged(GOOD + "# sloppy\n")
    strict["now"] = True
    number = rejudge(admin, [sloppy])
    with admin.service.database.write() as session:
        from server.models.base import now

        session.get_one(Submission, sloppy).judged_at = now()
    admin.post(f"/teach/rejudges/{number}/apply")
    assert outcomes(admin) == {sloppy: "accepted"}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"reason": ""}, "Say why"),
        ({"reason": "x", "id": []}, "Choose at least one"),
        ({"reason": "x", "id": ["999"]}, "Choose at least one"),
    ],
    ids=["no reason", "nothing chosen", "not a submission of this problem"],
)
def test_refused(site: Any, fields: dict[str, Any], message: str) -> None:
    learner, admin = Browser(site).sign_up("lea"), user_of(site, "ada", Role.ADMIN)
    row = learner.judged(GOOD)
    admin.get(f"/teach/problems/{SLUG}/rejudge?which=all")
    answer = admin.post(f"/teach/problems/{SLUG}/rejudge", {"id": [row], **fields})
    assert (answer.status_code, message in answer.text) == (422, True)


def test_shipped_problem_is_rejudged_by_admins_only(site: Any) -> None:
    teacher = user_of(site, "terry", Role.INSTRUCTOR)
    assert teacher.get(f"/teach/problems/{SLUG}/rejudge").status_code == 403
