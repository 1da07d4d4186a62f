"""`grade login` and `grade submit`: the same report as `grade run`, judged by a server."""

import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.errors import JudgeError, UsageError
from grader.model import Verdict
from grader.storage import data_folder

TIMEOUT_S = 40.0
WAIT_S = 20  # one long poll
PATIENCE_S = 600.0


@dataclass(frozen=True, slots=True)
class Login:
    """Where to submit, and as whom."""

    url: str
    token: str


def login_file() -> Path:
    """Where the token is kept, readable by its owner only."""
    return data_folder() / "login.json"


def login(url: str, token: str) -> str:
    """Check a token with the server and keep it (0600). Returns the account's name.

    Raises `UsageError`.
    """
    parts = urllib.parse.urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise UsageError(
            f"'{url}' is no address of a server; give one such as http://127.0.0.1:8000"
        )
    found = Login(url.rstrip("/"), token.strip())
    me = request(found, "GET", "/api/v1/me")
    path = login_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"login.{os.getpid()}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        json.dump({"url": found.url, "token": found.token}, file)
    draft.replace(path)
    return str(me.get("name", ""))


def stored_login() -> Login:
    """The login that `grade login` kept. Raises `UsageError` when there is none."""
    try:
        found = json.loads(login_file().read_text())
        return Login(str(found["url"]), str(found["token"]))
    except (OSError, ValueError, KeyError, TypeError):
        raise UsageError(
            "not logged in; make a token on your profile page, then: grade login URL"
        ) from None


def submit(login: Login, problem: str, framework: str, source: str) -> Verdict:
    """Send a solution and wait for its verdict.

    Raises `UsageError` for what the server refuses, `JudgeError` when it cannot judge.
    """
    made = request(
        login,
        "POST",
        "/api/v1/submissions",
        {"problem": problem, "framework": framework, "source": source},
    )
    end = time.monotonic() + PATIENCE_S
    while (began := time.monotonic()) < end:
        row = request(login, "GET", f"/api/v1/submissions/{made['id']}?wait={WAIT_S}")
        if row.get("verdict"):
            return Verdict.from_json(row["verdict"])
        if row.get("state") == "done":
            raise UsageError(
                f"{login.url} keeps the verdict of submission {made['id']} back for now; see"
                f" {login.url}{made.get('url', '')}"
            )
        # answered at once: the server keeps no more requests waiting
        time.sleep(max(0.1, began + 1 - time.monotonic()))
    raise JudgeError(
        f"{login.url} has not judged submission {made['id']} within {PATIENCE_S:.0f} s; it is kept"
        " there and will be"
    )


def request(login: Login, method: str, path: str, body: Any = None) -> dict[str, Any]:
    """One call of the API.

    Raises `UsageError` with the server's own words, `JudgeError` when it cannot be reached.
    """
    data = None if body is None else json.dumps(body).encode()
    headers = {
        "Authorization": f"Bearer {login.token}",
        "Accept": "application/json",
        "Content-Type": "application/json",
    }
    call = urllib.request.Request(login.url + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(call, timeout=TIMEOUT_S) as answer:
            read = json.loads(answer.read())
    except urllib.error.HTTPError as error:
        raise _refused(login, error) from None
    except (OSError, ValueError) as error:
        raise JudgeError(f"{login.url} does not answer: {error}; is the server running?") from None
    if not isinstance(read, dict):
        raise JudgeError(
            f"{login.url}{path} answered something else than a JSON object; is this an attention"
            " judge?"
        )
    return read


def _refused(login: Login, error: urllib.error.HTTPError) -> UsageError | JudgeError:
    try:
        problem = json.loads(error.read())
        words = str(problem.get("detail") or problem.get("title") or error.reason)
    except (OSError, ValueError, AttributeError):
        words = str(error.reason)
    if error.code == 401:
        return UsageError(
            f"{login.url} does not know this token: {words}; make one on your profile page, then:"
            f" grade login {login.url}"
        )
    if error.code >= 500:
        return JudgeError(f"{login.url} failed ({error.code}): {words}; nothing is lost, try again")
    return UsageError(f"{login.url} refuses ({error.code}): {words}")
