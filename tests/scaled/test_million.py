"""No page and no step of a worker reads all submissions: the queries behind them, over generated
rows. (`make million` measures them.)
"""

import contextlib
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import func, select

pytest.importorskip("psycopg", reason="the group `scale` is not installed")
pytest.importorskip("prometheus_client", reason="the group `scale` is not installed")

from benchmarks import queries
from benchmarks.million import requests, rows
from server import create_app
from server.models import migrations
from server.models.submissions import ProblemCount, Submission, Tries
from server.settings import Settings
from server.web.context import NAME, Service
from tests.scaled.services import Postgres
from tests.scaled.stack import REPOSITORY

ROWS = 4000


@pytest.fixture(scope="module")
def site(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[Service, dict[str, requests.Act]]]:
    with contextlib.closing(Postgres()) as cluster:
        folder: Path = tmp_path_factory.mktemp("site")
        url = {
            "database_url": cluster.create("million"),
            "secret_key": "of a test",
            "metrics_token": "of-a-test",
        }
        app = create_app(Settings(instance=str(folder), bank=str(REPOSITORY), **url))
        service: Service = app.extensions[NAME]
        migrations.upgrade(service.database)
        service.bank.sync()
        rows.fill(service.database, ROWS, chunk=1000)
        yield service, requests.pages(app, service) | requests.worker_steps(service)
        service.database.close()


def test_the_rows_are_what_they_should_be(
    site: tuple[Service, dict[str, requests.Act]],
) -> None:
    with site[0].database.read() as session:
        assert session.scalar(select(func.count()).select_from(Submission)) == ROWS
        pairs = session.execute(select(Submission.user_id, Submission.problem).distinct()).all()
        tries = session.execute(select(Tries.user_id, Tries.problem)).all()
        assert set(pairs) == set(tries)
        assert session.scalar(select(func.sum(ProblemCount.judged))) == session.scalar(
            select(func.sum(Tries.judged))
        )


def test_nothing_reads_all_submissions(
    site: tuple[Service, dict[str, requests.Act]],
) -> None:
    service, acts = site
    scanned = []
    for name, act in acts.items():
        with queries.watched(service.database) as seen:
            act(random.Random(name))
        assert seen.statements, name
        for statement, (_, values) in seen.statements.items():
            if re.match(r"\s*(SELECT|UPDATE|DELETE)", statement):
                found = queries.plan(service.database, statement, values, scans=False)
                scanned += [(name, statement)] if "Seq Scan on submissions" in found else []
    assert scanned == []
