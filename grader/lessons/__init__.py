"""Lessons: reads the folder of a lesson, computes its values in the room, and checks its figures
and questions.

Knows problems, for the references that a lesson calls, and the sandbox. Knows no page and no
submission; what a lesson looks like is the service's business.
"""

from grader.lessons.check import check, unshowable
from grader.lessons.compute import compute, digest_of
from grader.lessons.definition import Lesson, Values
from grader.lessons.figures import Figure, figure
from grader.lessons.formats import formatted
from grader.lessons.loading import load, load_lessons, slugs
from grader.lessons.questions import Choice, Question, QuestionKind
from grader.lessons.text import Kind, Piece, Place, pieces, places
from grader.lessons.uses import Use, uses
from grader.lessons.why import read_why
from grader.lessons.words import Word, read_words

__all__ = [
    "Choice",
    "Figure",
    "Kind",
    "Lesson",
    "Piece",
    "Place",
    "Question",
    "QuestionKind",
    "Use",
    "Values",
    "Word",
    "check",
    "compute",
    "digest_of",
    "figure",
    "formatted",
    "load",
    "load_lessons",
    "pieces",
    "places",
    "read_why",
    "read_words",
    "slugs",
    "unshowable",
    "uses",
]
