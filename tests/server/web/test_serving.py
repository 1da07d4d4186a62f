"""How answers leave: what is compressed, what a browser keeps, and what a compressed length may not
give away.
"""

import gzip
import json
import re
import threading
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import brotli
import pytest
from flask import request
from flask_wtf.csrf import generate_csrf, validate_csrf
from wtforms import ValidationError

from server.web import headers
from server.web.serving import assets, waitress_server
from tests.server.conftest import PASSWORD, SLUG, Browser

SCRIPT = b"export const text = 'of a script that is long enough to compress';" * 40
PAGE = f"/problems/{SLUG}"
NAME = "app-0A1B2C3D.js"


@pytest.fixture
def dist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A build with one script."""
    folder = tmp_path / "static" / "dist"
    folder.mkdir(parents=True)
    monkeypatch.setattr(assets, "STATIC", folder.parent)
    monkeypatch.setattr(assets, "MANIFEST", folder / "manifest.json")
    build(folder, NAME)
    return folder


def build(folder: Path, name: str) -> None:
    (folder / "manifest.json").write_text(json.dumps({"app.js": [name, "chunk-00000000.js"]}))
    (folder / name).write_bytes(SCRIPT)
    (folder / f"{name}.br").write_bytes(brotli.compress(SCRIPT))
    (folder / f"{name}.gz").write_bytes(gzip.compress(SCRIPT))


@pytest.fixture
def built(dist: Path, make_app: Callable[..., Any]) -> Browser:
    return Browser(make_app())


@pytest.mark.parametrize(
    ("accepted", "encoding", "decode"),
    [
        ("gzip, deflate, br, zstd", "br", brotli.decompress),
        ("gzip", "gzip", gzip.decompress),
        ("", None, bytes),
    ],
)
def test_a_built_file_is_sent_as_the_build_compressed_it(
    built: Browser, accepted: str, encoding: str | None, decode: Callable[[bytes], bytes]
) -> None:
    wanted = {"Accept-Encoding": accepted}
    with built.client.get(f"/static/dist/{NAME}", headers=wanted) as answer:
        assert answer.headers.get("Content-Encoding") == encoding
        assert decode(answer.data) == SCRIPT
        assert answer.headers["Vary"] == "Accept-Encoding"
        assert answer.mimetype == "text/javascript"


def test_a_browser_keeps_a_built_file_for_good_and_the_icon_for_an_hour(built: Browser) -> None:
    page = built.get(PAGE).text
    (address,) = re.findall(r'<script type="module" src="([^"]+)"', page)
    assert address == f"/static/dist/{NAME}"
    with built.client.get(address) as answer:
        assert answer.headers["Cache-Control"] == "max-age=315360000, public, immutable"
    with built.client.get("/static/dist/manifest.json") as answer:
        assert answer.headers["Cache-Control"] == "max-age=3600, public"


def test_a_page_asks_at_once_for_what_its_script_imports(built: Browser) -> None:
    links = re.findall(r'<link rel="modulepreload" href="([^"]+)"', built.get(PAGE).text)
    assert links == ["/static/dist/chunk-00000000.js"]


def test_a_built_file_carries_the_headers_of_every_answer(
    dist: Path, make_app: Callable[..., Any]
) -> None:
    with Browser(make_app(https=True)).client.get(f"/static/dist/{NAME}") as answer:
        for name, value in headers.fixed(https=True).items():
            assert answer.headers[name] == value
        assert "Access-Control-Allow-Origin" not in answer.headers
        assert "Set-Cookie" not in answer.headers


def test_pages_name_what_a_later_build_made(built: Browser, dist: Path) -> None:
    build(dist, "app-9Z8Y7X6W.js")
    assert "/static/dist/app-9Z8Y7X6W.js" in built.get(PAGE).text


def test_what_a_later_build_took_away_is_not_found(built: Browser, dist: Path) -> None:
    for path in dist.glob(f"{NAME}*"):
        path.unlink()
    with built.client.get(f"/static/dist/{NAME}", headers={"Accept-Encoding": "br"}) as answer:
        assert answer.status_code == 404


def test_without_a_build_a_page_is_there_all_the_same(
    make_app: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(assets, "MANIFEST", tmp_path / "manifest.json")
    answer = Browser(make_app()).get(PAGE)
    assert answer.status_code == 200
    assert 'href="/static/dist/app.css"' in answer.text
    assert "preload" not in answer.text


def test_a_page_is_compressed_as_the_browser_accepts_it(learner: Browser) -> None:
    plain = learner.client.get("/leaderboard")
    assert "Content-Encoding" not in plain.headers
    answer = learner.client.get("/leaderboard", headers={"Accept-Encoding": "gzip, br"})
    assert answer.headers["Content-Encoding"] == "br"
    assert "Accept-Encoding" in answer.headers["Vary"]
    assert "<h1" in brotli.decompress(answer.data).decode()
    assert len(answer.data) < len(plain.data) / 2


def test_the_json_of_a_verdict_is_compressed(learner: Browser) -> None:
    number = learner.judged("# wrong\n")
    answer = learner.client.get(
        f"/api/v1/submissions/{number}", headers={"Accept-Encoding": "gzip"}
    )
    assert answer.headers["Content-Encoding"] == "gzip"
    assert json.loads(gzip.decompress(answer.data))["id"] == number


def test_the_answer_to_a_form_is_not_compressed(learner: Browser) -> None:
    learner.get("/profile")
    answer = learner.post(
        "/profile/tokens", {"name": "a laptop"}, headers={"Accept-Encoding": "gzip, br"}
    )
    assert 'class="secret"' in answer.text
    assert "Content-Encoding" not in answer.headers


def test_the_token_of_a_form_is_another_one_each_second(
    app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens = []
    for moment in (1_800_000_000, 1_800_000_001):
        monkeypatch.setattr("itsdangerous.timed.time.time", lambda moment=moment: moment)
        with app.test_request_context(headers={"Cookie": ""}) as context:
            context.session["csrf_token"] = "the same in both"
            tokens.append(generate_csrf())
            validate_csrf(tokens[-1])
    (data, _, first), (same, _, second) = (token.split(".") for token in tokens)
    assert data == same and first != second
    with app.test_request_context() as context:
        context.session["csrf_token"] = "the same in both"
        with pytest.raises(ValidationError):  # what repeats does not make a token
            validate_csrf(f"{data}.{tokens[1].split('.')[1]}.{first}")


def test_another_site_cannot_read_a_page_as_a_learner(app: Any) -> None:
    visitor = Browser(app)
    visitor.get("/sign-up")
    data = {"name": "lea", "password": PASSWORD, "again": PASSWORD}
    (cookie,) = visitor.post("/sign-up", data).headers.getlist("Set-Cookie")
    assert cookie.startswith("judge_session=")
    assert "SameSite=Strict" in cookie


@pytest.mark.parametrize(("proxies", "told"), [(0, "127.0.0.1 http"), (1, "9.9.9.9 https")])
def test_waitress_hands_on_what_the_proxies_say(
    make_app: Callable[..., Any], proxies: int, told: str
) -> None:
    app = make_app(proxies=proxies, work=False)
    app.add_url_rule("/told", "told", lambda: f"{request.remote_addr} {request.scheme}")
    server = waitress_server.create(app, "127.0.0.1", 0, 2)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    asked = urllib.request.Request(
        f"http://127.0.0.1:{server.effective_port}/told",
        headers={"X-Forwarded-For": "6.6.6.6, 9.9.9.9", "X-Forwarded-Proto": "https"},
    )
    try:
        with urllib.request.urlopen(asked, timeout=30) as answer:
            assert answer.read().decode() == told
    finally:
        server.close()
        thread.join(10)
