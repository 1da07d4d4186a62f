"""The law of imports, held by the syntax trees of the files: who may know whom. Nothing is imported to find out."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.launch import ROOM_FILES
from tests.conftest import ROOT

GRADER = sorted((ROOT / "grader").glob("*.py"))
SERVER = sorted((ROOT / "server").rglob("*.py"))
INSIDE = {name.removesuffix(".py") for name in ROOM_FILES if name != "__init__.py"}
IN_THE_ROOM = {"numpy", "torch", "safetensors"}
JUDGE = {"numpy", "safetensors", "click", "rich", "pylatexenc", "pyseccomp"}
SERVICE = {"flask", "apiflask", "flask_login", "flask_wtf", "flask_limiter", "sqlalchemy", "alembic", "celery", "redis"}


def imported(path: Path) -> Iterator[str]:
    """The dotted names that a file imports, also inside functions; `from grader import x` counts as grader.x."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def tops(path: Path) -> set[str]:
    """The packages that a file imports, without the standard library."""
    return {name.partition(".")[0] for name in imported(path)} - set(sys.stdlib_module_names)


def ours(path: Path) -> set[str]:
    """The modules of grader that a file imports."""
    known = {p.stem for p in GRADER}
    return {name.split(".")[1] for name in imported(path) if name.startswith("grader.")} & known


def named(paths: list[Path]) -> list[str]:
    return [str(path.relative_to(ROOT)) for path in paths]


@pytest.mark.parametrize("path", GRADER, ids=named(GRADER))
def test_the_core_knows_neither_the_service_nor_the_bank(path: Path) -> None:
    assert not tops(path) & {"server", "tests", "problems", "reference", *SERVICE}


@pytest.mark.parametrize("path", GRADER, ids=named(GRADER))
def test_only_what_runs_in_the_room_names_torch(path: Path) -> None:
    allowed = IN_THE_ROOM if path.stem in INSIDE else JUDGE
    assert tops(path) - {"grader"} <= allowed


@pytest.mark.parametrize("name", sorted(INSIDE))
def test_what_lies_in_the_room_knows_only_what_lies_there(name: str) -> None:
    path = ROOT / "grader" / f"{name}.py"
    assert ours(path) <= INSIDE
    assert tops(path) <= {"grader", *IN_THE_ROOM}


def test_every_file_of_the_room_is_there_and_needed() -> None:
    assert all((ROOT / "grader" / name).is_file() for name in ROOM_FILES)
    reached, todo = {"zygote", "case"}, ["zygote", "case"]  # the launcher starts one, cases.py imports the other
    while todo:
        new = ours(ROOT / "grader" / f"{todo.pop()}.py") - reached
        reached |= new
        todo += new
    assert reached == INSIDE


def reach(start: str, without: frozenset[str] = frozenset()) -> set[str]:
    """Every module of grader that one of them needs, directly or not."""
    reached, todo = {start}, [start]
    while todo:
        new = ours(ROOT / "grader" / f"{todo.pop()}.py") - reached - without
        reached |= new
        todo += new
    return reached


@pytest.mark.parametrize("name", ["sandbox", "room", "feed", "job", "told", "launch", "seccomp"])
def test_the_sandbox_never_sees_an_answer(name: str) -> None:
    assert not reach(name) & {"answers", "compare", "diagnose", "judge", "settle", "verify", "lazy", "secret"}


STEPS = ["judge", "diagnose", "settle", "answers", "compare", "explain", "model"]


@pytest.mark.parametrize("name", STEPS)
def test_a_step_of_the_judge_knows_only_the_steps_before_it(name: str) -> None:
    later = set(STEPS[: STEPS.index(name)])
    assert not reach(name) & later


@pytest.mark.parametrize("name", ["model", "errors", "case"])
def test_values_know_nobody_but_values(name: str) -> None:
    assert reach(name) <= {"model", "errors", "case"}


@pytest.mark.parametrize("path", GRADER, ids=named(GRADER))
def test_only_commands_print(path: Path) -> None:
    """Facts and judgements travel as values; words for people are made in the last step."""
    talking = {"cli", "running", "verifying", "report", "matrix", "statement", "lines", "typeset", "progress", "doctor"}
    if path.stem not in talking:
        assert not tops(path) & {"click", "rich"}


@pytest.mark.parametrize("path", SERVER, ids=named(SERVER))
def test_the_service_imports_no_torch(path: Path) -> None:
    assert not tops(path) & {"torch", "tests", "problems", "reference"}


FLASK_TESTS = [p for p in sorted((ROOT / "tests").glob("*.py")) if p.name != Path(__file__).name]


@pytest.mark.parametrize("path", FLASK_TESTS, ids=named(FLASK_TESTS))
def test_flask_is_named_in_the_service_only(path: Path) -> None:
    assert not tops(path) & {"flask", "apiflask"}


BANK = [p for folder in ("problems", "reference") for p in sorted((ROOT / folder).rglob("*.py"))]


@pytest.mark.parametrize("path", BANK, ids=named(BANK))
def test_the_bank_imports_only_what_the_room_holds(path: Path) -> None:
    torch = {"torch"} if path.stem.endswith("torch") else set()
    case = {"grader"} if path.name == "cases.py" else set()
    assert tops(path) <= {"numpy", *torch, *case}


PROCESS = """
import sys
import grader.cli, grader.judge, grader.running, grader.verifying, grader.statement, grader.doctor, grader.remote
print(sorted({"torch", "flask", "sqlalchemy", "server"} & {name.partition(".")[0] for name in sys.modules}))
"""


def test_the_judges_process_holds_neither_torch_nor_the_service() -> None:
    found = subprocess.run([sys.executable, "-c", PROCESS], cwd=ROOT, capture_output=True, text=True, timeout=120, check=True)
    assert found.stdout == "[]\n"


REHEARSED = """
import sys
import torch
before = set(sys.modules)
from grader.rehearse import rehearse
rehearse("torch")
print(sorted({name.partition(".")[0] for name in set(sys.modules) - before} & {"sympy", "mpmath", "networkx", "jinja2"}))
"""


def test_gradients_import_nothing_large() -> None:
    """torch.autograd.grad imports SymPy when it is given cotangents: a third of a second, and forty MiB in every room."""
    found = subprocess.run([sys.executable, "-c", REHEARSED], cwd=ROOT, capture_output=True, text=True, timeout=120, check=True)
    assert found.stdout == "[]\n"
