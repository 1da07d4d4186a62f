"""What pages show of the capstone's model: its parts, and how many of them are a learner's own."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from grader.capstone.parts import SLUGS
from grader.problem import Problem
from server.messages import Message
from server.models.submissions import Submission
from server.services.capstone import solutions
from server.web.context import reading, service

TASKS: Mapping[str, Message] = {
    "stable_softmax": Message("turns scores into weights"),
    "split_and_merge_heads": Message("cuts characters into heads and joins them again"),
    "rotary_embedding": Message("tells a head how far apart two characters are"),
    "kv_cache": Message("keeps the keys and values of what is written already"),
    "rms_norm": Message("brings what a layer reads to one size"),
    "feed_forward": Message("works on each character by itself"),
    "transformer_block": Message("is a whole layer"),
    "sampling": Message("chooses the next character"),
}


@dataclass(frozen=True, slots=True)
class PartRow:
    """A part of the model as a page lists it; `submission` is what is used of the learner's."""

    problem: Problem
    task: Message
    submission: Submission | None


@dataclass(frozen=True, slots=True)
class Standing:
    """How many parts are one's own, of how many."""

    own: int
    total: int


def part_rows(user_id: int) -> list[PartRow] | None:
    """The parts in order; None where the bank does not have them all."""
    problems = solutions.problems(service().bank)
    if problems is None:
        return None
    own = solutions.accepted(reading(), user_id)
    return [PartRow(problems[slug], TASKS[slug], own.get(slug)) for slug in SLUGS]


def speaks_alone(user_id: int, rows: list[PartRow]) -> bool:
    """Does the reference speak alone, although some parts are the learner's own?"""
    own = {row.problem.slug for row in rows if row.submission is not None}
    return bool(own) and not solutions.may_meet(reading(), user_id, own)


def standing(solved: Collection[str]) -> Standing | None:
    """For the link to the model, given what is solved; None where there is no model."""
    if solutions.problems(service().bank) is None:
        return None
    return Standing(len(set(solved) & set(SLUGS)), len(SLUGS))
