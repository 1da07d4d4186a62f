"""What instructors ask for, where Celery's workers carry it out: verify and publish through
gunicorn, judge what was published on a machine that has never seen it, rejudge, and go on when the
worker that verified is killed.
"""

import json
import shutil
import signal
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from grader.sandbox import SandboxPool

pytest.importorskip("celery", reason="the group `scale` is not installed")

from server.models.accounts import Role
from server.models.submissions import State, Submission
from server.models.teaching import Rejudge, VerifyRun
from server.services import accounts, rejudging
from server.services.problems import files, published
from tests.scaled.services import until
from tests.scaled.stack import PASSWORD, REPOSITORY, Stack, judged, stack
from tests.scaled.stack import SLUG as SHIPPED
from tests.server.instructors import FIT, SLUG, UNFIT, zip_of

ONE_KEY = '    yield Case("one key", inputs=qkv(rng, 4, 1, 5, 3), note="The bias is log 1 = 0.")\n'
SECOND = FIT | {"problems/cases.py": FIT["problems/cases.py"].rstrip() + "\n" + ONE_KEY}
RIGHT = FIT["reference/numpy.py"]
SQUEEZED = RIGHT.replace(
    "scores = q @ k.T / math.sqrt(q.shape[-1])",
    "scores = np.squeeze(q @ k.T) / math.sqrt(q.shape[-1])",
)


class Desk:
    """An instructor's program."""

    def __init__(self, running: Stack) -> None:
        self.running = running
        with running.database.write() as session:
            self.token = accounts.make_token(
                session, accounts.add_user(session, "terry", PASSWORD, Role.INSTRUCTOR), "test"
            )

    def send(self, content: dict[str, str]) -> dict[str, Any]:
        """Send the files; where the verification is watched."""
        headers = {
            "Authorization": f"Bearer {self.token}",
            "Content-Type": "application/zip",
            "Accept": "application/json",
        }
        address = f"http://127.0.0.1:{self.running.port}/api/v1/drafts"
        asked = urllib.request.Request(address, zip_of(content).getvalue(), headers, method="POST")
        with urllib.request.urlopen(asked, timeout=40) as answer:
            return dict(json.load(answer))

    def verified(self, sent: dict[str, Any]) -> dict[str, Any]:
        """Its end."""
        found: dict[str, Any] = {}

        def done() -> bool:
            found.update(self.running.call(f"{sent['run']}?wait=20", self.token))
            return found["state"] == "done"

        until(done, 240, f"not verified\n{self.running.logs()}")
        return found

    def publish(self, content: dict[str, str]) -> int:
        """Verify and publish; the number of the version."""
        sent = self.send(content)
        report = self.verified(sent)
        assert report["fit"], f"{report}\n{self.running.logs()}"
        return int(
            self.running.call(f"/api/v1/drafts/{sent['draft']}/publish", self.token, {"note": "x"})[
                "number"
            ]
        )


def test_verify_publish_judge_rejudge(tmp_path: Path, sandbox: SandboxPool) -> None:
    for folder in ("problems", "reference"):
        shutil.copytree(REPOSITORY / folder / SHIPPED, tmp_path / "bank" / folder / SHIPPED)
    with stack(tmp_path / "bank", workers=0) as running:
        first = running.worker(JUDGE_INSTANCE=str(tmp_path / "machine 1"))
        running.ready(1)
        desk = Desk(running)
        report = desk.verified(desk.send(UNFIT))
        assert (report["fit"], "survives" in report["report"]["findings"][0]["text"]) == (
            False,
            True,
        )
        assert desk.publish(FIT) == 1
        numbers = [_submit(running, 0, RIGHT), _submit(running, 1, SQUEEZED)]
        assert [row.outcome for row in _rows(running, numbers)] == ["accepted", "accepted"], (
            running.logs()
        )

        sent = desk.send(SECOND)  # and the worker that takes it up is killed
        until(lambda: _state(running, sent) == State.RUNNING, 60, "nobody verifies")
        first.all(signal.SIGKILL)
        second = running.worker(JUDGE_INSTANCE=str(tmp_path / "machine 2"))
        report = desk.verified(sent)
        assert report["fit"], f"{report}\n{running.logs()}"
        assert (
            running.call(
                f"/api/v1/drafts/{sent['draft']}/publish", desk.token, {"note": "one key"}
            )["number"]
            == 2
        )

        with running.database.write() as session:
            version = published.latest(session)[SLUG]
            problem = files.read(files.fetch(session, version.files), SLUG)
            # who may judge again what anybody sent
            user = accounts.add_user(session, "ada", PASSWORD, Role.ADMIN)
            rejudge = rejudging.begin(session, problem, numbers, "One key was never tried.", user)
        until(lambda: _ready(running, rejudge.id), 120, f"not judged again\n{running.logs()}")
        with running.database.write() as session:
            assert rejudging.apply(session, session.get_one(Rejudge, rejudge.id), user) == 1
        assert [row.outcome for row in _rows(running, numbers)] == ["accepted", "runtime_error"]
        assert second.process is not None
        assert second.process.poll() is None


def _submit(running: Stack, learner: int, source: str) -> int:
    body = {"problem": SLUG, "framework": "numpy", "source": source}
    return int(running.call("/api/v1/submissions", running.tokens[learner], body)["id"])


def _rows(running: Stack, numbers: list[int]) -> list[Submission]:
    found = judged(running, numbers, 90)
    return [found[number] for number in numbers]


def _state(running: Stack, sent: dict[str, Any]) -> str:
    with running.database.read() as session:
        return session.get_one(VerifyRun, int(sent["run"].rsplit("/", 1)[1])).state


def _ready(running: Stack, rejudge: int) -> bool:
    with running.database.read() as session:
        return rejudging.progress(session, rejudge).ready
