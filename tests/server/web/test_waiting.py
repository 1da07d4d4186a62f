"""Requests that wait: they hold no thread of a real server, each account has a few, and a client
that hangs up ends its wait.
"""

import http.client
import json
import os
import select
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator
from functools import partial
from pathlib import Path

import pytest
import sqlalchemy as sa

from server.models import migrations
from server.models.base import now
from server.models.database import open_database
from server.models.submissions import State, Submission
from server.services import accounts
from server.services.problems.bank import Bank
from server.services.problems.published import Shelf
from server.services.submission_queue import still_waiting
from server.services.waking.hub import POLL_S, Hub, Waiter
from server.web.context import service
from server.web.serving.waiting import (
    GRACE_S,
    MOST_OF_ONE,
    Connection,
    PutAside,
    connection,
    wait_for,
)
from tests.server.conftest import BAD, REPOSITORY, SLUG, Browser, MakeApp, write_problem

ACCOUNTS = 50
PROMPT_S = 8.0  # generous: the machine may have other work; one thread that waits would take 30
WAIT_S = 30


def eventually(seen: Callable[[], bool], seconds: float = 60) -> bool:
    end = time.monotonic() + seconds
    while not seen():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


# ---------------------------------------------------------------------------------------------------------------------
# the hub


def waiter(
    topic: int, seconds: float, seen: Callable[[], object | None], account: int = 1
) -> Waiter:
    return Waiter(topic, account, time.monotonic() + seconds, seen)


def test_who_was_put_aside_is_woken_once_when_it_comes() -> None:
    hub, there, woken = Hub(), threading.Event(), []
    hub.add(waiter(7, 20, lambda: there.is_set() or None), lambda: woken.append(time.monotonic()))
    hub.notify(7)
    time.sleep(0.1)
    assert woken == []
    there.set()
    hub.notify(7)
    hub.notify(7)
    assert eventually(lambda: bool(woken))
    time.sleep(0.6)  # further rounds of the watch
    assert len(woken) == 1


def test_without_word_it_looks_by_itself() -> None:
    hub, there, woken = Hub(), threading.Event(), []
    hub.add(waiter(7, 20, lambda: there.is_set() or None), lambda: woken.append(1))
    there.set()
    assert eventually(lambda: bool(woken))


def test_of_many_who_wait_only_those_are_looked_at_that_may_have_changed() -> None:
    asked, looked = list[set[int]](), list[int]()

    def quiet(topics: Collection[int]) -> Collection[int]:
        asked.append(set(topics))
        return {8, 9} if len(asked) < 3 else {9}

    hub = Hub(quiet=quiet)
    for topic in (8, 9):
        hub.add(waiter(topic, 20, partial(looked.append, topic)), lambda: None)
    assert eventually(lambda: len(asked) > 3)
    assert (looked.count(9), looked.count(8)) == (
        1,
        len(asked) - 1,
    )  # the first look, and when it may have changed
    assert all(topics == {8, 9} for topics in asked)


def test_a_question_for_all_that_breaks_keeps_nobody_waiting() -> None:
    hub, woken = Hub(quiet=lambda topics: 1 / 0), []  # type: ignore[arg-type,return-value]
    there = threading.Event()
    hub.add(waiter(7, 20, lambda: there.is_set() or None), lambda: woken.append(1))
    there.set()
    assert eventually(lambda: bool(woken))


def test_nothing_is_known_of_what_is_queued_or_has_shown_no_case(make_app: MakeApp) -> None:
    app = make_app(work=False)
    with app.app_context():
        database = service().database
        with database.write() as session:
            users = [
                accounts.add_user(session, f"waits{i}", "", password_hash="-") for i in range(4)
            ]
            session.flush()
            rows = [
                Submission(user_id=user.id, problem=SLUG, framework="numpy", source="", **more)
                for user, more in zip(
                    users,
                    (
                        {"state": State.QUEUED},
                        {"state": State.RUNNING},
                        {"state": State.RUNNING, "progress": [{}]},
                        {"state": State.DONE},
                    ),
                    strict=True,
                )
            ]
            session.add_all(rows)
            session.flush()
            numbers = [row.id for row in rows]
        assert set(still_waiting(database, [*numbers, 999, -1])) == set(numbers[:2])


def test_the_end_of_its_time_wakes_it() -> None:
    hub, woken = Hub(), []
    hub.add(waiter(7, 0.2, lambda: None), lambda: woken.append(1))
    assert eventually(lambda: bool(woken))


def test_what_was_removed_is_not_woken_and_no_longer_counts() -> None:
    hub, woken = Hub(), []
    found = waiter(7, 0.3, lambda: None)
    assert hub.enter(1, most_of_one=1, most=10)
    hub.add(found, lambda: woken.append(1))
    assert not hub.enter(1, most_of_one=1, most=10)
    assert (hub.remove(found), hub.remove(found)) == (True, False)
    assert hub.enter(1, most_of_one=1, most=10)
    time.sleep(0.5)
    assert woken == []


def test_a_look_that_breaks_wakes_its_request_and_no_other() -> None:
    hub, woken = Hub(), []
    hub.add(waiter(1, 20, lambda: 1 / 0), lambda: woken.append("broken"))
    hub.add(waiter(2, 20, lambda: None), lambda: woken.append("other"))
    assert eventually(lambda: bool(woken))
    assert woken == ["broken"]


def test_the_watch_ends_when_nobody_waits() -> None:
    hub = Hub()
    hub.add(waiter(7, 0.1, lambda: None), lambda: None)
    assert eventually(lambda: not hub._watching)


@pytest.mark.parametrize("before", [False, True])
def test_what_is_just_stored_is_looked_at_once_it_has_changed(before: bool) -> None:
    """Also when the change came before the wait began."""
    hub, looked, heard = Hub(), list[bool](), threading.Event()
    hub._poll_s = 600  # without word it would not look in time

    def change() -> None:
        heard.set()
        hub.notify(7)

    def look() -> bool:
        looked.append(heard.is_set())
        return True

    if before:
        change()
    waits = threading.Thread(target=hub.wait, args=(7, 600.0, look, True), daemon=True)
    waits.start()
    if not before:
        assert eventually(lambda: 7 in hub._waiting)
        time.sleep(0.1)
        change()
    waits.join(60)
    assert looked == [True]


def test_what_is_just_stored_is_looked_at_without_word_too() -> None:
    hub, looked = Hub(), list[int]()
    assert hub.wait(7, 0.05, lambda: looked.append(1), just_stored=True) is None
    assert looked == [1]


def test_a_wait_that_begins_to_listen_looks_at_once() -> None:
    """What came before was not heard."""
    hub = Hub(listen=lambda hub: None)
    assert hub.wait(7, 0, lambda: True, just_stored=True)
    assert not hub.wait(7, 0, lambda: True, just_stored=True)


def test_who_hears_of_every_change_looks_seldom() -> None:
    hub, looked = Hub(), list[int]()
    hub.hears_all()
    assert hub.wait(7, 2.4 * POLL_S, lambda: looked.append(1)) is None
    assert len(looked) == 2  # at the beginning and at the end


def test_all_together_are_bounded() -> None:
    hub = Hub()
    assert [hub.enter(account, most_of_one=4, most=3) for account in range(5)] == [
        True,
        True,
        True,
        False,
        False,
    ]
    hub.leave(0)
    assert hub.enter(9, most_of_one=4, most=3)


def test_a_request_is_put_aside_and_answered_when_it_is_run_again(make_app: MakeApp) -> None:
    """What a server does, without one: the first run leaves by `PutAside`, the second returns at
    once.
    """
    app, hub, woken = make_app(work=False), Hub(), threading.Event()
    with app.test_request_context():
        token = connection.set(Connection(lambda: False, 8))
        try:
            began = time.monotonic()
            with pytest.raises(PutAside) as aside:
                wait_for(hub, 7, 1, 1.5, lambda: None)
            assert time.monotonic() - began < 1.4
            aside.value.begin(woken.set)
            assert woken.wait(60)
            assert time.monotonic() - began >= 1.5
            connection.set(Connection(lambda: False, 8, resumed=True))
            wait_for(hub, 7, 1, 30, lambda: None)
        finally:
            connection.reset(token)


def test_above_its_share_an_account_is_answered_at_once(make_app: MakeApp) -> None:
    browser = Browser(make_app(work=False)).sign_up("lea")
    number = int(browser.submit(BAD).location.split("/")[-1].split("?")[0])
    hub = browser.service.hub
    me = browser.service.database
    with me.read() as session:
        account = session.get_one(Submission, number).user_id
    for _ in range(MOST_OF_ONE):
        assert hub.enter(account, MOST_OF_ONE, 100)
    began = time.monotonic()
    answer = browser.get(f"/submissions/{number}/live?wait=20")
    assert (answer.json["state"], answer.headers["Retry-After"]) == ("queued", "1")
    assert time.monotonic() - began < 15
    hub.leave(account)
    assert "Retry-After" not in browser.get(f"/submissions/{number}/live?wait=0.2").headers


# ------------------------------------------------------------------------------------------------------------
# a real server

COMMANDS = {
    "waitress": ["-m", "flask", "--app", "server", "serve", "-p", "{port}"],
    "gunicorn": [
        "-m",
        "gunicorn",
        "-c",
        "docker/gunicorn.conf.py",
        "--bind",
        "127.0.0.1:{port}",
        "--workers",
        "1",
        "--threads",
        "8",
    ],
}


class Site:
    """A server process in which nothing is judged; each test begins with other accounts."""

    def __init__(self, folder: Path, bank: Path, command: str) -> None:
        self.wires: list[http.client.HTTPConnection] = []
        self.begun = 0
        self.url = f"sqlite:///{folder}/judge.sqlite3"
        self.database = open_database(self.url)
        migrations.upgrade(self.database)
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            self.port = int(taken.getsockname()[1])
        kept = {name: value for name, value in os.environ.items() if not name.startswith("JUDGE_")}
        about = {
            "JUDGE_INSTANCE": str(folder),
            "JUDGE_DATABASE_URL": self.url,
            "JUDGE_BANK": str(bank),
            "JUDGE_THREADS": "8",
        }
        argv = [sys.executable, *(part.format(port=self.port) for part in COMMANDS[command])]
        environment = kept | about | {"JUDGE_WORKERS": "0", "GRADE_HOME": str(folder / "grade")}
        Bank(bank, self.database, Shelf(folder / "published", self.database)).sync()
        with (folder / "log").open("w") as log:
            self.process = subprocess.Popen(
                argv, env=environment, cwd=REPOSITORY, stdout=log, stderr=log
            )
        self.log = folder / "log"
        assert eventually(self._answers, 60), self.log.read_text()[-3000:]

    def begin(self) -> None:
        """Fifty new accounts, of whom nobody waits yet, each with a queued submission."""
        about = {
            "problem": SLUG,
            "framework": "numpy",
            "source": BAD,
            "digest": "d",
            "submitted_at": now(),
        }
        self.begun += 1
        with self.database.write() as session:
            users = [
                accounts.add_user(session, f"learner{self.begun}-{i}", "", password_hash="-")
                for i in range(ACCOUNTS)
            ]
            self.tokens = [accounts.make_token(session, user, "test") for user in users]
            rows = [Submission(user_id=user.id, round=1, **about) for user in users]
            session.add_all(rows)
            session.flush()
            self.numbers = [row.id for row in rows]

    def hang_up(self) -> None:
        """Ends every connection that a test has left."""
        for wire in self.wires:
            wire.close()
        self.wires.clear()

    def _answers(self) -> bool:
        try:
            return self.get("/healthz")[0] == 200
        except OSError:
            return False

    def get(self, path: str, account: int | None = None) -> tuple[int, float]:
        """Status and seconds of a request on a connection of its own."""
        began = time.monotonic()
        wire = self.send(path, account)
        answer = wire.getresponse()
        answer.read()
        wire.close()
        return answer.status, time.monotonic() - began

    def send(self, path: str, account: int | None = None) -> http.client.HTTPConnection:
        """A request whose answer is read later, or never."""
        wire = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        self.wires.append(wire)
        wire.request(
            "GET",
            path,
            headers=(
                {"Authorization": f"Bearer {self.tokens[account]}"} if account is not None else {}
            ),
        )
        return wire

    def wait(self, account: int, seconds: int = WAIT_S) -> http.client.HTTPConnection:
        return self.send(f"/api/v1/submissions/{self.numbers[account]}?wait={seconds}", account)

    def end(self, account: int) -> None:
        """As if a worker in another process had judged it."""
        with self.database.write() as session:
            row = session.get_one(Submission, self.numbers[account])
            row.state, row.outcome, row.score, row.max_score, row.judged_at = (
                State.DONE,
                "wrong_answer",
                0,
                1,
                now(),
            )
            row.verdict = {
                "verdict": "wrong_answer",
                "cases": [],
                "message": "",
                "diagnosis": None,
                "isolation": "fake",
            }

    def sent_by(self, account: int) -> list[int]:
        """The submissions of an account."""
        user = sa.select(Submission.user_id).where(Submission.id == self.numbers[account])
        with self.database.read() as session:
            own = sa.select(Submission.id).where(Submission.user_id == user.scalar_subquery())
            return list(session.scalars(own))

    def slowest(self, rounds: int = 8) -> float:
        """Of the pages that others read meanwhile."""
        times = []
        for _ in range(rounds):
            for path, account in (
                ("/healthz", None),
                ("/", None),
                (f"/problems/{SLUG}", None),
                ("/api/v1/me", 0),
            ):
                status, took = self.get(path, account)
                assert status == 200, path
                times.append(took)
        return max(times)

    def close(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.database.close()


@pytest.fixture(scope="module", params=sorted(COMMANDS))
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    """One process for all tests of a kind of server."""
    folder = tmp_path_factory.mktemp("site")
    write_problem(folder / "bank", SLUG, 1, "Twice the input")
    found = Site(folder, folder / "bank", request.param)
    yield found
    found.close()


@pytest.fixture
def site(server: Site) -> Iterator[Site]:
    """The server as if nobody had asked anything."""
    server.begin()
    yield server
    server.hang_up()


def state(wire: http.client.HTTPConnection) -> tuple[bytes, str | None]:
    answer = wire.getresponse()
    body = answer.read()
    return body[body.index(b'"state"') :][:18], answer.headers.get("Retry-After")


def test_forty_of_one_and_two_hundred_of_fifty_hold_no_thread(site: Site) -> None:
    """Eight threads serve. Forty waits of one account: four wait, the others are answered at once.

    Two hundred of fifty: all wait.
    """
    forty = [site.wait(0) for _ in range(40)]
    assert site.slowest() < PROMPT_S
    assert eventually(lambda: sum(map(_readable, forty)) == 40 - MOST_OF_ONE)
    assert {state(wire)[1] for wire in forty if _readable(wire)} == {"1"}
    crowd = [
        (account, site.wait(account)) for account in range(1, ACCOUNTS) for _ in range(MOST_OF_ONE)
    ]
    assert site.slowest() < PROMPT_S
    assert not any(_readable(wire) for _, wire in crowd)
    for account in range(ACCOUNTS):
        site.end(account)
    began = time.monotonic()
    assert all(b'"done"' in state(wire)[0] for _, wire in crowd)
    assert time.monotonic() - began < WAIT_S / 2


def _readable(wire: http.client.HTTPConnection) -> bool:
    return wire.sock is None or bool(select.select([wire.sock], [], [], 0)[0])


def test_who_hangs_up_makes_room_for_the_next(site: Site) -> None:
    for wire in [site.wait(0) for _ in range(MOST_OF_ONE)]:
        time.sleep(GRACE_S / 3)  # the first waits in its thread, the last is put aside by now
        wire.close()

    def waits() -> bool:
        """Whether a further one may wait: it is not answered at once."""
        status, took = site.get(f"/api/v1/submissions/{site.numbers[0]}?wait=0.6", 0)
        return status == 200 and took >= 0.5

    assert eventually(waits)


def test_the_same_connection_serves_again_after_a_wait(site: Site) -> None:
    wire = http.client.HTTPConnection("127.0.0.1", site.port, timeout=30)
    headers = {"Authorization": f"Bearer {site.tokens[0]}"}
    for wait in (0.4, 0.3):
        began = time.monotonic()
        wire.request("GET", f"/api/v1/submissions/{site.numbers[0]}?wait={wait}", headers=headers)
        assert b'"queued"' in state(wire)[0]
        assert wait <= time.monotonic() - began < wait + 20
    site.end(0)
    wire.request("GET", f"/api/v1/submissions/{site.numbers[0]}?wait=5", headers=headers)
    assert b'"done"' in state(wire)[0]
    assert wire.sock is not None
    wire.close()


def test_a_submission_that_waits_for_its_verdict_is_stored_once(site: Site) -> None:
    site.end(0)  # so that the next of this account is the only one
    wire = http.client.HTTPConnection("127.0.0.1", site.port, timeout=60)
    site.wires.append(wire)
    headers = {"Authorization": f"Bearer {site.tokens[0]}", "Content-Type": "application/json"}
    body = json.dumps({"problem": SLUG, "framework": "numpy", "source": BAD})
    wire.request("POST", "/api/v1/submissions", body, headers | {"Prefer": f"wait={WAIT_S}"})
    assert eventually(lambda: len(site.sent_by(0)) == 2)
    time.sleep(GRACE_S + 0.5)  # it is put aside by now
    assert not _readable(wire)
    site.numbers[0] = max(site.sent_by(0))
    site.end(0)
    answer = wire.getresponse()
    found = json.loads(answer.read())
    assert (answer.status, found["id"], found["state"]) == (200, site.numbers[0], "done")
    assert answer.headers["Preference-Applied"] == f"wait={WAIT_S}"
    assert len(site.sent_by(0)) == 2
    wire.request("GET", found["url"], headers=headers)  # the connection serves again
    assert json.loads(wire.getresponse().read())["verdict"] == found["verdict"]
