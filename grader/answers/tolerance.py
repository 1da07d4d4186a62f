"""Measures how far equally right evaluations of a case are from its answer.

The tolerance of a tensor is `MARGIN` times the spread of equally right evaluations around the
float64 answer: each framework's reference in the case's own dtype, and float64 on inputs moved by
about one unit in the last place.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from grader.answers.reference import Evaluation, plain
from grader.case import Case, in_float64
from grader.comparison.compare import Expected
from grader.findings.text import T_
from grader.model import Run
from grader.problem import Problem

MARGIN = 32.0
STATISTIC_MARGIN = 8.0  # of a tensor that is itself a statistic of random draws
FLOOR = 32.0  # units in the last place that are always allowed
# of the largest value, in every dtype: room for a guard of 1e-6, such as `weights / (sum + 1e-9)`
EPSILON = 2e-6
SMALL = 1e-2  # tensors smaller than this are compared on this scale
SEEDS = 8  # evaluations of a statistic


def moved(case: Case, generator: "np.random.Generator") -> Case:
    """Returns the case in float64, every float moved by up to one unit in the last place of its own
    dtype.
    """

    def each(arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        return {
            name: (
                a.astype(np.float64)
                * (1 + np.finfo(a.dtype).eps * generator.uniform(-1, 1, a.shape))
                if a.dtype.kind == "f"
                else a
            )
            for name, a in arrays.items()
        }

    return replace(case, inputs=each(case.inputs), state=each(case.state), before=each(case.before))


def evaluations(cases: list[Case]) -> list[Evaluation]:
    """Returns further evaluations that are as right as any: moved inputs (twice, where that costs
    little), and other random draws of the cases that judge a statistic.
    """
    generator = np.random.default_rng(7)
    perturbed = [
        Evaluation([moved(case, generator) for case in chosen], T_("float64, inputs moved"))
        for chosen in (cases, [case for case in cases if plain(case)])
    ]
    drawing = [in_float64(case) for case in cases if case.draws]
    seeds = range(1, SEEDS) if drawing else ()
    return [*perturbed, *(Evaluation(drawing, "float64", seed) for seed in seeds)]


def expected_tensor(
    problem: Problem, case: Case, name: str, exact: Run, own: Run, others: list[Run]
) -> Expected:
    """Returns one tensor of an answer, with its tolerance. `own` is the run in the case's dtype."""
    values, dtype = exact.tensors[name], own.dtypes[name]
    if name.startswith("after."):
        return Expected(case.inputs[name[6:]], dtype, 0.0)
    if values.dtype.kind != "f" or dtype in ("int", "bool"):
        return Expected(own.tensors[name], dtype, 0.0)
    noise = _noise(values, [run.tensors[name] for run in others if name in run.tensors])
    if problem.tolerance is not None:
        return Expected(values, dtype, problem.tolerance, noise)
    # a statistic itself is told in float64
    margin, drawn_in = (STATISTIC_MARGIN, "float32") if case.draws else (MARGIN, dtype)
    return Expected(values, dtype, max(margin * noise, _floor(values, drawn_in)), noise)


def _noise(values: np.ndarray, others: Sequence[np.ndarray]) -> float:
    finite = np.isfinite(values)
    distances = [
        float(np.abs(other.astype(np.float64)[finite] - values[finite]).max(initial=0.0))
        for other in others
        if other.shape == values.shape
    ]
    # max() passes over a nan that is not the first element
    return max([0.0, *distances])


def _floor(values: np.ndarray, dtype: str) -> float:
    """Returns the tolerance that is always allowed."""
    is_float = dtype.startswith("float") and dtype != "float"
    eps = float(np.finfo(dtype if is_float else "float64").eps)
    largest = float(np.abs(values[np.isfinite(values)]).max(initial=0.0))
    return max(FLOOR * eps, EPSILON) * max(largest, SMALL)
