"""The outside half of the sealed room: start it, feed it case by case, keep the clock, kill, and read what comes out.

Theory of operation
-------------------
A `Room` is one launched zygote (see `zygote.py`) and the control socket to it; a `Child` is one fresh container cloned for one
submission, with a data socket and a pipe for what it prints. The two channels never meet: a child's end of the data socket is handed to
the zygote by descriptor passing, and the control socket is closed in the child. One child is always cloned in advance and waits, so that
a verdict does not pay for the clone; none is ever used twice.

The clock and the kill are here. Cases go in one at a time, so a submission cannot read ahead. When a child dies in case k, k has its end
and a new child goes on with the rest, at most `MAX_CHILDREN` times. Each call has its clock, and all loads and calls together have one:
when `Limits.total_s` is over, the running case ends and no later one is asked. When the room itself dies, it is started anew and the
case asked again; a second loss ends the run as `LOST`, which is never the learner's fault.

What a `Run` holds is a fact (a tensor came, a process ended). Whether it is right is for others to say: this file never sees an answer.
"""

import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Protocol

from grader.case import Case
from grader.errors import RoomError, RoomLost, UsageError
from grader.feed import Child, over_total
from grader.job import Budget, Job, wanted
from grader.model import Ended, Failure, Framework, Phase, Run
from grader.room import Room

ISOLATIONS = ("bubblewrap", "docker", "process")
MAX_CHILDREN = 3
GOES_ON = (Ended.RETURNED, Ended.RAISED, Ended.BAD_STATE)  # after these, the same child is asked the next case
CASES_MIB = 4096  # what an instructor's cases.py may use


class Sandbox(Protocol):
    """Where other people's code runs."""

    name: str

    def run(self, job: Job) -> Iterator[Run]:
        """One fact for each case of the job, in order. Raises `RoomError` when no room can be built."""

    def prepare(self, framework: Framework) -> None:
        """Another run follows soon: get ready for it meanwhile."""

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
        budget = Budget(job.limits.total_s)
        try:
            for index, case in enumerate(job.cases):
                if rest is None and budget.left_s <= 0:
                    rest = Run(case.name, Ended.WALL_TIME, error=over_total(job.limits))
                if rest is not None:
                    yield replace(rest, case=case.name, tensors={}, dtypes={}, printed="", wall_ms=0.0, cpu_ms=0.0, asked=False)
                    continue
                memory_mib = case.memory_mib or job.limits.memory_mib
                if child is not None and child.memory_mib != memory_mib:
                    child.close()
                    child = None
                child, run = self._answer(job, index, case, child, memory_mib, budget)
                if child is None:
                    children += 1
                    if children == MAX_CHILDREN or run.phase is Phase.IMPORT:
                        rest = run
                yield run
        finally:
            if child is not None:
                child.close()

    def _answer(
        self, job: Job, index: int, case: Case, child: "Child | None", memory_mib: int, budget: Budget
    ) -> tuple["Child | None", Run]:
        """Ask one case, in a new child where there is none. The child comes back only if it can go on."""
        for _ in range(2):
            try:
                if child is None:
                    child = self.room(job.framework).take(memory_mib)
                    failed = child.load(job, budget)
                    if failed is not None:
                        return None, replace(failed, case=case.name)
                run = child.ask(job, index, case)
                if run.ended in GOES_ON and child.open:
                    return child, run
                child.close()  # an end that the child itself told of, such as a result too large, leaves it waiting
                return None, run
            except RoomLost:
                if child is not None:
                    child.drop()
                child = None
        return None, Run(case.name, Ended.LOST, error=Failure("room", "the room was lost twice"))

    def prepare(self, framework: Framework) -> None:
        """See `Sandbox.prepare`."""
        room = self._rooms.get(framework)
        if room is not None:
            room.later(room.refill)

    def generate(self, source: str, framework: Framework, seed: int) -> list[Case]:
        """See `Sandbox.generate`."""
        for attempt in range(2):
            try:
                child = self.room(framework).take(CASES_MIB)
                try:
                    return child.cases(source, framework, seed)
                finally:
                    child.close()
            except RoomLost:
                if attempt:
                    raise
        raise AssertionError


__all__ = ["ISOLATIONS", "Job", "Rooms", "Sandbox", "open_sandbox", "wanted"]
