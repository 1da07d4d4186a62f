"""Makes results to predict: the shape of a sample's result, and one row of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from grader.answers import Answer, Answers
from grader.case import Case
from grader.diagnosis.fingerprints import mistake_runs
from grader.diagnosis.matching import Known, Runs
from grader.model import Ended, Framework
from grader.practice.changes import shuffler
from grader.practice.item import PredictRow, PredictShape, Step
from grader.problem import Problem
from grader.sandbox import Sandbox

MOST_SHAPES = 3
MOST_ROWS = 3
MOST_WRONG = 3  # rows beside the right one
LEAST_WRONG = 2
WIDEST = 8  # numbers in a row
APART = 2.0  # rows differ by more than this many tolerances

Shown = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of a result, and other rows that mistakes give in its place."""

    tensor: str
    place: tuple[int, ...]
    right: Shown
    wrong: Mapping[str, Shown]


def predictions(
    problem: Problem, framework: Framework, answers: Answers, sandbox: Sandbox
) -> tuple[PredictShape | PredictRow, ...]:
    """Returns questions about the samples: shapes first, then rows."""
    samples = [a for a in answers.cases if a.case.sample and _is_plain(a.case)]
    shapes = list(_shapes(framework, samples))[:MOST_SHAPES]
    runs = mistake_runs(problem, answers, sandbox)
    plain = {mistake.name for mistake in problem.mistakes if not mistake.random}
    rows: list[PredictRow] = []
    for answer in samples:
        row = _row(answer, Runs((n, r) for n, r in runs.items() if n in plain))
        if row is not None and len(rows) < MOST_ROWS:
            name = f"{Step.PREDICT}-{len(shapes) + len(rows) + 1}"
            rows.append(_row_item(problem, framework, name, answer.case, row))
    return *shapes, *rows


def _is_plain(case: Case) -> bool:
    """Whether one call with arguments gives one result, which is looked at as it is."""
    return not (case.raises or case.draws or case.then)


def _shapes(framework: Framework, samples: Sequence[Answer]) -> Iterator[PredictShape]:
    seen: set[tuple[str, tuple[int, ...]]] = set()
    for answer in samples:
        tensor = _result(answer)
        shapes = {name: array.shape for name, array in answer.case.inputs.items()}
        if tensor is None or not (shapes or answer.case.options):
            continue
        right = answer.expected[tensor].values.shape
        if right and (tensor, right) not in seen:
            seen.add((tensor, right))
            name = f"{Step.PREDICT}-{len(seen)}"
            options = {**answer.case.init, **answer.case.options}
            yield PredictShape(name, framework, answer.case.name, tensor, shapes, options, right)


def _result(answer: Answer) -> str | None:
    """Returns the first result; None where only gradients or the like are looked at."""
    return next((name for name in answer.expected if "." not in name), None)


def _row(answer: Answer, runs: Runs) -> _Row | None:
    """Returns the row of a sample in which most mistakes can be told apart."""
    tensor = _result(answer)
    if tensor is None:
        return None
    expected = answer.expected[tensor]
    values = expected.values
    if not values.ndim or values.dtype.kind not in "biuf" or not 0 < values.shape[-1] <= WIDEST:
        return None
    known = {name: _tensor(by_case.get(answer.case.name), tensor) for name, by_case in runs.items()}
    alike = {n: t for n, t in known.items() if t is not None and t.shape == values.shape}
    room = APART * expected.tolerance
    rows = [
        _Row(tensor, place, shown(values[place]), _apart(values, alike, place, room))
        for place in np.ndindex(values.shape[:-1])
    ]
    best = max(rows, key=lambda row: len(row.wrong), default=None)
    return best if best is not None and len(best.wrong) >= LEAST_WRONG else None


def _tensor(known: Known | None, name: str) -> np.ndarray | None:
    if known is None or known.run.ended is not Ended.RETURNED:
        return None
    tensor = known.run.tensors.get(name)
    return tensor if tensor is not None and tensor.dtype.kind in "biuf" else None


def _apart(
    values: np.ndarray, known: Mapping[str, np.ndarray], place: tuple[int, ...], room: float
) -> dict[str, Shown]:
    """Returns the first rows of mistakes that differ from the right one and from each other, as
    numbers and as they are shown.
    """
    rows = [values[place]]
    wrong: dict[str, Shown] = {}
    for name, tensor in known.items():
        row = tensor[place]
        if len(wrong) < MOST_WRONG and all(_differ(row, other, room) for other in rows):
            rows.append(row)
            wrong[name] = shown(row)
    return wrong


def _differ(one: np.ndarray, two: np.ndarray, room: float) -> bool:
    if shown(one) == shown(two):
        return False
    a, b = one.astype(np.float64), two.astype(np.float64)
    return not np.allclose(a, b, rtol=0, atol=room, equal_nan=True)


def shown(row: np.ndarray) -> Shown:
    """Returns the numbers of a row as a learner reads them, whatever type they have."""
    plain = row.astype(np.float64)
    return tuple(f"{number + 0.0:.4g}" for number in np.where(plain == 0, 0.0, plain))


def _row_item(
    problem: Problem, framework: Framework, name: str, case: Case, row: _Row
) -> PredictRow:
    given = [("", row.right), *row.wrong.items()]
    shuffler(problem, framework, name).shuffle(given)
    return PredictRow(
        id=name,
        framework=framework,
        case=case.name,
        tensor=row.tensor,
        place=row.place,
        choices=tuple(numbers for _, numbers in given),
        right=next(i for i, (mistake, _) in enumerate(given) if not mistake),
        mistakes={i: mistake for i, (mistake, _) in enumerate(given) if mistake},
    )
