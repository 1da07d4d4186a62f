"""What the keeper remembers: its clients, its rooms, and the commands between them."""

import contextlib
import os
import socket
import struct
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

CREDENTIALS = struct.Struct("3i")  # pid, uid, gid (unix(7))


class Refused(Exception):
    """A client does not keep to the protocol."""


@dataclass(eq=False, slots=True)
class Client:
    """One connection; `children` are the containers that were cloned for it."""

    socket: socket.socket
    room: "Room | None" = None
    buffer: bytes = b""
    descriptors: list[int] = field(default_factory=list)
    children: set[int] = field(default_factory=set)
    open: bool = True

    def send(self, data: bytes) -> None:
        """Sends a line; a client that does not read is not waited for."""
        if self.open:
            with contextlib.suppress(OSError):  # what is wrong with it, its end will show
                self.socket.send(data, socket.MSG_DONTWAIT)


@dataclass(eq=False, slots=True)
class Command:
    """One line for a zygote; without a client it is the keeper's own."""

    request: Mapping[str, Any]
    client: Client | None = None
    descriptors: list[int] = field(default_factory=list)

    def close(self) -> None:
        """Closes its descriptors."""
        while self.descriptors:
            os.close(self.descriptors.pop())


@dataclass(eq=False, slots=True)
class Room:
    """One launched zygote. It is sent one command at a time; `since` is when it was asked last."""

    pid: int
    control: socket.socket
    since: float
    ready: bytes = b""
    buffer: bytes = b""
    pending: Command | None = None
    waiting: deque[Command] = field(default_factory=deque)
    clients: set[Client] = field(default_factory=set)
    used: float = 0.0


def user_of(connection: socket.socket) -> int:
    """The user at the other end, as the kernel says."""
    raw = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, CREDENTIALS.size)
    return int(CREDENTIALS.unpack(raw)[1])
