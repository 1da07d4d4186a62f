"""A few long-lived helper processes that answer one line of JSON with another, and are ended when
they take too long.

For work on hostile text: a regular expression that backtracks holds the GIL, so a thread with a
deadline cannot stop it, and every other page waits. A helper limits its own CPU time
(`typeset._answer`), which a busy machine does not use up; the limit of waiting here is for the
rest.
"""

import atexit
import contextlib
import json
import os
import queue
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

READY_S = 30.0  # from the start of a helper to its first line, on a busy machine


class HelperFailed(Exception):
    """There is no reply: the helper took too long, ended, or said too much."""


class HelperBusy(HelperFailed):
    """All helpers work for others. It says nothing about this request."""


class ProcessPool:
    """At most `size` processes of one script, started when they are first needed."""

    def __init__(self, script: Path, size: int, seconds: float, most_bytes: int) -> None:
        """`seconds`: for waiting for a free helper, and again for its reply, which has at most
        `most_bytes`.
        """
        self._script, self._seconds, self._most_bytes = script, seconds, most_bytes
        self._free: queue.LifoQueue[_Helper | None] = queue.LifoQueue()
        for _ in range(size):
            self._free.put(None)
        atexit.register(self.close)

    def ask(self, request: dict[str, Any]) -> Any:
        """The helper's reply. Raises `HelperBusy` or `HelperFailed`."""
        try:
            helper = self._free.get(timeout=self._seconds)
        except queue.Empty:
            raise HelperBusy(f"no helper was free for {self._seconds:g} s") from None
        try:
            if helper is None or not helper.usable():
                if helper is not None:
                    helper.end()
                helper = _Helper(self._script)
            return helper.ask(request, self._seconds, self._most_bytes)
        except (HelperFailed, OSError, ValueError) as error:
            if helper is not None:
                helper.end()
            helper = None
            raise error if isinstance(error, HelperFailed) else HelperFailed(str(error)) from None
        finally:
            self._free.put(helper)

    def close(self) -> None:
        """Ends the helpers that are free. Others start again when they are needed."""
        helpers: list[_Helper | None] = []
        with contextlib.suppress(queue.Empty):
            while True:
                helpers.append(self._free.get_nowait())
        for helper in helpers:
            if helper is not None:
                helper.end()
            self._free.put(None)


class _Helper:
    """One process. It inherits no descriptors, and of the environment only what Python needs."""

    def __init__(self, script: Path) -> None:
        kept = {
            name: value
            for name, value in os.environ.items()
            if name in ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH")
        }
        # -P: beside the script lie modules with names of the standard library
        command = [sys.executable, "-P", "-s", str(script)]
        self._owner = os.getpid()
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=kept
        )
        try:
            self._line(READY_S, 1000)
        except BaseException:
            self.end()
            raise

    def usable(self) -> bool:
        """Whether this process started it and it still runs; after a fork, it is the other's."""
        return self._owner == os.getpid() and self._process.poll() is None

    def ask(self, request: dict[str, Any], seconds: float, most_bytes: int) -> Any:
        """One request, one reply."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        self._process.stdin.flush()
        return json.loads(self._line(seconds, most_bytes))

    def _line(self, seconds: float, most_bytes: int) -> bytes:
        assert self._process.stdout is not None
        descriptor, deadline, parts, total = (
            self._process.stdout.fileno(),
            time.monotonic() + seconds,
            [],
            0,
        )
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        while True:
            left = deadline - time.monotonic()
            if left <= 0 or not poll.poll(left * 1000):
                raise HelperFailed(f"no reply within {seconds:g} s")
            part = os.read(descriptor, 1 << 16)
            if not part:
                raise HelperFailed("the helper reached its limit and was ended")
            parts.append(part)
            total += len(part)
            if total > most_bytes:
                raise HelperFailed(f"the reply has more than {most_bytes:,} bytes")
            if part.endswith(b"\n"):
                return b"".join(parts)

    def end(self) -> None:
        """Kills it and waits until it is gone; another's is only let go."""
        if self._owner == os.getpid():
            self._process.kill()
            self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):  # something was still to be written
                    stream.close()
