"""The outside half of the sealed room: start it, feed it case by case, keep the clock, kill, and read what comes out.

Theory of operation
-------------------
A `Room` is one launched zygote (see `zygote.py`) and the control socket to it; a `Child` is one fresh container cloned for one
submission, with a data socket and a pipe for what it prints. The two channels never meet: a child's end of the data socket is handed to
the zygote by descriptor passing, and the control socket is closed in the child. One child is always cloned in advance and waits, so that
a verdict does not pay for the clone; none is ever used twice.

The clock and the kill are here. Cases go in one at a time, so a submission cannot read ahead. When a child dies in case k, k has its end
and a new child goes on with the rest, at most `MAX_CHILDREN` times. When the room itself dies, it is started anew and the case asked again;
a second loss ends the run as `LOST`, which is never the learner's fault.

What a `Run` holds is a fact (a tensor came, a process ended). Whether it is right is for others to say: this file never sees an answer.
"""

import contextlib
import json
import os
import select
import signal
import socket
import struct
import subprocess
import tempfile
import threading
import time
import unicodedata
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from grader import launch, seccomp
from grader.case import Case, CaseError
from grader.errors import JudgeError, RoomError, RoomLost, UsageError
from grader.frames import FrameError, FrameTooLarge, Reader, encode
from grader.model import Ended, Failure, Framework, Kind, Limits, Phase, Run
from grader.problem import Entry, Rules
from grader.usage import usage

ISOLATIONS = ("bubblewrap", "docker", "process")
MAX_CHILDREN = 3
START_S = 60.0  # a cold torch import on a busy machine
REPLY_S = 20.0  # a zygote that does not answer for so long is lost
POLL_S = 0.02  # how often CPU time is looked at while a case with a CPU limit runs
MIB = 1 << 20
CREDENTIALS = struct.Struct("3i")  # pid, uid, gid (unix(7))
HOSTILE = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")  # control, format (bidi), surrogate, private, line separators


@dataclass(frozen=True, slots=True)
class Job:
    """One program to run in the room, and the calls to make of it. `rules` None means that no name is forbidden."""

    source: str
    framework: Framework
    kind: Kind
    entries: tuple[Entry, ...]
    cases: tuple[Case, ...]
    limits: Limits
    rules: Rules | None = None
    seed: int = 0
    cpu_ms: Mapping[str, float] | None = None  # CPU limit by case name, where a case has one


class Sandbox(Protocol):
    """Where other people's code runs."""

    name: str

    def run(self, job: Job) -> Iterator[Run]:
        """One fact for each case of the job, in order. Raises `RoomError` when no room can be built."""

    def generate(self, source: str, framework: Framework, seed: int) -> list[Case]:
        """What a cases.py yields for a seed. Raises `CaseError` when it fails."""

    def close(self) -> None:
        """End every process of the room."""


def open_sandbox(isolation: str = "bubblewrap", runtime: str = "") -> "Rooms":
    """The sandbox of that name; nothing is started before the first run. Raises `UsageError` for an unknown name."""
    if isolation not in ISOLATIONS:
        raise UsageError(f"unknown isolation '{isolation}'; choose from {', '.join(ISOLATIONS)}")
    return Rooms(isolation, runtime)


class Rooms:
    """A room for each framework, started at first use. Thread-safe: several threads may judge at once."""

    def __init__(self, isolation: str, runtime: str = "") -> None:
        self.name, self._runtime = isolation, runtime
        self._rooms: dict[Framework, Room] = {}
        self._locks = {framework: threading.Lock() for framework in Framework}
        self._closed = False
        self.restarts = 0

    def __enter__(self) -> "Rooms":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End every process of every room."""
        self._closed = True
        for framework in Framework:
            with self._locks[framework]:
                room = self._rooms.pop(framework, None)
            if room:
                room.close()

    def room(self, framework: Framework) -> "Room":
        """The living room of a framework. Raises `RoomError` when it cannot be built."""
        with self._locks[framework]:
            if self._closed:
                raise RoomError("the sandbox is closed")
            room = self._rooms.get(framework)
            if room is None or not room.alive():
                if room:
                    self.restarts += 1
                    room.close()
                room = self._rooms[framework] = Room(self.name, framework, self._runtime)
        room.wait_ready()
        return room

    def warm(self, framework: Framework) -> None:
        """Begin to start the room, without waiting: other work can go on meanwhile. Raises `RoomError`."""
        with self._locks[framework]:
            if framework not in self._rooms and not self._closed:
                self._rooms[framework] = Room(self.name, framework, self._runtime)

    def run(self, job: Job) -> Iterator[Run]:
        """See `Sandbox.run`."""
        child: Child | None = None
        children, rest = 0, None
        try:
            for index, case in enumerate(job.cases):
                if rest is not None:
                    yield replace(rest, case=case.name, tensors={}, dtypes={}, printed="", wall_ms=0.0, cpu_ms=0.0)
                    continue
                memory_mib = case.memory_mib or job.limits.memory_mib
                if child is not None and child.memory_mib != memory_mib:
                    child.close()
                    child = None
                child, run = self._answer(job, index, case, child, memory_mib)
                if child is None:
                    children += 1
                    if children == MAX_CHILDREN or run.phase is Phase.IMPORT:
                        rest = run
                yield run
        finally:
            if child is not None:
                child.close()

    def _answer(self, job: Job, index: int, case: Case, child: "Child | None", memory_mib: int) -> tuple["Child | None", Run]:
        """Ask one case, in a new child where there is none. The child comes back only if it can go on."""
        for _ in range(2):
            try:
                if child is None:
                    child = self.room(job.framework).take(memory_mib)
                    failed = child.load(job)
                    if failed is not None:
                        return None, replace(failed, case=case.name)
                run = child.ask(job, index, case)
                return (
                    (child, run)
                    if run.ended in (Ended.RETURNED, Ended.RAISED, Ended.BAD_STATE, Ended.MEMORY) and child.open
                    else (None, run)
                )
            except RoomLost:
                if child is not None:
                    child.drop()
                child = None
        return None, Run(case.name, Ended.LOST, error=Failure("room", "the room was lost twice"))

    def generate(self, source: str, framework: Framework, seed: int) -> list[Case]:
        """See `Sandbox.generate`."""
        for attempt in range(2):
            try:
                child = self.room(framework).take(4096)
                try:
                    return child.cases(source, framework, seed)
                finally:
                    child.close()
            except RoomLost:
                if attempt:
                    raise
        raise AssertionError


class Room:
    """One launched zygote. Commands are answered in order; a lock keeps each question with its answer."""

    def __init__(self, isolation: str, framework: Framework, runtime: str = "") -> None:
        self.framework = framework
        self._lock = threading.RLock()
        self._buffer = b""
        self._spare: Child | None = None
        self._ready = False
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115
        self._listener: socket.socket | None = None
        theirs: socket.socket | None = None
        if isolation == "docker":
            found = launch.docker(framework, runtime)
            self._listener = socket.socket(socket.AF_UNIX)
            self._listener.bind(found.socket_path)
            os.chmod(found.socket_path, 0o666)
            self._listener.listen(1)
            self._listener.settimeout(START_S)
        else:
            self._control, theirs = socket.socketpair()
            builder = launch.bubblewrap if isolation == "bubblewrap" else launch.process
            found = builder(framework, theirs.fileno())
        self.launch = found
        try:
            self._process = subprocess.Popen(
                found.argv,
                env=found.environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
                pass_fds=[theirs.fileno()] if theirs else [],
                start_new_session=True,
            )
        except OSError as error:
            raise RoomError(f"cannot start {found.argv[0]}: {error.strerror}") from None
        finally:
            if theirs:
                theirs.close()

    @property
    def pid(self) -> int:
        """The process id of the launcher."""
        return self._process.pid

    def alive(self) -> bool:
        """Is the launcher's process still running?"""
        return self._process.poll() is None

    def wait_ready(self) -> None:
        """Return when the zygote is warm. Raises `RoomError` with the launcher's last words when it never is."""
        with self._lock:
            if self._ready:
                return
            try:
                if self._listener is not None:
                    self._control, _ = self._listener.accept()
                self._read_line(START_S)
                self._ready = True
            except (RoomLost, OSError):
                self.close()
                self._errors.seek(0)
                words = self._errors.read().decode(errors="replace").strip().splitlines()[-3:]
                raise RoomError(
                    f"the sealed room does not start: {' / '.join(words) or 'no message'}; `grade doctor` names what is missing"
                ) from None

    def close(self) -> None:
        """Kill the launcher; the kernel ends everything in its pid namespace with it."""
        with self._lock:
            spare, self._spare = self._spare, None
            if spare is not None:
                spare.drop()
            if hasattr(self, "_control"):
                self._control.close()
            if self.alive():
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(self._process.pid, signal.SIGKILL)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(10)
            if self.launch.stop:
                subprocess.run(self.launch.stop, capture_output=True, timeout=30)
            if self._listener is not None:
                self._listener.close()
                with contextlib.suppress(OSError):
                    os.unlink(self.launch.socket_path)
                    os.rmdir(os.path.dirname(self.launch.socket_path))

    def take(self, memory_mib: int) -> "Child":
        """A child that nobody has used. Raises `RoomLost` when the zygote is gone."""
        with self._lock:
            child, self._spare = self._spare, None
            child = child or self._fork()
        child.memory_mib = memory_mib
        return child

    def refill(self) -> None:
        """Clone the next child in advance."""
        with self._lock, contextlib.suppress(RoomLost, RoomError):
            if self._spare is None and self._ready and self.alive():
                self._spare = self._fork()

    def command(self, request: Mapping[str, Any], descriptors: list[int] | None = None) -> dict[str, Any]:
        """Ask the zygote. Raises `RoomLost` when it is gone or does not answer."""
        with self._lock:
            try:
                line = json.dumps(request).encode() + b"\n"
                if descriptors:
                    socket.send_fds(self._control, [line], descriptors)
                else:
                    self._control.sendall(line)
                return self._read_line(REPLY_S)
            except OSError as error:
                raise RoomLost(f"the zygote is gone: {error}") from None

    def _read_line(self, seconds: float) -> dict[str, Any]:
        self._control.settimeout(seconds)
        while b"\n" not in self._buffer:
            data = self._control.recv(65536)
            if not data:
                raise RoomLost("the zygote is gone")
            self._buffer += data
        line, _, self._buffer = self._buffer.partition(b"\n")
        found: dict[str, Any] = json.loads(line)
        return found

    def _fork(self) -> "Child":
        ours, theirs = socket.socketpair()
        read_end, write_end = os.pipe()
        try:
            answer = self.command({"do": "fork"}, [theirs.fileno(), write_end])
        except RoomLost:
            ours.close()
            os.close(read_end)
            raise
        finally:
            theirs.close()
            os.close(write_end)
        if "error" in answer:
            ours.close()
            os.close(read_end)
            raise RoomError(f"{answer['error']}; `grade doctor` names the remedy")
        return Child(self, answer, ours, read_end)


class Child:
    """One fresh container. Used for one submission, then closed; a second use is impossible."""

    def __init__(self, room: Room, forked: Mapping[str, Any], data: socket.socket, printed: int) -> None:
        self.room, self.pid = room, forked["pid"]
        self.memory_mib = 0
        self.open = True
        self._base_kib, self._cpu_ms = int(forked["peak_kib"]), float(forked["cpu_ms"])
        self._data, self._print_fd = data, printed
        self._reader = Reader(0)
        self._printed = 0
        self._text = b""
        self._host_pid = 0
        data.setblocking(False)
        if hasattr(socket, "SO_PASSCRED"):
            data.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        os.set_blocking(printed, False)

    # -- the life of a submission

    def load(self, job: Job) -> Run | None:
        """Send the source; None when it is loaded, else how it ended."""
        self._reader = Reader(job.limits.output_mib * MIB + 65536)
        names = [e.name for e in job.entries] if job.kind is not Kind.VALUES else list(job.entries[0].returns)
        setup = {
            "mode": "submission",
            "source": job.source,
            "framework": str(job.framework),
            "kind": str(job.kind),
            "names": names,
            "rules": None if job.rules is None else {"forbid": job.rules.forbid, "imports": job.rules.imports},
            "seed": job.seed,
            "limits": {**self._limits(job.limits), "output_bytes": job.limits.output_mib * MIB},
        }
        run = self._exchange(encode(setup, self._program()), "", job.limits, None, Phase.IMPORT)
        return None if run.ended is Ended.RETURNED else run

    def ask(self, job: Job, index: int, case: Case) -> Run:
        """Send one case and wait for its end."""
        entry = next(e for e in job.entries if e.name == case.call) if case.call else job.entries[0]
        last = next(e for e in job.entries if e.name == case.then) if case.then else entry
        meta = {
            "index": index,
            "seed": (job.seed * 1_000_003 + zlib.crc32(case.name.encode())) % 2**63,
            "cotangent": zlib.crc32(case.name.encode()),
            "case": case.to_meta(),
            "entry": {
                "name": entry.name,
                "params": [(p.name, p.required) for p in entry.params],
                "init": [(p.name, p.required) for p in entry.init],
                "returns": entry.returns,
            },
            "returns": last.returns,
            "wants": wanted(case, last, job.framework),
        }
        cpu_ms = (job.cpu_ms or {}).get(case.name)
        return self._exchange(encode(meta, case.tensors()), case.name, job.limits, cpu_ms, Phase.CALL, index)

    def cases(self, source: str, framework: Framework, seed: int) -> list[Case]:
        """Run a cases.py. Raises `CaseError` with its own words when it fails."""
        limits = Limits(wall_s=60, cpu_s=60, memory_mib=self.memory_mib, output_mib=1024)
        self._reader = Reader(limits.output_mib * MIB)
        setup = {
            "mode": "cases",
            "source": source,
            "seed": seed,
            "limits": {**self._limits(limits), "output_bytes": limits.output_mib * MIB},
        }
        found: list[Case] = []
        payload = encode(setup, self._program())
        while True:
            run, meta = self._step(payload, "cases.py", limits, None, Phase.IMPORT)
            payload = encode({"frame": "next"}, {})
            if run is not None or meta is None:
                told = run.error.text if run and run.error else ""
                raise CaseError(f"ended with {run.ended if run else 'nothing'} {told}".strip())
            head, tensors = meta
            if head.get("frame") == "done":
                return found
            if head.get("frame") != "case":
                error = _failure(head.get("error"))
                raise CaseError(f"{error.type}: {error.text}" + (f" (line {error.lineno})" if error.lineno else ""))
            try:
                found.append(Case.from_meta(head["case"], tensors))
            except (TypeError, KeyError, AttributeError) as error:
                raise CaseError(f"case {len(found) + 1} is malformed: {error}") from None

    def close(self) -> None:
        """Let it end, and everything in it; a new spare is cloned meanwhile."""
        if self.open:
            self.drop()
            threading.Thread(target=self._bury, daemon=True).start()

    def drop(self) -> None:
        """Close our ends."""
        if self.open:
            self.open = False
            self._data.close()
            os.close(self._print_fd)

    def _bury(self) -> None:
        with contextlib.suppress(RoomLost):
            self.room.command({"do": "reap", "pid": self.pid})
        self.room.refill()

    # -- one exchange

    def _limits(self, limits: Limits) -> dict[str, Any]:
        return {"cpu_s": limits.cpu_s, "memory_bytes": self.memory_mib * MIB}

    def _program(self) -> dict[str, Any]:
        import numpy as np

        if not self.room.launch.sealed:
            return {}
        return {"seccomp": np.frombuffer(seccomp.program(self.memory_mib * MIB), np.uint8)}

    def _exchange(self, payload: bytes, name: str, limits: Limits, cpu_ms: float | None, phase: Phase, index: int = -1) -> Run:
        """Send a payload, wait for the frame it asks for, and put what happened into a `Run`."""
        started = time.monotonic()
        run, frame = self._step(payload, name, limits, cpu_ms, phase)
        wall_ms = (time.monotonic() - started) * 1e3
        if frame is not None:
            run = _run_from(frame[0], frame[1], name, phase, index)
            if run.ended in (Ended.GARBLED, Ended.FORBIDDEN, Ended.NOT_LOADED):
                self._finish()
        assert run is not None
        run = self._measured(run, limits, cpu_ms)
        return replace(run, wall_ms=wall_ms, printed=clean(self._text.decode("utf-8", "backslashreplace")))

    def _measured(self, run: Run, limits: Limits, cpu_ms: float | None) -> Run:
        """CPU and memory as the zygote sees them; what is over a limit is over it, whatever the child says."""
        if not self.open:
            return run
        used = self._usage()
        spent, self._cpu_ms = used["cpu_ms"] - self._cpu_ms, used["cpu_ms"]
        run = replace(run, cpu_ms=spent, memory_mib=self._grown(used))
        if run.ended is Ended.RAISED and run.error and _is_memory_error(run.error):
            return replace(run, ended=Ended.MEMORY)
        if used["peak_kib"] - self._base_kib > self.memory_mib * 1024:
            self._finish()
            return replace(run, ended=Ended.MEMORY, tensors={})
        if cpu_ms is not None and spent > cpu_ms:
            return replace(run, ended=Ended.CPU_TIME, tensors={})
        return run

    def _step(self, payload: bytes, name: str, limits: Limits, cpu_ms: float | None, phase: Phase) -> tuple[Run | None, Any]:
        """Write `payload`, then read until one frame is whole (returned second) or the child has ended (returned first)."""
        self._text = b""
        view = memoryview(payload)
        deadline = time.monotonic() + limits.wall_s
        poll = select.poll()
        poll.register(self._print_fd, select.POLLIN)
        while True:
            poll.register(self._data, select.POLLIN | (select.POLLOUT if view else 0))
            left = deadline - time.monotonic()
            if left <= 0:
                return self._ended(Run(name, Ended.WALL_TIME, phase=phase)), None
            events = dict(poll.poll((left if cpu_ms is None else min(left, POLL_S)) * 1e3 + 1))
            if not events and cpu_ms is not None and self._over(cpu_ms):
                return self._ended(Run(name, Ended.CPU_TIME, phase=phase)), None
            if self._print_fd in events and not self._drain(limits.text_kib * 1024):
                return self._ended(Run(name, Ended.OUTPUT, phase=phase, error=Failure("printed", f"more than {limits.text_kib} KiB"))), None
            state = events.get(self._data.fileno(), 0)
            if state & select.POLLOUT:
                with contextlib.suppress(BlockingIOError, BrokenPipeError, ConnectionResetError):
                    view = view[self._data.send(view) :]
            if state & (select.POLLIN | select.POLLHUP | select.POLLERR):
                try:
                    frame = self._read()
                except FrameTooLarge as error:
                    return self._ended(Run(name, Ended.OUTPUT, phase=phase, error=Failure("frame", str(error)))), None
                except FrameError as error:
                    return self._ended(Run(name, Ended.GARBLED, phase=phase, error=Failure("frame", str(error)))), None
                except EOFError:
                    return self._died(name, limits, phase), None
                if frame is not None:
                    if not self._drain(limits.text_kib * 1024):
                        return self._ended(
                            Run(name, Ended.OUTPUT, phase=phase, error=Failure("printed", f"more than {limits.text_kib} KiB"))
                        ), None
                    return None, frame

    def _read(self) -> Any:
        try:
            data = self._data.recv(1 << 20) if self._host_pid else self._first()
        except BlockingIOError:
            return None
        except ConnectionResetError:
            data = b""
        if not data:
            raise EOFError
        frames = list(self._reader.feed(data))
        if len(frames) > 1:
            raise FrameError("more frames than asked for")
        return frames[0] if frames else None

    def _first(self) -> bytes:
        """The first bytes of a child; with them the kernel tells its process id as this process sees it, which nobody can forge."""
        if not hasattr(socket, "SO_PASSCRED"):
            return self._data.recv(1 << 20)
        data, ancillary, _, _ = self._data.recvmsg(1 << 20, socket.CMSG_SPACE(CREDENTIALS.size))
        for level, kind, content in ancillary:
            if (level, kind) == (socket.SOL_SOCKET, socket.SCM_CREDENTIALS):
                self._host_pid = CREDENTIALS.unpack(content[: CREDENTIALS.size])[0]
                self._data.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 0)
        return data

    def _usage(self) -> Mapping[str, float]:
        """CPU and peak memory so far: read from /proc here where the kernel told the child's process id, else asked of the zygote."""
        found = usage(self._host_pid) if self._host_pid else {"peak_kib": 0}
        return found if found["peak_kib"] else self.room.command({"do": "usage", "pid": self.pid})

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
        threading.Thread(target=self.room.refill, daemon=True).start()
        return found

    def _ended(self, run: Run) -> Run:
        used = self._finish()
        return replace(run, cpu_ms=used["cpu_ms"] - self._cpu_ms, memory_mib=self._grown(used))

    def _died(self, name: str, limits: Limits, phase: Phase) -> Run:
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


def wanted(case: Case, entry: Entry, framework: Framework) -> list[str]:
    """The names of the tensors that a case brings back in a framework (NumPy has no gradients)."""
    names = list(case.wants or entry.returns)
    if case.draws:
        return [f"{kind}.{name}" for name in names for kind in ("mean", "std")]
    return [name for name in names if framework is Framework.TORCH or not name.startswith("grad.")]


def clean(text: str) -> str:
    """Text from the room with every control, bidi and surrogate character made visible, so that no terminal or page obeys it."""
    return "".join(c if c in "\n\t" or unicodedata.category(c) not in HOSTILE else c.encode("unicode_escape").decode() for c in text)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _is_memory_error(error: Failure) -> bool:
    return "MemoryError" in error.bases or "DefaultCPUAllocator" in error.text or "can't allocate memory" in error.text


def _failure(found: Any) -> Failure:
    """An error as the child tells it, forced into shape: every field may be anything."""
    if not isinstance(found, dict):
        return Failure("unknown")
    bases = found.get("bases")
    lineno = found.get("lineno")
    return Failure(
        type=clean(str(found.get("type", ""))[:200]),
        text=clean(str(found.get("text", ""))[:2000]),
        lineno=lineno if type(lineno) is int and 0 < lineno < 10**7 else None,
        bases=tuple(clean(str(b)[:200]) for b in bases[:40]) if isinstance(bases, list) else (),
        trace=clean(str(found.get("trace", ""))[:2000]),
    )


def _run_from(meta: Mapping[str, Any], tensors: Mapping[str, Any], name: str, phase: Phase, index: int) -> Run:
    """The frame that was due, as a `Run`; anything else is garbled."""
    if phase is Phase.IMPORT:
        ends = {"loaded": Ended.RETURNED, "forbidden": Ended.FORBIDDEN, "not_loaded": Ended.NOT_LOADED}
        kind = meta.get("frame")
        if not isinstance(kind, str) or kind not in ends:
            return Run(name, Ended.GARBLED, phase=phase, error=Failure("frame", "not the frame that was due"))
        return Run(name, ends[kind], phase=phase, error=None if kind == "loaded" else _failure(meta.get("error")))
    ended, dtypes = meta.get("ended"), meta.get("dtypes", {})
    if meta.get("frame") != "result" or type(meta.get("index")) is not int or meta["index"] != index or not isinstance(dtypes, dict):
        return Run(name, Ended.GARBLED, phase=phase, error=Failure("frame", "not the frame that was due"))
    if ended == "returned":
        return Run(name, Ended.RETURNED, tensors, {str(k)[:200]: clean(str(v)[:300]) for k, v in list(dtypes.items())[:64]}, phase=phase)
    if ended == "output":
        return Run(name, Ended.OUTPUT, phase=phase, error=Failure("frame", "the result is larger than allowed"))
    if ended in ("raised", "bad_state"):
        return Run(name, Ended(ended), phase=phase, error=_failure(meta.get("error")))
    return Run(name, Ended.GARBLED, phase=phase, error=Failure("frame", "not the frame that was due"))


__all__ = ["ISOLATIONS", "Job", "JudgeError", "Rooms", "Sandbox", "open_sandbox", "wanted"]
