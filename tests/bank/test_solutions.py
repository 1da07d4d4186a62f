"""Solutions that are kept beside the tests: right ones in many styles are accepted, wrong ones are
refused.
"""

import functools
from collections.abc import Mapping
from pathlib import Path

import pytest

from grader.findings.sentences import sentences
from grader.judge import judge
from grader.model import Framework, Outcome, Submission
from grader.sandbox import SandboxPool
from grader.verdict.outcome import Judgement
from tests.bank.refused import refusals
from tests.conftest import ROOT
from tests.shipped import shipped

FILES = sorted(Path(__file__).with_name("solutions").glob("*/*.py"))
RIGHT = [path for path in FILES if path.name.startswith("right_")]
# right values at the wrong cost: these solutions say so in their names
COSTLY = ("wrong_quadratic_", "wrong_steps_of_one_token_")
MOST_MS = 5000
WRONG = [path for path in FILES if path.name.startswith("wrong_")]


def named(paths: list[Path]) -> list[str]:
    return [f"{path.parent.name}-{path.stem.partition('_')[2]}" for path in paths]


def framework(path: Path) -> Framework:
    """What the file's name ends with."""
    return Framework(path.stem.rpartition("_")[2])


@pytest.mark.solution("right")
@pytest.mark.parametrize("path", RIGHT, ids=named(RIGHT))
def test_right(path: Path, sandbox: SandboxPool) -> None:
    found = judge(
        shipped(path.parent.name),
        Submission(framework(path), path.read_text(encoding="utf-8")),
        sandbox,
        explain=False,
    )
    assert (found.verdict, found.score) == (Outcome.ACCEPTED, found.max_score), found.message


@functools.cache
def refused(slug: str, written: Framework, sandbox: SandboxPool) -> Mapping[str, Judgement]:
    """The wrong solutions that a case refuses, by file name."""
    sources = {
        path.name: path.read_text(encoding="utf-8")
        for path in WRONG
        if path.parent.name == slug
        and framework(path) is written
        and not path.stem.startswith(COSTLY)
    }
    return refusals(shipped(slug), written, sources, sandbox)


@pytest.mark.solution("wrong")
@pytest.mark.parametrize("path", WRONG, ids=named(WRONG))
def test_wrong(path: Path, sandbox: SandboxPool) -> None:
    """One failed case is enough. What no quick case refuses is judged whole; `test_mistakes` takes
    wrong programs a learner's way.
    """
    judgement = refused(path.parent.name, framework(path), sandbox).get(path.name)
    if judgement is not None:
        assert sentences(judgement.findings)
        return
    found = judge(
        shipped(path.parent.name),
        Submission(framework(path), path.read_text(encoding="utf-8")),
        sandbox,
        explain=False,
    )
    assert found.verdict not in (
        Outcome.ACCEPTED,
        Outcome.JUDGE_ERROR,
        Outcome.COMPILE_ERROR,
        Outcome.RULE_VIOLATION,
    ), found.message
    assert found.message and found.score < found.max_score
    if path.stem.startswith(COSTLY):
        assert {c.verdict for c in found.cases} == {Outcome.ACCEPTED, Outcome.TIME_LIMIT}, (
            "wrong by its cost, and by nothing else"
        )
        spent = max(c.cpu_ms for c in found.cases)
        assert spent < MOST_MS, "cut off soon after its limit, not by the clock"


def test_every_file_says_what_it_is() -> None:
    assert sorted(RIGHT + WRONG) == FILES
    assert all(path.stem.rpartition("_")[2] in list(Framework) for path in FILES)
    assert all((ROOT / "problems" / path.parent.name / "problem.toml").is_file() for path in FILES)
