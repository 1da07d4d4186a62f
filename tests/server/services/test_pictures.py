"""Heat maps, bars and tables out of a sample's numbers."""

import json
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from grader.answers.answer import Answer
from grader.case import Case
from grader.comparison.compare import Expected
from grader.model import CaseResult, Ended, Outcome, Run
from grader.problem import load
from grader.verdict.outcome import Judgement, case_result
from server.services.rendering import pictures, samples
from server.services.rendering.figures import heat
from tests import ROOT


def sample(
    got: dict[str, Any], expected: dict[str, Any], labels: tuple[str, ...] = (), axes: str = ""
) -> dict[str, Any]:
    case = Case("c", inputs={"x": np.zeros(2)}, labels=labels, sample=True, note="n")
    arrays = [{name: np.asarray(value) for name, value in side.items()} for side in (got, expected)]
    result = CaseResult(
        "c",
        Outcome.WRONG_ANSWER,
        True,
        0,
        1,
        1.0,
        1.0,
        1.0,
        "m",
        "n",
        arrays[0],
        arrays[1],
        "",
        case,
    )
    problem = load(ROOT, "scaled_dot_product_attention")
    shapes = {"weights": (axes,)} if axes else {}
    return samples.result_data(replace(problem, shapes=shapes), [result])[0]


@pytest.mark.parametrize(
    ("value", "signed", "text"),
    [
        (0.0, False, ".00"), (1.0, False, "1.00"), (0.594, False, ".59"), (0.4, True, "+.40"), (-0.063, True, "-.06"), (0.001, True, "0"),
        (-0.001, False, ".00"), (12.3456, False, "12"), (-3.5, False, "-3.50"), (1e6, False, "1e6"), (True, False, "1"), (7, False, "7"),
        ("nan", False, "nan"), ("inf", False, "∞"), ("-inf", False, "-∞"), (-1e-9, True, "0"),
    ],
)  # fmt: skip
def test_short_numbers(value: Any, signed: bool, text: str) -> None:
    assert heat.short(value, signed) == text


def test_three_figures_with_labels() -> None:
    drawn = pictures.pictures(
        sample(
            {"weights": [[1.0, 0.0], [0.25, 0.75]]},
            {"weights": [[0.5, 0.5], [0.25, 0.75]]},
            ("cat", "sat"),
        )
    )
    assert [(p.tensor, len(p.panes)) for p in drawn] == [("weights", 1)]
    figures = dict(drawn[0].panes[0].figures)
    assert list(figures) == ["yours", "expected", "difference"]
    assert figures["yours"].count(">cat</text>") == 2  # a row and a column
    assert "cat → sat: 0" in figures["yours"]
    assert ">+.50</text>" in figures["difference"]
    assert 'class="w20"' in figures["yours"]
    assert 'class="d10"' in figures["difference"]
    assert 'class="d-10"' in figures["difference"]
    assert "style=" not in "".join(figures.values())


@pytest.mark.parametrize(
    ("shape", "axes", "titles"),
    [
        ((4, 5), "L S", [""]),
        (
            (2, 3, 4, 5),
            "B H L S",
            ["batch 1, head 1", "batch 1, head 2", "batch 1, head 3", "batch 2, head 1"],
        ),
        ((3, 4, 5), "H L S", ["head 1", "head 2", "head 3"]),
        ((3, 4, 5), "B L S", ["batch 1", "batch 2", "batch 3"]),
        ((3, 4, 5), "... L S", ["[0]", "[1]", "[2]"]),
        ((2, 3, 4, 5), "", ["[0, 0]", "[0, 1]", "[0, 2]", "[1, 0]"]),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_a_pane_for_each_leading_axis_named_as_the_problem_names_it(
    shape: tuple[int, ...], axes: str, titles: list[str]
) -> None:
    found = np.full(shape, 0.2)
    panes = pictures.pictures(sample({"weights": found}, {"weights": found}, axes=axes))[0].panes
    assert [p.title for p in panes][:4] == titles


@pytest.mark.parametrize(
    ("expected", "names"),
    [
        ({"weights": np.ones((3, 3)), "output": np.ones((3, 2))}, ["weights"]),
        (
            {"scores": np.ones((3, 3)), "weights": np.ones((3, 3)), "output": np.ones((3, 2))},
            ["weights", "scores"],
        ),
        ({"mask": np.ones((3, 3), bool)}, ["mask"]),
        ({"output": np.ones((3, 3))}, ["output"]),
        ({"output": np.ones(3)}, []),
        ({"weights": np.ones(3), "output": np.ones(3)}, ["weights"]),
        ({"weights": np.ones((17, 17))}, []),
        ({"weights": np.ones((0, 3))}, []),
        ({"weights": np.ones((2, 2, 5, 3, 3))}, []),
        ({"weights": np.ones((3, 3)), "grad.weights": np.ones((3, 3))}, ["weights"]),
    ],
)
def test_what_is_drawn(expected: dict[str, Any], names: list[str]) -> None:
    assert [p.tensor for p in pictures.pictures(sample(expected, expected))] == names


def test_rounding_has_no_colour() -> None:
    drawn = pictures.pictures(
        sample(
            {"weights": [[0.5, 0.5 + 1e-7], [0.25, 0.75]]}, {"weights": [[0.5, 0.5], [0.25, 0.75]]}
        )
    )
    assert set(re.findall(r'class="(d-?\d+)"', dict(drawn[0].panes[0].figures)["difference"])) == {
        "d0"
    }


def test_another_shape_has_no_difference() -> None:
    drawn = pictures.pictures(sample({"weights": np.ones((2, 3))}, {"weights": np.ones((3, 2))}))
    assert [kind for kind, _ in drawn[0].panes[0].figures] == ["expected"]


def test_not_a_number_is_marked() -> None:
    drawn = pictures.pictures(
        sample({"weights": [[np.nan, np.inf], [0.5, 0.5]]}, {"weights": [[0.5, 0.5], [0.5, 0.5]]})
    )
    yours = dict(drawn[0].panes[0].figures)["yours"]
    assert yours.count('class="nonfinite"') == 2
    assert ">nan</text>" in yours


def test_a_single_query_becomes_bars() -> None:
    drawn = pictures.pictures(sample({"weights": [0.9, 0.1]}, {"weights": [0.5, 0.5]}, ("a", "b")))
    figures = dict(drawn[0].panes[0].figures)
    assert 'class="bars"' in figures["yours"]
    heights = [
        float(h) for h in re.findall(r'class="bar [^"]*"[^>]*height="([\d.]+)"', figures["yours"])
    ]
    assert heights[0] == pytest.approx(9 * heights[1], rel=0.01)


LINE = 11  # the height of a label


@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize(
    "values",
    [[0.2, 0.8], [-1.27, -1.47, 0.78], [-2.0, -1.0, -0.001], [0.0, 0.0], ["nan", -3.0, 5.0]],
)
def test_no_label_stands_in_a_bar_or_in_another_label(values: list[Any], signed: bool) -> None:
    svg = heat.bars(values, [f"t{i}" for i in range(len(values))], "scores", signed)
    height = float(re.findall(r'viewBox="0 0 \S+ (\S+)"', svg)[0])
    bars = [
        (float(y), float(h)) for y, h in re.findall(r'y="(\S+)" width="32" height="(\S+)"', svg)
    ]
    said = [float(y) for y in re.findall(r'<text class="v" x="\S+" y="(\S+)"', svg)]
    names = [float(y) for y in re.findall(r'<text class="tk" x="\S+" y="(\S+)"', svg)]
    assert len(bars) == len(said) == len(names) == len(values)
    for (top, tall), number, name in zip(bars, said, names, strict=True):
        assert top >= 0 and number >= LINE - 1 and name <= height
        assert name - number >= LINE
        assert name - LINE >= top + tall
        if not signed:  # the numbers of a difference stand in a row above the bars
            assert number <= top or number - LINE >= top + tall
    largest = max((abs(v) for v in values if isinstance(v, float)), default=0.0)
    if largest and not signed:
        assert max(tall for _, tall in bars) > 40


def test_labels_are_escaped() -> None:
    drawn = pictures.pictures(sample({"weights": np.eye(2)}, {"weights": np.eye(2)}, ("<b>", '"&')))
    text = "".join(svg for _, svg in drawn[0].panes[0].figures)
    assert "<b>" not in text
    assert "&lt;b&gt;" in text


@pytest.mark.parametrize("signed", [False, True])
def test_values_can_be_read_on_their_colour(signed: bool) -> None:
    """Contrast of at least 4.5 to 1 between a number and its cell (WCAG AA), all along both scales."""
    for i in range(-100 if signed else 0, 101):
        svg = heat.heat(
            [[i / 100, 1.0 if not signed else -1.0], [0.0, 1.0]],
            ["a", "b"],
            ["a", "b"],
            "x",
            signed,
        )
        fill = re.search(r'<rect class="[wd]-?\d+"[^>]* fill="rgb\((\d+),(\d+),(\d+)\)"', svg)
        ink = re.search(r'<text class="v on-(dark|light)"', svg)
        assert fill
        assert ink
        cell = luminance([int(fill[n]) for n in (1, 2, 3)])
        text = luminance([255] * 3 if ink[1] == "dark" else [0] * 3)
        assert (max(cell, text) + 0.05) / (min(cell, text) + 0.05) >= 4.5, i


def luminance(rgb: list[int]) -> float:
    linear = [c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in rgb]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize(
    ("array", "rows"),
    [
        (np.float32(0.5), [(("0.5",),)]),
        (np.array([1.0, 2.5]), [(("1.0", "2.5"),)]),
        (np.array([[1, 2], [3, 4]]), [(("1", "2"), ("3", "4"))]),
        (np.array([[True, False]]), [(("True", "False"),)]),
        (np.array([[0.12345678, 1.0]]), [(("0.1235", "1.0000"),)]),
        (np.array([1e-9, 1.0]), [(("0", "1"),)]),
        (np.array([1e-9, 2e-9]), [(("1e-09", "2e-09"),)]),
        (np.array([1e6, 1.5]), [(("1e+06", "1.5"),)]),
        (np.array([np.nan, -np.inf]), [(("nan", "-inf"),)]),
        (np.arange(4).reshape(2, 1, 2), [(("0", "1"),), (("2", "3"),)]),
        (np.zeros((0, 2)), []),
        (np.zeros(samples.LARGEST + 1), []),
    ],
)
def test_tables(array: Any, rows: list[Any]) -> None:
    assert [block.rows for block in samples.blocks(samples.tensor_data(np.asarray(array)))] == rows


def test_what_json_has_no_number_for_is_a_word() -> None:
    found = sample({"weights": [[np.nan, 1.0]]}, {"weights": [[np.inf, 1.0]]})
    assert json.loads(json.dumps(found, allow_nan=False))["got"]["weights"]["data"] == [
        ["nan", 1.0]
    ]


def test_rounding_is_no_bar() -> None:
    bars = heat.bars([1e-8, -2e-8, 0.0], ("a", "b", "c"), "difference", signed=True)
    heights = [float(h) for h in re.findall(r'<rect class="bar d0"[^>]* height="([^"]+)"', bars)]
    assert heights == [0.5, 0.5, 0.5]


def test_the_expected_dtype_is_the_one_that_is_due() -> None:
    problem = load(ROOT, "scaled_dot_product_attention")
    case = Case("c", inputs={"x": np.zeros(2, np.float32)}, sample=True)
    answer = Answer(case, {"weights": Expected(np.zeros(2), "float32", 1e-6)}, 1.0)
    run = Run("c", Ended.RETURNED, {"weights": np.ones(2, np.float32)}, {"weights": "float32"})
    judged = case_result(answer, run, Judgement(Outcome.WRONG_ANSWER))
    shown = samples.result_data(problem, [judged])[0]
    assert {shown[side]["weights"]["dtype"] for side in ("got", "expected")} == {"float32"}
    stated = samples.sample_data(problem, [(case, answer.expected)])[0]
    assert stated["expected"]["weights"]["dtype"] == "float32"


def test_titles_and_names_of_pictures_are_in_the_readers_language() -> None:
    words = {
        "head %(number)s": "头 %(number)s",
        "%(tensor)s, yours": "%(tensor)s，你的",
        "%(tensor)s, expected": "%(tensor)s，期望",
        "%(tensor)s, difference": "%(tensor)s，差",
        ", ": "；",
    }
    heads = np.ones((2, 3, 4))
    given = sample({"weights": heads}, {"weights": heads}, axes="H L S")
    panes = pictures.pictures(given, lambda said: words[said.pattern] % said.parameters)[0].panes
    assert [pane.title for pane in panes] == ["头 1", "头 2"]
    assert [kind for kind, _ in panes[0].figures] == ["yours", "expected", "difference"]
    named = [re.findall('aria-label="([^"]+)"', svg)[0] for _, svg in panes[1].figures]
    assert named == ["weights，你的；头 2", "weights，期望；头 2", "weights，差；头 2"]
