"""Reads the two folders of a problem: problem.toml and the files beside it."""

from dataclasses import fields
from pathlib import Path
from typing import Any

from grader.errors import ProblemError
from grader.findings.text import T_
from grader.frameworks import has
from grader.model import Framework, Kind, Limits
from grader.problem.definition import DIFFICULTIES, Problem, Rules
from grader.problem.drivers import read_driver
from grader.problem.entries import read_entries, read_shapes
from grader.problem.files import contents, digest, judging_digest, read_text, read_toml
from grader.problem.mistakes import read_mistakes, read_survivors
from grader.problem.right import read_right
from grader.problem.rules import read_rules
from grader.problem.table import Table
from grader.problem.tracks import read_track
from grader.problem.translations import read_statements, read_words


def read(slug: str, folder: Path, reference: Path) -> Problem:
    """Reads a problem from its folder and the folder of its references. Raises `ProblemError`."""
    files = contents(folder, reference)
    toml = Table(read_toml(folder / "problem.toml"), folder / "problem.toml")
    declared = _declared(toml)
    kind = Kind(toml.string("kind", "function", choices=[str(k) for k in Kind]))
    references = {
        f: read_text(reference / f"{f}.py", T_("every declared framework needs a reference"))
        for f in declared
    }
    statements = read_statements(folder)
    statement_rules = read_rules(statements)
    mistakes = read_mistakes(folder, references, statement_rules["en"])
    right = read_right(folder, declared)
    entries = read_entries(toml.table("entry"), kind, kind is Kind.CLASS or "driver" in toml.values)
    driver = read_driver(toml, entries, folder, declared)
    if kind is Kind.CLASS and driver is None:
        words = T_(
            '%(path)s: kind = "class" needs a driver, which makes objects and calls their'
            " methods; add a table [driver] and the files driver_FRAMEWORK.py",
            path=str(toml.path),
        )
        raise ProblemError(words)
    problem = Problem(
        slug=slug,
        title=toml.string("title"),
        title_zh=toml.string("title_zh", ""),
        track=read_track(toml),
        order=toml.integer("order", 99),
        difficulty=toml.string("difficulty", choices=DIFFICULTIES),
        declared=declared,
        frameworks=tuple(f for f in declared if has(f)) or declared,
        kind=kind,
        source=toml.string("source"),
        requires=toml.strings("requires", ()),
        entries=entries,
        shapes=read_shapes(
            toml.table("shapes", {}), (*entries, driver.run) if driver else entries, kind
        ),
        limits=_limits(toml.table("limits", {})),
        rules=_rules(toml.table("rules", {})),
        tolerance=_tolerance(toml),
        statements=statements,
        survivors=read_survivors(folder),
        starters={
            f: read_text(folder / f"starter_{f}.py", T_("every declared framework needs a starter"))
            for f in declared
        },
        references=references,
        cases=read_text(folder / "cases.py", T_("def cases(rng) yields the test cases")),
        mistakes=mistakes,
        digest=digest(files),
        judging_digest=judging_digest(files),
        folder=folder,
        words=read_words(folder, mistakes, right),
        statement_rules=statement_rules,
        driver=driver,
        right=right,
    )
    toml.reject_unknown()
    return problem


def _declared(toml: Table) -> tuple[Framework, ...]:
    names = toml.strings("frameworks", choices=[str(f) for f in Framework])
    if not names:
        place = toml.where("frameworks")
        raise ProblemError(T_("%(key)s is empty; list numpy, torch or both", key=place))
    return tuple(Framework(name) for name in names)


def _tolerance(toml: Table) -> float | None:
    value = toml.number("tolerance", None)
    if value is not None and value < 0:
        raise ProblemError(T_("%(key)s must be 0 or more", key=toml.where("tolerance")))
    return value


LARGEST = 10**6  # of a limit that can be tried at all; `grade verify` wants far less


def _limits(table: Table) -> Limits:
    values: dict[str, Any] = {}
    for f in fields(Limits):
        default = f.default
        value = table.number(f.name, default)
        if value is None or value <= 0:
            raise ProblemError(T_("%(key)s must be above 0", key=table.where(f.name)))
        if value > LARGEST:  # clocks and memory counts of the room cannot hold any number
            words = T_(
                "%(key)s must be at most %(largest)s", key=table.where(f.name), largest=LARGEST
            )
            raise ProblemError(words)
        values[f.name] = float(value) if isinstance(default, float) else int(value)
    if "total_s" not in table.values:  # one call may take as long as it is given
        values["total_s"] = max(values["total_s"], values["wall_s"])
    table.reject_unknown()
    return Limits(**values)


def _rules(table: Table) -> Rules:
    rules = Rules(table.strings("forbid", ()), table.boolean("imports", True))
    table.reject_unknown()
    return rules
