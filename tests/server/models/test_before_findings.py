"""A database of the version before findings were data (revision 0010, verdicts of version 1) opens,
migrates, and shows what was judged then.

`before_findings.sql` was written by that version's own service: two learners and ten submissions,
each judged in a real room; a course, an assignment.
"""

import functools
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.problem import default_bank
from server import create_app
from server.models import migrations
from server.models.database import open_database
from server.settings import Settings
from server.web.context import NAME
from tests.server.conftest import PASSWORD, Browser, sqlite_only

DUMP = Path(__file__).with_name("before_findings.sql")
SLUG = "scaled_dot_product_attention"
# by number: who sent it, its verdict, and a sentence that it had
SENT = {
    1: ("lena", "accepted", "13"),
    3: ("lena", "wrong_answer", "five words"),
    4: ("liam", "wrong_answer", "values differ"),
    5: ("lena", "runtime_error", "ValueError: no"),
    6: ("liam", "compile_error", "SyntaxError"),
    7: ("lena", "runtime_error", "exit"),
    8: ("liam", "wrong_answer", "output"),
    9: ("lena", "wrong_answer", "float64"),
    10: ("liam", "compile_error", "scaled_dot_product_attention"),
}
pytestmark = sqlite_only


def old_database(folder: Path) -> str:
    """A copy of the old database, as its server left it."""
    file = folder / "old.sqlite3"
    with sqlite3.connect(file) as connection:
        connection.executescript(DUMP.read_text(encoding="utf-8"))
    connection.close()
    return f"sqlite:///{file}"


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """An application of today over the old database, migrated once: these tests only read it."""
    folder = tmp_path_factory.mktemp("old")
    app = create_app(
        Settings(
            instance=str(folder),
            database_url=old_database(folder),
            bank=str(default_bank()),
            secret_key="a secret of a test",
            sign_in_limit="1000/minute",
        )
    )
    service = app.extensions[NAME]
    migrations.upgrade(service.database)
    service.bank.sync()
    yield app
    service.database.close()


@pytest.fixture(scope="module")
def signed_in(opened: Any) -> Callable[[str], Browser]:
    """Somebody of that time, with the password of that time; each signs in once."""

    @functools.cache
    def found(name: str) -> Browser:
        browser = Browser(opened)
        browser.get("/sign-in")
        assert browser.post("/sign-in", {"name": name, "password": PASSWORD}).status_code == 303
        return browser

    return found


def test_it_is_of_the_old_revision_and_migrates(tmp_path: Path) -> None:
    database = open_database(old_database(tmp_path))
    assert migrations.current(database) == "0010"
    migrations.upgrade(database)
    migrations.check(database)
    database.close()


@pytest.mark.parametrize("number", SENT)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_each_verdict_is_shown(
    signed_in: Callable[[str], Browser], number: int, language: str
) -> None:
    name, verdict, said = SENT[number]
    client = signed_in(name)
    page = client.get(f"/submissions/{number}", headers={"Accept-Language": language})
    assert page.status_code == 200
    text = page.get_data(as_text=True)
    assert language == "zh" or said in text, text[:3000]
    stored = client.get(f"/api/v1/submissions/{number}").get_json()
    assert stored["verdict"]["verdict"] == verdict
    assert stored["verdict"]["version"] == 1


def test_pages_over_old_rows_open(signed_in: Callable[[str], Browser]) -> None:
    learner, teacher = signed_in("lena"), signed_in("tess")
    for client, path in (
        (learner, "/"),
        (learner, f"/problems/{SLUG}"),
        (learner, f"/problems/{SLUG}/submissions"),
        (teacher, "/teach/courses/1"),
        (teacher, "/teach/assignments/1"),
        (teacher, "/teach/assignments/1/learners/3"),
        (teacher, f"/teach/assignments/1/mistakes/{SLUG}"),
        (teacher, "/teach/assignments/1/gradebook.csv"),
    ):
        answer = client.get(path, follow_redirects=True)
        assert answer.status_code == 200, path
