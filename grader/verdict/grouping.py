"""Groups the failed cases of a verdict by what is wrong, so that a report says it once.

The data of a verdict stays as it is, with the findings of each case: a group is made when a verdict
is shown.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from grader.findings.codes import Code
from grader.findings.finding import Detail, Finding
from grader.model import CaseResult, Outcome, Twin

# Findings that differ only in other parameters are one kind: counts, sizes and places vary with the
# inputs of a case, not with the mistake.
SAME_KIND = ("tensor", "dtype", "expected", "type", "due", "name", "parameter", "nan", "pattern")
# Findings about the form of a result, and those that follow from another one: they come last.
FORM = (
    Code.WRONG_DTYPE,
    Code.FALSE_DTYPE,
    Code.UNUSABLE_DTYPE,
    Code.INPUT_MODIFIED,
    Code.INPUT_MODIFIED_IN,
)
FOLLOWS = (Code.NOT_RUN, Code.NOT_RUN_IN_TIME, Code.ONLY_HIDDEN, Code.UNEXPLAINED)


@dataclass(frozen=True, slots=True)
class Group:
    """One finding, and the failed cases that have it: samples first, each in the verdict's order.

    `finding` is that of the first case; None where a case has only a sentence (version 1).
    """

    finding: Finding | None
    cases: tuple[CaseResult, ...]
    same: bool  # the finding is the same in all cases, to the last number

    @property
    def example(self) -> CaseResult:
        """The case whose finding is shown."""
        return self.cases[0]

    @property
    def public(self) -> bool:
        """Whether the finding is told of public inputs, not of those that decide."""
        return self.example.twin is Twin.FAILS


def groups(cases: Iterable[CaseResult]) -> tuple[Group, ...]:
    """Returns what is wrong: first the mathematics, then the form, then what follows from it; among
    these, what most cases have.
    """
    members: dict[tuple[object, ...], list[tuple[Finding | None, CaseResult]]] = {}
    for case in cases:
        if case.verdict is Outcome.ACCEPTED:
            continue
        for key, finding in _findings(case).items():
            members.setdefault(key, []).append((finding, case))
    found_groups = [_group(rows) for rows in members.values()]
    return tuple(sorted(found_groups, key=lambda group: (_rank(group), -len(group.cases))))


def _findings(case: CaseResult) -> dict[tuple[object, ...], Finding | None]:
    """The findings of a case by kind; a case with a message only stands for itself."""
    if not case.findings:
        return {(case.verdict, case.message): None} if case.message else {}
    kinds: dict[tuple[object, ...], Finding | None] = {}
    for finding in case.findings:
        kinds.setdefault(_kind(case, finding), finding)
    return kinds


def _kind(case: CaseResult, finding: Finding) -> tuple[object, ...]:
    parameters = ((name, _plain(finding, name)) for name in SAME_KIND if name in finding.parameters)
    return case.verdict, finding.code, finding.line, finding.loading, finding.bare, *parameters


def _plain(finding: Finding, name: str) -> str:
    value = finding.parameters[name]
    if isinstance(value, Detail):
        return value.code
    # the shape that a case expects depends on its inputs
    return "" if finding.code is Code.WRONG_SHAPE and name == "expected" else str(value)


def _group(rows: list[tuple[Finding | None, CaseResult]]) -> Group:
    rows = sorted(rows, key=lambda row: not row[1].sample)
    first = rows[0][0]
    return Group(
        first, tuple(case for _, case in rows), all(finding == first for finding, _ in rows)
    )


def _rank(group: Group) -> int:
    if group.finding is None:
        return 0
    return 1 if group.finding.code in FORM else 2 if group.finding.code in FOLLOWS else 0
