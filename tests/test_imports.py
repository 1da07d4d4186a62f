"""The law of imports, held by the syntax trees of the files: who may know whom.

Nothing is imported to find out.
"""

import ast
import functools
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT

GRADER = sorted((ROOT / "grader").rglob("*.py"))
SERVER = sorted((ROOT / "server").rglob("*.py"))
INSIDE = sorted((ROOT / "grader" / "inside").rglob("*.py"))
MOUNTED = [*INSIDE, ROOT / "grader" / "case.py", ROOT / "grader" / "__init__.py"]
IN_THE_ROOM = {"numpy", "torch"}
JUDGE = {"numpy", "safetensors", "pylatexenc", "pyseccomp"}
TERMINAL = {"click", "rich"}
HTTP = {"httpx"}
SERVICE = {
    "flask",
    "apiflask",
    "flask_login",
    "flask_wtf",
    "flask_limiter",
    "sqlalchemy",
    "alembic",
    "celery",
    "redis",
}


@functools.cache
def imported(path: Path) -> tuple[str, ...]:
    """The dotted names that a file imports, also inside functions; `from grader import x` counts as
    grader.x.
    """
    return tuple(_imported(path))


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def tops(path: Path) -> set[str]:
    """The packages that a file imports, without the standard library."""
    return {name.partition(".")[0] for name in imported(path)} - set(sys.stdlib_module_names)


def dotted(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def named(paths: list[Path]) -> list[str]:
    return [str(path.relative_to(ROOT)) for path in paths]


@pytest.mark.parametrize("path", GRADER, ids=named(GRADER))
def test_the_core_knows_neither_the_service_nor_the_bank(path: Path) -> None:
    assert not tops(path) & {"server", "tests", "problems", "reference", *SERVICE}


# what `grade new` writes: text for the judge process, never imported
TEMPLATE = ROOT / "grader" / "cli" / "template"
IMPORTED = [path for path in GRADER if not path.is_relative_to(TEMPLATE)]


@pytest.mark.parametrize("path", IMPORTED, ids=named(IMPORTED))
def test_only_what_runs_in_the_room_names_torch(path: Path) -> None:
    allowed = IN_THE_ROOM if path in MOUNTED else JUDGE | TERMINAL | HTTP
    assert tops(path) - {"grader"} <= allowed


def test_the_room_holds_no_file_that_it_does_not_need() -> None:
    """The folder is mounted whole, so what the zygote does not reach has no place in it."""
    start = ROOT / "grader" / "inside" / "zygote.py"
    reached, todo = {start}, [start]
    while todo:
        names = set(imported(todo.pop()))
        modules = {
            path
            for path in INSIDE
            if any(f"{name}.".startswith(f"{dotted(path)}.") for name in names)
        }
        todo += modules - reached
        reached |= modules
    assert reached == {path for path in INSIDE if path.stem != "__init__"}


@pytest.mark.parametrize("path", GRADER, ids=named(GRADER))
def test_only_commands_print(path: Path) -> None:
    """Facts and judgements travel as values; words for people are made in the last step."""
    if not path.is_relative_to(ROOT / "grader" / "cli"):
        assert not tops(path) & (TERMINAL | HTTP)


@pytest.mark.parametrize("path", SERVER, ids=named(SERVER))
def test_the_service_imports_no_torch(path: Path) -> None:
    assert not tops(path) & {"torch", "tests", "problems", "reference"}


FLASK_TESTS = sorted((ROOT / "tests" / "grader").rglob("*.py"))


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
import grader.judge
from grader.cli import doctor, main, publish, remote, verify
from grader.cli.judging import run
from grader.cli.render import statement
print(sorted({"torch", "flask", "sqlalchemy", "server"} & {name.partition(".")[0] for name in sys.modules}))
"""


def test_the_judges_process_holds_neither_torch_nor_the_service() -> None:
    found = subprocess.run(
        [sys.executable, "-c", PROCESS],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert found.stdout == "[]\n"


STARTING = """
import sys
from pathlib import Path
from grader.cli.judging import run
from grader.problem import load
from grader.sandbox.rooms import Rooms
load(Path.cwd(), "scaled_dot_product_attention")
rooms = Rooms("process")
rooms.warm("numpy")
print("numpy" in sys.modules)
rooms.close()
"""


def test_a_room_starts_before_numpy_is_imported() -> None:
    """A cold `grade run` imports it while the room does the same."""
    found = subprocess.run(
        [sys.executable, "-c", STARTING],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert found.stdout == "False\n"


WARMED_UP = """
import sys
import torch
before = set(sys.modules)
from grader.inside.warmup import warm_up
warm_up("torch")
print(sorted({name.partition(".")[0] for name in set(sys.modules) - before} & {"sympy", "mpmath", "networkx", "jinja2"}))
"""


@pytest.mark.torch
@pytest.mark.slow
def test_gradients_import_nothing_large() -> None:
    """torch.autograd.grad imports SymPy when it is given cotangents: a third of a second, and forty
    MiB in every room.
    """
    found = subprocess.run(
        [sys.executable, "-c", WARMED_UP],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert found.stdout == "[]\n"
