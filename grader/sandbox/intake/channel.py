"""The judge's ends of one container: its data socket, and the pipe for what it prints."""

import contextlib
import os
import select
import socket
import struct
import time
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Any

from grader.inside.frames import FrameError, FrameLimits
from grader.inside.kernel.spinning import Spin
from grader.model import Ended, Failure
from grader.sandbox.intake import decode
from grader.sandbox.intake.reader import FrameTooLarge, Reader, Unread, is_whole, read_whole

POLL_S = 0.02  # how often CPU time is looked at while a case with a CPU limit runs
SMALL_BYTES = 4096  # a wake-up that brings less than this is a small one
QUICK_WAKES = 16  # so many small ones are handled without a pause
# then the judge lets bytes gather, so that sending them one by one does not keep it busy
PAUSE_S = 0.002
RECEIVE_BYTES = 1 << 18  # at once; the kernel's buffer holds about as much
# for the beginning of a frame: most end within it, and making room for more takes longer than
# reading them
FIRST_BYTES = 1 << 14
CREDENTIALS = struct.Struct("3i")  # pid, uid, gid (unix(7))


class Channel:
    """Sends a payload, keeps the clock, and reads one frame. Kills nothing."""

    def __init__(self, data: socket.socket, printed: int, same_kernel: bool) -> None:
        self.text = b""  # printed since the last exchange
        self.host_pid = 0  # of the container, as this process sees it; 0 until the kernel has told
        self.status: int | None = None  # its /proc/PID/status, once its process id is known
        self._data, self._print_fd, self._same_kernel = data, printed, same_kernel
        self._reader = Reader(FrameLimits(0, tensors=0))
        self._frames, self._count = deque[Unread](), 1  # what has come, and how many may yet come
        self._rest = memoryview(b"")  # of the payload, what the kernel's buffer had no room for
        self._printed = 0  # bytes since the last exchange
        self._prints = True  # something can still write to the pipe
        self._spin = Spin()
        data.setblocking(False)
        if hasattr(socket, "SO_PASSCRED"):
            data.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        os.set_blocking(printed, False)

    def close(self) -> None:
        """Closes every descriptor."""
        self._data.close()
        os.close(self._print_fd)
        if self.status is not None:
            os.close(self.status)

    def begin(self, payload: bytes, due: FrameLimits, count: int = 1) -> None:
        """Sends as much of a payload as fits without waiting; `receive` sends the rest.

        `due` limits each of the frames that may come back, `count` of them.
        """
        self.text, self._printed, self._reader = b"", 0, Reader(due)
        self._frames, self._count = deque[Unread](), count
        self._rest = self._push(memoryview(payload))

    def receive(
        self, deadline: float, text_kib: int, over: Callable[[], bool] | None
    ) -> tuple[Ended | None, Any]:
        """Takes in bytes until the next frame is whole. Returns None and the frame, yet to be read,
        or how it ended and what may be said of it.

        The clock runs until then, whatever arrives meanwhile. `over` is called now and then, and
        tells whether a limit is exceeded.
        """
        if self._frames:
            return None, self._frames.popleft()
        look, small = time.monotonic(), 0
        poll = select.poll()
        if self._prints:
            poll.register(self._print_fd, select.POLLIN)
        if not self._rest:
            poll.register(self._data, select.POLLIN)
            self._spin.wait(poll)
        while True:
            now = time.monotonic()
            if now >= deadline:
                return Ended.WALL_TIME, None
            if over is not None and now >= look:
                if over():
                    return Ended.CPU_TIME, None
                look = now + POLL_S
            poll.register(self._data, select.POLLIN | (select.POLLOUT if self._rest else 0))
            until = deadline if over is None else min(deadline, look)
            events = dict(poll.poll((until - now) * 1e3 + 1))
            before = self._printed + self._reader.pending
            if self._print_fd in events:
                if not self.drain(text_kib * 1024):
                    return Ended.OUTPUT, Failure("printed")
                if not self._prints:  # it closed 1 and 2: a closed pipe is always ready
                    poll.unregister(self._print_fd)
            state = events.get(self._data.fileno(), 0)
            if state & select.POLLOUT:
                self._rest = self._push(self._rest)
            if state & (select.POLLIN | select.POLLHUP | select.POLLERR):
                ended, failure = self._read()
                if ended is not None:
                    return ended, failure
                if self._frames:
                    if not self.drain(text_kib * 1024):
                        return Ended.OUTPUT, Failure("printed")
                    return None, self._frames.popleft()
            if (
                events
                and not state & select.POLLOUT
                and self._printed + self._reader.pending - before < SMALL_BYTES
            ):
                small += 1
                if small > QUICK_WAKES:
                    time.sleep(PAUSE_S)

    def _push(self, view: memoryview) -> memoryview:
        """Sends what fits now, and returns the rest. Reading tells when the child is gone."""
        try:
            return view[self._data.send(view) :]
        except BlockingIOError:
            return view
        except (BrokenPipeError, ConnectionResetError):
            return view[:0]  # nothing will read the rest

    def _read(self) -> tuple[Ended | None, Failure | None]:
        """Takes in what has arrived. Returns how it ended, if it did, and what may be said."""
        try:
            most = RECEIVE_BYTES if self._reader.pending else FIRST_BYTES
            data = self._data.recv(most) if self.host_pid else self._first()
            for frame in islice(self._unread(data), self._count):
                self._frames.append(frame)
                self._count -= 1
        except BlockingIOError:
            return None, None
        except ConnectionResetError:
            return Ended.DIED, None
        except FrameTooLarge as error:
            sizes = {"bytes": error.size, "limit": error.limit}
            return Ended.OUTPUT, Failure(error.part, str(error), details=sizes)
        except FrameError as error:
            return Ended.GARBLED, decode.unreadable(error)
        if self._count == 0 and self._reader.pending:
            return Ended.GARBLED, Failure("frame", "more than the frame that was due")
        return (None, None) if data else (Ended.DIED, None)

    def _unread(self, data: bytes) -> Iterator[Unread]:
        """Yields the frames that are whole with these bytes. One that comes in one piece, as most
        do, is read later, while the next case runs; others as their pieces come.
        """
        if not self._reader.begun and is_whole(data, self._reader.limits):
            yield partial(read_whole, data, self._reader.limits)
        else:
            yield from (lambda frame=frame: frame for frame in self._reader.feed(data))

    def _first(self) -> bytes:
        """Reads the first bytes of a container, with which the kernel passes its process id.

        The id is the one outside the room, and a submission cannot forge it.
        """
        if not hasattr(socket, "SO_PASSCRED") or not self._same_kernel:
            return self._data.recv(FIRST_BYTES)
        data, ancillary, _, _ = self._data.recvmsg(FIRST_BYTES, socket.CMSG_SPACE(CREDENTIALS.size))
        for level, kind, content in ancillary:
            if (level, kind) == (socket.SOL_SOCKET, socket.SCM_CREDENTIALS):
                self.host_pid = CREDENTIALS.unpack(content[: CREDENTIALS.size])[0]
                self._data.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 0)
                with contextlib.suppress(OSError):
                    self.status = os.open(
                        f"/proc/{self.host_pid}/status", os.O_RDONLY | os.O_CLOEXEC
                    )
        return data

    def drain(self, cap: int) -> bool:
        """Reads what was printed. Returns False when it is more than the cap."""
        with contextlib.suppress(BlockingIOError):
            while data := os.read(self._print_fd, 65536):
                self._printed += len(data)
                self.text += data
                if self._printed > cap:
                    self.text = self.text[:cap]
                    return False
            self._prints = False  # the end of the pipe: all who could write to it have closed it
        return True
