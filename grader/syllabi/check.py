"""Checks a syllabus against the lessons and problems of its bank."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from grader.findings.text import T_, Text
from grader.lessons import Lesson
from grader.problem import Problem, did_you_mean
from grader.syllabi.definition import Syllabus


@dataclass(frozen=True, slots=True)
class _Shelf:
    """All of one kind: what each requires, and what came before."""

    key: str  # of a week
    requires: Mapping[str, tuple[str, ...]]
    before: set[str] = field(default_factory=set)


def faults(
    syllabus: Syllabus,
    lessons: Sequence[Lesson],
    problems: Sequence[Problem],
    others: Iterable[Syllabus] = (),
) -> list[Text]:
    """Returns what keeps a syllabus from being used with this bank: lessons and problems that are
    not there, and those that come before what they require. What another gives that it follows
    comes before all of it.
    """
    shelves = (
        _Shelf("lessons", {each.slug: each.requires for each in lessons}),
        _Shelf("problems", {each.slug: each.requires for each in problems}),
    )
    findings = list(_follow(syllabus, {each.name: each for each in others}, shelves))
    for number, week in enumerate(syllabus.weeks, 1):
        place = f"{syllabus.path}: week {number}"
        for shelf in shelves:
            findings += _misplaced(place, getattr(week, shelf.key), shelf)
        known = shelves[1].requires
        for slug in dict.fromkeys(slug for slug, _ in week.practice):
            if slug not in known:
                findings.append(_unknown(place, "practice", slug, known))
    return findings


def _follow(
    syllabus: Syllabus, others: Mapping[str, Syllabus], shelves: Iterable[_Shelf]
) -> Iterator[Text]:
    """Puts what the followed syllabus gives before everything."""
    if not syllabus.follows:
        return
    followed = others.get(syllabus.follows)
    if followed is None or syllabus.follows == syllabus.name:
        yield T_(
            "%(place)s: 'follows' has '%(name)s', which is not another syllabus that can be"
            " read%(meant)s",
            place=str(syllabus.path),
            name=syllabus.follows,
            meant=did_you_mean(syllabus.follows, others.keys() - {syllabus.name}),
        )
        return
    for week in followed.weeks:
        for shelf in shelves:
            shelf.before.update(getattr(week, shelf.key))


def _misplaced(place: str, slugs: Iterable[str], shelf: _Shelf) -> Iterator[Text]:
    """What is wrong with the lessons or the problems of a week, which join those before."""
    for slug in slugs:
        if slug not in shelf.requires:
            yield _unknown(place, shelf.key, slug, shelf.requires)
        for missing in sorted(set(shelf.requires.get(slug, ())) - shelf.before):
            yield T_(
                "%(place)s: '%(slug)s' requires '%(missing)s', which does not come before it; give"
                " that earlier in '%(key)s', or leave '%(slug)s' out",
                place=place,
                slug=slug,
                missing=missing,
                key=shelf.key,
            )
        shelf.before.add(slug)


def _unknown(place: str, key: str, slug: str, known: Iterable[str]) -> Text:
    return T_(
        "%(place)s: '%(key)s' has '%(slug)s', which the bank does not have%(meant)s",
        place=place,
        key=key,
        slug=slug,
        meant=did_you_mean(slug, known),
    )


def untranslated(syllabus: Syllabus) -> list[Text]:
    """Returns the Chinese texts that are missing from a syllabus that has some: half of a
    translation is a slip, none at all is a choice.
    """
    texts = [("", "title_zh", syllabus.title_zh)]
    if syllabus.summary:
        texts.append(("", "summary_zh", syllabus.summary_zh))
    texts += [
        (f" week {number}:", "title_zh", week.title_zh)
        for number, week in enumerate(syllabus.weeks, 1)
    ]
    if not any(text for _, _, text in texts):
        return []
    return [
        T_(
            "%(place)s '%(key)s' is missing, and other texts are there in Chinese; add it",
            place=f"{syllabus.path}:{where}",
            key=key,
        )
        for where, key, text in texts
        if not text
    ]
