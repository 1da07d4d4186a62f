"""A submission from the form to the verdict, and every way in which what is sent can be bad."""

import contextlib
import io
import re
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, func, select, text

from server.models.accounts import Role
from server.models.submissions import Submission
from server.web.texts import with_code
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
    no_room,
    sqlite_only,
    token_of,
    user_of,
)


def count(browser: Browser) -> int:
    with browser.service.database.read() as session:
        return session.scalar(select(func.count()).select_from(Submission)) or 0


def test_form_then_verdict(learner: Browser) -> None:
    answer = learner.submit(BAD)
    assert answer.status_code == 303
    page = learner.get(answer.location)
    assert "Wrong answer" in page.text
    assert "It is not doubled." not in page.text  # the first step is a question
    learner.open_hints(1)
    page = learner.get("/submissions/1")
    assert "It is not doubled." in page.text
    panel = page.text.split('class="verdict"')[1]
    assert "0 of 2 cases" in panel
    assert [
        panel.count(f'data-figure="{kind}"') for kind in ("yours", "expected", "difference")
    ] == [1, 1, 1]
    assert panel.index("It is not doubled.") < panel.index("<svg") < panel.index("<table")


def test_hidden_cases_show_name_and_note_only(learner: Browser) -> None:
    number = learner.judged(BAD)
    live = learner.get(f"/submissions/{number}/live").json
    assert [(c["name"], c["note"]) for c in live["cases"]] == [
        ("two by three", "Small."),
        ("hidden one", "Any size."),
    ]
    assert [s["name"] for s in live["samples"]] == ["two by three"]
    assert live["samples"][0]["got"]["weights"]["data"][0] == pytest.approx([0.2, 0.2, 0.2])
    assert live["samples"][0]["difference"]["weights"]["data"][1] == pytest.approx(
        [-0.2, -0.2, -0.2]
    )


def test_what_is_wrong_is_said_once_for_all_its_cases(learner: Browser) -> None:
    panel = learner.get(f"/submissions/{learner.judged(BAD)}").text.split('class="findings"')[1]
    told, rest = panel.split("</ul>", 1)
    assert "In 2 cases, such as two by three" in told
    assert told.count("values differ") == 1 and "weights: 6 of 6 values differ" in told
    assert "in row 0" in rest.split('class="case-table"')[1]  # each case by itself, below
    samples = learner.judged(BAD, action="samples")
    assert "Sample: two by three" in learner.get(f"/submissions/{samples}").text


def test_code_in_hints_and_remarks_is_shown_as_code() -> None:
    assert with_code("`np.sqrt` of <b>") == "<code>np.sqrt</code> of &lt;b&gt;"
    assert with_code("a ` alone <b>") == "a ` alone &lt;b&gt;"
    assert with_code("`<i>`") == "<code>&lt;i&gt;</code>"
    assert with_code("") == ""


def test_script_gets_202(learner: Browser) -> None:
    answer = learner.post(
        f"/problems/{SLUG}/submit",
        {"framework": "numpy", "source": GOOD, "action": "submit"},
        headers={"Accept": "application/json"},
    )
    assert answer.status_code == 202
    assert learner.get(f"{answer.json['live']}?wait=10").json["verdict"]["verdict"] == "accepted"


def test_cases_appear_while_it_runs(make_app: MakeApp) -> None:
    def slowly(*args: Any, on_case: Any, **options: Any) -> Any:
        def told(result: Any) -> None:
            time.sleep(0.3)
            on_case(result)

        return fake_judge(*args, on_case=told, **options)

    browser = Browser(make_app(Core(FAKE.open_room, slowly, fake_answers))).sign_up("lea")
    number = int(browser.submit(GOOD).location.split("/")[-1].split("?")[0])
    first = browser.get(f"/submissions/{number}/live?wait=10&seen=0").json
    assert (first["state"], [c["name"] for c in first["cases"]]) == ("running", ["two by three"])
    assert browser.get(f"/submissions/{number}/live?wait=10").json["state"] == "done"


def test_samples_leave_nothing(make_app: MakeApp) -> None:
    browser = Browser(make_app(trial_keep=5.0)).sign_up("lea")
    number = browser.judged(BAD, action="samples")
    assert "nothing is recorded" in browser.get(f"/submissions/{number}").text
    assert "hidden one" not in browser.get(f"/submissions/{number}").text
    assert "Nothing submitted yet." in browser.get(f"/problems/{SLUG}/submissions").text
    end = time.monotonic() + 60
    while count(browser) and time.monotonic() < end:
        time.sleep(0.2)
    assert count(browser) == 0
    assert browser.get(f"/submissions/{number}").status_code == 404


# ---------------------------------------------------------------------------------------------------------------------
# bad input

LONG = "x = 1\n" * 20_000

BAD_INPUT = [
    ("empty", {"source": ""}, 422, "the submission is empty"),
    ("only blanks", {"source": "  \n\t\n"}, 422, "the submission is empty"),
    ("too long", {"source": LONG}, 422, "at most 65,536"),
    ("nul", {"source": "a = 1\nb = '\0'\n"}, 422, "Line 2 has a NUL character"),
    ("unknown framework", {"framework": "jax"}, 422, "&#39;jax&#39; is not a framework"),
    ("no framework", {"framework": ""}, 422, "not a framework of this problem"),
    ("file that is not UTF-8", {"file": (io.BytesIO(b"# caf\xe9\n"), "a.py")}, 422, "not UTF-8"),
    (
        "empty file",
        {"file": (io.BytesIO(b""), "a.py"), "source": ""},
        422,
        "the submission is empty",
    ),
]


@pytest.mark.parametrize(
    ("fields", "status", "message"),
    [row[1:] for row in BAD_INPUT],
    ids=[row[0] for row in BAD_INPUT],
)
def test_refused_with_the_reason(
    learner: Browser, fields: dict[str, Any], status: int, message: str
) -> None:
    answer = learner.post(
        f"/problems/{SLUG}/submit",
        {"framework": "numpy", "source": GOOD, "action": "submit", **fields},
    )
    assert (answer.status_code, message in answer.text) == (status, True), answer.text
    assert count(learner) == 0


def test_what_was_typed_comes_back(learner: Browser) -> None:
    assert "x = 'keep me'" in learner.submit("x = 'keep me'\n", framework="jax").text.replace(
        "&#39;", "'"
    )
    assert "y" * 70_000 in learner.submit("y" * 70_000).text  # what is too long, too


def test_invalid_utf8_in_a_plain_form(learner: Browser) -> None:
    body = f"csrf_token={learner.csrf}&framework=numpy&source=%23%20caf%E9".encode()
    answer = learner.client.post(
        f"/problems/{SLUG}/submit", data=body, content_type="application/x-www-form-urlencoded"
    )
    assert (answer.status_code, "not UTF-8" in answer.text, count(learner)) == (422, True, 0)


def test_a_replacement_character_is_text(learner: Browser) -> None:
    assert learner.submit(GOOD + "# \ufffd\n").status_code == 303


def test_file_upload_is_taken(learner: Browser) -> None:
    data = {
        "framework": "torch",
        "source": "",
        "file": (io.BytesIO(b"\xef\xbb\xbf# accepted\r\nx = 1\r\n"), "a.py"),
        "action": "submit",
    }
    assert learner.post(f"/problems/{SLUG}/submit", data).status_code == 303
    with learner.service.database.read() as session:
        row = session.scalars(select(Submission)).one()
    assert (row.source, row.framework) == ("# accepted\nx = 1\n", "torch")


def test_a_huge_body_is_cut_off(learner: Browser) -> None:
    answer = learner.post(
        f"/problems/{SLUG}/submit", {"framework": "numpy", "source": "x" * 3_000_000}
    )
    assert (answer.status_code, count(learner)) == (413, 0)
    assert "at most 1,048,576 bytes" in answer.text


def test_unknown_problem(learner: Browser) -> None:
    answer = learner.submit(GOOD, slug="nothing_such")
    assert (answer.status_code, "nothing_such" in answer.text) == (404, True)


def test_not_signed_in(visitor: Browser) -> None:
    visitor.get(f"/problems/{SLUG}")
    visitor.get("/sign-in")
    answer = visitor.submit(GOOD)
    assert (answer.status_code, answer.location.startswith("/sign-in")) == (302, True)
    assert visitor.client.get("/submissions/1").status_code == 302
    assert (
        visitor.client.get("/submissions/1", headers={"Accept": "application/json"}).status_code
        == 401
    )


@pytest.mark.parametrize(
    "path",
    [
        "/submissions/{}",
        "/submissions/{}/live",
        "/api/v1/submissions/{}",
        f"/problems/{SLUG}/compare?a={{}}&b={{}}",
    ],
)
def test_somebody_elses_is_not_there(app: Any, learner: Browser, path: str) -> None:
    number = learner.judged(GOOD)
    other = Browser(app).sign_up("otto")
    assert other.get(path.format(number, number)).status_code == 404
    assert learner.get(path.format(number, number)).status_code == 200


def test_expired_form_keeps_the_text(make_app: MakeApp) -> None:
    browser = Browser(make_app()).sign_up("lea")
    browser.app.config["WTF_CSRF_TIME_LIMIT"] = -1
    answer = browser.submit("x = 'keep me'\n")
    assert (answer.status_code, count(browser)) == (400, 0)
    assert "x = &#39;keep me&#39;" in answer.text
    assert "csrf_token" in answer.text


def test_form_from_elsewhere(learner: Browser) -> None:
    learner.csrf = "made up"
    assert learner.submit(GOOD).status_code == 400
    assert learner.post("/profile/tokens", {"name": "x"}).status_code == 400
    assert count(learner) == 0


def test_replayed_form_is_one_submission(learner: Browser) -> None:
    first, second = (learner.submit(GOOD, once="the-same") for _ in range(2))
    assert first.location == second.location
    assert count(learner) == 1


def test_a_form_that_was_gone_back_to_and_changed(learner: Browser) -> None:
    learner.submit(GOOD, once="the-same")
    page = learner.submit(BAD, once="the-same")
    assert (page.status_code, count(learner)) == (422, 1)
    assert "has changed since" in page.text and BAD.strip() in page.text
    assert 'name="once"' in page.text and "the-same" not in page.text


@contextlib.contextmanager
def locked(browser: Browser) -> Iterator[None]:
    """Somebody else holds the lock that a submission needs."""
    engine = browser.service.database.engine
    if engine.dialect.name == "postgresql":
        with engine.begin() as connection:
            connection.execute(text("LOCK TABLE submissions IN EXCLUSIVE MODE"))
            yield
        return
    path = engine.url.database
    holder = sqlite3.connect(str(path), isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        holder.execute("ROLLBACK")
        holder.close()


def test_locked_database_is_503(make_app: MakeApp) -> None:
    browser = Browser(make_app(busy_timeout=0.1, work=False)).sign_up("lea")
    with locked(browser):
        form = browser.submit(GOOD, once="again")
        headers = {"Accept": "application/json"}
        script = browser.post(
            f"/problems/{SLUG}/submit",
            {"framework": "numpy", "source": GOOD, "once": "again"},
            headers=headers,
        )
        assert browser.get("/").status_code == 200  # reading goes on
    assert (form.status_code, form.headers["Retry-After"]) == (503, "5")
    assert (script.status_code, script.json["status"], script.mimetype) == (
        503,
        503,
        "application/problem+json",
    )
    assert count(browser) == 0
    assert browser.submit(GOOD, once="again").status_code == 303
    assert count(browser) == 1


@sqlite_only  # tests/scaled fills the disk of a PostgreSQL
def test_full_disk_is_503(make_app: MakeApp) -> None:
    browser = Browser(make_app(work=False)).sign_up("lea")
    engine = browser.service.database.engine
    engine.dispose()

    def fill(connection: Any, record: Any) -> None:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")

    event.listen(engine, "connect", fill)
    answers = [browser.submit("x = 1\n" * 10_000) for _ in range(3)]
    assert {a.status_code for a in answers} <= {303, 503}
    assert answers[-1].status_code == 503
    assert answers[-1].headers["Retry-After"] == "5"
    stored = count(browser)
    assert stored == sum(a.status_code == 303 for a in answers)
    event.remove(engine, "connect", fill)
    engine.dispose()
    assert browser.submit(GOOD).status_code == 303


def test_without_a_room_it_is_kept(make_app: MakeApp) -> None:
    state: dict[str, Any] = {"open": no_room}
    browser = Browser(make_app(Core(lambda: state["open"](), fake_judge, fake_answers))).sign_up(
        "lea"
    )
    number = int(browser.submit(GOOD).location.split("/")[-1].split("?")[0])
    time.sleep(0.5)
    page = browser.get(f"/submissions/{number}")
    assert 'data-banner="room"' in page.text
    assert "Queued" in page.text
    assert browser.get("/readyz").status_code == 503
    assert "bwrap is missing" in browser.get("/readyz").json["room"]
    state["open"] = FAKE.open_room
    assert (
        browser.get(f"/submissions/{number}/live?wait=10").json["verdict"]["verdict"] == "accepted"
    )
    assert browser.until_ready().status_code == 200
    assert 'data-banner="room"' not in browser.get(f"/submissions/{number}").text


def test_too_many_submissions(make_app: MakeApp) -> None:
    app = make_app(submit_limit="2/minute")
    browser = Browser(app).sign_up("lea")
    assert [browser.submit(GOOD).status_code for _ in range(3)] == [303, 303, 429]
    answer = browser.submit(GOOD)
    assert int(answer.headers["Retry-After"]) > 0
    # counted for the account, not the address
    assert Browser(app).sign_up("otto").submit(GOOD).status_code == 303
    headers = token_of(app, "prog")
    body = {"problem": SLUG, "framework": "numpy", "source": GOOD}
    codes = [
        app.test_client().post("/api/v1/submissions", json=body, headers=headers).status_code
        for _ in range(3)
    ]
    assert codes == [202, 202, 429]


def test_history_and_comparison(learner: Browser) -> None:
    first, second = learner.judged("# wrong\na = 1\n"), learner.judged("# accepted\na = 1\nb = 2\n")
    history = learner.get(f"/problems/{SLUG}/submissions").text
    assert history.index(f"/submissions/{second}") < history.index(f"/submissions/{first}")
    page = learner.get(f"/problems/{SLUG}/compare?a={first}&b={second}").text
    assert page.count("diff-changed") == 1
    assert page.count("diff-added") == 1
    assert page.count("diff-same") == 1
    assert learner.get(f"/problems/{SLUG}/compare?a={first}").status_code == 422
    assert learner.get(f"/problems/double_again/compare?a={first}&b={second}").status_code == 404


def test_problem_that_left_the_bank(learner: Browser, bank: Path) -> None:
    number = learner.judged(GOOD)
    (bank / "problems" / SLUG / "problem.toml").rename(bank / "gone.toml")
    learner.service.bank.sync()
    assert "no longer in the bank" in learner.get(f"/submissions/{number}").text


def test_instructor_is_no_exception(app: Any, learner: Browser) -> None:
    assert (
        user_of(app, "ines", Role.ADMIN).get(f"/submissions/{learner.judged(GOOD)}").status_code
        == 404
    )


def test_a_later_wrong_text_replaces_neither_the_mark_nor_what_was_accepted(
    learner: Browser,
) -> None:
    path = f"/problems/{SLUG}"
    assert "solved-mark" not in learner.get(path).text
    good = learner.judged(GOOD)
    assert "Your texts" not in learner.get(path).text
    bad = learner.judged(BAD)
    page = learner.get(path).text
    assert "solved-mark" in page
    assert re.search(rf"data-source[^>]*>\s*{re.escape(GOOD)}", page)
    for number in (good, bad):
        assert f'href="/submissions/{number}"' in page
    assert re.search(
        rf"data-source[^>]*>\s*{re.escape(BAD)}", learner.get(f"/submissions/{bad}").text
    )
    assert "solved-mark" in learner.get(f"/submissions/{bad}").text
    other = learner.get(f"{path}?framework=torch").text  # nothing was sent in this one
    assert "solved-mark" in other
    assert "# start torch" in re.findall(r"data-source[^>]*>(.*?)</textarea>", other, re.DOTALL)[0]


def test_what_was_never_run_offers_no_look_at_its_steps(learner: Browser) -> None:
    ran = learner.get(f"/submissions/{learner.judged(BAD)}").text
    refused = learner.get(f"/submissions/{learner.judged('# against the rules')}").text
    for button in ("The smallest input that shows it", "Try your own input"):
        assert button in ran and button not in refused
    assert "Rule violation" in refused and "Look for the first wrong step" not in refused
