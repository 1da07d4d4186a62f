"""A job for the room: one program, the calls to make of it, and the frames that carry them."""

import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass, replace
from typing import Any

from grader.case import Case, root
from grader.inside.frames import FrameLimits, encode
from grader.inside.nested import LEAVES
from grader.model import Framework, Kind, Limits
from grader.problem import Driver, Entry, Rules

MIB = 1 << 20
KEPT_BYTES = 1 << 16
LEAF_CHARS = 200  # of the name of a leaf
KEPT_FRAMES = 400  # a twin stands at another place for each set of cases that a submission fails
TABLE_BYTES = 1 << 16  # what the tensors of a frame take beside their own bytes
TRACE_S = 5.0  # after so long, a call that is traced is ended
# what a call needs of a case
CALLED = ("options", "then", "init", "layout", "train", "draws", "nested")

Asked = tuple[bytes, FrameLimits]


@dataclass(frozen=True, slots=True)
class Job:
    """One program to run in the room, and the calls to make of it.

    `rules` None means that no name is forbidden.
    """

    source: str
    framework: Framework
    kind: Kind
    entries: tuple[Entry, ...]
    cases: tuple[Case, ...]
    limits: Limits
    rules: Rules | None = None
    seed: int = 0
    cpu_ms: Mapping[str, float] | None = None  # CPU limit by case name, where a case has one
    # what `asked` returned, kept for the next submission
    frames: MutableMapping[tuple[int, str], Asked] | None = None
    trace: bool = False  # report every value that the program computes
    driver: Driver | None = None  # runs the cases that name no entry point


def with_sources(job: Job, sources: Iterable[str]) -> Iterator[Job]:
    """Yields the job with each source in the place of its own. Its cases are encoded once."""
    shared = replace(job, frames={})
    return (replace(shared, source=source) for source in sources)


@dataclass(slots=True)
class Budget:
    """The wall time that one submission has left, over all its calls and children.

    It runs while the room works for it.
    """

    left_s: float


def bounds(limits: Limits, memory_mib: int, peak_seen: bool = True) -> dict[str, Any]:
    """Returns the limits in the units that a child takes.

    Where the peak of its memory is visible from outside, the address space may be twice the limit,
    so that exceeding the limit shows; elsewhere the limit is hard.
    """
    headroom = 2 if peak_seen else 1
    return {
        "cpu_s": limits.cpu_s,
        "memory_bytes": memory_mib * MIB,
        "output_bytes": limits.output_mib * MIB,
        "headroom": headroom,
    }


def setup(job: Job, memory_mib: int, peak_seen: bool = True) -> dict[str, Any]:
    """Returns the first frame for a child: the source, and the limits to set before it runs."""
    names = (
        [e.name for e in job.entries]
        if job.kind is not Kind.VALUES
        else list(job.entries[0].returns)
    )
    return {
        "mode": "submission",
        "source": job.source,
        "framework": str(job.framework),
        "kind": str(job.kind),
        "names": names,
        "classes": {  # must it be one? Where neither is said, it may
            e.name: e.constructed for e in job.entries if e.constructed or job.kind is Kind.FUNCTION
        },
        "driver": job.driver.sources[job.framework] if job.driver else "",
        "rules": None
        if job.rules is None
        else {"forbid": job.rules.forbid, "imports": job.rules.imports},
        "seed": job.seed,
        "limits": bounds(job.limits, memory_mib, peak_seen),
        "trace": min(TRACE_S, job.limits.wall_s / 2) if job.trace else 0,
    }


def asked(job: Job, index: int, case: Case) -> Asked:
    """Returns the frame that asks for one case, and the limits of the reply.

    They are the same for every submission, so a small one is made once.
    """
    stored = job.frames.get((index, case.name)) if job.frames is not None else None
    if stored is not None:
        return stored
    made = encode(question(job, index, case), case.tensors()), due(job, case)
    if job.frames is not None and len(made[0]) <= KEPT_BYTES and len(job.frames) < KEPT_FRAMES:
        job.frames[index, case.name] = made
    return made


def question(job: Job, index: int, case: Case) -> dict[str, Any]:
    """Returns what a child needs to know to call one case; the tensors are the case's own.

    Nothing in it depends on the submission: see `asked`. What the case must raise, whether it
    is hidden and why it exists stay outside, because a submission can read its whole process.
    """
    entry, last = _called(job, case)
    return {
        "index": index,
        # seeds what is drawn for this case: the random state, and the cotangent
        "salt": zlib.crc32(case.name.encode()),
        "case": {name: getattr(case, name) for name in CALLED},
        "entry": {
            "name": entry.name,
            "params": [(p.name, p.required) for p in entry.params],
            "init": [(p.name, p.required) for p in entry.init],
            "returns": entry.returns,
        },
        "returns": last.returns,
        "wants": wanted(case, last, job.framework),
        "nested": last.nested,
    }


def _called(job: Job, case: Case) -> tuple[Entry, Entry]:
    """Returns the entry point that a case calls, and the one whose result counts."""
    first = job.driver.run if job.driver else job.entries[0]
    entry = next(e for e in job.entries if e.name == case.call) if case.call else first
    return entry, next(e for e in job.entries if e.name == case.then) if case.then else entry


def due(job: Job, case: Case) -> FrameLimits:
    """Returns the limits of a reply: the tensors that the case wants, and the bytes allowed."""
    last = _called(job, case)[1]
    names = frozenset(wanted(case, last, job.framework))
    roots = names & frozenset(last.nested)
    most = max((len(name) for name in names), default=0)
    return FrameLimits(
        job.limits.output_mib * MIB + TABLE_BYTES,
        tensors=len(names) + LEAVES * len(roots),
        name_chars=max(most, LEAF_CHARS) if roots else most,
        names=names,
        roots=roots,
    )


def due_together(job: Job, blob_bytes: int) -> FrameLimits:
    """Returns the limits of each reply where all cases are sent at once."""
    dues = [due(job, case) for case in job.cases]
    return FrameLimits(
        blob_bytes,
        tensors=max(each.tensors for each in dues),
        name_chars=max(each.name_chars for each in dues),
        names=frozenset().union(*(each.names or () for each in dues)),
        roots=frozenset().union(*(each.roots for each in dues)),
    )


def wanted(case: Case, entry: Entry, framework: Framework) -> list[str]:
    """Returns the names of the tensors that a case returns (NumPy has no gradients)."""
    names = list(case.wants or entry.returns)
    if case.draws:
        return [
            want
            for name in names
            for want in ([name] if "." in name else [f"mean.{name}", f"spread.{name}"])
        ]
    return [name for name in names if framework is Framework.TORCH or not name.startswith("grad.")]


def parts(names: Iterable[str], nested: Collection[str], there: Iterable[str]) -> list[str]:
    """Returns the names of results, those that are nested as the leaves that are there."""
    leaves = list(there)
    return [
        leaf
        for name in names
        for leaf in ([n for n in leaves if root(n) == name] if name in nested else [name])
    ]
