"""What `verify` finds out about a problem: broken rules, and a kill matrix for each framework."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from grader.answers import Answer
from grader.findings.text import Text
from grader.model import Framework, Outcome
from grader.problem import Problem


@dataclass(frozen=True, slots=True)
class Finding:
    """One rule that is broken: where, and what to do."""

    rule: int
    where: Text | str
    text: Text | str


@dataclass(frozen=True, slots=True)
class CaseFacts:
    """What was measured of one case in one framework."""

    noise: float
    tolerance: float
    # distance to the nearest mistake, in the unit of the tolerance; None where none differs by
    # value
    nearest: float | None
    nearest_name: str = ""


@dataclass(frozen=True, slots=True)
class Matrix:
    """One framework's kill matrix: how each mistake is judged in each case in which it ran."""

    framework: Framework
    cases: tuple[Answer, ...]
    verdicts: Mapping[str, Mapping[str, Outcome]]
    facts: Mapping[str, CaseFacts]

    def of(self, case: str) -> list[Outcome]:
        """How one case judges the mistakes that ran in it."""
        return [row[case] for row in self.verdicts.values() if case in row]

    def survivors(self) -> list[str]:
        """The mistakes that no hidden case kills."""
        hidden = [a.case.name for a in self.cases if not a.case.sample]
        return [
            mistake
            for mistake, row in self.verdicts.items()
            if all(row.get(case, Outcome.ACCEPTED) is Outcome.ACCEPTED for case in hidden)
        ]


@dataclass(slots=True)
class Fitness:
    """Everything that `verify` finds out about one problem."""

    problem: Problem
    findings: list[Finding] = field(default_factory=list)
    # what could be better, and keeps no problem from being published; its rule is that of the docs
    warnings: list[Finding] = field(default_factory=list)
    matrices: list[Matrix] = field(default_factory=list)
    partial: bool = False  # only some of its cases or mistakes were verified

    @property
    def fit(self) -> bool:
        """Is the problem publishable?"""
        return not self.findings

    def add(self, rule: int, where: Text | str, text: Text | str) -> None:
        """Notes a broken rule."""
        self.findings.append(Finding(rule, where, text))

    def warn(self, rule: int, where: Text | str, text: Text | str) -> None:
        """Notes advice: the problem can be published as it is."""
        self.warnings.append(Finding(rule, where, text))
