"""Lessons: their folders, their text, their figures, and what their programs compute in the room."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from grader.errors import ProblemError
from grader.lessons import (
    Kind,
    Lesson,
    check,
    compute,
    digest_of,
    figure,
    load,
    load_lessons,
    pieces,
    places,
)
from grader.model import Framework
from grader.problem import Problem, load_bank
from grader.sandbox import SandboxPool
from tests import ROOT

TOML = """
title = "A lesson"
order = 1
minutes = 10
summary = "What it is about."
uses = ["scaled_dot_product_attention"]
"""
PROGRAM = """
import numpy as np
from bank import scaled_dot_product_attention

q = np.ones((2, 3))
# [call]
output, weights = scaled_dot_product_attention(q, q, q)
# [end]
sums = weights.sum(axis=-1)
hidden = -np.inf
heat = {"kind": "heatmap", "values": weights, "rows": ["a", "b"], "columns": ["a", "b"]}
"""
TEXT = "# A lesson\n\nThe sums are [[value: sums | .1f]].\n\n[[figure: heat]]\n*Two tokens.*\n"


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    """A bank with one problem and one lesson."""
    for folder in ("problems", "reference"):
        name = f"{folder}/scaled_dot_product_attention"
        shutil.copytree(ROOT / name, tmp_path / name)
    folder = tmp_path / "lessons" / "first"
    folder.mkdir(parents=True)
    for name, text in (("toml", TOML), ("py", PROGRAM), ("md", TEXT)):
        (folder / f"lesson.{name}").write_text(text)
    return tmp_path


def edit(bank: Path, name: str, old: str, new: str) -> None:
    path = bank / "lessons" / "first" / name
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


FOLDER_FAULTS = [
    ("lesson.toml", 'title = "A lesson"\n', "", "'title' is missing; see docs/lessons.md"),
    ("lesson.toml", "minutes = 10", "minutes = 0", "'minutes' is 0; give 1 to 60"),
    ("lesson.toml", "order", "oder", "'order' is missing"),
    ("lesson.toml", "order = 1", "order = 1\nsumary = 2", "unknown key 'sumary' (did you mean"),
    ("lesson.py", "# [end]\n", "", "line 6: region 'call' has no '# [end]'"),
    ("lesson.py", "# [call]\n", "", "line 7: '# [end]' ends no region"),
    ("lesson.py", "# [end]", "# [other]", "line 8: region 'other' begins inside 'call' (line 6)"),
]


@pytest.mark.parametrize(
    ("name", "old", "new", "said"), FOLDER_FAULTS, ids=[row[3] for row in FOLDER_FAULTS]
)
def test_a_fault_of_the_folder_is_named(
    bank: Path, name: str, old: str, new: str, said: str
) -> None:
    edit(bank, name, old, new)
    with pytest.raises(ProblemError) as error:
        load(bank, "first")
    assert said in str(error.value)
    assert f"first/{name}" in str(error.value)


TEXT_FAULTS = [
    ("No title", "line 1: a lesson begins with its title"),
    ("# T\n\n[[valu: x]]", "line 3: unknown placeholder '[[valu: …]]' (did you mean 'value'?)"),
    ("# T\n\nSee [[figure: x]] here.", "line 3: '[[figure: x]]' must stand on a line of its own"),
    ("# T\n[[answer]]\nyes", "line 2: this '[[answer]]' has no '[[/answer]]'"),
    ("# T\n[[/answer]]", "line 2: '[[/answer]]' ends no answer"),
    ("# T\n[[value: x | .3q]]", "line 2: '[[value: x | .3q]]': '.3q' is not a format of a value"),
    ("# T\n[[answer]]\n\n[[cod: x]]\n[[/answer]]", "line 4: unknown placeholder '[[cod: …]]'"),
    ("# T\n> **Misconception.** a\n> [[code: x]]", "line 3: '[[code: x]]' must stand on a line"),
]


@pytest.mark.parametrize(("text", "said"), TEXT_FAULTS, ids=[row[1] for row in TEXT_FAULTS])
def test_a_fault_of_the_text_is_named_with_its_line(text: str, said: str) -> None:
    with pytest.raises(ProblemError) as error:
        pieces(text, Path("lesson.md"))
    assert str(error.value).startswith(f"lesson.md, {said}")


def test_a_text_is_taken_apart() -> None:
    text = "\n".join(
        [
            "# T",
            "See $x$, [[value: a | .2f]] and [[problem: p]].",
            "[[code: region]]",
            "[[figure: f]]",
            "",
            "*Its caption,",
            "with [[value: b]].*",
            "> **误解。** No: [[value: c]].",
            "> Because.",
            "```",
            "a[[0: 1]] [[value: shown]]",
            "```",
            "1. Why?",
            "   [[answer]]",
            "   So, [[lesson: l]].",
            "   [[/answer]]",
        ]
    )
    found = pieces(text, Path("lesson.md"))
    assert [str(piece.kind) for piece in found] == (
        "prose code figure misconception verbatim prose answer".split()
    )
    assert found[2].caption == "Its caption,\nwith [[value: b]]."
    assert found[3].text == "**误解。** No: [[value: c]].\nBecause."
    assert found[6].inside[0].text == "So, [[lesson: l]]."
    named = {(str(each.kind), each.name, each.format, each.line) for each in places(found)}
    assert named == {
        ("value", "a", ".2f", 2),
        ("problem", "p", "", 2),
        ("code", "region", "", 3),
        ("figure", "f", "", 4),
        ("value", "b", "", 5),
        ("value", "c", "", 8),
        ("lesson", "l", "", 15),
    }


GRID = [[0.5, 0.5], [1.0, 0.0]]
SIDES = {"rows": ["a", "b"], "columns": ["c", "d"]}
FIGURES = {
    "heatmap": {"values": [["-inf", 1.0]], "rows": ["a"], "columns": ["c", "d"]},
    "heads": {"values": [GRID, GRID], "names": ["one", "two"], **SIDES},
    "vectors": {"vectors": {"cat": [1, 2], "dog": [2, 1.5]}, "compare": ["cat", "dog"]},
    "softmax": {"scores": [1, 2.5], "labels": ["a", "b"]},
    "mask": {"scores": GRID, "mask": [[True, False], [True, True]], **SIDES},
    "product": {"left": GRID, "right": GRID},
    "curve": {"x": [1, 2], "lines": {"n": [1, 4]}, "x_name": "n", "y_name": "ms", "log": True},
}
FIGURE_FAULTS = [
    ("heatmap", {"kind": "heat"}, "'kind' is 'heat'"),
    ("heatmap", {"rows": ["a", "b"]}, "'rows' has 2 labels; 'values' has 1 rows"),
    ("heatmap", {"values": [[1], [2, 3]]}, "'values' must be a matrix"),
    ("heatmap", {"low": 2, "high": 1}, "low must be below high"),
    ("heatmap", {"colour": "red"}, "unknown field 'colour' (did you mean 'columns'?)"),
    ("heads", {"names": ["one"]}, "'names' has 1 labels; 'values' has 2 heads"),
    ("heads", {"values": [GRID, [[1.0]]]}, "the heads of 'values' have different shapes"),
    ("vectors", {"compare": ["cat", "cow"]}, "name two of cat, dog"),
    ("vectors", {"vectors": {"cat": [1, 2, 3]}}, "'vectors['cat']' has 3 numbers; give 1 to 2"),
    ("softmax", {"scores": [1, "inf"]}, "'scores' must be a list of finite numbers"),
    ("softmax", {"scale": 9}, "give a number from 0 to 'most', which is 8"),
    ("mask", {"mask": [[1, 0], [1, 1]]}, "'mask' must be an array of booleans"),
    ("mask", {"mask": [[True, False]]}, "'mask' and 'scores' have different shapes"),
    ("product", {"right": [[1.0]]}, "'left' has 2 columns and 'right' has 1 rows"),
    ("curve", {"x": [2, 1]}, "each larger than the one before"),
    ("curve", {"lines": {"n": [0, 1]}}, "'log' is True, but a number is not above 0"),
    ("curve", {"lines": {"n": [1]}}, "line 'n' has 1 numbers; 'x' has 2"),
]


@pytest.mark.parametrize("kind", FIGURES)
def test_a_figure_of_each_kind_is_taken(kind: str) -> None:
    assert type(figure("f", {"kind": kind, **FIGURES[kind]})).__name__.lower() == kind


@pytest.mark.parametrize(
    ("kind", "change", "said"), FIGURE_FAULTS, ids=[row[2] for row in FIGURE_FAULTS]
)
def test_a_fault_of_a_figure_is_named(kind: str, change: dict[str, object], said: str) -> None:
    with pytest.raises(ProblemError) as error:
        figure("f", {"kind": kind, **FIGURES[kind], **change})
    assert str(error.value).startswith("lesson.py: figure 'f': ")
    assert said in str(error.value)


def test_labels_of_a_figure_have_a_translation() -> None:
    data = {"kind": "softmax", **FIGURES["softmax"], "zh": {"a": "甲"}}
    assert figure("f", data, language="zh").labels == ["甲", "b"]  # type: ignore[union-attr]
    assert figure("f", data).labels == ["a", "b"]  # type: ignore[union-attr]


def problems(attention: Problem) -> dict[str, Problem]:
    return {attention.slug: attention}


def test_values_come_back_from_the_room(
    bank: Path, attention: Problem, sandbox: SandboxPool
) -> None:
    values = compute(load(bank, "first"), problems(attention), sandbox)
    assert values["sums"] == [1.0, 1.0]
    assert values["heat"]["values"] == [[0.5, 0.5], [0.5, 0.5]]
    assert set(values) == {"sums", "heat"}


def test_a_changed_reference_changes_the_numbers(
    bank: Path, attention: Problem, sandbox: SandboxPool
) -> None:
    """What is kept of the old reference is not shown for the new one."""
    lesson = load(bank, "first")
    before = compute(lesson, problems(attention), sandbox)
    source = attention.references[Framework.NUMPY]
    doubled = f"{source}\n\n_plain = {attention.entries[0].name}\n" + (
        f"def {attention.entries[0].name}(q, k, v):\n"
        "    output, weights = _plain(q, k, v)\n"
        "    return output, weights * 2\n"
    )
    changed = replace(attention, references={**attention.references, Framework.NUMPY: doubled})
    after = compute(lesson, problems(changed), sandbox)
    assert (before["sums"], after["sums"]) == ([1.0, 1.0], [2.0, 2.0])
    assert digest_of(lesson, problems(attention)) != digest_of(lesson, problems(changed))


PROGRAM_FAULTS = [
    ("sums = ", "sum = ", "lesson.md, line 3: lesson.py defines no 'sums'"),
    ("hidden = -np.inf", "hidden = 1 / 0", "lesson.py, line 10: ZeroDivisionError: division"),
    ("hidden = -np.inf", "hidden = )", "lesson.py, line 10: SyntaxError: unmatched ')'"),
    ("sums = weights", "sums = object()  #", "lesson.py: 'sums' is a object; a page shows"),
    ("sums = weights", "sums = np.ones((300, 300))  #", "at most 20,000"),
    ("hidden = -np.inf", "import os; os._exit(0)", "lesson.py: died: it ended without a result"),
    ("from bank import scaled", "from bank import scald", "line 3: ImportError: cannot import"),
]


@pytest.mark.parametrize(
    ("old", "new", "said"), PROGRAM_FAULTS, ids=[row[2] for row in PROGRAM_FAULTS]
)
def test_a_program_that_fails_says_where(
    bank: Path, attention: Problem, sandbox: SandboxPool, old: str, new: str, said: str
) -> None:
    edit(bank, "lesson.py", old, new)
    with pytest.raises(ProblemError) as error:
        compute(load(bank, "first"), problems(attention), sandbox)
    assert said in str(error.value)


def test_a_lesson_uses_problems_of_the_bank(
    bank: Path, attention: Problem, sandbox: SandboxPool
) -> None:
    edit(bank, "lesson.toml", '"scaled_dot', '"scald_dot')
    with pytest.raises(ProblemError, match=r"'uses' has 'scald_dot.*is not a problem of the bank"):
        compute(load(bank, "first"), problems(attention), sandbox)


def test_what_is_not_finite_is_a_text(bank: Path, attention: Problem, sandbox: SandboxPool) -> None:
    edit(bank, "lesson.md", "[[value: sums | .1f]]", "[[value: hidden]]")
    assert compute(load(bank, "first"), problems(attention), sandbox)["hidden"] == "-inf"


def test_an_answer_is_a_piece_of_its_own() -> None:
    (piece,) = pieces("# T\n[[answer]]\nYes.\n[[/answer]]", Path("lesson.md"))
    assert (piece.kind, piece.inside[0].text) == (Kind.ANSWER, "Yes.")


CHECKED = [
    ("lesson.toml", "order = 1", 'order = 1\nproblems = ["soft"]', "'problems' has 'soft' names"),
    ("lesson.toml", "order = 1", 'order = 1\nrequires = ["zero"]', "'zero' names no lesson"),
    ("lesson.toml", "order = 1", 'order = 1\nrequires = ["second"]', "must be below 1"),
    ("lesson.toml", "order = 1", "order = 2", "'order' is 2, as that of 'second'"),
    ("lesson.md", "[[figure", "See [[problem: no]].\n\n[[figure", "line 5: 'no' names no problem"),
    ("lesson.md", "[[figure", "See [[lesson: no]].\n\n[[figure", "line 5: 'no' names no lesson"),
    (
        "lesson.md",
        "[[figure",
        "[[code: cal]]\n\n[[figure",
        "no region '# [cal]' (did you mean 'call'",
    ),
    ("lesson.md", "[[figure", "[[mistake: no/way]]\n\n[[figure", "'no/way' names no problem"),
    (
        "lesson.md",
        "[[figure",
        "[[mistake: scaled_dot_product_attention/way]]\n\n[[figure",
        "names no mistake of scaled_dot_product_attention",
    ),
    ("lesson.md", "value: sums", "value: heat", "'heat' is dict; a sentence shows numbers"),
    ("lesson.md", "| .1f", "| d", "it has no format 'd'"),
    ("lesson.py", '["a", "b"], "col', '["a"], "col', "figure 'heat': 'rows' has 1 labels"),
    (
        "lesson.py",
        "sums = weights",
        "sums = np.random.default_rng().normal(size=2) + weights",
        "two runs give different values; seed what it draws",
    ),
]


@pytest.mark.parametrize(("name", "old", "new", "said"), CHECKED, ids=[row[3] for row in CHECKED])
def test_a_check_finds_one_fault(
    bank: Path,
    attention: Problem,
    sandbox: SandboxPool,
    name: str,
    old: str,
    new: str,
    said: str,
) -> None:
    shutil.copytree(bank / "lessons" / "first", bank / "lessons" / "second")
    second = bank / "lessons" / "second" / "lesson.toml"
    second.write_text(TOML.replace("order = 1", "order = 2"))
    assert check(load(bank, "first"), problems(attention), load_lessons(bank), sandbox) == []
    edit(bank, name, old, new)
    findings = check(load(bank, "first"), problems(attention), load_lessons(bank), sandbox)
    assert len(findings) == 1 and said in str(findings[0])


def test_both_languages_show_the_same(bank: Path, attention: Problem, sandbox: SandboxPool) -> None:
    chinese = bank / "lessons" / "first" / "lesson.zh.md"
    chinese.write_text(TEXT.replace("[[value: sums | .1f]]", "2"))
    findings = check(load(bank, "first"), problems(attention), load_lessons(bank), sandbox)
    assert [str(each) for each in findings] == [
        f"{chinese}: '[[value: sums]]' is there 0 times, in lesson.md 1 times"
    ]


@pytest.fixture(scope="module")
def whole_bank() -> dict[str, Problem]:
    return {problem.slug: problem for problem in load_bank(ROOT)}


@pytest.mark.parametrize("lesson", load_lessons(ROOT), ids=lambda each: each.slug)
def test_every_shipped_lesson_is_fit_to_use(
    lesson: Lesson, whole_bank: dict[str, Problem], sandbox: SandboxPool
) -> None:
    assert check(lesson, whole_bank, load_lessons(ROOT), sandbox) == []
    assert "zh" in lesson.texts and lesson.title_zh and lesson.summary_zh
