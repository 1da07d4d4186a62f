"""What a problem consists of, as values."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from grader.errors import UsageError
from grader.findings.text import T_, Text
from grader.frameworks import INSTALL, TITLES, has
from grader.model import Framework, Kind, Limits, Outcome

DIFFICULTIES = ("easy", "medium", "hard")


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of an entry point. A required one is passed by position."""

    name: str
    required: bool


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry point: what a submission must define, and what a call of it returns."""

    name: str
    params: tuple[Parameter, ...]  # of the call; of `forward` for a module
    returns: tuple[str, ...]
    # of the constructor; empty unless the kind is `module` or `class`
    init: tuple[Parameter, ...] = ()
    nested: tuple[str, ...] = ()  # what is returned as dicts, lists or tuples of results
    constructed: bool = False  # of the kind `class`: a class and not a function


@dataclass(frozen=True, slots=True)
class Driver:
    """Code of the author that calls a solution, several times if need be, and returns the results.

    `run` says what a case gives it and what it returns; `init` is that of the first entry point.
    """

    run: Entry
    sources: Mapping[Framework, str]


@dataclass(frozen=True, slots=True)
class Edit:
    """What a mistake changes in a reference: the characters from `start` to `end` become `text`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Mistake:
    """A known mistake: its source in each framework that has one, and a teacher's hint."""

    name: str
    hint: str
    verdict: Outcome
    sources: Mapping[Framework, str]
    # True: its results differ from run to run, so the cases that it fails identify it, not its
    # tensors
    random: bool = False
    rule: str = ""  # of the statement, that it breaks: it fails the cases of that rule and no other
    # by framework, where it is an edit of the reference and not a file of its own
    edits: Mapping[Framework, Edit] = field(default_factory=dict)
    slight: bool = False  # near to the answer in most cases, and far from it in one
    question: str = ""  # what a teacher would ask first; empty means one that fits the finding
    # by framework, the same mistake with other numbers, such as another size of blocks
    variants: Mapping[Framework, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Right:
    """Another right solution, which must be accepted."""

    name: str
    framework: Framework
    source: str

    @property
    def note(self) -> str:
        """What its first line says of it, if that is a comment."""
        first = self.source.partition("\n")[0]
        return first.lstrip("# ") if first.startswith("#") else ""


@dataclass(frozen=True, slots=True)
class Words:
    """What a learner reads of a problem in another language, beside its statement.

    The keys are the names in mistakes.toml and cases.py, and of the other right solutions.
    """

    hints: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)
    questions: Mapping[str, str] = field(default_factory=dict)
    right: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rules:
    """What a submission may not use, in addition to what `grader/inside/rules.py` forbids."""

    forbid: tuple[str, ...] = ()
    imports: bool = True


@dataclass(frozen=True, slots=True)
class Problem:
    """Everything that an instructor wrote, with its form checked."""

    slug: str
    title: str
    title_zh: str
    track: str
    order: int
    difficulty: str
    declared: tuple[Framework, ...]  # what it can be solved in
    # those of them that are installed here; all of them where none is
    frameworks: tuple[Framework, ...]
    kind: Kind
    source: str
    requires: tuple[str, ...]
    entries: tuple[Entry, ...]
    shapes: Mapping[str, tuple[str, ...]]
    limits: Limits
    rules: Rules
    tolerance: float | None
    statements: Mapping[str, str]  # by language: en, zh
    starters: Mapping[Framework, str]
    references: Mapping[Framework, str]
    cases: str  # the source of cases.py
    mistakes: tuple[Mistake, ...]
    digest: str  # over all files
    judging_digest: str  # over what decides which programs are accepted
    folder: Path
    words: Mapping[str, Words] = field(default_factory=dict)  # by language: zh
    # why the cases accept wrong mutants of the references, by the text of each
    survivors: Mapping[str, str] = field(default_factory=dict)
    # names of the rules that the statement lists, by language, in the same order
    statement_rules: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    driver: Driver | None = None  # runs the cases that name no entry point
    right: tuple[Right, ...] = ()

    @property
    def missing(self) -> tuple[Framework, ...]:
        """The declared frameworks that are not installed here."""
        return tuple(framework for framework in self.declared if not has(framework))

    @property
    def runnable(self) -> bool:
        """Whether a framework of the problem is installed here."""
        return len(self.missing) < len(self.declared)

    def named(self, name: str) -> Framework:
        """Returns the framework of that name, installed or not.

        Raises `UsageError` when the problem does not have it.
        """
        if name not in self.declared:
            words = T_(
                "%(slug)s is not for %(name)s; it is for %(frameworks)s (--framework)",
                slug=self.slug,
                name=name,
                frameworks=_together(self.declared),
            )
            raise UsageError(words)
        return Framework(name)

    def framework(self, name: str) -> Framework:
        """Returns the framework of that name, in which solutions can be judged.

        Raises `UsageError` when the problem does not have it, or it is not installed here.
        """
        framework = self.named(name)
        if not has(framework):
            words = T_(
                "%(slug)s: %(title)s is not installed here, so nothing written in it can be"
                " judged; install it: %(command)s",
                slug=self.slug,
                title=TITLES[framework],
                command=INSTALL,
            )
            raise UsageError(words)
        return framework

    def forms(self, name: str) -> tuple[str, ...]:
        """Returns the declared forms of a tensor: an argument, a result, a statistic or gradient of
        one, or a leaf, where an index may be left out (`blocks[]`).
        """
        plain = re.sub(r"^(grad|after|mean|least|most|spread)\.", "", name)
        for known in (plain, re.sub(r"\[\d+\]", "[]", plain)):
            if known in self.shapes:
                return self.shapes[known]
        return ()

    @property
    def first(self) -> Entry:
        """What a case calls that names nothing: the driver, or the first entry point."""
        return self.driver.run if self.driver else self.entries[0]

    @property
    def makes_objects(self) -> bool:
        """Whether the first entry point is a class, of which a driver can make objects."""
        return self.kind is Kind.MODULE or self.entries[0].constructed

    @property
    def called(self) -> tuple[Entry, ...]:
        """What cases can call, the default first."""
        return (self.driver.run,) if self.driver else self.entries

    def entry(self, name: str = "") -> Entry:
        """Returns the entry point of that name, else `first`. Raises `KeyError`."""
        if not name:
            return self.first
        return {e.name: e for e in self.entries}[name]


def _together(names: Sequence[str]) -> Text | str:
    """Joins one or two names."""
    first, *second = map(str, names)
    return T_("%(first)s and %(second)s", first=first, second=second[0]) if second else first
