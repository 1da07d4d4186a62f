"""A trace as a value, and its JSON."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from grader.case import Case
from grader.explore.trace.matching import Match
from grader.explore.trace.words import wrong_step_json
from grader.explore.trace.wrong import WrongStep
from grader.findings.finding import Finding
from grader.findings.sentences import findings_json
from grader.inside.instrument import Kind
from grader.model import Framework, Outcome, Run
from grader.sandbox import Step

JSON_VERSION = 1
SHOWN = 256  # values of a step in the JSON
SHOWN_TOGETHER = 8192  # values of all steps


@dataclass(frozen=True, slots=True)
class Trace:
    """What a submission computes in one public case.

    `matches` has, by the number of a step, what it is in the reference; `wrong` is the first wrong
    step, or None where the result is right or nothing can be said. `cut` names the bounds that cut
    the trace off: "steps", "bytes", "time", "value", "source".
    """

    problem: str
    framework: Framework
    case: Case
    verdict: Outcome
    findings: tuple[Finding, ...]
    run: Run
    steps: tuple[Step, ...]
    cut: tuple[str, ...]
    matches: Mapping[int, Match]
    wrong: WrongStep | None

    @property
    def shown(self) -> list[int]:
        """The numbers of the steps that have a name in the source, in order."""
        wrong = self.wrong.step if self.wrong else -1
        return [i for i, step in enumerate(self.steps) if _named(step) or i == wrong]

    @property
    def follows(self) -> frozenset[int]:
        """The numbers of the steps that are made of the first wrong one."""
        affected = {self.wrong.step} if self.wrong else set()
        for i, step in enumerate(self.steps):
            if affected.intersection(step.reads):
                affected.add(i)
        return frozenset(affected - {self.wrong.step if self.wrong else -1})

    def to_json(self) -> dict[str, Any]:
        """The object documented in docs/design/trace.md, made of plain JSON types."""
        steps, left, follows = [], SHOWN_TOGETHER, self.follows
        for number in self.shown:
            most = min(SHOWN, left)
            values = self.steps[number].values
            left -= min(most, values.size) if values is not None else 0
            steps.append({**self._step_json(number, most), "follows": number in follows})
        return {
            "version": JSON_VERSION,
            "problem": self.problem,
            "framework": str(self.framework),
            "case": self.case.name,
            "verdict": str(self.verdict),
            "findings": findings_json(self.findings),
            "cut": list(self.cut),
            "steps": steps,
            "first_wrong_step": None if self.wrong is None else wrong_step_json(self.wrong),
        }

    def _step_json(self, number: int, most: int) -> dict[str, Any]:
        step, match, span = self.steps[number], self.matches.get(number), None
        if step.range is not None:
            span = [_plain(n) for n in (step.range.least, step.range.most, step.range.mean)]
        known = match and {"intermediate": match.known.name, "relation": str(match.relation)}
        return {
            "step": number,
            "kind": str(step.kind),
            "line": step.line,
            "variable": step.name,
            "function": step.function,
            "depth": step.depth,
            "times": step.count,
            "dtype": step.dtype,
            "shape": None if step.shape is None else list(step.shape),
            "values": _values_json(step, most),
            "range": span,
            "is": known,
        }


def _named(step: Step) -> bool:
    if step.kind in (Kind.EXPRESSION, Kind.LOOP):
        return False
    return step.kind is not Kind.RETURN or not step.name.isidentifier()


def _values_json(step: Step, most: int) -> Any:
    """The values of a step in its shape; of a large one the first ones, in a flat list."""
    if step.values is None:
        return None
    values = step.values if step.values.size <= most else step.values.reshape(-1)[:most]
    return _plain(values.tolist())


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not np.isfinite(value):
        return str(value)
    return value
