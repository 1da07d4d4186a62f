"""Finds the keeper of an installation, starts it where there is none, and asks it for a room."""

import contextlib
import errno
import json
import os
import signal
import socket
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.errors import RoomError
from grader.frameworks import installed
from grader.keeper import members, process
from grader.model import Framework
from grader.sandbox import launchers

IDLE_S = 600.0  # how long a room stays that nobody uses
GREETING_S = 2.0  # a keeper that is silent for longer hangs
ENDING_S = 0.3  # how long a run waits for a keeper that leaves
LEAVING_S = 10.0  # how long `stop` waits for it
SOCKET, LOCK = "socket", "lock"  # files in the folder
PROGRAM = Path(process.__file__).resolve()


@dataclass(frozen=True, slots=True)
class Keep:
    """Where an installation keeps its rooms, and the version of the code that is in them."""

    folder: Path
    version: str
    idle_s: float = IDLE_S


@dataclass(frozen=True, slots=True)
class Greeted:
    """A connection that a keeper has answered, and its answer."""

    connection: socket.socket
    reply: Mapping[str, Any]
    rest: bytes  # what it has sent after its answer


def enter(keep: Keep, framework: Framework) -> Greeted | None:
    """Returns a connection to a zygote that is kept warm, or is from now on.

    None where no keeper can be had; nothing is raised for that.
    """
    with contextlib.suppress(OSError, RoomError):
        greeted = _greet(keep.folder, framework, keep.version)
        if greeted is None and _start(keep):
            greeted = _greet(keep.folder, framework, keep.version)
        return greeted
    return None


def status(folder: Path) -> dict[str, float] | None:
    """For how many seconds each room will stay if nobody uses it; None without a process."""
    with contextlib.suppress(OSError):
        greeted = _greet(folder, "status")
        if greeted is not None:
            greeted.connection.close()
            return dict(greeted.reply["rooms"])
    return None


def stop(folder: Path) -> bool:
    """Ends the keeper and its rooms. Returns whether there was one."""
    with contextlib.suppress(OSError):
        there = _locked(folder)
        _greet(folder, "stop")
        with _lock(folder, LEAVING_S):
            pass
        return there
    return False


def _greet(folder: Path, want: str, version: str = "") -> Greeted | None:
    """Connects and says what is wanted. None when nobody answers, or with a refusal.

    A keeper that hangs is killed. Raises OSError.
    """
    connection = socket.socket(socket.AF_UNIX)
    try:
        with _address(folder) as address:
            connection.settimeout(GREETING_S)
            connection.connect(address)
        if members.user_of(connection) != os.geteuid():
            raise PermissionError(errno.EPERM, "another user's")
        hello = {"want": str(want), "version": version}
        connection.sendall(json.dumps(hello).encode() + b"\n")
        line, rest = _line(connection)
        reply = json.loads(line)
    except TimeoutError:
        connection.close()
        _kill(folder)
        return None
    except (FileNotFoundError, ConnectionError, ValueError):
        connection.close()
        return None
    except BaseException:
        connection.close()
        raise
    if "refused" in reply:
        connection.close()
        return None
    return Greeted(connection, reply, rest)


def _line(connection: socket.socket) -> tuple[bytes, bytes]:
    """The first line, and what came with it. Raises `ConnectionError` where there is none."""
    data = b""
    while b"\n" not in data:
        more = connection.recv(process.LINE_BYTES)
        if not more:
            raise ConnectionResetError("the keeper has closed it")
        data += more
    line, _, rest = data.partition(b"\n")
    return line, rest


@contextlib.contextmanager
def _address(folder: Path) -> Iterator[str]:
    """The socket's address: short, however long the name of the folder is."""
    descriptor = os.open(folder, os.O_PATH | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{descriptor}/{SOCKET}"
    finally:
        os.close(descriptor)


# -- the one keeper of a folder


@contextlib.contextmanager
def _lock(folder: Path, patience_s: float, create: int = 0) -> Iterator[int]:
    """The lock that a keeper holds as long as it lives.

    Raises `BlockingIOError` when somebody has it, and `FileNotFoundError`.
    """
    import fcntl  # here and below: every system imports this module, and only Linux uses it

    descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_APPEND | create, 0o600)
    try:
        deadline = time.monotonic() + patience_s
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.01)
        yield descriptor
    finally:
        os.close(descriptor)


def _kill(folder: Path) -> None:
    """Ends a keeper that hangs. The lock says that the process whose id is in its file lives."""
    with contextlib.suppress(OSError, ValueError):
        pid = int((folder / LOCK).read_text())
        if _locked(folder):
            os.kill(pid, signal.SIGKILL)


def _locked(folder: Path) -> bool:
    try:
        with _lock(folder, 0):
            return False
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True


def _start(keep: Keep) -> bool:
    """Starts a keeper, unless one lives. Returns whether one will answer.

    The socket listens before the keeper runs, so nobody has to wait for that. Raises OSError, and
    `RoomError` where no room can be built.
    """
    _own(keep.folder)
    try:
        with _lock(keep.folder, ENDING_S, os.O_CREAT) as lock:
            os.ftruncate(lock, 0)
            path = keep.folder / SOCKET
            path.unlink(missing_ok=True)
            settings = {
                "version": keep.version,
                "idle_s": keep.idle_s,
                "path": str(path.absolute()),
                "rooms": {
                    str(framework): launchers.bubblewrap(framework, process.CONTROL).argv
                    for framework in installed()
                },
            }
            with socket.socket(socket.AF_UNIX) as listener, _address(keep.folder) as address:
                listener.bind(address)
                path.chmod(0o600)
                listener.listen(process.CLIENTS)
                _spawn(listener.fileno(), lock, json.dumps(settings).encode())
    except BlockingIOError:  # somebody else has started one, or the last one takes its time
        return _locked(keep.folder)
    return True


def _own(folder: Path) -> None:
    """Makes the folder; one that others may enter is not used. Raises OSError."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    entry = folder.lstat()
    if entry.st_uid != os.geteuid() or entry.st_mode & 0o077:
        raise PermissionError(errno.EPERM, "not for this user alone", str(folder))


def _spawn(listener: int, lock: int, settings: bytes) -> None:
    """Starts the process, with two descriptors and its settings on standard input."""
    import fcntl

    with contextlib.ExitStack() as opened:
        reading, writing = os.pipe()
        opened.callback(os.close, writing)
        actions: list[tuple[Any, ...]] = []
        wanted = {reading: 0, listener: process.LISTENER, lock: process.LOCK}
        for ours, theirs in wanted.items():
            # a number above all of theirs, so that none is overwritten before it is copied
            above = fcntl.fcntl(ours, fcntl.F_DUPFD_CLOEXEC, process.CONTROL + 1)
            opened.callback(os.close, above)
            actions.append((os.POSIX_SPAWN_DUP2, above, theirs))
        os.close(reading)
        actions.append((os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0))
        actions.append((os.POSIX_SPAWN_DUP2, 1, 2))
        os.posix_spawn(
            sys.executable,
            [sys.executable, *"-I -S -B -X utf8".split(), str(PROGRAM)],
            {},
            file_actions=actions,
            setsigmask=[],
            setsigdef=process.DEFAULTS,
        )
        os.write(writing, settings)
