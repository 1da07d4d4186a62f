"""kill -9 of the server with 20 submissions queued: after a restart none is lost, and each has
exactly one verdict.
"""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.processes import children, descendants
from grader.frameworks import has
from grader.model import Framework
from server.models import migrations
from server.models.accounts import Role
from server.models.database import open_database
from server.services import accounts
from server.worker.room import Core
from tests.server.conftest import PASSWORD, REPOSITORY

SLUG = "scaled_dot_product_attention"
LEARNERS, EACH = 4, 5
SLOWLY = """

_quick = scaled_dot_product_attention


def scaled_dot_product_attention(*args, **options):
    time.sleep(0.02)
    return _quick(*args, **options)
"""


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


class Server:
    """`flask run` or `flask serve` as a process of its own."""

    def __init__(self, environment: dict[str, str], command: str) -> None:
        self.port = free_port()
        argv = [sys.executable, "-m", "flask", "--app", "server", command, "-p", str(self.port)]
        self.log = Path(environment["JUDGE_INSTANCE"]) / f"log.{self.port}"
        self.log.parent.mkdir(exist_ok=True)
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                argv,
                env=environment,
                cwd=REPOSITORY,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.until(lambda: self.call("/healthz")["status"] == "ok", 30)

    def until(self, seen: Callable[[], bool], seconds: float) -> None:
        end = time.monotonic() + seconds
        while True:
            try:
                if seen():
                    return
            except OSError:
                pass
            assert time.monotonic() < end, self.log.read_text()[-3000:]
            time.sleep(0.05)

    def call(self, path: str, token: str = "", body: Any = None) -> Any:
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", method="POST" if body else "GET"
        )
        request.add_header("Accept", "application/json")
        if token:
            request.add_header("Authorization", f"Bearer {token}")
        if body:
            request.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(
            request, json.dumps(body).encode() if body else None, timeout=30
        ) as answer:
            return json.load(answer)

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


@pytest.fixture
def environment(tmp_path: Path, real_bank: Path, room: Core) -> Iterator[dict[str, str]]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("JUDGE_")}
    yield kept | {
        "JUDGE_INSTANCE": str(tmp_path / "instance"),
        "JUDGE_BANK": str(real_bank),
        "JUDGE_SUBMIT_LIMIT": "1000/minute",
    }


@pytest.fixture
def tokens(environment: dict[str, str], tmp_path: Path) -> list[str]:
    (tmp_path / "instance").mkdir()
    database = open_database(f"sqlite:///{tmp_path / 'instance' / 'judge.sqlite3'}")
    migrations.upgrade(database)
    with database.write() as session:
        users = [
            accounts.add_user(session, f"learner{i}", PASSWORD, Role.LEARNER)
            for i in range(LEARNERS)
        ]
        found = [accounts.make_token(session, user, "test") for user in users]
    database.close()
    return found


@pytest.mark.parametrize("command", ["serve", "run"])
def test_none_lost_and_each_judged_once(
    environment: dict[str, str], tokens: list[str], real_bank: Path, command: str
) -> None:
    right = (real_bank / "reference" / SLUG / "numpy.py").read_text()
    slow = right.replace("import numpy as np\n", "import time\n\nimport numpy as np\n", 1) + SLOWLY
    sources = [
        slow,
        (
            "import time\n\n\ndef scaled_dot_product_attention(q, k, v, scale=None):\n   "
            " time.sleep(0.02)\n    return v, v\n"
        ),
    ]
    sent: dict[int, tuple[str, str]] = {}
    first = Server(environment, command)
    try:
        first.until(lambda: bool(first.call("/healthz")), 10)
        for i in range(LEARNERS * EACH):
            token, source = tokens[i % LEARNERS], sources[i % 2] + f"# {i}\n"
            answer = first.call(
                "/api/v1/submissions",
                token,
                {"problem": SLUG, "framework": "numpy", "source": source},
            )
            sent[answer["id"]] = (token, "accepted" if i % 2 == 0 else "wrong_answer")
    finally:
        first.kill()
    before = re.findall(r'"event": "verdict", "submission": (\d+)', first.log.read_text())
    second = Server(environment, command)
    try:
        for number, (token, expected) in sent.items():
            found = second.call(f"/api/v1/submissions/{number}?wait=30", token)
            assert (found["state"], found["verdict"] and found["verdict"]["verdict"]) == (
                "done",
                expected,
            ), second.log.read_text()[-2000:]
    finally:
        second.kill()
    after = re.findall(
        r'"event": "verdict", "submission": (\d+), .*"kept": true', second.log.read_text()
    )
    assert len(sent) == LEARNERS * EACH
    assert len(after) >= LEARNERS * EACH // 2, "the kill came too late to show anything"
    judged = before + after
    assert len(judged) == len(set(judged)), "one was judged twice"
    # a verdict that was stored in the instant of the kill, its line not yet written
    assert len(sent) - len(judged) <= 2


def test_kill_in_the_middle_of_one_and_no_room_outlives_its_server(
    environment: dict[str, str], tokens: list[str]
) -> None:
    """The submission that was being judged is taken up again at once, though its lease has an hour
    left: its holder is known to be dead. A room ends with its server, also when that is killed.
    """
    environment = environment | {"JUDGE_LEASE": "3600"}
    first = Server(environment, "serve")
    number = _submit_slow(first, tokens[0])
    first.kill()
    second = Server(environment, "serve")

    def seen() -> dict[str, Any]:
        found: dict[str, Any] = second.call(f"/api/v1/submissions/{number}?wait=20", tokens[0])
        return found

    try:
        second.until(lambda: seen()["state"] == "done", 120)
        assert seen()["verdict"]["verdict"] == "wrong_answer"
        second.until(lambda: second.call("/readyz")["room"] == "ok", 30)
        below = descendants(second.process.pid)
    finally:
        second.kill()
    # the supervisor, the worker, and a launcher and a zygote for each framework
    assert len(below) >= (6 if has(Framework.TORCH) else 4)
    _until_gone(below)


def _submit_slow(server: Server, token: str) -> int:
    """Sends what takes a while, and returns its number once it is being judged."""
    slow = (
        "import time\ndef scaled_dot_product_attention(q, k, v, scale=None):\n    time.sleep(0.1)\n"
        "    return v, v\n"
    )
    sent = server.call(
        "/api/v1/submissions", token, {"problem": SLUG, "framework": "numpy", "source": slow}
    )
    path = f"/api/v1/submissions/{sent['id']}"
    server.until(lambda: bool(server.call(path, token)["state"] == "running"), 30)
    return int(sent["id"])


def _worker_of(server: Server) -> int:
    """The process that judges: the child of the supervisor, which is the child of the server."""
    (supervisor,) = children(server.process.pid)
    (worker,) = children(supervisor)
    return worker


def test_a_worker_that_is_killed_is_replaced(
    environment: dict[str, str], tokens: list[str]
) -> None:
    """Pages are answered meanwhile, and what it judged is judged by the next one at once, though
    the lease has an hour left.
    """
    server = Server(environment | {"JUDGE_LEASE": "3600"}, "serve")
    try:
        number = _submit_slow(server, tokens[0])
        killed = _worker_of(server)
        os.kill(killed, signal.SIGKILL)
        path = f"/api/v1/submissions/{number}"
        assert server.call(path, tokens[0])["state"] in ("running", "queued")
        server.until(lambda: server.call(f"{path}?wait=20", tokens[0])["state"] == "done", 120)
        assert server.call(path, tokens[0])["verdict"]["verdict"] == "wrong_answer"
        assert _worker_of(server) != killed
    finally:
        server.kill()
    assert '"event": "worker ended", "status": -9' in server.log.read_text()


def test_with_supervisor_and_worker_killed_the_pages_process_judges(
    environment: dict[str, str], tokens: list[str]
) -> None:
    """The worker goes on without the supervisor. What it judges when it is killed too is judged by
    the pages' process, and so is what comes later; SIGTERM ends that as well.
    """
    server = Server(environment | {"JUDGE_LEASE": "3600"}, "serve")
    try:
        server.until(lambda: bool(server.call("/readyz")["room"] == "ok"), 60)
        (supervisor,), worker = children(server.process.pid), _worker_of(server)
        os.kill(supervisor, signal.SIGKILL)
        number = _submit_slow(server, tokens[0])
        os.kill(worker, signal.SIGKILL)
        path = f"/api/v1/submissions/{number}"
        server.until(lambda: server.call(f"{path}?wait=20", tokens[0])["state"] == "done", 120)
        later = _submit_slow(server, tokens[0])
        path = f"/api/v1/submissions/{later}"
        server.until(lambda: server.call(f"{path}?wait=20", tokens[0])["state"] == "done", 120)
        processes = _end(server)
    finally:
        server.kill()
    assert server.process.returncode == 0, server.log.read_text()[-2000:]
    assert '"event": "judging among the pages"' in server.log.read_text()
    _until_gone(processes)


def test_asked_to_end_it_finishes_what_is_judged_and_leaves_no_process(
    environment: dict[str, str], tokens: list[str]
) -> None:
    server = Server(environment, "serve")
    try:
        number = _submit_slow(server, tokens[0])
        processes = _end(server)
    finally:
        server.kill()
    assert server.process.returncode == 0, server.log.read_text()[-2000:]
    assert f'"event": "verdict", "submission": {number}' in server.log.read_text()
    _until_gone(processes)


def _end(server: Server) -> list[int]:
    """Asks it to end, and waits for that; returns the processes that it had."""
    processes = [server.process.pid, *descendants(server.process.pid)]
    server.process.terminate()
    server.process.wait(120)
    return processes


def _until_gone(processes: list[int]) -> None:
    end = time.monotonic() + 60
    while any(map(_runs, processes)) and time.monotonic() < end:
        time.sleep(0.05)
    assert list(filter(_runs, processes)) == []


def _runs(pid: int) -> bool:
    """Not gone, and not merely waiting for the machine's init to take note of its end."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
