"""The roster is read from the platform: what the list changes, whom it leaves out, what a platform
may answer.
"""

import html
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import g
from jwcrypto.jwk import JWK
from sqlalchemy import select, update

from server.lti import memberships
from server.models.lti import LtiContext, LtiPlatform
from server.models.teaching import Deed
from server.services.courses import roster
from tests.server.conftest import Browser
from tests.server.lti import conformance
from tests.server.lti.platform import NAMES, ROLE, Platform, key, running
from tests.server.lti.test_lti import (
    TEACHER,
    asked_of,
    begin,
    course_of,
    finish,
    launch,
    register,
    target,
)


@pytest.fixture(scope="module")
def signing() -> JWK:
    return key()


@pytest.fixture
def platform(app: Any, signing: JWK) -> Iterator[Platform]:
    with running(signing) as found:
        register(app, found)
        yield found


class Class:
    """A course that has come from the platform, and its teacher."""

    def __init__(self, app: Any, platform: Platform) -> None:
        self.app, self.platform, self.database = app, platform, app.extensions["judge"].database
        self.teacher, self.course, _ = course_of(app, platform)
        self.path = f"/teach/courses/{self.course}/roster"

    def button(self) -> str:
        """Where the button leads; empty when there is none."""
        page = self.teacher.get(self.path).text
        return "".join(re.findall(r'action="([^"]+/platform/\d+)"', page))

    def ask(self) -> Any:
        return self.teacher.post(self.button() or f"{self.path}/platform/1", {})

    def store(self, page: str) -> Any:
        (signed,) = re.findall(r'name="list" value="([^"]+)"', page)
        return self.teacher.post(f"{self.path}/platform", {"list": signed})

    def roster(self) -> list[tuple[str, str, str, str]]:
        with self.database.read() as session:
            return [
                (e.name, e.email, e.group, e.user.name if e.user else "")
                for e in roster.entries(session, self.course)
            ]


@pytest.fixture
def course(app: Any, platform: Platform) -> Class:
    return Class(app, platform)


def member(subject: str, name: str = "", email: str = "", **more: Any) -> dict[str, Any]:
    """Somebody, as a platform has them."""
    named = {"name": name} if name else {}
    return {
        "user_id": subject,
        "roles": [ROLE + "Learner"],
        **named,
        **({"email": email} if email else {}),
        **more,
    }


LEA = member("u1", "Lea Learner", "Lea@x.org", status="Active")
BOB = member("u2", "", "bob@x.org", given_name="Bob", family_name="Öz")


def text_of(page: str) -> str:
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page)))


def changes(page: str) -> list[str]:
    return re.findall(r"<td>(new|changed|there already)</td>", page)


def test_a_list_is_previewed_and_stored(course: Class) -> None:
    launch(Browser(course.app), course.platform)
    course.platform.members = [
        LEA,
        BOB,
        member("t1", "Tilda Teacher", "t@x.org", roles=[ROLE + "Instructor"]),
        member("t2", "Theo", "theo@x.org", roles=["Learner", ROLE + "Instructor"]),
        member("m1", "Mona Mentor", "m@x.org", roles=[ROLE + "Mentor"]),
        member("u3", "Ina", "i@x.org", status="Inactive"),
        member("u4", "Del", "d@x.org", status="Deleted"),
        member("u5", "Nomail"),
        member("u6", "", "noname@x.org"),
        member("u7", "Wrong", "nowhere"),
        member("u8", "Twin", "LEA@x.org"),
    ]
    page = course.ask().text
    assert course.platform.asked == 6  # two on a page; the cursor has capital letters
    said = text_of(page)
    for words in (
        "What the list of Campus changes",
        "2 people are left out: no longer active there.",
        "3 people are left out: no learners there.",
        "Nomail has no e-mail address there.",
        "noname@x.org: a name has 1 to 120 characters.",
        "Wrong: 'nowhere' is not a valid e-mail address.",
        "Twin has the e-mail address of Lea Learner.",
    ):
        assert words in said
    assert changes(page) == ["new", "new"] and course.roster() == []
    assert course.store(page).status_code == 303
    assert course.roster() == [
        ("Bob Öz", "bob@x.org", "", ""),
        ("Lea Learner", "lea@x.org", "", "Lea.Learner"),
    ]
    with course.database.read() as session:
        deed = session.scalars(select(Deed).where(Deed.action == "roster")).one()
    assert (deed.reason, "2 in the roster" in deed.subject) == ("from Campus", True)
    assert changes(course.ask().text) == ["there already", "there already"]


def test_groups_and_accounts_stay(course: Class) -> None:
    """A group is written here; who has come since is matched; a new address is told by the account."""
    text = "Lea,lea@x.org,A\nBob Öz,bob@x.org,B"
    course.teacher.get(course.path)
    course.teacher.post(course.path, {"list": text, "action": "import"})
    for subject in ("u1", "u2"):
        launch(Browser(course.app), course.platform, sub=subject, name=subject)
    course.platform.members = [LEA, BOB]
    page = course.ask().text
    assert changes(page) == ["changed", "changed"]
    course.store(page)
    course.platform.members = [LEA | {"email": "lea@new.org"}, BOB]
    page = course.ask().text
    assert changes(page) == ["changed", "there already"]
    course.store(page)
    assert course.roster() == [
        ("Lea Learner", "lea@new.org", "A", "u1"),
        ("Bob Öz", "bob@x.org", "B", "u2"),
    ]


def test_an_address_that_somebody_else_has_now(course: Class) -> None:
    """Lea has another address, and Bob has hers: nobody gets the account of another."""
    launch(Browser(course.app), course.platform)
    course.platform.members = [LEA]
    course.store(course.ask().text)
    course.platform.members = [LEA | {"email": "new@x.org"}, BOB | {"email": "lea@x.org"}]
    course.store(course.ask().text)
    assert course.roster() == [
        ("Bob Öz", "lea@x.org", "", "Lea.Learner"),
        ("Lea Learner", "new@x.org", "", ""),
    ]


def test_people_of_another_course_are_not_matched(course: Class) -> None:
    launch(Browser(course.app), course.platform, **TEACHER, context="context-2")
    launch(Browser(course.app), course.platform, context="context-2")
    course.platform.members = [LEA]
    course.store(course.ask().text)
    assert course.roster() == [("Lea Learner", "lea@x.org", "", "")]


def test_a_platform_that_shares_nothing(course: Class) -> None:
    course.platform.members = [member(f"u{i}") for i in range(30)]
    page = course.ask().text
    assert "Nobody has both a name and an e-mail address." in page
    assert changes(page) == [] and 'name="list" value="ey' not in page


def test_faults_are_not_endless(course: Class) -> None:
    course.platform.page = 100
    course.platform.members = [LEA, *(member(f"x{i}", f"Person {i}") for i in range(30))]
    page = course.ask().text
    assert (page.count("has no e-mail address there."), "… and 10 more." in page) == (20, True)


def test_an_empty_list(course: Class) -> None:
    page = course.ask().text
    assert "Nobody is in it." in page and 'action="/teach/courses/1/roster/platform"' not in page


# ---------------------------------------------------------------------------------------------------
# which platform gives a list


@pytest.mark.parametrize(
    ("claim", "offered"),
    [
        ({"service_versions": ["1.0"]}, False),
        ({"service_versions": ["1.0", "2.0"]}, True),
        (None, False),
    ],
    ids=["another_version", "several_versions", "none"],
)
def test_a_platform_may_offer_no_list(
    app: Any, platform: Platform, claim: dict[str, Any] | None, offered: bool
) -> None:
    browser = Browser(app)
    asked = asked_of(begin(browser, platform))
    claims = platform.claims(asked["nonce"], **TEACHER)
    own = claims.pop(f"{NAMES}namesroleservice")
    claims |= {f"{NAMES}namesroleservice": own | claim} if claim else {}
    course = target(finish(browser, asked["state"], platform.sign(claims)))
    assert ("Read the list of Campus" in browser.get(f"{course}/roster").text) == offered


def test_the_latest_launch_says_where_the_list_is(course: Class) -> None:
    launch(Browser(course.app), course.platform, names="/members?course=2")
    with course.database.read() as session:
        url = session.scalars(select(LtiContext.memberships_url)).one()
    assert url == course.platform.address("/members?course=2")


def test_a_revoked_platform_gives_none(course: Class) -> None:
    button = course.button()
    with course.database.write() as session:
        session.execute(update(LtiPlatform).values(deployments=[]))
    assert course.button() == ""
    assert course.teacher.post(button, {}).status_code == 404


def test_nothing_of_the_database_is_held_meanwhile(
    course: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[bool] = []

    def fetch(*words: Any) -> list[Any]:
        held.append("reading" in g)
        return []

    monkeypatch.setattr(memberships, "fetch", fetch)
    course.ask()
    assert held == [False]


# ---------------------------------------------------------------------------------------------------
# what a platform may answer


def _values(name: str, value: object) -> Callable[[Class], None]:
    return lambda course: setattr(course.platform, name, value)


def _registered(**values: str) -> Callable[[Class], None]:
    def change(course: Class) -> None:
        with course.database.write() as session:
            session.execute(update(LtiPlatform).values(**values))

    return change


def _page(container: Any, following: str = "") -> Callable[[Class], None]:
    return _values("members_page", lambda first: (container, following))


def _endless(course: Class) -> None:
    course.platform.following = course.platform.address("/members?cursor=Case-0")


ANSWERS: list[tuple[str, Callable[[Class], None], str]] = [
    ("token_refused", _values("down", 401), "Campus refuses the list (401). Its administrator"),
    ("token_down", _values("down", 503), "Campus is out of order (503). Try again later."),
    ("list_refused", _values("refusal", 403), "Campus refuses the list (403)"),
    ("list_down", _values("refusal", 500), "Campus is out of order (500)"),
    ("a_redirect", _values("refusal", 302), "Campus refuses the list (302)"),
    ("nobody_there", _registered(token_url="http://127.0.0.1:9/token"), "No answer from Campus:"),
    ("no_members", _page({}), "Campus answered with something that is not a list of people."),
    ("members_are_text", _page({"members": "all"}), "something that is not a list of people"),
    ("a_list", _page([]), "something that is not a list of people"),
    ("another_host", _page({"members": []}, "http://127.0.0.1:9/members"), "on another host"),
    ("a_file", _page({"members": []}, "file:///etc/passwd"), "on another host"),
    ("without_end", _endless, "The list has more than 100 pages."),
    ("too_long", _page({"members": [], "x": "x" * 2**22}), "The list is too long"),
    ("too_many", _page({"members": [LEA] * 2001}), "The list has more than 2,000 people."),
    (
        "no_https",
        _registered(token_url="https://127.0.0.1:9/t"),
        "list is not a valid https address",
    ),
]


@pytest.mark.parametrize(
    ("change", "words"), [row[1:] for row in ANSWERS], ids=[row[0] for row in ANSWERS]
)
def test_an_answer_that_is_no_list(
    course: Class, change: Callable[[Class], None], words: str
) -> None:
    change(course)
    answer = course.ask()
    assert (answer.status_code, words in text_of(answer.text)) == (422, True), text_of(answer.text)
    assert course.roster() == []


def test_a_list_that_drips_ends(course: Class, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memberships, "MOST_S", -1.0)
    assert "more than 20 seconds" in course.ask().text


def test_members_of_any_shape_are_read_or_left_out(course: Class) -> None:
    odd = [7, None, {}, {"roles": "Learner"}, {"roles": [[]], "name": 7}, LEA | {"user_id": []}]
    course.platform.members_page = lambda first: ({"members": odd}, "")  # type: ignore[method-assign]
    page = course.ask().text
    assert (changes(page), "3 people are left out: no learners there." in page) == (["new"], True)


def test_the_test_platform_speaks_the_standard(course: Class) -> None:
    course.platform.members = [LEA, BOB]
    container, _ = course.platform.members_page(0)
    assert conformance.fault("memberships", container) == ""


# ---------------------------------------------------------------------------------------------------
# who may


def test_another_teacher_reads_and_stores_nothing(course: Class) -> None:
    course.platform.members = [LEA]
    page, button = course.ask().text, course.button()
    (signed,) = re.findall(r'name="list" value="([^"]+)"', page)
    other = Browser(course.app)
    there = target(launch(other, course.platform, sub="t9", role="Instructor", context="c9"))
    other.get("/teach")
    assert other.post(button, {}).status_code == 404
    sent = [
        other.post(f"{there}/roster/platform", {"list": signed}).status_code,
        other.post(f"{course.path}/platform", {"list": signed}).status_code,
        course.teacher.post(f"{course.path}/platform", {"list": signed[:-2]}).status_code,
    ]
    assert (sent, course.roster()) == ([422, 404, 422], [])
