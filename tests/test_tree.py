"""A newcomer finds a file by its name: no long module, no crowded package, short functions."""

import ast
from collections import Counter
from pathlib import Path
from statistics import median

from tests.conftest import ROOT

LINES = 300  # of a module
MODULES = 15  # of a package, beside its __init__
MEDIAN = 10  # lines of a function
MODULES_OF = [
    path
    for folder in ("grader", "server", "benchmarks", "scripts")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if not path.is_relative_to(ROOT / "grader" / "cli" / "template")
]
# one for each revision of the schema, found by its number
VERSIONS = ROOT / "server" / "migrations" / "versions"


def lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def test_no_module_is_long() -> None:
    long = {str(path.relative_to(ROOT)): lines(path) for path in MODULES_OF if lines(path) > LINES}
    assert long == {}


def test_no_package_is_crowded() -> None:
    count = Counter(path.parent for path in MODULES_OF if path.name != "__init__.py")
    assert count[ROOT / "server" / "services"] > 5
    assert {str(p): n for p, n in count.items() if n > MODULES and p != VERSIONS} == {}


def test_functions_are_short() -> None:
    found = [
        (node.end_lineno or node.lineno) - node.lineno + 1
        for path in MODULES_OF
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
    ]
    assert median(found) <= MEDIAN
