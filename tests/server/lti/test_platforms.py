"""The page of learning platforms: what an admin registers there lets people in, what is revoked
does not; what cannot work is refused.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from jwcrypto.jwk import JWK
from sqlalchemy import select

from server.models.accounts import Role
from server.models.lti import LtiPlatform
from server.models.teaching import Deed
from tests.server.conftest import Browser, user_of
from tests.server.lti.platform import CLIENT, DEPLOYMENT, Platform, key, running
from tests.server.lti.test_lti import TEACHER, begin, course_of, launch, target

PAGE = "/manage/platforms"


@pytest.fixture(scope="module")
def signing() -> JWK:
    """The platform's key."""
    return key()


@pytest.fixture
def campus(signing: JWK) -> Iterator[Platform]:
    """A platform that nobody has registered yet."""
    with running(signing) as found:
        yield found


@pytest.fixture
def admin(app: Any) -> Browser:
    browser = user_of(app, "root", Role.ADMIN)
    browser.get(PAGE)
    return browser


def form(platform: Platform, **changed: str) -> dict[str, str]:
    """What an admin writes into the form."""
    urls = {f"{name}_url": platform.address(f"/{name}") for name in ("auth", "token", "jwks")}
    own = {
        "name": "Campus",
        "issuer": platform.issuer,
        "client_id": CLIENT,
        "deployments": f"{DEPLOYMENT} 2",
        "zone": "Europe/Berlin",
    }
    return {**urls, **own, "audience": "", "instructors": "yes", **changed}


def deeds(app: Any) -> list[tuple[str, str]]:
    """What the audit log has of platforms."""
    with app.extensions["judge"].database.read() as session:
        return [
            (row.subject, row.reason)
            for row in session.scalars(
                select(Deed).where(Deed.action == "platform").order_by(Deed.id)
            )
        ]


def rows(app: Any) -> list[LtiPlatform]:
    with app.extensions["judge"].database.read() as session:
        return list(session.scalars(select(LtiPlatform)))


def test_what_is_to_be_entered_there(admin: Browser) -> None:
    page = admin.get(PAGE).text
    assert "No platform is registered yet." in page
    for path in ("/lti/login", "/lti/launch", "/lti/keys"):
        assert f"<code data-copy>http://localhost{path}</code>" in page
    assert "JUDGE_HTTPS" in page  # here it is not set


def test_a_platform_that_is_registered_is_let_in_until_it_is_revoked(
    app: Any, admin: Browser, campus: Platform
) -> None:
    answer = admin.post(PAGE, form(campus))
    assert (answer.status_code, answer.location) == (303, PAGE)
    page = admin.get(PAGE).text
    for words in (
        "Campus is registered.",
        campus.issuer,
        f"<code>{DEPLOYMENT}</code>",
        "<code>2</code>",
        "Europe/Berlin",
    ):
        assert words in page
    campus.tool_keys = Browser(app).get("/lti/keys").json["keys"]
    assert target(launch(Browser(app), campus, **TEACHER)).startswith("/teach/courses/")
    (row,) = rows(app)
    assert admin.post(f"{PAGE}/{row.id}/remove", {"reason": " "}).status_code == 422
    assert admin.post(f"{PAGE}/{row.id}/remove", {"reason": "a new contract"}).status_code == 303
    assert "Campus is removed." in admin.get(PAGE).text
    assert begin(Browser(app), campus).status_code == 403
    assert deeds(app) == [("Campus", ""), ("Campus", "a new contract")]


def test_a_platform_to_which_scores_go_stays_listed(
    app: Any, admin: Browser, campus: Platform
) -> None:
    admin.post(PAGE, form(campus))
    campus.tool_keys = Browser(app).get("/lti/keys").json["keys"]
    _, _, assignment = course_of(app, campus)
    assert launch(Browser(app), campus, assignment=assignment).status_code == 200
    (row,) = rows(app)
    admin.post(f"{PAGE}/{row.id}/remove", {"reason": "the term is over"})
    page = admin.get(PAGE).text
    assert "Campus is let in no longer." in page and "none: nobody is let in" in page
    assert launch(Browser(app), campus, assignment=assignment).status_code == 403
    admin.post(f"{PAGE}/{row.id}/deployments", {"deployment": DEPLOYMENT})
    assert launch(Browser(app), campus, assignment=assignment).status_code == 200


REFUSED = {
    "no name": ({"name": ""}, "the name must have 1 to 80 characters"),
    "a long name": ({"name": "n" * 81}, "the name must have 1 to 80 characters"),
    "no issuer": ({"issuer": " "}, "the issuer must have 1 to 255 characters"),
    "a control character": ({"client_id": "a\0b"}, "the client id must have 1 to 255 characters"),
    "no deployment": ({"deployments": " "}, "a platform needs at least one deployment id"),
    "plain HTTP": (
        {"auth_url": "http://campus.example/auth"},
        "authentication address: &#39;http://campus.example/auth&#39; is not a valid https address",
    ),
    "no address": (
        {"token_url": "https://["},
        "token address: &#39;https://[&#39; is not a valid https address",
    ),
    "no keys": (
        {"jwks_url": ""},
        "address of public keys: &#39;&#39; is not a valid https address",
    ),
    "a query": (
        {"auth_url": "https://c.example/a?x=1"},
        "authentication address: &#39;https://c.example/a?x=1&#39; must have nothing after",
    ),
    "no zone": ({"zone": "Nowhere"}, "&#39;Nowhere&#39; is not a valid time zone"),
    "an audience of two lines": (
        {"audience": "a\nb"},
        "the audience of token requests must be one line",
    ),
}


@pytest.mark.parametrize(("changed", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_what_cannot_work_is_refused_and_the_form_is_kept(
    app: Any, admin: Browser, campus: Platform, changed: dict[str, str], message: str
) -> None:
    answer = admin.post(PAGE, form(campus, **changed))
    assert answer.status_code == 422
    assert f"Not registered: {message}" in answer.text
    assert f'value="{campus.address("/token")}"' in answer.text or "token_url" in changed
    assert (rows(app), deeds(app)) == ([], [])


def test_twice_is_refused(app: Any, admin: Browser, campus: Platform) -> None:
    admin.post(PAGE, form(campus))
    assert (
        "a platform is called &#39;Campus&#39; already"
        in admin.post(PAGE, form(campus, client_id="other")).text
    )
    assert (
        "&#39;Campus&#39; has this issuer and client id already"
        in admin.post(PAGE, form(campus, name="Other")).text
    )
    assert len(rows(app)) == 1


def test_its_teachers_become_instructors_only_if_an_admin_says_so(
    app: Any, admin: Browser, campus: Platform
) -> None:
    fields = form(campus)
    del fields["instructors"]  # an unticked box sends nothing
    admin.post(PAGE, fields)
    assert "makes no instructors" in admin.get(PAGE).text
    campus.tool_keys = Browser(app).get("/lti/keys").json["keys"]
    assert not target(launch(Browser(app), campus, **TEACHER)).startswith("/teach/")
