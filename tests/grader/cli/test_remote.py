"""`grade login`, `submit` and `publish`: what is sent, and what is said of each reply.

The server is a function here; tests/server/api/test_publish.py has a real one.
"""

import json
import ssl
import stat
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from grader.cli import publish, remote
from grader.cli.judging import run
from grader.cli.main import grade
from grader.cli.remote import Login
from grader.errors import JudgeError, UsageError
from grader.model import Framework, Outcome, Verdict
from tests.conftest import ROOT
from tests.grader import small

SITE = "http://judge.example"
LOGIN = Login(SITE, "secret")
VERDICT = Verdict(
    "scores", "d", Framework.NUMPY, Outcome.ACCEPTED, 0, 0, "bubblewrap", 0, (), (), ""
)


class Server:
    """Replies in order, and keeps the requests."""

    def __init__(self, *replies: httpx.Response | Exception) -> None:
        self.replies, self.requests = list(replies), list[httpx.Request]()

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply


Serve = Callable[..., Server]


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Serve:
    """Puts a server behind every connection."""
    monkeypatch.setenv("GRADE_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(remote.time, "sleep", lambda seconds: None)
    connect = remote.connect

    def serve(*replies: httpx.Response | Exception) -> Server:
        server = Server(*replies)

        def connected(login: Login) -> httpx.Client:
            client = connect(login)
            client._transport = httpx.MockTransport(server)
            return client

        monkeypatch.setattr(remote, "connect", connected)
        monkeypatch.setattr(publish, "connect", connected)
        return server

    return serve


def ok(**body: object) -> httpx.Response:
    return httpx.Response(200, json=body)


def test_login_keeps_the_token_close(serve: Serve) -> None:
    server = serve(ok(name="lea"))
    assert remote.login(f"{SITE}/", " secret\n") == "lea"
    assert server.requests[0].url == f"{SITE}/api/v1/me"
    assert server.requests[0].headers["Authorization"] == "Bearer secret"
    assert remote.stored_login() == LOGIN
    assert stat.S_IMODE(remote.login_file().stat().st_mode) == 0o600


def test_a_refused_token_is_not_kept(serve: Serve) -> None:
    serve(httpx.Response(401, json={"detail": "unknown token"}))
    with pytest.raises(UsageError, match="does not know this token: unknown token; make one on"):
        remote.login(SITE, "secret")
    assert not remote.login_file().exists()


@pytest.mark.parametrize(
    "url",
    [
        *("example", "ftp://example", "http://", "http://[::1", "file:///x", "http://:80"),
        *("http://a..b", "http://example:99999", "http://example/?a=1", "http://example/#top"),
    ],
)
def test_an_address_that_is_none(serve: Serve, url: str) -> None:
    serve()
    with pytest.raises(UsageError, match="is not the address of a server; give one such as http"):
        remote.login(url, "secret")
    refused = CliRunner().invoke(grade, ["login", url], standalone_mode=False)
    assert (refused.return_value, "token" in refused.output) == (2, False)  # it was not asked for


@pytest.mark.parametrize("token", ["", " ", "two words", "two\nlines", "é", "\udcff", "\x7f"])
def test_what_is_not_a_token_is_not_sent(serve: Serve, token: str) -> None:
    server = serve()
    with pytest.raises(UsageError, match="this is not a token; copy one as your profile page"):
        remote.login(SITE, token)
    assert server.requests == []


@pytest.mark.parametrize(
    ("piped", "status", "told"),
    [("secret\n", 0, "logged in to"), ("", 2, "nobody answers; --token TOKEN gives the token")],
)
@pytest.mark.filterwarnings("error")  # getpass warns where it cannot hide what is typed
def test_a_token_is_read_from_a_pipe(serve: Serve, piped: str, status: int, told: str) -> None:
    serve(ok(name="lea"))
    logged_in = CliRunner().invoke(grade, ["login", SITE], input=piped, standalone_mode=False)
    assert (logged_in.return_value, told in logged_in.output) == (status, True), logged_in.output


def test_submit_waits_for_the_verdict(serve: Serve) -> None:
    server = serve(
        ok(id=7, url="/submissions/7"),
        ok(state="queued", verdict=None),
        ok(state="done", verdict=VERDICT.to_json()),
    )
    assert remote.submit(LOGIN, "scores", "numpy", "x = '∞'\n").verdict is Outcome.ACCEPTED
    assert [(r.method, r.url.raw_path.decode()) for r in server.requests] == [
        ("POST", "/api/v1/submissions"),
        ("GET", "/api/v1/submissions/7?wait=20"),
        ("GET", "/api/v1/submissions/7?wait=20"),
    ]
    body = {"problem": "scores", "framework": "numpy", "source": "x = '∞'\n"}
    assert json.loads(server.requests[0].content) == body
    assert server.requests[0].headers["Content-Type"] == "application/json"


def test_a_verdict_that_comes_at_once(serve: Serve) -> None:
    server = serve(
        ok(id=7, url="/submissions/7", state="done", verdict=VERDICT.to_json()),
    )
    assert remote.submit(LOGIN, "scores", "numpy", "").verdict is Outcome.ACCEPTED
    assert [r.headers["Prefer"] for r in server.requests] == ["wait=2"]


@pytest.mark.parametrize(
    ("declared", "words", "sent"),
    [
        (["numpy"], (), "numpy"),
        (["numpy", "torch"], (), "torch"),  # it imports torch
        (["numpy", "torch"], ("--framework", "numpy"), "numpy"),
    ],
)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_problem_that_only_the_server_has(
    serve: Serve,
    tmp_path: Path,
    declared: list[str],
    words: tuple[str, ...],
    sent: str,
    language: str,
) -> None:
    remote._store(LOGIN)
    (tmp_path / "x.py").write_text("import torch\n")
    wrong = replace(VERDICT, problem="of_a_course", verdict=Outcome.WRONG_ANSWER)
    server = serve(
        ok(frameworks=declared),
        ok(id=7, url="/submissions/7", state="done", verdict=wrong.to_json()),
    )
    result = CliRunner(env={"GRADE_BANK": str(ROOT)}).invoke(
        grade,
        ["--lang", language, "submit", "of_a_course", str(tmp_path / "x.py"), *words],
        standalone_mode=False,
    )
    assert result.return_value == 1 and "of_a_course" in result.output
    assert [r.url.path for r in server.requests] == [
        "/api/v1/problems/of_a_course",
        "/api/v1/submissions",
    ]
    assert json.loads(server.requests[1].content)["framework"] == sent


def test_a_problem_that_nobody_has(serve: Serve, tmp_path: Path) -> None:
    remote._store(LOGIN)
    (tmp_path / "x.py").write_text("")
    serve(httpx.Response(404, json={"detail": "There is no problem 'nope'."}))
    result = CliRunner(env={"GRADE_BANK": str(ROOT)}).invoke(
        grade, ["submit", "nope", str(tmp_path / "x.py")], standalone_mode=False
    )
    assert result.return_value == 2 and "There is no problem 'nope'." in result.output


LAST = {
    "code": "last_attempt",
    "detail": 'Send it again with `"use_last": true`.',
    "parameters": {"title": "Week 1"},
}


@pytest.mark.parametrize(
    ("options", "answer", "used", "told"),
    [
        ((), None, [False], "for 'Week 1'; --use-last uses it"),
        ((), "\n", [False], "nothing was submitted; you still have your last attempt"),
        ((), "y\n", [False, True], "your last attempt that counts for 'Week 1'. Use it now? [y/N]"),
        (("--use-last",), None, [True], "scores"),
    ],
    ids=["no terminal", "no", "yes", "said in advance"],
)
def test_the_last_attempt_is_asked_for(
    serve: Serve,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: tuple[str, ...],
    answer: str | None,
    used: list[bool],
    told: str,
) -> None:
    remote._store(LOGIN)
    (tmp_path / "x.py").write_text("")
    monkeypatch.setattr(run, "somebody_answers", lambda: answer is not None)
    replies = {
        False: httpx.Response(409, json=LAST),
        True: ok(id=7, state="done", verdict=VERDICT.to_json()),
    }
    server = serve(ok(frameworks=["numpy"]), *(replies[each] for each in used))
    submitted = CliRunner(env={"GRADE_BANK": str(ROOT)}).invoke(
        grade,
        ["submit", "of_a_course", str(tmp_path / "x.py"), *options],
        input=answer,
        standalone_mode=False,
    )
    assert submitted.return_value == (0 if used[-1] else 2) and told in submitted.output
    bodies = [json.loads(request.content) for request in server.requests[1:]]
    assert [body.get("use_last", False) for body in bodies] == used


def test_a_verdict_that_is_kept_back(serve: Serve) -> None:
    sent = {"id": 7, "url": "/submissions/7"}
    for replies in ([sent, {"state": "done"}], [sent | {"state": "done", "verdict": None}]):
        serve(*(ok(**reply) for reply in replies))
        with pytest.raises(UsageError, match=f"back for now; see {SITE}/submissions/7"):
            remote.submit(LOGIN, "scores", "numpy", "")


def test_a_verdict_that_does_not_come(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "PATIENCE_S", 0.0)
    serve(ok(id=7))
    with pytest.raises(JudgeError, match="has not judged submission 7 within 0 s; it is kept"):
        remote.submit(LOGIN, "scores", "numpy", "")


REPLIES: dict[str, tuple[httpx.Response | Exception, type[Exception], str]] = {
    "refused, with words": (
        httpx.Response(429, json={"title": "Too Many Requests", "detail": "wait 3 s"}),
        UsageError,
        f"{SITE} refuses (429): wait 3 s",
    ),
    "refused, with a title only": (
        httpx.Response(404, json={"title": "No such problem"}),
        UsageError,
        f"{SITE} refuses (404): No such problem",
    ),
    "refused by something else": (
        httpx.Response(403, text="<html>"),
        UsageError,
        f"{SITE} refuses (403): Forbidden",
    ),
    "refused with a list": (
        httpx.Response(400, json=[1]),
        UsageError,
        f"{SITE} refuses (400): Bad Request",
    ),
    "broken": (
        httpx.Response(500, json={"detail": "a defect"}),
        JudgeError,
        f"{SITE} failed (500): a defect; nothing is lost, try again",
    ),
    "unknown token": (
        httpx.Response(401),
        UsageError,
        f"{SITE} does not know this token: Unauthorized; make one on your profile page, then:"
        f" grade login {SITE}",
    ),
    "elsewhere": (
        httpx.Response(301, headers={"Location": "https://judge.example/api/v1/me"}),
        UsageError,
        f"{SITE} redirects to https://judge.example/api/v1/me; log in there: grade login URL",
    ),
    "not there": (
        httpx.ConnectError("[Errno 111] Connection refused"),
        JudgeError,
        f"{SITE} does not answer: [Errno 111] Connection refused; is the server running?",
    ),
    "too slow": (
        httpx.ReadTimeout("timed out"),
        JudgeError,
        f"{SITE} does not answer: timed out; is the server running?",
    ),
    "silent": (
        httpx.RemoteProtocolError(""),
        JudgeError,
        f"{SITE} does not answer: RemoteProtocolError; is the server running?",
    ),
    "no JSON": (
        httpx.Response(200, text="<html>"),
        JudgeError,
        f"{SITE}/api/v1/me answered something else than a JSON object; is this an attention judge?",
    ),
    "not UTF-8": (
        httpx.Response(200, content=b'{"a": "\xff"}'),
        JudgeError,
        f"{SITE}/api/v1/me answered something else than a JSON object; is this an attention judge?",
    ),
    "a list": (
        httpx.Response(200, json=[]),
        JudgeError,
        f"{SITE}/api/v1/me answered something else than a JSON object; is this an attention judge?",
    ),
}


@pytest.mark.parametrize(("reply", "kind", "message"), REPLIES.values(), ids=REPLIES.keys())
def test_what_is_said_of_a_reply(
    serve: Serve, reply: httpx.Response | Exception, kind: type[Exception], message: str
) -> None:
    serve(reply)
    with remote.connect(LOGIN) as client, pytest.raises(kind) as error:
        remote.request(client, "GET", "/api/v1/me")
    assert str(error.value) == message


def test_a_token_never_follows_a_redirect(serve: Serve) -> None:
    server = serve(httpx.Response(302, headers={"Location": "http://elsewhere.example/"}))
    with remote.connect(LOGIN) as client, pytest.raises(UsageError):
        remote.request(client, "GET", "/api/v1/me")
    assert len(server.requests) == 1


def test_a_connection_waits_longer_than_a_long_poll_and_trusts_what_the_system_trusts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    contexts = list[ssl.SSLContext]()
    create = ssl.create_default_context

    def created() -> ssl.SSLContext:
        contexts.append(create())
        return contexts[-1]

    monkeypatch.setattr(remote.ssl, "create_default_context", created)
    with remote.connect(LOGIN) as client:
        assert remote.WAIT_S < (client.timeout.read or 0) <= 60
    assert len(contexts) == 1 and contexts[0].verify_mode is ssl.CERT_REQUIRED


def test_a_proxy_that_httpx_does_not_know(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "gopher://proxy.example")
    with pytest.raises(UsageError, match=f"cannot connect to {SITE}: .*gopher"):
        remote.connect(LOGIN)


def test_publish_sends_a_zip_and_names_what_it_is_doing(serve: Serve, tmp_path: Path) -> None:
    problem = small.problem(tmp_path / "bank")
    serve(ok(name="terry"))
    remote.login(SITE, "secret")
    server = serve(
        ok(draft=3, run="/api/v1/runs/5", page="/drafts/3"),
        ok(state="running", step="mistakes"),
        ok(state="done", fit=True),
        ok(number=2, url="/problems/scores/versions/2"),
    )
    steps = list[str]()
    done = publish.publish(SITE, problem, "the second", (), steps.append)
    assert done == publish.Published(2, f"{SITE}/problems/scores/versions/2", ())
    assert steps == ["mistakes"]
    assert server.requests[0].headers["Content-Type"] == "application/zip"
    assert server.requests[0].content == publish.zipped(problem)
    assert [r.url.path for r in server.requests[1:]] == [
        "/api/v1/runs/5",
        "/api/v1/runs/5",
        "/api/v1/drafts/3/publish",
    ]
    assert json.loads(server.requests[3].content) == {"note": "the second", "courses": []}


def test_findings_keep_a_problem_from_being_published(serve: Serve, tmp_path: Path) -> None:
    problem = small.problem(tmp_path / "bank")
    serve(ok(name="terry"))
    remote.login(SITE, "secret")
    sent = ok(draft=3, run="/api/v1/runs/5", page="/drafts/3")
    report = {"findings": [{"where": "mistake 'a'", "text": "survives"}]}
    serve(sent, ok(state="done", fit=False, report=report))
    found = publish.publish(SITE, problem, "", (), print)
    assert found == publish.Published(0, f"{SITE}/drafts/3", ("mistake 'a': survives",))


def test_a_run_on_this_machine_does_not_import_httpx() -> None:
    code = "import sys, grader.cli.main, grader.cli.judging.run; print('httpx' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"
