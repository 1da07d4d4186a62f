"""Arrays as a solution gets them."""

import numpy as np
import pytest
import torch

from grader.inside.arguments import SMALL_BYTES, argument, modified, versions


@pytest.mark.parametrize("framework", ["numpy", "torch"])
@pytest.mark.parametrize("layout", ["strided", "transposed"])
@pytest.mark.parametrize("shape", [(), (4,), (1, 1), (3, 4), (2, 3, 4), (2, 1, 3, 4)])
def test_another_layout_has_the_same_values(
    shape: tuple[int, ...], layout: str, framework: str
) -> None:
    value = np.random.default_rng(0).standard_normal(shape)
    given = argument(value, framework, layout, grad=False)
    assert given.shape == shape
    np.testing.assert_array_equal(np.asarray(given), value)


def test_the_axes_of_a_strided_array_cannot_be_merged_without_a_copy() -> None:
    given = argument(np.zeros((2, 3, 4)), "torch", "strided", grad=False)
    assert given.view(2, 3, 2, 2).shape == (2, 3, 2, 2)  # an axis may be split
    for each in (given, 2 * given, given.clone()):
        for merged in ((6, 4), (2, 12), (24,)):
            with pytest.raises(RuntimeError, match="view size is not compatible"):
                each.view(merged)


def test_the_entries_of_a_strided_array_have_gaps_between_them() -> None:
    given = argument(np.zeros((2, 3)), "numpy", "strided", grad=False)
    assert min(given.strides) == 2 * given.itemsize
    assert not given.flags.forc


def test_a_transposed_array_lies_in_the_order_of_its_last_axis_first() -> None:
    value = np.arange(6.0).reshape(2, 3)
    given = argument(value, "numpy", "transposed", grad=False)
    assert given.flags.f_contiguous and not given.flags.c_contiguous and given.flags.writeable
    assert given.tobytes(order="A") == value.T.tobytes()
    assert argument(value, "torch", "transposed", grad=False).stride() == (1, 2)


@pytest.mark.parametrize("layout", ["strided", "transposed"])
def test_an_array_in_another_layout_with_gradients_is_a_leaf(layout: str) -> None:
    given = argument(np.ones((2, 3)), "torch", layout, grad=True)
    with (
        torch.enable_grad()
    ):  # PyTorch's switch is the process's, and another test may have turned it
        given.sum().backward()
    assert torch.equal(given.grad, torch.ones(2, 3))


@pytest.mark.parametrize("framework", ["numpy", "torch"])
@pytest.mark.parametrize("layout", ["", "strided", "transposed"])
@pytest.mark.parametrize("place", [(), (0, 0), (1, 2)])
def test_an_array_that_is_written_to_is_modified(
    place: tuple[int, ...], layout: str, framework: str
) -> None:
    given = {"x": np.arange(6.0).reshape(2, 3), "y": np.array([np.nan, np.inf])}
    arguments = {name: argument(each, framework, layout, False) for name, each in given.items()}
    before = versions(arguments)
    assert not modified(arguments, before, given)
    arguments["x"][place] = -1.0
    assert modified(arguments, before, given)


def test_of_large_arrays_only_tensors_are_looked_at() -> None:
    given = {"x": np.zeros(SMALL_BYTES)}
    for framework, seen in (("numpy", False), ("torch", True)):
        arguments = {"x": argument(given["x"], framework, "", False)}
        before = versions(arguments)
        arguments["x"][0] = 1.0
        assert modified(arguments, before, given) is seen
