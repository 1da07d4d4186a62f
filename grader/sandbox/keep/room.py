"""A zygote that a keeper has launched, as if this process had."""

import contextlib
import socket

from grader.errors import RoomLost
from grader.findings.text import T_
from grader.model import Framework
from grader.sandbox import cgroup
from grader.sandbox.keep.client import Greeted, Keep, enter
from grader.sandbox.launchers import Launch
from grader.sandbox.zygote_client import START_S, ZygoteClient

LAUNCH = Launch([], {}, sealed=True)


def open_room(
    isolation: str, runtime: str, framework: Framework, keep: Keep | None
) -> ZygoteClient:
    """Enters a room that stays warm; launches one of our own without `keep`, or where no keeper
    answers. Raises `RoomError`.
    """
    greeted = enter(keep, framework) if keep else None
    if greeted is not None:
        return KeptRoom(framework, greeted)
    return ZygoteClient(isolation, framework, runtime)


class KeptRoom(ZygoteClient):
    """The same commands over a keeper's connection. Closing it ends the containers of this client,
    and leaves the room.
    """

    def __init__(self, framework: Framework, greeted: Greeted) -> None:
        self._begin(framework)
        self.launch, self._control = LAUNCH, greeted.connection
        self._pid, self._new = int(greeted.reply["pid"]), bool(greeted.reply["new"])
        self._buffer = greeted.rest
        self._start_maintenance()
        self.later(self._clone_ahead)

    def _clone_ahead(self) -> None:
        """Has the first container ready while this process still imports the judge."""
        self.wait_ready()
        self.refill(1)

    @property
    def pid(self) -> int:
        """The process id of the launcher."""
        return self._pid

    def alive(self) -> bool:
        """Returns whether the zygote has always answered."""
        return not self._lost

    def wait_ready(self) -> None:
        """Waits until the zygote is warm. Raises `RoomLost` when it never is."""
        with self._lock:
            if self._ready:
                return
            try:
                self._read_line(START_S)
            except (RoomLost, OSError, ValueError):
                self._lost = True
                raise RoomLost(T_("the room that was kept does not answer")) from None
            if self._new:  # whoever makes a group later removes this one, once it is empty
                cgroup.enclose(self._pid, f"{self.framework}-{self._pid}")
            self._ready = True

    def close(self) -> None:
        """Leaves the room; the keeper kills what is left of this client's containers."""
        if self._control.fileno() >= 0:  # wakes a thread that waits for a reply
            with contextlib.suppress(OSError):  # the keeper may have closed it
                self._control.shutdown(socket.SHUT_RDWR)
        with self._lock:
            while self._spares:
                self._spares.pop().drop()
            self._control.close()
            self._chores.put(None)
