"""Dropout is judged by statistics of random draws, so luck decides: here is how little of it is
left to luck.

`cross_attention` is read through cases whose inputs are the same for every seed but for their size,
and so are the tolerances.
"""

import math

import numpy as np
import pytest

from grader.answers import Answer, answers_for
from grader.case import Case
from grader.model import Framework
from grader.sandbox import SandboxPool
from tests.shipped import shipped

NAMES = (
    "train mode with dropout",
    "train mode, the least and the most",
    "train mode, nothing said about dropout",
)
DEFAULT = 0.1
UNLUCKY = 1e-9  # the chance that a right solution is refused


def answer(name: str, sandbox: SandboxPool, seed: int) -> Answer:
    found = answers_for(shipped("cross_attention"), Framework.TORCH, sandbox, seed)
    return next(a for a in found.cases if a.case.name == name)


def parts(case: Case) -> np.ndarray:
    """What each weight adds to each column of the output, (E, H * S), by the definition of the
    problem.
    """
    heads = int(case.init["num_heads"] or 0)
    asking, tokens = (
        case.inputs[name][0].astype(float) for name in ("decoder_hidden", "encoder_output")
    )
    q, k, v = (
        (x @ case.state[f"W_{name}.weight"].T).reshape(len(x), heads, -1)
        for x, name in ((asking, "q"), (tokens, "k"), (tokens, "v"))
    )
    scores = np.einsum("hd,shd->hs", q[0], k) / math.sqrt(q.shape[-1])
    weights = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
    handed_on = case.state["W_o.weight"].reshape(-1, heads, v.shape[-1])
    return np.einsum("hs,shd,ehd->ehs", weights, v, handed_on).reshape(len(handed_on), -1)


def rate(case: Case) -> float:
    return float(case.init.get("dropout") or DEFAULT)


def draws(case: Case) -> int:
    """How often each column is drawn: in each call, for each example and each query."""
    B, L, _ = case.inputs["decoder_hidden"].shape
    return case.draws * B * L


def two_sided(deviations: np.ndarray) -> float:
    return sum(math.erfc(z / math.sqrt(2)) for z in deviations.ravel())


@pytest.mark.parametrize("seed", [0, 1])
def test_mean_and_spread_of_a_right_solution_are_within_the_tolerance(
    sandbox: SandboxPool, seed: int
) -> None:
    """The mean and the variance of a column are sums over its weights; those of many draws are
    nearly normal around them.
    """
    found = answer(NAMES[0], sandbox, seed)
    p, seen, n = rate(found.case), parts(found.case), draws(found.case)
    variance = p / (1 - p) * (seen**2).sum(-1)
    kurtosis = 3 + (1 - 6 * p * (1 - p)) / (p * (1 - p)) * (seen**4).sum(-1) / np.maximum(
        (seen**2).sum(-1) ** 2, 1e-30
    )
    mean, spread = found.expected["mean.output"], found.expected["spread.output"]
    moving = variance > 1e-12
    assert moving.sum() == 13 and spread.values.shape == (3, 16)
    off = (mean.tolerance - np.abs(mean.values - seen.sum(-1)))[moving] / np.sqrt(
        variance[moving] / n
    )
    deviation = np.sqrt(variance * (kurtosis - 1) / (4 * n))[moving]
    sizes = np.array([found.case.draws, *found.case.inputs["decoder_hidden"].shape[:2]])
    exact = np.sqrt(variance * (1 - 1 / sizes[:, None]))
    off_spread = (spread.tolerance - np.abs(spread.values - exact)[:, moving]) / deviation
    assert two_sided(off) + two_sided(off_spread) < UNLUCKY
    assert (
        np.abs(mean.values[~moving]).max() < mean.tolerance
        and spread.values[:, ~moving].max() < spread.tolerance
    )


@pytest.mark.parametrize("name", NAMES[1:])
def test_the_least_and_the_most_come_out_in_every_run(sandbox: SandboxPool, name: str) -> None:
    """The rarest must not be missed.

    A weight that is dropped is 0, one that stays is divided by the chance to stay.
    """
    found = answer(name, sandbox, 0)
    p, seen = rate(found.case), parts(found.case)
    off, on = np.minimum(seen, 0.0).sum(-1) / (1 - p), np.maximum(seen, 0.0).sum(-1) / (1 - p)
    np.testing.assert_allclose(found.expected["least.output"].values, off, atol=1e-6)
    np.testing.assert_allclose(found.expected["most.output"].values, on, atol=1e-6)
    assert max(e.tolerance for e in found.expected.values()) < 1e-4
    rarest = min(p, 1 - p) ** np.count_nonzero(seen, axis=-1).max()
    assert 2 * len(seen) * (1 - rarest) ** draws(found.case) < UNLUCKY
