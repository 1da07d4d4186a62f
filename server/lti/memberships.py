"""The list of a course's people, asked of a learning platform (Names and Role Provisioning Services
2.0), and read.

PyLTI1p3 gets the token. The pages of the list are fetched here: its own reader writes the address
of the next page in small letters, follows it and redirects to any host, and has no bound.
"""

import json
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import requests
from pylti1p3.exception import LtiServiceException
from pylti1p3.service_connector import ServiceConnector
from requests.exceptions import RequestException, SSLError
from sqlalchemy import select
from sqlalchemy.orm import Session
from urllib3.exceptions import HTTPError

from grader.errors import UsageError
from server.lti.claims import INSTRUCTOR, line
from server.lti.registry import registration, web
from server.messages import Message, counted
from server.models.courses import Member
from server.models.lti import LtiPerson, LtiPlatform
from server.services.rosters.reading import EMAIL, MOST_ROWS, Person

SCOPE = "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly"
MEDIA = "application/vnd.ims.lti-nrps.v2.membershipcontainer+json"
LEARNER = ("http://purl.imsglobal.org/vocab/lis/v2/membership#Learner", "Learner")
A_PAGE = 100  # people asked for at once; a platform may give fewer
MOST_PAGES = 100
MOST_BYTES = 4 * 2**20
MOST_S = 20.0
CHUNK = 2**16
MOST_FAULTS = 20


def fetch(platform: LtiPlatform, url: str, private_pem: str) -> list[Any]:
    """Returns the members as the platform gives them, page after page.

    Raises `UsageError` when it does not.
    """
    if urlsplit(url).scheme != "https" and urlsplit(platform.token_url).scheme == "https":
        raise UsageError(Message("The address of the list is not a valid https address."))
    with web() as session, _told(platform.name):
        connector = ServiceConnector(registration(platform, private_pem), session)
        session.headers["Authorization"] = f"Bearer {connector.get_access_token([SCOPE])}"
        session.headers["Accept"], session.headers["Accept-Encoding"] = MEDIA, "identity"
        return [member for page in _pages(session, url) for member in page]


@contextmanager
def _told(name: str) -> Iterator[None]:
    """What can go wrong with a platform, as a sentence for the teacher."""
    try:
        yield
    except LtiServiceException as error:
        status = error.response.status_code
        if status >= 500:
            raise UsageError(
                Message(
                    "%(name)s is out of order (%(status)s). Try again later.",
                    name=name,
                    status=str(status),
                )
            ) from None
        raise UsageError(
            Message(
                "%(name)s refuses the list (%(status)s). Its administrator must allow this tool to"
                " use names and roles.",
                name=name,
                status=str(status),
            )
        ) from None
    except SSLError:
        raise UsageError(
            Message("The certificate of %(name)s cannot be verified.", name=name)
        ) from None
    except (RequestException, HTTPError) as error:
        raise UsageError(
            Message("No answer from %(name)s: %(error)s", name=name, error=str(error)[:300])
        ) from None
    except (KeyError, TypeError, ValueError, AttributeError):
        raise UsageError(
            Message("%(name)s answered with something that is not a list of people.", name=name)
        ) from None


def _pages(session: requests.Session, url: str) -> Iterator[list[Any]]:
    """Yields page after page, all of one host, within the bounds."""
    host, end, size = urlsplit(url)[:2], time.monotonic() + MOST_S, 0
    parts = urlsplit(url)
    query = urlencode([*parse_qsl(parts.query, keep_blank_values=True), ("limit", str(A_PAGE))])
    following: str | None = parts._replace(query=query).geturl()
    for _ in range(MOST_PAGES):
        body, following = _page(session, following or "", MOST_BYTES - size, end)
        size += len(body)
        members = json.loads(body)["members"]
        if not isinstance(members, list):
            raise TypeError
        yield members
        if following is None:
            return
        if urlsplit(following)[:2] != host:
            raise UsageError(Message("The next page of the list is on another host."))
    raise UsageError(Message("The list has more than %(most)s pages.", most=MOST_PAGES))


def _page(session: requests.Session, url: str, most: int, end: float) -> tuple[bytes, str | None]:
    """A page as it came, and the address of the next one."""
    with session.get(url, stream=True, allow_redirects=False) as answer:
        if answer.status_code != 200:  # a redirect, too
            raise LtiServiceException(answer)
        body = bytearray()
        while chunk := answer.raw.read1(CHUNK):
            body += chunk
            if len(body) > most or time.monotonic() > end:
                raise UsageError(
                    Message("The list is too long: more than 4 MiB, or more than 20 seconds.")
                )
        return bytes(body), answer.links.get("next", {}).get("url")


@dataclass(frozen=True, slots=True)
class MemberList:
    """Who can stand in the roster, what is wrong with others, and who is left out."""

    people: tuple[Person, ...]
    faults: tuple[Message, ...]
    notes: tuple[Message, ...]


def accounts_of(session: Session, platform: LtiPlatform, course_id: int) -> dict[str, int]:
    """The accounts of the course's people who have come from the platform, by subject."""
    query = (
        select(LtiPerson.subject, LtiPerson.user_id)
        .join(Member, Member.user_id == LtiPerson.user_id)
        .where(LtiPerson.issuer == platform.issuer, Member.course_id == course_id)
    )
    return dict(session.execute(query).all())


def read(members: Iterable[Any], accounts: Mapping[str, int]) -> MemberList:
    """Sorts the members that a platform gave. Raises `UsageError` for too many."""
    listed = [member for member in members if isinstance(member, dict)]
    active = [member for member in listed if member.get("status", "Active") == "Active"]
    learners = [member for member in active if _learns(member.get("roles"))]
    if len(learners) > MOST_ROWS:
        raise UsageError(Message("The list has more than %(most)s people.", most=MOST_ROWS))
    people, faults = _people(learners, accounts)
    notes = _notes(len(listed) - len(active), len(active) - len(learners))
    return MemberList(people, _shortened(faults, bool(people)), notes)


def _learns(roles: object) -> bool:
    """Whether somebody is a learner there, and not a teacher as well."""
    said = roles if isinstance(roles, list) else []
    return any(role in LEARNER for role in said) and not any(role in INSTRUCTOR for role in said)


def _people(
    learners: Iterable[Mapping[str, Any]], accounts: Mapping[str, int]
) -> tuple[tuple[Person, ...], list[Message]]:
    kept: dict[str, Person] = {}
    faults: list[Message] = []
    for number, member in enumerate(learners, 1):
        name, email = _name(member), line(member.get("email")).casefold()
        account = accounts.get(str(member.get("user_id", "")))
        fault = _fault(name, email, kept)
        if fault is None:
            kept[email] = Person(number, name, email, account=account)
        else:
            faults.append(fault)
    return tuple(kept.values()), faults


def _name(member: Mapping[str, Any]) -> str:
    parts = (member.get("given_name"), member.get("family_name"))
    return line(member.get("name")) or line(" ".join(str(part) for part in parts if part))


def _fault(name: str, email: str, kept: Mapping[str, Person]) -> Message | None:
    if not name or len(name) > 120:
        return Message(
            "%(email)s: a name has 1 to 120 characters.", email=email[:80] or Message("somebody")
        )
    if not email:
        return Message("%(name)s has no e-mail address there.", name=name)
    if not EMAIL.fullmatch(email):
        return Message(
            "%(name)s: '%(email)s' is not a valid e-mail address.", name=name, email=email[:80]
        )
    if email in kept:
        return Message(
            "%(name)s has the e-mail address of %(other)s.", name=name, other=kept[email].name
        )
    return None


def _shortened(faults: list[Message], some: bool) -> tuple[Message, ...]:
    if faults and not some:
        return (
            Message(
                "Nobody has both a name and an e-mail address. Ask the platform's administrator to"
                " share names and e-mail addresses with this tool."
            ),
        )
    more = len(faults) - MOST_FAULTS
    last = [counted("… and %(num)s more.", "… and %(num)s more.", more)] if more > 0 else []
    return (*faults[:MOST_FAULTS], *last)


def _notes(inactive: int, others: int) -> tuple[Message, ...]:
    notes = {
        counted(
            "%(num)s person is left out: no longer active there.",
            "%(num)s people are left out: no longer active there.",
            inactive,
        ): inactive,
        counted(
            "%(num)s person is left out: no learner there.",
            "%(num)s people are left out: no learners there.",
            others,
        ): others,
    }
    return tuple(note for note, count in notes.items() if count)
