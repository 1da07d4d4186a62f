"""The loop of the keeper: rooms, clients, and what ends them.

Started by path.
"""

import contextlib
import json
import os
import selectors
import signal
import socket
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

if __name__ == "__main__":  # last: what lies beside this package hides nothing
    sys.path.append(str(Path(__file__).resolve().parents[2]))

from grader.keeper.members import Client, Command, Refused, Room, user_of

LISTENER, LOCK, CONTROL = 3, 4, 5  # descriptors: two are inherited, the last is a zygote's
LOOK_S = 2.0  # how often the clocks and the socket's file are looked at
START_S = 60.0  # what a room may take to start
REPLY_S = 20.0  # a zygote that is silent for longer is lost
CLIENTS = 16  # at once; further ones start rooms of their own
LINE_BYTES = 4096  # of a command
DEFAULTS = [
    getattr(signal, name)
    for name in ("SIGPIPE", "SIGXFSZ", "SIGINT", "SIGTERM", "SIGHUP")
    if hasattr(signal, name)
]
# what a line can cause that is no command; the keeper goes on
MALFORMED = (Refused, OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError)


class Keeper:
    """All rooms and clients, and the loop that serves them. One thread."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        self.version: str = settings["version"]
        self.programs: Mapping[str, list[str]] = settings["rooms"]
        self.path: str = settings["path"]
        self.idle_s: float = settings["idle_s"]
        self.rooms: dict[str, Room] = {}
        self.clients: set[Client] = set()
        self.started = time.monotonic()
        self.leaving = False
        self.listener = socket.socket(fileno=LISTENER)
        self.listener.setblocking(False)
        self.file = os.stat(self.path).st_ino
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.listener, selectors.EVENT_READ)

    def serve(self) -> None:
        """Serves until nothing is kept any more."""
        while self._has_reason():
            for key, _ in self.selector.select(LOOK_S):
                if isinstance(key.data, Client) and key.data.open:
                    self._hear(key.data)
                elif isinstance(key.data, Room) and key.data in self.rooms.values():
                    self._receive(key.data)
                elif key.fileobj is self.listener:
                    self._accept()
            self._look()

    def close(self) -> None:
        """Ends every room, and removes the socket's file if it is still this keeper's."""
        for framework in list(self.rooms):
            self._end(framework)
        with contextlib.suppress(OSError):
            if os.stat(self.path).st_ino == self.file:
                os.unlink(self.path)

    def _has_reason(self) -> bool:
        if self.leaving:
            return any(client.room for client in self.clients)
        fresh = time.monotonic() - self.started < min(self.idle_s, START_S)
        return bool(self.rooms or self.clients or fresh)

    def _look(self) -> None:
        """Ends what is silent or idle, and leaves when the socket's file is gone."""
        now = time.monotonic()
        for framework, room in list(self.rooms.items()):
            patience = REPLY_S if room.ready else START_S
            silent = (room.pending or not room.ready) and now - room.since > patience
            if silent or (not room.clients and now - room.used > self.idle_s):
                self._end(framework)
        with contextlib.suppress(OSError):
            if os.stat(self.path).st_ino == self.file:
                return
        self.leaving = True

    # -- clients

    def _accept(self) -> None:
        try:
            connection, _ = self.listener.accept()
        except OSError:
            return
        if user_of(connection) != os.geteuid() or len(self.clients) >= CLIENTS:
            connection.close()
            return
        connection.setblocking(False)
        client = Client(connection)
        self.clients.add(client)
        self.selector.register(connection, selectors.EVENT_READ, client)

    def _hear(self, client: Client) -> None:
        try:
            data, descriptors, _, _ = socket.recv_fds(client.socket, LINE_BYTES, 2)
            client.descriptors += descriptors
            client.buffer += data
            if not data or len(client.buffer) > LINE_BYTES:
                raise Refused
            while b"\n" in client.buffer and client.open:
                line, _, client.buffer = client.buffer.partition(b"\n")
                self._obey(client, json.loads(line))
        except BlockingIOError:
            return
        except MALFORMED:
            self._drop(client)

    def _obey(self, client: Client, request: Mapping[str, Any]) -> None:
        if client.room is None:
            self._greet(client, request)
            return
        command = Command({"do": request["do"]}, client)
        if request["do"] == "fork":
            if len(client.descriptors) != 2:
                raise Refused
            command.descriptors, client.descriptors = client.descriptors, []
        elif request["do"] in ("usage", "reap") and request["pid"] in client.children:
            command.request = {"do": request["do"], "pid": int(request["pid"])}
        else:
            raise Refused
        client.room.waiting.append(command)
        self._ask_next(client.room)

    def _greet(self, client: Client, request: Mapping[str, Any]) -> None:
        """Answers the first line of a connection."""
        want = request["want"]
        if want == "status":
            client.send(json.dumps({"rooms": self._told()}).encode() + b"\n")
            return
        self.leaving = self.leaving or want == "stop" or request["version"] != self.version
        if not self.leaving:
            self._enter(client, want)
            return
        client.send(b'{"refused": "it ends"}\n')
        if want == "stop":
            for framework in list(self.rooms):
                self._end(framework)

    def _told(self) -> dict[str, float]:
        """For how many seconds each room will stay if nobody uses it."""
        now = time.monotonic()
        return {
            name: self.idle_s if room.clients else max(0.0, self.idle_s - (now - room.used))
            for name, room in self.rooms.items()
        }

    def _enter(self, client: Client, framework: str) -> None:
        new = framework not in self.rooms
        if new:
            self.rooms[framework] = self._launch(self.programs[framework])
        room = client.room = self.rooms[framework]
        room.clients.add(client)
        client.send(json.dumps({"pid": room.pid, "new": new}).encode() + b"\n" + room.ready)

    def _drop(self, client: Client) -> None:
        """Forgets a client, and kills the containers that were cloned for it."""
        client.open = False
        self.clients.discard(client)
        self.selector.unregister(client.socket)
        client.socket.close()
        while client.descriptors:
            os.close(client.descriptors.pop())
        room = client.room
        if room is None:
            return
        room.clients.discard(client)
        room.used = time.monotonic()
        for command in [each for each in room.waiting if each.client is client]:
            room.waiting.remove(command)
            command.close()
        for pid in client.children:
            # the answer to a `reap` that is under way will come, and it may be asked only once
            if room.pending is None or room.pending.request != {"do": "reap", "pid": pid}:
                room.waiting.append(Command({"do": "reap", "pid": pid}))
        self._ask_next(room)

    # -- rooms

    def _launch(self, argv: list[str]) -> Room:
        ours, theirs = socket.socketpair()
        try:
            pid = os.posix_spawn(
                argv[0],
                argv,
                {},
                file_actions=[(os.POSIX_SPAWN_DUP2, theirs.fileno(), CONTROL)],
                setpgroup=0,
                setsigmask=[],
                setsigdef=DEFAULTS,
            )
        except OSError:
            ours.close()
            raise
        finally:
            theirs.close()
        room = Room(pid, ours, time.monotonic())
        self.selector.register(ours, selectors.EVENT_READ, room)
        return room

    def _end(self, framework: str) -> None:
        """Kills a room and leaves its clients."""
        room = self.rooms.pop(framework)
        self.selector.unregister(room.control)
        room.control.close()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(room.pid, signal.SIGKILL)
        os.waitpid(room.pid, 0)
        if room.pending is not None:
            room.pending.close()
        room.pending = Command({})  # nothing is sent any more
        for client in list(room.clients):
            self._drop(client)

    def _ask_next(self, room: Room) -> None:
        if not room.ready or room.pending is not None or not room.waiting:
            return
        command = room.pending = room.waiting.popleft()
        room.since = time.monotonic()
        line = json.dumps(command.request).encode() + b"\n"
        with contextlib.suppress(OSError):  # a room that is gone shows it when it is read
            socket.send_fds(room.control, [line], command.descriptors)
        command.close()

    def _receive(self, room: Room) -> None:
        try:
            data = room.control.recv(LINE_BYTES)
        except OSError:
            data = b""
        if not data:
            self._end(next(name for name, each in self.rooms.items() if each is room))
            return
        room.buffer += data
        while b"\n" in room.buffer:
            line, _, room.buffer = room.buffer.partition(b"\n")
            if room.ready:
                self._answer(room, line + b"\n")
            else:
                room.ready = line + b"\n"
                for client in room.clients:
                    client.send(room.ready)
            self._ask_next(room)

    def _answer(self, room: Room, line: bytes) -> None:
        """Passes a reply on, and remembers whose container it made or ended."""
        command, room.pending = room.pending, None
        assert command is not None
        client = command.client
        reply = json.loads(line)
        if command.request["do"] == "fork" and "pid" in reply:
            if client is None or not client.open:
                room.waiting.append(Command({"do": "reap", "pid": reply["pid"]}))
                return
            client.children.add(reply["pid"])
        if client is not None:
            if command.request["do"] == "reap":
                client.children.discard(command.request["pid"])
            client.send(line)


def main() -> None:
    """Becomes a process of its own, reads the settings from standard input, and serves."""
    os.setsid()
    os.chdir("/")
    os.umask(0o077)
    os.closerange(CONTROL, os.sysconf("SC_OPEN_MAX"))
    settings = json.load(sys.stdin)
    null = os.open(os.devnull, os.O_RDWR)  # the lowest free number, and so CONTROL is taken
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    for descriptor in (LISTENER, LOCK):
        os.set_inheritable(descriptor, False)
    os.write(LOCK, b"%d" % os.getpid())
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    keeper = Keeper(settings)
    try:
        keeper.serve()
    finally:
        keeper.close()


if __name__ == "__main__":
    main()
