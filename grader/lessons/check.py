"""Checks what a lesson names, shows and says: the rules of `grade lessons`.

Each finding is a sentence that names the file, and the line where there is one.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from grader.errors import ProblemError
from grader.findings.text import T_
from grader.lessons.compute import Problems, compute, run
from grader.lessons.definition import Lesson, Values
from grader.lessons.figures import figure
from grader.lessons.formats import formatted
from grader.lessons.soundness import unsound
from grader.lessons.text import Kind, Place, pieces, places
from grader.problem import did_you_mean
from grader.sandbox import Sandbox


def check(lesson: Lesson, problems: Problems, lessons: Sequence[Lesson], box: Sandbox) -> list[str]:
    """Returns everything that is wrong with a lesson; runs its program twice."""
    known = {each.slug: each for each in lessons}
    try:
        values = compute(lesson, problems, box)
        findings = [
            *unshowable(lesson, values),
            *unsound(lesson, values),
            *_names(lesson, problems, known),
        ]
        if run(lesson, problems, box) != values:
            findings.append(
                f"{lesson.folder / 'lesson.py'}: two runs give different values; seed what it draws"
            )
    except ProblemError as error:
        return [str(error)]
    return [*findings, *_place(lesson, known), *_languages(lesson)]


def unshowable(lesson: Lesson, values: Values) -> Iterator[str]:
    """What of a lesson a page cannot show: its figures, formats and regions."""
    for language in lesson.texts:
        for place in _places(lesson, language):
            try:
                _show(lesson, place, values, language)
            except ProblemError as error:
                yield f"{lesson.file(language)}, line {place.line}: {error}"


def _show(lesson: Lesson, place: Place, values: Values, language: str) -> None:
    match place.kind:
        case Kind.FIGURE:
            figure(place.name, values[place.name], "lesson.py", language)
        case Kind.VALUE:
            formatted(place.name, values[place.name], place.format)
        case Kind.CODE if place.name not in lesson.regions:
            meant = did_you_mean(place.name, lesson.regions)
            raise ProblemError(
                T_("lesson.py has no region '# [%(name)s]'%(meant)s", name=place.name, meant=meant)
            )


def _places(lesson: Lesson, language: str) -> list[Place]:
    return list(places(pieces(lesson.texts[language], lesson.file(language))))


def _names(lesson: Lesson, problems: Problems, known: Mapping[str, Lesson]) -> Iterator[str]:
    """Problems, lessons and mistakes that are not there."""
    toml = lesson.folder / "lesson.toml"
    for slug in lesson.problems:
        yield from _missing(f"{toml}: 'problems' has '{slug}'", "problem", slug, problems)
    for slug in lesson.requires:
        yield from _missing(f"{toml}: 'requires' has '{slug}'", "lesson", slug, known)
    for language in lesson.texts:
        for place in _places(lesson, language):
            where = f"{lesson.file(language)}, line {place.line}: '{place.name}'"
            if place.kind is Kind.PROBLEM:
                yield from _missing(where, "problem", place.name, problems)
            elif place.kind is Kind.LESSON:
                yield from _missing(where, "lesson", place.name, known)
            elif place.kind is Kind.MISTAKE:
                slug, _, name = place.name.partition("/")
                yield from _missing(where, "problem", slug, problems)
                if slug in problems:
                    mistakes = [mistake.name for mistake in problems[slug].mistakes]
                    yield from _missing(where, f"mistake of {slug}", name, mistakes)


def _missing(where: str, kind: str, name: str, known: Any) -> Iterator[str]:
    if name not in known:
        yield f"{where} names no {kind}{did_you_mean(name, known)}"


def _place(lesson: Lesson, known: Mapping[str, Lesson]) -> Iterator[str]:
    """Its place among the lessons."""
    toml = lesson.folder / "lesson.toml"
    for other in known.values():
        if other.slug != lesson.slug and other.order == lesson.order:
            yield f"{toml}: 'order' is {lesson.order}, as that of '{other.slug}'; give each its own"
    for slug in lesson.requires:
        if slug in known and known[slug].order >= lesson.order:
            yield (
                f"{toml}: 'requires' has '{slug}', whose order is {known[slug].order}; it must be"
                f" below {lesson.order}"
            )


def _languages(lesson: Lesson) -> Iterator[str]:
    """Both languages show the same things."""
    first = Counter((p.kind, p.name) for p in _places(lesson, "en"))
    for language in lesson.texts:
        other = Counter((p.kind, p.name) for p in _places(lesson, language))
        for kind, name in sorted((first - other) + (other - first)):
            counts = f"{other[kind, name]} times, in lesson.md {first[kind, name]} times"
            yield f"{lesson.file(language)}: '[[{kind}: {name}]]' is there {counts}"
