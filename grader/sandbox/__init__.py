"""The outside half of the sandbox: starts rooms, sends one case at a time, keeps the clock, kills,
and reads what comes out.

It knows problems and limits, never answers: it imports nothing of `answers`, `compare`, `diagnose`
or `judge`.

Theory of operation
-------------------

A `ZygoteClient` is one launched zygote (see `grader/inside/zygote.py`) and the control socket to
it. A `Container` is a fresh one, cloned for one submission, with a data socket and a pipe for what
it prints. The two channels never meet: a child's end of the data socket is handed to the zygote by
descriptor passing, and the control socket is closed in the child. One child is always cloned in
advance and waits, so that a verdict does not pay for the clone; none is ever used twice.

The clock and the kill are here. Hidden cases go in one at a time, so a submission cannot read
ahead; quick public ones may all be sent at once. When
a child dies in case k, k has its end and a new child goes on with the rest, at most `MAX_CHILDREN`
times. Each call has its clock, and all loads and calls together have one: when `Limits.total_s` is
over, the running case ends and no later one is asked. When the room itself dies, it is started anew
and the case asked again; a second loss ends the run as `LOST`, which is never the learner's fault.

A `Run` holds facts (a tensor came, a process ended). `grader/verdict/outcome.py` judges whether
they are right.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grader.sandbox.ends import Unusual, ordinary
    from grader.sandbox.generation import Computed, Program
    from grader.sandbox.job import Job, parts, wanted, with_sources
    from grader.sandbox.keep import Keep
    from grader.sandbox.pool import SandboxPool, open_sandbox
    from grader.sandbox.protocol import Sandbox
    from grader.sandbox.traced import Step, Traced

__all__ = [
    "Computed",
    "Job",
    "Keep",
    "Program",
    "Sandbox",
    "SandboxPool",
    "Step",
    "Traced",
    "Unusual",
    "open_sandbox",
    "ordinary",
    "parts",
    "wanted",
    "with_sources",
]

# Each of these names is imported at its first use: most of them need NumPy, and a room can start
# before that (`grader.sandbox.rooms`).
MODULES = {
    "Computed": "generation",
    "Job": "job",
    "Keep": "keep",
    "Program": "generation",
    "Sandbox": "protocol",
    "SandboxPool": "pool",
    "Step": "traced",
    "Traced": "traced",
    "Unusual": "ends",
    "open_sandbox": "pool",
    "ordinary": "ends",
    "parts": "job",
    "wanted": "job",
    "with_sources": "job",
}


def __getattr__(name: str) -> Any:
    if name not in MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{MODULES[name]}"), name)
