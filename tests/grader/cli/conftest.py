"""Commands that run in this process find the tests' warm rooms instead of starting their own."""

from typing import Any

import pytest

from grader.model import Framework
from grader.sandbox import Keep
from grader.sandbox.keep import open_room
from grader.sandbox.zygote_client import ZygoteClient


class Lent:
    """A room that is not its user's to close."""

    def __init__(self, room: ZygoteClient) -> None:
        self._room = room

    def __getattr__(self, name: str) -> Any:
        return getattr(self._room, name)

    def close(self) -> None:
        """It stays warm for the next command."""


@pytest.fixture(autouse=True)
def warm_rooms(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests that ask for `sandbox`. Commands that run as processes start rooms of their own."""
    if "sandbox" not in request.fixturenames:
        return
    rooms = request.getfixturevalue("sandbox").rooms

    def opened(isolation: str, runtime: str, framework: Framework, keep: Keep | None) -> Any:
        if isolation != rooms.isolation or runtime or keep is not None:
            return open_room(isolation, runtime, framework, keep)
        return Lent(rooms.room(framework))

    monkeypatch.setattr("grader.sandbox.rooms.open_room", opened)
