"""The one sandbox of a process, and what breaks it."""

from typing import Any, cast

from grader.errors import RoomError
from grader.sandbox import Sandbox
from server.worker.room import Room
from tests.server.conftest import FakeRoom


class Closed(FakeRoom):
    """Remembers that it was closed."""

    closed = False

    def close(self) -> None:
        """Ends."""
        self.closed = True


def test_the_first_thread_says_why_and_a_later_one_closes_no_other_room() -> None:
    opened: list[Any] = []

    def open_room() -> Sandbox:
        opened.append(Closed())
        return cast(Sandbox, opened[-1])

    room = Room(open_room, pause=0.0)
    first = room.get()
    room.broke(RoomError("no memory is left"), first)
    room.broke(RoomError("the sandbox is closed"), first)
    assert (room.state, room.last_error, opened[0].closed) == (
        "unavailable",
        "no memory is left",
        True,
    )
    second = room.get()
    assert second is not first and room.state == "ready"
    room.broke(RoomError("the sandbox is closed"), first)
    assert (room.get() is second, room.state, opened[1].closed) == (True, "ready", False)
