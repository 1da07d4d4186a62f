"""Solutions that are kept beside the tests: right ones in many styles are accepted, wrong ones are
refused.
"""

from pathlib import Path

import pytest

from grader.judge import judge
from grader.model import Framework, Outcome, Submission
from grader.sandbox import SandboxPool
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


@pytest.mark.solution("wrong")
@pytest.mark.parametrize("path", WRONG, ids=named(WRONG))
def test_wrong(path: Path, sandbox: SandboxPool) -> None:
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
