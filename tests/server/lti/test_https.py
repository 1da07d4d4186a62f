"""A platform over HTTPS whose certificate an authority of its own has signed: each request that goes
there checks it.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jwcrypto.jwk import JWK
from sqlalchemy import select

from server.lti import passback
from server.models.lti import LtiGrade, LtiLine
from server.services.courses import passback_queue
from tests.server.conftest import GOOD, Browser
from tests.server.lti import authority
from tests.server.lti.platform import Platform, key, running
from tests.server.lti.test_lti import asked_of, begin, finish, nobody_came, register
from tests.server.lti.test_lti_grades import Campus
from tests.server.lti.test_memberships import LEA, Class


def queued(campus: Campus) -> None:
    """A score that waits."""
    with campus.database.write() as session:
        line = session.scalars(select(LtiLine)).one()
        user = session.scalars(passback_queue.of_line(line)).one()
        session.add(LtiGrade(line_id=line.id, user_id=user, score=3.0, maximum=10.0))


@pytest.fixture(scope="module")
def signing() -> JWK:
    return key()


@pytest.fixture
def trusted(tmp_path: Path) -> Path:
    """Where the authority's certificate is; nobody trusts it yet."""
    return tmp_path / "authority.pem"


@pytest.fixture
def platform(app: Any, signing: JWK, tmp_path: Path, trusted: Path) -> Iterator[Platform]:
    path, context = authority.made(tmp_path)
    assert path == trusted
    with running(signing, tls=context) as found:
        register(app, found)
        yield found


def test_with_the_authority_all_of_it_works(
    app: Any, platform: Platform, trusted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The platform's keys, a token, a score, a list."""
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(trusted))
    assert platform.issuer.startswith("https://")
    campus = Campus(app, platform)
    campus.learner.judged(GOOD)
    assert campus.taken(1) == [("u1", 10.0, 10.0)]
    platform.members = [LEA]
    course = Class(app, platform)
    assert course.store(course.ask().text).status_code == 303
    assert course.roster() == [("Lea Learner", "lea@x.org", "", "Lea.Learner")]


@pytest.mark.parametrize("bundle", ["", "another"])
def test_without_it_nobody_is_let_in(
    app: Any,
    platform: Platform,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    bundle: str,
) -> None:
    """Neither when nothing is said, nor when another authority of the same name is trusted."""
    monkeypatch.delenv("REQUESTS_CA_BUNDLE", raising=False)
    if bundle:
        (tmp_path / bundle).mkdir()
        path, _ = authority.made(tmp_path / bundle)
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(path))
    browser = Browser(app)
    asked = asked_of(begin(browser, platform))
    answer = finish(browser, asked["state"], platform.sign(platform.claims(asked["nonce"])))
    assert (answer.status_code, nobody_came(browser)) == (403, True)
    assert "the certificate of the platform cannot be verified" in answer.text


def test_what_goes_out_later_is_checked_as_well(
    app: Any, platform: Platform, trusted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An authority that is trusted no longer: no token is asked for, no list is read."""
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(trusted))
    campus, course = Campus(app, platform), Class(app, platform)
    app.extensions["judge"].worker.stop()
    monkeypatch.delenv("REQUESTS_CA_BUNDLE")
    queued(campus)
    claimed = passback.claim(campus.database, "me:1:x")
    assert claimed is not None
    assert not passback.carry_out(campus.database, claimed, 1.0)
    (grade,) = campus.grades()
    assert "The certificate of the platform cannot be verified" in str(grade.last_error)
    assert "requests" not in str(grade.last_error).replace("REQUESTS_CA_BUNDLE", "").lower()
    page = campus.page()
    assert ("name the authority in REQUESTS_CA_BUNDLE" in page, claimed.url in page) == (True, True)
    answer = course.ask()
    assert answer.status_code == 422
    assert "The certificate of Campus cannot be verified." in answer.text
    assert (platform.tokens, platform.asked) == ({}, 0)
