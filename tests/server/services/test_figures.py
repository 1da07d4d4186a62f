"""Figures as the server draws them: SVG that is well formed, with the numbers as a table beside it."""

import json
import re
from typing import Any
from xml.etree.ElementTree import Element, fromstring

import pytest

from grader.lessons import figure
from server.messages import Message
from server.services.rendering.figures import Drawing, draw
from server.services.rendering.figures.draw import masked, softmax
from tests.grader.test_lessons import FIGURES


def drawn(kind: str, **change: Any) -> Drawing:
    return draw(figure("f", {"kind": kind, **FIGURES[kind], **change}), "A <name>")


def svg(drawing: Drawing, pane: int = 0) -> Element:
    return fromstring(str(drawing.panes[pane][1]))


def texts(root: Element, kind: str) -> list[str]:
    return [e.text or "" for e in root.iter("text") if kind in e.get("class", "").split()]


def cells(drawing: Drawing, table: int = 0) -> list[list[str]]:
    return [list(row) for _, row in drawing.tables[table].rows]


@pytest.mark.parametrize("kind", FIGURES)
def test_every_kind_is_well_formed_and_named(kind: str) -> None:
    drawing = drawn(kind)
    for number in range(len(drawing.panes)):
        root = svg(drawing, number)
        assert root.get("role") == "img" and root.get("aria-label", "").startswith("A <name>")
        assert "style" not in str(drawing.panes[number][1])
    assert drawing.kind == kind and drawing.tables
    assert set(FIGURES[kind]) <= set(json.loads(drawing.data))


def test_labels_cannot_break_out() -> None:
    drawing = drawn("softmax", labels=["<b>", '"&'])
    assert texts(svg(drawing), "tk") == ["<b>", '"&']


def test_a_heat_map_has_its_numbers() -> None:
    assert texts(svg(drawn("heatmap")), "v") == ["-∞", "1.00"]
    assert cells(drawn("heatmap")) == [["-inf", "1"]]


def test_long_column_names_are_slanted() -> None:
    sides = {"values": [[1, 2], [3, 4]], "rows": ["a", "b"]}
    for columns, slanted in (
        (["short", "names"], 0),
        (["longer", "names"], 2),
        (["词元数", "x"], 2),
    ):
        root = svg(drawn("heatmap", columns=columns, **sides))
        assert len([g for g in root.iter("g") if "rotate" in g.get("transform", "")]) == slanted


def test_a_scale_goes_both_ways_from_zero_where_the_numbers_do() -> None:
    sides = {"rows": ["a"], "columns": ["c", "d"]}
    both = drawn("heatmap", values=[[-1.0, 2.0]], **sides)
    assert [r.get("class") for r in svg(both).iter("rect")] == ["d-5", "d10"]
    assert texts(svg(both), "v") == ["-1.00", "2.00"]
    named = drawn("heatmap", values=[[-1.0, 2.0]], low=-1, **sides)
    assert [r.get("class") for r in svg(named).iter("rect")] == ["w0", "w20"]


def test_heads_share_one_scale() -> None:
    values = [[[0, 4.0], [0, 0]], [[0, 2.0], [0, 0]]]
    drawing = drawn("heads", values=values)
    levels = [re.findall(r"w(\d+)\"", str(pane)) for _, pane in drawing.panes]
    assert (levels[0][1], levels[1][1]) == ("20", "10")
    assert [title for title, _ in drawing.panes] == ["one", "two"]


def test_vectors_are_compared() -> None:
    drawing = drawn("vectors", vectors={"cat": [3, 4], "dog": [4, -3]})
    assert cells(drawing) == [["3", "4", "5"], ["4", "-3", "5"]]
    assert cells(drawing, 1) == [["0"], ["0"], ["90.0°"]]
    assert drawing.tables[1].rows[0][0] == Message("Dot product")


def test_a_vector_without_length_has_no_angle_to_divide_by() -> None:
    assert cells(drawn("vectors", vectors={"cat": [0, 0], "dog": [1, 0]}), 1)[1] == ["0"]


def test_the_softmax_is_scaled() -> None:
    drawing = drawn("softmax", scores=[0, 1], scale=0)
    assert cells(drawing) == [["0", "0.5"], ["1", "0.5"]]
    assert softmax([1000.0, 1000.0]) == [0.5, 0.5]


def test_a_mask_hides_before_the_softmax_divides() -> None:
    found = masked([[1.0, 1.0, 5.0], [1.0, 2.0, 3.0]], [[True, True, False], [False] * 3])
    assert found == [[0.5, 0.5, "×"], ["×", "×", "×"]]
    assert "nan" not in str(drawn("mask", mask=[[False, False], [True, True]]).panes)


def test_a_product_is_multiplied() -> None:
    drawing = drawn("product", left=[[1, 2], [0, -1]], right=[[3], [4]])
    assert cells(drawing, 2) == [["11"], ["-4"]]
    assert texts(svg(drawing), "v") == ["1", "2", "0", "-1", "3", "4", "11", "-4"]


def test_an_axis_has_round_ticks() -> None:
    linear = drawn("curve", x=[0, 7], lines={"n": [0, 33]}, log=False)
    assert texts(svg(linear), "tick") == ["0", "2", "4", "6", "0", "10", "20", "30"]
    log = drawn("curve", x=[1, 1000], lines={"n": [10, 1_000_000]})
    assert texts(svg(log), "tick")[:4] == ["1", "10", "100", "1000"]
    assert texts(svg(log), "tick")[-1] == "1e6"


def test_a_flat_line_is_drawn() -> None:
    assert "nan" not in str(drawn("curve", lines={"n": [2, 2]}).panes[0][1])
