"""Dicts, lists and tuples of tensors as arguments and results: one leaf, one name."""

import io
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from grader.answers import answers_for, public_answers, sample_answers
from grader.case import Case, CaseError
from grader.cli.render.sample import sample as render
from grader.cli.render.twin import script
from grader.comparison import texts
from grader.errors import ProblemError
from grader.inside.nested import text
from grader.judge import judge
from grader.model import Framework, Outcome, Submission
from grader.problem import Problem
from grader.sandbox import SandboxPool
from grader.verify import verify
from server.services.rendering.samples import result_data
from tests.grader import small

TOML = """
title = "Blocks"
track = "foundations"
difficulty = "easy"
frameworks = ["numpy", "torch"]
source = "Nobody 2020"

[entry.blocks]
params = ["x", "cache", "lengths", "names=None"]
returns = ["total", "parts"]
nested = ["parts"]

[shapes]
"x[]" = "n"
"cache.k" = "m"
"""
CASES = """
import numpy as np

from grader.case import Case


def draw(rng, *shape):
    return rng.standard_normal(shape).astype(np.float32)


def cases(rng):
    for name, sample, sizes in (("two", True, [2, 3]), ("three", False, [4, 1, 5])):
        yield Case(
            name,
            inputs={"x": [draw(rng, n) for n in sizes], "cache": {"k": draw(rng, 6), "v": (draw(rng, 7), 2)}},
            options={"lengths": [[n] * n for n in sizes], "names": {"first": "a"}},
            same="Nothing is mixed up here.",
            sample=sample,
            note="A list.",
        )
"""
REFERENCE = """
import numpy as np


def blocks(x, cache, lengths, names=None):
    assert type(x) is list and type(cache) is dict and type(cache["v"]) is tuple
    total = sum(block.sum() for block in x) + cache["k"].sum() * cache["v"][1]
    parts = {
        "doubled": [2 * block for block in x],
        "v": cache["v"][0] + 1,
        "count": len(x),
        "lengths": lengths,
        "text": "-".join(str(len(block)) for block in x) + names["first"],
    }
    return total, parts
"""
TORCH = REFERENCE.replace("import numpy as np", "import torch")
MISTAKES = """
[[mistake]]
name = "not_doubled"
hint = "Doubled?"
numpy = { find = "2 * block for", replace = "block for" }
torch = { find = "2 * block for", replace = "block for" }

[[mistake]]
name = "text"
hint = "What stands between?"
numpy = { find = '"-".join', replace = '"+".join' }
torch = { find = '"-".join', replace = '"+".join' }
"""
WORDS = ("parts.text", "parts.count")
FILES = {
    "toml": TOML,
    "cases": CASES,
    "mistakes": MISTAKES,
    "numpy": REFERENCE,
    "torch": TORCH,
    "starter_numpy": "def blocks(x, cache, lengths, names=None):\n    raise NotImplementedError\n",
    "starter_torch": "def blocks(x, cache, lengths, names=None):\n    raise NotImplementedError\n",
    "statement": "# Blocks\n\n[[sample: two]]\n",
}


@pytest.fixture
def problem(tmp_path: Path) -> Problem:
    return small.problem(tmp_path, **FILES)


def test_nested_arguments_and_results_are_fit_in_both_frameworks(
    problem: Problem, sandbox: SandboxPool
) -> None:
    fitness = verify(problem, sandbox)
    assert [f"{f.where}: {f.text}" for f in fitness.findings] == []
    expected = next(a for m in fitness.matrices for a in m.cases if a.case.name == "two").expected
    assert set(expected) == {
        "total",
        "parts.doubled[0]",
        "parts.doubled[1]",
        "parts.v",
        "parts.count",
        "parts.lengths[0]",
        "parts.lengths[1]",
        "parts.text",
    }


@pytest.mark.parametrize(
    ("find", "replace", "message"),
    [
        ("[2 * block for block in x]", "[2 * block for block in x[:-1]]", "doubled[1] is missing"),
        ("[2 * block for block in x]", "[3 * block for block in x]", "parts.doubled[0]: 2 of 2"),
        (
            "[2 * block for block in x]",
            "[2 * block for block in x] + [x[0]]",
            "parts.doubled[2] is returned",
        ),
        ('"v": cache["v"][0] + 1', '"v": 1', "parts.v"),
        ('"count": len(x)', '"count": "2"', "parts.count is of type str; expected"),
        ('"count": len(x)', '"count": len(x) + 1', "parts.count"),
        ('names["first"]', '"b"', "parts.text is '2-3b'; expected '2-3a'"),
        ('"lengths": lengths', '"lengths": [n[1:] for n in lengths]', "lengths[0] has shape (1,)"),
        ("return total, parts", "return total, 5", "is missing"),
        ("return total, parts", "parts['me'] = parts; return total, parts", "parts"),
    ],
)
def test_the_leaf_that_is_wrong_is_named(
    problem: Problem, sandbox: SandboxPool, find: str, replace: str, message: str
) -> None:
    assert find in REFERENCE
    source = REFERENCE.replace(find, replace)
    verdict = judge(problem, Submission(Framework.NUMPY, source), sandbox)
    assert verdict.verdict is Outcome.WRONG_ANSWER
    assert message in verdict.message


def test_a_text_is_shown_as_a_text(problem: Problem, sandbox: SandboxPool) -> None:
    """In a terminal, on a page, and in JSON; never as the bytes that came."""
    source = REFERENCE.replace('names["first"]', '"\\x1b b"')
    verdict = judge(problem, Submission(Framework.NUMPY, source), sandbox)
    sample = next(result for result in verdict.cases if result.sample)
    assert str(sample.expected["parts.text"]) == "'2-3a'"
    console = Console(width=100, file=io.StringIO(), record=True)
    console.print(render(sample))
    assert "'2-3a'                 '2-3\\x1b b'" in console.export_text()
    (shown,) = result_data(problem, [sample])
    assert shown["expected"]["parts.text"] == {"shape": [], "dtype": "str", "data": "'2-3a'"}
    assert shown["got"]["parts.text"]["data"] == "'2-3\\x1b b'"
    assert "parts.text" not in shown["difference"]
    ((_, answer),) = sample_answers(problem, sandbox)
    assert str(answer["parts.text"]) == "'2-3a'"


def test_a_number_in_the_place_of_a_text_is_shown_beside_it(
    problem: Problem, sandbox: SandboxPool
) -> None:
    changed = REFERENCE.replace('"count": len(x)', '"count": "two"').replace(
        '"text": ', '"text": 7, "words": '
    )
    verdict = judge(problem, Submission(Framework.NUMPY, changed), sandbox)
    (shown,) = result_data(problem, [result for result in verdict.cases if result.sample])
    pairs = {name: (shown["expected"][name]["data"], shown["got"][name]["data"]) for name in WORDS}
    assert pairs == {"parts.text": ("'2-3a'", 7), "parts.count": (2, "'two'")}


@pytest.mark.parametrize(
    ("actual", "expected", "told"),
    [
        ("ab", "ac", ("'ab'", "'ac'")),
        ("x" * 100 + "a", "x" * 100 + "b", ("…'" + "x" * 20 + "a'", "…'" + "x" * 20 + "b'")),
        ("x" * 100, "x" * 90, ("…'" + "x" * 30 + "'", "…'" + "x" * 20 + "'")),
        ("a" + "x" * 100, "b", ("'a" + "x" * 59 + "'…", "'b'")),
        ("", "\u202e", ("''", "'\\u202e'")),
    ],
)
def test_what_is_told_of_two_texts_shows_where_they_differ(
    actual: str, expected: str, told: tuple[str, str]
) -> None:
    assert texts.told(text(actual), text(expected)) == told


def test_a_reference_that_returns_a_text_is_told_how(sandbox: SandboxPool, tmp_path: Path) -> None:
    files = {**FILES, "toml": TOML.replace('nested = ["parts"]', 'nested = ["total"]')}
    files["numpy"] = REFERENCE.replace("return total, parts", 'return total, "a text"')
    with pytest.raises(ProblemError, match=r"parts is a text; say so .* nested = \["):
        answers_for(small.problem(tmp_path, **files), Framework.NUMPY, sandbox)


def test_lists_and_tuples_are_alike_in_results(problem: Problem, sandbox: SandboxPool) -> None:
    source = REFERENCE.replace('"lengths": lengths', '"lengths": tuple(map(np.array, lengths))')
    verdict = judge(problem, Submission(Framework.NUMPY, source), sandbox)
    assert verdict.verdict is Outcome.ACCEPTED, verdict.message


@pytest.mark.parametrize(
    ("change", "leaf"),
    [
        ("x.clear()", "x[0]"),
        ("x.pop()", "x[0]"),
        ("x.append(x[0])", "x[0]"),
        ("x[0] = x[0] + 1", "x[0]"),
        ("x[0] += 1", "x[0]"),
        ("x[0] = x[0].copy()", ""),
        ("cache.pop('k')", "cache.k"),
        ("cache['new'] = cache['k']", "cache.k"),
        ("cache = {**cache}; cache.pop('k')", ""),
    ],
)
def test_a_list_or_a_dict_of_the_caller_that_holds_something_else_afterwards(
    tmp_path: Path, sandbox: SandboxPool, change: str, leaf: str
) -> None:
    wants = "wants=('after.x[0]', 'after.cache.k'), note="
    problem = small.problem(tmp_path, **FILES | {"cases": CASES.replace("note=", wants)})
    source = REFERENCE.replace("    return total", f"    {change}\n    return total")
    verdict = judge(problem, Submission(Framework.NUMPY, source), sandbox)
    if leaf:
        assert f"{leaf} was modified by the call" in verdict.message
    else:
        assert verdict.verdict is Outcome.ACCEPTED, verdict.message


@pytest.mark.parametrize("framework", list(Framework))
def test_the_script_of_a_twin_runs(
    problem: Problem, sandbox: SandboxPool, framework: Framework
) -> None:
    answer = public_answers(problem, framework, sandbox)[0]
    text = script(problem, framework, answer)
    namespace: dict[str, object] = {}
    exec(problem.references[framework], namespace)
    imported = "from solution import blocks\n"
    assert imported in text
    exec(text.replace(imported, ""), namespace)


def test_a_case_survives_the_wire() -> None:
    array = np.zeros(3)
    case = Case("one", inputs={"x": {"a": [array, (array, 1)]}, "y": array}, before={"x": [array]})
    assert list(case.inputs) == ["x.a[0]", "x.a[1][0]", "y"]
    assert case.arguments() == ["y", "x"]
    again = Case.from_meta(case.to_meta(), case.tensors())
    assert again.nested == case.nested
    assert again.inputs.keys() == case.inputs.keys()


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"x": [object()]}, "is object; give numpy arrays, plain values, or dicts"),
        ({"x": {1: np.zeros(2)}}, "has the key 1; use letters"),
        ({"x": [np.array(["a"])]}, "give a numpy array of booleans"),
        ({"x": 3}, "give a numpy array"),
    ],
)
def test_what_cannot_be_an_input(inputs: dict[str, object], message: str) -> None:
    with pytest.raises(CaseError) as raised:
        Case("one", inputs=inputs)  # type: ignore[arg-type]
    assert message in str(raised.value)
