"""`grade practice` as a person types it, and as a script calls it."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from grader.cli.commands.practice import STEPS
from grader.cli.main import grade
from grader.practice.item import Step
from tests.grader import small
from tests.grader.test_practice import MISTAKES, REFERENCE

RIGHT, WRONG = "products * scale", "products / scale"


@pytest.fixture(autouse=True)
def bank(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bank with one problem."""
    root = small.write(tmp_path / "bank", numpy=REFERENCE, mistakes=MISTAKES)
    monkeypatch.setenv("GRADE_BANK", str(root))
    monkeypatch.chdir(tmp_path)


def run(*words: str, typed: str = "") -> tuple[int, Result]:
    """The exit status of `grade practice scores`, and what it prints."""
    result = CliRunner(env={"COLUMNS": "80"}).invoke(
        grade, ["practice", "scores", *words], input=typed, standalone_mode=False
    )
    if result.exception:
        raise result.exception
    return int(result.return_value), result


def test_items_are_listed() -> None:
    code, result = run("--list")
    ids = [line.split()[0] for line in result.stdout.splitlines()]
    assert code == 0
    assert ids == [
        "predict-1",
        "arrange-1",
        "fill-1",
        "fill-2",
        "fill-3",
        "bug-1",
        "bug-2",
        "bug-3",
        "beat-1",
    ]


def test_json_asks_every_question_and_answers_none() -> None:
    code, result = run("--format", "json")
    found = {item["id"]: item for item in json.loads(result.stdout)}
    assert code == 0
    assert found["fill-1"]["blanks"] == 1
    assert all("right" not in item and "mistake" not in item for item in found.values())
    assert json.loads(run("--item", "bug-1", "--format", "json")[1].stdout) == found["bug-1"]


@pytest.mark.parametrize(
    ("item", "texts", "right", "hint"),
    [
        ("fill-1", [RIGHT], True, None),
        ("fill-1", ["scale * products"], True, None),  # another right one
        ("fill-1", [WRONG], False, "divided"),
        ("fill-3", ["q @ k.T", "products"], False, "no_scale"),
        ("bug-2", ["4"], False, "doubled"),
        ("bug-2", ["3"], True, None),
        ("bug-2", ["3: products = 2 * q @ k.T"], False, "doubled"),
        ("bug-2", ["4: scaled = products / 2 * scale"], True, None),  # mended elsewhere
        ("predict-1", ["3 2"], False, None),
    ],
)
def test_a_script_answers(item: str, texts: list[str], right: bool, hint: str | None) -> None:
    answers = [word for text in texts for word in ("--answer", text)]
    code, result = run("--item", item, *answers, "--format", "json")
    found = json.loads(result.stdout)
    assert (code, found["right"]) == (0 if right else 1, right)
    assert (found["hint"] or {}).get("mistake") == hint


def test_an_item_is_asked_until_the_answer_is_right() -> None:
    typed = f"{WRONG}\na b\n{RIGHT}\n\nq @ k.T\n{RIGHT}\n"
    code, result = run("--step", "fill", typed=typed)
    assert code == 1  # the second item was left out
    assert "Is a scale a divisor?" in result.stdout
    assert "'a b' is not a Python expression" in result.stdout
    assert result.stdout.count("✓ right") == 2
    assert max(map(len, result.stdout.splitlines())) <= 80


QUERIES = "q = [[1, 0], [0, 1]]"
PLAIN = f"{QUERIES}\nk = [[1, 0], [0, 1], [1, 1]]\n"
SCALED = f"{PLAIN}scale = 0.5\n"


def test_inputs_show_mistakes(tmp_path: Path) -> None:
    (tmp_path / "plain.txt").write_text(PLAIN)
    (tmp_path / "scaled.txt").write_text(SCALED)
    code, result = run("--item", "beat-1", "--input", "plain.txt", "--format", "json")
    found = json.loads(result.stdout)
    assert (code, found["right"]) == (1, False)
    assert found["kills"] == [[False, False, True, True]]
    assert [hint and hint["mistake"] for hint in found["found"]] == [
        None,
        None,
        "doubled",
        "two_lines",
    ]
    both = ["--input", "plain.txt", "--input", "scaled.txt"]
    code, result = run("--item", "beat-1", *both, "--format", "json")
    found = json.loads(result.stdout)
    assert (code, found["right"]) == (0, True)
    assert found["kills"] == [[False, False, True, True], [True] * 4]
    assert "not both" in run("--item", "beat-1", *both, "--answer", PLAIN)[1].stderr


def test_files_with_inputs_are_asked_until_every_mistake_fails(tmp_path: Path) -> None:
    (tmp_path / "plain.txt").write_text(PLAIN)
    (tmp_path / "wide q.txt").write_text(
        PLAIN.replace("q = [[1, 0], [0, 1]]", "q = [[1, 0, 0], [0, 1, 0]]")
    )
    (tmp_path / "scaled.txt").write_text(SCALED)
    typed = "none.txt\nplain.txt\n'wide q.txt'\n'open\nplain.txt scaled.txt\n"
    code, result = run("--step", "beat", typed=typed)
    assert code == 0
    assert "Each of 4 programs has a known mistake." in result.stdout
    assert "none.txt: no such file" in result.stdout
    assert "2 of 4 mistakes fail on your inputs." in result.stdout
    assert (
        "input 1: k has length 2 along axis D (number 2 of 2); give it length 3 there"
        in result.stdout
    )
    assert "No closing quotation" in result.stdout
    assert "4 of 4 mistakes fail on your inputs." in result.stdout
    assert "Mistake 2: Is a scale a divisor?" in result.stdout


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "there are no inputs yet"),
        (f"{PLAIN}---\n{PLAIN}mask = 1", "input 2: there is no argument 'mask'"),
        (QUERIES, "input 1: the argument 'k' is missing"),
        (PLAIN.replace("k = [[1", "k = [[nan"), "input 1: k[0, 0] is infinite or NaN"),
        ("q = 1 +", "input 1: line 1 is not Python"),
    ],
)
def test_inputs_that_are_not_allowed_are_refused(text: str, told: str) -> None:
    code, result = run("--item", "beat-1", "--answer", text)
    assert code == 2
    assert told in result.stderr


def test_a_line_that_is_found_is_told() -> None:
    code, result = run("--item", "bug-2", typed="3\n")
    assert code == 0
    assert "3      products = 2 * q @ k.T" in result.stdout
    assert "That is the line." in result.stdout
    code, result = run("--item", "bug-2", typed="2\n")
    assert code == 1
    assert "Line 2 is the same in a right program." in result.stdout
    assert "Every score is too large." in result.stdout


def test_nothing_typed_is_no_answer() -> None:
    code, result = run("--item", "arrange-1")
    assert code == 0
    assert "Which lines belong" in result.stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--answer", "1"], "an answer needs the item that it is for"),
        (["--item", "fill-9"], "scores has no practice item 'fill-9'; there are predict-1"),
        (["--item", "fill-1", "--answer", "a b"], "'a b' is not a Python expression"),
        (["--framework", "torch"], "scores is not for torch"),
    ],
)
def test_what_cannot_be_done_is_told(words: list[str], told: str) -> None:
    code, result = run(*words)
    assert code == 2
    assert told in result.stderr


def test_the_option_lists_every_kind_of_item() -> None:
    """It is written down once more, so that no other command imports what makes items."""
    assert tuple(Step) == STEPS
