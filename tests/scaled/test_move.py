"""A site moves from SQLite to PostgreSQL by backup and restore, and back: every row of every table
is the same.
"""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import func, select

from server.models import migrations
from server.models.accounts import User
from server.models.base import Base, now
from server.models.courses import Assignment
from server.models.database import open_database
from server.models.lti import LtiContext, LtiGrade, LtiKey, LtiLine, LtiPerson, LtiPlatform
from server.ops import backup
from server.services import accounts
from tests.scaled.services import Postgres
from tests.server.conftest import *  # noqa: F403 - the fixtures
from tests.server.conftest import ON_POSTGRES, Browser
from tests.server.ops.test_backup import lived_in, rows  # noqa: F401 - a fixture

pytestmark = pytest.mark.skipif(ON_POSTGRES, reason="begins on SQLite")


@pytest.fixture
def cluster_of_another_machine() -> Iterator[Postgres]:
    with contextlib.closing(Postgres()) as running:
        yield running


def come_from_a_platform(site: Browser) -> None:
    """Rows of LTI, which nobody has launched here."""
    urls = {name: f"https://c.example/{name}" for name in ("auth_url", "token_url", "jwks_url")}
    with site.service.database.write() as session:
        user, assignment = (
            session.scalars(select(User.id)).first(),
            session.scalars(select(Assignment)).one(),
        )
        platform = LtiPlatform(
            name="Campus",
            issuer="https://c.example",
            client_id="1",
            deployments=["1", "zwölf"],
            **urls,
        )
        line = LtiLine(
            platform=platform,
            resource_link="l",
            assignment_id=assignment.id,
            url="https://c.example/1",
            looked_at=now(),
        )
        session.add_all(
            [
                platform,
                line,
                LtiKey(private_pem="pem"),
                LtiPerson(issuer="https://c.example", subject="ü", user_id=user),
            ]
        )
        session.flush()
        session.add(
            LtiContext(platform_id=platform.id, context="c", course_id=assignment.course_id)
        )
        session.add(
            LtiGrade(line_id=line.id, user_id=user, score=1 / 3, maximum=10.0, last_error="503")
        )


def test_there_and_back(
    lived_in: Browser,  # noqa: F811
    cluster_of_another_machine: Postgres,
    tmp_path: Path,
) -> None:
    come_from_a_platform(lived_in)
    before = rows(lived_in.service.database)
    backup.backup(lived_in.service.database, tmp_path / "from.sqlite")
    there = open_database(cluster_of_another_machine.create("moved"))
    back = open_database(f"sqlite:///{tmp_path / 'back.sqlite3'}")
    try:
        counts = backup.restore(there, tmp_path / "from.sqlite")
        assert rows(there) == before
        migrations.check(there)
        backup.backup(there, tmp_path / "from.postgresql")
        assert backup.restore(back, tmp_path / "from.postgresql") == counts
        assert rows(back) == before
        for database in (there, back):  # and it can be gone on with: the next number is free
            with database.write() as session:
                most = session.scalar(select(func.max(User.id)))
                assert most is not None
                assert accounts.add_user(session, "somebody_new", "a long password").id > most
    finally:
        there.close()
        back.close()
    filled = {name for name, found in before.items() if found}
    assert {name for name in Base.metadata.tables if name.startswith("lti_")} - {
        "lti_nonces"
    } <= filled
    assert len(filled) >= 16
