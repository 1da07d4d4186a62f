"""The parts of the model: which problem makes each, and whose solution it is."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from grader.capstone.weights import config, weights
from grader.model import Framework, Submission
from grader.problem import Problem
from grader.sandbox.assembly import Assembly, Source

# in the order in which a learner meets them
SLUGS = (
    "stable_softmax",
    "split_and_merge_heads",
    "rotary_embedding",
    "kv_cache",
    "rms_norm",
    "feed_forward",
    "transformer_block",
    "sampling",
)


@dataclass(frozen=True, slots=True)
class Part:
    """A part: the problem, the source that is used, and whether it is the learner's own."""

    problem: Problem
    submission: Submission
    own: bool

    @property
    def digest(self) -> str:
        """Identifies the source."""
        return hashlib.sha256(self.submission.source.encode("utf-8", "surrogatepass")).hexdigest()


def parts(
    problems: Mapping[str, Problem], own: Mapping[str, Submission] | None = None
) -> tuple[Part, ...]:
    """Returns every part: a solution of the learner's own where there is one, else the reference.

    `own` has accepted solutions by slug. Raises `KeyError` for a problem that is not there.
    """
    mine = own or {}
    return tuple(
        Part(problems[slug], mine.get(slug) or reference(problems[slug]), slug in mine)
        for slug in SLUGS
    )


def reference(problem: Problem) -> Submission:
    """Returns what stands in for a part that nobody has written yet."""
    return Submission(Framework.TORCH, problem.references[Framework.TORCH])


def assembly(chosen: tuple[Part, ...]) -> Assembly:
    """Returns what goes into the room."""
    sources = (
        Source(part.problem.slug, Framework(part.submission.framework), part.submission.source)
        for part in chosen
    )
    return Assembly(tuple(sources), weights(), config())
