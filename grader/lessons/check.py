"""Checks what a lesson names, shows and says: the rules of `grade lessons`.

Each finding is a sentence that names the file, and the line where there is one.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from grader.errors import ProblemError
from grader.findings.text import T_, Text, told
from grader.lessons.compute import Problems, compute, run
from grader.lessons.definition import Lesson, Values
from grader.lessons.figures import figure
from grader.lessons.formats import formatted
from grader.lessons.soundness import unsound
from grader.lessons.text import Kind, Place, pieces, places
from grader.problem import did_you_mean
from grader.sandbox import Sandbox


def check(
    lesson: Lesson, problems: Problems, lessons: Sequence[Lesson], box: Sandbox
) -> list[Text | str]:
    """Returns everything that is wrong with a lesson; runs its program twice."""
    known = {each.slug: each for each in lessons}
    try:
        values = compute(lesson, problems, box)
        findings: list[Text | str] = [
            *unshowable(lesson, values),
            *unsound(lesson, values),
            *_names(lesson, problems, known),
        ]
        if run(lesson, problems, box) != values:
            path = str(lesson.folder / "lesson.py")
            findings.append(
                T_("%(path)s: two runs give different values; seed what it draws", path=path)
            )
    except ProblemError as error:
        return [told(error)]
    return [*findings, *_place(lesson, known), *_languages(lesson)]


def unshowable(lesson: Lesson, values: Values) -> Iterator[Text]:
    """What of a lesson a page cannot show: its figures, formats and regions."""
    for language in lesson.texts:
        for place in _places(lesson, language):
            try:
                _show(lesson, place, values, language)
            except ProblemError as error:
                yield _at(lesson, language, place, told(error))


def _at(lesson: Lesson, language: str, place: Place, what: Text | str) -> Text:
    path = str(lesson.file(language))
    return T_("%(path)s, line %(line)d: %(what)s", path=path, line=place.line, what=what)


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


def _names(lesson: Lesson, problems: Problems, known: Mapping[str, Lesson]) -> Iterator[Text]:
    """Problems, lessons and mistakes that are not there."""
    toml = str(lesson.folder / "lesson.toml")
    for slug in lesson.problems:
        where = T_("%(path)s: 'problems' has '%(slug)s'", path=toml, slug=slug)
        yield from _missing(where, T_("problem"), slug, problems)
    for slug in lesson.requires:
        where = T_("%(path)s: 'requires' has '%(slug)s'", path=toml, slug=slug)
        yield from _missing(where, T_("lesson"), slug, known)
    for language in lesson.texts:
        for place in _places(lesson, language):
            where = _at(lesson, language, place, f"'{place.name}'")
            yield from _named(where, place, problems, known)


def _named(
    where: Text, place: Place, problems: Problems, known: Mapping[str, Lesson]
) -> Iterator[Text]:
    """What one place of a text names and is not there."""
    if place.kind is Kind.PROBLEM:
        yield from _missing(where, T_("problem"), place.name, problems)
    elif place.kind is Kind.LESSON:
        yield from _missing(where, T_("lesson"), place.name, known)
    elif place.kind is Kind.MISTAKE:
        slug, _, name = place.name.partition("/")
        yield from _missing(where, T_("problem"), slug, problems)
        if slug in problems:
            mistakes = [mistake.name for mistake in problems[slug].mistakes]
            yield from _missing(where, T_("mistake of %(slug)s", slug=slug), name, mistakes)


def _missing(where: Text, kind: Text, name: str, known: Any) -> Iterator[Text]:
    if name not in known:
        meant = did_you_mean(name, known)
        yield T_("%(place)s names no %(kind)s%(meant)s", place=where, kind=kind, meant=meant)


def _place(lesson: Lesson, known: Mapping[str, Lesson]) -> Iterator[Text]:
    """Its place among the lessons."""
    toml = str(lesson.folder / "lesson.toml")
    for other in known.values():
        if other.slug != lesson.slug and other.order == lesson.order:
            yield T_(
                "%(path)s: 'order' is %(order)d, as that of '%(slug)s'; give each its own",
                path=toml,
                order=lesson.order,
                slug=other.slug,
            )
    for slug in lesson.requires:
        if slug in known and known[slug].order >= lesson.order:
            yield T_(
                "%(path)s: 'requires' has '%(slug)s', whose order is %(order)d; it must be below"
                " %(own)d",
                path=toml,
                slug=slug,
                order=known[slug].order,
                own=lesson.order,
            )


def _languages(lesson: Lesson) -> Iterator[Text]:
    """Both languages show the same things."""
    first = Counter((p.kind, p.name) for p in _places(lesson, "en"))
    for language in lesson.texts:
        other = Counter((p.kind, p.name) for p in _places(lesson, language))
        for kind, name in sorted((first - other) + (other - first)):
            yield T_(
                "%(path)s: '[[%(kind)s: %(name)s]]' is there %(count)d times, in lesson.md"
                " %(due)d times",
                path=str(lesson.file(language)),
                kind=str(kind),
                name=name,
                count=other[kind, name],
                due=first[kind, name],
            )
