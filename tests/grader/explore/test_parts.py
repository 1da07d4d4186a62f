"""Parts of tensors: what a program with a loop has, beside what the reference has as a whole."""

import numpy as np
import pytest

from grader.explore.trace.parts import factor_of, is_part, row_of
from grader.explore.trace.relations import Tensor

SCORES = np.random.default_rng(3).standard_normal((2, 3, 7, 5))  # (B, H, L, S)
WEIGHTS = np.exp(SCORES) / np.exp(SCORES).sum(-1, keepdims=True)
PARTS = {
    "a row": SCORES[1, 2, 3],
    "a row with an axis of one": SCORES[1, 2, 3][None],
    "a head of all examples": SCORES[:, 1],
    "an example": SCORES[0],
    "a block of rows": SCORES[:, :, 2:5],
    "a column": SCORES[..., 3],
}
OTHERS = {
    "the whole": SCORES,
    "a row backwards": SCORES[1, 2, 3][::-1],
    "a head twice as large": 2 * SCORES[:, 1],
    "rows that are no neighbours": SCORES[:, :, [0, 2]],
    "a constant": np.full(5, SCORES[0, 0, 0, 0]),
    "a mask": SCORES[1, 2, 3] > 0,
}


@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
def test_a_part_is_recognised(part: np.ndarray) -> None:
    assert is_part(Tensor(part), Tensor(SCORES))


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
def test_what_is_no_part_is_not(other: np.ndarray) -> None:
    assert not is_part(Tensor(other), Tensor(SCORES))


def test_a_row_on_its_way_through_a_softmax() -> None:
    assert row_of(Tensor(np.exp(SCORES[0, 1, 2])), Tensor(WEIGHTS))
    assert row_of(Tensor(SCORES[0, 0, 1] - 3), Tensor(SCORES))
    assert not row_of(Tensor(3 * SCORES[0, 0, 1]), Tensor(SCORES))  # a softmax sees that


def test_the_factor_of_a_part() -> None:
    assert factor_of(Tensor(2.5 * SCORES[:, 1]), Tensor(SCORES)) == pytest.approx(2.5)
    assert factor_of(Tensor(-2 * SCORES[0, 0, 1]), Tensor(SCORES)) == pytest.approx(-2)
    assert factor_of(Tensor(SCORES[:, 1]), Tensor(SCORES)) == 0
    assert factor_of(Tensor(np.exp(SCORES[0, 1, 2])), Tensor(WEIGHTS)) == 0


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("due", [np.zeros((3, 4)), np.full((3, 4), np.inf), np.full((3, 4), 1e300)])
def test_whatever_the_numbers_are_nothing_warns(due: np.ndarray) -> None:
    for row in ([1e300, -1e300, 2e300, 3.0], [np.inf, 1, 2, 3], [np.nan, 1, 2, 3]):
        one = Tensor(np.array(row))
        assert not is_part(one, Tensor(due))
        assert not row_of(one, Tensor(due))
        assert factor_of(one, Tensor(due)) == 0
