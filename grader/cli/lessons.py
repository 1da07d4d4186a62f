"""`grade lessons`: lessons -> what is wrong with each, and an exit status."""

from collections.abc import Sequence

from rich.console import Console

from grader.cli.language import _
from grader.cli.language import chosen as language
from grader.findings.catalogue import catalogue
from grader.findings.text import said
from grader.lessons import Lesson, check
from grader.problem import Problem
from grader.sandbox import Sandbox


def check_lessons(
    chosen: Sequence[Lesson],
    lessons: Sequence[Lesson],
    problems: Sequence[Problem],
    sandbox: Sandbox,
    out: Console,
) -> int:
    """Checks the chosen lessons among all of the bank, and prints each finding.

    Returns 0 when nothing is wrong, else 1.
    """
    by_slug = {problem.slug: problem for problem in problems}
    wrong = 0
    for lesson in chosen:
        with out.status(lesson.slug):
            findings = check(lesson, by_slug, lessons, sandbox)
        wrong += bool(findings)
        out.print(f"{'✕' if findings else '✓'} {lesson.slug}", markup=False, highlight=False)
        for finding in findings:
            told = said(finding, catalogue(language()))
            out.print(f"  {told}", markup=False, highlight=False, soft_wrap=True)
    words = _("%(fit)d of %(total)d lessons are fit to use")
    out.print(words % {"fit": len(chosen) - wrong, "total": len(chosen)})
    return 1 if wrong else 0
