"""Reads the entry points of a problem, and the shapes of what they take and return."""

import ast

from grader.errors import ProblemError
from grader.findings.text import T_
from grader.model import Kind
from grader.problem.definition import Entry, Parameter
from grader.problem.spelling import did_you_mean
from grader.problem.table import Table


def read_entries(table: Table, kind: Kind, driven: bool = False) -> tuple[Entry, ...]:
    """Reads the tables [entry.NAME], in the order of the file.

    `driven`: a driver calls them, so that they need not say what they return. Raises
    `ProblemError`.
    """
    entries = tuple(_entry(name, table.table(name), kind, driven) for name in table.values)
    if not entries:
        words = T_(
            "%(path)s: no entry point; add a table [entry.NAME] with params and returns",
            path=str(table.path),
        )
        raise ProblemError(words)
    return entries


def _entry(name: str, entry: Table, kind: Kind, driven: bool) -> Entry:
    returns = entry.strings("returns", ()) if driven else entry.strings("returns")
    params = parameters(entry, "params") if kind is not Kind.VALUES else ()
    init = parameters(entry, "init") if kind in (Kind.MODULE, Kind.CLASS) else ()
    constructed = kind is Kind.CLASS and "init" in entry.values
    nested = read_nested(entry, returns)
    if "init" in entry.values and kind in (Kind.FUNCTION, Kind.VALUES):
        words = T_(
            '%(key)s is for a class, and kind is "%(kind)s"; write kind = "class" or'
            " kind = \"module\", or leave 'init' out",
            key=entry.where("init"),
            kind=str(kind),
        )
        raise ProblemError(words)
    entry.reject_unknown()
    if not returns and not driven:
        place = entry.where("returns")
        raise ProblemError(T_("%(key)s is empty; name what is returned", key=place))
    return Entry(name, params, returns, init, nested, constructed)


def read_nested(table: Table, returns: tuple[str, ...]) -> tuple[str, ...]:
    """Reads which results are dicts, lists or tuples. Raises `ProblemError`."""
    return table.strings("nested", (), choices=returns)


def parameters(entry: Table, key: str) -> tuple[Parameter, ...]:
    """Reads a list of parameters, written as in a def. Raises `ProblemError`."""
    texts = entry.strings(key, ())
    try:
        (function,) = ast.parse(f"def f({', '.join(texts)}): pass").body
        arguments = function.args  # type: ignore[attr-defined]
    except (ValueError, SyntaxError):
        arguments = ast.arguments([], [], None, [], [], None, [])
    if len({a.arg for a in arguments.args}) != len(texts):
        words = T_(
            "%(key)s: %(texts)s are not parameters; write them as in a def, e.g. 'mask=None'",
            key=entry.where(key),
            texts=str(list(texts)),
        )
        raise ProblemError(words)
    optional = len(arguments.defaults)
    names = [a.arg for a in arguments.args]
    return tuple(Parameter(name, i < len(names) - optional) for i, name in enumerate(names))


def read_shapes(table: Table, entries: tuple[Entry, ...], kind: Kind) -> dict[str, tuple[str, ...]]:
    """Reads the table [shapes]: for each name, one or more forms such as 'B L D'.

    Raises `ProblemError` also for a name that no entry point takes or returns.
    """
    known = _names(entries)
    shapes = {}
    for name in table.values:
        # cases.py names the weights of a module
        named = name in known or _root(name) in known
        if not named and not (kind is Kind.MODULE and "." in name):
            words = T_(
                "%(key)s is neither passed nor returned by an entry point%(meant)s; there are"
                " %(known)s",
                key=table.where(name),
                meant=did_you_mean(name, known),
                known=", ".join(known),
            )
            raise ProblemError(words)
        shapes[name] = _forms(table, name)
    return shapes


def _root(name: str) -> str:
    from grader.case import root  # imports NumPy, which finding most problems does without

    return root(name)


def _names(entries: tuple[Entry, ...]) -> list[str]:
    names: dict[str, None] = {}
    for entry in entries:
        taken = (parameter.name for parameter in (*entry.init, *entry.params))
        names |= dict.fromkeys((*taken, *entry.returns))
    return list(names)


def _forms(table: Table, name: str) -> tuple[str, ...]:
    value = table.value(name)
    forms = [value] if isinstance(value, str) else value
    if not isinstance(forms, list) or not all(isinstance(form, str) for form in forms):
        words = T_(
            "%(key)s: write a shape as 'B L D', or a list of such forms", key=table.where(name)
        )
        raise ProblemError(words)
    return tuple(forms)
