"""Every route × every role × objects of one's own class, of another and of nobody
(route_matrix.txt). A new route must be listed.
"""

import re
import uuid
from collections.abc import Iterator
from typing import Any

import pytest

from server.models.accounts import User
from tests.attacks.web_routes import site
from tests.server import route_matrix
from tests.server.route_matrix import BY_PROOF, Case, ask, cases, faults, fill, walk
from tests.server.world import PERSONS, World

CASES = cases()
FORMS = [case for case in CASES if case.method != "GET" and case.endpoint not in BY_PROOF]
OF_PROGRAMS = [
    case for case in CASES if case.endpoint.startswith(("api.", "explored.", "publish."))
]
PAGES = [
    case
    for case in CASES
    if case.method == "GET" and case.endpoint != "metrics.show" and case not in OF_PROGRAMS
]


@pytest.fixture(scope="module")
def world(cluster: Any) -> Iterator[World]:
    """One site for all: each cell leaves it as it was."""
    if cluster is None:
        with site() as found:
            yield found
        return
    name = f"t{uuid.uuid4().hex}"
    with site(cluster.create(name, "migrated")) as found:
        yield found
    cluster.run(f"DROP DATABASE {name} WITH (FORCE)")


def test_every_route_is_listed(world: World) -> None:
    assert route_matrix.routes(world) == {(case.method, case.endpoint) for case in CASES}


def test_a_change_is_seen_and_taken_back(world: World) -> None:
    assert world.changed() == {}
    with world.service.database.write() as session:
        session.get_one(User, world.objects["lea_id"]).display_name = "somebody else"
    assert world.changed().keys() == {"users"}
    world.restore()
    assert world.changed() == {}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_matrix(world: World, case: Case) -> None:
    assert faults(case, list(walk(world, case))) == []


@pytest.mark.parametrize("case", OF_PROGRAMS, ids=lambda case: case.name)
def test_a_token_opens_what_its_account_may(world: World, case: Case) -> None:
    walked = [cell for cell in walk(world, case, bearer=True) if not cell[0].startswith("visitor")]
    assert faults(case, walked) == []
    unknown = ask(
        world, "visitor", case, bearer=True, headers={"Authorization": "Bearer aj_nobodys"}
    )
    assert (unknown.status, unknown.changed) == ("sign", {})


@pytest.mark.parametrize("case", PAGES, ids=lambda case: case.name)
def test_a_token_opens_the_api_only(world: World, case: Case) -> None:
    assert {ask(world, person, case, bearer=True).status for person in PERSONS} == {
        case.expected["visitor"]
    }


FORGED = {"none": "", "invented": "forged", "of somebody else": "bob"}


@pytest.mark.parametrize("token", FORGED)
@pytest.mark.parametrize("case", FORMS, ids=lambda case: case.name)
def test_a_forged_form_does_nothing(world: World, case: Case, token: str) -> None:
    """As whoever the form would be accepted from; a session's cookie alone does not open the API
    either.
    """
    csrf = world.identities["bob"].csrf if FORGED[token] == "bob" else FORGED[token]
    able = [
        person for person, status in case.expected.items() if status[0] in "23" and person != "bob"
    ] or ["ada"]
    for person in able:
        result = ask(world, person, case, csrf=csrf)
        assert (result.status, result.changed) == ("400", {}), person


LONG = "q" * 3000
# in a page that refuses one of these, what was written into its field is there again
WRITTEN = {"note", "reason", "title"}


def said(world: World, case: Case, person: str, name: str) -> tuple[str, set[str]]:
    """The answer to a long text in a field, and what was stored of the text."""
    request = fill(world, case)
    kind = "json" if "json" in request.options else "data"
    options = request.options | {kind: {**request.options.get(kind, {}), name: LONG}}
    answer = world.ask(person, case.method, request.path, **options)
    stored = set[str]()
    if world.changed():
        stored = set(re.findall("q{30,}", str(list(world.rows().values()))))
        world.restore()
    text = answer.get_data().decode(errors="replace")
    return text if answer.status_code == 422 else "", stored


@pytest.mark.parametrize("case", FORMS, ids=lambda case: case.name)
def test_a_long_text_is_stored_whole_or_refused(world: World, case: Case) -> None:
    able = [
        person for person, status in case.expected.items() if status[0] == "2" or status == "303"
    ]
    if not able or "body=ZIP" in case.parts:
        return
    for name in {part.partition("=")[0] for part in case.parts if part[0] not in "@?"} | WRITTEN:
        refused, stored = said(world, case, able[-1], name)
        assert stored <= {LONG}, (name, {len(text) for text in stored})
        if name in WRITTEN and refused and case not in OF_PROGRAMS:
            assert LONG in refused, f"{name} is not in the form any more"


def test_somebody_is_let_in_everywhere() -> None:
    """A form that nobody could send would show nothing above."""
    by_endpoint: dict[tuple[str, str], set[str]] = {}
    for case in CASES:
        by_endpoint.setdefault((case.method, case.endpoint), set()).update(case.expected.values())
    closed = {
        (method, name)
        for (method, name), seen in by_endpoint.items()
        if not any(status[0] in "23" for status in seen)
    }
    # nothing judges here; the numbers have a token of their own; a launch needs a platform
    # (tests/server/lti/test_lti.py); a lesson is computed by a worker (web/test_lessons.py); the
    # model needs eight problems of the bank (web/test_model.py); a visitor's run is known to the
    # browser that sent it (web/test_start.py); a list of people is asked of a platform
    # (tests/server/lti/test_memberships.py)
    assert closed == {
        ("GET", "health.ready"),
        ("GET", "metrics.show"),
        ("GET", "lessons.show"),
        ("GET", "start.live"),
        ("POST", "lti.launch"),
        ("POST", "memberships.ask"),
        ("POST", "model.certify"),
        ("POST", "model.write"),
    }
