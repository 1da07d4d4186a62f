"""A server of its own for a measurement, and a client that submits to it over HTTP."""

import contextlib
import http.client
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.processes import tree_cpu_ms
from server.models import migrations
from server.models.database import open_database
from server.services import accounts

SLUG = "scaled_dot_product_attention"
WAIT_S = 30
IDLE_MS = 50.0  # of processor time in a second


class Client:
    """One connection that stays open, and one token."""

    def __init__(self, port: int, token: str) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """Makes one request. Returns the JSON of the reply, or None for a page."""
        headers = self.headers | ({"Content-Type": "application/json"} if body else {})
        if body:
            headers["Prefer"] = f"wait={WAIT_S}"
        self.connection.request(method, path, json.dumps(body) if body else None, headers)
        response = self.connection.getresponse()
        data = response.read()
        if response.status >= 400:
            raise RuntimeError(f"{method} {path}: {response.status} {data[:300]!r}")
        is_json = response.headers.get_content_type() == "application/json"
        return json.loads(data) if is_json else None

    def judged(self, source: str, framework: str, problem: str = SLUG) -> tuple[float, str]:
        """Submits, waits, and returns the milliseconds until the verdict, and the verdict."""
        began = time.perf_counter()
        sent = self.call(
            "POST",
            "/api/v1/submissions",
            {"problem": problem, "framework": framework, "source": source},
        )
        row = sent if sent.get("verdict") else self.call("GET", f"{sent['url']}?wait={WAIT_S}")
        ms = (time.perf_counter() - began) * 1000
        return ms, row["verdict"]["verdict"] if row["verdict"] else row["state"]


@contextlib.contextmanager
def served(clients: int, instance: Path | None = None) -> Iterator[tuple[int, list[str], int]]:
    """Starts a server on a free port. Yields the port, a token for each client, and its process.

    Its database is in the folder `instance`; by default in one that is removed.
    """
    with tempfile.TemporaryDirectory() as made, socket.socket() as taken:
        folder = instance or Path(made)
        database = open_database(f"sqlite:///{folder}/judge.sqlite3")
        migrations.upgrade(database)
        password_hash = accounts.hash_password("a long password", "")
        with database.write() as session:
            users = [
                accounts.add_user(session, f"client{i}", "", password_hash=password_hash)
                for i in range(clients)
            ]
            tokens = [accounts.make_token(session, user, "load") for user in users]
        database.close()
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        taken.close()
        environment = os.environ | {
            "JUDGE_INSTANCE": str(folder),
            "JUDGE_SUBMIT_LIMIT": "100000/minute",
        }
        argv = [sys.executable, "-m", "flask", "--app", "server", "serve", "-p", str(port)]
        with (folder / "log").open("w") as log:
            process = subprocess.Popen(argv, env=environment, stdout=log, stderr=log)
        try:
            _until_ready(port)
            _until_idle(process.pid)
            yield port, tokens, process.pid
        finally:
            process.terminate()
            process.wait(30)


def _until_ready(port: int) -> None:
    end = time.monotonic() + 120
    while time.monotonic() < end:
        with contextlib.suppress(OSError, RuntimeError):
            Client(port, "").call("GET", "/readyz")
            return
        time.sleep(0.1)
    raise RuntimeError(
        "the server does not become ready; is there a room here? `grade doctor` says what is"
        " missing"
    )


def _until_idle(pid: int) -> None:
    """A new server computes the samples, lessons and practice items of its bank at first."""
    end, cpu_ms = time.monotonic() + 600, -IDLE_MS
    while time.monotonic() < end:
        before, cpu_ms = cpu_ms, tree_cpu_ms(pid)
        if cpu_ms - before < IDLE_MS:
            return
        time.sleep(1)
    raise RuntimeError("the server does not come to rest")
