"""One line a request, one a verdict; no source, no secret."""

import json
import logging
from typing import Any

import pytest

from server.ops.logs import JsonLines, set_up
from tests.server.conftest import PASSWORD, SLUG, Browser, sqlite_only, token_of


def test_lines(app: Any, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    browser = Browser(app).sign_up("lea")
    number = browser.judged("# accepted: A-SECRET-SOURCE\n")
    browser.get("/nowhere?token=A-SECRET-QUERY")
    headers = token_of(app, "prog")
    app.test_client().get("/api/v1/me", headers=headers)
    lines = [
        json.loads(JsonLines().format(record))
        for record in caplog.records
        if record.name.startswith("server")
    ]
    verdicts = [line for line in lines if line["event"] == "verdict"]
    assert [(v["submission"], v["verdict"], v["kept"]) for v in verdicts] == [
        (number, "accepted", True)
    ]
    requests = [line for line in lines if line["event"] == "request"]
    assert {"method": "GET", "path": "/nowhere", "status": 404}.items() <= next(
        r for r in requests if r["path"] == "/nowhere"
    ).items()
    assert [r["user"] for r in requests if r["path"] == "/api/v1/me"] == [2]
    everything = json.dumps(lines)
    for secret in (
        "A-SECRET-SOURCE",
        "A-SECRET-QUERY",
        PASSWORD,
        headers["Authorization"].split()[1],
        browser.csrf,
    ):
        assert secret not in everything


@sqlite_only  # PostgreSQL compares numbers of any length
def test_a_number_that_cannot_be_stored_is_a_line_without_a_trace(
    learner: Browser, caplog: pytest.LogCaptureFixture
) -> None:
    form = {"kind": "trace", "case": "two by three", "submission": "9" * 21}
    assert learner.post(f"/problems/{SLUG}/explorations", form).status_code == 422
    (record,) = (each for each in caplog.records if each.name == "server.failures")
    assert (record.getMessage(), record.exc_info) == ("unstorable", None)
    assert "too large" in record.__dict__["fields"]["text"]


def test_a_line_is_one_line() -> None:
    record = logging.LogRecord("x", logging.INFO, "", 1, "two\nlines", None, None)
    record.fields = {"trouble": "a\nb \x1b[31m"}
    assert "\n" not in JsonLines().format(record)
    assert "\x1b" not in JsonLines().format(record)


def test_limits_that_do_not_count_are_a_line_without_a_trace(
    capsys: pytest.CaptureFixture[str],
) -> None:
    root = logging.getLogger()
    before = root.handlers, root.level
    try:
        set_up("info")
        try:
            raise ConnectionError("Error 111 connecting to redis:6379. Connection refused.")
        except ConnectionError:
            logging.getLogger("flask-limiter").exception("Failed to rate limit. Swallowing error")
    finally:
        root.handlers = before[0]
        root.setLevel(before[1])
    line = json.loads(capsys.readouterr().err)
    assert (line["event"], line["trouble"]) == ("rate limits do not count", "ConnectionError")
    assert "trace" not in line
