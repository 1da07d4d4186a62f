"""A learning platform of the test's own, over real HTTP: who is let in, as what, to what; and what
is refused.
"""

import re
import time
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt
import pytest
from jwcrypto.jwk import JWK
from sqlalchemy import select, update
from werkzeug.test import TestResponse

from server.models.accounts import Role, User
from server.models.courses import Assignment, Course, Member
from server.models.lti import LtiContext, LtiNonce, LtiPerson, LtiPlatform
from server.models.teaching import Deed
from tests.server.conftest import SLUG, Browser, user_of
from tests.server.lti.platform import CLAIM, CLIENT, DEEP, Platform, key, running


@pytest.fixture(scope="module")
def keys() -> tuple[JWK, JWK]:
    """The platform's key, and a stranger's."""
    return key(), key()


@pytest.fixture
def platform(app: Any, keys: tuple[JWK, JWK]) -> Iterator[Platform]:
    """A platform that an admin has registered."""
    with running(keys[0]) as found:
        register(app, found)
        yield found


def register(app: Any, platform: Platform, *words: str) -> None:
    done = app.test_cli_runner().invoke(
        args=["lti", "add", "Campus", *platform.registration(), *words]
    )
    assert (done.exit_code, "/lti/keys" in done.output) == (0, True), done.output
    platform.tool_keys = Browser(app).get("/lti/keys").json["keys"]


def begin(browser: Browser, platform: Platform, **changed: str) -> TestResponse:
    """The platform sends the browser to us."""
    asked = {
        "iss": platform.issuer,
        "login_hint": "h",
        "target_link_uri": "x",
        "client_id": CLIENT,
        "lti_message_hint": "m",
    }
    return browser.client.get(
        "/lti/login",
        query_string={name: value for name, value in (asked | changed).items() if value},
    )


def asked_of(answer: TestResponse) -> dict[str, str]:
    """What we ask of the platform."""
    assert answer.status_code == 302, answer.text
    return {name: values[0] for name, values in parse_qs(urlsplit(answer.location).query).items()}


def finish(browser: Browser, state: str, token: str) -> TestResponse:
    """The platform's form is sent."""
    return browser.client.post(
        "/lti/launch",
        data={"state": state, "id_token": token},
        headers={"Origin": "http://campus.example"},
    )


def launch(browser: Browser, platform: Platform, **person: Any) -> TestResponse:
    """A whole launch."""
    asked = asked_of(begin(browser, platform))
    return finish(browser, asked["state"], platform.sign(platform.claims(asked["nonce"], **person)))


def target(answer: TestResponse) -> str:
    """Where a launch leads."""
    assert answer.status_code == 200, answer.text
    (found,) = re.findall(r'http-equiv="refresh" content="0;url=([^"]+)"', answer.text)
    return str(found)


TEACHER = {"sub": "t1", "name": "Tilda Teacher", "role": "Instructor"}


def course_of(app: Any, platform: Platform) -> tuple[Browser, int, int]:
    """A teacher's first launch, and an assignment: (teacher, course, assignment)."""
    teacher = Browser(app)
    course = int(target(launch(teacher, platform, **TEACHER)).rsplit("/", 1)[1])
    teacher.get(f"/teach/courses/{course}")
    terms = {
        "title": "Week 1",
        "opens": "2026-01-01T08:00",
        "due": "2099-01-08T18:00",
        "late": "none",
        "feedback": "full",
    }
    answer = teacher.post(
        f"/teach/courses/{course}/assignments", {**terms, "problem": SLUG, f"points-{SLUG}": "10"}
    )
    return teacher, course, int(answer.location.rsplit("/", 1)[1])


def test_the_first_step(app: Any, platform: Platform) -> None:
    answer = begin(Browser(app), platform)
    asked = asked_of(answer)
    assert answer.location.startswith(platform.address("/auth?"))
    expected = {
        "scope": "openid",
        "response_type": "id_token",
        "response_mode": "form_post",
        "prompt": "none",
        "client_id": CLIENT,
    }
    expected |= {
        "login_hint": "h",
        "lti_message_hint": "m",
        "redirect_uri": "http://localhost/lti/launch",
    }
    assert {name: asked[name] for name in expected} == expected
    assert begin(Browser(app), platform).location != answer.location


@pytest.mark.parametrize("secure", [False, True], ids=["http", "https"])
def test_the_cookie_of_a_launch(app: Any, platform: Platform, secure: bool) -> None:
    answer = Browser(app).client.get(
        "/lti/login",
        query_string={"iss": platform.issuer, "login_hint": "h", "client_id": CLIENT},
        base_url="https://judge.example" if secure else "http://judge.example",
    )
    cookie = answer.headers["Set-Cookie"]
    assert ("HttpOnly" in cookie, "Secure" in cookie, "SameSite=None" in cookie) == (
        True,
        secure,
        secure,
    )


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"iss": "https://other.example"}, "Could not find registration"),
        ({"iss": ""}, "Could not find issuer"),
        ({"iss": "a\0b"}, "Could not find registration"),
        ({"client_id": "another"}, "Could not find registration"),
        ({"login_hint": ""}, "Could not find login hint"),
    ],
    ids=["unknown_issuer", "no_issuer", "nul", "unknown_client", "no_hint"],
)
def test_who_is_not_registered(
    app: Any, platform: Platform, changed: dict[str, str], message: str
) -> None:
    answer = begin(Browser(app), platform, **changed)
    assert (answer.status_code, message in answer.text) == (403, True)


def test_without_a_client_the_only_one_of_the_issuer(app: Any, platform: Platform) -> None:
    assert asked_of(begin(Browser(app), platform, client_id=""))["client_id"] == CLIENT


# ------------------------------------------------------------------------------------------------------------
# what is refused

Alter = Callable[[dict[str, Any]], Any]
REFUSED: list[tuple[str, Alter, str]] = [
    ("wrong_audience", lambda c: c | {"aud": "another"}, "Registration not found"),
    (
        "several_audiences_for_another",
        lambda c: c | {"aud": [CLIENT, "another"], "azp": "another"},
        "Registration not found",
    ),
    ("several_audiences_and_nobody_named", lambda c: c | {"aud": [CLIENT, "another"]}, "azp"),
    ("named_but_not_an_audience", lambda c: c | {"aud": ["x", "y"], "azp": CLIENT}, "Audience"),
    ("another_issuer", lambda c: c | {"iss": "https://other.example"}, "Registration not found"),
    ("expired", lambda c: c | {"exp": int(time.time()) - 120}, "expired"),
    ("of_the_future", lambda c: c | {"iat": int(time.time()) + 600}, "not yet valid"),
    ("without_an_end", lambda c: {k: v for k, v in c.items() if k != "exp"}, "exp"),
    ("without_a_time", lambda c: {k: v for k, v in c.items() if k != "iat"}, "iat"),
    ("nonce_of_another_launch", lambda c: c | {"nonce": "0" * 64}, "Invalid Nonce"),
    ("no_nonce", lambda c: {k: v for k, v in c.items() if k != "nonce"}, "nonce"),
    (
        "unknown_deployment",
        lambda c: c | {f"{CLAIM}deployment_id": "another"},
        "Unable to find deployment",
    ),
    (
        "no_deployment",
        lambda c: {k: v for k, v in c.items() if not k.endswith("deployment_id")},
        "deployment_id",
    ),
    ("lti_1_1", lambda c: c | {f"{CLAIM}version": "1.1"}, "Incorrect version"),
    (
        "another_message",
        lambda c: c | {f"{CLAIM}message_type": "LtiNothing"},
        "Unrecognized message",
    ),
    ("no_roles", lambda c: {k: v for k, v in c.items() if not k.endswith("roles")}, "Roles"),
    ("nobody", lambda c: {k: v for k, v in c.items() if k != "sub"}, "sub"),
    ("a_name_without_end", lambda c: c | {"sub": "x" * 300}, "1 to 255"),
    ("no_object", lambda c: c | {f"{CLAIM}context": "a text"}, "is not an object"),
    (
        "scores_to_a_file",
        lambda c: (
            c
            | {
                "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint": _endpoint(
                    "file:///etc/passwd"
                )
            }
        ),
        "http address",
    ),
]


def _picking(url: object) -> dict[str, Any]:
    accepted = {
        "accept_types": ["ltiResourceLink"],
        "accept_presentation_document_targets": ["window"],
    }
    return {
        f"{CLAIM}message_type": "LtiDeepLinkingRequest",
        f"{DEEP}deep_linking_settings": {**accepted, "deep_link_return_url": url},
    }


REFUSED += [
    (f"a_choice_back_to_{name}", lambda c, url=url: c | _picking(url), "http address")  # type: ignore[misc]
    for name, url in {
        "a_script": "javascript:alert(1)",
        "a_host_that_is_a_policy": "https://c.example;script-src/x",
        "two_hosts": "https://c.example https://evil.example/",
        "a_name_and_password": "https://a:b@c.example/",
        "a_line_end": "https://c.example\r\nX: y/",
        "nowhere": "",
        "a_number": 7,
    }.items()
]


def _endpoint(url: str) -> dict[str, Any]:
    return {"scope": ["https://purl.imsglobal.org/spec/lti-ags/scope/score"], "lineitem": url}


@pytest.mark.parametrize(
    ("alter", "message"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
def test_a_token_that_is_not_for_us_and_now(
    app: Any, platform: Platform, alter: Alter, message: str
) -> None:
    browser = Browser(app)
    asked = asked_of(begin(browser, platform))
    answer = finish(
        browser, asked["state"], platform.sign(alter(platform.claims(asked["nonce"], **TEACHER)))
    )
    assert (answer.status_code, message in answer.text) == (403, True), answer.text
    assert nobody_came(browser)


def nobody_came(browser: Browser) -> bool:
    """Nothing was written and nobody is signed in."""
    with browser.service.database.read() as session:
        people, courses = (
            session.scalars(select(LtiPerson)).all(),
            session.scalars(select(Course)).all(),
        )
    return not people and not courses and browser.client.get("/profile").status_code == 302


def forged(kind: str, platform: Platform, stranger: JWK, claims: dict[str, Any]) -> str:
    """A token that the platform did not sign."""
    if kind == "another_key":
        return platform.sign(claims, stranger)
    if kind == "unknown_key":
        return platform.sign(claims, stranger, kid="no-such-key")
    if kind == "unsigned":
        return jwt.encode(claims, None, algorithm="none", headers={"kid": "platform-key"})  # type: ignore[arg-type]
    if kind == "public_key_as_a_secret":
        return jwt.encode(claims, "x" * 64, algorithm="HS256", headers={"kid": "platform-key"})
    if kind == "changed_after":
        head, _, signature = platform.sign(claims).split(".")
        return f"{head}.{platform.sign(claims | {'sub': 'somebody'}).split('.')[1]}.{signature}"
    return {"no_token": "", "rubbish": "a.b.c", "a_list": f"{'e30'}.W10.x", "one_part": "abc"}[kind]


@pytest.mark.parametrize(
    "kind",
    [
        "another_key",
        "unknown_key",
        "unsigned",
        "public_key_as_a_secret",
        "changed_after",
        "no_token",
        "rubbish",
        "a_list",
        "one_part",
    ],
)
def test_a_token_that_the_platform_did_not_sign(
    app: Any, platform: Platform, keys: tuple[JWK, JWK], kind: str
) -> None:
    browser = Browser(app)
    asked = asked_of(begin(browser, platform))
    answer = finish(
        browser,
        asked["state"],
        forged(kind, platform, keys[1], platform.claims(asked["nonce"], **TEACHER)),
    )
    assert (answer.status_code, nobody_came(browser)) == (403, True), answer.text


def test_a_launch_counts_once(app: Any, platform: Platform) -> None:
    browser = Browser(app)
    asked = asked_of(begin(browser, platform))
    cookie = browser.client.get_cookie(f"lti1p3-{asked['state']}")
    token = platform.sign(platform.claims(asked["nonce"], **TEACHER))
    assert finish(browser, asked["state"], token).status_code == 200
    assert cookie is not None
    browser.client.set_cookie(cookie.key, cookie.value)
    answer = finish(browser, asked["state"], token)
    assert (answer.status_code, "it was used already" in answer.text) == (403, True)
    with browser.service.database.read() as session:
        assert len(session.scalars(select(LtiNonce)).all()) == 1


@pytest.mark.parametrize(
    ("state", "message"),
    [
        ("another browser's", "State not found"),
        ("state-forged", "begun too long ago, or not here"),
        ("", "begun too long ago, or not here"),
    ],
    ids=["another_browser", "forged", "none"],
)
def test_a_launch_belongs_to_the_browser_that_began_it(
    app: Any, platform: Platform, state: str, message: str
) -> None:
    asked, other = asked_of(begin(Browser(app), platform)), Browser(app)
    answer = finish(
        other,
        asked["state"] if "browser" in state else state,
        platform.sign(platform.claims(asked["nonce"])),
    )
    assert (answer.status_code, message in answer.text, nobody_came(other)) == (403, True, True)


def test_an_old_launch(app: Any, platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = Browser(app)
    asked = asked_of(begin(browser, platform))
    monkeypatch.setattr("server.lti.handshake.STATE_S", -1)
    answer = finish(browser, asked["state"], platform.sign(platform.claims(asked["nonce"])))
    assert (answer.status_code, "too long ago" in answer.text) == (403, True)


def test_a_platform_whose_keys_cannot_be_had(app: Any, platform: Platform) -> None:
    browser = Browser(app)
    asked = asked_of(begin(browser, platform))
    token = platform.sign(platform.claims(asked["nonce"]))
    with browser.service.database.write() as session:
        session.execute(update(LtiPlatform).values(jwks_url="http://127.0.0.1:9/jwks"))
    answer = finish(browser, asked["state"], token)
    assert (answer.status_code, "127.0.0.1:9" in answer.text) == (403, True)


# ------------------------------------------------------------------------------------------------------------------
# who comes


def test_a_teacher_begins_the_course_and_learners_follow(app: Any, platform: Platform) -> None:
    early = launch(Browser(app), platform)
    assert (early.status_code, "your teacher has not opened it yet" in early.text) == (403, True)
    teacher, course, assignment = course_of(app, platform)
    learner = Browser(app)
    assert target(launch(learner, platform)) == f"/courses/{course}"
    assert target(launch(learner, platform, assignment=assignment)) == f"/problems/{SLUG}"
    assert "Attention, over there" in learner.get(f"/courses/{course}").text
    assert learner.get("/teach").status_code == 403
    assert "Lea.Learner" in teacher.get(f"/teach/courses/{course}").text
    with teacher.service.database.read() as session:
        roles = dict(session.execute(select(User.name, User.role)).all())
        deed = session.scalars(select(Deed).where(Deed.action == "role")).one()
    assert roles == {"Tilda.Teacher": "instructor", "Lea.Learner": "learner"}
    assert (deed.subject, deed.reason) == (
        "Tilda.Teacher",
        "teaches Attention, over there on Campus",
    )


def test_the_same_person_has_the_same_account(app: Any, platform: Platform) -> None:
    course_of(app, platform)
    for name in ("Lea Learner", "Lea Renamed"):
        launch(Browser(app), platform, name=name)
    launch(Browser(app), platform, sub="u2", name="Lea Learner")
    launch(Browser(app), platform, sub="u3", name="")
    with app.extensions["judge"].database.read() as session:
        assert session.scalars(select(User.name).order_by(User.id)).all() == [
            "Tilda.Teacher",
            "Lea.Learner",
            "Lea.Learner-2",
            "learner",
        ]


def test_an_account_with_that_name_is_not_taken_over(app: Any, platform: Platform) -> None:
    user_of(app, "Lea.Learner", Role.ADMIN)
    course_of(app, platform)
    browser = Browser(app)
    launch(browser, platform)
    assert "Lea.Learner-2" in browser.get("/").text


def test_admins_and_closed_accounts_do_not_come_in_this_way(app: Any, platform: Platform) -> None:
    course_of(app, platform)
    launch(Browser(app), platform)
    for values, message in (
        ({"role": "admin"}, "admins sign in with their password"),
        ({"role": "learner", "active": False}, "is closed"),
    ):
        with app.extensions["judge"].database.write() as session:
            session.execute(update(User).where(User.name == "Lea.Learner").values(values))
        answer = launch(Browser(app), platform)
        assert (answer.status_code, message in answer.text) == (403, True)


def test_who_teaches_is_as_the_platform_says(app: Any, platform: Platform) -> None:
    teacher, course, _ = course_of(app, platform)
    second, both = Browser(app), {"sub": "t2", "name": "Theo"}
    launch(second, platform, **both, role="Instructor")
    assert second.get(f"/teach/courses/{course}").status_code == 200
    launch(second, platform, **both, role="Learner")
    assert second.get(f"/teach/courses/{course}").status_code == 404
    launch(teacher, platform, **TEACHER | {"role": "Learner"})  # the last one stays
    assert teacher.get(f"/teach/courses/{course}").status_code == 200


@pytest.mark.parametrize("role", ["Learner", "Mentor", "Instructor-not", "ContentDeveloper"])
def test_other_roles_are_learners(app: Any, platform: Platform, role: str) -> None:
    _, course, _ = course_of(app, platform)
    launch(Browser(app), platform, role=role)
    with app.extensions["judge"].database.read() as session:
        teaches = session.scalars(
            select(Member.teaches)
            .join(User, User.id == Member.user_id)
            .where(User.name == "Lea.Learner")
        ).one()
    assert (teaches, course > 0) == (False, True)


def test_a_platform_that_makes_no_instructors(app: Any, keys: tuple[JWK, JWK]) -> None:
    with running(keys[0]) as found:
        register(app, found, "--no-instructors")
        teacher = Browser(app)
        launch(teacher, found, **TEACHER)
        assert teacher.get("/teach").status_code == 403
        with teacher.service.database.read() as session:
            assert session.scalars(select(Member.teaches)).all() == [True]


def test_a_link_opens_assignments_of_its_own_course_only(app: Any, platform: Platform) -> None:
    _, _, assignment = course_of(app, platform)
    launch(Browser(app), platform, **TEACHER, context="context-2")
    answer = launch(Browser(app), platform, context="context-2", assignment=assignment)
    assert (answer.status_code, "an assignment that this course does not have" in answer.text) == (
        403,
        True,
    )


def test_names_are_one_line_of_text(app: Any, platform: Platform) -> None:
    browser = Browser(app)
    asked = asked_of(begin(browser, platform))
    claims = platform.claims(asked["nonce"], **TEACHER | {"name": "<b>Ti\0lda</b>\n"})
    claims[f"{CLAIM}context"]["title"] = "<script>\0Attention\r\n 1</script>"
    page = browser.get(target(finish(browser, asked["state"], platform.sign(claims)))).text
    assert (
        "&lt;script&gt; Attention 1&lt;/script&gt;" in page,
        "<script>" in page,
        "b.Ti.lda.b" in page,
    ) == (True, False, True)


def test_a_launch_without_a_course_leads_to_the_bank(app: Any, platform: Platform) -> None:
    browser = Browser(app)
    asked = asked_of(begin(browser, platform))
    claims = platform.claims(asked["nonce"])
    del claims[f"{CLAIM}context"]
    assert target(finish(browser, asked["state"], platform.sign(claims))) == "/"
    assert "Lea.Learner" in browser.get("/").text


# ---------------------------------------------------------------------------------------------------------------
# deep linking


@pytest.mark.parametrize("what", ["assignment", "problem"])
def test_an_instructor_chooses_what_a_link_opens(app: Any, platform: Platform, what: str) -> None:
    _, course, assignment = course_of(app, platform)
    browser = Browser(app)
    page = launch(browser, platform, **TEACHER, deep=True)
    assert (page.status_code, "What should the link open?" in page.text) == (200, True)
    fields = dict(re.findall(r'name="(pick|csrf_token)" value="([^"]+)"', page.text))
    answer = browser.client.post(
        "/lti/pick",
        data=fields
        | {"what": f"assignment:{assignment}" if what == "assignment" else f"problem:{SLUG}"},
    )
    assert answer.status_code == 200, answer.text
    assert f"form-action 'self' {platform.issuer};" in answer.headers["Content-Security-Policy"]
    (where,), (token,) = (
        re.findall(r'action="(http[^"]+)"', answer.text),
        re.findall(r'name="JWT" value="([^"]+)"', answer.text),
    )
    said = platform.read(token)
    (item,) = said[f"{DEEP}content_items"]
    with browser.service.database.read() as session:
        chosen = session.scalars(
            select(Assignment).where(Assignment.course_id == course).order_by(Assignment.id.desc())
        ).first()
        assert chosen is not None
        assert (chosen.id == assignment, [p.slug for p in chosen.problems]) == (
            what == "assignment",
            [SLUG],
        )
    assert (where, said["iss"], said["aud"], said[f"{DEEP}data"]) == (
        platform.address("/return"),
        CLIENT,
        [platform.issuer],
        "kept",
    )
    assert (item["type"], item["custom"], item["window"]) == (
        "ltiResourceLink",
        {"assignment": str(chosen.id)},
        {"targetName": "_blank"},
    )
    assert (item["lineItem"]["scoreMaximum"], item["url"]) == (10.0, "http://localhost/lti/launch")
    assert target(launch(Browser(app), platform, sub="u5", **item["custom"])) == f"/problems/{SLUG}"


def test_learners_choose_nothing(app: Any, platform: Platform) -> None:
    course_of(app, platform)
    assert launch(Browser(app), platform, deep=True).status_code == 403


def test_a_choice_is_of_whoever_began_it(app: Any, platform: Platform) -> None:
    _, _, assignment = course_of(app, platform)
    page = launch(Browser(app), platform, **TEACHER, deep=True)
    (pick,) = re.findall(r'name="pick" value="([^"]+)"', page.text)
    other = user_of(app, "terry", Role.INSTRUCTOR)
    what = f"assignment:{assignment}"
    answers = [
        other.post("/lti/pick", {"pick": sent, "what": what}).status_code
        for sent in (pick, pick[:-2], "")
    ]
    assert answers == [403, 422, 422]


# ---------------------------------------------------------------------------------------------------------------
# command line


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--auth-url", "http://campus.example/auth", "not a valid https address"),
        ("--token-url", "campus.example/token", "not a valid https address"),
        ("--auth-url", "https://campus.example/auth?x=1", "nothing after '?'"),
        ("--zone", "Nowhere/At_All", "not a valid time zone"),
    ],
)
def test_a_registration_that_cannot_work(
    app: Any, keys: tuple[JWK, JWK], option: str, value: str, message: str
) -> None:
    urls = {
        "--auth-url": "https://c.example/a",
        "--token-url": "https://c.example/t",
        "--jwks-url": "https://c.example/k",
    } | {option: value}
    words = [word for pair in urls.items() for word in pair]
    done = app.test_cli_runner().invoke(
        args=[
            "lti",
            "add",
            "X",
            "--issuer",
            "https://c.example",
            "--client-id",
            "c",
            "--deployment",
            "1",
            *words,
        ]
    )
    assert (done.exit_code, message in done.output) == (1, True), done.output


def test_an_empty_list_says_so(app: Any) -> None:
    done = app.test_cli_runner().invoke(args=["lti", "list"])
    assert done.output == "No platform is registered; `lti add` registers one.\n"


def test_list_deploy_remove(app: Any, platform: Platform) -> None:
    run = app.test_cli_runner().invoke
    assert "already" in run(args=["lti", "add", "Campus", *platform.registration()]).output
    assert run(args=["lti", "deploy", "Campus", "2"]).exit_code == 0
    assert (
        f"Campus: {platform.issuer} client {CLIENT}, deployments 2, deployment-1"
        in run(args=["lti", "list"]).output
    )
    course_of(app, platform)
    assert "is removed" in run(args=["lti", "remove", "Campus"]).output
    assert begin(Browser(app), platform).status_code == 403
    with app.extensions["judge"].database.read() as session:
        assert (
            session.scalars(select(LtiContext)).all(),
            len(session.scalars(select(Course)).all()),
        ) == ([], 1)
    assert "there is no platform 'Campus'" in run(args=["lti", "remove", "Campus"]).output


def test_a_platform_to_which_scores_go_is_closed_and_kept(app: Any, platform: Platform) -> None:
    _, _, assignment = course_of(app, platform)
    launch(Browser(app), platform, assignment=assignment)
    run = app.test_cli_runner().invoke
    assert "what waits is still sent" in run(args=["lti", "remove", "Campus"]).output
    answer = launch(Browser(app), platform, assignment=assignment)
    assert (answer.status_code, "Unable to find deployment" in answer.text) == (403, True)
    run(args=["lti", "deploy", "Campus", "deployment-1"])
    assert launch(Browser(app), platform, assignment=assignment).status_code == 200


def test_a_new_key_leaves_the_old_one_readable(app: Any) -> None:
    assert app.test_cli_runner().invoke(args=["lti", "new-key"]).exit_code == 0
    old = Browser(app).get("/lti/keys").json["keys"]
    assert app.test_cli_runner().invoke(args=["lti", "new-key"]).exit_code == 0
    new = Browser(app).get("/lti/keys").json["keys"]
    assert (len(new), new[1:], {"d", "p", "q"} & set(new[0])) == (2, old, set())


def test_another_role_or_place_is_logged_and_told_and_ends_all_access(
    app: Any, platform: Platform
) -> None:
    """A learner whom the platform calls a teacher from now on; then a learner of the course again."""
    course_of(app, platform)
    person: dict[str, Any] = {"sub": "u7", "name": "Uma"}
    first, later = Browser(app), Browser(app)
    launch(first, platform, **person)
    token = re.search(
        r"aj_[\w-]{40,}",
        first.post("/profile/tokens", {"name": "t", "csrf_token": _token(first)}).text,
    )
    assert token is not None
    headers = {"Authorization": f"Bearer {token[0]}"}
    launch(later, platform, **person, role="Instructor")
    assert first.client.get("/profile").status_code == 302
    assert app.test_client().get("/api/v1/me", headers=headers).status_code == 401
    page = later.get("/profile").text
    assert "The learning platform Campus changed your role on" in page
    assert "The learning platform Campus made you a teacher of the course" in page
    launch(later, platform, **person)
    assert (
        "The learning platform Campus made you a learner of the course"
        in later.get("/profile").text
    )
    with later.service.database.read() as session:
        logged = [
            (deed.action, deed.reason)
            for deed in session.scalars(select(Deed).order_by(Deed.id.desc()).limit(3))
        ]
    assert [action for action, _ in logged] == ["course", "course", "role"]
    assert logged[0][1] == "so Campus says"


def _token(browser: Browser) -> str:
    browser.get("/profile")
    return browser.csrf
