"""Where a tensor is wrong and what it looks like instead: each place and pattern, in the
sentence that a learner reads.
"""

from collections.abc import Callable

import numpy as np
import pytest

from grader.comparison.compare import Expected, compare
from grader.comparison.patterns import pattern
from grader.comparison.places import Context, where
from grader.findings import sentences
from grader.findings.catalogue import catalogue
from grader.findings.codes import Code
from grader.findings.sentences import sentence

RNG = np.random.default_rng(20)
WEIGHTS = np.exp(RNG.standard_normal((2, 3, 4, 5)))
WEIGHTS /= WEIGHTS.sum(-1, keepdims=True)  # (B, H, L, S)
AXES = ("B", "H", "L", "S")
OUTPUT = RNG.standard_normal((2, 4, 6))  # (B, L, D)
TOLERANCE = 1e-6


def told(
    actual: np.ndarray,
    answer: np.ndarray,
    axes: tuple[str, ...] = (),
    masks: dict[str, np.ndarray] | None = None,
) -> str:
    """The sentence without its beginning `x: 3 of 9 values differ, by up to 1.5 (allowed 1e-06)`."""
    answer = np.asarray(answer)
    held = Expected(answer, answer.dtype.name, TOLERANCE if answer.dtype.kind == "f" else 0.0)
    (found,) = compare(
        "x", np.asarray(actual), actual.dtype.name, held, axes, Context({}, masks or {})
    )
    values = answer.dtype.kind == "f" and found.code is Code.VALUES_DIFFER
    return sentence(found).partition(")" if values else "differ")[2]


def place(wrong: np.ndarray, axes: tuple[str, ...] = (), context: Context | None = None) -> str:
    """Where it is wrong, in words."""
    return sentences.places_text(where(wrong, axes, context), catalogue("en"))


def at(shape: tuple[int, ...], *where: object) -> np.ndarray:
    """True at these places."""
    found = np.zeros(shape, bool)
    for place in where:
        found[place] = True  # type: ignore[call-overload]
    return found


# -----------------------------------------------------------------------------------------------------------------------
# where it is

PLACES = [
    ("one head", np.s_[:, 1], AXES, ", in head 1 only"),
    ("every head but the first", np.s_[:, 1:], AXES, ", in every head but the first"),
    ("every head but the last", np.s_[:, :-1], AXES, ", in every head but the last"),
    ("one of two batches", np.s_[1], AXES, ", in batch 1"),
    ("only the last row is right", np.s_[:, :, :-1], AXES, ", in every row but the last"),
    ("only the first row is right", np.s_[:, :, 1:], AXES, ", in every row but the first"),
    ("the last row", np.s_[:, :, -1], AXES, ", in row 3 only"),
    ("every row but one in the middle", np.s_[:, :, [0, 1, 3]], AXES, ", in every row but 2"),
    ("rows from one on", np.s_[:, :, 2:], AXES, ", in rows from 2 on"),
    ("the last keys", np.s_[..., 3:], AXES, ", in keys from 3 on"),
    ("keys in the middle", np.s_[..., 1:3], AXES, ", in keys 1 to 2"),
    ("every second key", np.s_[..., ::2], AXES, ", in every second key from 0 on"),
    (
        "one key of one row of one head",
        np.s_[0, 2, 3, 4],
        AXES,
        ", in batch 0, in head 2 only, in row 3 only, in key 4 only",
    ),
    ("two keys apart", np.s_[..., [0, 3]], AXES, ", in keys 0, 3"),
    ("a shape that the problem does not name", np.s_[:, 1], (), ", in axis 1 index 1 only"),
    ("rows of an unnamed shape", np.s_[:, :, 1:], (), ", in every row but the first"),
    ("everywhere", np.s_[...], AXES, ""),
]


@pytest.mark.parametrize(
    ("where", "axes", "words"), [p[1:] for p in PLACES], ids=[p[0] for p in PLACES]
)
def test_where(where: object, axes: tuple[str, ...], words: str) -> None:
    assert place(at(WEIGHTS.shape, where), axes) == words


def test_where_among_many_rows() -> None:
    assert place(at((30,), [1, 2, 4, 7, 11, 20]), ("L",)) == ", in 6 of 30 rows"
    assert place(at((30,), np.s_[::3]), ("L",)) == ", in every third row from 0 on"
    assert place(at((30,), np.s_[5:20]), ("L",)) == ", in rows 5 to 19"


def test_a_matrix_of_one_letter_has_rows_and_columns() -> None:
    assert place(at((4, 4), np.s_[1]), ("L", "L")) == ", in row 1 only"
    assert place(at((4, 4), np.s_[:, 1]), ("L", "L")) == ", in column 1 only"


def test_a_single_number_is_nowhere() -> None:
    assert place(np.array(True)) == ""


# --------------------------------------------------------------------------------------------------------------------
# where masks act

# (B, S): in example 1, key 2 is hidden
VISIBLE = np.array([[1, 1, 1, 1, 1], [1, 1, 0, 1, 1]], bool)
PADDING = np.array([[1, 1, 1, 1], [1, 1, 0, 0]], bool)  # (B, S) with S = L
CAUSAL = np.tril(np.ones((4, 5), bool), 1)  # (L, S); the last row sees all
EMPTY = np.ones((2, 4, 5), bool)  # (B, L, S): one row sees nothing, another but one key
EMPTY[1, 2] = False
EMPTY[0, 1, 1:] = False

WEIGHTS_OF = ((2, 3, 4, 5), ("B", "H", "L", "S"))  # weights
OUTPUT_OF = ((2, 4, 6), ("B", "L", "D"))  # output
SELF_OF = ((2, 5, 6), ("B", "L", "D"))  # output where rows and keys are the same five tokens
TOUCHED = {
    "a row that sees nothing": (
        WEIGHTS_OF,
        [np.s_[1, :, 2]],
        EMPTY,
        ", in exactly the rows where mask leaves no visible key",
    ),
    "its output": (
        OUTPUT_OF,
        [np.s_[1, 2]],
        EMPTY,
        ", in exactly the rows where mask leaves no visible key",
    ),
    "its output, the mask has an axis of heads": (
        OUTPUT_OF,
        [np.s_[1, 2]],
        EMPTY[:, None],
        ", in exactly the rows where mask leaves no visible key",
    ),
    "rows that do not see all": (
        WEIGHTS_OF,
        [np.s_[0, :, 1], np.s_[1, :, 2]],
        EMPTY,
        ", in exactly the rows where mask hides a key",
    ),
    "rows under a causal mask": (
        WEIGHTS_OF,
        [np.s_[:, :, :3]],
        CAUSAL,
        ", in exactly the rows where mask hides a key",
    ),
    "the example that is padded": (
        WEIGHTS_OF,
        [np.s_[1]],
        VISIBLE,
        ", in exactly the rows where mask hides a key",
    ),
    "hidden keys that got weight": (
        WEIGHTS_OF,
        [np.s_[1, :, :, 2]],
        VISIBLE,
        ", at keys that mask hides only",
    ),
    "hidden keys of a causal mask": (
        WEIGHTS_OF,
        [np.s_[:, :, 0, 2:]],
        CAUSAL,
        ", at keys that mask hides only",
    ),
    "one mask for all, without a batch": (
        ((4, 5), ("L", "S")),
        [np.s_[:, 3]],
        VISIBLE[1] & (np.arange(5) != 3),
        ", at keys that mask hides only",
    ),
    "rows after the first padded key": (
        SELF_OF,
        [np.s_[1, 3:]],
        VISIBLE,
        ", in exactly the rows after the first key that mask hides",
    ),
    "rows from the first padded key on": (
        SELF_OF,
        [np.s_[1, 2:]],
        VISIBLE,
        ", in exactly the rows from the first key on that mask hides",
    ),
    "rows that are padding": (
        OUTPUT_OF,
        [np.s_[1, 2:]],
        PADDING,
        ", in exactly the rows from the first key on that mask hides",
    ),
    "a mask that explains nothing": (
        WEIGHTS_OF,
        [np.s_[0, 1, 1]],
        CAUSAL,
        ", in batch 0, in head 1 only, in row 1 only",
    ),
    "a mask of another shape": (OUTPUT_OF, [np.s_[:, 1]], np.ones((7, 9), bool), ", in row 1 only"),
    "a mask that hides nothing": (
        OUTPUT_OF,
        [np.s_[:, 1]],
        np.ones((2, 4), bool),
        ", in row 1 only",
    ),
}


@pytest.mark.parametrize(
    ("tensor", "places", "mask", "words"), TOUCHED.values(), ids=TOUCHED.keys()
)
def test_rows_that_a_mask_touches(
    tensor: tuple[tuple[int, ...], tuple[str, ...]],
    places: list[object],
    mask: np.ndarray,
    words: str,
) -> None:
    shape, axes = tensor
    assert place(at(shape, *places), axes, Context({}, {"mask": mask})) == words


def test_the_mask_that_fits_is_named() -> None:
    context = Context({}, {"causal": CAUSAL, "padding_mask": VISIBLE})
    assert (
        place(at(WEIGHTS.shape, np.s_[1, :, :, 2]), AXES, context)
        == ", at keys that padding_mask hides only"
    )


def test_NaN_is_placed_too() -> None:
    actual = WEIGHTS.copy()
    actual[1, :, 2] = np.nan
    (found,) = compare(
        "x",
        actual,
        "float64",
        Expected(WEIGHTS, "float64", TOLERANCE),
        AXES,
        Context({}, {"mask": EMPTY}),
    )
    assert (
        sentence(found)
        == "x: 15 of 120 values are NaN, in exactly the rows where mask leaves no visible key"
    )


# --------------------------------------------------------------------------------------------------------------
# what it looks like

SQUARE = WEIGHTS[0, 0, :4, :4]
ORDER = np.array([3, 0, 4, 2, 1])
LOOKS: list[tuple[str, np.ndarray, Callable[[np.ndarray], np.ndarray], tuple[str, ...], str]] = [
    (
        "off by √8",
        OUTPUT,
        lambda x: x * np.sqrt(8),
        (),
        "; every value is 2.83 = √8 times what it should be",
    ),
    (
        "off by 1/√8",
        OUTPUT,
        lambda x: x / np.sqrt(8),
        (),
        "; every value is 0.354 = 1/√8 times what it should be",
    ),
    ("off by √64", OUTPUT, lambda x: x * 8, (), "; every value is 8 times what it should be"),
    (
        "off by 1/8",
        OUTPUT,
        lambda x: x / 8,
        (),
        "; every value is 0.125 = 1/8 times what it should be",
    ),
    ("the sign is lost", OUTPUT, lambda x: -x, (), "; every value is -1 times what it should be"),
    (
        "off by what is no root",
        OUTPUT,
        lambda x: x * 2.7182,
        (),
        "; every value is 2.72 times what it should be",
    ),
    (
        "opposite and too small",
        OUTPUT,
        lambda x: x / -8,
        (),
        "; every value is -0.125 = -1/8 times what it should be",
    ),
    (
        "off by a huge factor",
        OUTPUT,
        lambda x: x * 1e200,
        (),
        "; every value is 1e+200 times what it should be",
    ),
    ("something added", OUTPUT, lambda x: x + 0.25, (), "; every value is off by the same +0.25"),
    ("something taken away", OUTPUT, lambda x: x - 2.0, (), "; every value is off by the same -2"),
    (
        "a trifle too much in one place",
        OUTPUT,
        lambda x: x + 3e-6 * at(x.shape, np.s_[0, 1, 2]),
        (),
        ", in axis 0 index 0, in row 1 only, in column 2 only",
    ),
    ("all zeros", OUTPUT, np.zeros_like, (), "; it is all zeros"),
    ("transposed", SQUARE, lambda x: x.T.copy(), (), "; it is the transpose of the answer"),
    (
        "the last axis reversed",
        OUTPUT,
        lambda x: x[..., ::-1].copy(),
        (),
        "; the last axis is in reverse order",
    ),
    ("rows reversed", OUTPUT, lambda x: x[:, ::-1].copy(), (), "; the rows are in reverse order"),
    ("rows shifted down", OUTPUT, lambda x: np.roll(x, 1, -2), (), "; the rows are shifted by one"),
    ("rows shifted up", OUTPUT, lambda x: np.roll(x, -1, -2), (), "; the rows are shifted by one"),
    (
        "the last axis shifted",
        OUTPUT,
        lambda x: np.roll(x, 1, -1),
        (),
        "; the last axis is shifted by one",
    ),
    (
        "another order",
        OUTPUT,
        lambda x: x[:, [2, 0, 1, 3]].copy(),
        (),
        ", in every row but the last; the values are right, but in another order",
    ),
    (
        "keys in another order",
        WEIGHTS,
        lambda x: x[..., ORDER].copy(),
        AXES,
        "; the values are right, but in another order",
    ),
    (
        "rows that do not sum to 1",
        WEIGHTS,
        lambda x: x * np.array([0.5, 2, 3, 4])[:, None],
        AXES,
        "; its rows sum to 0.5 to 4, not to 1",
    ),
    (
        "softmax over the queries",
        WEIGHTS,
        lambda x: np.exp(x) / np.exp(x).sum(-2, keepdims=True),
        AXES,
        "; its columns sum to 1, not its rows",
    ),
    ("nothing plain", OUTPUT, lambda x: x**3 + 0.1 * x, (), ""),
]


@pytest.mark.parametrize(
    ("answer", "change", "axes", "words"), [x[1:] for x in LOOKS], ids=[x[0] for x in LOOKS]
)
def test_looks_like(
    answer: np.ndarray,
    change: Callable[[np.ndarray], np.ndarray],
    axes: tuple[str, ...],
    words: str,
) -> None:
    assert told(change(answer), answer, axes) == words


MASK = np.array([[1, 0, 0], [1, 1, 0], [1, 1, 1]], bool)
MASKS = [
    ("the opposite mask", ~MASK, "; it is the opposite of the answer"),
    ("the transposed mask", MASK.T, "; it is the transpose of the answer"),
    ("one entry", MASK ^ at((3, 3), np.s_[2, 0]), ", in row 2 only, in column 0 only"),
    ("the diagonal left out", MASK & ~np.eye(3, dtype=bool), ""),
]


@pytest.mark.parametrize(("actual", "words"), [m[1:] for m in MASKS], ids=[m[0] for m in MASKS])
def test_masks_look_like(actual: np.ndarray, words: str) -> None:
    assert told(actual, MASK, ("L", "L")) == words


def test_a_factor_of_float32_is_recognised_in_spite_of_its_rounding() -> None:
    answer = OUTPUT.astype(np.float32)
    actual = (answer * np.float32(np.sqrt(8))).astype(np.float32)
    (found,) = compare(
        "output", actual, "float32", Expected(answer.astype(np.float64), "float32", 1e-5)
    )
    assert sentence(found).endswith("; every value is 2.83 = √8 times what it should be")


@pytest.mark.parametrize(
    ("by", "words"),
    [
        (5, "; it is 5 times what it should be"),
        (1 / 7, "; it is 0.143 = 1/7 times what it should be"),
        (-1, "; it is -1 times what it should be"),
        (5.01, ""),
        (np.sqrt(3), ""),
        (101, ""),
    ],
)
def test_a_single_number_is_a_whole_multiple_or_nothing(by: float, words: str) -> None:
    """Any two numbers have a ratio."""
    assert told(np.array(1.7 * by), np.array(1.7)) == words


def test_an_infinite_ratio_is_no_multiple() -> None:
    assert told(np.array(1.7e308), np.array(1e-2)) == ""


def test_what_may_be_off_by_much_is_no_multiple() -> None:
    answer = Expected(np.array(1e-3), "float64", TOLERANCE)
    (found,) = compare("loss", np.array(2e-3), "float64", answer)
    assert sentence(found).endswith("(allowed 1e-06)")


def test_the_whole_sentence() -> None:
    """One grammar: what differs, how much, allowed, where, what it looks like."""
    (found,) = compare(
        "output",
        OUTPUT * np.sqrt(8),
        "float64",
        Expected(OUTPUT, "float64", TOLERANCE),
        ("B", "L", "D"),
    )
    assert (
        sentence(found)
        == f"output: 48 of 48 values differ, by up to {np.abs(OUTPUT * (np.sqrt(8) - 1)).max():.3g}"
        " (allowed 1e-06); every value is 2.83 = √8 times what it should be"
    )


@pytest.mark.parametrize("shape", [(1,), (1, 1), (3, 1), (1, 3), (2, 1, 1), (70_000, 2)])
def test_odd_shapes_are_explained_without_failing(shape: tuple[int, ...]) -> None:
    answer = np.random.default_rng(1).standard_normal(shape)
    assert (
        told(
            answer + np.arange(1.0, answer.size + 1).reshape(shape),
            answer,
            ("L", "S")[-len(shape) :],
        )
        is not None
    )


def test_a_mask_where_numbers_are_due_is_no_opposite() -> None:
    found = pattern(np.array([True, False]), np.array([0.3, 0.7]), np.ones(2, bool), TOLERANCE)
    assert found is None


def test_a_factor_between_two_roots_is_no_root() -> None:
    """A degree in radians is 1/√3282.8: among so large numbers, some root is always near."""
    answer = np.random.default_rng(1).standard_normal((4, 5))
    assert told(answer * np.pi / 180, answer) == "; every value is 0.0175 times what it should be"
