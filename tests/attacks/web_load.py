"""Resource attacks beside an honest learner: `python -m tests.attacks.web_load [-n TIMES] [NAME…]`
prints a line for each.

A server of its own answers on loopback, with the real room. First an honest learner submits to the
quiet site, right and wrong solutions in turn. Then each attack is carried out TIMES times by a
process of its own, while the honest learner goes on submitting. What must hold beside every attack:
each honest submission gets its right verdict, the 95th percentile of its latency is at most
`FACTOR` times the quiet one, the server's process grows by at most `GROWTH_MIB`, and `/healthz`
answers within `PROMPT_MS`.
"""

import argparse
import contextlib
import functools
import http.client
import http.cookiejar
import itertools
import json
import os
import random
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import IO, Any

from argon2 import PasswordHasher
from sqlalchemy import insert

from benchmarks.client import SLUG
from benchmarks.load import part
from benchmarks.processes import children
from server.models import migrations
from server.models.accounts import Role
from server.models.base import now
from server.models.courses import Assignment, AssignmentProblem, Course, Feedback, Late, Member
from server.models.database import open_database
from server.models.submissions import State, Submission
from server.services import accounts
from tests.attacks.matrix import attacks

ROOT = Path(__file__).resolve().parents[2]
PASSWORD = "a password of a test"
TIMES = 20
FACTOR = 5.0
GROWTH_MIB = 200.0
PROMPT_MS = 1000.0
QUIET, LEAST = 60, 20  # honest submissions before the attacks, and at least beside each
PAUSE_S = 0.02  # between two honest submissions
ATTACK_S = 8.0  # an attack that ends sooner is carried out again: a percentile needs its many
CLASS = 60  # learners of the class whose teacher is the attacker
ATTACKERS = 3
SOURCE_BYTES = 65_000
# rows of the catalogue: each file that names one of them is an attack here
AROUND_THE_ROOM = range(124, 132)
HOSTILE = (
    "frame_flood",
    "frame_claims_terabytes",
    "header_lies",
    "giant_repr",
    "huge_return",
    "output_flood",
    "output_flood_binary",
)
HOSTILE += (
    "catastrophic_regex",
    "memory_at_once",
    "thread_bomb",
    "huge_exception",
    "threads_for_cpu",
)


@dataclass(frozen=True, slots=True)
class Site:
    """Where the server is, and who may ask; also what an attacker's process reads first."""

    port: int
    server: int  # process id
    honest: str  # token
    attackers: tuple[str, ...]  # tokens of `attacker0` and so on
    # of attacker0: shuffled lines; of attacker1: as many as are aligned
    compared: tuple[tuple[int, int], tuple[int, int]]
    assignment: int

    def call(
        self, method: str, path: str, token: str, body: Any = None, timeout: float = 60
    ) -> tuple[int, Any]:
        """Status and JSON of one request of the API."""
        wire = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        headers = {
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/json",
            "Accept": "application/json",
        }
        with contextlib.closing(wire):
            wire.request(method, path, json.dumps(body) if body is not None else None, headers)
            answer = wire.getresponse()
            data = answer.read()
        return answer.status, (
            json.loads(data) if answer.headers.get_content_type().endswith("json") else None
        )

    def submit(
        self, token: str, source: str, framework: str = "numpy", problem: str = SLUG
    ) -> int | None:
        """The number of the submission; None when it is refused."""
        body = {"problem": problem, "framework": framework, "source": source}
        status, answer = self.call("POST", "/api/v1/submissions", token, body)
        return int(answer["id"]) if status == 202 else None

    def verdict(self, token: str, number: int, seconds: float) -> dict[str, Any] | None:
        """The verdict; None when it is not there in time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            _, answer = self.call("GET", f"/api/v1/submissions/{number}?wait=20", token)
            if answer["state"] == "done":
                return dict(answer["verdict"])
            time.sleep(0.05)
        return None


# -------------------------------------------------------------------------------------------------------------
# the attackers


class Reader:
    """A browser's session of one account."""

    def __init__(self, site: Site, name: str) -> None:
        self.base = f"http://127.0.0.1:{site.port}"
        self.opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        )
        page = self.get("/sign-in")[1]
        token = re.findall(r'name="csrf_token" value="([^"]+)"', page)[0]
        form = urllib.parse.urlencode(
            {"csrf_token": token, "name": name, "password": PASSWORD}
        ).encode()
        self.opener.open(f"{self.base}/sign-in", form, timeout=60).read()

    def get(self, path: str) -> tuple[int, str]:
        """Status and text of a page."""
        try:
            with self.opener.open(f"{self.base}{path}", timeout=60) as answer:
                return answer.status, answer.read().decode(errors="replace")
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode(errors="replace")


@functools.cache
def window_of(site: Site, name: str, number: int) -> Reader:
    """One of an account's windows. It signs in once: the attack is what follows."""
    return Reader(site, name)


def together(jobs: list[Callable[[], None]]) -> None:
    """Each in a thread of its own. Raises what one of them raised."""
    with ThreadPoolExecutor(len(jobs)) as threads:
        for job in [threads.submit(job) for job in jobs]:
            job.result()


def pages_of(site: Site, name: str, path: str, times: int, windows: int = 4) -> dict[int, int]:
    """Ask for a page again and again from several windows; how often each status came."""
    counts: dict[int, int] = {}

    def window(number: int) -> None:
        reader = window_of(site, name, number)
        for _ in range(times):
            status, _ = reader.get(path)
            counts[status] = counts.get(status, 0) + 1

    together([functools.partial(window, number) for number in range(windows)])
    return counts


def compare(pair: int) -> Callable[[Site, int], object]:
    """Two own sources side by side: shuffled lines of one character, or the most lines that are
    aligned.
    """

    def attack(site: Site, times: int) -> object:
        a, b = site.compared[pair]
        return pages_of(site, f"attacker{pair}", f"/problems/{SLUG}/compare?a={a}&b={b}", times)

    return attack


def similar(site: Site, times: int) -> object:
    """A teacher asks for the similarity of a class whose sources are hostile."""
    return pages_of(
        site,
        "teacher",
        f"/teach/assignments/{site.assignment}/similar/{SLUG}",
        max(1, times // 10),
        2,
    )


def gradebook(site: Site, times: int) -> object:
    """A teacher exports the gradebook of a class that has sent thousands."""
    forms = ("csv", "nbgrader", "json", "gradescope")
    found = [
        pages_of(
            site,
            "teacher",
            f"/teach/assignments/{site.assignment}/gradebook.{form}",
            max(1, times // 4),
            2,
        )
        for form in forms
    ]
    return dict(zip(forms, found, strict=True))


def long_polls(site: Site, times: int) -> object:
    """Forty requests that wait for a submission which sleeps, again and again."""
    number = site.submit(site.attackers[0], "import time\ntime.sleep(9)\n")
    request = (
        f"GET /api/v1/submissions/{number}?wait=30 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer"
        f" {site.attackers[0]}\r\n\r\n".encode()
    )
    opened = []
    for _ in range(times):
        for _ in range(40):
            wire = socket.create_connection(("127.0.0.1", site.port), 60)
            wire.sendall(request)
            opened.append(wire)
        time.sleep(0.3)
        while len(opened) > 80:
            opened.pop(0).close()
    for wire in opened:
        wire.close()
    return number


def flood(site: Site, times: int) -> object:
    """Submissions of several accounts, as fast as they are taken."""
    taken = [0] * ATTACKERS

    def send(i: int) -> None:
        for j in range(10 * times):
            taken[i] += (
                site.submit(
                    site.attackers[i],
                    f"def scaled_dot_product_attention(q, k, v, scale=None):\n    return {j}\n",
                )
                is not None
            )

    together([lambda i=i: send(i) for i in range(ATTACKERS)])  # type: ignore[misc]
    return taken


def hostile_source(source: str, framework: str) -> Callable[[Site, int], object]:
    """One source, sent again when its verdict is there; none may end in an error of the judge."""

    def attack(site: Site, times: int) -> object:
        outcomes: dict[str, int] = {}
        for i in range(times):
            number = site.submit(site.attackers[0], f"{source}\n# {i}\n", framework)
            verdict = site.verdict(site.attackers[0], number, 300) if number is not None else None
            outcome = str(verdict["verdict"]) if verdict else "lost"
            outcomes[outcome] = outcomes.get(outcome, 0) + 1
        return outcomes

    return attack


def every_attack() -> dict[str, Callable[[Site, int], object]]:
    """By name."""
    found: dict[str, Callable[[Site, int], object]] = {
        "compare shuffled": compare(0),
        "compare aligned": compare(1),
        "similarity": similar,
        "gradebook": gradebook,
        "long polls": long_polls,
        "flood": flood,
    }
    for attack in attacks():
        if attack.problem == SLUG and (
            attack.name in HOSTILE or set(attack.rows) & set(AROUND_THE_ROOM)
        ):
            found[f"source {attack.name}"] = hostile_source(attack.source, str(attack.framework))
    return found


# ------------------------------------------------------------------------------------------------------------------
# the site


def shuffled(seed: int, lines: int) -> str:
    """A source of lines of one character, each in an order of its own."""
    letters = [*"abcdefghijklmnopqrstuvwxyz"] * (lines // 26)
    random.Random(seed).shuffle(letters)
    return "\n".join(letters)


def tokens_of(seed: int) -> str:
    """A source of as many different tokens as go into it."""
    return " ".join(
        random.Random(seed).choices(
            ["a", "+", "if", "(", "[", "1", '"x"', "@", "\n"], k=SOURCE_BYTES // 3
        )
    )


def fill(folder: Path) -> dict[str, Any]:
    """Accounts, a class with hostile sources, and what the attackers compare; what `Site` needs of
    it.
    """
    database = open_database(f"sqlite:///{folder}/judge.sqlite3")
    migrations.upgrade(database)
    # of the least cost: the attack is what follows a sign-in
    secret = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PASSWORD)
    judged = {
        "problem": SLUG,
        "framework": "numpy",
        "state": State.DONE,
        "outcome": "wrong_answer",
        "digest": "d",
        "cpu_ms": 1.0,
    }
    judged |= {"score": 0, "max_score": 1, "round": 0}
    with database.write() as session:

        def add(name: str, role: Role = Role.LEARNER) -> Any:
            return accounts.add_user(session, name, "", role, password_hash=secret)

        def row_of(user: Any, source: str) -> dict[str, Any]:
            times = {"submitted_at": now(), "judged_at": now()}
            return {"user_id": user.id, "source": source, **times, **judged}

        def sent(user: Any, source: str) -> Submission:
            row = Submission(**row_of(user, source))
            session.add(row)
            return row

        honest, teacher = add("honest"), add("teacher", Role.INSTRUCTOR)
        attackers = [add(f"attacker{i}") for i in range(ATTACKERS)]
        # of an account each: the limit of one counts for one attack
        pairs = zip(attackers, (SOURCE_BYTES // 2, 1950), strict=False)
        compared = [
            [sent(owner, shuffled(seed + lines, lines)) for seed in (1, 2)]
            for owner, lines in pairs
        ]
        course = Course(title="A class", code="ABCDEFGH", zone="UTC")
        session.add(course)
        session.flush()
        session.add(Member(course_id=course.id, user_id=teacher.id, teaches=True))
        terms = {
            "late": Late.PERCENT,
            "late_percent": 10,
            "attempts": None,
            "feedback": Feedback.FULL,
            "title": "First",
        }
        assignment = Assignment(
            course_id=course.id,
            opens_at=now() - timedelta(days=9),
            due_at=now() - timedelta(days=1),
            **terms,
        )
        assignment.problems.append(AssignmentProblem(slug=SLUG, position=0, points=10.0))
        session.add(assignment)
        for i in range(CLASS):
            learner = add(f"learner{i}")
            session.add(Member(course_id=course.id, user_id=learner.id, teaches=False))
            session.execute(insert(Submission), [row_of(learner, "x") for _ in range(200)])
            sent(learner, tokens_of(i))
        session.flush()
        values = {
            "honest": accounts.make_token(session, honest, "test"),
            "attackers": tuple(accounts.make_token(session, user, "test") for user in attackers),
            "compared": tuple(tuple(row.id for row in pair) for pair in compared),
            "assignment": assignment.id,
        }
    database.close()
    return values


@contextlib.contextmanager
def served(slugs: tuple[str, ...] = (SLUG,)) -> Iterator[Site]:
    """A server process with the real room and these problems, ended at the end."""
    with tempfile.TemporaryDirectory(prefix="attack-load-") as name:
        folder = Path(name)
        for group, slug in itertools.product(("problems", "reference"), slugs):
            shutil.copytree(ROOT / group / slug, folder / "bank" / group / slug)
        values = fill(folder)
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            port = int(taken.getsockname()[1])
        kept = {key: value for key, value in os.environ.items() if not key.startswith("JUDGE_")}
        about = {
            "JUDGE_INSTANCE": name,
            "JUDGE_BANK": str(folder / "bank"),
            "JUDGE_SUBMIT_LIMIT": "100000/minute",
        }
        argv = [sys.executable, "-m", "flask", "--app", "server", "serve", "-p", str(port)]
        with (folder / "log").open("w") as log:
            process = subprocess.Popen(
                argv,
                env=kept | about | {"JUDGE_SIGN_IN_LIMIT": "1000/minute"},
                cwd=ROOT,
                stdout=log,
                stderr=log,
            )
        site = Site(port=port, server=process.pid, **values)
        try:
            _until_ready(site, folder / "log")
            yield site
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _until_ready(site: Site, log: Path) -> None:
    end = time.monotonic() + 120
    while time.monotonic() < end:
        with contextlib.suppress(OSError):
            if site.call("GET", "/readyz", site.honest)[0] == 200:
                return
        time.sleep(0.1)
    raise RuntimeError(
        f"the server does not become ready; is there a room here? {log.read_text()[-2000:]}"
    )


# ----------------------------------------------------------------------------------------------------------
# the honest learner


@dataclass(frozen=True, slots=True)
class Result:
    """What an honest learner met: latencies in milliseconds, verdicts that were not right, and the
    server's growth.
    """

    name: str
    submissions: int
    wrong: tuple[str, ...]
    p50: float
    p95: float
    health: float  # the slowest /healthz
    growth_mib: float
    attacker: str  # what came of the attack itself

    def trouble(
        self, quiet: "Result", factor: float = FACTOR, prompt: float = PROMPT_MS, least: float = 0.0
    ) -> list[str]:
        """What does not hold.

        `least`: a 95th percentile below that many milliseconds is good in any case.
        """
        found = [f"verdict {verdict}" for verdict in self.wrong]
        if self.p95 > max(factor * quiet.p95, least):
            found.append(
                f"p95 {self.p95:.0f} ms is more than {factor:g} times the quiet {quiet.p95:.0f} ms"
            )
        if self.growth_mib > GROWTH_MIB:
            found.append(f"the server grew by {self.growth_mib:.0f} MiB")
        if self.health > prompt:
            found.append(f"/healthz took {self.health:.0f} ms")
        return found + (
            ["an attack ended in judge_error"]
            if "judge_error" in self.attacker or "lost" in self.attacker
            else []
        )


def honest(
    site: Site, name: str, least: int, going_on: Callable[[], bool], pause_s: float = PAUSE_S
) -> Result:
    """Submit right and wrong solutions in turn, at least so many and for as long as the attack goes
    on; `pause_s` is for what is beyond `least`.
    """
    right = (ROOT / "reference" / SLUG / "numpy.py").read_text()
    sources = [
        (right, "accepted"),
        (right.replace("def scaled_dot_product_attention", "def other", 1) + WRONG, "wrong_answer"),
    ]
    memory = Memory(site.server)
    times, wrong, health = [], [], []
    while len(times) < least or going_on():
        source, expected = sources[len(times) % 2]
        began = time.perf_counter()
        number = site.submit(site.honest, f"{source}\n# {time.time_ns()}\n")
        verdict = site.verdict(site.honest, number, 120) if number is not None else None
        times.append((time.perf_counter() - began) * 1000)
        outcome = str(verdict["verdict"]) if verdict else "none"
        if outcome != expected:
            wrong.append(f"{outcome} instead of {expected}")
        began = time.perf_counter()
        site.call("GET", "/healthz", site.honest)
        health.append((time.perf_counter() - began) * 1000)
        time.sleep(PAUSE_S if len(times) < least else pause_s)
    return Result(
        name,
        len(times),
        tuple(wrong),
        part(times, 0.5),
        part(times, 0.95),
        round(max(health), 1),
        memory.growth(),
        "",
    )


WRONG = """

def scaled_dot_product_attention(q, k, v, scale=None):
    output, weights = other(q, k, v, scale)
    return 2 * output, weights
"""


class Memory:
    """How much the resident memory of a server has been above what it is now, from here on: of the
    process that serves and of the one that judges, which is the child of its supervisor.
    """

    def __init__(self, server: int) -> None:
        (supervisor,) = children(server)
        self.pids = [server, *children(supervisor)]
        for pid in self.pids:
            Path(f"/proc/{pid}/clear_refs").write_text("5")  # VmHWM begins anew
        self.before = self._read("VmRSS")

    def _read(self, name: str) -> float:
        texts = [Path(f"/proc/{pid}/status").read_text() for pid in self.pids]
        return sum(int(re.findall(rf"{name}:\s+(\d+) kB", text)[0]) for text in texts) / 1024

    def growth(self) -> float:
        """In MiB."""
        return round(self._read("VmHWM") - self.before, 1)


class Attacker:
    """A process of its own, behind the honest learner's in the kernel's queue. It carries out one
    attack after the other, since its start costs more than most of them.
    """

    def __init__(self, site: Site) -> None:
        self.site = site
        self._running: subprocess.Popen[str] | None = None

    def __enter__(self) -> "Attacker":
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def begin(self, name: str, times: int, seconds: float) -> None:
        """Begin an attack, in a new process after one that broke."""
        if self._running is None or self._running.poll() is not None:
            self.end()
            argv = [sys.executable, "-m", "tests.attacks.web_load", "--as-attacker"]
            self._running = subprocess.Popen(
                ["nice", "-n", "10", *argv],
                cwd=ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            self._tell(asdict(self.site))
            assert self._stdout.readline() == "ready\n"
        self._tell([name, times, seconds])

    def attacks(self) -> bool:
        """Whether the attack goes on."""
        return not select.select([self._stdout], [], [], 0)[0]

    def told(self) -> str:
        """What came of the attack."""
        assert self._running is not None
        line = self._stdout.readline().strip()
        return line or f"the attacker broke ({self._running.wait()})"

    def end(self) -> None:
        """Ends the process, whatever it does."""
        if self._running is None:
            return
        if self._running.poll() is None:
            self._running.kill()
        with contextlib.suppress(BrokenPipeError):  # of one that broke
            self._running.communicate()
        self._running = None

    @property
    def _stdout(self) -> IO[str]:
        assert self._running is not None and self._running.stdout is not None
        return self._running.stdout

    def _tell(self, value: object) -> None:
        assert self._running is not None and self._running.stdin is not None
        self._running.stdin.write(json.dumps(value) + "\n")
        self._running.stdin.flush()


def beside(
    attacker: Attacker,
    name: str,
    times: int,
    seconds: float = ATTACK_S,
    least: int = LEAST,
    pause_s: float = PAUSE_S,
) -> Result:
    """Carry out an attack while the honest learner submits, `least` times or more."""
    try:
        attacker.begin(name, times, seconds)
        found = honest(attacker.site, name, least, attacker.attacks, pause_s)
    except BaseException:
        attacker.end()  # the next attack is not to find this one
        raise
    return replace(found, attacker=attacker.told())


def carry_out() -> None:
    """The attacker's process: each attack that is asked for once, and again until so many seconds
    are over.
    """
    values = json.loads(sys.stdin.readline())
    values["compared"] = tuple(map(tuple, values["compared"]))
    values["attackers"] = tuple(values["attackers"])
    site, known = Site(**values), every_attack()
    print("ready", flush=True)
    for line in sys.stdin:
        name, times, seconds = json.loads(line)
        end = time.monotonic() + seconds
        while True:
            result = known[name](site, times)
            if time.monotonic() >= end:
                break
        print(result, flush=True)


def warmed(site: Site, least: int = QUIET) -> Result:
    """The quiet measurement, after the first submissions have filled the caches."""
    honest(site, "warm", 6, lambda: False)
    return honest(site, "quiet", least, lambda: False)


def run(names: tuple[str, ...] = (), times: int = TIMES) -> int:
    """Every attack, or those named; a line for each, and how many went wrong."""
    bad = 0
    with served() as site, Attacker(site) as attacker:
        quiet = warmed(site)
        print(
            f"{'quiet':28} {quiet.submissions:4} honest, p50 {quiet.p50:6.1f} p95"
            f" {quiet.p95:6.1f} ms",
            flush=True,
        )
        for name in names or every_attack():
            found = beside(attacker, name, times)
            trouble = found.trouble(quiet)
            bad += bool(trouble)
            line = (
                f"{name:28} {found.submissions:4} honest, p50 {found.p50:6.1f} p95 {found.p95:6.1f}"
                f" ms ({found.p95 / quiet.p95:4.1f} ×), "
            )
            line += (
                f"/healthz {found.health:6.1f} ms, +{found.growth_mib:5.1f} MiB  {found.attacker}"
            )
            print(line + "".join(f"\n    WRONG: {text}" for text in trouble), flush=True)
    return bad


def main() -> int:
    """From the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("-n", "--times", type=int, default=TIMES)
    parser.add_argument("--as-attacker", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.as_attacker:
        carry_out()
        return 0
    return int(run(tuple(chosen.names), chosen.times) > 0)


if __name__ == "__main__":
    sys.exit(main())
