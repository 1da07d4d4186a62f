"""The titles of problems and lessons, in the reader's language."""

from grader.lessons import Lesson
from grader.problem import Problem
from server.web.context import service
from server.web.texts import language


def problem_title(problem: Problem) -> str:
    """The problem's title in the reader's language."""
    return problem.title_zh if language() == "zh" and problem.title_zh else problem.title


def titled(slug: str) -> str:
    """The title of the problem of that name; the name itself where it is no longer there."""
    problem = service().bank.get(slug)
    return problem_title(problem) if problem is not None else slug


def lesson_title(lesson: Lesson) -> str:
    """The lesson's title in the reader's language."""
    return lesson.title_zh if language() == "zh" and lesson.title_zh else lesson.title
