"""A folder on disk -> `Problem`; and a bank of them. Nothing here runs a line of the folder's code."""

import ast
import difflib
import hashlib
import os
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from grader.errors import ProblemError, UsageError
from grader.model import Framework, Kind, Limits, Outcome

TRACKS = ("foundations", "masks", "heads", "efficiency", "beyond")
DIFFICULTIES = ("easy", "medium", "hard")
EXTENSIONS = {".toml", ".md", ".py"}


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of an entry point; `required` ones are passed by position."""

    name: str
    required: bool


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry point: `init` is only for modules, `params` are those of the call (of `forward` for
    a module).
    """

    name: str
    params: tuple[Parameter, ...]
    returns: tuple[str, ...]
    init: tuple[Parameter, ...] = ()


@dataclass(frozen=True, slots=True)
class Mistake:
    """A known-wrong solution: its source in each framework where it exists, and what a teacher
    would say.
    """

    name: str
    hint: str
    verdict: Outcome
    sources: Mapping[Framework, str]
    # its results are drawn anew each time: it is known by the cases that it fails, not by its
    # tensors
    random: bool = False


@dataclass(frozen=True, slots=True)
class Words:
    """What a learner reads of a problem in another language, beside its statement: by the names in
    mistakes.toml and cases.py.
    """

    hints: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rules:
    """What a submission to this problem may not use, on top of what is forbidden everywhere
    (`rules.py`).
    """

    forbid: tuple[str, ...] = ()
    imports: bool = True


@dataclass(frozen=True, slots=True)
class Problem:
    """Everything an instructor wrote, read and checked for form; whether it is fit to use is for
    `verify` to say.
    """

    slug: str
    title: str
    title_zh: str
    track: str
    order: int
    difficulty: str
    frameworks: tuple[Framework, ...]
    kind: Kind
    source: str
    requires: tuple[str, ...]
    entries: tuple[Entry, ...]
    shapes: Mapping[str, tuple[str, ...]]
    limits: Limits
    rules: Rules
    tolerance: float | None
    statements: Mapping[str, str]  # by language: en, zh
    starters: Mapping[Framework, str]
    references: Mapping[Framework, str]
    cases: str  # the source of cases.py
    mistakes: tuple[Mistake, ...]
    digest: str
    folder: Path
    words: Mapping[str, Words] = field(default_factory=dict)  # by language: zh

    def framework(self, name: str) -> Framework:
        """Returns the framework of that name.

        Raises `UsageError` when the problem does not have it.
        """
        if name not in self.frameworks:
            raise UsageError(
                f"{self.slug} is not for {name}; it is for {' and '.join(self.frameworks)}"
                " (--framework)"
            )
        return Framework(name)

    def entry(self, name: str = "") -> Entry:
        """The entry point of that name; the first one when `name` is empty. Raises `KeyError`."""
        if not name:
            return self.entries[0]
        return {e.name: e for e in self.entries}[name]


def default_bank() -> Path:
    """The bank to use when none is named: GRADE_BANK, else `problems/` here or above, else the one
    beside this package.
    """
    named = os.environ.get("GRADE_BANK")
    if named:
        return Path(named)
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "problems").is_dir() and (folder / "reference").is_dir():
            return folder
    return Path(__file__).resolve().parent.parent


def bank_root(bank: Path) -> Path:
    """The folder that holds `problems/` and `reference/`; `bank` may be that folder or its
    `problems/`.
    """
    root = bank.parent if bank.name == "problems" and not (bank / "problems").is_dir() else bank
    if not (root / "problems").is_dir():
        raise UsageError(
            f"{bank}: no problem bank here; a bank is a folder with problems/ and reference/ in it"
            " (--bank DIR or GRADE_BANK)"
        )
    return root


def slugs(bank: Path) -> list[str]:
    """The slugs of a bank, in alphabetical order."""
    return sorted(p.parent.name for p in (bank_root(bank) / "problems").glob("*/problem.toml"))


def load_bank(bank: Path) -> list[Problem]:
    """Every problem of a bank in teaching order.

    Raises `ProblemError` for the first that is malformed.
    """
    return sorted(
        (load(bank, slug) for slug in slugs(bank)),
        key=lambda p: (TRACKS.index(p.track), p.order, p.slug),
    )


def load(bank: Path, slug: str) -> Problem:
    """Read one problem.

    Raises `UsageError` when there is none of that name, `ProblemError` when it is malformed.
    """
    root = bank_root(bank)
    folder, reference = root / "problems" / slug, root / "reference" / slug
    if not slug or "/" in slug or slug.startswith(".") or not (folder / "problem.toml").exists():
        raise UsageError(
            f"no problem '{slug}' in {root / 'problems'}{did_you_mean(slug, slugs(bank))}; `grade"
            " list` shows them all"
        )
    return _read(slug, folder, reference)


def _read(slug: str, folder: Path, reference: Path) -> Problem:
    files = _files(folder, reference)
    toml = _Table(_toml(folder / "problem.toml"), folder / "problem.toml")
    frameworks = tuple(
        Framework(name) for name in toml.strings("frameworks", choices=[str(f) for f in Framework])
    )
    if not frameworks:
        raise ProblemError(
            f"{folder / 'problem.toml'}: 'frameworks' is empty; list numpy, torch or both"
        )
    kind = Kind(toml.string("kind", "function", choices=[str(k) for k in Kind]))
    references = {
        f: _text(reference / f"{f}.py", "every declared framework needs a reference")
        for f in frameworks
    }
    mistakes = _mistakes(folder, references)
    entries = _entries(toml.table("entry"), kind)
    problem = Problem(
        slug=slug,
        title=toml.string("title"),
        title_zh=toml.string("title_zh", ""),
        track=toml.string("track", choices=TRACKS),
        order=toml.integer("order", 99),
        difficulty=toml.string("difficulty", choices=DIFFICULTIES),
        frameworks=frameworks,
        kind=kind,
        source=toml.string("source"),
        requires=toml.strings("requires", ()),
        entries=entries,
        shapes=_shapes(toml.table("shapes", {}), entries, kind),
        limits=_limits(toml.table("limits", {})),
        rules=_rules(toml.table("rules", {})),
        tolerance=toml.number("tolerance", None),
        statements=_statements(folder),
        starters={
            f: _text(folder / f"starter_{f}.py", "every declared framework needs a starter")
            for f in frameworks
        },
        references=references,
        cases=_text(folder / "cases.py", "def cases(rng) yields the test cases"),
        mistakes=mistakes,
        digest=_digest(files),
        folder=folder,
        words=_words(folder, mistakes),
    )
    toml.finish()
    return problem


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """` (did you mean 'x'?)` when a known word is close, else nothing."""
    close = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f" (did you mean '{close[0]}'?)" if close else ""


def _files(folder: Path, reference: Path) -> dict[str, bytes]:
    found = {}
    for base, label in ((folder, "problems"), (reference, "reference")):
        for path in sorted(base.rglob("*")):
            if path.is_file() and path.suffix in EXTENSIONS and "__pycache__" not in path.parts:
                found[f"{label}/{path.relative_to(base).as_posix()}"] = path.read_bytes()
    return found


def _digest(files: Mapping[str, bytes]) -> str:
    whole = hashlib.sha256()
    for name, content in sorted(files.items()):
        whole.update(f"{name}\0{len(content)}\0".encode() + content)
    return whole.hexdigest()


def _text(path: Path, why: str) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ProblemError(f"{path}: this file is missing; {why}") from None
    except IsADirectoryError:
        raise ProblemError(f"{path}: this is a directory; it must be a file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ProblemError(f"{path}: cannot be read as UTF-8 text: {error}") from None


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(_text(path, "see docs/problem-format.md"))
    except tomllib.TOMLDecodeError as error:
        raise ProblemError(f"{path}: not valid TOML: {error}") from None


def _statements(folder: Path) -> dict[str, str]:
    found = {"en": _text(folder / "statement.md", "the learner reads it")}
    if (folder / "statement.zh.md").exists():
        found["zh"] = _text(folder / "statement.zh.md", "")
    return found


def _words(folder: Path, mistakes: tuple[Mistake, ...]) -> dict[str, Words]:
    path = folder / "hints.zh.toml"
    if not path.exists():
        return {}
    top = _Table(_toml(path), path)
    hints, cases = top.table("mistakes", {}), top.table("cases", {})
    top.finish()
    told = {
        mistake.name: hints.string(mistake.name)
        for mistake in mistakes
        if mistake.name in hints.values
    }
    for name in hints.values:
        if name not in told:
            raise ProblemError(
                f"{hints.where(name)}: mistakes.toml has no such"
                f" mistake{did_you_mean(name, [m.name for m in mistakes])}"
            )
    rows = {name: cases.table(name) for name in cases.values}
    words = Words(
        told,
        {n: row.string("name") for n, row in rows.items()},
        {n: row.string("note") for n, row in rows.items()},
    )
    for row in rows.values():
        row.finish()
    return {"zh": words}


def _entries(table: "_Table", kind: Kind) -> tuple[Entry, ...]:
    entries = []
    for name in table.values:
        entry = table.table(name)
        returns = entry.strings("returns")
        params = _parameters(entry, "params") if kind is not Kind.VALUES else ()
        init = _parameters(entry, "init") if kind is Kind.MODULE else ()
        entry.finish()
        if not returns:
            raise ProblemError(f"{entry.where('returns')} is empty; name what is returned")
        entries.append(Entry(name, params, returns, init))
    if not entries:
        raise ProblemError(
            f"{table.path}: no entry point; add a table [entry.NAME] with params and returns"
        )
    return tuple(entries)


def _parameters(entry: "_Table", key: str) -> tuple[Parameter, ...]:
    texts = entry.strings(key, ())
    try:
        (function,) = ast.parse(f"def f({', '.join(texts)}): pass").body
        arguments = function.args  # type: ignore[attr-defined]
    except (ValueError, SyntaxError):
        arguments = ast.arguments([], [], None, [], [], None, [])
    if len({a.arg for a in arguments.args}) != len(texts):
        raise ProblemError(
            f"{entry.where(key)}: {list(texts)} are not parameters; write them as in a def, e.g."
            " 'mask=None'"
        )
    optional = len(arguments.defaults)
    names = [a.arg for a in arguments.args]
    return tuple(Parameter(name, i < len(names) - optional) for i, name in enumerate(names))


def _shapes(table: "_Table", entries: tuple[Entry, ...], kind: Kind) -> dict[str, tuple[str, ...]]:
    known = list(
        dict.fromkeys(
            name for e in entries for name in (*(p.name for p in (*e.init, *e.params)), *e.returns)
        )
    )
    found = {}
    for name in table.values:
        # a module's parameters are named by its cases
        if name not in known and not (kind is Kind.MODULE and "." in name):
            meant = f"{did_you_mean(name, known)}; there are {', '.join(known)}"
            raise ProblemError(
                f"{table.where(name)} is neither passed nor returned by an entry point{meant}"
            )
        value = table.take(name)
        forms = [value] if isinstance(value, str) else value
        if not isinstance(forms, list) or not all(isinstance(form, str) for form in forms):
            raise ProblemError(
                f"{table.where(name)}: write a shape as 'B L D', or a list of such forms"
            )
        found[name] = tuple(forms)
    return found


def _limits(table: "_Table") -> Limits:
    values: dict[str, Any] = {}
    for f in fields(Limits):
        default = f.default
        value = table.number(f.name, default)
        if value is None or value <= 0:
            raise ProblemError(f"{table.where(f.name)} must be above 0")
        values[f.name] = float(value) if isinstance(default, float) else int(value)
    if "total_s" not in table.values:  # one call may take as long as it is given
        values["total_s"] = max(values["total_s"], values["wall_s"])
    table.finish()
    return Limits(**values)


def _rules(table: "_Table") -> Rules:
    rules = Rules(table.strings("forbid", ()), table.boolean("imports", True))
    table.finish()
    return rules


def _mistakes(folder: Path, references: Mapping[Framework, str]) -> tuple[Mistake, ...]:
    path = folder / "mistakes.toml"
    top = _Table(_toml(path), path)
    rows = top.take("mistake", [])
    top.finish()
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise ProblemError(f"{path}: write each mistake as a table [[mistake]]")
    mistakes = tuple(
        _mistake(_Table(row, path, f"mistake {i + 1}"), folder, references)
        for i, row in enumerate(rows)
    )
    names = [m.name for m in mistakes]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise ProblemError(f"{path}: two mistakes are called '{twice}'; rename one")
    return mistakes


def _mistake(row: "_Table", folder: Path, references: Mapping[Framework, str]) -> Mistake:
    name = row.string("name")
    row.label = f"mistake '{name}'"
    sources = {}
    for framework, reference in references.items():
        if framework in row.values:
            sources[framework] = _wrong_source(row.table(framework), folder, reference)
    if not sources:
        raise ProblemError(
            f"{row.path}: mistake '{name}' has no source; add numpy = {{ find = …, replace = … }}"
            " or torch = …"
        )
    verdict = Outcome(
        row.string(
            "verdict",
            "wrong_answer",
            choices=[str(o) for o in Outcome if o not in (Outcome.ACCEPTED, Outcome.JUDGE_ERROR)],
        )
    )
    hint = row.string("hint", "")
    random = row.boolean("random", False)
    row.finish()
    return Mistake(name, hint, verdict, sources, random)


def _wrong_source(edit: "_Table", folder: Path, reference: str) -> str:
    file = edit.string("file", "")
    if file:
        edit.finish()
        if Path(file).name != file:
            raise ProblemError(
                f"{edit.where('file')}: '{file}' must be the plain name of a file in mistakes/"
            )
        return _text(folder / "mistakes" / file, "a mistake names it")
    find, replace = edit.string("find"), edit.string("replace")
    edit.finish()
    count = reference.count(find) if find else 0
    if count != 1:
        raise ProblemError(
            f"{edit.where('find')}: {find!r} occurs {count} times in the reference; it must occur"
            " exactly once"
        )
    return reference.replace(find, replace)


_MISSING = object()


class _Table:
    """A TOML table that is read key by key; `finish` refuses what nobody asked for."""

    def __init__(self, values: Mapping[str, Any], path: Path, label: str = "") -> None:
        self.values, self.path, self.label = values, path, label
        self.asked: list[str] = []

    def where(self, key: str) -> str:
        return f"{self.path}: {self.label + ': ' if self.label else ''}'{key}'"

    def take(self, key: str, default: Any = _MISSING) -> Any:
        self.asked.append(key)
        value = self.values.get(key, default)
        if value is _MISSING:
            raise ProblemError(f"{self.where(key)} is missing; see docs/problem-format.md")
        return value

    def string(self, key: str, default: Any = _MISSING, choices: Iterable[str] = ()) -> str:
        value = self._typed(key, default, str, "a string")
        known = list(choices)
        if known and value not in known:
            raise ProblemError(
                f"{self.where(key)} is '{value}'{did_you_mean(value, known)}; choose from"
                f" {', '.join(known)}"
            )
        return str(value)

    def strings(
        self, key: str, default: Any = _MISSING, choices: Iterable[str] = ()
    ) -> tuple[str, ...]:
        value = self.take(key, default)
        if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
            raise ProblemError(f"{self.where(key)} must be a list of strings")
        known = list(choices)
        for item in value:
            if known and item not in known:
                raise ProblemError(
                    f"{self.where(key)} has '{item}'{did_you_mean(item, known)}; choose from"
                    f" {', '.join(known)}"
                )
        return tuple(value)

    def integer(self, key: str, default: Any = _MISSING) -> int:
        return int(self._typed(key, default, int, "an integer"))

    def number(self, key: str, default: Any = _MISSING) -> float | int | None:
        value = self.take(key, default)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
            raise ProblemError(f"{self.where(key)} is {value!r}; it must be a number")
        return value

    def boolean(self, key: str, default: Any = _MISSING) -> bool:
        return bool(self._typed(key, default, bool, "true or false"))

    def table(self, key: str, default: Any = _MISSING) -> "_Table":
        return _Table(
            self._typed(key, default, dict, "a table"),
            self.path,
            f"{self.label + ' ' if self.label else ''}[{key}]",
        )

    def finish(self) -> None:
        for key in self.values:
            if key not in self.asked:
                raise ProblemError(
                    f"{self.path}: {self.label + ': ' if self.label else ''}unknown key"
                    f" '{key}'{did_you_mean(key, self.asked)}"
                )

    def _typed(self, key: str, default: Any, kind: type, name: str) -> Any:
        value = self.take(key, default)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise ProblemError(f"{self.where(key)} is {value!r}; it must be {name}")
        return value
