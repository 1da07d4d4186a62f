"""`grade publish` against a real server: the same findings, the same versions as in the browser."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from werkzeug.serving import make_server

from server.models.accounts import Role, User
from server.services.courses import administration
from server.services.problems import audiences
from server.web.context import NAME
from server.worker.threads import Core
from tests.server.conftest import MakeApp, token_of
from tests.server.instructors import FIT, SLUG, UNFIT, zip_of


@pytest.fixture
def site(make_app: MakeApp, room: Core) -> Iterator[tuple[Any, str]]:
    """A service with the judge in its room, on a port: (app, address)."""
    app = make_app(room, workers=1)
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield app, f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def write(root: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        group, _, rest = path.partition("/")
        target = root / group / SLUG / rest
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")


def grade(home: Path, *words: str) -> tuple[int, str]:
    environment = {
        **os.environ,
        "GRADE_HOME": str(home),
        "GRADE_BANK": str(home / "laptop"),
        "COLUMNS": "300",
        "TERM": "dumb",
    }
    done = subprocess.run(
        [sys.executable, "-m", "grader.cli", *words],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    return done.returncode, done.stdout + done.stderr


def test_refused_then_mended_then_published(site: tuple[Any, str], tmp_path: Path) -> None:
    app, address = site
    token = token_of(app, "terry", Role.INSTRUCTOR)["Authorization"].removeprefix("Bearer ")
    write(tmp_path / "laptop", UNFIT)
    status, text = grade(tmp_path, "publish", address, SLUG)
    assert (status, "not logged in" in text) == (2, True)
    assert grade(tmp_path, "login", address, "--token", token)[0] == 0
    status, text = grade(tmp_path, "publish", address, SLUG)
    assert (status, "survives: no hidden case kills it" in text, "not published" in text) == (
        1,
        True,
        True,
    ), text
    write(tmp_path / "laptop", FIT)
    status, text = grade(tmp_path, "publish", address, SLUG, "--note", "the first")
    assert (status, "version 1 is published" in text) == (0, True), text
    assert app.test_client().get(f"/problems/{SLUG}").status_code == 200
    status, text = grade(tmp_path, "publish", address, SLUG)
    assert (status, "nothing has changed" in text) == (2, True), text
    status, text = grade(tmp_path, "publish", "http://127.0.0.1:9", SLUG)
    assert (status, f"logged in to {address}" in text) == (2, True), text


def test_a_learner_submits_to_a_problem_that_only_the_server_has(
    site: tuple[Any, str], tmp_path: Path
) -> None:
    app, address = site
    teacher = token_of(app, "terry", Role.INSTRUCTOR)["Authorization"].removeprefix("Bearer ")
    write(tmp_path / "laptop", FIT)
    assert grade(tmp_path, "login", address, "--token", teacher)[0] == 0
    assert grade(tmp_path, "publish", address, SLUG)[0] == 0
    learner = tmp_path / "learner"
    (learner / "laptop" / "problems").mkdir(parents=True)
    (learner / "mine.py").write_text(FIT["reference/numpy.py"], encoding="utf-8")
    token = token_of(app, "lea")["Authorization"].removeprefix("Bearer ")
    assert grade(learner, "login", address, "--token", token)[0] == 0
    status, text = grade(learner, "submit", SLUG, str(learner / "mine.py"))
    assert (status, SLUG in text, "accepted" in text) == (0, True, True), text
    status, text = grade(learner, "submit", f"{SLUG}s", str(learner / "mine.py"))
    assert (status, f"There is no problem '{SLUG}s'" in text) == (2, True), text


def test_for_the_learners_of_a_course(site: tuple[Any, str], tmp_path: Path) -> None:
    app, address = site
    token = token_of(app, "terry", Role.INSTRUCTOR)["Authorization"].removeprefix("Bearer ")
    service = app.extensions[NAME]
    with service.database.write() as session:
        terry = session.scalars(select(User).where(User.name == "terry")).one()
        code = administration.create(session, "Spring", "UTC", terry.id).code
    write(tmp_path / "laptop", FIT)
    assert grade(tmp_path, "login", address, "--token", token)[0] == 0
    status, text = grade(tmp_path, "publish", address, SLUG, "--course", "no-such")
    assert (status, f"yours: {code} (Spring)" in text) == (2, True), text
    status, text = grade(tmp_path, "publish", address, SLUG, "--course", code.lower())
    assert (status, "version 1 is published" in text) == (0, True), text
    assert app.test_client().get(f"/problems/{SLUG}").status_code == 404
    with service.database.read() as session:
        assert [course.title for course in audiences.of(session, SLUG)] == ["Spring"]


def test_learners_may_not(site: tuple[Any, str], tmp_path: Path) -> None:
    app, address = site
    token = token_of(app, "lea")["Authorization"].removeprefix("Bearer ")
    write(tmp_path / "laptop", FIT)
    assert grade(tmp_path, "login", address, "--token", token)[0] == 0
    status, text = grade(tmp_path, "publish", address, SLUG)
    assert (status, "refuses (403)" in text) == (2, True), text


def test_where_a_verification_is_watched(make_app: MakeApp) -> None:
    client = (app := make_app()).test_client()
    headers = {**token_of(app, "terry", Role.INSTRUCTOR), "Content-Type": "application/zip"}
    answer = client.post("/api/v1/drafts", data=zip_of(FIT).getvalue(), headers=headers)
    assert (answer.status_code, answer.headers["Location"]) == (202, answer.json["run"])
    assert client.get(answer.json["run"], headers=headers).status_code == 200
