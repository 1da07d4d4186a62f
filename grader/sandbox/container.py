"""One fresh container, fed from outside: send, keep the clock, read, kill. The package has the theory of operation."""

import contextlib
import math
import os
import select
import signal
import socket
import struct
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from grader.case import Case, CaseError
from grader.inside.frames import FrameError, FrameLimits, FrameTooLarge, Reader, encode
from grader.inside.usage import usage
from grader.model import Ended, Failure, Framework, Limits, Phase, Run
from grader.sandbox import decode, seccomp
from grader.sandbox.job import MIB, Budget, Job, asked, bounds, due, setup

if TYPE_CHECKING:
    from grader.sandbox.zygote_client import ZygoteClient

END_S = 0.05  # a closed channel and the end of its process belong together when they are no further apart
POLL_S = 0.02  # how often CPU time is looked at while a case with a CPU limit runs
SMALL_BYTES = 4096  # a wake-up that brings less than this is a small one
QUICK_WAKES = 16  # so many small ones are served at once
PAUSE_S = 0.002  # then the judge lets bytes gather: whoever sends them one by one must not keep it busy
RECEIVE_BYTES = 1 << 18  # at once; the kernel's buffer holds about as much
LOADED = FrameLimits(0, tensors=0)  # what may come back of loading the source
MAX_CASES = 500
CASES = Limits(wall_s=60, cpu_s=60, output_mib=1024, total_s=240)  # for a cases.py; its memory is the child's
CASE_FRAME = FrameLimits(CASES.output_mib * MIB, meta_bytes=1 << 18, tensors=1000, name_chars=200)
CREDENTIALS = struct.Struct("3i")  # pid, uid, gid (unix(7))


class Container:
    """One fresh container. Used for one submission, then closed; a second use is impossible."""

    def __init__(self, room: "ZygoteClient", forked: Mapping[str, Any], data: socket.socket, printed: int) -> None:
        self.room, self.pid = room, forked["pid"]
        self.memory_mib = 0
        self.open = True
        self._base_kib, self._cpu_ms = int(forked["base_kib"]), float(forked["cpu_ms"])
        self._data, self._print_fd = data, printed
        self._budget = Budget(math.inf)
        self._reader = Reader(LOADED)
        self._printed = 0
        self._prints = True  # somebody can still write to the pipe
        self._text = b""
        self._host_pid = 0
        self._status: int | None = None  # its /proc/PID/status, once its process id is known
        data.setblocking(False)
        if hasattr(socket, "SO_PASSCRED"):
            data.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        os.set_blocking(printed, False)

    # -- the life of a submission

    def load(self, job: Job, budget: Budget | None = None) -> Run | None:
        """Send the source; None when it is loaded, else how it ended. This and every later call take their time from `budget`."""
        self._budget = budget or Budget(job.limits.total_s)
        payload = encode(setup(job, self.memory_mib, self.room.launch.same_kernel), self._program())
        run = self._exchange(payload, "", job.limits, None, Phase.IMPORT, LOADED)
        return None if run.ended is Ended.RETURNED else run

    def ask(self, job: Job, index: int, case: Case) -> Run:
        """Send one case and wait for its end."""
        cpu_ms = (job.cpu_ms or {}).get(case.name)
        return self._exchange(asked(job, index, case), case.name, job.limits, cpu_ms, Phase.CALL, due(job, case), index)

    def cases(self, source: str, framework: Framework, seed: int) -> list[Case]:
        """Run a cases.py. Raises `CaseError` with its own words when it fails."""
        limits, self._budget = CASES, Budget(CASES.total_s)
        wanted = {"mode": "cases", "source": source, "seed": seed, "limits": bounds(limits, self.memory_mib, self.room.launch.same_kernel)}
        found: list[Case] = []
        held = 0
        payload = encode(wanted, self._program())
        while True:
            run, meta = self._step(payload, "cases.py", limits, None, Phase.IMPORT, CASE_FRAME)
            payload = encode({"frame": "next"}, {})
            if run is not None or meta is None:
                words = run.error.text if run and run.error else ""
                raise CaseError(f"ended with {run.ended if run else 'nothing'} {words}".strip())
            head, tensors = meta
            if head.get("frame") == "done":
                return found
            if len(found) == MAX_CASES:
                raise CaseError(f"it yields more than {MAX_CASES} cases")
            if head.get("frame") != "case":
                error = decode.failure(head.get("error"))
                raise CaseError(f"{error.type}: {error.text}" + (f" (line {error.lineno})" if error.lineno else ""))
            held += sum(tensor.nbytes for tensor in tensors.values())
            if held > limits.output_mib * MIB:
                raise CaseError(f"its cases hold more than {limits.output_mib} MiB together")
            try:
                found.append(Case.from_meta(head["case"], tensors))
            except (TypeError, KeyError, AttributeError) as error:
                raise CaseError(f"case {len(found) + 1} is malformed: {error}") from None

    def close(self) -> None:
        """Let it end, and everything in it; a new spare is cloned meanwhile."""
        if self.open:
            self.drop()
            self.room.later(self._reap)

    def drop(self) -> None:
        """Close our ends."""
        if self.open:
            self.open = False
            self._data.close()
            os.close(self._print_fd)
            if self._status is not None:
                os.close(self._status)

    def _reap(self) -> None:
        self.room.refill()  # first: the next submission may be here already, the dead can wait
        self.room.command({"do": "reap", "pid": self.pid})

    # -- one exchange

    def _program(self) -> dict[str, Any]:
        if not self.room.launch.sealed:
            return {}
        return {"seccomp": np.frombuffer(seccomp.program(self.memory_mib * MIB), np.uint8)}

    def _exchange(
        self, payload: bytes, name: str, limits: Limits, cpu_ms: float | None, phase: Phase, due: FrameLimits, index: int = -1
    ) -> Run:
        """Send a payload, wait for the frame it asks for, and put what happened into a `Run`."""
        started = time.monotonic()
        run, frame = self._step(payload, name, limits, cpu_ms, phase, due)
        wall_ms = (time.monotonic() - started) * 1e3
        if frame is not None:
            run = decode.run_from(frame[0], frame[1], name, phase, index, due.names or ())
            if run.ended in (Ended.GARBLED, Ended.FORBIDDEN, Ended.NOT_LOADED):
                self._finish()
        assert run is not None
        run = self._measured(run, limits, cpu_ms)
        return replace(run, wall_ms=wall_ms, printed=decode.clean(self._text.decode("utf-8", "backslashreplace")))

    def _measured(self, run: Run, limits: Limits, cpu_ms: float | None) -> Run:
        """CPU and memory as the zygote sees them; what is over a limit is over it, whatever the child says."""
        if not self.open:
            return run
        used = self._usage()
        if self._host_pid and not used["peak_kib"]:  # it answered and ended itself, perhaps so that nobody would see what it had used
            return self._died(run.case, limits, run.phase)
        spent, self._cpu_ms = used["cpu_ms"] - self._cpu_ms, used["cpu_ms"]
        run = replace(run, cpu_ms=spent, memory_mib=self._grown(used))
        if run.ended is Ended.RAISED and run.error and decode.is_memory_error(run.error):
            self._finish()  # its peak would count against the next case
            return replace(run, ended=Ended.MEMORY)
        if used["peak_kib"] - self._base_kib > self.memory_mib * 1024:
            self._finish()
            return replace(run, ended=Ended.MEMORY, tensors={})
        if cpu_ms is not None and spent > cpu_ms:
            self._finish()
            return replace(run, ended=Ended.CPU_TIME, tensors={})
        return run

    def _step(
        self, payload: bytes, name: str, limits: Limits, cpu_ms: float | None, phase: Phase, due: FrameLimits
    ) -> tuple[Run | None, Any]:
        """Write `payload`, then read until one frame is whole (returned second) or the child has ended (returned first)."""
        self._text, self._reader = b"", Reader(due)
        started = time.monotonic()
        try:
            ended, frame = self._wait(payload, started, limits, cpu_ms)
        finally:
            self._budget.left_s -= time.monotonic() - started
        if ended is Ended.DIED:
            return self._died(name, limits, phase), None
        if isinstance(ended, Ended):
            return self._ended(Run(name, ended, phase=phase, error=frame)), None
        return None, frame

    def _wait(self, payload: bytes, started: float, limits: Limits, cpu_ms: float | None) -> tuple[Ended | None, Any]:
        """How the wait for a frame ended, with what may be said of it; or None and the frame.

        The clock counts from `started` until the frame is decoded, whatever arrives meanwhile.
        """
        deadline = started + min(limits.wall_s, self._budget.left_s)
        look, small = started, 0
        view = self._push(memoryview(payload))
        poll = select.poll()
        if self._prints:
            poll.register(self._print_fd, select.POLLIN)
        while True:
            now = time.monotonic()
            if now >= deadline:
                return Ended.WALL_TIME, over_total(limits) if self._budget.left_s <= limits.wall_s else None
            if cpu_ms is not None and now >= look:
                if self._over(cpu_ms):
                    return Ended.CPU_TIME, None
                look = now + POLL_S
            poll.register(self._data, select.POLLIN | (select.POLLOUT if view else 0))
            until = deadline if cpu_ms is None else min(deadline, look)
            events = dict(poll.poll((until - now) * 1e3 + 1))
            before = self._printed + self._reader.pending
            if self._print_fd in events:
                if not self._drain(limits.text_kib * 1024):
                    return Ended.OUTPUT, Failure("printed", f"more than {limits.text_kib} KiB")
                if not self._prints:  # it closed 1 and 2: a closed pipe is always ready
                    poll.unregister(self._print_fd)
            state = events.get(self._data.fileno(), 0)
            if state & select.POLLOUT:
                view = self._push(view)
            if state & (select.POLLIN | select.POLLHUP | select.POLLERR):
                try:
                    frame = self._read()
                except FrameTooLarge as error:
                    return Ended.OUTPUT, Failure("frame", str(error))
                except FrameError as error:
                    return Ended.GARBLED, Failure("frame", str(error))
                except EOFError:
                    return Ended.DIED, None
                if frame is not None:
                    if not self._drain(limits.text_kib * 1024):
                        return Ended.OUTPUT, Failure("printed", f"more than {limits.text_kib} KiB")
                    return None, frame
            if events and not state & select.POLLOUT and self._printed + self._reader.pending - before < SMALL_BYTES:
                small += 1
                if small > QUICK_WAKES:
                    time.sleep(PAUSE_S)

    def _push(self, view: memoryview) -> memoryview:
        """Send what fits now; the rest comes back. That the child is gone is learned from reading."""
        try:
            return view[self._data.send(view) :]
        except BlockingIOError:
            return view
        except (BrokenPipeError, ConnectionResetError):
            return view[:0]  # nobody will read the rest

    def _read(self) -> Any:
        try:
            data = self._data.recv(RECEIVE_BYTES) if self._host_pid else self._first()
        except BlockingIOError:
            return None
        except ConnectionResetError:
            data = b""
        if not data:
            raise EOFError
        frame = next(self._reader.feed(data), None)
        if frame is not None and self._reader.pending:
            raise FrameError("more than the frame that was due")
        return frame

    def _first(self) -> bytes:
        """The first bytes of a child; with them the kernel tells its process id as this process sees it, which nobody can forge."""
        if not hasattr(socket, "SO_PASSCRED") or not self.room.launch.same_kernel:
            return self._data.recv(RECEIVE_BYTES)
        data, ancillary, _, _ = self._data.recvmsg(RECEIVE_BYTES, socket.CMSG_SPACE(CREDENTIALS.size))
        for level, kind, content in ancillary:
            if (level, kind) == (socket.SOL_SOCKET, socket.SCM_CREDENTIALS):
                self._host_pid = CREDENTIALS.unpack(content[: CREDENTIALS.size])[0]
                self._data.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 0)
                with contextlib.suppress(OSError):
                    self._status = os.open(f"/proc/{self._host_pid}/status", os.O_RDONLY | os.O_CLOEXEC)
        return data

    def _usage(self) -> Mapping[str, float]:
        """CPU and peak memory so far: read from /proc here where the kernel told the child's process id, else asked of the zygote."""
        return usage(self._host_pid, self._status) if self._host_pid else self.room.command({"do": "usage", "pid": self.pid})

    def _over(self, cpu_ms: float) -> bool:
        return float(self._usage()["cpu_ms"]) - self._cpu_ms > cpu_ms

    def _drain(self, cap: int) -> bool:
        """Take in what was printed; False when it is more than the cap."""
        with contextlib.suppress(BlockingIOError):
            while data := os.read(self._print_fd, 65536):
                self._printed += len(data)
                self._text += data
                if self._printed > cap:
                    self._text = self._text[:cap]
                    return False
            self._prints = False  # the end of the pipe: all who could write to it have closed it
        return True

    def _grown(self, used: Mapping[str, Any]) -> float:
        """MiB of address space that the submission has added to the warm interpreter's, at its peak."""
        return max(0.0, (float(used["peak_kib"]) - self._base_kib) / 1024)

    def _finish(self) -> dict[str, Any]:
        """Kill, reap, close. Returns the zygote's last account of it."""
        try:
            found = self.room.command({"do": "reap", "pid": self.pid})
        finally:
            self.drop()
        self.room.later(self.room.refill)
        return found

    def _ended(self, run: Run) -> Run:
        used = self._finish()
        return replace(run, cpu_ms=used["cpu_ms"] - self._cpu_ms, memory_mib=self._grown(used))

    def _await_end(self) -> None:
        """Give a child that closed its channel a moment to end, so that its own exit status is told and not that of our kill."""
        if self._host_pid and hasattr(os, "pidfd_open"):
            with contextlib.suppress(OSError):
                descriptor = os.pidfd_open(self._host_pid)
                select.select([descriptor], [], [], END_S)
                os.close(descriptor)

    def _died(self, name: str, limits: Limits, phase: Phase) -> Run:
        self._await_end()
        self._drain(limits.text_kib * 1024)
        used = self._finish()
        code, cpu_ms = used["exit"], used["cpu_ms"]
        common = {"cpu_ms": cpu_ms - self._cpu_ms, "memory_mib": self._grown(used), "phase": phase}
        if code == -signal.SIGXCPU or (code == -signal.SIGKILL and cpu_ms > limits.cpu_s * 1e3):
            return Run(name, Ended.CPU_TIME, **common)
        if code == -signal.SIGSYS:
            return Run(name, Ended.MEMORY, error=Failure("SIGSYS", f"it asked for more than {self.memory_mib} MiB at once"), **common)
        if code < 0:
            return Run(name, Ended.DIED, error=Failure(_signal_name(-code), "the process was ended by this signal"), **common)
        return Run(name, Ended.DIED, error=Failure(f"exit {code}", "the program ended its own process"), **common)


def over_total(limits: Limits) -> Failure:
    """What is said of a submission that has used all the time that it has over all its cases."""
    return Failure("total", f"more than {limits.total_s:g} s for the whole submission")


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
