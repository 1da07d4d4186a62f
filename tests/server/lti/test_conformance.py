"""The launches of 1EdTech's certification, valid and known to be bad, and a schema for each message:
the schema and this service agree on every one.
"""

import time
from collections.abc import Callable, Iterator
from typing import Any

import jwt
import pytest
import requests
from jwcrypto.jwk import JWK
from werkzeug.test import TestResponse

from tests.server.conftest import Browser
from tests.server.lti import conformance
from tests.server.lti.platform import (
    CLAIM,
    CLIENT,
    DEEP,
    DEPLOYMENT,
    GRADES,
    NAMES,
    ROLE,
    Platform,
    key,
    running,
)
from tests.server.lti.platform import SCORE as SEND
from tests.server.lti.test_lti import (
    TEACHER,
    asked_of,
    begin,
    course_of,
    finish,
    nobody_came,
    register,
)

Alter = Callable[[dict[str, Any]], dict[str, Any]]


@pytest.fixture(scope="module")
def signing() -> JWK:
    return key()


@pytest.fixture
def platform(app: Any, signing: JWK) -> Iterator[Platform]:
    with running(signing) as found:
        register(app, found)
        yield found


def without(*names: str) -> Alter:
    return lambda claims: {name: value for name, value in claims.items() if name not in names}


def having(**values: Any) -> Alter:
    return lambda claims: claims | values


def saying(name: str, value: object) -> Alter:
    return lambda claims: claims | {f"{CLAIM}{name}": value}


def kind(claims: dict[str, Any]) -> str:
    """The schema that a launch is held against."""
    deep = claims.get(f"{CLAIM}message_type") == "LtiDeepLinkingRequest"
    return "deep-linking-request" if deep else "resource-link-request"


def opened(
    app: Any, platform: Platform, alter: Alter, **person: Any
) -> tuple[Browser, TestResponse, str]:
    """A launch with other claims: whose browser, what it got, and what the schema finds wrong."""
    browser = Browser(app)
    asked = asked_of(begin(browser, platform))
    claims = alter(platform.claims(asked["nonce"], **person))
    answer = finish(browser, asked["state"], platform.sign(claims))
    return browser, answer, conformance.fault(kind(claims), claims)


# ---------------------------------------------------------------------------------------------------
# what must be accepted

LONG = "長い名前 " * 40
VALID: dict[str, Alter] = {
    "as_it_is": lambda claims: claims,
    "a_short_role": saying("roles", ["Learner"]),
    "an_unknown_role": saying("roles", ["http://example.org/roles#Wizard"]),
    "an_unknown_role_and_a_known_one": saying("roles", ["urn:x:Wizard", ROLE + "Learner"]),
    "no_role": saying("roles", []),
    "an_e-mail_and_no_name": lambda c: without("name")(c) | {"email": "lea@x.org"},
    "names_and_no_e-mail": having(given_name="Lea", family_name="Learner"),
    "nothing_personal": without("name", "email", "given_name", "family_name"),
    "a_name_in_many_scripts": having(name="Łéa 李雷 \u200fليلى\u200f 🎓"),
    "a_very_long_name": having(name=LONG),
    "a_very_long_title": saying("context", {"id": "context-1", "title": LONG}),
    "no_title": saying("context", {"id": "context-1"}),
    "unknown_claims": having(**{"https://vendor.example/claim": {"a": [1, None]}, "x": "y" * 5000}),
    "an_unknown_member_of_a_claim": saying("resource_link", {"id": "link-1", "x": 1}),
    "no_custom_parameters": saying("custom", {}),
    "one_audience_in_a_list": having(aud=[CLIENT]),
    "several_audiences": having(aud=[CLIENT, "other"], azp=CLIENT),
    "the_longest_link": saying("resource_link", {"id": "x" * 255}),
    "no_services": without(f"{NAMES}namesroleservice"),
    "a_role_in_the_institution_only": saying(
        "roles", ["http://purl.imsglobal.org/vocab/lis/v2/institution/person#Student"]
    ),
}


@pytest.mark.parametrize("alter", VALID.values(), ids=VALID.keys())
def test_what_must_be_accepted(app: Any, platform: Platform, alter: Alter) -> None:
    course_of(app, platform)
    _, answer, fault = opened(app, platform, alter)
    assert (answer.status_code, fault) == (200, ""), answer.text


def test_a_valid_launch_without_a_course(app: Any, platform: Platform) -> None:
    _, answer, fault = opened(app, platform, without(f"{CLAIM}context"))
    assert (answer.status_code, fault) == (200, "")


# ---------------------------------------------------------------------------------------------------
# what must be refused

MISSHAPEN: dict[str, tuple[Alter, str]] = {
    "wrong_version": (saying("version", "1.2.0"), "Incorrect version"),
    "no_version": (without(f"{CLAIM}version"), "Incorrect version"),
    "version_is_a_number": (saying("version", 1.3), "Incorrect version"),
    "message_of_lti_1_1": (
        saying("message_type", "basic-lti-launch-request"),
        "Unrecognized message type",
    ),
    "no_message_type": (without(f"{CLAIM}message_type"), "Invalid message type"),
    "no_claims_of_lti": (
        lambda c: {name: value for name, value in c.items() if not name.startswith("https://")},
        "deployment",
    ),
    "no_roles": (without(f"{CLAIM}roles"), "Missing Roles"),
    "roles_are_a_text": (saying("roles", ROLE + "Instructor"), "roles is not a list of texts"),
    "roles_are_numbers": (saying("roles", [1]), "roles is not a list of texts"),
    "no_deployment": (without(f"{CLAIM}deployment_id"), "deployment_id"),
    "empty_deployment": (saying("deployment_id", ""), "deployment_id is not set"),
    "deployment_is_a_list": (saying("deployment_id", [DEPLOYMENT]), "Unable to find deployment"),
    "no_resource_link": (without(f"{CLAIM}resource_link"), "Missing Resource Link Id"),
    "resource_link_without_id": (saying("resource_link", {}), "Missing Resource Link Id"),
    "resource_link_is_null": (saying("resource_link", None), "another form than LTI 1.3"),
    "resource_link_is_long": (saying("resource_link", {"id": "x" * 256}), "1 to 255"),
    "no_subject": (without("sub"), "sub"),
    "empty_subject": (having(sub=""), "Must have a user"),
    "subject_is_long": (having(sub="x" * 256), "the claim sub is not a text of 1 to 255"),
    "subject_is_a_number": (having(sub=7), "Subject must be a string"),
    "no_issuer": (without("iss"), "iss"),
    "no_audience": (without("aud"), "aud"),
    "empty_audience": (having(aud=[]), "azp"),
    "audience_of_numbers": (having(aud=[7]), "aud is not a text"),
    "several_audiences_and_no_azp": (having(aud=[CLIENT, "other"]), "azp is not a text"),
    "no_nonce": (without("nonce"), "nonce"),
    "no_end": (without("exp"), "exp"),
    "no_time": (without("iat"), "iat"),
    "end_is_a_text": (having(exp="tomorrow"), "must be an integer"),
    "time_is_a_text": (having(iat="now"), "must be an integer"),
    "context_without_id": (saying("context", {"title": "x"}), "the claim id is not a text"),
    "context_is_a_text": (saying("context", "course"), "the claim context is not an object"),
    "context_is_long": (saying("context", {"id": "x" * 256}), "the claim id is not a text"),
    "list_at_no_address": (
        having(
            **{
                f"{NAMES}namesroleservice": {
                    "context_memberships_url": "javascript:x",
                    "service_versions": ["2.0"],
                }
            }
        ),
        "context_memberships_url is not a valid http address",
    ),
    "list_without_versions": (
        having(**{f"{NAMES}namesroleservice": {"context_memberships_url": "https://c.example/m"}}),
        "service_versions is not a list",
    ),
    "scores_at_no_address": (
        having(**{f"{GRADES}endpoint": {"scope": [SEND], "lineitem": 7}}),
        "lineitem is not a valid http address",
    ),
}
CHOOSING: dict[str, tuple[Alter, str]] = {
    "no_settings": (without(f"{DEEP}deep_linking_settings"), "Missing Deep Linking Settings"),
    "nowhere_to_return": (
        lambda c: c | {f"{DEEP}deep_linking_settings": _settings(c, "deep_link_return_url")},
        "deep_link_return_url is not a valid http address",
    ),
    "no_links_accepted": (
        lambda c: c | {f"{DEEP}deep_linking_settings": _settings(c, "accept_types")},
        "Must support resource link",
    ),
    "no_place_to_show_it": (
        lambda c: (
            c
            | {f"{DEEP}deep_linking_settings": _settings(c, "accept_presentation_document_targets")}
        ),
        "Must support a presentation type",
    ),
}


def _settings(claims: dict[str, Any], left_out: str) -> dict[str, Any]:
    found: dict[str, Any] = claims[f"{DEEP}deep_linking_settings"]
    return {name: value for name, value in found.items() if name != left_out}


@pytest.mark.parametrize(("alter", "words"), MISSHAPEN.values(), ids=MISSHAPEN.keys())
def test_a_launch_that_is_not_as_the_standard_has_it(
    app: Any, platform: Platform, alter: Alter, words: str
) -> None:
    browser, answer, fault = opened(app, platform, alter, **TEACHER)
    assert (answer.status_code, words in answer.text) == (403, True), answer.text
    assert fault != "" and nobody_came(browser)


@pytest.mark.parametrize(("alter", "words"), CHOOSING.values(), ids=CHOOSING.keys())
def test_a_choice_that_is_not_as_the_standard_has_it(
    app: Any, platform: Platform, alter: Alter, words: str
) -> None:
    browser, answer, fault = opened(app, platform, alter, **TEACHER, deep=True)
    assert (answer.status_code, words in answer.text) == (403, True), answer.text
    assert fault != "" and nobody_came(browser)


def moments(issued: int, ends: int) -> Alter:
    """Seconds from now."""
    return lambda claims: (
        claims
        | {
            "iat": int(time.time()) + issued,
            "exp": int(time.time()) + ends,
        }
    )


TIMES = {
    "ended": (moments(-200, -120), "expired"),
    "ended_before_it_began": (moments(0, -3600), "expired"),
    "issued_in_the_future": (moments(600, 1200), "not yet valid"),
    "issued_long_ago_without_end": (moments(-86_400, 86_400), "issued too long ago"),
}


@pytest.mark.parametrize(("alter", "words"), TIMES.values(), ids=TIMES.keys())
def test_times_that_are_wrong(app: Any, platform: Platform, alter: Alter, words: str) -> None:
    browser, answer, fault = opened(app, platform, alter, **TEACHER)
    assert (answer.status_code, words in answer.text, fault) == (403, True, ""), answer.text
    assert nobody_came(browser)


HEADERS: dict[str, tuple[dict[str, Any], str]] = {
    "no_kid": ({}, "KID not found"),
    "empty_kid": ({"kid": ""}, "KID not found"),
    "wrong_kid": ({"kid": "another"}, "Unable to find public key"),
}


@pytest.mark.parametrize(("header", "words"), HEADERS.values(), ids=HEADERS.keys())
def test_headers_that_are_wrong(
    app: Any, platform: Platform, header: dict[str, Any], words: str
) -> None:
    browser = Browser(app)
    asked = asked_of(begin(browser, platform))
    pem = platform.key.export_to_pem(private_key=True, password=None)
    claims = platform.claims(asked["nonce"], **TEACHER)
    answer = finish(browser, asked["state"], jwt.encode(claims, pem, "RS256", headers=header))
    assert (answer.status_code, words in answer.text, nobody_came(browser)) == (403, True, True)


def test_a_nonce_that_was_used(app: Any, platform: Platform) -> None:
    """Another launch of the same browser, with the nonce of the first."""
    browser = Browser(app)
    first, second = (asked_of(begin(browser, platform)) for _ in range(2))
    token = platform.sign(platform.claims(first["nonce"], **TEACHER))
    assert finish(browser, first["state"], token).status_code == 200
    answer = finish(browser, second["state"], token)
    assert (answer.status_code, "Invalid Nonce" in answer.text) == (403, True)


# ---------------------------------------------------------------------------------------------------
# the schemas themselves


def test_the_platform_says_what_is_wrong_with_what_it_is_sent(platform: Platform) -> None:
    """The check is there: a request that is wrong is answered with 400 and the reason."""
    answer = requests.post(platform.address("/token"), data={"grant_type": "password"}, timeout=10)
    assert (answer.status_code, "access-token-request" in answer.json()["error"]) == (400, True)
    answer = requests.get(platform.address("/auth?scope=openid"), timeout=10)
    assert (answer.status_code, "is a required property" in answer.json()["error"]) == (400, True)
    assert len(platform.faults) == 2
    platform.faults.clear()


SCORE = {
    "userId": "u1",
    "scoreGiven": 1.0,
    "scoreMaximum": 2.0,
    "activityProgress": "Completed",
    "gradingProgress": "FullyGraded",
    "timestamp": "2026-01-01T10:00:00.000001+00:00",
}
WRONG = [
    ("score", SCORE, {"timestamp": "2026-01-01T10:00:00"}),
    ("score", SCORE, {"scoreGiven": -1}),
    ("score", SCORE, {"scoreMaximum": 0}),
    ("score", SCORE, {"activityProgress": "Done"}),
    ("score", SCORE, {"userId": 7}),
    ("token-header", {"alg": "RS256", "kid": "k"}, {"alg": "HS256"}),
    ("token-header", {"alg": "RS256", "kid": "k"}, {"kid": ""}),
]


@pytest.mark.parametrize(("name", "right", "change"), WRONG)
def test_a_schema_refuses(name: str, right: dict[str, Any], change: dict[str, Any]) -> None:
    assert conformance.fault(name, right) == ""
    assert conformance.fault(name, right | change) != ""


@pytest.mark.parametrize("name", conformance.names())
def test_every_schema_is_one_and_refuses_something(name: str) -> None:
    assert conformance.fault(name, {}) != ""
