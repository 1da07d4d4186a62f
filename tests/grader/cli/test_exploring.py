"""`grade shrink` and `grade try` as a person types them."""

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from rich.text import Text

from grader.cli.main import grade
from grader.cli.render.tensors import tensor
from grader.verdict.translate import ENGLISH
from tests.grader import small

WRONG = small.REFERENCE.replace("q @ k.T", "2 * q @ k.T")


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A wrong solution, in a working folder beside a bank."""
    monkeypatch.setenv("GRADE_BANK", str(small.write(tmp_path / "bank")))
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "scores.py"
    path.write_text(WRONG, encoding="utf-8")
    return path


def run(*words: object) -> tuple[int, Result]:
    """The exit status of a command in a terminal of 80 columns, and what it prints."""
    result = CliRunner(env={"COLUMNS": "80"}).invoke(
        grade, [str(word) for word in words], standalone_mode=False, catch_exceptions=False
    )
    return int(result.return_value), result


def test_an_input_is_made_smaller_kept_and_tried_again(file: Path) -> None:
    code, result = run("shrink", file, "--save", "inputs.py")
    assert code == 1
    assert "The smallest input found that fails like 'scaled'" in result.stdout
    assert "numbers are left" in result.stdout
    assert "*" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80
    code, result = run("try", file, "--input", "inputs.py")
    assert code == 1
    assert "wrong answer" in result.stdout
    file.write_text(small.REFERENCE, encoding="utf-8")
    code, result = run("try", file, "--input", "inputs.py")
    assert code == 0
    assert "accepted" in result.stdout


def test_json_is_one_object_on_one_line(file: Path) -> None:
    code, result = run("shrink", file, "--format", "json", "--case", "scaled")
    assert code == 1
    found = json.loads(result.stdout)
    assert (found["state"], found["case"]) == ("shrunk", "scaled")
    Path("inputs.py").write_text(found["python"], encoding="utf-8")
    code, result = run("try", file, "--format", "json", "--input", "inputs.py")
    assert code == 1
    assert json.loads(result.stdout)["arguments"]["inputs"] == found["arguments"]["inputs"]


def test_an_input_of_ones_own_is_traced(file: Path) -> None:
    Path("inputs.py").write_text(run("try", file, "--example")[1].stdout, encoding="utf-8")
    code, result = run("try", file, "--trace", "--input", "inputs.py")
    plain = run("try", file, "--input", "inputs.py")[1].stdout
    assert code == 1
    assert result.stdout.startswith(plain)
    assert "return" in result.stdout.removeprefix(plain)
    _, result = run("try", file, "--trace", "--format", "json", "--input", "inputs.py")
    steps = json.loads(result.stdout)["trace"]["steps"]
    assert {"q", "k"} <= {step["variable"] for step in steps}


def test_nothing_that_fails_is_status_0(file: Path) -> None:
    file.write_text(small.REFERENCE, encoding="utf-8")
    code, result = run("shrink", file)
    assert code == 0
    assert "No public case fails" in result.stdout


def test_an_example_can_be_tried_as_it_is(file: Path) -> None:
    code, result = run("try", file, "--example")
    assert code == 0
    Path("inputs.py").write_text(result.stdout, encoding="utf-8")
    assert run("try", file, "--input", "inputs.py")[0] == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--input", "inputs.py"], "the argument 'k' is missing; add a line k = …"),
        ([], "name the file with your inputs: --input FILE"),
        (
            ["--input", "nowhere.py"],
            "nowhere.py: no such file; `grade try PROBLEM FILE --example` writes inputs to change",
        ),
        (["--input", "inputs.py", "--lang", "zh"], "缺少参数"),
    ],
)
def test_what_is_wrong_with_inputs_is_one_line(file: Path, words: list[str], said: str) -> None:
    Path("inputs.py").write_text("q = [[1.0, 2.0], [3.0, 4.0]]\n", encoding="utf-8")
    code, result = run("try", file, *words)
    assert code == 2
    assert said in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_case_that_does_not_exist_is_refused(file: Path) -> None:
    code, result = run("shrink", file, "--case", "scald")
    assert code == 2
    assert "has no case 'scald'; those that can be looked into are 'scaled'" in result.stderr


@pytest.mark.parametrize(
    ("array", "wrong", "shown"),
    [
        (np.float64(1.5), None, "1.5"),
        (np.array([1.0, 20.0]), None, "[ 1 20]"),
        (np.array([1.0, 20.0]), [False, True], "[ 1  20*]"),
        (np.array([[True], [False]]), None, "[[ True]\n [False]]"),
        (np.arange(8).reshape(2, 2, 2), None, "[[[0 1]\n  [2 3]]\n [[4 5]\n  [6 7]]]"),
        (np.array([np.nan, -np.inf]), None, "[ nan -inf]"),
        (np.zeros((9, 9)), None, "float64 of shape (9, 9)"),
    ],
)
def test_tensors_are_shown_in_brackets_with_wrong_entries_marked(
    array: np.ndarray, wrong: list[bool] | None, shown: str
) -> None:
    marks = None if wrong is None else np.array(wrong)
    found = tensor(np.asarray(array), ENGLISH, marks)
    assert isinstance(found, Text)
    assert found.plain == shown


def test_a_failure_that_no_hint_explains_is_told_its_first_wrong_step(file: Path) -> None:
    file.write_text(small.REFERENCE.replace("q @ k.T", "q @ k.T + 0.5"), encoding="utf-8")
    code, result = run("run", file)
    assert code == 1
    said = " ".join(result.stdout.split())
    place = said.partition("first wrong step: ")[2]
    assert "line 5" in place and "every entry is off by" in place
    file.write_text(small.REFERENCE, encoding="utf-8")
    assert "first wrong step" not in run("run", file)[1].stdout


@pytest.mark.parametrize("result", ["None", "raise NotImplementedError"])
def test_where_the_finding_has_said_it_no_step_is_named(file: Path, result: str) -> None:
    line = result if result.startswith("raise") else f"return {result}"
    file.write_text(f"def scores(q, k, scale=1.0):\n    {line}\n", encoding="utf-8")
    said = run("run", file)[1].stdout
    assert "where to look" not in said and "first wrong step" not in said
