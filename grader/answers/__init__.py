"""The answers: what the reference brings back in the room, in float64, with measured tolerances.

It may know the sandbox and how a run is compared. It knows no submission and no verdict. Answers
are cached in memory and on disk, by the problem's slug, its digest and the seed; the cache may be
deleted at any time.
"""

from grader.answers.answer import Answer, Answers
from grader.answers.cases import generate, generate_anew
from grader.answers.draw import answers_of
from grader.answers.lookup import answers_for, chosen_answers, public_answers, sample_answers
from grader.answers.reference import CPU_TRIES, Evaluation, plain, reference_cpu, run_reference
from grader.answers.tolerance import FLOOR, MARGIN, SMALL, STATISTIC_MARGIN

__all__ = [
    "CPU_TRIES",
    "FLOOR",
    "MARGIN",
    "SMALL",
    "STATISTIC_MARGIN",
    "Answer",
    "Answers",
    "Evaluation",
    "answers_for",
    "answers_of",
    "chosen_answers",
    "generate",
    "generate_anew",
    "plain",
    "public_answers",
    "reference_cpu",
    "run_reference",
    "sample_answers",
]
