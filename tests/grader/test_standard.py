"""Cases and mistakes that an author includes by name (docs/problem-format.md)."""

from pathlib import Path

import numpy as np
import pytest

from grader.case import STANDARD, Case, CaseError, standard, until
from grader.errors import ProblemError
from grader.model import Framework
from grader.problem.standard import MISTAKES, NAMES_ZH, NOTES_ZH
from grader.sandbox import SandboxPool
from grader.verdict.translate import translator
from grader.verify import verify
from tests.grader import small

TOML = small.TOML.replace('"k", "scale=1.0"', '"k"').replace('"scores"]', '"weights"]')
TOML = TOML.replace('scores = "L S"', 'weights = "L S"')
REFERENCE = """
import math

import numpy as np


def scores(q, k):
    scores = q @ k.T / math.sqrt(q.shape[-1])
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return weights
"""
STARTER = "import numpy as np\n\n\ndef scores(q, k):\n    raise NotImplementedError\n"
STATEMENT = """# Scores

The softmax of $QK^\\top$.

[[sample: two by three]]

## The rules

- **Large scores.** Up to 10 000.
- **Any size may be one.** And no axis is lost.
- **Takes views and read-only arrays.** Any layout.
- **Keeps precision.** Results have the dtype of the inputs.
- **Leaves its inputs alone.** They belong to the caller.
- **Remembers nothing between calls.** Each call is the first.
"""
CASES = """
import numpy as np

from grader.case import Case, standard


def qk(rng, queries=5, keys=7, width=6):
    draw = lambda *shape: rng.standard_normal(shape).astype(np.float32)
    return {"q": draw(queries, width), "k": draw(keys, width)}


def cases(rng):
    yield Case("two by three", inputs=qk(rng, 2, 3, 4), sample=True, note="Small.")
    yield Case("nine by four", inputs=qk(rng, 9, 4, 8), note="Any size.")
    large = qk(rng, 6, 8, 3)
    large["q"][:, 0], large["k"][:, 0] = 40, np.linspace(50, 51, 8)
    large["q"][::2, 0] = -40
    yield Case("large", inputs=large, rule="Large scores", note="Far from 0.")
    yield Case("one query", inputs=qk(rng, 1, 4, 3), rule="Any size may be one", note="L is 1.")
    yield from standard(lambda: Case("plain", inputs=qk(rng)), %s)
"""
OWN = """
[[mistake]]
name = "in_place"
hint = "Whose array is it?"
numpy = { find = "scores = q @", replace = "k -= k.mean(); scores = q @" }
"""
HINTS = """
[mistakes]
in_place = "谁的数组？"

[cases]
"two by three" = { name = "二乘三", note = "很小。" }
"nine by four" = { name = "九乘四", note = "任何大小。" }
"large" = { name = "很大", note = "离零很远。" }
"one query" = { name = "一个查询", note = "L 是 1。" }
"""
FITTING = [
    "no_maximum_subtracted",
    "no_scale",
    "divided_by_width",
    "float32_results",
    "sizes_of_one_squeezed",
]


def drawn() -> Case:
    return Case("plain", inputs={"q": np.ones((3, 2), np.float32), "ids": np.arange(4)})


def test_each_standard_case_is_what_its_name_says() -> None:
    cases = dict(zip(STANDARD, standard(drawn, *STANDARD), strict=True))
    assert [(c.name, c.note, c.rule) for c in cases.values()] == list(STANDARD.values())
    for layout in ("strided", "transposed", "readonly"):
        assert cases[layout].layout == {"q": layout, "ids": layout}
    assert cases["float64"].inputs["q"].dtype == np.float64
    assert cases["float64"].inputs["ids"].dtype == np.int64
    assert cases["afterwards"].wants == ("after.q", "after.ids")
    assert cases["again"].before.keys() == {"q", "ids"}
    (alone,) = standard(drawn, "float64", rules=False)
    assert alone.rule == ""


def test_a_second_call_keeps_nested_inputs() -> None:
    def nested() -> Case:
        return Case("plain", inputs={"cache": {"k": np.ones((3, 2)), "v": np.zeros((3, 4))}})

    (case,) = standard(nested, "again")
    assert case.arguments("before") == case.arguments() == ["cache"]


def test_an_unknown_standard_case_is_refused() -> None:
    with pytest.raises(CaseError, match="no case is called 'stridden'; choose among strided"):
        list(standard(drawn, "stridden"))


def test_draws_go_on_until_one_is_fit() -> None:
    """docs/design/drawing-again.md"""
    draws = iter(range(9))
    assert until("a five", lambda: next(draws), lambda drawn: drawn == 5) == 5
    assert next(draws) == 6
    with pytest.raises(CaseError, match="case 'never': none of 7 draws is fit; draw so that more"):
        until("never", lambda: 0, bool, tries=7)


def test_every_standard_case_is_told_in_chinese() -> None:
    names = [name for name, _, _ in STANDARD.values()]
    assert list(NAMES_ZH) == list(NOTES_ZH) == names


def write(tmp_path: Path, mistakes: list[str]) -> Path:
    small.write(
        tmp_path,
        toml=TOML,
        cases=CASES % ", ".join(map(repr, STANDARD)),
        mistakes=f"standard = {mistakes}\n{OWN}".replace("'", '"'),
        statement=STATEMENT,
        numpy=REFERENCE,
        starter_numpy=STARTER,
    )
    folder = tmp_path / "problems" / "scores"
    (folder / "hints.zh.toml").write_text(HINTS, encoding="utf-8")
    return folder


def test_a_problem_of_standard_cases_and_mistakes_is_fit(
    sandbox: SandboxPool, tmp_path: Path
) -> None:
    write(tmp_path, FITTING)
    problem = small.load(tmp_path, "scores")
    assert [str(f.text) for f in verify(problem, sandbox, known=()).findings] == []
    assert [m.name for m in problem.mistakes] == [*FITTING, "in_place"]
    assert problem.mistakes[0].rule == "Large scores"
    assert "scores.max" not in problem.mistakes[0].sources[Framework.NUMPY]
    chinese = translator(problem, "zh")
    assert chinese.hint("no_scale", "") == MISTAKES["no_scale"].hint_zh
    assert chinese.case("a second call") == "第二次调用"


UNFIT = {
    "unknown": (
        "no_scales",
        "'standard' names 'no_scales', which is not a standard mistake (did you",
    ),
    "nowhere": (
        "no_scale",
        "standard mistake 'no_scale' does not fit the reference in numpy: the pattern",
    ),
}


@pytest.mark.parametrize(("name", "words"), UNFIT.values(), ids=UNFIT.keys())
def test_a_standard_mistake_that_does_not_fit_is_refused(
    tmp_path: Path, name: str, words: str
) -> None:
    with pytest.raises(ProblemError) as error:
        small.problem(tmp_path, mistakes=f'standard = ["{name}"]\n')
    assert words in str(error.value)


def test_a_pattern_found_twice_is_refused(tmp_path: Path) -> None:
    twice = small.REFERENCE.replace("    return", "    q = q / np.sqrt(4) / np.sqrt(1)\n    return")
    with pytest.raises(ProblemError, match=r"occurs 2 times and must occur exactly once; write it"):
        small.problem(tmp_path, numpy=twice, mistakes='standard = ["no_scale"]\n')


def test_a_standard_mistake_has_no_rule_that_the_statement_does_not_list(tmp_path: Path) -> None:
    found = small.problem(tmp_path, numpy=REFERENCE, mistakes=f"standard = {FITTING[:1]}\n")
    assert [mistake.rule for mistake in found.mistakes] == [""]
