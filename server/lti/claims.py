"""What a platform says of a launch: the claims of a token that is known to be true, checked in
form.

They are those of LTI Core 1.3, Deep Linking 2.0, Assignment and Grade Services 2.0 and Names and
Role Provisioning Services 2.0.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from grader.errors import UsageError
from server.messages import Message

CLAIM, DEEP, GRADES, NAMES = (
    f"https://purl.imsglobal.org/spec/{name}/claim/"
    for name in ("lti", "lti-dl", "lti-ags", "lti-nrps")
)
INSTRUCTOR = ("http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor", "Instructor")
SCORE = "https://purl.imsglobal.org/spec/lti-ags/scope/score"
TEXT = 255
HOST = re.compile(r"[A-Za-z0-9.\-]+(:\d{1,5})?|\[[0-9a-fA-F:]+\](:\d{1,5})?")


@dataclass(frozen=True, slots=True)
class Claims:
    """The claims that are used here; texts are not longer than a column."""

    issuer: str
    client: str
    deployment: str
    subject: str
    nonce: str
    name: str
    teaches: bool
    context: str
    context_title: str
    link: str
    assignment: int | None
    line: str  # where scores go; empty: nowhere
    memberships: str  # where the list of the course's people is; empty: nowhere
    picking: dict[str, Any] | None  # of a deep linking request: where the choice goes


def read(data: Mapping[str, Any]) -> Claims:
    """Raises `UsageError` for claims of another form than the specifications give them."""
    context, custom = _mapping(data, f"{CLAIM}context"), _mapping(data, f"{CLAIM}custom")
    deep = data.get(f"{CLAIM}message_type") == "LtiDeepLinkingRequest"
    if not deep and data.get(f"{CLAIM}message_type") != "LtiResourceLinkRequest":
        raise UsageError(Message("this kind of launch is not offered here"))
    number = str(custom.get("assignment", ""))
    return Claims(
        issuer=_text(data, "iss"),
        client=client_of(data),
        deployment=_text(data, f"{CLAIM}deployment_id"),
        subject=_text(data, "sub"),
        nonce=_text(data, "nonce"),
        name=line(data.get("name") or data.get("given_name"))[:TEXT],
        teaches=any(role in INSTRUCTOR for role in _texts(data, f"{CLAIM}roles")),
        context=_text(context, "id") if context else "",
        context_title=line(context.get("title") or context.get("label"))[:120],
        link="" if deep else _text(_mapping(data, f"{CLAIM}resource_link"), "id"),
        assignment=int(number) if number.isdecimal() and len(number) < 10 else None,
        line=_line_item(_mapping(data, f"{GRADES}endpoint")),
        memberships=_memberships(_mapping(data, f"{NAMES}namesroleservice")),
        picking=_settings(_mapping(data, f"{DEEP}deep_linking_settings")) if deep else None,
    )


def client_of(data: Mapping[str, Any]) -> str:
    """Whom a token is for; of several audiences, the one that `azp` names."""
    audience = data.get("aud")
    if not isinstance(audience, list):
        return _text(data, "aud")
    return _text(data, "azp") if len(audience) != 1 else _text({"aud": audience[0]}, "aud")


def _line_item(said: Mapping[str, Any]) -> str:
    """Where scores go, if we may send any."""
    if not said.get("lineitem") or SCORE not in _texts(said, "scope"):
        return ""
    return _address(said, "lineitem")


def _memberships(said: Mapping[str, Any]) -> str:
    """Where the list of the course's people is, in the version that we read."""
    if not said or "2.0" not in _texts(said, "service_versions"):
        return ""
    return _address(said, "context_memberships_url")


def _settings(said: Mapping[str, Any]) -> dict[str, Any]:
    """Where a choice goes, and what goes with it."""
    url = _address(said, "deep_link_return_url")
    return {"deep_link_return_url": url, "data": said.get("data")}


def _mapping(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = data.get(name) or {}
    if not isinstance(value, dict):
        raise UsageError(Message("the claim %(name)s is not an object", name=_short(name)))
    return value


def _texts(data: Mapping[str, Any], name: str) -> list[str]:
    value = data.get(name)
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise UsageError(Message("the claim %(name)s is not a list of texts", name=_short(name)))
    return value


def _text(data: Mapping[str, Any], name: str) -> str:
    value = data.get(name)
    if not isinstance(value, str) or not 0 < len(value) <= TEXT or "\0" in value:
        raise UsageError(
            Message(
                "the claim %(name)s is not a text of 1 to %(most)s characters",
                name=_short(name),
                most=TEXT,
            )
        )
    return value


def _address(data: Mapping[str, Any], name: str) -> str:
    """Of a page of the platform.

    Its host becomes a part of a policy header, so that it is a host and nothing else is checked.
    """
    value = data.get(name)
    text = value if isinstance(value, str) and len(value) <= 2000 and value.isprintable() else ""
    try:
        parts = urlsplit(text)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in ("https", "http") or not HOST.fullmatch(parts.netloc):
        raise UsageError(
            Message("the claim %(name)s is not a valid http address", name=_short(name))
        )
    return parts.geturl()


def _short(name: str) -> str:
    """A claim's name without the address before it."""
    return name.rpartition("/")[2]


def line(value: object) -> str:
    """A name or title in one line, whatever it had in it."""
    return " ".join("".join(c if c.isprintable() else " " for c in str(value or "")).split())
