"""One fresh container, seen from outside: sends it cases, measures what it uses, and tells how it
ended.

The theory of operation is in the package's docstring.
"""

import math
import signal
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

import numpy as np

from grader.case import Case
from grader.inside.frames import FrameError, FrameLimits, encode
from grader.inside.kernel.processors import Stay
from grader.inside.kernel.usage import usage
from grader.model import Ended, Failure, Limits, Phase, Run
from grader.sandbox import ends, seccomp
from grader.sandbox.intake import decode
from grader.sandbox.intake.channel import Channel
from grader.sandbox.intake.reader import Unread
from grader.sandbox.job import MIB, Budget, Job, asked, bounds, due_together, setup
from grader.sandbox.launchers import Launch

LOADED = FrameLimits(0, tensors=0)  # what may come back of loading the source
# cases that are sent together are small and quick; any other end in one by one
TOGETHER_BYTES, TOGETHER_S = 1 << 20, 2.0
Then = Callable[["Container"], None] | None


class Zygote(Protocol):
    """What a container needs of the zygote that cloned it."""

    @property
    def launch(self) -> Launch:
        """The command that started the zygote."""

    def command(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Asks the zygote. Raises `RoomLost` when it is gone or does not answer."""

    def refill(self) -> None:
        """Clones the next container in advance."""

    def later(self, chore: Callable[[], None]) -> None:
        """Does it in the maintenance thread, so that no verdict waits for it."""


class Container:
    """One fresh container. Used for one submission, then closed; a second use is impossible."""

    def __init__(
        self, zygote: Zygote, forked: Mapping[str, Any], data: socket.socket, printed: int
    ) -> None:
        self.zygote, self.pid = zygote, forked["pid"]
        self.memory_mib, self.open = 0, True
        self._base_kib, self._cpu_ms = int(forked["base_kib"]), float(forked["cpu_ms"])
        self._budget = Budget(math.inf)
        self._asked, self._started, self._due = -1, 0.0, LOADED
        self._resident_kib = -1.0  # of the loaded program, once it is loaded
        self.channel, self._stay = Channel(data, printed, zygote.launch.same_kernel), Stay()

    # -- the life of a submission

    def load(self, job: Job, budget: Budget | None = None) -> Run | None:
        """Sends the source. Returns None when it is loaded, else how it ended.

        This and every later call take their time from `budget`.
        """
        self._budget, self._asked = budget or Budget(job.limits.total_s), -1
        first = setup(job, self.memory_mib, self.zygote.launch.same_kernel)
        first["leave"] = self._stay.begin()
        self._begin(encode(first, self._program()), LOADED)
        run = self._finished("", job.limits, None)
        return None if run.ended is Ended.RETURNED else run

    def begin(self, job: Job, index: int, case: Case) -> None:
        """Sends one case without waiting: it runs while the last one's result is compared."""
        self._asked = index
        self._begin(*asked(job, index, case))

    def ask(self, job: Job, index: int, case: Case, then: Then = None) -> Run:
        """Sends one case, unless it has begun, and waits for its end.

        `then` may begin the next one: the result is in by then and within the limits, and is read
        meanwhile.
        """
        if self._asked != index:
            self.begin(job, index, case)
        cpu_ms = (job.cpu_ms or {}).get(case.name)
        return self._finished(case.name, job.limits, cpu_ms, index, then)

    def ask_together(self, job: Job, blob_bytes: int = TOGETHER_BYTES) -> Iterator[Run]:
        """Sends all cases of the job at once, and yields each run as soon as it is there. None may
        bring more than `blob_bytes`.

        Raises `Unusual`, also after the last one, when anything but an ordinary end comes of it:
        then nobody knows of which case.
        """
        limits = due_together(job, blob_bytes)
        frames = (asked(job, index, case)[0] for index, case in enumerate(job.cases))
        deadline = time.monotonic() + min(TOGETHER_S, self._budget.left_s)
        self.channel.begin(b"".join(frames), limits, len(job.cases))
        for index, case in enumerate(job.cases):
            ended, unread = self.channel.receive(deadline, job.limits.text_kib, None)
            if ended is not None:
                raise ends.Unusual(ended)
            run = decode.read(unread, limits, case.name, Phase.CALL, index)
            if not ends.ordinary(run):
                raise ends.Unusual(run.ended)
            yield run
        used = self._usage()
        if self.channel.text or self._vanished(used) or self._over(used, None):
            raise ends.Unusual

    def start(
        self,
        setup: Mapping[str, Any],
        due: FrameLimits,
        limits: Limits,
        tensors: Mapping[str, np.ndarray] | None = None,
    ) -> tuple[Run | None, Any]:
        """Sends a first frame that holds no submission, and exchanges it for the reply."""
        self._budget = Budget(limits.total_s)
        allowed = bounds(limits, self.memory_mib, self.zygote.launch.same_kernel)
        payload = encode({**setup, "limits": allowed}, {**self._program(), **(tensors or {})})
        return self.exchange(payload, due, limits)

    def exchange(self, payload: bytes, due: FrameLimits, limits: Limits) -> tuple[Run | None, Any]:
        """Sends a frame and waits for one: returns how the child ended, or None, and the frame."""
        self._begin(payload, due)
        run, unread = self._receive("", limits, None, Phase.IMPORT)
        try:
            return run, unread and unread()
        except FrameError as error:
            return self._ended(Run("", Ended.GARBLED, error=decode.unreadable(error))), None

    def close(self) -> None:
        """Ends the container and everything in it; the next one is cloned meanwhile."""
        if self.open:
            self.drop()
            self.zygote.later(self._reap)

    def drop(self) -> None:
        """Closes this side's descriptors."""
        if self.open:
            self.open = False
            self.channel.close()
            self._stay.end()

    def _reap(self) -> None:
        self.zygote.refill()  # first, because the next submission may have arrived
        self.zygote.command({"do": "reap", "pid": self.pid})

    # -- one exchange

    def _program(self) -> dict[str, Any]:
        if not self.zygote.launch.sealed:
            return {}
        return {"seccomp": np.frombuffer(seccomp.program(self.memory_mib * MIB), np.uint8)}

    def _begin(self, payload: bytes, due: FrameLimits) -> None:
        self._started, self._due = time.monotonic(), due
        self.channel.begin(payload, due)

    def _finished(
        self, name: str, limits: Limits, cpu_ms: float | None, index: int = -1, then: Then = None
    ) -> Run:
        """Waits for the frame that is due, of loading or a case; what happened, as a `Run`."""
        phase = Phase.IMPORT if index < 0 else Phase.CALL
        run, unread = self._receive(name, limits, cpu_ms, phase)
        wall_ms = (time.monotonic() - self._started) * 1e3
        text, due = self.channel.text, self._due
        if unread is not None:
            used = self._usage()
            if then is not None and not self._vanished(used) and not self._over(used, cpu_ms):
                then(self)
            run = decode.read(unread, due, name, phase, index)
            if run.ended in (Ended.GARBLED, Ended.FORBIDDEN, Ended.NOT_LOADED):
                run = self._ended(run)
            else:
                run = self._measured(run, used, limits, cpu_ms)
        assert run is not None
        printed = decode.clean(text.decode("utf-8", "backslashreplace"))
        return replace(run, wall_ms=wall_ms, printed=printed)

    def _measured(
        self, run: Run, used: Mapping[str, float], limits: Limits, cpu_ms: float | None
    ) -> Run:
        """Adds CPU time and memory, and ends the run when one is over its limit.

        The kernel measures both, so what the child claims does not count.
        """
        # It answered and ended itself, perhaps to hide what it had used.
        if self._vanished(used):
            return self._died(run.case, limits, run.phase)
        over = self._over(used, cpu_ms)
        spent, self._cpu_ms = used["cpu_ms"] - self._cpu_ms, used["cpu_ms"]
        grown, resident = self._grown(used), self._resident(used)
        run = replace(run, cpu_ms=spent, memory_mib=grown, resident_mib=resident)
        if run.ended is Ended.RAISED and run.error and decode.is_memory_error(run.error):
            self._finish()  # its peak would count against the next case
            return replace(run, ended=Ended.MEMORY)
        if over is not None:
            self._finish()
            return replace(run, ended=over, tensors={})
        return run

    def _receive(
        self, name: str, limits: Limits, cpu_ms: float | None, phase: Phase
    ) -> tuple[Run | None, Unread | None]:
        """Waits until one frame is whole or the child has ended.

        Returns how it ended, or None, and the frame, not read yet, or None. The clock starts here:
        what the judge did since the case began is not the submission's time.
        """
        started, left_s = time.monotonic(), self._budget.left_s
        over = None if cpu_ms is None else partial(self._computes_too_long, cpu_ms)
        try:
            ended, received = self.channel.receive(
                started + min(limits.wall_s, left_s), limits.text_kib, over
            )
        finally:
            self._budget.left_s -= time.monotonic() - started
        if ended is Ended.WALL_TIME and left_s <= limits.wall_s:
            received = ends.over_total(limits)
        if ended is Ended.DIED:
            return self._died(name, limits, phase), None
        if ended in ends.SLOW and not received:
            answer = ends.stop(self.zygote.command, self.pid, self.channel, limits)
            run = answer and decode.read(answer, self._due, name, phase, self._asked)
            received = run and ends.line_of(run)
        if isinstance(ended, Ended):
            return self._ended(Run(name, ended, phase=phase, error=received)), None
        return None, received

    def _usage(self) -> Mapping[str, float]:
        """Returns CPU time and peak memory so far, from /proc where the process id is known.

        Asks the zygote where it is not.
        """
        if self.channel.host_pid:
            return usage(self.channel.host_pid, self.channel.status)
        return self.zygote.command({"do": "usage", "pid": self.pid})

    def _over(self, used: Mapping[str, float], cpu_ms: float | None) -> Ended | None:
        """Returns the limit that is exceeded, if one is."""
        if used["peak_kib"] - self._base_kib > self.memory_mib * 1024:
            return Ended.MEMORY
        if cpu_ms is not None and used["cpu_ms"] - self._cpu_ms > cpu_ms:
            return Ended.CPU_TIME
        return None

    def _computes_too_long(self, cpu_ms: float) -> bool:
        return self._usage()["cpu_ms"] - self._cpu_ms > cpu_ms

    def _vanished(self, used: Mapping[str, float]) -> bool:
        return bool(self.channel.host_pid) and not used["peak_kib"]

    def _grown(self, used: Mapping[str, Any]) -> float:
        """Returns the peak of the address space above the warm interpreter's, in MiB."""
        return max(0.0, (float(used["peak_kib"]) - self._base_kib) / 1024)

    def _resident(self, used: Mapping[str, Any]) -> float:
        """Returns the peak of the memory in use above that after the first exchange, in MiB."""
        resident = float(used.get("resident_kib", 0))
        if self._resident_kib < 0:
            self._resident_kib = resident
        return max(0.0, (resident - self._resident_kib) / 1024)

    def _finish(self) -> dict[str, Any]:
        """Kills, reaps and closes. Returns what the zygote measured last."""
        try:
            used = self.zygote.command({"do": "reap", "pid": self.pid})
        finally:
            self.drop()
        self.zygote.later(self.zygote.refill)
        return used

    def _ended(self, run: Run) -> Run:
        used = self._finish()
        return replace(run, cpu_ms=used["cpu_ms"] - self._cpu_ms, memory_mib=self._grown(used))

    def _died(self, name: str, limits: Limits, phase: Phase) -> Run:
        ends.await_end(self.channel.host_pid)
        self.channel.drain(limits.text_kib * 1024)
        used = self._finish()
        code, cpu_ms = used["exit"], used["cpu_ms"]
        common = {"cpu_ms": cpu_ms - self._cpu_ms, "memory_mib": self._grown(used), "phase": phase}
        if code == -signal.SIGXCPU or (code == -signal.SIGKILL and cpu_ms > limits.cpu_s * 1e3):
            return Run(name, Ended.CPU_TIME, **common)
        if code == -signal.SIGSYS:
            failure = Failure("SIGSYS", f"it asked for more than {self.memory_mib} MiB at once")
            return Run(name, Ended.MEMORY, error=failure, **common)
        return Run(name, Ended.DIED, error=ends.exit_of(code), **common)
