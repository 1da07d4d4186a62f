"""How items are made, what is read of an answer, and what a learner sees: nothing is run here."""

import ast
import json
from pathlib import Path

import pytest

from grader.findings.catalogue import catalogue
from grader.model import Framework
from grader.practice import AnswerError, Arrange, Beat, Bug, Fill, Mend, Placed, PredictShape, read
from grader.practice.answering import assembled, same_expression
from grader.practice.arrange import arranges
from grader.practice.changes import changes
from grader.practice.fill import fills
from grader.practice.item import PredictRow
from grader.practice.lines import Line, lines_of, source_of
from grader.practice.shown import public
from grader.problem import Problem
from tests.conftest import SLUGS
from tests.grader import small
from tests.shipped import shipped

SOURCE = '''\
"""A module."""

import math


class Rooted:
    """Its own words."""

    def root(self, x):  # of a number
        """One line."""
        if x < 0:
            return f"no root: {x} # here"
        # the rest
        return math.sqrt(
            x,  # not negative

            2.0,
        )


class Empty:
    """Nothing else."""
'''
LINES = (
    Line("import math"),
    Line("class Rooted:"),
    Line("def root(self, x):", 1),
    Line("if x < 0:", 2),
    Line('return f"no root: {x} # here"', 3),
    Line("return math.sqrt(\n    x,\n    2.0,\n)", 2),
    Line("class Empty:"),
    Line('"""Nothing else."""', 1),
)
REFERENCE = """\
import numpy as np


def scores(q, k, scale=1.0):
    products = q @ k.T
    scaled = products * scale
    if scaled.size == 0:
        return scaled
    return scaled.astype(q.dtype)
"""
MISTAKES = """
[[mistake]]
name = "no_scale"
hint = "What is the scale for?"
numpy = { find = "products * scale", replace = "products" }

[[mistake]]
name = "divided"
hint = "Is a scale a divisor?"
numpy = { find = "products * scale", replace = "products / scale" }

[[mistake]]
name = "doubled"
hint = "Every score is too large."
numpy = { find = "q @ k.T", replace = "2 * q @ k.T" }

[[mistake]]
name = "two_lines"
hint = "Two lines are wrong."
numpy = { find = "products = q @ k.T\\n    scaled = products * scale", replace = "products = k\\n    scaled = q" }

[[mistake]]
name = "only_a_remark"
hint = "A comment is no mistake."
slight = true
numpy = { find = "scaled.size == 0", replace = "scaled.size < 1" }
"""
ROW = PredictRow("predict-2", Framework.NUMPY, "c", "s", (0,), (("1",), ("2",)), 1, {0: "m"})
SHAPE = PredictShape("predict-1", Framework.NUMPY, "c", "s", {"q": (2, 3)}, {}, (2, 4))
BEAT = Beat("beat-1", Framework.NUMPY, ("secret_a", "secret_b"), "n = 1\n", ("n = 2\n",))
BUG = Bug("bug-1", Framework.NUMPY, LINES, "c", (), "m", 4, "if x <= 0:")


@pytest.fixture
def scores(tmp_path: Path) -> Problem:
    return small.problem(tmp_path, numpy=REFERENCE, mistakes=MISTAKES)


def test_a_program_is_its_logical_lines() -> None:
    assert lines_of(SOURCE) == LINES


def test_lines_make_a_program_that_does_the_same() -> None:
    again = lines_of(source_of(LINES))
    assert again == LINES
    assert "# here" in source_of(LINES)
    assert "not negative" not in source_of(LINES)


@pytest.mark.parametrize("slug", SLUGS)
def test_a_reference_is_the_same_program_by_its_lines(slug: str) -> None:
    for source in shipped(slug).references.values():
        assert _plain(source_of(lines_of(source))) == _plain(source)


def _plain(source: str) -> str:
    """The program without its docstrings, in the form of its syntax tree."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        text = isinstance(body, list) and len(body) > 1 and body[0]
        if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant):
            del node.body[0]  # type: ignore[attr-defined]
    return ast.dump(tree)


def test_a_mistake_counts_that_changes_one_line_and_shows(scores: Problem) -> None:
    found = changes(scores, Framework.NUMPY, lines_of(REFERENCE))
    assert [(c.mistake.name, c.at, c.line.text) for c in found] == [
        ("no_scale", 3, "scaled = products"),
        ("divided", 3, "scaled = products / scale"),
        ("doubled", 2, "products = 2 * q @ k.T"),
    ]


def test_a_blank_holds_what_its_mistakes_change(scores: Problem) -> None:
    one, two, both = fills(scores, Framework.NUMPY)
    assert [(b.right, dict(b.wrong)) for b in one.blanks] == [
        ("products * scale", {"no_scale": "products", "divided": "products / scale"})
    ]
    assert [(b.right, dict(b.wrong)) for b in two.blanks] == [
        ("q @ k.T", {"doubled": "2 * q @ k.T"})
    ]
    assert [b.right for b in both.blanks] == ["q @ k.T", "products * scale"]


def test_blanks_hide_what_is_right(scores: Problem) -> None:
    both = fills(scores, Framework.NUMPY)[-1]
    shown = public(both)
    assert [line["text"] for line in shown["program"][2:4]] == ["products = ____", "scaled = ____"]
    assert "2 * q" not in json.dumps(shown)
    program, suspects = assembled(both, ("k", "products"))
    assert [line.text for line in program[2:4]] == ["products = (k)", "scaled = (products)"]
    assert suspects == ["no_scale"]


def test_mistakes_to_beat_are_told_by_their_number() -> None:
    shown = public(BEAT)
    assert (shown["mistakes"], shown["example"]) == (2, "n = 1\n")
    assert "secret" not in json.dumps(shown) and "n = 2" not in json.dumps(shown)


def test_lines_to_arrange_are_the_body_and_what_spoils_it(scores: Problem) -> None:
    (item,) = arranges(scores, Framework.NUMPY)
    assert sorted(item.pool[at].text for at in item.distractors) == [
        "products = 2 * q @ k.T",
        "scaled = products",
        "scaled = products / scale",
    ]
    right = tuple(Placed(at + 1, item.pool[at].indent) for at in item.right)
    assert assembled(item, right) == (lines_of(REFERENCE), [])
    assert "right" not in public(item)
    assert "distractors" not in public(item)


def test_a_digest_gives_one_order_and_another_digest_another(tmp_path: Path) -> None:
    one = small.problem(tmp_path, numpy=REFERENCE, mistakes=MISTAKES)
    again = small.problem(tmp_path, numpy=REFERENCE, mistakes=MISTAKES)
    assert arranges(one, Framework.NUMPY) == arranges(again, Framework.NUMPY)
    sources = [f"{REFERENCE}# {number}\n" for number in range(5)]
    orders = {
        arranges(small.problem(tmp_path, numpy=source, mistakes=MISTAKES), Framework.NUMPY)[0].pool
        for source in sources
    }
    assert len(orders) > 1


def test_a_long_body_is_cut_into_parts(tmp_path: Path) -> None:
    body = "".join(f"    q = q + {i}\n" for i in range(20))
    reference = REFERENCE.replace("    products", f"{body}    products", 1)
    problem = small.problem(tmp_path, numpy=reference, mistakes=MISTAKES)
    items = arranges(problem, Framework.NUMPY)
    assert [len(item.right) for item in items] == [13, 12]
    assert [len(item.before) for item in items] == [2, 15]


ARRANGE = Arrange("arrange-1", Framework.NUMPY, (), LINES[3:6], (), (0, 1, 2), {})


@pytest.mark.parametrize(
    ("item", "texts", "given"),
    [
        (ARRANGE, ("2, 1",), (Placed(2, 3), Placed(1, 2))),
        (ARRANGE, ("3@1 1",), (Placed(3, 1), Placed(1, 2))),
        (SHAPE, ("(2, 3)",), (2, 3)),
        (SHAPE, ("2 3 4",), (2, 3, 4)),
        (ROW, (" 2 ",), 2),
        (BUG, ("4",), 4),
        (BUG, (" 4: if x <= 0: ",), Mend(4, "if x <= 0:")),
        (BEAT, ("n = 1\nm = -3\n---\n\n----- \n n = 2",), ("n = 1\nm = -3", "n = 2")),
        (BEAT, ("n = " + "1" * 19_000,), ("n = " + "1" * 19_000,)),
    ],
)
def test_answers_are_read(item: object, texts: tuple[str, ...], given: object) -> None:
    assert read(item, texts) == given  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("item", "text", "told"),
    [
        (ARRANGE, "1 two", "'two' is not a valid line"),
        (ARRANGE, "1 1", "line 1 is there twice"),
        (ARRANGE, "4", "'4' is not a number from 1 to 3"),
        (ARRANGE, "1@99", "'1@99' is not a valid line"),
        (ARRANGE, "1" * 2000, "longer than 1000 characters"),
        (SHAPE, "two", "'two' is not a valid shape"),
        (SHAPE, "2 ²", "'2 ²' is not a valid shape"),
        (ROW, "0", "'0' is not a number from 1 to 2"),
        (ROW, "3", "'3' is not a number from 1 to 2"),
        (BUG, "return", "'return' is not a valid line"),
        (BEAT, " \n---\n", "there are no inputs yet"),
        (BEAT, "\n---\n".join("123456789"), "there are 9 inputs; at most 8 are taken"),
        (BEAT, "1" * 20_001, "longer than 20000 characters"),
        (BUG, "99", "'99' is not a number from 1 to 8"),
    ],
)
def test_what_is_no_answer_says_what_to_write(item: object, text: str, told: str) -> None:
    with pytest.raises(AnswerError) as error:
        read(item, (text,))  # type: ignore[arg-type]
    assert told in str(error.value)
    assert error.value.sentence(catalogue("zh")) != str(error.value)


@pytest.mark.parametrize("text", ["", "a =", "a) + (b", "a # b", "a\nb", "x = 1", "pass"])
def test_a_blank_takes_an_expression_only(scores: Problem, text: str) -> None:
    item = fills(scores, Framework.NUMPY)[0]
    with pytest.raises(AnswerError, match="not a Python expression"):
        read(item, (text,))


def test_each_blank_needs_an_answer(scores: Problem) -> None:
    item: Fill = fills(scores, Framework.NUMPY)[-1]
    with pytest.raises(AnswerError, match="fill-3 takes 2 answers; there are 1"):
        read(item, ("q",))


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        ("a+b", "( a + b )", True),
        ("a + b", "b + a", False),
        ("f(x)[0]", "f( x )[ 0 ]", True),
        ("~" * 998 + "1", "1", False),
    ],
)
def test_spaces_and_brackets_make_no_other_expression(one: str, two: str, same: bool) -> None:
    assert same_expression(one, two) is same
