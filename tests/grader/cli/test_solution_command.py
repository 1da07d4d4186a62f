"""`grade solution`: what it shows, and when it asks first."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from grader.cli.main import grade
from tests.grader import small

TORCH = small.REFERENCE.replace("import numpy as np", "import torch").replace(
    ".astype(q.dtype)", ".to(q.dtype)"
)
OTHER = "# The sums are named.\ndef scores(q, k, scale=1.0):\n    return total\n"
CHINESE = '[right]\nin_sums = "给求和起名字。"\n'
ASKED = "No file of yours has solved scores on this machine."


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A bank with a problem for both frameworks, other right programs and a reason; the folder of
    the installation.
    """
    toml = small.TOML.replace('["numpy"]', '["numpy", "torch"]')
    files = {"torch": TORCH, "starter_torch": small.STARTER}
    bank = small.write(tmp_path / "bank", toml=toml, **files)
    folder = bank / "problems" / "scores"
    (folder / "right").mkdir()
    for framework in ("numpy", "torch"):
        text = OTHER.replace("total", f"total_in_{framework}")
        (folder / "right" / f"in_sums_{framework}.py").write_text(text, encoding="utf-8")
    (folder / "hints.zh.toml").write_text(CHINESE, encoding="utf-8")
    (bank / "lessons" / "why").mkdir(parents=True)
    (bank / "lessons" / "why" / "scores.md").write_text("Each $q$ meets every key.\n")
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("GRADE_BANK", str(bank))
    monkeypatch.setenv("GRADE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def run(*words: str, typed: str = "") -> Result:
    """`grade solution scores`."""
    return CliRunner(env={"COLUMNS": "80"}).invoke(
        grade, ["solution", "scores", *words], input=typed, standalone_mode=False
    )


def places(result: Result, *texts: str) -> list[int]:
    """Where each text begins in the output; each must be there."""
    assert [text for text in texts if text not in result.output] == []
    return [result.output.index(text) for text in texts]


def test_one_who_has_solved_it_is_not_asked(home: Path) -> None:
    (home / "progress.json").write_text('{"scores": {"verdict": "accepted"}}')
    result = run()
    assert result.return_value == 0 and ASKED not in result.output
    found = places(
        result,
        "Reference · NumPy",
        "scale).astype(q.dtype)",
        "Each q meets every key.",
        "in sums · NumPy",
        "# The sums are named.",
        "total_in_numpy",
        "in sums · PyTorch",
        "total_in_torch",
        "Reference · PyTorch",
        "scale).to(q.dtype)",
    )
    assert found == sorted(found)


@pytest.mark.parametrize("record", ["", '{"scores": {"verdict": "wrong_answer"}}'])
@pytest.mark.parametrize(("typed", "shown"), [("y\n", True), ("n\n", False), ("\n", False)])
def test_others_are_asked_first(home: Path, record: str, typed: str, shown: bool) -> None:
    (home / "progress.json").write_text(record)
    result = run(typed=typed)
    assert ASKED in result.output
    assert ("astype" in result.output, result.return_value) == (shown, 0 if shown else 1)


def test_where_nobody_answers_it_says_how_to_go_on() -> None:
    result = run()
    assert result.return_value == 2
    assert "grade: nobody answers; --yes prints the solution without asking" in result.output


def test_yes_asks_nothing() -> None:
    result = run("--yes")
    assert result.return_value == 0 and ASKED not in result.output and "astype" in result.output


def test_the_framework_that_is_asked_for_comes_first() -> None:
    result = run("--yes", "--framework", "torch")
    found = places(result, "Reference · PyTorch", "total_in_torch", "total_in_numpy", "astype")
    assert found == sorted(found)


def test_in_chinese() -> None:
    output = run("--yes", "--lang", "zh").output
    assert "# 给求和起名字。" in output and "The sums are named" not in output
    assert "参考" in output and "Reference" not in output
