"""`grade publish`: sends a problem of the bank to a server, waits for its verification there, and
publishes it, as the pages for instructors do.
"""

import io
import time
import zipfile
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

import httpx

from grader.cli.remote import PATIENCE_S, WAIT_S, connect, request, stored_login
from grader.errors import JudgeError, UsageError
from grader.findings.text import T_
from grader.problem import EXTENSIONS, Problem

JUDGE_FAILED = [{"where": "the judge", "text": "failed; try again"}]


@dataclass(frozen=True, slots=True)
class Published:
    """The outcome: a version, or the findings that keep the problem from becoming one."""

    number: int
    url: str
    findings: tuple[str, ...]


def zipped(problem: Problem) -> bytes:
    """Returns problems/SLUG and reference/SLUG as a zip."""
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


def publish(
    url: str,
    problem: Problem,
    note: str,
    codes: Collection[str],
    on_progress: Callable[[str], None],
) -> Published:
    """Sends the problem, and publishes it when its verification finds nothing wrong: for everybody,
    or for the learners of the courses with these codes only.

    Raises `UsageError` with the server's own words, `JudgeError` when it cannot be reached or does
    not verify in time.
    """
    login = stored_login()
    if login.url != url.rstrip("/"):
        words = T_(
            "logged in to %(known)s, not to %(url)s; grade login %(url)s", known=login.url, url=url
        )
        raise UsageError(words)
    with connect(login) as client:
        courses = _numbers(client, codes)  # first: a verification takes minutes
        draft = request(client, "POST", "/api/v1/drafts", content=zipped(problem))
        run = _await_verification(client, login.url, draft["run"], on_progress)
        if not run["fit"]:
            findings = (run["report"] or {}).get("findings", JUDGE_FAILED)
            texts = tuple(f"{finding['where']}: {finding['text']}" for finding in findings)
            return Published(0, login.url + draft["page"], texts)
        path = f"/api/v1/drafts/{draft['draft']}/publish"
        version = request(client, "POST", path, json={"note": note, "courses": courses})
    return Published(version["number"], login.url + version["url"], ())


def _numbers(client: httpx.Client, codes: Collection[str]) -> list[int]:
    """Returns the numbers of the courses with these codes. Raises `UsageError` for another code."""
    if not codes:
        return []
    taught = request(client, "GET", "/api/v1/courses")["courses"]
    numbers = {course["code"].upper(): course["id"] for course in taught}
    for code in codes:
        if code.upper() not in numbers:
            yours = ", ".join(f"{course['code']} ({course['title']})" for course in taught)
            words = T_(
                "--course %(code)s: you teach no course with this code; yours: %(yours)s",
                code=code,
                yours=yours or T_("none"),
            )
            raise UsageError(words)
    return [numbers[code.upper()] for code in codes]


def _await_verification(
    client: httpx.Client, site: str, path: str, on_progress: Callable[[str], None]
) -> dict[str, Any]:
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        run = request(client, "GET", f"{path}?wait={WAIT_S}")
        if run["state"] == "done":
            return run
        on_progress(run["step"] or run["state"])
    words = T_(
        "%(site)s has not verified the problem within %(seconds)d s; the draft is kept there",
        site=site,
        seconds=round(PATIENCE_S),
    )
    raise JudgeError(words)
