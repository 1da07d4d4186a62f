"""The sandbox: the containers that answer a job, in the rooms."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TypeVar

from grader.case import Case
from grader.errors import RoomLost
from grader.inside.frames import encode
from grader.model import Ended, Failure, Framework, Phase, Run
from grader.sandbox import generation
from grader.sandbox.assembly import MEMORY_MIB, Assembled, Assembly
from grader.sandbox.container import Container
from grader.sandbox.ends import GOES_ON, Unusual, over_total
from grader.sandbox.job import Budget, Job
from grader.sandbox.keep import Keep
from grader.sandbox.rooms import Rooms
from grader.sandbox.session import Session
from grader.sandbox.traced import TRACED, Traced, decode

MAX_CHILDREN = 3
SURVEYED = 64  # programs of one author that share a container
SURVEYED_BYTES = 16 << 20  # that all cases of one of them may take, and each may bring
CASES_MIB = 4096  # what an instructor's cases.py may use
INPUTS_MIB = 256  # what the inputs that a learner writes down may use
LESSON_MIB = 512  # what the program of a lesson may use

T = TypeVar("T")


def open_sandbox(
    isolation: str = "bubblewrap", runtime: str = "", keep: Keep | None = None
) -> "SandboxPool":
    """Returns the sandbox of that name; nothing starts before the first run. With `keep`, rooms of
    bubblewrap stay warm for the next one.

    Raises `UsageError` for an unknown name.
    """
    return SandboxPool(Rooms(isolation, runtime, keep))


class SandboxPool:
    """Answers jobs in the rooms. Closing it ends them.

    Thread-safe: several threads may judge at once.
    """

    def __init__(self, rooms: Rooms) -> None:
        self.name = rooms.isolation
        self.rooms = rooms
        self.room, self.warm, self.close = rooms.room, rooms.warm, rooms.close

    def __enter__(self) -> "SandboxPool":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def restarts(self) -> int:
        """How many rooms were lost, and started anew."""
        return self.rooms.restarts

    def run(self, job: Job) -> Iterator[Run]:
        """See `Sandbox.run`."""
        child: Container | None = None
        children, rest = 0, None
        budget = Budget(job.limits.total_s)
        try:
            for index, case in enumerate(job.cases):
                if rest is None and budget.left_s <= 0:
                    rest = Run(case.name, Ended.WALL_TIME, error=over_total(job.limits))
                if rest is not None:
                    yield replace(
                        rest,
                        case=case.name,
                        tensors={},
                        dtypes={},
                        printed="",
                        wall_ms=0.0,
                        cpu_ms=0.0,
                        executed=False,
                    )
                    continue
                memory_mib = case.memory_mib or job.limits.memory_mib
                if child is not None and child.memory_mib != memory_mib:
                    child.close()
                    child = None
                then = partial(_begin, job, index + 1, budget)
                child, run = self._answer(job, index, case, child, memory_mib, budget, then)
                if child is None:
                    children += 1
                    if children == MAX_CHILDREN or run.phase is Phase.IMPORT:
                        rest = run
                yield run
        finally:
            if child is not None:
                child.close()

    def run_together(self, job: Job) -> Iterator[Run]:
        """See `Sandbox.run_together`."""
        if any(case.memory_mib or case.name in (job.cpu_ms or {}) for case in job.cases):
            raise Unusual
        try:
            child = self.room(job.framework).take(job.limits.memory_mib)
            try:
                if child.load(job) is not None:
                    raise Unusual
                yield from child.ask_together(job)
            finally:
                child.close()
        except RoomLost:
            raise Unusual from None

    def survey(self, jobs: Iterable[Job]) -> Iterator[list[Run]]:
        """See `Sandbox.survey`."""
        child: Container | None = None
        surveyed, before = 0, None
        try:
            for job in jobs:
                room = job.framework, job.limits
                if child is not None and (surveyed == SURVEYED or room != before):
                    child.close()
                    child = None
                surveyed, before = (0 if child is None else surveyed) + 1, room
                child, runs = self._surveyed(job, child)
                yield runs
        finally:
            if child is not None:
                child.close()

    def _surveyed(self, job: Job, child: Container | None) -> tuple[Container | None, list[Run]]:
        """Asks all cases of one program at once; those that are large or end otherwise one by one,
        in containers of their own.

        Returns the container only if it can take another program.
        """
        small = sum(t.nbytes for c in job.cases for t in c.tensors().values()) <= SURVEYED_BYTES
        try:
            if small and job.cases:
                child = child or self.room(job.framework).take(job.limits.memory_mib)
                if child.load(job) is None:
                    return child, list(child.ask_together(job, SURVEYED_BYTES))
        except (Unusual, RoomLost):
            pass
        if child is not None:
            child.close()
        return None, list(self.run(job))

    def trace(self, job: Job) -> tuple[Run, Traced]:
        """See `Sandbox.trace`."""
        (case,) = job.cases
        memory_mib = case.memory_mib or job.limits.memory_mib
        budget = Budget(job.limits.total_s)
        child, run = self._answer(replace(job, trace=True), 0, case, None, memory_mib, budget)
        if child is None:
            return run, Traced()
        try:
            _, frame = child.exchange(encode({"frame": "trace"}, {}), TRACED, job.limits)
            return run, decode(*frame) if frame is not None else Traced()
        except RoomLost:
            return run, Traced()
        finally:
            child.close()

    def _answer(
        self,
        job: Job,
        index: int,
        case: Case,
        child: Container | None,
        memory_mib: int,
        budget: Budget,
        then: Callable[[Container], None] | None = None,
    ) -> tuple[Container | None, Run]:
        """Asks one case, in a new child where there is none. `then` is for `Container.ask`.

        Returns the child only if it can take another case.
        """
        for _ in range(2):
            try:
                if child is None:
                    child = self.room(job.framework).take(memory_mib)
                    failed = child.load(job, budget)
                    if failed is not None:
                        return None, replace(failed, case=case.name)
                run = child.ask(job, index, case, then)
                if run.ended in GOES_ON and child.open:
                    return child, run
                # after an end that the child itself reports, such as a result too large, it waits
                child.close()
                return None, run
            except RoomLost:
                if child is not None:
                    child.drop()
                child = None
        return None, Run(case.name, Ended.LOST, error=Failure("room", "the room was lost twice"))

    def prepare(self, framework: Framework) -> None:
        """See `Sandbox.prepare`."""
        room = self.rooms.started(framework)
        if room is not None:
            room.later(partial(room.refill, 1))

    @contextmanager
    def session(self, job: Job) -> Iterator[Session]:
        """See `Sandbox.session`."""
        session = Session(job, partial(self._answer_next, job))
        try:
            yield session
        finally:
            session.close()

    def _answer_next(
        self, job: Job, index: int, case: Case, child: Container | None, budget: Budget
    ) -> tuple[Container | None, Run]:
        return self._answer(job, index, case, child, job.limits.memory_mib, budget)

    def generate(self, source: str, framework: Framework, seed: int) -> list[Case]:
        """See `Sandbox.generate`."""
        make = partial(generation.cases, source=source, seed=seed)
        return self._made(framework, CASES_MIB, make)

    def evaluate(self, source: str, framework: Framework) -> generation.Written:
        """See `Sandbox.evaluate`."""
        return self._made(framework, INPUTS_MIB, partial(generation.inputs, source=source))

    def compute(self, program: generation.Program) -> generation.Computed:
        """See `Sandbox.compute`."""
        make = partial(generation.lesson, program=program)
        return self._made(Framework.NUMPY, LESSON_MIB, make)

    @contextmanager
    def assembled(self, assembly: Assembly) -> Iterator[Assembled]:
        """See `Sandbox.assembled`."""
        child = self.room(Framework.TORCH).take(MEMORY_MIB)
        try:
            model = Assembled(child, assembly)
            model.load()
            yield model
        finally:
            child.close()

    def _made(self, framework: Framework, memory_mib: int, make: Callable[[Container], T]) -> T:
        """What a fresh container makes; it is made again when the room is lost once."""
        for attempt in range(2):
            try:
                child = self.room(framework).take(memory_mib)
                try:
                    return make(child)
                finally:
                    child.close()
            except RoomLost:
                if attempt:
                    raise
        raise AssertionError


def _begin(job: Job, index: int, budget: Budget, child: Container) -> None:
    """Starts the next case, if this child is to have one, while the caller reads and compares the
    result of the last one.
    """
    if index < len(job.cases) and budget.left_s > 0:
        case = job.cases[index]
        if child.memory_mib == (case.memory_mib or job.limits.memory_mib):
            child.begin(job, index, case)
