"""Computes the values of a lesson and the answers of its questions: by running its program in the
room, or from what is kept of an earlier run.

A kept value belongs to the lesson, to the references that it calls and to the code of the judge:
when one of them changes, the program runs again.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from grader import cache, storage
from grader.engine import engine
from grader.errors import ProblemError
from grader.findings.catalogue import N_
from grader.findings.text import T_, Text
from grader.lessons.definition import Lesson, Values
from grader.lessons.questions import FILE, Question, QuestionKind
from grader.lessons.text import Kind, pieces, places
from grader.model import Failure, Framework
from grader.problem import Problem, did_you_mean
from grader.sandbox import Computed, Program, Sandbox

Problems = Mapping[str, Problem]
NAMED = (Kind.VALUE, Kind.FIGURE)
LARGEST = 1e15  # answer to a question
NO_PROBLEM = N_("%(path)s: 'uses' has '%(slug)s'%(meant)s, which is not a problem of the bank")
NO_REFERENCE = N_("%(path)s: 'uses' has '%(slug)s', which has no reference in NumPy")


def compute(lesson: Lesson, problems: Problems, sandbox: Sandbox) -> Values:
    """Returns the values that the lesson's texts use and the answers of its questions, from disk or
    by running its program.

    Raises `ProblemError` when the program fails, does not define a name that a text uses, or when
    an answer is no number.
    """
    path = storage.cache_folder() / "lessons" / f"{lesson.slug}-{digest_of(lesson, problems)}"
    kept = _kept(path)
    if kept is None:
        kept = run(lesson, problems, sandbox)
        cache.write(path, {"values": json.dumps(kept)}, {})
    return kept


def _kept(path: Path) -> Values | None:
    stored = cache.read(path)
    try:
        return None if stored is None else dict(json.loads(stored[0]["values"]))
    except (KeyError, ValueError, TypeError):
        return None


def digest_of(lesson: Lesson, problems: Problems) -> str:
    """Identifies the values of a lesson: the same digest, the same values."""
    whole = hashlib.sha256(f"{lesson.digest} {engine()}".encode())
    for each in _bank(lesson, problems):
        whole.update(json.dumps(each, sort_keys=True).encode())
    return whole.hexdigest()[:32]


def run(lesson: Lesson, problems: Problems, sandbox: Sandbox) -> Values:
    """Runs the program. Raises `ProblemError`."""
    names = dict.fromkeys(
        place.name
        for language, text in lesson.texts.items()
        for place in places(pieces(text, lesson.file(language)))
        if place.kind in NAMED
    )
    expressions = tuple(_expressions(lesson))
    program = Program(lesson.program, _bank(lesson, problems), tuple(names), expressions)
    computed = sandbox.compute(program)
    _check(lesson, computed)
    return computed.values


def _expressions(lesson: Lesson) -> Iterator[Mapping[str, Any]]:
    for question, variant, key in _numbers(lesson):
        given = dict(question.given[variant]) if question.given else {}
        yield {"key": key, "text": question.answer, "given": given}


def _numbers(lesson: Lesson) -> Iterator[tuple[Question, int, str]]:
    """The questions whose answer is a number: each variant, with its name among the values."""
    for question in lesson.questions:
        if question.kind is QuestionKind.NUMBER:
            for variant in range(max(1, len(question.given))):
                yield question, variant, question.key(variant)


def _bank(lesson: Lesson, problems: Problems) -> tuple[Mapping[str, object], ...]:
    """What lesson.py may import from `bank`."""
    return tuple(
        {
            "slug": slug,
            "entries": [entry.name for entry in problems[slug].entries],
            "source": problems[slug].references[Framework.NUMPY],
        }
        for slug in _used(lesson, problems)
    )


def _used(lesson: Lesson, problems: Problems) -> tuple[str, ...]:
    path = str(lesson.folder / "lesson.toml")
    for slug in lesson.uses:
        if slug not in problems:
            meant = did_you_mean(slug, problems)
            raise ProblemError(T_(NO_PROBLEM, path=path, slug=slug, meant=meant))
        if Framework.NUMPY not in problems[slug].references:
            raise ProblemError(T_(NO_REFERENCE, path=path, slug=slug))
    return lesson.uses


def _check(lesson: Lesson, computed: Computed) -> None:
    path = str(lesson.folder / "lesson.py")
    if computed.failure is not None:
        raise ProblemError(_failed(path, computed.failure))
    _check_answers(lesson, computed)
    for name, why in computed.unfit.items():
        raise ProblemError(T_("%(path)s: '%(name)s' is %(why)s", path=path, name=name, why=why))
    for language, text in lesson.texts.items():
        file = lesson.file(language)
        for place in places(pieces(text, file)):
            if place.kind in NAMED and place.name not in computed.values:
                words = T_(
                    "%(path)s, line %(line)d: lesson.py defines no '%(name)s'%(meant)s",
                    path=str(file),
                    line=place.line,
                    name=place.name,
                    meant=did_you_mean(place.name, computed.values),
                )
                raise ProblemError(words)


def _failed(path: str, failure: Failure) -> Text:
    words = f"{failure.type}: {failure.text}"
    if not failure.lineno:
        return Text("%(path)s: %(error)s", {"path": path, "error": words})
    return T_("%(path)s, line %(line)d: %(error)s", path=path, line=failure.lineno, error=words)


def _check_answers(lesson: Lesson, computed: Computed) -> None:
    for question, variant, key in _numbers(lesson):
        value = computed.values.get(key)
        if isinstance(value, int | float) and type(value) is not bool and abs(value) < LARGEST:
            continue
        given = dict(question.given[variant]) if question.given else ""
        words = T_(
            "%(path)s: question '%(name)s': 'answer' is '%(answer)s', which gives"
            " %(value)s%(given)s; it must be a number below %(most)g",
            path=str(lesson.folder / FILE),
            name=question.name,
            answer=question.answer,
            value=computed.unfit.get(key, repr(value)),
            given=T_(" with %(given)s", given=str(given)) if given else "",
            most=LARGEST,
        )
        raise ProblemError(words)
