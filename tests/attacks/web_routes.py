"""The part `routes` of `python -m tests.attacks.web`: every route × every role × objects of one's
own, of another and of nobody.
"""

import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from argon2 import PasswordHasher

from server import create_app
from server.models import migrations
from server.services import accounts
from server.settings import Settings
from server.web.context import NAME
from tests.server import route_matrix
from tests.server.conftest import FAKE, SLUG, write_lesson, write_problem, write_syllabus
from tests.server.world import PERSONS, World


def run() -> int:
    """Prints the matrix; the number of cells that are not as route_matrix.txt has them."""
    wrong = 0
    with site() as world:
        print(f"{'':70} {' '.join(f'{name:>8}' for name in (*PERSONS, 'missing'))}")
        for case in route_matrix.cases():
            walked = list(route_matrix.walk(world, case))
            found = route_matrix.faults(case, walked)
            own = {about: result.status for about, _, result in walked}
            print(
                f"{case.name[:70]:70} {' '.join(f'{own[name]:>8}' for name in PERSONS)}"
                f" {case.missing:>8}"
            )
            for fault in found:
                print(f"  WRONG: {fault}")
            wrong += len(found)
    return wrong


@contextmanager
def site(database_url: str = "") -> Iterator[World]:
    """A service over a database of its own, with two classes; nothing judges."""
    hasher = accounts.hasher
    accounts.hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    with tempfile.TemporaryDirectory() as folder:
        write_problem(Path(folder) / "bank", SLUG, 1, "Twice the input")
        write_lesson(Path(folder) / "bank", "asked")
        write_syllabus(Path(folder) / "bank", "short", "asked")
        limits = dict.fromkeys(
            ("sign_in_limit", "sign_up_limit", "link_limit", "submit_limit", "visitor_limit"),
            "100000/minute",
        )
        settings = Settings(
            instance=f"{folder}/instance",
            bank=f"{folder}/bank",
            metrics_token="token",
            database_url=database_url,
            **limits,
        )
        app = create_app(settings, FAKE)
        service = app.extensions[NAME]
        try:
            migrations.upgrade(service.database)
            service.bank.sync()
            with closing(World(app)) as world:
                yield world
        finally:
            service.database.close()
            accounts.hasher = hasher
