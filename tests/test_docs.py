"""The documents say what the code does: every command and option, every key and field, every file that is linked."""

import json
import re
from dataclasses import fields
from pathlib import Path

import click
import pytest

from grader.case import Case
from grader.cli.main import grade
from grader.model import CaseResult, Diagnosis, Framework, Limits, Outcome, Twin, Verdict

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])


def page(name: str) -> str:
    """A document's text."""
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("command", sorted(grade.commands))
def test_commands_and_options_are_documented(command: str) -> None:
    text = page("docs/commands.md")
    assert re.search(rf"^## grade {command}\b", text, re.MULTILINE)
    for parameter in grade.commands[command].params:
        if isinstance(parameter, click.Option):
            assert all(option in text for option in parameter.opts), parameter.opts


def test_no_documented_option_is_missing() -> None:
    known = {option for command in grade.commands.values() for parameter in command.params for option in parameter.opts}
    assert set(re.findall(r"--[a-z][a-z-]*", page("docs/commands.md"))) <= known


def test_readme_commands_exist() -> None:
    readme, makefile = page("README.md"), page("Makefile")
    targets = set(re.findall(r"^([a-z0-9-]+):", makefile, re.MULTILINE))
    assert set(re.findall(r"^make ([a-z0-9-]+)", readme, re.MULTILINE)) <= targets
    assert {"serve", "test"} <= set(re.findall(r"^make ([a-z0-9-]+)", readme, re.MULTILINE))
    assert set(re.findall(r"^grade ([a-z]+)", readme, re.MULTILINE)) <= set(grade.commands)
    assert "make test" in page(".ci/run")


def test_every_make_target_explains_itself() -> None:
    helped = re.findall(r"^([a-z0-9-]+):.*## \S", page("Makefile"), re.MULTILINE)
    for target in ("setup", "serve", "grade", "test", "check", "verify", "bench", "attacks", "fuzz"):
        assert target in helped


def test_every_field_of_a_case_is_documented() -> None:
    text = page("docs/problem-format.md")
    assert [field.name for field in fields(Case) if not re.search(rf"`{field.name}`|\b{field.name}=", text)] == []


def test_every_limit_is_documented() -> None:
    text = page("docs/problem-format.md")
    assert [field.name for field in fields(Limits) if field.name not in text] == []


def test_every_key_of_a_problem_is_documented() -> None:
    loader, text = page("grader/problem.py"), page("docs/problem-format.md")
    keys = set(re.findall(r'(?:toml|entry|row|edit|table)\.(?:string|strings|integer|number|boolean|table)\("(\w+)"', loader))
    assert {"title", "track", "entry", "shapes", "tolerance", "find", "replace", "returns"} <= keys
    assert {key for key in keys if not re.search(rf"\b{key}\b", text)} == set()


def test_verdict_page_names_every_field() -> None:
    text = page("docs/verdict.md")
    case = CaseResult("a", Outcome.WRONG_ANSWER, True, 0, 1, 1.0, 1.0, 1.0, "m")
    verdict = Verdict("p", "d", Framework.NUMPY, Outcome.WRONG_ANSWER, 0, 1, "bubblewrap", 0, (case,), Diagnosis("m", "h", ("a",)), "")
    data = json.loads(json.dumps(verdict.to_json()))
    assert {key for key in (*data, *data["cases"][0], *data["diagnosis"]) if f"`{key}`" not in text} == set()
    rows = dict(re.findall(r"^\| (`.*?`) \| (int|string|list|object or null) \|", text, re.MULTILINE))
    types = {"int": int, "string": str, "list": list, "object or null": dict}
    for names, kind in rows.items():
        for name in re.findall(r"`(\w+)`", names):
            assert isinstance(data[name], types[kind]), name
    assert {name for names in rows for name in re.findall(r"`(\w+)`", names)} == set(data)
    assert {str(o) for o in Outcome if f"`{o}`" not in text} == set()
    assert {str(t) for t in Twin if t and f"| `{t}` |" not in text} == set()


@pytest.mark.parametrize("path", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)", path.read_text(encoding="utf-8")):
        if not re.match(r"[a-z]+:", target):
            assert (path.parent / target).exists(), target


@pytest.mark.parametrize("path", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_files_of_the_core_that_are_named_exist(path: Path) -> None:
    named = re.findall(r"`(grader/[\w/.]+)`", path.read_text(encoding="utf-8"))
    assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("name", ["docs/sandbox.md", "docs/design/memory.md"])
def test_what_is_claimed_of_the_room_names_what_shows_it(name: str) -> None:
    """Each bare name in a table or a list is a file of tests/attacks, and each test is in the file named before it."""
    text = page(name)
    shown = "\n".join(re.findall(r"^\|.*\|(.*)\|$", text, re.MULTILINE)) + "\n".join(re.findall(r"\([^()]*\)", text))
    attacks = {word for word in re.findall(r"`([a-z]+_[a-z0-9_]+)`", shown) if not word.startswith(("test_", "memory_mib"))}
    assert len(attacks) >= 10
    assert {word for word in attacks if not (ROOT / "tests" / "attacks" / f"{word}.py").is_file()} == set()
    named = [(part.split("`")[0], re.findall(r"`(test_\w+)`", part)) for part in re.split(r"`(?=test_\w+\.py`)", text)[1:]]
    assert len(named) >= 2
    assert [(file, test) for file, tests in named for test in tests if f"def {test}(" not in page(f"tests/{file}")] == []
