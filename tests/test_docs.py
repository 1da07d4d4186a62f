"""The documents say what the code does: every command and option, every key and field, every file
that is linked.
"""

import ast
import json
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import click
import pytest

from grader import __version__
from grader.case import Case
from grader.cli.main import grade
from grader.findings.codes import PARAMETERS, REDACTED
from grader.model import CaseResult, Diagnosis, Framework, Limits, Outcome, Twin, Verdict

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "tests"
PAGES = sorted(
    [*ROOT.glob("*.md"), *(ROOT / ".github").rglob("*.md"), *(ROOT / "docs").rglob("*.md")]
)
GUIDES = [
    "README.md",
    "CONTRIBUTING.md",
    "docs/README.md",
    "docs/glossary.md",
    "docs/performance.md",
    ".github/pull_request_template.md",
]
# it has a slash, or an ending that is known
PATH = re.compile(r"[A-Za-z_.][\w.-]*/([\w.-]+/?)*|[\w.-]+\.(md|py|toml|txt|json|yaml)")


def page(name: str) -> str:
    """A document's text."""
    return (ROOT / name).read_text(encoding="utf-8")


def code(text: str) -> list[str]:
    """What a document shows as code: each line of a block without its comment, and each span."""
    blocks = re.findall(r"^```[a-z]*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    lines = [re.sub(r"\s+#.*", "", line) for block in blocks for line in block.splitlines()]
    return lines + re.findall(
        r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    )


def make_targets() -> set[str]:
    """The targets of the Makefile."""
    return set(re.findall(r"^([a-z0-9-]+):", page("Makefile"), re.MULTILINE))


def anchors(path: Path) -> set[str]:
    """The anchors that a Markdown file's headings get."""
    headings = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("command", sorted(grade.commands))
def test_commands_and_options_are_documented(command: str) -> None:
    text = page("docs/commands.md")
    assert re.search(rf"^## grade {command}\b", text, re.MULTILINE)
    for parameter in grade.commands[command].params:
        if isinstance(parameter, click.Option):
            options = [*parameter.opts, *parameter.secondary_opts]
            assert all(option in text for option in options), options


def test_no_documented_option_is_missing() -> None:
    known = {
        option
        for command in grade.commands.values()
        for parameter in command.params
        for option in (*parameter.opts, *parameter.secondary_opts)
    }
    assert set(re.findall(r"--[a-z][a-z-]*", page("docs/commands.md"))) <= known


def test_readme_commands_exist() -> None:
    assert set(re.findall(r"^make ([a-z0-9-]+)", page("README.md"), re.MULTILINE)) == {
        "serve",
        "test",
    }
    assert "make test" in page(".ci/run")


@pytest.mark.parametrize("name", GUIDES)
def test_targets_that_a_guide_names_exist(name: str) -> None:
    named = {
        target
        for line in code(page(name))
        for target in re.findall(r"\bmake ([a-z][a-z0-9-]*)", line)
    }
    assert named - make_targets() == set()


@pytest.mark.parametrize("name", [*GUIDES, "docs/commands.md"])
def test_grade_commands_that_a_guide_names_exist(name: str) -> None:
    for line in code(page(name)):
        for command, rest in re.findall(r"(?:^|/)grade ([a-z]+)(.*)", line):
            assert command in grade.commands, line
            options = {
                option for parameter in grade.commands[command].params for option in parameter.opts
            }
            assert set(re.findall(r"--[a-z][a-z-]*", rest)) <= options, line


@pytest.mark.parametrize("name", GUIDES)
def test_paths_that_a_guide_names_exist(name: str) -> None:
    """A bare file name may also be one of a problem's folder; `.venv` is made by `make setup`."""
    words = {word for line in code(page(name)) for word in re.findall(r"[^\s=]+", line)}
    paths = {word for word in words if PATH.fullmatch(word) and not word.startswith(".venv")}
    assert [
        path
        for path in sorted(paths)
        if not (ROOT / path).exists()
        and not ("/" not in path and any(ROOT.glob(f"problems/*/{path}")))
    ] == []


def test_the_paths_of_a_guide_are_seen() -> None:
    assert {"grader/inside/", "pyproject.toml", "server/web/frontend/"} <= set(
        code(page("CONTRIBUTING.md"))
    )


def test_the_glossary_has_each_term_once() -> None:
    terms = re.findall(r"\*\*(.+?)\*\*", page("docs/glossary.md"))
    assert len(terms) >= 60
    assert sorted(terms) == sorted(set(terms))


def test_the_version_is_the_same_everywhere() -> None:
    assert tomllib.loads(page("pyproject.toml"))["project"]["version"] == __version__
    headings = re.findall(r"^## (\S+)", page("CHANGELOG.md"), re.MULTILINE)
    assert headings[:2] == ["Unreleased", __version__]


def test_hooks_of_a_commit_are_those_of_make_check() -> None:
    hooks = re.findall(r"^ *entry: (.+)$", page(".pre-commit-config.yaml"), re.MULTILINE)
    recipe = re.search(r"^check:.*\n((?:\t.*\n)+)", page("Makefile"), re.MULTILINE)
    assert recipe is not None
    checks = [line.split() for line in recipe[1].replace("$(BIN)", ".venv/bin").splitlines()]
    tools = [" ".join(words[: 2 if words[0].endswith("/ruff") else 1]) for words in checks]
    assert len(hooks) == len(tools)
    assert [
        tool for hook, tool in zip(hooks, tools, strict=True) if not hook.startswith(tool)
    ] == []


def test_a_commit_that_changes_a_catalogue_or_its_source_checks_it() -> None:
    hook = page(".pre-commit-config.yaml").partition("- id: messages")[2]
    files = re.search(r"files: (\S+)", hook)
    assert files is not None
    catalogues = [p.relative_to(ROOT).as_posix() for p in ROOT.glob("*/locale/*/*/*.po")]
    assert len(catalogues) == 2
    for changed in (*catalogues, "grader/cli/commands/judging.py", "server/web/names.py"):
        assert re.search(files[1], changed), changed


def test_the_container_for_development_names_what_exists() -> None:
    config = json.loads(
        re.sub(r"^\s*//.*$", "", page(".devcontainer/devcontainer.json"), flags=re.MULTILINE)
    )
    assert (ROOT / ".devcontainer" / config["build"]["dockerfile"]).is_file()
    assert set(re.findall(r"make ([a-z-]+)", config["postCreateCommand"])) == {"setup"}
    profiles = [word.partition("}/")[2] for word in config["runArgs"] if "seccomp=" in word]
    assert profiles and all((ROOT / profile).is_file() for profile in profiles)
    # The same Python as the oldest that the project supports.
    oldest = tomllib.loads(page("pyproject.toml"))["project"]["requires-python"].removeprefix(">=")
    assert f"python:{oldest}-" in page(".devcontainer/Dockerfile")


def test_every_make_target_explains_itself() -> None:
    helped = re.findall(r"^([a-z0-9-]+):.*## \S", page("Makefile"), re.MULTILINE)
    for target in (
        "setup",
        "serve",
        "grade",
        "test",
        "check",
        "verify",
        "bench",
        "attacks",
        "fuzz",
    ):
        assert target in helped


def test_every_field_of_a_case_is_documented() -> None:
    text = page("docs/problem-format.md")
    assert [
        field.name
        for field in fields(Case)
        if not re.search(rf"`{field.name}`|\b{field.name}=", text)
    ] == []


def test_every_limit_is_documented() -> None:
    text = page("docs/problem-format.md")
    assert [field.name for field in fields(Limits) if field.name not in text] == []


def test_every_key_of_a_problem_is_documented() -> None:
    loader = "".join(
        page(f"grader/problem/{path.name}")
        for path in sorted((ROOT / "grader/problem").glob("*.py"))
    )
    text = page("docs/problem-format.md")
    keys = set(
        re.findall(
            r'(?:toml|entry|row|edit|table)\.(?:string|strings|integer|number|boolean|table)\("(\w+)"',
            loader,
        )
    )
    assert {"title", "track", "entry", "shapes", "tolerance", "find", "replace", "returns"} <= keys
    assert {key for key in keys if not re.search(rf"\b{key}\b", text)} == set()


def test_verdict_page_names_every_field() -> None:
    text = page("docs/verdict.md")
    case = CaseResult("a", Outcome.WRONG_ANSWER, True, 0, 1, 1.0, 1.0, 1.0, "m")
    verdict = Verdict(
        "p",
        "d",
        Framework.NUMPY,
        Outcome.WRONG_ANSWER,
        0,
        1,
        "bubblewrap",
        0,
        (case,),
        (Diagnosis("m", "h", ("a",)),),
        "",
    )
    data = json.loads(json.dumps(verdict.to_json()))
    assert {
        key for key in (*data, *data["cases"][0], *data["diagnosis"]) if f"`{key}`" not in text
    } == set()
    rows = dict(
        re.findall(r"^\| (`.*?`) \| (int|string|list|object or null) \|", text, re.MULTILINE)
    )
    types = {"int": int, "string": str, "list": list, "object or null": dict}
    for names, kind in rows.items():
        for name in re.findall(r"`(\w+)`", names):
            assert isinstance(data[name], types[kind]), name
    assert {name for names in rows for name in re.findall(r"`(\w+)`", names)} == set(data)
    assert {str(o) for o in Outcome if f"`{o}`" not in text} == set()
    assert {str(t) for t in Twin if t and f"| `{t}` |" not in text} == set()


def test_verdict_page_lists_every_finding_with_its_parameters() -> None:
    text = page("docs/verdict.md").partition("\n## Findings\n")[2].partition("\n## Version 1\n")[0]
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \| .+ \|$", text, re.MULTILINE)
    listed = [
        (code, dict(re.findall(r"`(\w+)` \(([\w ,]+)\)", parameters)))
        for code, parameters in rows
        if code not in ("message", "line", "loading")
    ]
    assert listed == [(str(code), dict(known)) for code, known in PARAMETERS.items()]
    bare = text.partition("lose their parameters are")[2].partition(".")[0]
    assert re.findall(r"`(\w+)`", bare) == [str(code) for code in REDACTED]


@pytest.mark.parametrize("path", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)", path.read_text(encoding="utf-8")):
        if not re.match(r"[a-z]+:", target):
            assert (path.parent / target).exists(), target


@pytest.mark.parametrize("path", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_to_a_heading(path: Path) -> None:
    for target, anchor in re.findall(
        r"\]\(([^)#\s:]*)#([^)\s]+)\)", path.read_text(encoding="utf-8")
    ):
        assert anchor in anchors(path.parent / target if target else path), f"{target}#{anchor}"


def test_code_names_the_design_page_that_explains_it() -> None:
    pages = {path.name for path in (ROOT / "docs" / "design").glob("*.md")} - {"README.md"}
    folders = ("grader", "server", "benchmarks", "scripts")
    files = (path for folder in folders for path in (ROOT / folder).rglob("*.py"))
    named = {
        name
        for path in files
        for name in re.findall(r"docs/design/([\w-]+\.md)", path.read_text(encoding="utf-8"))
    }
    assert named == pages  # one that is gone is not named either


@pytest.mark.parametrize("path", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_files_of_the_core_that_are_named_exist(path: Path) -> None:
    named = re.findall(r"`(grader/[\w/.]+)`", path.read_text(encoding="utf-8"))
    assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("name", ["docs/sandbox.md", "docs/design/memory.md"])
def test_what_is_claimed_of_the_room_names_what_shows_it(name: str) -> None:
    """Each bare name in a table or a list is a hostile submission, and each test is in the file
    named before it.
    """
    text = page(name)
    shown = "\n".join(re.findall(r"^\|.*\|(.*)\|$", text, re.MULTILINE)) + "\n".join(
        re.findall(r"\([^()]*\)", text)
    )
    attacks = {
        word
        for word in re.findall(r"`([a-z]+_[a-z0-9_]+)`", shown)
        if not word.startswith(("test_", "memory_mib"))
    }
    assert len(attacks) >= 10
    assert {
        word for word in attacks if not (TESTS / "attacks" / "submissions" / f"{word}.py").is_file()
    } == set()
    named = [
        (part.split("`")[0], re.findall(r"`(test_\w+)`", part))
        for part in re.split(r"`(?=test_\w+\.py`)", text)[1:]
    ]
    assert len(named) >= 2
    assert [
        (file, test)
        for file, tests in named
        for test in tests
        if not any(f"def {test}(" in path.read_text("utf-8") for path in TESTS.rglob(file))
    ] == []


def test_the_architecture_names_what_exists() -> None:
    text = page("docs/architecture.md")
    named = re.findall(r"`([\w.]+)` in `([\w/.]+\.py)`", text)
    assert len(named) >= 14
    for name, path in named:
        source = (ROOT / path).read_text(encoding="utf-8")
        assert re.search(rf"(def|class) {name.rpartition('.')[2]}\b", source), f"{name} in {path}"
    for path in re.findall(r"`((?:grader|server)/[\w/.]*)`", text):
        assert (ROOT / path).exists(), path


# the first part of a name that is not of ours: in a solution, in a result, in PyTorch
THEIRS = {"solution", "spread", "torch"}


def defined(tree: ast.AST) -> Iterator[str]:
    """The names that a module, its classes and its functions define."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr
        elif isinstance(node, ast.ImportFrom):
            yield from (each.name for each in node.names)


def test_names_of_modules_exist() -> None:
    known, views = defaultdict[str, set[str]](set), set[str]()
    for folder in ("grader", "server", "benchmarks", "tests", "scripts"):
        for path in (ROOT / folder).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            views |= set(re.findall(r'Blueprint\(\s*"(\w+)"', text))
            found = set(defined(ast.parse(text)))
            known[path.stem] |= found
            known[path.parent.name] |= found | {path.stem}
    pattern = re.compile(r"`([a-z_]+(?:\.\w+)+)(?:\(\))?`")
    for path in (each for each in PAGES if each.name != "bank.md"):  # which shows solutions
        for name in pattern.findall(path.read_text(encoding="utf-8")):
            first, *rest = name.split(".")
            if first in known and first not in views | THEIRS and not PATH.fullmatch(name):
                there = known[first].union(*(known[each] for each in rest[:-1] if each in known))
                assert set(rest) <= there, f"{path.name}: {name}"
