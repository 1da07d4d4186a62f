"""The codes of the API's errors are a contract: docs/server.md lists each with its meaning, and
each error that the API can answer has one that does not depend on its sentence.

What the API can answer is found by a walk over the names that its modules use. `described` in
tests/server/conftest.py checks the answers that tests see.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from server.messages import Message, counted, with_values
from server.web.failures import INVALID_FIELDS
from tests.server.codes import CODES

ROOT = Path(__file__).resolve().parents[3]
HANDLERS = "server.web.failures"  # answers every error: each of its messages can be one
# Before each request: nothing else of `server.web.access` is used unless a view names it.
ENTRIES = [("server.web.access", "protect"), ("server.web.access", "sign_in_first")]
# What the walk does not enter, since nothing that it raises is answered.
NOT_ANSWERED = {
    ("server.web.context", "Service"): "what a process holds; its chores answer nobody",
    ("server.web.context", "diagnose_again"): "comes after the publication, and may fail",
    ("server.services.problems.published", "Shelf"): "reads what was published before",
    ("server.services.courses.timezones", "zone_of"): "a course's zone was checked when stored",
    ("server.services.problems.files", "read"): "verify has read these files",
}
REFUSALS = ("abort", "failure")
MESSAGES = ("Message", "counted")

Name = tuple[str, str]  # module, what it defines


@cache
def tree(module: str) -> ast.Module | None:
    """Returns the parsed module; None when it is not one of the server's."""
    base = ROOT.joinpath(*module.split("."))
    files = [base.with_suffix(".py"), base / "__init__.py"]
    found = next((file for file in files if file.is_file()), None)
    known = module.split(".")[0] == "server" and found is not None
    return ast.parse(found.read_text(encoding="utf-8")) if found and known else None


@cache
def defined(module: str) -> dict[str, ast.stmt]:
    """Returns the functions, classes and constants at the top of a module."""
    names: dict[str, ast.stmt] = {}
    body = tree(module)
    for statement in body.body if body else ():
        match statement:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                names[name] = statement
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                names[name] = statement
    return names


@cache
def imported(module: str) -> dict[str, Name]:
    """Returns what a module imports from the server, by the name that it has there."""
    body = tree(module)
    return {
        alias.asname or alias.name: (statement.module, alias.name)
        for statement in (body.body if body else ())
        if isinstance(statement, ast.ImportFrom) and statement.module
        for alias in statement.names
    }


def used(module: str, node: ast.AST) -> Iterator[Name]:
    """Yields what a definition uses: its own module's names, imported ones, those of modules."""
    for part in ast.walk(node):
        match part:
            case ast.Attribute(value=ast.Name(id=name), attr=attribute):
                source, original = imported(module).get(name, ("", ""))
                yield f"{source}.{original}", attribute
            case ast.Name(id=name):
                yield imported(module).get(name, (module, name))


@cache
def reachable() -> frozenset[Name]:
    """Returns the definitions that a request to the API may use."""
    modules = [f"server.api.{path.stem}" for path in (ROOT / "server" / "api").glob("*.py")]
    waiting = [(module, name) for module in (*modules, HANDLERS) for name in defined(module)]
    waiting += ENTRIES
    found: set[Name] = set()
    while waiting:
        module, name = waiting.pop()
        if name not in defined(module) or (module, name) in NOT_ANSWERED or (module, name) in found:
            continue
        found.add((module, name))
        waiting.extend(used(module, defined(module)[name]))
    return frozenset(found)


def messages(node: ast.AST | None) -> Iterator[ast.Call]:
    """Yields the calls that make a message."""
    for part in ast.walk(node) if node is not None else ():
        match part:
            case ast.Call(func=ast.Name(id=name)) if name in MESSAGES:
                yield part


def refusals(module: str, node: ast.AST) -> Iterator[ast.Call]:
    """Yields the messages of what a definition raises, answers as a failure, returns or assigns."""
    for part in ast.walk(node):
        match part:
            case ast.Raise(exc=exception):
                yield from told(module, exception)
            case ast.Call(func=ast.Name(id=name)) if name in REFUSALS:
                yield from told(module, part)
            case (
                ast.Return(value=ast.Call(func=ast.Name(id=name)) as message)
                | ast.Assign(value=ast.Call(func=ast.Name(id=name)) as message)
            ) if name in MESSAGES and part is not node:  # a constant may be told elsewhere
                yield message


def told(module: str, node: ast.AST | None) -> Iterator[ast.Call]:
    """Yields the messages of a refusal: those made there, and the module's own constants."""
    yield from messages(node)
    for part in ast.walk(node) if node is not None else ():
        constant = defined(module).get(part.id) if isinstance(part, ast.Name) else None
        if isinstance(constant, ast.Assign):
            yield from messages(constant)


def code_of(call: ast.Call) -> str:
    """Returns the code that a call names; empty when it names none."""
    named = (keyword.value for keyword in call.keywords if keyword.arg == "code")
    return next((str(code.value) for code in named if isinstance(code, ast.Constant)), "")


@cache
def answered() -> dict[str, str]:
    """Returns the code of each message with which the API may refuse, by where it stands."""
    found = {}
    for module, name in reachable():
        node = defined(module)[name]
        calls = messages(node) if module == HANDLERS else refusals(module, node)
        found.update({f"{module}:{call.lineno}:{call.col_offset}": code_of(call) for call in calls})
    return found


def explicit() -> dict[str, str]:
    """Returns every code that a message of the server names, by where it stands."""
    found = {}
    for path in (ROOT / "server").rglob("*.py"):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for call in messages(tree(module)):
            if code_of(call):
                found[f"{module}:{call.lineno}:{call.col_offset}"] = code_of(call)
    return found


def test_no_code_of_the_api_depends_on_a_sentence() -> None:
    derived = [place for place, code in answered().items() if not code]
    assert not derived, "the API answers this message: name its code, and list it in docs/server.md"


def test_only_what_the_api_answers_names_a_code() -> None:
    assert not explicit().keys() - answered().keys(), "the API does not answer this message"


def test_the_document_lists_every_code_of_the_api() -> None:
    codes = {*answered().values(), INVALID_FIELDS}
    assert codes - CODES.keys() == set(), "docs/server.md has no line for this code"
    assert CODES.keys() - codes == set(), "docs/server.md lists a code that nothing answers"


def test_codes_are_words_with_underscores() -> None:
    assert [code for code in CODES if not re.fullmatch("[a-z]+(_[a-z0-9]+)*", code)] == []


def test_nothing_is_left_out_without_need() -> None:
    """Each exception names a definition that is there."""
    assert [name for name in NOT_ANSWERED if name[1] not in defined(name[0])] == []


@pytest.mark.parametrize(
    ("message", "code"),
    [
        (Message("The zip has %(size)s bytes.", size=3), "the_zip_has_bytes"),
        (Message("The zip has %(size)s bytes.", code="zip_too_large", size=3), "zip_too_large"),
        (counted("%(num)s file", "%(num)s files", 2, code="too_many_files"), "too_many_files"),
        (with_values(Message("Hello", code="greeting"), {}), "greeting"),
    ],
)
def test_a_message_has_its_own_code_or_one_of_its_words(message: Message, code: str) -> None:
    assert message.code == code
    assert "code" not in message.parameters
