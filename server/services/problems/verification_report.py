"""Verifies a draft's files, and makes the report of it that a page shows."""

import math
from collections.abc import Callable
from typing import Any

from grader.errors import ProblemError, UsageError
from grader.findings.text import Text, text_json
from grader.model import Outcome
from grader.problem import Problem
from grader.sandbox import Sandbox
from grader.verify import Fitness, verify
from server.messages import Message, Saying, sentence, storable
from server.services.problems import files
from server.services.problems.limited_sandbox import Guard
from server.services.rendering import samples

FORM = 0  # the number of a finding that no rule of `verify` has: the form of the files

Verify = Callable[..., Fitness]


def examine(
    content: files.Files,
    slug: str,
    sandbox: Sandbox,
    seed: int,
    progress: "Callable[[str, int], None]",
    verifier: Verify = verify,
) -> dict[str, Any]:
    """What a page shows of a verification: findings with their remedy, and the kill matrix of each
    framework.
    """
    try:
        problem = files.read(content, slug)
    except (ProblemError, UsageError) as error:
        return {
            "findings": [_finding(FORM, Message("the files"), sentence(error))],
            "matrices": [],
            "digest": None,
        }
    try:
        fitness = verifier(
            problem, Guard(sandbox), seed, lambda step: progress(step, _steps(problem))
        )
    except ProblemError as error:
        return {
            "findings": [_finding(FORM, Message("the run"), sentence(error), problem)],
            "matrices": [],
            "digest": problem.digest,
        }
    return {
        "findings": [_finding(f.rule, f.where, f.text, problem) for f in fitness.findings],
        "warnings": [_finding(f.rule, f.where, f.text, problem) for f in fitness.warnings],
        "matrices": [_matrix(problem, m) for m in fitness.matrices],
        "samples": _samples(problem, fitness),
        "digest": problem.digest,
    }


def _samples(problem: Problem, fitness: Fitness) -> list[dict[str, Any]]:
    """The samples as a statement shows them; none when no framework has answers."""
    answers = fitness.matrices[0].cases if fitness.matrices else ()
    return samples.sample_data(problem, ((a.case, a.expected) for a in answers if a.case.sample))


def _steps(problem: Problem) -> int:
    return len(problem.frameworks) + sum(len(m.sources) for m in problem.mistakes)


def _finding(
    rule: int, where: Text | str, text: Text | str, problem: Problem | None = None
) -> dict[str, Any]:
    """The English of a finding, and as `said` the parts of it that have translations."""
    parts = {"where": where, "text": text}
    english = {name: str(part) for name, part in parts.items()}
    said = {name: _storable(part) for name, part in parts.items() if not _is_plain(part)}
    sentences: dict[str, Any] = _plain({**english, "said": said}, problem)
    return {"rule": rule, **sentences}


def _is_plain(part: Text | str) -> bool:
    return isinstance(part, str) and not isinstance(part, Message | Saying)


def _storable(part: Text | str) -> Any:
    return text_json(part) if isinstance(part, Text) else storable(part)


def _plain(value: Any, problem: Problem | None) -> Any:
    """The same without the path of this machine, and not endless: parts of it come out of the
    room.
    """
    if isinstance(value, dict):
        return {name: _plain(each, problem) for name, each in value.items()}
    if isinstance(value, list):
        return [_plain(each, problem) for each in value]
    if not isinstance(value, str):
        return value
    return (value.replace(f"{problem.folder.parents[1]}/", "") if problem else value)[:2000]


def _matrix(problem: Problem, matrix: Any) -> dict[str, Any]:
    """Cases across, mistakes down; and what is wrong with a row or a column."""
    names = [a.case.name for a in matrix.cases]
    survivors = matrix.survivors()
    rows = [
        {
            "mistake": name,
            "hint": next((m.hint for m in problem.mistakes if m.name == name), ""),
            "verdicts": [str(verdicts.get(n, "")) for n in names],
            "survives": name in survivors,
        }
        for name, verdicts in matrix.verdicts.items()
    ]
    return {
        "framework": str(matrix.framework),
        "cases": [_case(a, matrix) for a in matrix.cases],
        "mistakes": rows,
    }


def _case(answer: Any, matrix: Any) -> dict[str, Any]:
    facts, name = matrix.facts[answer.case.name], answer.case.name
    kills = sum(verdict is not Outcome.ACCEPTED for verdict in matrix.of(name))
    return {
        "name": name,
        "sample": answer.case.sample,
        "note": answer.case.note,
        "kills": kills,
        "noise": _number(facts.noise),
        "tolerance": _number(facts.tolerance),
        "nearest": _number(facts.nearest),
        "nearest_name": facts.nearest_name,
    }


def _number(value: float | None) -> float | None:
    """JSON has no infinity."""
    return float(value) if value is not None and math.isfinite(value) else None
