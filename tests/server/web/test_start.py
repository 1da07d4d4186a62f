"""Start here: what visitors see, and the exercise whose samples they may run."""

import re
import shutil
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from sqlalchemy import select
from werkzeug.test import TestResponse

from server.models.accounts import User
from server.models.submissions import Submission
from server.services.visitors import trying
from tests import ROOT
from tests.server.conftest import BAD, GOOD, PASSWORD, SLUG, Browser, MakeApp


def send(visitor: Browser, source: str = BAD, **fields: str) -> TestResponse:
    visitor.get("/start")
    return visitor.post("/start", {"framework": "numpy", "source": source, **fields})


def run(visitor: Browser, source: str = BAD) -> tuple[int, str]:
    """A run that is done: its number, and the page."""
    sent = send(visitor, source)
    assert sent.status_code == 303, sent.text
    number = int(re.findall(r"run=(\d+)", sent.location)[0])
    return number, visitor.get(f"/start?run={number}&wait=20").text


def rows(browser: Browser) -> list[Submission]:
    with browser.service.database.read() as session:
        return list(session.scalars(select(Submission)))


def test_the_front_says_what_this_is_and_where_to_begin(app: Any) -> None:
    visitor = Browser(app)
    page = visitor.get("/").text
    assert "Learn attention by writing it" in page and 'data-live="softmax"' in page
    assert page.count("<h1") == 1 and 'href="/start"' in page and 'href="/sign-up"' in page
    assert "Learn attention" not in visitor.get("/?q=double").text  # who searches is past it
    visitor.sign_up("lea")
    page = visitor.get("/").text
    assert "Learn attention" not in page and 'class="join"' not in page


def test_an_account_reads_where_to_begin_and_then_where_to_go_on(
    app: Any, learner: Browser
) -> None:
    def line(address: str) -> str:
        return "".join(
            re.findall(r'<p class="resume-line">.*?</p>', learner.get(address).text, re.DOTALL)
        )

    assert 'href="/start">Start here</a>' in line("/")
    assert line("/?q=twice") == ""  # who searches knows where to go
    learner.judged(BAD, "double_again")
    assert "The problem you were at" in line("/")
    assert 'href="/problems/double_again">Twice again</a>' in line("/")
    learner.judged(GOOD, "double_again")
    assert "The next problem" in line("/") and f'href="/problems/{SLUG}"' in line("/")
    assert Browser(app).get("/").text.count("resume-line") == 0


def test_a_visitor_runs_the_samples_and_reads_what_is_wrong(app: Any) -> None:
    visitor = Browser(app)
    assert "# start numpy" in visitor.get("/start").text
    number, page = run(visitor)
    assert "Wrong answer" in page and "weights: 6 of 6 values differ" in page
    assert "# wrong" in page  # the program is there to be changed
    assert 'data-state="done"' in page and "hint-steps" not in page
    (row,) = rows(visitor)
    assert (row.id, row.samples_only, row.problem) == (number, True, SLUG)
    live = visitor.get(f"/start/runs/{number}").json
    assert live["state"] == "done" and "Wrong answer" in live["html"]
    _, page = run(visitor, GOOD)
    assert "The samples are right." in page


def test_the_page_says_what_to_compute_and_which_lessons_come_before(
    make_app: MakeApp, bank: Path
) -> None:
    folder = bank / "lessons"
    shutil.copytree(ROOT / "lessons" / "words_as_vectors", folder / "words_as_vectors")
    shutil.copytree(ROOT / "lessons" / "softmax", folder / "softmax")
    about = folder / "softmax" / "lesson.toml"
    about.write_text(re.sub(r"problems = \[.*?\]", f'problems = ["{SLUG}"]', about.read_text()))
    statement = bank / "problems" / SLUG / "statement.md"
    statement.write_text("# Twice\n\nDouble it.\n\n[[sample: one]]\n\n## The rules\n\nNone.\n")
    page = Browser(make_app(work=False)).get("/start").text
    assert re.findall(r'<li><a href="/lessons/(\w+)"', page) == ["words_as_vectors", "softmax"]
    assert "<p>Double it.</p>" in page and "The rules" not in page and "[[sample" not in page


def test_the_first_exercise_says_where_it_runs_without_an_account(app: Any) -> None:
    visitor = Browser(app)
    link = 'href="/start#exercise">Run its samples without an account</a>'
    assert link in visitor.get(f"/problems/{SLUG}").text
    assert link not in visitor.get("/problems/double_again").text
    assert link not in visitor.sign_up("lea").get(f"/problems/{SLUG}").text


def test_a_program_goes_with_its_visitor_into_the_account(app: Any) -> None:
    visitor, other = Browser(app), Browser(app)
    _, page = run(visitor, GOOD)
    address = re.findall(r'href="(/sign-up\?next=[^"]+)"', page)[0]
    assert f"/problems/{SLUG}" in unquote(address)
    form = visitor.get(address).text
    back = unescape(re.findall(r'name="next" value="([^"]*)"', form)[0])
    fields = {"name": "lea", "password": PASSWORD, "again": PASSWORD, "next": back}
    sent = visitor.post("/sign-up", fields)
    assert sent.status_code == 303 and sent.location == back
    assert GOOD.strip() in unescape(visitor.get(back).text)
    assert GOOD.strip() not in unescape(other.sign_up("tom").get(back).text)
    visitor.post("/sign-out", {})
    visitor.get("/sign-in")
    assert visitor.post("/sign-in", {"name": "tom", "password": PASSWORD}).status_code == 303
    assert GOOD.strip() not in unescape(visitor.get(back).text)  # a browser may be shared


def test_another_browser_does_not_see_it(app: Any) -> None:
    visitor, other, learner = Browser(app), Browser(app), Browser(app).sign_up("lea")
    number, _ = run(visitor)
    for browser in (other, learner):
        assert browser.get(f"/start?run={number}").status_code == 404
        assert browser.get(f"/start/runs/{number}").status_code == 404
    mine = learner.judged(BAD)
    with visitor.client.session_transaction() as session:
        session["runs"] = [mine]  # as if the cookie could be forged
    assert visitor.get(f"/start?run={mine}").status_code == 404


def test_nobody_signs_in_as_the_visitors(app: Any) -> None:
    visitor = Browser(app)
    run(visitor)
    for name in (trying.NAME, trying.FOLDED):
        for password in (trying.NO_PASSWORD, PASSWORD):
            visitor.get("/sign-in")
            answer = visitor.post("/sign-in", {"name": name, "password": password})
            assert answer.status_code == 401
    Browser(app).sign_up(trying.NAME)  # the name itself is free
    with visitor.service.database.read() as session:
        found = session.scalars(select(User).where(User.folded == trying.FOLDED)).one()
        assert (found.active, found.password_hash) == (False, trying.NO_PASSWORD)
    assert visitor.get("/leaderboard").text.count(trying.NAME) == 0


REFUSED = {
    "no source": ({"source": " "}, "There is no source"),
    "an unknown framework": ({"framework": "jax"}, "not a framework of this problem"),
    "too long": ({"source": "x = 1\n" * 20_000}, "bytes; at most"),
}


@pytest.mark.parametrize(("fields", "said"), REFUSED.values(), ids=REFUSED.keys())
def test_refused(app: Any, fields: dict[str, str], said: str) -> None:
    visitor = Browser(app)
    answer = send(visitor, **fields)
    assert answer.status_code == 422 and said in answer.text
    assert rows(visitor) == []


def test_an_address_runs_so_many_and_all_visitors_wait_together(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trying, "MOST_WAITING", 2)
    visitor = Browser(make_app(work=False, visitor_limit="3/hour"))
    assert [send(visitor).status_code for _ in range(2)] == [303, 303]
    full = send(visitor)
    assert full.status_code == 422 and "Many visitors are trying this now" in full.text
    limited = send(visitor)
    assert limited.status_code == 429 and int(limited.headers["Retry-After"]) > 0
    assert len(rows(visitor)) == 2


@pytest.mark.parametrize("settings", [{"visitors": False}, {"sign_up": "invitation"}])
def test_where_it_is_switched_off_nothing_runs(make_app: MakeApp, settings: Any) -> None:
    visitor = Browser(make_app(work=False, **settings))
    page = visitor.get("/start").text
    assert "You need an account to run a program." in page and "<textarea" not in page
    visitor.get("/sign-in")  # a page with a form's token
    assert send(visitor).status_code == 403
    assert rows(visitor) == []


def test_who_has_an_account_uses_the_page_of_the_problem(app: Any) -> None:
    learner = Browser(app).sign_up("lea")
    assert "<textarea" not in learner.get("/start").text
    assert send(learner).location == f"/problems/{SLUG}"
    assert rows(learner) == []
