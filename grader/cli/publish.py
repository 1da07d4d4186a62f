"""`grade publish`: send a problem of the bank to a server, wait for its verification there, and
publish it. The same as in the browser.
"""

import io
import json
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from grader.cli.remote import PATIENCE_S, TIMEOUT_S, WAIT_S, Login, request, stored_login
from grader.errors import JudgeError, UsageError
from grader.problem import EXTENSIONS, Problem


@dataclass(frozen=True, slots=True)
class Published:
    """What came of it: a version, or the findings that keep it from being one."""

    number: int
    url: str
    findings: tuple[str, ...]


def zipped(problem: Problem) -> bytes:
    """problems/SLUG and reference/SLUG as a zip."""
    out = io.BytesIO()
    reference = problem.folder.parents[1] / "reference" / problem.slug
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for group, folder in (("problems", problem.folder), ("reference", reference)):
            for path in sorted(folder.rglob("*")):
                if path.is_file() and path.suffix in EXTENSIONS and "__pycache__" not in path.parts:
                    archive.write(
                        path, f"{group}/{problem.slug}/{path.relative_to(folder).as_posix()}"
                    )
    return out.getvalue()


def publish(url: str, problem: Problem, note: str, told: Callable[[str], None]) -> Published:
    """Raises `UsageError` with the server's own words, `JudgeError` when it cannot be reached or
    does not verify in time.
    """
    login = stored_login()
    if login.url != url.rstrip("/"):
        raise UsageError(f"logged in to {login.url}, not to {url}; grade login {url}")
    sent = _send(login, zipped(problem))
    run = _verified(login, sent["run"], told)
    if not run["fit"]:
        findings = (run["report"] or {}).get(
            "findings", [{"where": "the judge", "text": "failed; try again"}]
        )
        return Published(
            0, login.url + sent["page"], tuple(f"{f['where']}: {f['text']}" for f in findings)
        )
    row = request(login, "POST", f"/api/v1/drafts/{sent['draft']}/publish", {"note": note})
    return Published(row["number"], login.url + row["url"], ())


def _verified(login: Login, path: str, told: Callable[[str], None]) -> dict[str, Any]:
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        run = request(login, "GET", f"{path}?wait={WAIT_S}")
        if run["state"] == "done":
            return run
        told(run["step"] or run["state"])
    raise JudgeError(
        f"{login.url} has not verified the problem within {PATIENCE_S:.0f} s; the draft is kept"
        " there"
    )


def _send(login: Login, body: bytes) -> dict[str, Any]:
    headers = {
        "Authorization": f"Bearer {login.token}",
        "Accept": "application/json",
        "Content-Type": "application/zip",
    }
    call = urllib.request.Request(f"{login.url}/api/v1/drafts", body, headers, method="POST")
    try:
        with urllib.request.urlopen(call, timeout=TIMEOUT_S) as answer:
            return dict(json.loads(answer.read()))
    except urllib.error.HTTPError as error:
        try:
            words = str(json.loads(error.read()).get("detail") or error.reason)
        except (OSError, ValueError, AttributeError):
            words = str(error.reason)
        kind = JudgeError if error.code >= 500 else UsageError
        raise kind(f"{login.url} refuses ({error.code}): {words}") from None
    except (OSError, ValueError) as error:
        raise JudgeError(f"{login.url} does not answer: {error}; is the server running?") from None
