"""Pairs of sources that are alike, though renamed and rearranged; sources of one idea in other words are not."""

import pytest

from server.teach.similar import pairs
from tests.server.conftest import GOOD, SLUG, Browser
from tests.teach.test_courses import Class

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
RENAMED = ONE.replace("scores", "s").replace("weights", "attn").replace("total", "z").replace("\n    s =", "\n    # step\n    s =", 1)
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


@pytest.mark.parametrize(("one", "two", "alike"), [row[1:] for row in ALIKE], ids=[row[0] for row in ALIKE])
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
