"""Every route × every role × objects of one's own class, of another and of nobody. The expectations
are in route_matrix.txt.

`run(world)` asks everything and gives back what differs; `python -m tests.attacks.web` prints the
whole matrix.
"""

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote_plus, urlsplit

from flask import url_for
from werkzeug.test import TestResponse

from tests.server.world import MISSING, PERSONS, World, problem_zip

TABLE = Path(__file__).with_name("route_matrix.txt")
SLOT = re.compile(r"\{(\w+)\}")
# forms of a learning platform: a signed state in the place of the form's token
BY_PROOF = ("lti.login", "lti.launch")
SIGN_IN, REFUSED = "sign", "403"


@dataclass(frozen=True, slots=True)
class Case:
    """A line of the table: how to fill a route's arguments, and what each role gets."""

    endpoint: str
    method: str
    parts: tuple[str, ...]
    expected: dict[str, str]  # by person
    missing: str  # where there is no such object, for those whom their role lets in
    exceptions: dict[str, str] = field(default_factory=dict)  # by person, in its place

    @property
    def name(self) -> str:
        """For a test's name and the printed matrix."""
        return " ".join((self.method, self.endpoint, *self.parts))


@dataclass(frozen=True, slots=True)
class Request:
    """A case with its objects."""

    path: str
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Result:
    """What somebody got, and whether anything in the database is different now."""

    status: str
    changed: dict[str, int]
    # learners of another's class who are named, or whose source is shown
    shown: tuple[str, ...] = ()


def cases() -> list[Case]:
    """The lines of the table."""
    found = []
    for line in TABLE.read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        about, parts, statuses = (column.strip() for column in line.split("|"))
        method, endpoint = about.split()
        *of_persons, missing = statuses.split()
        cells = [cell.partition("/") for cell in of_persons]
        expected = dict(zip(PERSONS, (own for own, _, _ in cells), strict=True))
        elsewhere = {name: none for name, (_, _, none) in zip(PERSONS, cells, strict=True) if none}
        found.append(Case(endpoint, method, tuple(parts.split()), expected, missing, elsewhere))
    return found


def routes(world: World) -> set[tuple[str, str]]:
    """(method, endpoint) of all that the application answers."""
    rules = world.app.url_map.iter_rules()
    return {
        (method, rule.endpoint) for rule in rules for method in rule.methods - {"HEAD", "OPTIONS"}
    }


def fill(world: World, case: Case, *, missing: bool = False) -> Request:
    """The request of a case, about objects of lea and tess or about none."""
    values = (
        {name: MISSING[type(value)] for name, value in world.objects.items()}
        if missing
        else world.objects
    )

    def text(part: str) -> str:
        return unquote_plus(SLOT.sub(lambda slot: str(values[slot[1]]), part))

    (rule,) = [
        r
        for r in world.app.url_map.iter_rules()
        if r.endpoint == case.endpoint and case.method in r.methods
    ]
    arguments = {name: values[name] for name in rule.arguments}
    query: dict[str, str] = {}
    form: list[tuple[str, str]] = []
    options: dict[str, Any] = {}
    for part in case.parts:
        name, _, value = part.lstrip("@?").partition("=")
        if part.startswith("@"):
            arguments[name] = text(value)
        elif part.startswith("?"):
            query[name] = text(value)
        elif value == "ZIP":
            options["data"] = (
                problem_zip()
                if name == "body"
                else {name: (io.BytesIO(problem_zip()), "problem.zip")}
            )
        else:
            form.append((name, text(value)))
    with world.app.test_request_context():
        path = url_for(case.endpoint, **arguments)
    if form and case.endpoint.startswith(("api.", "explored.", "publish.")):
        options["json"] = dict(form)
    elif form:
        fields: dict[str, list[str]] = {}
        for name, value in form:
            fields.setdefault(name, []).append(value)
        options["data"] = fields
    return Request(path, options | {"query_string": query})


def status_of(answer: TestResponse) -> str:
    """The status, or `sign` where one is sent to sign in first."""
    sent = (
        urlsplit(answer.location).path == "/sign-in"
        if answer.status_code == 302 and answer.location
        else False
    )
    return (
        SIGN_IN
        if sent or (answer.status_code == 401 and answer.headers.get("WWW-Authenticate"))
        else str(answer.status_code)
    )


def ask(world: World, person: str, case: Case, *, missing: bool = False, **options: Any) -> Result:
    """One cell. Everything is as before afterwards."""
    request = fill(world, case, missing=missing)
    answer = world.ask(person, case.method, request.path, **request.options, **options)
    shown = tuple(
        name
        for name in strangers(case, person)
        if re.search(rf"\b{name}\b", answer.get_data().decode(errors="replace"))
    )
    result = Result(status_of(answer), world.changed(), shown)
    if result.changed:
        world.restore()
    return result


STRANGERS = {
    "ada": [],
    "lea": ["bob"],
    "tess": ["bob"],
    "theo": ["lea"],
    "bob": ["lea"],
    "visitor": ["lea", "bob"],
}


def strangers(case: Case, person: str) -> list[str]:
    """The learners of whom this answer must say nothing: where the request names one itself, it
    says that name back.
    """
    if case.endpoint == "auth.reset":
        return []  # a reset link names its account to whoever has it
    return [name for name in STRANGERS[person] if name not in " ".join(case.parts)]


def of_missing(case: Case, person: str) -> str:
    """Where the object is not there: what one's role decides comes first."""
    own = case.expected[person]
    if person in case.exceptions:
        return case.exceptions[person]
    return own if own in (SIGN_IN, REFUSED) else case.missing


def walk(world: World, case: Case, *, bearer: bool = False) -> Iterator[tuple[str, str, Result]]:
    """(who and what, expected, result) for each role."""
    for person, expected in case.expected.items():
        yield person, expected, ask(world, person, case, bearer=bearer)
        if case.missing != "-":
            yield (
                f"{person}, missing",
                of_missing(case, person),
                ask(world, person, case, missing=True, bearer=bearer),
            )


def faults(case: Case, walked: list[tuple[str, str, Result]]) -> list[str]:
    """What is not as the table has it; what a refusal or a GET changed; what broke."""
    found = []
    for about, expected, result in walked:
        if result.status != expected:
            found.append(f"{case.name}: {about}: {result.status}, expected {expected}")
        if result.changed and (
            case.method == "GET" or result.status == SIGN_IN or int(result.status) >= 400
        ):
            found.append(f"{case.name}: {about}: {result.status}, and changed {result.changed}")
        if result.shown:
            found.append(f"{case.name}: {about}: names {result.shown}")
        if result.status.startswith("5") and case.endpoint != "health.ready":
            found.append(f"{case.name}: {about}: broke")
    return found
