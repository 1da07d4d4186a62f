"""`grade assemble` as a person types it."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from grader.capstone.parts import SLUGS
from grader.cli.assemble.showing import tenths
from grader.cli.main import grade
from grader.sandbox import SandboxPool
from tests.bank.test_solutions import RIGHT
from tests.conftest import ROOT

WRONG = """
import numpy as np


def rms_norm(x, gain, eps):
    x = x - x.mean(axis=-1, keepdims=True)
    return gain * x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps)
"""


@pytest.fixture
def folder(tmp_path: Path, sandbox: SandboxPool, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A right solution of every part, as a learner names the files."""
    monkeypatch.setenv("GRADE_BANK", str(ROOT))
    for slug in SLUGS:
        path = next(path for path in RIGHT if path.parent.name == slug)
        shutil.copy(path, tmp_path / f"{slug}_{path.stem.rpartition('_')[2]}.py")
    return tmp_path


def run(*words: object) -> tuple[int, Result]:
    """The exit status of a command in a terminal of 80 columns, and what it prints."""
    result = CliRunner(env={"COLUMNS": "80"}).invoke(
        grade, ["assemble", *map(str, words)], standalone_mode=False, catch_exceptions=False
    )
    return int(result.return_value), result


@pytest.mark.torch
def test_a_folder_of_solutions_is_a_model_of_ones_own(folder: Path) -> None:
    code, result = run(folder, "--prompt", "The softmax ", "--tokens", 40, "--maps")
    assert code == 0, result.output
    assert "every part of this model is yours" in result.stdout
    assert "after 4 of 4 prompts, it writes exactly the reference's 96 characters" in result.stdout
    assert result.stdout.count("yours") == len(SLUGS) + 1
    assert "1.1  " in result.stdout and "4.4  " in result.stdout
    written = result.stdout.split("The softmax ")[-1].rstrip("\n")
    assert len(written) >= 30
    assert max(map(len, result.stdout.splitlines())) <= 80 + 40


@pytest.mark.torch
def test_a_wrong_part_is_refused_with_its_own_hint(folder: Path) -> None:
    file = folder / "mine.py"
    file.write_text(WRONG, encoding="utf-8")
    code, result = run("--part", f"rms_norm={file}", "--lang", "en")
    assert code == 1
    assert "✕ rms_norm: wrong answer" in result.stdout
    assert "mean" in result.stdout.partition("rms_norm: wrong answer")[2]
    assert "grade run rms_norm" in result.stdout
    assert "0 of 8 parts are yours" in result.stdout
    assert "after 4 of 4 prompts" in result.stdout, "the reference stands in for it"


@pytest.mark.torch
def test_json_has_everything(folder: Path) -> None:
    shutil.rmtree(folder / "none", ignore_errors=True)
    (folder / "kv_cache_torch.py").unlink()
    code, result = run(folder, "--format", "json", "--prompt", "Why", "--tokens", 5)
    found = json.loads(result.stdout)
    assert code == 0
    assert [part["part"] for part in found["parts"]] == list(SLUGS)
    assert {part["part"] for part in found["parts"] if not part["own"]} == {"kv_cache"}
    assert found["own"] == 7
    assert all(each["right"] for each in found["compared"])
    assert len(found["text"]) == 5
    assert np.array(found["maps"]).shape == (4, 4, 4, 4)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["nowhere"], "nowhere: no such folder"),
        (["--part", "rms_norm"], "--part takes SLUG=FILE"),
        (["--part", "rms=a.py"], "'rms' is not a part of the model"),
        (["--map", "5.1"], "'5.1' is not a valid map; write LAYER.HEAD, from 1.1 to 4.4"),
        (["--map", "one"], "'one' is not a valid map"),
        (["--map", "1.1"], "a map needs a text to read: --prompt TEXT"),
        (["--maps"], "a map needs a text to read: --prompt TEXT"),
        (["--prompt", "≤"], "the model does not know the character '≤'"),
        (["--prompt", "a", "--temperature", "3"], "the temperature is a number from 0 to 2"),
        (["--tokens", "0"], "'0' is not a whole number from 1 to 500"),
        pytest.param(
            ["--part", "sampling=missing.py"], "missing.py: no such file", marks=pytest.mark.torch
        ),
    ],
)
def test_what_cannot_be_done_is_told(words: list[str], told: str) -> None:
    result = CliRunner(env={"GRADE_BANK": str(ROOT)}).invoke(grade, ["assemble", *words])
    assert told in result.stderr
    assert result.stdout == ""


def test_weights_are_digits() -> None:
    assert tenths(np.array([0.0, 0.01, 0.06, 0.5, 1.0])) == " ·159"
