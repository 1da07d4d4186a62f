"""docs/server.md, "Who may do what to whom": each line done as each role. May they? Is it logged?

Is the person told?
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.attacks.web_routes import site
from tests.server.route_matrix import SIGN_IN, Case, cases, fill, status_of
from tests.server.world import PERSONS, World

PAGE = (
    (Path(__file__).parents[2] / "docs" / "server.md")
    .read_text()
    .split("## Who may do what to whom")[1]
    .split("\n## ")[0]
)
ABLE = {
    "admins": {"ada"},
    "instructors": {"tess", "theo"},
    "the course's teachers": {"tess"},
    "the problem's publisher": {"tess"},
    "who began it": {"tess"},
    "the draft's owner": {"tess"},
    "whoever has the link": set(PERSONS),
    "nobody without the signature": set[str](),
}
ALONE = """
    start.run learn.give_up model.write model.certify model.withdraw practice.begin practice.answer
    submit.send submit.cancel submit.ask_again api.submit api.cancel hints.ask lessons.read questions.answer explorations.begin
    explored.explore study.join study.start
    memberships.ask auth.sign_in auth.sign_out profile.display_name profile.password profile.make_token profile.revoke_token profile.dismiss
    courses.create courses.create_from draft_list.begin draft_list.upload drafts.preview drafts.verify publish.send versions.edit lti.login lti.pick
    courses.home
""".split()  # what touches nobody but whoever does it
# GETs that show people are in the table, too
OF_PERSONS = (
    "courses",
    "roster",
    "groups",
    "histogram",
    "gradebook",
    "similar",
    "rejudges",
    "manage",
)


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table."""

    action: str
    route: str
    fields: tuple[str, ...]
    able: frozenset[str]
    logged: str
    told: str

    @property
    def case(self) -> Case:
        """The line of route_matrix.txt for it: it has the other fields of the form."""
        method, path = self.route.split()
        found = [
            c
            for c in cases()
            if c.method == method and RULES[c.endpoint] == path and set(self.fields) <= set(c.parts)
        ]
        assert found, f"no line of route_matrix.txt for {self.route} {self.fields}"
        return found[0]

    @property
    def subject(self) -> str:
        """Whom it touches: a name in the fields, the owner of a draft or a problem, else lea."""
        named = re.findall(r"user_id=\{(\w+)_id\}|name=(\w+)", " ".join(self.fields))
        of_tess = "/drafts/" in self.route or "roll-back" in self.route
        return next(("".join(names) for names in named), "tess" if of_tess else "lea")


def table(columns: int) -> Iterator[list[str]]:
    """The cells of the lines with so many columns, the head left out."""
    for line in PAGE.splitlines():
        cells = (
            [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        )
        if len(cells) == columns and not set(cells[0]) <= {"-"} and cells[0] != "action":
            yield cells


def rows() -> list[Row]:
    """The table of routes."""
    found = []
    for action, route, fields, able, logged, told in table(6):
        persons = frozenset[str]().union(*(ABLE[name.strip()] for name in able.split(",")))
        found.append(
            Row(
                action,
                route.strip("`"),
                tuple(fields.strip("`").split()),
                persons,
                logged.strip("`"),
                told,
            )
        )
    return found


RULES: dict[str, str] = {}


@pytest.fixture(scope="module", autouse=True)
def world() -> Iterator[World]:
    """One site for all lines: each leaves it as it was."""
    with site() as found:
        RULES.update(
            {
                rule.endpoint: re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
                for rule in found.app.url_map.iter_rules()
            }
        )
        yield found


def told_to(world: World, name: str) -> set[str]:
    """The kinds of notices of somebody that are new, or say something else now."""
    number = world.objects[f"{name}_id"]
    before = {(row["id"], row["kind"]) for row in world.saved["notices"]}
    return {
        row["kind"]
        for row in world.rows("notices")["notices"]
        if row["user_id"] == number and (row["id"], row["kind"]) not in before
    }


def logged_by(world: World, person: str | None) -> set[str]:
    """The actions of the new lines of the audit log; every one must name who did it."""
    return {
        row["action"]
        for row in world.added("deeds")
        if person is None or row["by"] == world.objects[f"{person}_id"]
    }


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row.action}")
@pytest.mark.parametrize("person", PERSONS)
def test_row(world: World, row: Row, person: str) -> None:
    request = fill(world, row.case)
    answer = world.ask(person, row.case.method, request.path, **request.options)
    status, may = status_of(answer), person in row.able
    try:
        assert (status[0] in "23") is may, status
        if not may:
            assert status == SIGN_IN or status in ("403", "404", "422")
            assert world.changed() == {}
            return
        if row.case.method == "GET":
            assert (row.logged, world.changed()) == ("–", {})
        _check_log(world, row, person)
        _check_told(world, row, person)
    finally:
        if world.changed():
            world.restore()


def _check_log(world: World, row: Row, person: str) -> None:
    if row.logged == "–":
        assert logged_by(world, None) == set()
    elif row.logged == "reset used":  # whoever has the link acts as its account
        assert row.logged in logged_by(world, row.subject)
    elif row.logged == "invitation used":
        assert row.logged in logged_by(world, None)
    elif person != row.subject or row.logged != "draft":  # one's own draft is one's own affair
        assert logged_by(world, person) == {row.logged}


def _check_told(world: World, row: Row, person: str) -> None:
    kinds = told_to(world, row.subject)
    if row.told == "–":
        assert kinds == set()
    elif row.told.startswith("notice"):
        kind = row.told.removeprefix("notice").strip(" `")
        own = person == row.subject and kind != "reset_used"
        assert kinds == (set() if own else {kind})
        if not own:
            assert _reads(world, row.subject, kind, person)
    else:
        found = re.fullmatch(r"page `([^`]+)`: “([^”]+)”", row.told)
        assert found is not None, row.told
        path = re.sub(r"\{(\w+)\}", lambda slot: str(world.objects[slot[1]]), found[1])
        assert found[2] in world.ask(row.subject, "GET", path).text


def _reads(world: World, subject: str, kind: str, person: str) -> bool:
    """Whether the person's next page says it, with the name of who did it, after signing in again
    where sessions have ended.
    """
    actor = {"reset_used": "tess"}.get(kind, person)  # of a link: who made it
    with world.service.database.write() as session:
        from server.models.accounts import User
        from server.services import accounts
        from tests.server.conftest import PASSWORD

        user = session.get_one(User, world.objects[f"{subject}_id"])
        ended = (
            user.session_key
            != next(r for r in world.saved["users"] if r["id"] == user.id)["session_key"]
        )
        user.active, user.password_hash = True, accounts.hash_password(PASSWORD, "")
    identity = world._sign_in(subject) if ended else None
    before = world.identities[subject]
    world.identities[subject] = identity or before
    try:
        page = world.ask(subject, "GET", "/").text
        again = world.ask(subject, "GET", "/profile").text
    finally:
        world.identities[subject] = before
    shown = re.findall(rf'data-notice="{kind}"><p>(.*?)</p>', page)
    return bool(shown) and f" {actor}," in shown[0] and shown[0] in again


@pytest.mark.parametrize(
    ("action", "command", "logged", "told"),
    [tuple(cells) for cells in table(4)],
    ids=lambda text: text,
)
def test_command(
    world: World, tmp_path: Path, action: str, command: str, logged: str, told: str
) -> None:
    words = [
        str(tmp_path / "file") if word == "FILE" else word for word in command.strip("`").split()
    ]
    done = world.app.test_cli_runner().invoke(args=words)
    try:
        assert done.exit_code == 0, done.output
        assert logged_by(world, None) == {logged.strip("`")}
        assert told_to(world, "lea") == (
            {told.removeprefix("notice").strip(" `")} if told != "–" else set()
        )
    finally:
        world.restore()


def test_every_action_is_in_the_table() -> None:
    """A new route that changes something, or shows people, is in the table or is said to touch
    nobody else.
    """
    known = {row.case.endpoint for row in rows()} | set(ALONE)
    asked = {
        case.endpoint
        for case in cases()
        if case.method != "GET" or case.endpoint.split(".")[0] in OF_PERSONS
    }
    assert asked - known == set()
    assert {case.endpoint for case in cases()} >= set(ALONE)


def test_what_is_set_up_is_told_apart(world: World) -> None:
    """The link that tess made for lea is all that is told before a line is done."""
    seen: dict[str, Any] = {name: world.told(name) for name in PERSONS if name != "visitor"}
    assert [name for name, told in seen.items() if told] == ["lea"]
