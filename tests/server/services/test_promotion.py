"""A learner's source as a known mistake: an edit of the reference, or a file of its own."""

import time
import tomllib
from difflib import SequenceMatcher
from pathlib import Path

import pytest

from grader.errors import UsageError
from grader.problem import load
from server.models.submissions import Submission
from server.services.problems import files
from server.services.problems.promotion import NewMistake, with_mistake
from server.services.problems.proposed_edits import Proposal, propose

BANK = Path(__file__).parents[3]
REFERENCE = '''"""What it is."""

import math

import numpy as np


def attention(q, k, v):
    """q (L, D) -> (L, Dv)."""
    if q.shape[-1] != k.shape[-1]:
        raise ValueError("widths differ")
    scores = q @ k.T / math.sqrt(q.shape[-1])  # (L, S)
    weights = np.exp(scores)
    return weights / weights.sum(axis=-1, keepdims=True) @ v
'''
SCALE = "    scores = q @ k.T / math.sqrt(q.shape[-1])  # (L, S)"


def changed(*pairs: tuple[str, str]) -> str:
    source = REFERENCE
    for old, new in pairs:
        assert old in source
        source = source.replace(old, new)
    return source


@pytest.mark.parametrize(
    ("source", "replace"),
    [
        (changed((SCALE, "    scores = q @ k.T")), "    scores = q @ k.T"),
        (changed((SCALE, "    s = q @ k.T"), ("scores", "s")), "    scores = q @ k.T"),
        (
            changed((SCALE, "    scores = q @ k.T"), ('"""What it is."""', "# mine")),
            "    scores = q @ k.T",
        ),
        (
            changed((SCALE, "    scores = q @ k.T"), ("widths differ", "no")),
            "    scores = q @ k.T",
        ),
        (
            changed((SCALE, "    d = len(q)\n    scores = q @ k.T / d")),
            "    d = len(q)\n    scores = q @ k.T / d",
        ),
    ],
    ids=["one line", "other names", "other comments", "other words", "two lines for one"],
)
def test_one_place_is_an_edit(source: str, replace: str) -> None:
    assert propose(REFERENCE, source) == Proposal(SCALE, replace)


@pytest.mark.parametrize(
    "source",
    [
        REFERENCE,
        "def attention(q, k, v):\n    return v\n",
        changed((SCALE, "    scores = q @ k.T"), (" @ v", "")),
        changed((SCALE, "    scores = q @ k.T"), ("import math", "import time")),
        changed(("    scores", "        scores"), ("    weights = np", "        weights = np")),
        "def attention(",
        "'''",
        "\x00",
        "",
    ],
    ids=[
        "nothing",
        "all",
        "two places",
        "another import",
        "another indent",
        "unfinished",
        "open string",
        "NUL",
        "empty",
    ],
)
def test_anything_else_is_none(source: str) -> None:
    assert propose(REFERENCE, source) is None


@pytest.mark.parametrize(
    "source",
    [
        "(" * 60_000,
        "x(" * 150 + ")" * 150,
        "a = a\n" * 10_000,
        "a = a\n" * 30,
        "\\\n" * 30_000,
        "if a:\n" + " \n" * 30_000,
        "".join(" " * i + "if a:\n" for i in range(300)),
    ],
    ids=["brackets", "calls", "long", "repeated", "joined lines", "blank lines", "deep"],
)
def test_a_hostile_source_is_a_file_of_its_own(source: str) -> None:
    began = time.monotonic()
    assert propose(REFERENCE, source) is None
    assert time.monotonic() - began < 20


def sent(source: str, outcome: str = "wrong_answer") -> Submission:
    return Submission(id=7, framework="numpy", source=source, outcome=outcome)


def of_bank(slug: str) -> dict[str, bytes]:
    return files.of_problem(load(BANK, slug))


NEW = NewMistake("my_own", {"en": 'Is it "that"?\nOr not?', "zh": "是“这样”吗？"})


@pytest.mark.parametrize("slug", ["multi_head_attention", "causal_mask", "attention_by_hand"])
def test_the_problem_has_one_mistake_more_and_all_else_stays(slug: str) -> None:
    before = of_bank(slug)
    source = "def nothing():\n    return 1\n"
    after = with_mistake(before, sent(source, "runtime_error"), NEW)
    old, new = load(BANK, slug), files.read(after, slug)
    assert [m.name for m in new.mistakes] == [*(m.name for m in old.mistakes), "my_own"]
    mistake = new.mistakes[-1]
    assert (mistake.hint, str(mistake.verdict)) == (NEW.hints["en"], "runtime_error")
    assert list(mistake.sources.values()) == [source]
    assert new.words["zh"].hints["my_own"] == NEW.hints["zh"]
    assert new.words["zh"].notes == old.words["zh"].notes
    lines = (each["problems/mistakes.toml"].splitlines() for each in (before, after))
    assert {change for change, *_ in SequenceMatcher(None, *lines).get_opcodes()} == {
        "equal",
        "insert",  # before the survivors, where there are any
    }
    assert set(after) - set(before) == {"problems/mistakes/my_own_numpy.py"}


def test_an_edit_makes_the_submission_of_the_reference() -> None:
    before = of_bank("multi_head_attention")
    source = before["reference/numpy.py"].decode().replace("/ math.sqrt(D)", "/ D ** 0.3")
    after = with_mistake(before, sent(source), NEW)
    mistake = files.read(after, "multi_head_attention").mistakes[-1]
    assert list(mistake.sources.values()) == [source]
    assert set(after) == set(before)
    table = tomllib.loads(after["problems/mistakes.toml"].decode())["mistake"][-1]
    assert "D ** 0.3" in table["numpy"]["replace"]


def test_a_problem_without_mistakes_gets_its_first() -> None:
    before = of_bank("causal_mask")
    del before["problems/mistakes.toml"], before["problems/hints.zh.toml"]
    after = with_mistake(before, sent("x = 1\n"), NEW)
    assert [m.name for m in files.read(after, "causal_mask").mistakes] == ["my_own"]
    assert "problems/hints.zh.toml" not in after


@pytest.mark.parametrize(
    ("mistakes", "said"),
    [
        ('[[mistake]]\nname = "my_own"\n', "has a mistake 'my_own'"),
        ("mistake = 3\n", "cannot be read"),
        ("[[mistake\n", "cannot be read"),
        ("mistake = [{ name = 'inline' }]\n", "cannot be read"),
    ],
    ids=["name taken", "no tables", "no TOML", "inline"],
)
def test_refused(mistakes: str, said: str) -> None:
    content = of_bank("causal_mask") | {"problems/mistakes.toml": mistakes.encode()}
    with pytest.raises(UsageError, match=said):
        with_mistake(content, sent("x = 1\n"), NEW)
