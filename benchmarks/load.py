"""Measures the service over HTTP: `python -m benchmarks.load` prints a table, `--json` one object.
`make bench` runs it.

A server of its own (temporary SQLite, the real room) answers: first one client submits to an idle
server, then many at once while pages are read. Clients use keep-alive connections and bearer
tokens, as `grade submit` does. docs/design/libraries.md says why this is not locust.
"""

import argparse
import contextlib
import http.client
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from grader.problem import default_bank
from server.models import migrations
from server.models.database import open_database
from server.services import accounts

SLUG = "scaled_dot_product_attention"


@dataclass(frozen=True, slots=True)
class Figures:
    """Milliseconds, except where the name says otherwise."""

    idle_p50: float
    idle_p95: float
    clients: int
    submissions: int
    lost: int
    verdicts_a_second: float
    busy_p50: float
    busy_p95: float
    pages: int
    page_p50: float
    page_p95: float


LIMITS = {"idle_p50": 60.0, "idle_p95": 120.0, "lost": 0, "page_p95": 50.0}
LEAST = {"verdicts_a_second": 40.0}


class Client:
    """One connection that stays open, and one token."""

    def __init__(self, port: int, token: str) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """Makes one request. Returns the JSON of the reply, or None for a page."""
        headers = self.headers | ({"Content-Type": "application/json"} if body else {})
        self.connection.request(method, path, json.dumps(body) if body else None, headers)
        response = self.connection.getresponse()
        data = response.read()
        if response.status >= 400:
            raise RuntimeError(f"{method} {path}: {response.status} {data[:300]!r}")
        is_json = response.headers.get_content_type() == "application/json"
        return json.loads(data) if is_json else None

    def judged(self, source: str, framework: str) -> tuple[float, str]:
        """Submits, waits, and returns the milliseconds until the verdict, and the verdict."""
        began = time.perf_counter()
        sent = self.call(
            "POST",
            "/api/v1/submissions",
            {"problem": SLUG, "framework": framework, "source": source},
        )
        row = self.call("GET", f"{sent['url']}?wait=30")
        ms = (time.perf_counter() - began) * 1000
        return ms, row["verdict"]["verdict"] if row["verdict"] else row["state"]


@contextlib.contextmanager
def served(clients: int) -> Iterator[tuple[int, list[str]]]:
    """Starts a server on a free port. Yields the port and a token for each client."""
    with tempfile.TemporaryDirectory() as folder, socket.socket() as taken:
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
        environment = os.environ | {"JUDGE_INSTANCE": folder, "JUDGE_SUBMIT_LIMIT": "100000/minute"}
        argv = [sys.executable, "-m", "flask", "--app", "server", "serve", "-p", str(port)]
        with (Path(folder) / "log").open("w") as log:
            process = subprocess.Popen(argv, env=environment, stdout=log, stderr=log)
        try:
            _until_ready(port)
            yield port, tokens
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


def part(values: list[float], share: float) -> float:
    """Returns the value below which this share of the values lies."""
    ordered = sorted(values)
    return round(ordered[min(len(ordered) - 1, int(len(ordered) * share))], 1)


def measure(clients: int = 20, each: int = 20, idle: int = 40, framework: str = "torch") -> Figures:
    """Makes both measurements against one server, one after the other."""
    source = (default_bank() / "reference" / SLUG / f"{framework}.py").read_text()
    with served(clients) as (port, tokens):
        first = Client(port, tokens[0])
        for i in range(3):  # the first computes the answers, which are then in the cache
            first.judged(f"{source}# warm {i}\n", framework)
        time.sleep(2)
        alone = []
        for i in range(idle):
            alone.append(first.judged(f"{source}# {i}\n", framework)[0])
            time.sleep(0.02)
        took, wrong, pages, seconds = _crowd(port, tokens, each, source, framework)
    sent = clients * each
    return Figures(
        idle_p50=part(alone, 0.5),
        idle_p95=part(alone, 0.95),
        clients=clients,
        submissions=sent,
        lost=sent - len(took) + wrong,
        verdicts_a_second=round(len(took) / seconds, 1),
        busy_p50=part(took, 0.5),
        busy_p95=part(took, 0.95),
        pages=len(pages),
        page_p50=part(pages, 0.5),
        page_p95=part(pages, 0.95),
    )


def _crowd(
    port: int, tokens: list[str], each: int, source: str, framework: str
) -> tuple[list[float], int, list[float], float]:
    """Lets every client submit `each` times, one after the other, while pages are read.

    Returns the times, how many verdicts were wrong, the times of the pages, and the seconds.
    """
    took: list[float] = []
    wrong: list[str] = []
    pages: list[float] = []
    ended = threading.Event()

    def submit(token: str) -> None:
        client = Client(port, token)
        for i in range(each):
            ms, verdict = client.judged(f"{source}# {token[-6:]} {i}\n", framework)
            took.append(ms)
            if verdict != "accepted":
                wrong.append(verdict)

    def read() -> None:
        client = Client(port, "")
        while not ended.is_set():
            for path in ("/", f"/problems/{SLUG}", "/leaderboard"):
                began = time.perf_counter()
                client.call("GET", path)
                pages.append((time.perf_counter() - began) * 1000)
                time.sleep(0.05)

    reader = threading.Thread(target=read)
    threads = [threading.Thread(target=submit, args=(token,)) for token in tokens]
    began = time.perf_counter()
    for thread in (reader, *threads):
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.perf_counter() - began
    ended.set()
    reader.join()
    return took, len(wrong), pages, seconds


def missed(figures: Figures) -> list[str]:
    """Returns a sentence for each figure that is outside its bound."""
    values = asdict(figures)
    over = [
        f"{name} is {values[name]}; at most {most}"
        for name, most in LIMITS.items()
        if values[name] > most
    ]
    return over + [
        f"{name} is {values[name]}; at least {least}"
        for name, least in LEAST.items()
        if values[name] < least
    ]


def main() -> None:
    """Prints the figures; exits with status 1 when one is outside its bound."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=20)
    parser.add_argument("--each", type=int, default=20)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures = measure(options.clients, options.each)
    if options.json:
        print(json.dumps(asdict(figures)))
    else:
        for name, value in asdict(figures).items():
            print(f"{name.replace('_', ' '):20} {value}")
    for line in missed(figures):
        print(line, file=sys.stderr)
    sys.exit(1 if missed(figures) else 0)


if __name__ == "__main__":
    main()
