"""Two right programs side by side: similar lines stand beside each other, and none is lost."""

import random
import time

import pytest

from server.services.rendering import statement
from server.services.rendering.alignment import MOST_CELLS, aligned

PAIRS = (
    ("the same", "a = 1\nb = 2", "a = 1\nb = 2", "same same"),
    ("a comment does not count", "scores = q @ k", "scores = q @ k  # (L, S)", "same"),
    ("a mark within a text does", "x = '  # a'", "x = '  # b'", "changed"),
    ("another name", "weight = softmax(x)\nreturn weight", "w = softmax(x)", "changed removed"),
    ("a line more", "def f(x):\n    return x", "import math\ndef f(x):\n    return x", "added same same"),
    ("nothing alike", "aaaa", "zzzz", "removed added"),
    ("blank lines never cost a line of code", "a = 1\n\nb = 2", "b = 2\n", "removed removed same added"),
    ("nothing on the left", "", "a", "removed added"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("left", "right", "kinds"), [row[1:] for row in PAIRS], ids=[row[0] for row in PAIRS]
)
def test_similar_lines_stand_beside_each_other(left: str, right: str, kinds: str) -> None:
    assert [line.kind for line in aligned(left, right).lines] == kinds.split()


@pytest.mark.parametrize("seed", range(20))
def test_every_line_is_there_once_and_in_order(seed: int) -> None:
    draw = random.Random(seed)
    left, right = (
        ["".join(draw.choices("abc ", k=draw.randint(0, 6))) for _ in range(draw.randint(1, 30))]
        for _ in range(2)
    )
    found = aligned("\n".join(left), "\n".join(right)).lines
    assert [line.left for line in found if line.left_number] == left
    assert [line.right for line in found if line.right_number] == right


def test_the_largest_pair_is_quick_and_a_larger_one_compares_equal_lines() -> None:
    draw = random.Random(1)
    side = int(MOST_CELLS**0.5)
    left, right = (["".join(draw.choices("abcdef", k=30)) for _ in range(side)] for _ in range(2))
    began = time.process_time()
    assert aligned("\n".join(left), "\n".join(right)).aligned
    assert time.process_time() - began < 3
    longer = aligned("\n".join([*left, "x = 1"]), "\n".join([*right, "x = 2"]))
    assert longer.lines[-1].kind == "changed"  # beside each other by place alone


COLOURED = (
    ("a text of two lines", '\nx = """a\n<b>"""\n', 2),
    ("no Python", "<script>\n&amp;\n", 2),
    ("a blank line within", "x = 1\n\ny = 2", 3),
    ("a line feed of another kind", "x = 1\x0cy\r\nz", 2),
)


@pytest.mark.parametrize(
    ("source", "count"), [row[1:] for row in COLOURED], ids=[row[0] for row in COLOURED]
)
def test_a_line_of_coloured_python_is_that_line(source: str, count: int) -> None:
    lines = statement.python_lines(source)
    assert len(lines) == count
    for line, text in zip(lines, source.strip("\n").split("\n"), strict=True):
        assert statement.unescape(statement.TAG.sub("", line)) == text
        assert line.count("<span") == line.count("</span>")
