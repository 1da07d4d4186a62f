"""What the panel of a verdict says beside the numbers: each finding once, for all its cases."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from grader.verdict.grouping import Group
from grader.verdict.translate import Translator
from server.web.texts import translate, words_of

NAMES = 4  # of cases, in one line


@dataclass(frozen=True, slots=True)
class Wrong:
    """One finding: in which cases, what it is, and whether public inputs show it."""

    where: str
    message: str
    public: bool


def wrong_in(verdict: Mapping[str, Any]) -> list[Wrong]:
    """Returns what is wrong, in the reader's language; empty where a teacher shows no details."""
    words, total = words_of(verdict["problem"]), len(verdict["cases"])
    return [
        Wrong(_where(group, total, words), words.group(group), group.public)
        for group in words.groups(verdict)
    ]


def _where(group: Group, total: int, words: Translator) -> str:
    count, names = len(group.cases), [words.case(case.name) for case in group.cases]
    if count == 1 and group.example.sample:
        return translate("Sample: %(case)s", case=names[0])
    if count == 1:
        return names[0]
    if not group.same:
        return translate("In %(count)s cases, such as %(first)s", count=count, first=names[0])
    if count == total:
        return translate("In all %(count)s cases", count=count)
    more = " …" if count > NAMES else ""
    listed = translate(", ").join(names[:NAMES]) + more
    return translate("In %(count)s cases: %(names)s", count=count, names=listed)
