"""The grade command as a person types it: every command, every bad input with its exit status and
sentence, every format.
"""

import contextlib
import io
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from grader import judge as judge_module
from grader import storage
from grader.cli.main import grade
from grader.cli.render.listing import listing
from grader.cli.terminal import guarded
from grader.errors import JudgeError, ProblemError
from grader.model import Verdict
from grader.problem import load
from grader.sandbox import SandboxPool
from grader.verify import verify
from tests.conftest import ROOT
from tests.grader import small
from tests.grader.cli.junit import invalid
from tests.shipped import shipped

RIGHT = small.REFERENCE
WRONG = small.REFERENCE.replace("q @ k.T", "2 * q @ k.T")
UNKNOWN = small.REFERENCE.replace("q @ k.T", "q @ k.T + 7")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: Path) -> Path:
    """A working folder beside a bank with two problems; GRADE_BANK names it.

    What is solved is this test's own.
    """
    bank = tmp_path / "bank"
    small.write(bank)
    both = (
        small.TOML.replace('["numpy"]', '["numpy", "torch"]')
        .replace('"Scores"', '"Both"')
        .replace('"easy"', '"hard"\nrequires = ["scores"]')
    )
    small.write(
        bank, "both", toml=both, torch="def scores(q, k, scale=1.0):\n    return q @ k.T * scale\n"
    )
    monkeypatch.setenv("GRADE_BANK", str(bank))
    monkeypatch.setenv("GRADE_HOME", str(tmp_path / "home"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "work"


def run(*words: str, width: int = 100) -> Result:
    """The command in this process.

    Its exit status is what the function returns; `main` passes that to the shell.
    """
    return CliRunner(env={"COLUMNS": str(width)}).invoke(
        grade, list(words), standalone_mode=False, catch_exceptions=False
    )


def status(result: Result) -> int:
    """The exit status that the shell sees."""
    return int(result.return_value)


def judged(file: Path, *words: str) -> Result:
    return run("run", *words, str(file))


def write(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def shell(*words: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """The command as another process, as a person starts it."""
    return subprocess.run(
        [sys.executable, "-m", "grader.cli", *words],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "100", **environment},
        capture_output=True,
        text=True,
        timeout=180,
    )


# -------------------------------------------------------------------------------------------------------
# list, show, start, new, doctor


@pytest.mark.torch
def test_list_shows_the_teaching_order_and_what_is_solved(
    folder: Path, sandbox: SandboxPool
) -> None:
    before = run("list")
    rows = [line.split() for line in before.output.splitlines()]
    assert (status(before), rows[0]) == (0, ["problem", "for", "level", "builds", "on"])
    assert rows[1:] == [
        ["foundations"],
        ["both", "numpy", "torch", "hard", "scores"],
        ["scores", "numpy", "easy"],
    ]
    judged(write(folder, "scores.py", WRONG))
    assert ["…", "scores", "numpy", "easy"] in [
        line.split() for line in run("list").output.splitlines()
    ]
    judged(write(folder, "scores.py", RIGHT))
    assert ["✓", "scores", "numpy", "easy"] in [
        line.split() for line in run("list").output.splitlines()
    ]
    judged(write(folder, "scores.py", WRONG))
    assert "✓" in run("list").output  # once solved, solved


def test_list_of_the_shipped_bank(sandbox: SandboxPool) -> None:
    found = run("list", "--bank", str(ROOT))
    assert status(found) == 0 and len(found.output.splitlines()) >= 25 + 4 + 1
    assert max(len(line) for line in found.output.splitlines()) <= 100


def test_list_of_the_shipped_bank_has_room_for_its_marks() -> None:
    bank = [shipped(slug) for slug in ("masked_attention", "training_step", "gpt_forward")]
    out = Console(width=80, file=io.StringIO(), color_system=None)
    out.print(listing(bank, {"masked_attention": "accepted", "training_step": "wrong_answer"}))
    lines = out.file.getvalue().splitlines()  # type: ignore[attr-defined]
    assert any(line.startswith("✓") and "masked_attention" in line for line in lines)
    assert any(line.startswith("…") and "training_step" in line for line in lines)


def test_a_broken_memory_of_what_is_solved_is_nothing_solved(
    folder: Path, sandbox: SandboxPool
) -> None:
    home = Path(os.environ["GRADE_HOME"])
    home.mkdir()
    for text in ("", "[1]", '{"scores": 5}', "\x00"):
        (home / "progress.json").write_text(text)
        assert status(run("list")) == 0
        assert status(judged(write(folder, "scores.py", RIGHT))) == 0
        assert "✓" in run("list").output


def test_show_fills_in_the_samples(folder: Path, sandbox: SandboxPool) -> None:
    found = run("show", "scores")
    assert status(found) == 0
    assert "sample: two by three" in found.output and "[[sample" not in found.output
    assert "Return QKᵀ times" in found.output
    assert found.output.rstrip().endswith("Nobody 2020  ·  numpy  ·  grade start scores")


def test_show_in_another_language(folder: Path, sandbox: SandboxPool) -> None:
    found = run("show", "scores", "--lang", "zh")
    assert (status(found), found.stderr) == (
        2,
        "grade: scores has no statement in 'zh'; it has en (--lang)\n",
    )
    shown = run("show", "causal_mask", "--lang", "zh", "--bank", str(ROOT), width=80)
    assert status(shown) == 0 and "掩码" in shown.output


def test_a_report_in_chinese(folder: Path, sandbox: SandboxPool) -> None:
    chinese = (
        '[mistakes]\ndoubled = "分数都太大了。"\n\n[cases]\n"two by three" = { name = "二乘三",'
        ' note = "很小。" }\n'
    )
    (folder.parent / "bank" / "problems" / "scores" / "hints.zh.toml").write_text(
        chinese, encoding="utf-8"
    )
    file = write(folder, "scores.py", WRONG)
    short = judged(file, "--lang", "zh")
    assert status(short) == 1 and "分数都太大了。" in short.output
    # with the numbers of the first case, since they differ
    assert short.output.startswith(
        " ✕ 3 个用例，例如 示例：二乘三\n     答案错误: scores：6 个值中"
    )
    found = judged(file, "--lang", "zh", "--verbose")
    assert status(found) == 1
    lines = found.output.splitlines()
    assert lines[0].startswith(" ✕ 示例：二乘三  ") and lines[1].startswith(
        "     答案错误: scores：6 个值中有 6 个不对，最大相差 "
    )
    for words in (
        "；每个值都是应有值的 2 倍",
        "示例：二乘三\n很小。\n",
        "scores：期望",
        "分数都太大了。",
        "doubled，3 个用例中出现了 3 个",
    ):
        assert words in found.output
    assert (
        "✕ 答案错误  0 / 3 个用例，0/6 分\n" in found.output
        and "由 bubblewrap 密封" in found.output
    )
    told = json.loads(judged(file, "--lang", "zh", "--format", "json").output)
    assert (
        told["diagnosis"]["hint"] == "Every score is too large."
        and told["cases"][0]["name"] == "two by three"
    )


@pytest.mark.parametrize("language", ["en", "zh"])
def test_show_fits_a_terminal_of_80_columns(language: str, sandbox: SandboxPool) -> None:
    from rich.cells import cell_len

    found = run("show", "masked_attention", "--lang", language, "--bank", str(ROOT), width=80)
    assert status(found) == 0 and "$" not in found.output and "\\frac" not in found.output
    assert max(cell_len(line) for line in found.output.splitlines()) <= 80


def test_a_statement_that_names_no_sample(folder: Path, sandbox: SandboxPool) -> None:
    small.write(folder.parent / "bank", statement="# Scores\n\n[[sample: four by four]]\n")
    found = run("show", "scores")
    assert status(found) == 2
    assert (
        "statement.md: [[sample: four by four]] names no sample case; there are two by three"
        in found.stderr
    )


def test_start_writes_the_starter_and_never_overwrites(folder: Path) -> None:
    found = run("start", "scores")
    assert (status(found), found.output) == (
        0,
        "scores_numpy.py: write the solution there, then: grade run scores_numpy.py\n",
    )
    assert (folder / "scores_numpy.py").read_text() == small.STARTER
    (folder / "scores_numpy.py").write_text("mine")
    again = run("start", "scores")
    assert (status(again), again.stderr) == (
        2,
        "grade: scores_numpy.py exists and is not touched; rename it to start again\n",
    )
    assert (folder / "scores_numpy.py").read_text() == "mine"


def test_start_in_a_framework(folder: Path) -> None:
    assert status(run("start", "both", "--framework", "torch")) == 0
    assert (folder / "both_torch.py").is_file()
    found = run("start", "scores", "--framework", "torch")
    assert (status(found), found.stderr) == (
        2,
        "grade: scores is not for torch; it is for numpy (--framework)\n",
    )


def test_new_explains_itself_and_fails_verify_until_it_is_filled(
    folder: Path, sandbox: SandboxPool
) -> None:
    found = run("new", "my_scores")
    assert status(found) == 0 and found.output.endswith(
        "fill these in, then: grade verify my_scores\n"
    )
    written = sorted(
        path.relative_to(folder.parent / "bank").as_posix()
        for path in (folder.parent / "bank").rglob("*my_scores/*")
    )
    names = ["cases.py", "mistakes.toml", "problem.toml", "starter_numpy.py", "statement.md"]
    assert written == sorted(
        [f"problems/my_scores/{name}" for name in names] + ["reference/my_scores/numpy.py"]
    )
    verified = run("verify", "my_scores")
    assert status(verified) == 1
    for rule in (
        "rule 3: mistakes.toml: holds no mistake",
        "rule 4: case 'more queries than keys': kills no mistake",
        "rule 9: case 'more",
    ):
        assert rule in " ".join(verified.output.split())
    again = run("new", "my_scores")
    assert (
        status(again) == 2
        and "my_scores exists and is not touched; choose another slug" in again.stderr
    )


KINDS = {
    "a function in both frameworks": (["--torch"], ["numpy", "torch"], "my_scores"),
    "a module": (["--module"], ["torch"], "MyScores"),
    "a class with a driver": (["--class"], ["numpy"], "MyScores"),
    "a class in both frameworks": (["--class", "--torch"], ["numpy", "torch"], "MyScores"),
}


@pytest.mark.parametrize(
    ("options", "frameworks", "entry"),
    [
        pytest.param(*row, id=name, marks=[pytest.mark.torch] if "torch" in row[1] else [])
        for name, row in KINDS.items()
    ],
)
def test_new_writes_each_kind(
    folder: Path, sandbox: SandboxPool, options: list[str], frameworks: list[str], entry: str
) -> None:
    """All that is missing is what only an author knows: mistakes, and why a case exists."""
    assert status(run("new", "my_scores", *options)) == 0
    problem = load(folder.parent / "bank", "my_scores")
    assert [str(f) for f in problem.frameworks] == frameworks
    assert [e.name for e in problem.entries] == [entry]
    fitness = verify(problem, sandbox, known=())
    assert {f.text.pattern.split(",")[0].split(";")[0] for f in fitness.findings} == {
        "holds no mistake",
        "kills no mistake",
        "has no note",
    }


@pytest.mark.parametrize(
    ("options", "mistakes"),
    [
        pytest.param(["--module"], 2, marks=pytest.mark.torch),
        (["--class"], 1),
        pytest.param(["--class", "--torch"], 1, marks=pytest.mark.torch),
        pytest.param(["--torch"], 1, marks=pytest.mark.torch),
    ],
)
def test_the_mistakes_of_a_scaffold_are_real(
    folder: Path, sandbox: SandboxPool, options: list[str], mistakes: int
) -> None:
    """With its comment signs removed and notes given, what was written is fit."""
    assert status(run("new", "my_scores", *options)) == 0
    bank = folder.parent / "bank"
    path = bank / "problems/my_scores"
    text = (path / "mistakes.toml").read_text(encoding="utf-8")
    commented = text[text.index("# [[mistake]]") :]
    (path / "mistakes.toml").write_text(
        re.sub("^# ?", "", commented, flags=re.MULTILINE), encoding="utf-8"
    )
    cases = (path / "cases.py").read_text(encoding="utf-8")
    (path / "cases.py").write_text(cases.replace('note=""', 'note="Why."'), encoding="utf-8")
    problem = load(bank, "my_scores")
    assert len(problem.mistakes) == mistakes
    assert [str(f.text) for f in verify(problem, sandbox, known=()).findings] == []


def test_new_takes_one_kind(folder: Path) -> None:
    for options in (["--module", "--class"], ["--like", "scores", "--torch"]):
        found = run("new", "my_scores", *options)
        assert status(found) == 2 and "choose one of --like, --module and --class" in " ".join(
            found.stderr.split()
        )


def test_new_begins_with_a_copy(folder: Path) -> None:
    """Its name stands wherever the other's stood, so it loads and judges as that does."""
    found = run("new", "my_scores", "--like", "scores")
    assert status(found) == 0 and found.output.endswith(
        "change these, then: grade verify my_scores\n"
    )
    bank = folder.parent / "bank"
    theirs, ours = load(bank, "scores"), load(bank, "my_scores")
    assert [entry.name for entry in ours.entries] == ["my_scores"]
    assert [m.name for m in ours.mistakes] == [m.name for m in theirs.mistakes]
    assert status(run("run", "my_scores", str(bank / "reference/my_scores/numpy.py"))) == 0


def test_new_copies_what_is_shipped_into_another_bank(folder: Path) -> None:
    bank = folder.parent / "bank"
    assert status(run("new", "my_cache", "--like", "kv_cache")) == 0
    ours = load(bank, "my_cache")
    assert ours.driver is not None and "kv_cache" not in ours.cases + ours.statements["en"]


def test_new_like_what_is_not_there_writes_nothing(folder: Path) -> None:
    found = run("new", "my_scores", "--like", "score")
    assert status(found) == 2 and "no problem 'score'" in found.stderr
    assert "did you mean 'scores'" in found.stderr
    assert not (folder.parent / "bank/problems/my_scores").exists()


@pytest.mark.parametrize("slug", ["My-Scores", "ab", "../etc", "1st", "a" * 70])
def test_new_refuses_what_is_no_slug(folder: Path, slug: str) -> None:
    found = run("new", slug)
    assert (status(found), found.stderr) == (
        2,
        (
            f"grade: '{slug}' is not a valid slug; use 3 to 60 lower-case letters, digits and underscores,"
            " e.g. causal_mask\n"
        ),
    )


def test_new_refuses_a_keyword(folder: Path) -> None:
    found = run("new", "class")
    said = "grade: 'class' is a keyword of Python; choose another slug\n"
    assert (status(found), found.stderr) == (2, said)


@pytest.mark.torch
def test_doctor_names_each_thing_and_its_remedy(
    folder: Path, sandbox: SandboxPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage, "_SECRET", None)  # an earlier test made it in another folder
    found = run("doctor")
    assert status(found) == 0
    for line in (
        "✓ python: ",
        "✓ bubblewrap: ",
        "✓ libseccomp: ",
        "✓ sealed room, numpy: answers",
        "✓ sealed room, torch: answers",
        "✓ secret of the hidden inputs: ",
    ):
        assert line in found.output
    assert (storage.data_folder() / "secret").is_file()
    assert found.output.endswith("rooms can be sealed here\n")


def test_doctor_says_how_to_mend_what_is_missing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(folder))
    found = run("doctor")
    assert status(found) == 2
    assert "✕ bubblewrap: missing\n    remedy: apt install bubblewrap\n" in found.output
    assert found.output.endswith("rooms cannot be sealed here\n")


# ----------------------------------------------------------------------------------------------------------------------------
# run


def test_a_right_solution(folder: Path, sandbox: SandboxPool) -> None:
    found = judged(write(folder, "scores.py", RIGHT))
    assert status(found) == 0
    assert (
        "✓ accepted  3 of 3 cases, 6/6 points" in found.output
        and "sealed by bubblewrap" in found.output
    )


def test_a_wrong_solution_is_told_what_it_looks_like(folder: Path, sandbox: SandboxPool) -> None:
    found = judged(write(folder, "scores.py", WRONG))
    assert status(found) == 1
    for words in (
        "✕ wrong answer  0 of 3 cases, 0/6 points",
        "what it looks like",
        "Every score is too large.",
        "doubled, seen in 3 of 3 cases",
    ):
        assert words in found.output


def test_the_problem_may_be_left_out_when_the_file_is_named_after_it(
    folder: Path, sandbox: SandboxPool
) -> None:
    for name in ("scores.py", "scores_numpy.py"):
        assert status(judged(write(folder, name, RIGHT))) == 0
    assert status(judged(write(folder, "mine.py", RIGHT), "scores")) == 0


FRAMEWORKS = {
    "by its name": (
        "both_torch.py",
        "def scores(q, k, scale=1.0):\n    return q @ k.T * scale\n",
        "torch",
    ),
    "by its imports": (
        "both.py",
        "import torch\ndef scores(q, k, scale=1.0):\n    return torch.matmul(q, k.T) * scale\n",
        "torch",
    ),
    "else numpy": ("both.py", RIGHT, "numpy"),
}


@pytest.mark.parametrize(("name", "text", "framework"), FRAMEWORKS.values(), ids=FRAMEWORKS.keys())
def test_the_framework_is_found(
    folder: Path, sandbox: SandboxPool, name: str, text: str, framework: str
) -> None:
    found = judged(write(folder, name, text), "--format", "json")
    assert (json.loads(found.output)["framework"], status(found)) == (framework, 0)


@pytest.mark.torch
def test_a_framework_that_is_named_wins(folder: Path, sandbox: SandboxPool) -> None:
    found = judged(
        write(folder, "both.py", "def scores(q, k, scale=1.0):\n    return q @ k.T * scale\n"),
        "--framework",
        "torch",
        "--format",
        "json",
    )
    assert json.loads(found.output)["framework"] == "torch"


def test_another_seed_gives_other_hidden_inputs(folder: Path, sandbox: SandboxPool) -> None:
    """A program that keeps what it has seen fails on other inputs; samples and twins are the same
    for every seed.
    """
    file = write(
        folder,
        "scores.py",
        RIGHT.replace("    return", "    assert len(q) != 5 or q[0, 0] > 0\n    return"),
    )
    found = [
        json.loads(judged(file, "--seed", str(seed), "--format", "json").output)
        for seed in (*range(8), 0)
    ]
    assert [row["seed"] for row in found] == [*range(8), 0]
    assert (
        len({row["verdict"] for row in found}) == 2 and found[0]["verdict"] == found[-1]["verdict"]
    )
    told = write(
        folder, "told.py", RIGHT.replace("    return", "    raise ValueError(q[0, 0])\n    return")
    )
    messages = [
        [
            c["message"]
            for c in json.loads(
                run("run", "scores", str(told), "--seed", s, "--format", "json").output
            )["cases"]
        ]
        for s in "07"
    ]
    assert messages[0] == messages[1]


def test_no_rules(folder: Path, sandbox: SandboxPool) -> None:
    small.write(folder.parent / "bank", toml=small.TOML + '\n[rules]\nforbid = ["numpy.matmul"]')
    file = write(folder, "scores.py", RIGHT.replace("q @ k.T", "np.matmul(q, k.T)"))
    assert (status(judged(file)), status(judged(file, "--no-rules"))) == (1, 0)
    assert "rule violation" in judged(file).output


def test_a_bank_elsewhere(folder: Path, sandbox: SandboxPool, tmp_path: Path) -> None:
    other = small.write(tmp_path / "other", "elsewhere")
    file = write(folder, "elsewhere.py", RIGHT)
    assert status(judged(file)) == 2
    assert status(judged(file, "--bank", str(other))) == 0
    assert status(judged(file, "--bank", str(other / "problems"))) == 0


def test_isolation_process_says_that_it_is_not_sealed(folder: Path) -> None:
    file = write(folder, "scores.py", RIGHT)
    found = judged(file, "--isolation", "process")
    assert status(found) == 0 and "NOT SEALED: a plain process under your user" in found.output
    assert (
        json.loads(judged(file, "--isolation", "process", "--format", "json").output)["isolation"]
        == "process"
    )


# ---------------------------------------------------------------------------------------------------------------------
# bad input

BAD_FILES: dict[str, tuple[str | bytes, int, str]] = {
    # what is no text: a usage error, on stderr
    "binary": (
        b"\x7fELF\x02\x01\x01\x00" + bytes(50),
        2,
        "scores.py: holds a NUL byte at offset 7, so it is not Python source (is it a binary file?)",
    ),
    "a NUL byte": (
        b"def scores(): ...\n\x00",
        2,
        "scores.py: holds a NUL byte at offset 18, so it is not Python source",
    ),
    "not UTF-8": (
        "# é\n".encode("latin-1"),
        2,
        "scores.py: not UTF-8 text (byte 2); save it as UTF-8",
    ),
    "10 MB": (b"# x\n" * 2_500_000, 2, "scores.py: 9766 KiB of source; at most 64 KiB are judged"),
    # what is text: a verdict, on stdout
    "empty": ("", 1, "compile error: the file defines no function 'scores'; it defines nothing"),
    "does not parse": ("def scores(q, k:\n    return 1\n", 1, "line 1: SyntaxError: "),
    "lacks the entry": (
        "import numpy as np\ndef score(q, k): ...\nx = 1\n",
        1,
        "the file defines no function 'scores'; it defines score, x",
    ),
    "raises while loading": (
        "import pandas\n",
        1,
        (
            "compile error: line 1: ModuleNotFoundError: No module named 'pandas'. A solution can"
            " import the standard library and NumPy, and one in PyTorch also torch"
        ),
    ),
    "is a class": (
        "class scores:\n    def __init__(self, q, k): ...\n",
        1,
        "compile error: 'scores' must be a function; the file makes it a value of type class",
    ),
    "forbidden": (
        "from torch.nn.functional import scaled_dot_product_attention\n",
        1,
        (
            "rule violation: line 1: torch.nn.functional.scaled_dot_product_attention is what this"
            " exercise asks you to write"
        ),
    ),
    "raises": (RIGHT.replace("q @", "q @ q @"), 1, "runtime error: line 5: ValueError: matmul: "),
    "not written yet": (small.STARTER, 1, "runtime error: line 5: not implemented yet"),
    "leaves": (
        RIGHT.replace("return", "import os; os._exit(0)\n    return"),
        1,
        "runtime error: the program ended its own process: exit 0",
    ),
    "too much memory": (
        RIGHT.replace("return", "np.ones(1 << 30)\n    return"),
        1,
        "memory limit exceeded: more than 512 MiB of memory",
    ),
    "too much text": (
        RIGHT.replace("return", "print('x' * 10**6)\n    return"),
        1,
        "output limit exceeded: too much output: more than 64 KiB",
    ),
    "a byte order mark and Windows line ends": (
        ("\ufeff" + RIGHT).replace("\n", "\r\n"),
        0,
        "✓ accepted",
    ),
}


@pytest.mark.parametrize(("text", "code", "words"), BAD_FILES.values(), ids=BAD_FILES.keys())
def test_files(
    folder: Path, sandbox: SandboxPool, text: str | bytes, code: int, words: str
) -> None:
    found = judged(write(folder, "scores.py", text))
    assert status(found) == code
    said = found.stderr if code == 2 else found.stdout
    assert words in " ".join(said.split())
    assert (found.stdout if code == 2 else found.stderr) == ""
    assert "Traceback" not in found.output


def test_a_caret_shows_where_a_file_does_not_parse(folder: Path, sandbox: SandboxPool) -> None:
    found = judged(write(folder, "scores.py", "def scores(q, k):\n    return q @* k\n"))
    lines = found.output.splitlines()
    at = next(i for i, line in enumerate(lines) if "return q @* k" in line)
    assert lines[at + 1].index("^") == lines[at].index("*")


def test_slow(folder: Path, sandbox: SandboxPool) -> None:
    small.write(folder.parent / "bank", toml=small.TOML + "\n[limits]\nwall_s = 1")
    found = judged(
        write(folder, "scores.py", RIGHT.replace("return", "while len(q) == 2: pass\n    return"))
    )
    assert status(found) == 1
    assert (
        "time limit exceeded: line 5: no answer after 1 s; it was still computing" in found.output
    )
    assert "2 of 3 cases, 5/6 points" in found.output


BAD_CALLS: dict[str, tuple[list[str], str]] = {
    "no such file": (
        ["run", "scores.py"],
        "grade: scores.py: no such file; `grade start PROBLEM` writes one to begin with",
    ),
    "no such file for a problem": (
        ["run", "scores", "x.py"],
        "grade: x.py: no such file; `grade start PROBLEM` writes one to begin with",
    ),
    "a directory": (
        ["run", "scores", "."],
        "grade: .: this is a directory; name the Python file in it",
    ),
    "a problem without a file": (
        ["run", "scores"],
        "grade: name the file to judge: grade run scores FILE",
    ),
    "another command without a file": (
        ["trace", "scores"],
        "grade: name the file to judge: grade trace scores FILE",
    ),
    "no such file, in Chinese": (
        ["run", "scores.py", "--lang", "zh"],
        "grade: scores.py：没有这个文件；`grade start PROBLEM` 会写一个供你开始",
    ),
    "an unknown problem": (
        ["run", "scors", "empty.py"],
        "(did you mean 'scores'?); `grade list` shows them all",
    ),
    "an unknown problem, nothing like it": (
        ["run", "zzz", "empty.py"],
        "grade: no problem 'zzz' in ",
    ),
    "a file named after nothing": (
        ["run", "empty.py"],
        "grade: empty.py: not named after a problem; say which one: grade run PROBLEM empty.py",
    ),
    "a file named after nothing, for another command": (
        ["shrink", "empty.py", "--isolation", "docker"],
        "grade: empty.py: not named after a problem; say which one: grade shrink PROBLEM empty.py",
    ),
    "a file named nearly so": (
        ["run", "score.py"],
        (
            "grade: score.py: not named after a problem (did you mean 'scores'?); say which one:"
            " grade run PROBLEM score.py"
        ),
    ),
    "a framework that it is not for": (
        ["run", "scores", "empty.py", "--framework", "torch"],
        "grade: scores is not for torch; it is for numpy",
    ),
    "show an unknown problem": (["show", "scors"], "(did you mean 'scores'?)"),
    "start an unknown problem": (["start", "scors"], "(did you mean 'scores'?)"),
    "verify an unknown problem": (["verify", "scors"], "(did you mean 'scores'?)"),
    "a bank that is none": (
        ["list", "--bank", "/nowhere"],
        "grade: /nowhere: no problem bank here; a bank is a folder with problems/ and reference/",
    ),
    "verify into no folder": (
        ["verify", "scores", "--write", "no/page.md", "--isolation", "docker"],
        "grade: no/page.md: cannot be written: No such file or directory; name a file in another",
    ),
    "mutants into a directory": (
        ["mutants", "scores", "--write", ".", "--isolation", "docker"],
        "grade: .: cannot be written: Is a directory; name a file in another place",
    ),
    "mutants into a file of something else": (
        ["mutants", "scores", "--write", "other.json", "--isolation", "docker"],
        "grade: other.json does not hold counts of mutants; remove it",
    ),
    "a twin into no folder": (
        ["twin", "scores", "one", "--save", "no/x.npz", "--isolation", "docker"],
        "grade: no/x.npz: cannot be written: No such file or directory",
    ),
    "the smallest input into no folder": (
        ["shrink", "scores", "empty.py", "--save", "no/x", "--isolation", "docker"],
        "grade: no/x: cannot be written: No such file or directory",
    ),
    "watch two files": (
        ["run", "--watch", "empty.py", "score.py"],
        "grade: --watch takes one file",
    ),
    "submit two files": (["submit", "empty.py", "score.py"], "grade: submit takes one file"),
    "submit without a login": (
        ["submit", "scores", "empty.py"],
        "grade: not logged in; make a token on your profile page, then: grade login URL",
    ),
    "log in to what is no address": (
        ["login", "example", "--token", "x"],
        "grade: 'example' is not the address of a server; give one such as http://127.0.0.1:8000",
    ),
}


@pytest.mark.parametrize(("words", "text"), BAD_CALLS.values(), ids=BAD_CALLS.keys())
def test_bad_calls(folder: Path, words: list[str], text: str) -> None:
    for name in ("empty.py", "score.py"):
        write(folder, name, "")
    write(folder, "other.json", "{1}")
    found = run(*words)
    assert status(found) == 2
    assert found.stdout == "" and text in found.stderr


BAD_OPTIONS = {
    "an unknown command": (["rum"], "No such command 'rum'."),
    "an unknown option": (["run", "x.py", "--fast"], "No such option"),
    "an unknown format": (
        ["run", "x.py", "--format", "xml"],
        "Invalid value for '--format': 'xml' is not one of",
    ),
    "an unknown isolation": (
        ["run", "x.py", "--isolation", "chroot"],
        "Invalid value for '--isolation': 'chroot' is not one of",
    ),
    "an unknown framework": (
        ["run", "x.py", "--framework", "jax"],
        "Invalid value for '--framework': 'jax' is not one of",
    ),
    "a seed below 0": (
        ["run", "x.py", "--seed", "-1"],
        f"Invalid value for '--seed': '-1' is not a whole number from 0 to {2**63 - 1}.",
    ),
    "a seed of letters": (
        ["run", "x.py", "--seed", "abc"],
        f"Invalid value for '--seed': 'abc' is not a whole number from 0 to {2**63 - 1}.",
    ),
    "half a job": (
        ["run", "x.py", "--jobs", "1.5"],
        "Invalid value for '--jobs': '1.5' is not a whole number from 1 to 64.",
    ),
    "no jobs": (
        ["run", "x.py", "--jobs", "0"],
        "Invalid value for '--jobs': '0' is not a whole number from 1 to 64.",
    ),
    "a sample of nothing": (
        ["mutants", "--sample", "0"],
        f"Invalid value for '--sample': '0' is not a whole number from 1 to {2**63 - 1}.",
    ),
    "nothing to run": (["run"], "Missing argument '[PROBLEM] FILE...'"),
}


@pytest.mark.slow
@pytest.mark.parametrize(("words", "text"), BAD_OPTIONS.values(), ids=BAD_OPTIONS.keys())
def test_bad_options_as_a_process(folder: Path, words: list[str], text: str) -> None:
    found = shell(*words, cwd=folder)
    assert (found.returncode, found.stdout) == (2, "")
    assert text in found.stderr and "Traceback" not in found.stderr


PROBLEM_ERRORS = {
    "an unknown key": (
        'difficulty = "easy"',
        'difficulty = "easy"\ntolerence = 1',
        "problem.toml: unknown key 'tolerence' (did you mean 'tolerance'?)",
    ),
    "a wrong type": (
        'title = "Scores"',
        "title = 5",
        "problem.toml: 'title' is 5; it must be a string",
    ),
}


@pytest.mark.parametrize(
    ("find", "replace", "text"), PROBLEM_ERRORS.values(), ids=PROBLEM_ERRORS.keys()
)
def test_an_instructors_mistake_is_a_problem_error(
    folder: Path, find: str, replace: str, text: str
) -> None:
    small.write(folder.parent / "bank", toml=small.TOML.replace(find, replace))
    for words in (
        ["run", "scores", str(write(folder, "scores.py", RIGHT))],
        ["list"],
        ["verify", "scores"],
    ):
        found = run(*words)
        assert status(found) == 2 and found.stderr.startswith("grade: ") and text in found.stderr


def test_cases_that_fail_are_the_instructors(folder: Path, sandbox: SandboxPool) -> None:
    small.write(folder.parent / "bank", cases="def cases(rng):\n    yield 1 / 0\n")
    found = judged(write(folder, "scores.py", RIGHT))
    assert (
        status(found) == 2
        and "cases.py: ZeroDivisionError: division by zero (line 2)" in found.stderr
    )


def test_without_bubblewrap(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(folder))
    found = judged(write(folder, "scores.py", RIGHT))
    assert status(found) == 3
    assert (
        found.stderr
        == "grade: judge error: bubblewrap is not installed, so there is no sealed room; install it"
        " (Debian, Ubuntu: apt install bubblewrap), or judge your own code without isolation:"
        " --isolation process\n"
    )


def test_without_bubblewrap_in_chinese(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The terminal speaks Chinese; a program reads the English of the same error."""
    monkeypatch.setenv("PATH", str(folder))
    file = write(folder, "scores.py", RIGHT)
    found = judged(file, "--lang", "zh", "--format", "json")
    assert found.stderr.startswith("grade: 评测机故障：没有安装 bubblewrap，因此没有密封环境；")
    assert json.loads(found.stdout)["error"]["message"].startswith("bubblewrap is not installed,")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("run", "score", "a.py"), "中没有题目“score”（是不是想写“scores”？）；`grade list` 会"),
        (
            ("list", "--bank", "nowhere"),
            "nowhere：这里没有题库；题库是含有 problems/ 和 reference/",
        ),
        (
            ("submit", "scores", "a.py"),
            "还没有登录；请在个人页面上生成令牌，然后运行：grade login URL",
        ),
        (("lessons", "nope"), "中没有教程“nope”"),
        (
            ("run", "scores", "a.py", "--framework", "torch"),
            "scores 不能用 torch 解答；可以用 numpy",
        ),
        (("show", "both"), "problem.toml：[limits]：'wall_s' 是 'long'；它必须是数"),
    ],
)
def test_an_error_in_chinese(
    folder: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], told: str
) -> None:
    monkeypatch.setenv("GRADE_LANG", "zh")
    write(folder, "a.py", RIGHT)
    toml = folder.parent / "bank" / "problems" / "both" / "problem.toml"
    toml.write_text(toml.read_text() + '\n[limits]\nwall_s = "long"\n')
    found = run(*words)
    assert status(found) == 2 and told in found.stderr
    rest = re.sub(r"[\w./-]*[./][\w./-]*|`.*?`|grade \w+( URL)?|mkdir.*", "", found.stderr)
    assert not re.search(r"[a-z]+ [a-z]+ [a-z]+", rest)


def test_without_an_engine(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(folder))
    found = judged(write(folder, "scores.py", RIGHT), "--isolation", "docker")
    assert status(found) == 3 and "the docker command is not installed" in found.stderr


def test_a_bubblewrap_that_cannot_build_a_room(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A host that forbids user namespaces: bwrap is there, says why, and leaves."""
    script = folder / "bwrap"
    script.write_text(
        "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n"
    )
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    found = judged(write(folder, "scores.py", RIGHT))
    assert status(found) == 3
    assert (
        "the sealed room does not start: bwrap: No permissions to create new namespace; `grade"
        " doctor` names what is missing" in found.stderr
    )


@pytest.mark.parametrize(
    ("error", "code"), [(JudgeError("lost"), 3), (ProblemError("x/cases.py: no"), 2)]
)
def test_whose_fault_it_is_is_in_the_exit_status(
    error: Exception, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    def command() -> int:
        raise error

    assert guarded(command)() == code
    assert str(error) in capsys.readouterr().err


# --------------------------------------------------------------------------------------------------------------------------
# formats

CASE_FIELDS = [
    "name",
    "verdict",
    "sample",
    "points",
    "max_points",
    "wall_ms",
    "cpu_ms",
    "memory_mib",
    "message",
    "findings",
    "twin",
]
FIELDS = [
    "version",
    "problem",
    "digest",
    "framework",
    "verdict",
    "score",
    "max_score",
    "isolation",
    "seed",
    "cases",
    "diagnosis",
    "diagnoses",
    "remarks",
    "message",
]


def test_json_has_exactly_the_fields_of_its_page(folder: Path, sandbox: SandboxPool) -> None:
    found = judged(write(folder, "scores.py", WRONG), "--format", "json")
    assert found.output.count("\n") == 1
    row = json.loads(found.output)
    assert list(row) == FIELDS
    assert all(list(case) == CASE_FIELDS for case in row["cases"])
    assert list(row["diagnosis"]) == ["mistake", "hint", "cases", "rule", "guess"]
    assert (row["version"], row["problem"], row["verdict"], row["score"], row["max_score"]) == (
        2,
        "scores",
        "wrong_answer",
        0,
        6,
    )
    assert row["diagnosis"] == {
        "mistake": "doubled",
        "hint": "Every score is too large.",
        "cases": ["two by three", "five by seven", "scaled"],
        "rule": "",
        "guess": False,
    }
    assert row["diagnoses"] == [row["diagnosis"]]
    assert Verdict.from_json(row).to_json() == row


def test_json_of_an_accepted_solution_has_no_diagnosis(folder: Path, sandbox: SandboxPool) -> None:
    row = json.loads(judged(write(folder, "scores.py", RIGHT), "--format", "json").output)
    assert (row["diagnosis"], row["message"], [case["points"] for case in row["cases"]]) == (
        None,
        "3 of 3 cases passed",
        [1, 2, 3],
    )


def test_several_files_give_one_object_a_line(folder: Path, sandbox: SandboxPool) -> None:
    files = [
        write(folder, name, text)
        for name, text in (("a.py", RIGHT), ("b.py", WRONG), ("c.py", UNKNOWN), ("d.py", RIGHT))
    ]
    found = run("run", "scores", *map(str, files), "--format", "json", "--jobs", "2")
    rows = [json.loads(line) for line in found.output.splitlines()]
    assert [(Path(row["file"]).name, row["verdict"]) for row in rows] == [
        ("a.py", "accepted"),
        ("b.py", "wrong_answer"),
        ("c.py", "wrong_answer"),
        ("d.py", "accepted"),
    ]
    assert all(list(row) == ["file", *FIELDS] for row in rows)
    assert rows[2]["diagnosis"] is None
    assert status(found) == 1


def test_a_defect_of_the_judge_at_one_file_does_not_stop_the_others(
    folder: Path, sandbox: SandboxPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = judge_module.judge

    def defective(problem: Any, submission: Any, *args: Any, **options: Any) -> Verdict:
        if submission.source == WRONG:
            raise KeyError("out\x1bput")
        return real(problem, submission, *args, **options)

    monkeypatch.setattr(judge_module, "judge", defective)
    files = [write(folder, "a.py", WRONG), write(folder, "b.py", RIGHT)]
    found = run("run", "scores", *map(str, files), "--format", "junit")
    assert status(found) == 3
    assert "Traceback" not in found.output and "\x1b" not in found.output
    assert "the judge itself failed at" in found.output and 'errors="1"' in found.output
    alone = run("run", "scores", str(files[0]))
    assert status(alone) == 3 and "KeyError" in alone.output


def test_one_bad_file_among_several_does_not_stop_the_others(
    folder: Path, sandbox: SandboxPool
) -> None:
    files = [
        write(folder, "a.py", RIGHT),
        folder / "missing.py",
        write(folder, "b.py", b"\x00"),
        write(folder, "c.py", RIGHT),
    ]
    found = run("run", "scores", *map(str, files), "--format", "json")
    rows = [json.loads(line) for line in found.stdout.splitlines()]
    assert [Path(row["file"]).name for row in rows] == ["a.py", "missing.py", "b.py", "c.py"]
    told = [row.get("verdict") or row["error"]["kind"] for row in rows]
    assert told == ["accepted", "submission", "submission", "accepted"]
    assert "missing.py: no such file" in found.stderr and "b.py: holds a NUL byte" in found.stderr
    assert status(found) == 2


UNREADABLE = {
    "NUL": (b"x = 1\n\x00", "submission", "holds a NUL byte at offset 6"),
    "not UTF-8": ("# é\n".encode("latin-1"), "submission", "not UTF-8 text (byte 2)"),
    "not what it declares": (
        b"# coding: ascii\n# \xe9\n",
        "submission",
        "not ascii text (byte 18)",
    ),
    "a codec that is no character set": (
        b"# coding: unicode_escape\n# \xe9\n",
        "submission",
        "not UTF-8 text (byte 27)",
    ),
    "an encoding that Python does not know": (
        b"#!/usr/bin/env python\n# coding: nonsense-9\n",
        "submission",
        "line 2 declares the encoding 'nonsense-9', in which Python cannot read this file; remove",
    ),
    "an encoding that is not of text": (
        b"# -*- coding: rot13 -*-\n",
        "submission",
        "line 1 declares the encoding 'rot13'",
    ),
    "UTF-16 that is none": (b"# coding: utf-16\n", "submission", "line 1 declares the encoding"),
    "a mark of UTF-8 before another one": (
        b"\xef\xbb\xbf# coding: latin-1\n",
        "submission",
        "line 1 declares the encoding 'latin-1'",
    ),
    "too large": (b"# x\n" * 20_000, "submission", "79 KiB of source; at most 64 KiB are judged"),
}


@pytest.mark.parametrize(("content", "kind", "said"), UNREADABLE.values(), ids=UNREADABLE)
def test_a_file_that_cannot_be_judged_is_an_object_too(
    folder: Path, content: bytes, kind: str, said: str
) -> None:
    file = write(folder, "scores.py", content)
    found = run("run", str(file), "--format", "json", "--isolation", "process")
    (line,) = found.stdout.splitlines()
    row = json.loads(line)
    assert (list(row), row["error"]["kind"]) == (["version", "error"], kind)
    assert row["error"]["message"].startswith(f"{file}: {said}")
    assert said in found.stderr
    assert status(found) == 2


def test_an_unknown_problem_is_an_object_too(folder: Path) -> None:
    file = write(folder, "nothing_of_that_name.py", RIGHT)
    found = run("run", str(file), "--format", "json", "--isolation", "process")
    assert json.loads(found.stdout)["error"]["kind"] == "usage"


@pytest.mark.parametrize("form", ["json", "junit", "gradescope"])
def test_what_cannot_be_judged_is_a_document_of_the_format(folder: Path, form: str) -> None:
    """An unknown problem, and files that are no Python beside one another."""
    bad = [write(folder, "scores.py", b"\x00"), folder / "missing.py"]
    for words in (["nothing", str(bad[0])], ["scores", *map(str, bad)]):
        found = run("run", *words, "--format", form, "--isolation", "process")
        assert status(found) == 2
        told = ["nothing"] if words[0] == "nothing" else ["NUL byte at offset 0", "no such file"]
        if form == "junit":
            assert invalid(found.stdout) == []
            assert found.stdout.count("<error ") == len(told)
            said = [found.stdout] * len(told)
        else:
            rows = [json.loads(line) for line in found.stdout.splitlines()]
            said = [row["error"]["message"] if form == "json" else row["output"] for row in rows]
            assert len(said) == len(told)
        assert [part for part, text in zip(told, said, strict=True) if part not in text] == []


def test_a_device_without_an_end_is_read_no_further_than_the_limit(folder: Path) -> None:
    found = run("run", "scores", "/dev/zero", "--isolation", "process")
    assert "/dev/zero: 65 KiB of source; at most 64 KiB are judged" in found.stderr
    assert status(found) == 2


def test_junit_and_gradescope_have_what_cannot_be_judged(
    folder: Path, sandbox: SandboxPool
) -> None:
    files = [
        str(write(folder, name, data))
        for name, data in (("a.py", RIGHT), ("\x01.py", "\0"), ("c.py", "#" * 99_999))
    ]
    found = run("run", "scores", *files, "--format", "junit")
    assert (invalid(found.stdout), status(found)) == ([], 2)
    suites = list(ET.fromstring(found.stdout.partition("?>")[2]))
    assert [each.get("errors") for each in suites] == ["0", "1", "1"]
    assert [e.get("type") for each in suites for e in each.iter("error")] == ["submission"] * 2
    assert (suites[1].get("name") or "").endswith("?.py")
    rows = run("run", "scores", *files, "--format", "gradescope").stdout.splitlines()
    assert [json.loads(row)["score"] for row in rows] == [6, 0, 0]
    assert json.loads(rows[2])["extra_data"]["error"]["file"] == files[2]


def test_no_python_is_a_verdict(folder: Path, sandbox: SandboxPool) -> None:
    found = judged(write(folder, "scores.py", "Dear judge, please.\n"), "--format", "json")
    assert (json.loads(found.stdout)["verdict"], status(found)) == ("compile_error", 1)


@pytest.mark.parametrize("declared", ["latin-1", "cp1252", "gbk"])
def test_a_declared_character_set(folder: Path, sandbox: SandboxPool, declared: str) -> None:
    word = "中" if declared == "gbk" else "é"
    content = f"# -*- coding: {declared} -*-\n# {word}\n{RIGHT}".encode(declared)
    found = judged(write(folder, "scores.py", content), "--format", "json")
    assert (json.loads(found.stdout)["verdict"], status(found)) == ("accepted", 0)


def test_several_files_of_several_problems(folder: Path, sandbox: SandboxPool) -> None:
    files = [write(folder, "scores.py", RIGHT), write(folder, "both_numpy.py", RIGHT)]
    rows = [
        json.loads(line)
        for line in run("run", *map(str, files), "--format", "json").output.splitlines()
    ]
    assert [row["problem"] for row in rows] == ["scores", "both"]


def test_several_files_as_text_are_told_apart(folder: Path, sandbox: SandboxPool) -> None:
    files = [write(folder, "a.py", RIGHT), write(folder, "b.py", WRONG)]
    lines = run("run", "scores", *map(str, files)).output.splitlines()
    heads = [lines.index(str(file)) for file in files]
    assert heads[0] < next(i for i, line in enumerate(lines) if "✓ accepted" in line) < heads[1]


def test_a_file_may_be_called_as_markup(folder: Path, sandbox: SandboxPool) -> None:
    files = [write(folder, name, RIGHT) for name in ("Lee [final].py", "[red].py")]
    found = run("run", "scores", *map(str, files))
    assert status(found) == 0
    assert all(str(file) in found.output.replace("\n", "") for file in files)


def test_junit_validates(folder: Path, sandbox: SandboxPool) -> None:
    hostile = write(
        folder,
        "b.py",
        RIGHT.replace("return", "raise ValueError('<&\"\\x00\\x1b]]>\\ud800')\n    return"),
    )
    found = run(
        "run", "scores", str(write(folder, "a.py", WRONG)), str(hostile), "--format", "junit"
    )
    assert invalid(found.output) == []
    root = ET.fromstring(found.output.partition("?>")[2])
    first, second = root
    assert [first.get(key) for key in ("tests", "failures", "errors", "skipped")] == [
        "3",
        "3",
        "0",
        "0",
    ]
    assert {failure.get("type") for failure in first.iter("failure")} == {"wrong_answer"}
    assert first.findtext("system-out") == "Every score is too large."
    assert {failure.get("type") for failure in second.iter("failure")} == {"runtime_error"}
    assert status(found) == 1


def test_junit_of_one_file(folder: Path, sandbox: SandboxPool) -> None:
    found = judged(write(folder, "scores.py", RIGHT), "--format", "junit")
    assert (
        invalid(found.output) == []
        and list(ET.fromstring(found.output.partition("?>")[2]).iter("failure")) == []
    )


STATUSES, VISIBILITIES, TEXTS = (
    {"passed", "failed"},
    {"hidden", "after_due_date", "after_published", "visible"},
    {"text", "html", "simple_format", "md", "ansi"},
)
TOP = {  # the fields of Gradescope's results.json, and their types
    "score": (int, float),
    "execution_time": (int, float),
    "output": str,
    "output_format": str,
    "test_output_format": str,
    "test_name_format": str,
    "visibility": str,
    "stdout_visibility": str,
    "extra_data": dict,
    "tests": list,
    "leaderboard": list,
}
TEST = {
    "score": (int, float),
    "max_score": (int, float),
    "status": str,
    "name": str,
    "name_format": str,
    "number": str,
    "output": str,
    "output_format": str,
    "tags": list,
    "visibility": str,
    "extra_data": dict,
}


@pytest.mark.parametrize(
    "text", [RIGHT, WRONG, "def scores(q, k:"], ids=["right", "wrong", "unreadable"]
)
def test_gradescope_validates(folder: Path, sandbox: SandboxPool, text: str) -> None:
    row = json.loads(judged(write(folder, "scores.py", text), "--format", "gradescope").output)
    assert "score" in row or all("score" in test for test in row["tests"])
    assert all(name in TOP and isinstance(value, TOP[name]) for name, value in row.items())
    assert (
        row["output_format"] in TEXTS
        and {row["visibility"], row["stdout_visibility"]} <= VISIBILITIES
    )
    for test in row["tests"]:
        assert all(name in TEST and isinstance(value, TEST[name]) for name, value in test.items())
        assert (
            test["status"] in STATUSES
            and test["visibility"] in VISIBILITIES
            and test["output_format"] in TEXTS
        )
        assert 0 <= test["score"] <= test["max_score"] and test["output"]
    assert (
        row["score"] == sum(test["score"] for test in row["tests"]) == (6 if text is RIGHT else 0)
    )
    assert ("Every score is too large." in row["output"]) == (text is WRONG)


# -------------------------------------------------------------------------------------------------------------------
# as a process


def test_the_exit_status_reaches_the_shell(folder: Path, sandbox: SandboxPool) -> None:
    files = {
        name: write(folder, name, text) for name, text in (("right.py", RIGHT), ("wrong.py", WRONG))
    }
    assert [
        shell("run", "scores", str(file), cwd=folder).returncode for file in files.values()
    ] == [0, 1]
    assert shell("run", "scores", "none.py", cwd=folder).returncode == 2
    assert shell("run", "scores", "right.py", cwd=folder, PATH=str(folder)).returncode == 3


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", "<&- >&- 2>&-"])
def test_a_descriptor_that_is_closed_changes_nothing_else(folder: Path, closed: str) -> None:
    words = f"{sys.executable} -m grader.cli start scores; {sys.executable} -m grader.cli nothing"
    ended = subprocess.run(
        ["sh", "-c", f"exec {closed}; {words}; exit $?"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert ("scores_numpy.py: write" in ended.stdout) == (closed in ("2>&-", "<&-"))
    assert ("No such command 'nothing'" in ended.stderr) == (closed in (">&-", "<&-"))
    assert "Traceback" not in ended.stderr
    assert ended.returncode == 2
    assert "def scores" in (folder / "scores_numpy.py").read_text()


def test_ctrl_c_while_modules_are_imported(folder: Path) -> None:
    write(folder, "click.py", "raise KeyboardInterrupt\n")
    ended = shell("list", cwd=folder)
    assert (ended.returncode, ended.stderr) == (130, "")


@pytest.mark.parametrize(
    "words",
    [["list", "--bank", str(ROOT)], ["--help"], ["run", "--help"]],
    ids=["list", "help", "help of run"],
)
def test_a_pipe_that_is_closed_ends_it_quietly(folder: Path, words: list[str]) -> None:
    """As any program that its reader has left: nothing is said, and the status is none of our own."""
    reading, writing = os.pipe()
    os.close(reading)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    argv = [sys.executable, "-m", "grader.cli", *words]
    found = subprocess.run(
        argv,
        cwd=folder,
        env=environment,
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        timeout=60,
    )
    os.close(writing)
    assert (found.returncode, found.stderr) == (141, "")


def test_a_right_file_loads_nothing_that_explains_a_wrong_one(
    folder: Path, sandbox: SandboxPool
) -> None:
    """A cold run is mostly imports."""
    write(folder, "scores.py", RIGHT)
    assert shell("run", "scores.py", cwd=folder).returncode == 0  # its answers are cached
    code = (
        "import sys; from grader.cli.main import grade\n"
        "assert grade(['run', 'scores.py'], standalone_mode=False) == 0\n"
        "print(*sys.modules)"
    )
    found = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=180,
    )
    loaded = {".".join(name.split(".")[:2]) for name in found.stdout.splitlines()[-1].split()}
    assert "grader.judge" in loaded
    explaining = {f"grader.{each}" for each in ("diagnosis", "explore", "practice", "verify")}
    assert not loaded & {*explaining, "importlib.metadata", "numpy.random", "xml.etree"}


def test_a_home_that_cannot_be_written_is_said_once(folder: Path, sandbox: SandboxPool) -> None:
    file, home = write(folder, "scores.py", RIGHT), write(folder, "home", "a file") / "of mine"
    found = shell("run", str(file), str(file), cwd=folder, GRADE_HOME=str(home))
    why = (
        f"grade: {home} cannot be written (Not a directory), so the hidden inputs are others in"
        " each run"
    )
    assert (found.returncode, found.stderr) == (
        0,
        f"{why}; let GRADE_HOME name a folder of yours\n",
    )
    assert shell("list", cwd=folder, GRADE_HOME=str(home)).stderr == ""  # it needs no hidden inputs


def test_a_damaged_secret_is_said(folder: Path, sandbox: SandboxPool) -> None:
    home = folder / "home"
    home.mkdir()
    (home / "secret").write_bytes(b"short")
    found = shell("run", str(write(folder, "scores.py", RIGHT)), cwd=folder, GRADE_HOME=str(home))
    assert found.returncode == 0
    assert (
        found.stderr
        == f"grade: {home / 'secret'} is damaged, so the hidden inputs are others in each run;"
        " remove it\n"
    )


def test_a_missing_file_among_several_is_named_once(folder: Path, sandbox: SandboxPool) -> None:
    write(folder, "scores.py", RIGHT)
    found = run("run", "scores", "scores.py", "missing.py")
    assert (status(found), found.stderr) == (
        2,
        "grade: missing.py: no such file; `grade start PROBLEM` writes one to begin with\n",
    )


def test_a_directory_in_place_of_a_description(folder: Path) -> None:
    path = folder.parent / "bank" / "problems" / "folded" / "problem.toml"
    path.mkdir(parents=True)
    for words in (["list"], ["show", "folded"]):
        found = run(*words)
        assert (status(found), found.stderr) == (
            2,
            f"grade: {path}: this is a directory; it must be a file\n",
        )


def test_help_says_what_a_command_does() -> None:
    """In one form: "Check that …", never a question."""
    assert [name for name, each in grade.commands.items() if "?" in (each.help or "")] == []


def test_help_and_version(folder: Path) -> None:
    found = shell("--help", cwd=folder)
    assert found.returncode == 0
    for command in ("list", "show", "start", "run", "verify", "new", "doctor", "login", "submit"):
        assert f"\n  {command} " in found.stdout
    assert shell("--version", cwd=folder).returncode == 0


def below(pid: int) -> Iterator[int]:
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            for child in task.read_text().split():
                yield int(child)
                yield from below(int(child))


def wait_until(reached: object, patience: float = 60.0) -> bool:
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if reached():  # type: ignore[operator]
            return True
        time.sleep(0.05)
    return False


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@contextlib.contextmanager
def begun(folder: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """The command in a session of its own; whatever is left of it ends with the test."""
    with subprocess.Popen(
        [sys.executable, "-u", "-m", "grader.cli", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "100"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="counts processes in /proc")
@pytest.mark.parametrize(
    "extra", [[], ["other.py", "--jobs", "2"]], ids=["one file", "two at once"]
)
def test_ctrl_c_leaves_no_process(folder: Path, sandbox: SandboxPool, extra: list[str]) -> None:
    sleeper = RIGHT.replace("return", "import time; time.sleep(600)\n    return")
    small.write(folder.parent / "bank", toml=small.TOML + "\n[limits]\nwall_s = 120")
    for name in ("scores.py", "other.py"):
        write(folder, name, sleeper)
    with begun(folder, "run", "scores", "scores.py", *extra) as grading:
        assert wait_until(lambda: len(list(below(grading.pid))) >= 3)
        time.sleep(1)
        processes = list(below(grading.pid))
        os.killpg(grading.pid, signal.SIGINT)
        out, err = grading.communicate(timeout=120)
        assert grading.returncode == 130
        assert "Traceback" not in out + err
        assert wait_until(lambda: not any(alive(pid) for pid in processes))


def test_watch_judges_at_every_save_until_ctrl_c(folder: Path, sandbox: SandboxPool) -> None:
    file = write(folder, "scores.py", WRONG)
    with begun(folder, "run", "--watch", "scores.py") as watching:
        assert watching.stdout is not None

        def until(words: str) -> str:
            text = ""
            while words not in text:
                ready, _, _ = select.select([watching.stdout], [], [], 120)
                data = os.read(watching.stdout.fileno(), 65536) if ready else b""  # type: ignore[union-attr]
                assert data, text
                text += data.decode()
            return text

        assert "Every score is too large." in until("✕ wrong answer")
        room = list(below(watching.pid))
        file.write_text("def scores(")
        until("SyntaxError")
        file.unlink()
        until("no such file")
        file.write_text(RIGHT)
        until("✓ accepted")
        assert room[0] in list(below(watching.pid))  # the same warm room
        watching.send_signal(signal.SIGINT)
        _, err = watching.communicate(timeout=120)
        assert (watching.returncode, err) == (0, "")


def test_on_a_terminal_the_report_has_colours_and_fits(folder: Path, sandbox: SandboxPool) -> None:
    write(folder, "scores.py", WRONG)
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "TERM": "xterm-256color",
            "COLUMNS": "80",
        }
        os.execve(
            sys.executable, [sys.executable, "-m", "grader.cli", "run", "scores.py"], environment
        )
    text = b""
    with contextlib.suppress(OSError):
        while data := os.read(terminal, 65536):
            text += data
    os.close(terminal)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 1
    assert "✕ wrong answer".encode() in text and b"\x1b[" in text


# ---------------------------------------------------------------------------------------------------------------------------
# verify


def test_verify_one_and_all(folder: Path, sandbox: SandboxPool, tmp_path: Path) -> None:
    one = run("verify", "scores")
    assert (
        status(one) == 0
        and "scores: ✓ fit to use" in one.output
        and "1 of 1 problems are fit to use" in one.output
    )
    small.write(folder.parent / "bank", "both", mistakes="")
    everything = run("verify", "--brief", "--write", str(tmp_path / "bank.md"))
    assert status(everything) == 1
    assert (
        "✓ scores: 3 cases, 2 mistakes, all killed" in everything.output
        and "1 of 2 problems are fit to use" in everything.output
    )
    assert (tmp_path / "bank.md").read_text(encoding="utf-8").startswith("# The bank, measured\n")


SYLLABUS = 'title = "T"\n[[week]]\ntitle = "One"\nproblems = ["scores", "{}"]\n'


def test_verify_checks_syllabi(folder: Path, sandbox: SandboxPool) -> None:
    courses = folder.parent / "bank" / "courses"
    courses.mkdir()
    (courses / "right.toml").write_text(SYLLABUS.format("both"))
    assert status(run("verify", "right")) == 0
    (courses / "wrong.toml").write_text(SYLLABUS.format("boths"))
    (courses / "worse.toml").write_text('title = "T"\n')
    everything = run("verify", "--brief")
    assert status(everything) == 1
    assert "2 of 2 problems are fit to use" in everything.output
    for text in ("✓ right\n", "✕ wrong\n", "(did you mean 'both'?)\n", "✕ worse\n"):
        assert text in everything.output
    assert "worse.toml: 'week' is missing" in everything.output
    assert "1 of 3 syllabi are fit to use\n" in everything.output
    one = run("verify", "--brief", "wrong", "scores")
    assert status(one) == 1 and "0 of 1 syllabi" in one.output and "✓ scores" in one.output
    assert "syllabi" not in run("verify", "--brief", "scores").output


def test_verify_references(folder: Path, sandbox: SandboxPool) -> None:
    found = run("verify", "--references", "scores")
    assert status(found) == 0 and "1 of 1 references accepted" in found.output
