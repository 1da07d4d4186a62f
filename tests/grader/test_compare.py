"""compare(): attributes before values, every perturbation above the tolerance found and none below,
NaN never a wildcard.
"""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as nps

from grader.comparison.compare import Expected, compare, same_dtype
from grader.findings.codes import COARSE, Code
from grader.findings.sentences import sentence

INF, NAN = float("inf"), float("nan")


def f32(*values: object) -> np.ndarray:
    return np.array(values, np.float32)


def expected(values: object, dtype: str = "float32", tolerance: float = 1e-6) -> Expected:
    """An answer as the judge holds it: floats widened to float64."""
    array = np.asarray(values)
    return Expected(
        array.astype(np.float64) if array.dtype.kind == "f" else array, dtype, tolerance
    )


# -------------------------------------------------------------------------------------------------------------------
# what is right

ONES = expected(np.ones(3))

RIGHT = {
    "the same": (f32(1, 2, 3), "float32", expected([1.0, 2.0, 3.0])),
    "off by exactly the tolerance": (np.array([1.5]), "float64", expected([1.0], "float64", 0.5)),
    "minus zero for zero": (f32(-0.0, 1), "float32", expected([0.0, 1.0], tolerance=0.0)),
    "the same infinities": (f32(INF, -INF, 1), "float32", expected([INF, -INF, 1.0])),
    "0-d array": (np.array(2.0, np.float32), "float32", expected(2.0)),
    "Python float for float64": (np.asarray(2.0), "float", expected(2.0, "float64")),
    "float64 for a Python float": (np.asarray(2.0), "float64", expected(2.0, "float")),
    "empty": (np.empty((0, 3), np.float32), "float32", expected(np.empty((0, 3)))),
    "any integer type": (
        np.array([1, 2], np.int32),
        "int32",
        expected(np.array([1, 2]), "int64", 0.0),
    ),
    "a Python int": (np.asarray(7), "int", expected(np.array(7), "int64", 0.0)),
    "booleans": (np.array([True, False]), "bool", expected(np.array([True, False]), "bool", 0.0)),
    "a list worked by hand": (np.array([0.33]), "list", expected([0.333], "list", 5e-3)),
    "float64 for float32": (np.ones(3), "float64", ONES),
    "integers for float32": (np.ones(3, np.int64), "int64", ONES),
    "an array where a list is asked": (
        np.array([0.333]),
        "float64",
        expected([0.333], "list", 5e-3),
    ),
}


@pytest.mark.parametrize(("actual", "dtype", "answer"), RIGHT.values(), ids=RIGHT.keys())
def test_right(actual: np.ndarray, dtype: str, answer: Expected) -> None:
    assert compare("output", actual, dtype, answer) == ()


# -------------------------------------------------------------------------------------------------------------------
# what is wrong

WRONG = {
    # what came at all
    "nothing": (None, "", ONES, "missing", "output is missing"),
    "nothing, and the room says what": (
        None,
        "absent:items:3:tuple",
        ONES,
        "missing",
        "output is missing: the call returned a tuple of 3",
    ),
    "a row of a table that is too short": (
        None,
        "absent:rows:2",
        ONES,
        "missing",
        "output has only 2 rows",
    ),
    "None": (
        None,
        "builtins.NoneType",
        ONES,
        "wrong_type",
        (
            "output is None; expected a plain float32 array. Does every path of the function"
            " return it?"
        ),
    ),
    "a list": (
        None,
        "builtins.list",
        ONES,
        "wrong_type",
        "output is of type list; expected a plain float32 array",
    ),
    "a subclass that equals everything": (
        None,
        "solution.Yes",
        ONES,
        "wrong_type",
        "output is of type solution.Yes; expected a plain float32 array",
    ),
    "a matrix": (
        None,
        "numpy.matrix",
        ONES,
        "wrong_type",
        "output is of type numpy.matrix; expected a plain float32 array",
    ),
    "a masked array": (
        None,
        "numpy.ma.MaskedArray",
        ONES,
        "wrong_type",
        "output is of type numpy.ma.MaskedArray; expected a plain float32 array",
    ),
    "a numpy array for a tensor": (
        None,
        "numpy.ndarray",
        ONES,
        "wrong_type",
        "output is a numpy.ndarray; expected a torch.Tensor (float32)",
    ),
    "a sparse tensor": (
        None,
        "float32 tensor (sparse_coo, cpu)",
        ONES,
        "wrong_type",
        "output is of type float32 tensor (sparse_coo, cpu); expected a plain float32 array",
    ),
    "a meta tensor": (
        None,
        "float32 tensor (strided, meta)",
        ONES,
        "wrong_type",
        "output is of type float32 tensor (strided, meta); expected a plain float32 array",
    ),
    "objects": (
        None,
        "object",
        ONES,
        "wrong_dtype",
        "output is object; expected a plain float32 array",
    ),
    "complex numbers": (
        None,
        "complex64",
        ONES,
        "wrong_dtype",
        "output is complex64; expected a plain float32 array",
    ),
    # shape, before dtype
    "a scalar that broadcasts": (
        np.array(1.0, np.float32),
        "float32",
        ONES,
        "wrong_shape",
        "output has shape (); expected (3,)",
    ),
    "an axis too many": (
        np.ones((1, 3), np.float32),
        "float32",
        ONES,
        "wrong_shape",
        "output has shape (1, 3); expected (3,)",
    ),
    "empty against empty of another shape": (
        np.empty((0, 3), np.float32),
        "float32",
        expected(np.empty((3, 0))),
        "wrong_shape",
        "output has shape (0, 3); expected (3, 0)",
    ),
    "empty against one value": (
        np.empty((0,), np.float32),
        "float32",
        expected([1.0]),
        "wrong_shape",
        "output has shape (0,); expected (1,)",
    ),
    "wrong shape and wrong dtype": (
        np.ones(2),
        "float64",
        ONES,
        "wrong_shape",
        "output has shape (2,); expected (3,)",
    ),
    # dtype, before values
    "float32 for float64": (
        f32(1, 1, 1),
        "float32",
        expected(np.ones(3), "float64"),
        "wrong_dtype",
        "output is float32; expected float64",
    ),
    "bfloat16, widened by the room": (
        f32(1, 1, 1),
        "bfloat16",
        ONES,
        "wrong_dtype",
        "output is bfloat16; expected float32",
    ),
    "floats for integers": (
        np.ones(1),
        "float64",
        expected(np.array([1]), "int64", 0.0),
        "wrong_dtype",
        "output is float64; expected integers",
    ),
    "integers for booleans": (
        np.ones(1, np.int64),
        "int64",
        expected(np.array([True]), "bool", 0.0),
        "wrong_dtype",
        "output is int64; expected bool",
    ),
    "booleans for integers": (
        np.array([True]),
        "bool",
        expected(np.array([1]), "int64", 0.0),
        "wrong_dtype",
        "output is bool; expected integers",
    ),
    "announced as another dtype": (
        np.ones(3),
        "float32",
        ONES,
        "wrong_dtype",
        "output is float64, though it was announced as float32",
    ),
    # not finite, before values
    "NaN": (
        f32(NAN, 1, 1),
        "float32",
        ONES,
        "not_finite",
        "output: 1 of 3 values are NaN, in index 0 only",
    ),
    "NaN where NaN is the answer": (
        f32(NAN),
        "float32",
        expected([NAN]),
        "not_finite",
        "output: 1 of 1 values are NaN",
    ),
    "a number where NaN is the answer": (
        f32(1),
        "float32",
        expected([NAN]),
        "values_differ",
        "output: the value differs",
    ),
    "infinite": (
        f32(1, 1, INF),
        "float32",
        ONES,
        "not_finite",
        "output: 1 of 3 values are infinite, in index 2 only",
    ),
    "the other infinity": (
        f32(INF),
        "float32",
        expected([-INF]),
        "not_finite",
        "output: 1 of 1 values are infinite",
    ),
    "a large number for infinity": (
        f32(-1e9),
        "float32",
        expected([-INF]),
        "values_differ",
        "output: the value differs, by up to inf",
    ),
    "NaN hidden behind a wrong number": (
        f32(NAN, 9, 1),
        "float32",
        ONES,
        "not_finite",
        "output: 1 of 3 values are NaN",
    ),
    # values
    "a little over the tolerance": (
        np.array([1.5 + 1e-15]),
        "float64",
        expected([1.0], "float64", 0.5),
        "values_differ",
        "output: the value differs, by up to 0.5 (allowed 0.5)",
    ),
    "a tolerance in two digits": (
        f32(1, 9),
        "float32",
        expected([1.0, 1.0], "float32", 2.44),
        "values_differ",
        "output: 1 of 2 values differ, by up to 8 (allowed 2.4), in index 1",
    ),
    "one of three": (
        f32(1, 1.5, 1),
        "float32",
        ONES,
        "values_differ",
        "output: 1 of 3 values differ, by up to 0.5 (allowed 1e-06), in index 1 only",
    ),
    "an integer": (
        np.array([1, 3]),
        "int64",
        expected(np.array([1, 2]), "int64", 0.0),
        "values_differ",
        "output: 1 of 2 values differ, in index 1",
    ),
    "an integer beyond 2**53": (
        np.array([2**60 + 1]),
        "int64",
        expected(np.array([2**60]), "int64", 0.0),
        "values_differ",
        "output: the value differs",
    ),
    "a boolean": (
        np.array([True, True, True]),
        "bool",
        expected(np.array([True, False, True]), "bool", 0.0),
        "values_differ",
        "output: 1 of 3 values differ, in index 1 only",
    ),
}


@pytest.mark.parametrize(
    ("actual", "dtype", "answer", "kind", "text"), WRONG.values(), ids=WRONG.keys()
)
def test_wrong(
    actual: np.ndarray | None, dtype: str, answer: Expected, kind: str, text: str
) -> None:
    (found,) = compare("output", actual, dtype, answer)
    assert (COARSE.get(found.code, found.code), found.parameters["tensor"]) == (kind, "output")
    assert sentence(found).startswith(text)


def test_a_wrong_dtype_hides_no_wrong_value() -> None:
    found = compare("output", f32([1, 9], [1, 1]), "float32", expected(np.ones((2, 2)), "float64"))
    assert [each.code for each in found] == [Code.WRONG_DTYPE, Code.VALUES_DIFFER]
    found = compare("output", np.full(3, 9.0), "float64", ONES)
    assert [each.code for each in found] == [Code.VALUES_DIFFER]


def test_the_axes_are_named_with_a_wrong_shape() -> None:
    (found,) = compare(
        "weights", np.ones((2, 3), np.float32), "float32", expected(np.ones((3, 2))), ("L", "S")
    )
    assert sentence(found) == "weights has shape (2, 3); expected (3, 2), that is (L, S)"


def test_a_mutated_input_is_called_that() -> None:
    (found,) = compare(
        "after.q",
        f32([1, 9], [3, 4]),
        "float32",
        expected([[1.0, 2.0], [3.0, 4.0]], tolerance=0.0),
        ("L", "D"),
    )
    assert (COARSE.get(found.code, found.code), sentence(found)) == (
        "input_modified",
        "q was modified by the call, in row 0, in feature 1; work on a copy",
    )


def test_a_missing_gradient_says_why_in_the_words_of_autograd() -> None:
    (found,) = compare("grad.q", None, "absent:unreached", ONES)
    assert (COARSE.get(found.code, found.code), sentence(found)) == (
        "missing",
        "grad.q: no gradient reaches it",
    )


def test_the_largest_difference_is_the_one_that_is_pointed_at() -> None:
    (found,) = compare("output", f32([1.1, 1], [1, 3]), "float32", expected(np.ones((2, 2))))
    told = found.parameters
    assert (told["at"], told["count"], told["total"], told["allowed"]) == ((1, 1), 2, 4, 1e-6)
    assert told["largest"] == pytest.approx(2.0)


DTYPES = [
    ("float32", "float32", True),
    ("float", "float64", True),
    ("float16", "float32", False),
    ("float", "float32", False),
    ("int8", "int64", True),
    ("uint8", "int", True),
    ("int", "uint16", True),
    ("bool", "int", False),
    ("bool_", "bool", True),
    ("float64", "int64", False),
    ("list", "list", True),
    ("int64", "list", True),
    ("float32", "list", False),
    ("builtins.str", "list", False),
]


@pytest.mark.parametrize(
    ("given_", "asked", "same"), DTYPES, ids=[f"{a}-for-{b}" for a, b, _ in DTYPES]
)
def test_same_dtype(given_: str, asked: str, same: bool) -> None:
    assert same_dtype(given_, asked) is same


# --------------------------------------------------------------------------------------------------------------------
# properties

shapes = nps.array_shapes(min_dims=0, max_dims=4, max_side=5)
tolerances = st.floats(1e-9, 1.0)
numbers = st.floats(-1e3, 1e3)


@st.composite
def answers_and_places(draw: st.DrawFn) -> tuple[np.ndarray, tuple[int, ...]]:
    """A finite tensor in float32 or float64, and one of its places."""
    dtype = draw(st.sampled_from([np.float32, np.float64]))
    shape = draw(shapes)
    width = 32 if dtype is np.float32 else 64
    values = draw(nps.arrays(dtype, shape, elements=st.floats(-1000, 1000, width=width)))
    place = tuple(draw(st.integers(0, n - 1)) for n in shape)
    return values, place


def moved(values: np.ndarray, place: tuple[int, ...], by: float) -> np.ndarray:
    found = values.copy()
    found[place] = found[place] + by
    return found


@given(answers_and_places(), tolerances, st.floats(1.01, 1e6), st.sampled_from([-1, 1]))
def test_one_perturbation_above_the_tolerance_is_found_where_it_is(
    answer: tuple[np.ndarray, tuple[int, ...]], tolerance: float, factor: float, sign: int
) -> None:
    values, place = answer
    actual = moved(values, place, sign * factor * tolerance)
    error = abs(float(actual[place]) - float(values[place]))
    assume(error > tolerance)  # not lost in the rounding of a float32
    (found,) = compare(
        "x", actual, values.dtype.name, expected(values, values.dtype.name, tolerance)
    )
    told = found.parameters
    assert (found.code, told["at"], told["largest"]) == (Code.VALUES_DIFFER, place, error)


@given(answers_and_places(), tolerances, st.floats(0, 0.99), st.data())
def test_no_perturbation_below_the_tolerance_is_found(
    answer: tuple[np.ndarray, tuple[int, ...]], tolerance: float, factor: float, data: st.DataObject
) -> None:
    values, _ = answer
    signs = data.draw(
        nps.arrays(np.float64, values.shape, elements=st.sampled_from([-1.0, 0.0, 1.0]))
    )
    actual = np.asarray(values + signs * factor * tolerance, values.dtype)
    assume(
        np.abs(actual.astype(np.float64) - values.astype(np.float64)).max(initial=0.0) <= tolerance
    )
    assert (
        compare("x", actual, values.dtype.name, expected(values, values.dtype.name, tolerance))
        == ()
    )


@given(answers_and_places(), st.sampled_from([NAN, INF, -INF]), st.floats(0, 1e300))
def test_what_is_not_finite_is_found_under_any_tolerance(
    answer: tuple[np.ndarray, tuple[int, ...]], strange: float, tolerance: float
) -> None:
    values, place = answer
    actual = values.copy()
    actual[place] = strange
    (found,) = compare(
        "x", actual, values.dtype.name, expected(values, values.dtype.name, tolerance)
    )
    assert (found.code, found.parameters["at"]) == (
        Code.NOT_FINITE,
        place,
    )


@given(
    nps.arrays(
        st.sampled_from([np.int8, np.int64, np.uint8, np.bool_]),
        nps.array_shapes(max_dims=3, max_side=4),
    ),
    st.data(),
)
def test_one_integer_or_boolean_that_differs_is_found(
    values: np.ndarray, data: st.DataObject
) -> None:
    place = tuple(data.draw(st.integers(0, n - 1)) for n in values.shape)
    actual = values.copy()
    actual[place] = not values[place] if values.dtype == bool else values[place] ^ 1
    answer = Expected(values, values.dtype.name, 0.0)
    assert compare("x", values, values.dtype.name, answer) == ()
    (found,) = compare("x", actual, values.dtype.name, answer)
    assert (found.code, found.parameters["at"]) == (
        Code.VALUES_DIFFER,
        place,
    )


@given(shapes, shapes)
def test_another_shape_is_found_even_where_numpy_would_broadcast(
    one: tuple[int, ...], two: tuple[int, ...]
) -> None:
    assume(one != two)
    (found,) = compare("x", np.ones(one, np.float32), "float32", expected(np.ones(two)))
    assert found.code is Code.WRONG_SHAPE


anything = st.sampled_from([0.0, -0.0, 1.0, -1.0, 1e-300, 1e300, -1e300, INF, -INF, NAN])


@given(nps.array_shapes(min_dims=0, max_dims=3, max_side=4), st.data())
def test_any_two_tensors_get_an_answer_without_a_warning(
    shape: tuple[int, ...], data: st.DataObject
) -> None:
    """pytest turns a warning of numpy (overflow, invalid value) into an error."""
    actual, values = (data.draw(nps.arrays(np.float64, shape, elements=anything)) for _ in range(2))
    found = compare(
        "x",
        actual,
        "float64",
        expected(values, "float64"),
        data.draw(st.sampled_from([(), ("L", "S"), ("B", "L", "S")])),
    )
    with np.errstate(invalid="ignore", over="ignore"):
        right = (actual == values) | (np.abs(actual - values) <= 1e-6)
    assert (found == ()) == bool(right.all())
