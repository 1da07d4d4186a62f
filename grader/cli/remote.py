"""`grade login` and `grade submit`: the same report as `grade run`, judged by a server.

Only the commands that talk to a server import this module: importing httpx takes 0.1 s.
"""

import json
import os
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import quote, urlsplit

import httpx

from grader.errors import JudgeError, UsageError
from grader.findings.text import T_, Text
from grader.model import Framework, Verdict
from grader.storage import data_folder

TIMEOUT_S = 40.0  # longer than a long poll
WAIT_S = 20  # one long poll
SOON_S = 2  # a submission is answered with its verdict when that comes within
PATIENCE_S = 600.0


class LastAttempt(UsageError):
    """The last attempt that counts for an assignment would be used, and may not be yet."""

    def __init__(self, assignment: str, words: Text) -> None:
        super().__init__(words)
        self.assignment = assignment  # its title


@dataclass(frozen=True, slots=True)
class Login:
    """Where to submit, and as whom."""

    url: str
    token: str


def login_file() -> Path:
    """Returns the file that keeps the token, readable by its owner only."""
    return data_folder() / "login.json"


def login(url: str, token: str) -> str:
    """Checks a token with the server, keeps it (0600) and returns the account's name.

    Raises `UsageError` or `JudgeError`.
    """
    check_address(url)
    token = token.strip()
    if not (token.isascii() and token.isprintable()) or token.split() != [token]:
        raise UsageError(T_("this is not a token; copy one as your profile page shows it"))
    checked = Login(url.rstrip("/"), token)
    with connect(checked) as client:
        account = request(client, "GET", "/api/v1/me")
    _store(checked)
    return str(account.get("name", ""))


def check_address(url: str) -> None:
    """Raises `UsageError` for what is not the address of a server."""
    try:
        parts = urlsplit(url)
        (parts.hostname or "").encode("idna")  # refuses a name that none can have
        _ = parts.port  # refuses one that is out of range
        plain = not (parts.query or parts.fragment)
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and plain
    except ValueError:
        valid = False
    if not valid:
        words = T_(
            "'%(url)s' is not the address of a server; give one such as http://127.0.0.1:8000",
            url=url,
        )
        raise UsageError(words)


def _store(login: Login) -> None:
    path = login_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"login.{os.getpid()}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        json.dump({"url": login.url, "token": login.token}, file)
    draft.replace(path)


def stored_login() -> Login:
    """Returns the login that `grade login` kept. Raises `UsageError` when there is none."""
    try:
        stored = json.loads(login_file().read_text())
        return Login(str(stored["url"]), str(stored["token"]))
    except (OSError, ValueError, KeyError, TypeError):
        words = T_("not logged in; make a token on your profile page, then: grade login URL")
        raise UsageError(words) from None


def submit(
    login: Login, problem: str, framework: str, source: str, use_last: bool = False
) -> Verdict:
    """Sends a solution and waits for its verdict.

    Raises `UsageError` when the server refuses it, `LastAttempt` when only the last one is left and
    `use_last` does not allow it, `JudgeError` when the server cannot judge.
    """
    body: dict[str, object] = {"problem": problem, "framework": framework, "source": source}
    if use_last:  # a server of before knows no such field
        body["use_last"] = True
    with connect(login) as client:
        prefer = {"Prefer": f"wait={SOON_S}"}
        sent = request(client, "POST", "/api/v1/submissions", headers=prefer, json=body)
        return _await_verdict(client, sent)


def frameworks(login: Login, problem: str) -> list[Framework]:
    """Returns what solutions of a problem are judged in on the server.

    Raises `UsageError` when it has no such problem, `JudgeError` when it does not answer.
    """
    with connect(login) as client:
        reply = request(client, "GET", f"/api/v1/problems/{quote(problem, safe='')}")
    named = reply.get("frameworks")
    return [f for f in Framework if isinstance(named, list) and f in named]


def _await_verdict(client: httpx.Client, sent: Mapping[str, Any]) -> Verdict:
    site = _site(client)
    end, row = time.monotonic() + PATIENCE_S, sent
    while (began := time.monotonic()) < end:
        if row.get("state") != "done":
            row = request(client, "GET", f"/api/v1/submissions/{sent['id']}?wait={WAIT_S}")
        if row.get("verdict"):
            return Verdict.from_json(row["verdict"])
        if row.get("cancelled"):
            number = str(sent["id"])
            words = T_("submission %(number)s was cancelled on %(site)s", number=number, site=site)
            raise UsageError(words)
        if row.get("state") == "done":
            words = T_(
                "%(site)s keeps the verdict of submission %(number)s back for now; see %(url)s",
                site=site,
                number=str(sent["id"]),
                url=f"{site}{sent.get('url', '')}",
            )
            raise UsageError(words)
        # a server that holds as many requests as it can answers at once
        time.sleep(max(0.1, began + 1 - time.monotonic()))
    words = T_(
        "%(site)s has not judged submission %(number)s within %(seconds)d s; it is kept there and"
        " will be judged",
        site=site,
        number=str(sent["id"]),
        seconds=round(PATIENCE_S),
    )
    raise JudgeError(words)


def connect(login: Login) -> httpx.Client:
    """Opens one connection to the server, kept for all requests.

    Trusts the certificates that the system trusts. Raises `UsageError` when httpx cannot use the
    address or the proxy of the environment.
    """
    try:
        return httpx.Client(
            base_url=login.url,
            headers={"Authorization": f"Bearer {login.token}", "Accept": "application/json"},
            timeout=TIMEOUT_S,
            verify=ssl.create_default_context(),
        )
    except (httpx.InvalidURL, ValueError, ImportError) as error:
        words = T_("cannot connect to %(url)s: %(error)s", url=login.url, error=str(error))
        raise UsageError(words) from None


def request(
    client: httpx.Client,
    method: str,
    path: str,
    headers: Mapping[str, str] = MappingProxyType({}),
    **body: Any,
) -> dict[str, Any]:
    """Makes one call of the API; `body` is `json=`, or `content=` with a zip.

    Raises `UsageError` with the server's own words, `JudgeError` when it cannot be reached.
    """
    kind = {"Content-Type": "application/zip"} if "content" in body else {}
    try:
        response = client.request(method, path, headers={**kind, **headers}, **body)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        words = T_(
            "%(site)s does not answer: %(error)s; is the server running?",
            site=_site(client),
            error=str(error) or type(error).__name__,
        )
        raise JudgeError(words) from None
    if not response.is_success:
        raise _refusal(_site(client), response)
    answer = _json(response)
    if not isinstance(answer, dict):
        words = T_(
            "%(address)s answered something else than a JSON object; is this an attention judge?",
            address=f"{_site(client)}{path}",
        )
        raise JudgeError(words)
    return answer


def _refusal(site: str, response: httpx.Response) -> UsageError | JudgeError:
    code, words = response.status_code, _words(response)
    if response.has_redirect_location:
        told = T_(
            "%(site)s redirects to %(place)s; log in there: grade login URL",
            site=site,
            place=response.headers["Location"],
        )
        return UsageError(told)
    if code == 401:
        told = T_(
            "%(site)s does not know this token: %(words)s; make one on your profile page, then:"
            " grade login %(site)s",
            site=site,
            words=words,
        )
        return UsageError(told)
    problem = _json(response)
    if isinstance(problem, dict) and problem.get("code") == "last_attempt":
        parameters = problem.get("parameters")
        title = str(parameters.get("title", "")) if isinstance(parameters, dict) else ""
        told = T_(
            "this would be your last attempt that counts for '%(title)s'; --use-last uses it",
            title=title,
        )
        return LastAttempt(title, told)
    values = {"site": site, "code": str(code), "words": words}
    if code >= 500:
        return JudgeError(
            T_("%(site)s failed (%(code)s): %(words)s; nothing is lost, try again", **values)
        )
    return UsageError(T_("%(site)s refuses (%(code)s): %(words)s", **values))


def _words(response: httpx.Response) -> str:
    """Returns what the server says of its refusal (RFC 9457), else the phrase of its status."""
    problem = _json(response)
    words = problem.get("detail") or problem.get("title") if isinstance(problem, dict) else ""
    return str(words or response.reason_phrase)


def _json(response: httpx.Response) -> Any:
    """Returns the body as JSON; None where it is something else."""
    try:
        return response.json()
    except ValueError:
        return None


def _site(client: httpx.Client) -> str:
    return str(client.base_url).rstrip("/")
