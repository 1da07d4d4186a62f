"""NumPy alone: what is judged without PyTorch, what is refused, and in which words."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from grader.cli.judging.request import Request, find_framework
from grader.cli.main import grade
from grader.engine import engine
from grader.errors import RoomError, UsageError
from grader.frameworks import INSTALL, installed
from grader.judge import judge
from grader.model import Framework, Outcome, Submission
from grader.problem import Problem, load
from grader.sandbox import SandboxPool, open_sandbox
from grader.sandbox.launchers import mounts
from grader.verify import verify, verify_cases
from tests import ROOT
from tests.grader import small

NUMPY, TORCH = Framework.NUMPY, Framework.TORCH
BOTH = small.TOML.replace('["numpy"]', '["numpy", "torch"]')
TORCH_ALONE = small.TOML.replace('["numpy"]', '["torch"]')
SOURCE = "def scores(q, k, scale=1.0):\n    return q @ k.T * scale\n"
MISTAKES = small.MISTAKES.replace("numpy =", "torch =")


@pytest.fixture
def bank(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, numpy_alone: None) -> Path:
    """A problem for both frameworks and one for PyTorch; GRADE_BANK names their bank."""
    found = tmp_path / "bank"
    small.write(found, "both", toml=BOTH, torch=SOURCE)
    small.write(found, "modern", toml=TORCH_ALONE, torch=SOURCE, mistakes=MISTAKES)
    monkeypatch.setenv("GRADE_BANK", str(found))
    monkeypatch.chdir(tmp_path)
    return found


@pytest.fixture
def rooms(bank: Path) -> Iterator[SandboxPool]:
    """A sandbox that can build no room for PyTorch."""
    with open_sandbox() as sandbox:
        yield sandbox


def run(*words: str) -> Result:
    return CliRunner(env={"COLUMNS": "200"}).invoke(
        grade, list(words), standalone_mode=False, catch_exceptions=False
    )


def test_what_is_installed_is_what_a_problem_has(bank: Path) -> None:
    both, modern = load(bank, "both"), load(bank, "modern")
    assert installed() == (NUMPY,)
    assert (both.declared, both.frameworks, both.missing) == ((NUMPY, TORCH), (NUMPY,), (TORCH,))
    assert (modern.declared, modern.frameworks, modern.missing) == ((TORCH,),) * 3
    assert both.runnable and not modern.runnable
    assert {*both.references} == {*both.starters} == {NUMPY, TORCH}


@pytest.mark.parametrize("slug", ["both", "modern"])
def test_a_missing_framework_is_refused_by_name(bank: Path, slug: str) -> None:
    problem = load(bank, slug)
    assert problem.named("torch") is TORCH
    with pytest.raises(UsageError, match="PyTorch is not installed here") as refused:
        problem.framework("torch")
    assert slug in str(refused.value) and INSTALL in str(refused.value)
    with pytest.raises(UsageError, match=f"{slug} is not for jax; it is for"):
        problem.framework("jax")


def test_the_room_that_cannot_be_built_names_the_remedy(numpy_alone: None) -> None:
    with pytest.raises(RoomError, match=r"torch is not installed.*attention-judge\[torch\]"):
        mounts(TORCH)


@pytest.mark.torch
def test_answers_of_other_frameworks_are_not_used(request: pytest.FixtureRequest) -> None:
    """A tolerance takes the noise of every reference that ran."""
    engine.cache_clear()
    with_both = engine()
    request.getfixturevalue("numpy_alone")
    assert engine() != with_both


def test_a_solution_in_numpy_is_judged(bank: Path, rooms: SandboxPool) -> None:
    problem = load(bank, "both")
    assert judge(problem, Submission(NUMPY, SOURCE), rooms).verdict is Outcome.ACCEPTED
    wrong = SOURCE.replace("q @ k.T", "2 * q @ k.T")
    refused = judge(problem, Submission(NUMPY, wrong), rooms)
    assert refused.verdict is Outcome.WRONG_ANSWER
    assert [each.mistake for each in refused.diagnoses] == ["doubled"]
    with pytest.raises(UsageError, match="PyTorch is not installed here"):
        judge(problem, Submission(TORCH, SOURCE), rooms)


def test_verify_says_what_it_did_not_see(bank: Path, rooms: SandboxPool) -> None:
    both = load(bank, "both")
    for found in (verify(both, rooms), verify_cases(both, ["scaled"], rooms)):
        assert not found.findings
        (warning,) = [w for w in found.warnings if "not installed" in str(w.text)]
        assert str(warning.where) == "reference/both/torch.py"
        assert [matrix.framework for matrix in found.matrices] == [NUMPY]
    alone = verify(load(bank, "modern"), rooms)
    assert not alone.fit and not alone.matrices
    assert "PyTorch is not installed here" in str(alone.findings[0].text)


def test_a_case_is_not_called_useless_where_a_framework_is_missing(
    bank: Path, rooms: SandboxPool
) -> None:
    """What it kills may be a mistake in PyTorch."""
    path = bank / "problems" / "both" / "mistakes.toml"
    path.write_text(
        small.MISTAKES.replace('numpy = { find = " * scale', 'torch = { find = " * scale')
    )
    assert not [f for f in verify(load(bank, "both"), rooms).findings if f.rule == 4]


def test_the_list_marks_what_cannot_be_judged(bank: Path) -> None:
    rows = run("list").output.splitlines()
    (both,), (modern,) = ([r for r in rows if f" {slug} " in r] for slug in ("both", "modern"))
    assert "numpy" in both and "torch" not in both
    assert "(torch)" in modern
    below = " ".join(rows[rows.index(modern) + 1 :])
    assert "(torch): PyTorch is not installed here" in below and INSTALL in below


REFUSED = (
    ("run", "both", "solution.py", "--framework", "torch"),
    ("run", "modern", "solution.py"),
    ("run", "both", "imports.py"),
    ("trace", "modern", "solution.py", "--case", "scaled"),
    ("twin", "modern", "scaled"),
    ("practice", "modern", "--list"),
    ("verify", "modern"),
    ("verify", "--write", "bank.md"),
    ("mutants", "modern"),
)


@pytest.mark.parametrize("words", REFUSED, ids=" ".join)
def test_a_command_says_what_to_install(
    bank: Path, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("solution.py").write_text(SOURCE)
    Path("imports.py").write_text("import torch\n" + SOURCE)
    result = run(*words)
    assert result.return_value == 2
    assert "not installed" in result.output and INSTALL in result.output


def test_the_model_needs_pytorch(numpy_alone: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRADE_BANK", str(ROOT))
    result = run("assemble")
    assert result.return_value == 2
    assert "the model runs in PyTorch, which is not installed here" in result.output


def test_the_bank_is_verified_without_what_cannot_run(bank: Path) -> None:
    result = run("verify", "--brief")
    assert result.return_value == 0
    assert "left out, since their framework is not installed here: modern" in result.output
    assert "not installed here, and not verified: PyTorch" in result.output
    assert "1 of 1 problems are fit to use" in result.output


def test_a_statement_is_shown_without_its_examples(bank: Path) -> None:
    result = run("show", "modern")
    assert result.return_value == 0
    assert "PyTorch is not installed here" in result.output


def test_a_file_for_the_server_needs_nothing_here(bank: Path) -> None:
    """`grade submit` and `grade start` run nothing."""
    request = Request(Path("both_torch.py"), None, None, 0, True)
    assert find_framework(request, load(bank, "both"), SOURCE) is TORCH
    result = run("start", "modern")
    assert result.return_value == 0 and Path("modern_torch.py").exists()


def test_the_doctor_tries_what_is_installed(bank: Path) -> None:
    output = run("doctor").output
    assert "sealed room, numpy" in output and "sealed room, torch" not in output
    assert f"only for PyTorch: {INSTALL}" in output


@pytest.mark.parametrize("slug", ["causal_mask", "stable_softmax"])
def test_a_problem_of_the_bank_accepts_its_reference(slug: str, numpy_alone: None) -> None:
    problem: Problem = load(ROOT, slug)
    with open_sandbox() as sandbox:
        verdict = judge(problem, Submission(NUMPY, problem.references[NUMPY]), sandbox)
    assert verdict.verdict is Outcome.ACCEPTED
