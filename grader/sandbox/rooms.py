"""The rooms of a sandbox: one for each framework, started at first use.

Imports no NumPy: a room can start while this process still imports what judges.
"""

import threading
from functools import partial

from grader.errors import RoomError, UsageError
from grader.findings.text import T_
from grader.model import ISOLATIONS, Framework
from grader.sandbox.keep import Keep, open_room
from grader.sandbox.zygote_client import ZygoteClient


class Rooms:
    """A room for each framework. With `keep`, rooms of bubblewrap stay warm for the next run.

    Thread-safe. Raises `UsageError` for an unknown isolation.
    """

    def __init__(self, isolation: str, runtime: str = "", keep: Keep | None = None) -> None:
        if isolation not in ISOLATIONS:
            words = T_(
                "unknown isolation '%(isolation)s'; choose from %(known)s",
                isolation=isolation,
                known=", ".join(ISOLATIONS),
            )
            raise UsageError(words)
        self.isolation = isolation
        self._keep = keep if isolation == "bubblewrap" else None
        self._open = partial(open_room, isolation, runtime)
        self._started: dict[Framework, ZygoteClient] = {}
        self._locks = {framework: threading.Lock() for framework in Framework}
        self._closed = False
        self.restarts = 0

    def close(self) -> None:
        """Ends every process of every room."""
        self._closed = True
        for framework in Framework:
            with self._locks[framework]:
                room = self._started.pop(framework, None)
            if room:
                room.close()

    def room(self, framework: Framework) -> ZygoteClient:
        """Returns a running room. Raises `RoomError`, or `RoomLost` when a kept one is gone."""
        with self._locks[framework]:
            if self._closed:
                raise RoomError(T_("the sandbox is closed"))
            room = self._started.get(framework)
            if room is None or not room.alive():
                if room:
                    self.restarts += 1
                    room.close()
                    self._keep = None  # what was kept is lost; a room of our own is not
                room = self._started[framework] = self._open(framework, self._keep)
        room.wait_ready()
        return room

    def warm(self, framework: Framework) -> None:
        """Begins to start the room, without waiting: other work can go on meanwhile.

        Raises `RoomError`.
        """
        with self._locks[framework]:
            if framework not in self._started and not self._closed:
                self._started[framework] = self._open(framework, self._keep)

    def started(self, framework: Framework) -> ZygoteClient | None:
        """Returns the room if there is one; it may still be starting."""
        return self._started.get(framework)
