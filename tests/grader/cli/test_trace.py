"""`grade trace` in a terminal of 80 columns, and as JSON."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.cells import cell_len

from grader.cli.main import grade
from grader.cli.terminal import ACCEPTED, NOT_ACCEPTED
from tests.conftest import ROOT

REFERENCE = ROOT / "reference" / "multi_head_attention" / "numpy.py"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A solution of multi-head attention whose mask does not hide."""
    source = REFERENCE.read_text(encoding="utf-8")
    path = tmp_path / "multi_head_attention_numpy.py"
    path.write_text(source.replace("scores, -np.inf", "scores, -5.0"), encoding="utf-8")
    return path


def run(*arguments: str) -> tuple[int, str]:
    """The exit status and the output in a terminal of 80 columns."""
    environment = {"COLUMNS": "80", "GRADE_BANK": str(ROOT)}
    result = CliRunner(env=environment).invoke(grade, arguments, standalone_mode=False)
    assert result.exception is None, result.exception
    return result.return_value, result.output


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_trace_fits_a_screen_and_marks_the_first_wrong_step(file: Path, language: str) -> None:
    status, output = run("trace", str(file), "--lang", language)
    lines = output.splitlines()
    assert status == NOT_ACCEPTED
    assert len(lines) <= 26 and max(map(cell_len, lines)) <= 80
    (marked,) = [line for line in lines if line.startswith("✕")]
    assert marked.split()[1] == "38" and "-5" in marked
    assert "--all" in output and "`scores`" in output


def test_all_shows_the_arguments_and_every_step(file: Path) -> None:
    status, output = run("trace", "multi_head_attention", str(file), "--all")
    assert status == NOT_ACCEPTED
    assert "num_heads" in output and "--all" not in output and len(output.splitlines()) > 40


def test_json_is_one_line(file: Path) -> None:
    status, output = run("trace", str(file), "--format", "json")
    assert (status, len(output.splitlines())) == (NOT_ACCEPTED, 1)
    found = json.loads(output)
    assert found["first_wrong_step"]["relation"] == "others_hidden"


def test_a_named_case_of_a_right_solution(tmp_path: Path) -> None:
    status, output = run(
        "trace", "multi_head_attention", str(REFERENCE), "--case", "three words, two heads"
    )
    assert status == ACCEPTED and "the result is right" in output and "✕" not in output
