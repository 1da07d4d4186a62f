"""Pairs of sources that are alike, though renamed and rearranged; sources of one idea in other
words are not.
"""

import random
import time

import pytest

from server.web.instructors import similarity
from server.web.instructors.similarity import fingerprints, pairs, tokens
from tests.server.conftest import GOOD, SLUG, Browser
from tests.server.web.test_courses import Class

ONE = """
import numpy as np

def attend(q, k, v):
    scores = q @ np.swapaxes(k, -1, -2)
    scores = scores / np.sqrt(q.shape[-1])
    scores = scores - scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores)
    total = weights.sum(axis=-1, keepdims=True)
    weights = weights / total
    return weights @ v, weights
"""
RENAMED = (
    ONE.replace("scores", "s")
    .replace("weights", "attn")
    .replace("total", "z")
    .replace("\n    s =", "\n    # step\n    s =", 1)
)
WITH_MORE = "def helper(a):\n    return [b + 1 for b in a if b]\n\n" + RENAMED
OTHER = """
import numpy as np
from math import sqrt

def softmax(x):
    e = np.exp(x - np.max(x, -1, keepdims=True))
    return e / np.sum(e, -1, keepdims=True)

def attend(q, k, v):
    w = softmax(np.einsum("...ld,...sd->...ls", q, k) / sqrt(k.shape[-1]))
    return np.einsum("...ls,...sd->...ld", w, v), w
"""
THIRD = "def attend(q, k, v):\n    raise NotImplementedError\n"

ALIKE = [
    ("the same", ONE, ONE, True),
    ("renamed and commented", ONE, RENAMED, True),
    ("with something added", ONE, WITH_MORE, True),
    ("one idea in other words", ONE, OTHER, False),
    ("too short to say", THIRD, THIRD, False),
    ("not Python", "((((" * 50, "]]]]" * 50, False),
]


@pytest.mark.parametrize(
    ("one", "two", "alike"), [row[1:] for row in ALIKE], ids=[row[0] for row in ALIKE]
)
def test_alike(one: str, two: str, alike: bool) -> None:
    assert bool(pairs({1: one, 2: two}, [])[0]) == alike


def test_what_everyone_was_given_does_not_count() -> None:
    assert pairs({1: ONE, 2: ONE}, [ONE]) == ([], True)


def test_what_most_of_the_class_has_does_not_count() -> None:
    assert pairs(dict.fromkeys(range(8), ONE), []) == ([], True)


def test_page_names_the_pair_and_shows_both(teacher: Browser, app: object) -> None:
    course = Class(teacher)
    for name, source in (("lea", ONE), ("leo", RENAMED), ("lia", OTHER)):
        browser = Browser(app).sign_up(name)
        course.join(browser)
        browser.judged(GOOD + source)
    path = f"/teach/assignments/{course.assignment}/similar/{SLUG}"
    page = teacher.get(path).text
    assert ("lea and leo" in page, "lia and" in page or "and lia" in page) == (True, False)
    assert "<h2>lea and leo</h2>" in teacher.get(f"{path}?a=1&b=2").text


# -------------------------------------------------------------------------------------------------------------
# hostile sources

SIZE = 65536
HOSTILE = {
    "blanks": " " * SIZE,
    "lines of blanks": (" " * 100 + "\n") * (SIZE // 101),
    "wide blanks": "\u3000" * (SIZE // 3),
    "quotes": '"' * SIZE,
    "three quotes again and again": '"""a' * (SIZE // 4),
    "a string that never ends": '"""' + '""a' * (SIZE // 3),
    "backslashes in a string": '"' + "\\" * SIZE,
    "backslashes in a long string": "'''" + "\\" * SIZE,
    "prefixes of strings": "rb" * (SIZE // 2),
    "a number": "1." * (SIZE // 2),
    "brackets": "(" * SIZE,
    "names": "a " * (SIZE // 2),
}


@pytest.mark.parametrize("source", HOSTILE.values(), ids=list(HOSTILE))
def test_tokens_take_linear_time(source: str) -> None:
    """Pygments took 45 s for one of these."""
    began = time.process_time()
    fingerprints(source)
    assert sum(1 for _ in tokens(source)) <= SIZE
    assert time.process_time() - began < 10


def test_tokens_leave_out_what_does_not_matter() -> None:
    source = 'def f(x):\n    """doc"""\n    return f"a{x}" + \'b\' * 2.5e3  # c\n'
    assert list(tokens(source)) == [
        "def",
        "n",
        "(",
        "n",
        ")",
        ":",
        "return",
        "s",
        "+",
        "s",
        "*",
        "0",
    ]


def test_a_class_of_hostile_sources_ends_in_time(
    teacher: Browser, app: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(similarity, "SECONDS", 0.5)
    monkeypatch.setattr(similarity, "latest", lambda session, found, slug: crowd)
    draw = random.Random(1)
    texts = [
        " ".join(draw.choices(["a", "+", "if", "(", "[", "1", '"x"', "@"], k=20_000))
        for _ in range(300)
    ]
    crowd = {i: type("Row", (), {"source": text, "id": i})() for i, text in enumerate(texts, 1)}
    course = Class(teacher)
    began = time.monotonic()
    page = teacher.get(f"/teach/assignments/{course.assignment}/similar/{SLUG}").text
    assert time.monotonic() - began < 30
    assert "too large to compare all of it" in page
