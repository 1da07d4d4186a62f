"""The sandbox of one judging process: opened when first needed, and again after it failed."""

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from grader.errors import GradeError
from grader.frameworks import installed
from grader.judge import judge
from grader.lessons import Values, compute
from grader.model import Verdict
from grader.sandbox import Sandbox, open_sandbox
from server.services.rendering.samples import Shown, shown_answers
from server.settings import Settings
from server.worker.exploring import explore
from server.worker.model import run_model
from server.worker.practice import made

log = logging.getLogger("server.room")


@dataclass(frozen=True, slots=True)
class Core:
    """What the worker needs of the judge; tests use a fake."""

    open_room: Callable[[], Sandbox]
    judge: Callable[..., Verdict] = judge
    shown_answers: Callable[..., Shown] = shown_answers
    explore: Callable[..., Mapping[str, Any]] = explore
    compute_lesson: Callable[..., Values] = compute
    run_model: Callable[..., Mapping[str, Any]] = run_model
    practice_items: Callable[..., list[dict[str, Any]]] = made


def core(settings: Settings) -> Core:
    """Returns the real judge in a real room."""
    return Core(open_room=lambda: _open(settings.isolation))


def _open(isolation: str) -> Sandbox:
    """Opens a sandbox and its rooms: one that cannot be built must fail before a claim."""
    sandbox = open_sandbox(isolation)
    try:
        for framework in reversed(installed()):
            sandbox.warm(framework)
        for framework in installed():
            sandbox.room(framework)
    except BaseException:
        sandbox.close()
        raise
    return sandbox


class Room:
    """The one sandbox of this process."""

    def __init__(self, open_room: Callable[[], Sandbox], pause: float) -> None:
        self._open, self._pause = open_room, pause
        self._sandbox: Sandbox | None = None
        self._lock, self._closing = threading.Lock(), threading.Lock()
        self._next_try = 0.0
        self._restarts = 0
        self.state, self.last_error = "opening", ""

    def get(self) -> Sandbox | None:
        """Returns the sandbox; None while it cannot be built (`last_error` says why)."""
        with self._lock:
            if self._sandbox is None and time.monotonic() >= self._next_try:
                self._try()
            return self._sandbox

    def broke(self, error: Exception, sandbox: Sandbox | None = None) -> None:
        """Closes what is left after a room could not be built; `get` tries again after a pause.

        Several threads may see a `sandbox` break; the first has said why.
        """
        with self._closing:
            if sandbox is not None and sandbox is not self._sandbox:
                return
            self.close()
        if str(error) != self.last_error:
            log.error("room", extra={"fields": {"state": "unavailable", "trouble": str(error)}})
        self.state, self.last_error = "unavailable", str(error)
        self._next_try = time.monotonic() + self._pause

    def new_restarts(self) -> int:
        """Returns how often a zygote was started again since the last call."""
        count = getattr(self._sandbox, "restarts", 0)
        seen, self._restarts = self._restarts, count
        return max(0, count - seen)

    def close(self) -> None:
        """Closes the sandbox."""
        self._restarts = 0
        sandbox, self._sandbox = self._sandbox, None
        if sandbox is not None:
            with contextlib.suppress(GradeError, OSError):
                sandbox.close()

    def _try(self) -> None:
        try:
            self._sandbox = self._open()
            self.state, self.last_error = "ready", ""
        except (GradeError, OSError) as error:
            self.broke(error)
