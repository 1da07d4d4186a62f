"""What instructors do with the service of `conftest.py`: zips, drafts, verifications, versions."""

import io
import re
import time
import zipfile
from pathlib import Path
from typing import Any

from server.models.leased import State
from server.models.teaching import Draft, VerifyRun
from server.services.problems import files
from tests.server.conftest import Browser

TUTORIAL = Path(__file__).parents[2] / "docs" / "add-a-problem.md"
SLUG = "sigmoid_attention"
BLOCK = re.compile(r"^(File|Append to) `([^`]+)`:\n\n^```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def tutorial() -> tuple[dict[str, str], dict[str, str]]:
    """The problem that docs/add-a-problem.md builds, as files: before and after it is fit."""
    first: dict[str, str] = {}
    last: dict[str, str] = {}
    for action, file, body in BLOCK.findall(TUTORIAL.read_text(encoding="utf-8")):
        if not file.startswith("my-bank/") or f"/{SLUG}/" not in file:
            continue
        group, _, rest = file.removeprefix("my-bank/").partition(f"/{SLUG}/")
        path = f"{group}/{rest}"
        if action == "File":
            first[path] = last[path] = body
        else:
            last[path] += body
    return first, last


UNFIT, FIT = tutorial()


def zip_of(files: dict[str, str], slug: str = SLUG, top: str = "") -> io.BytesIO:
    """A zip of a problem, as a person would make it."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in files.items():
            group, _, rest = path.partition("/")
            archive.writestr(f"{top}{group}/{slug}/{rest}", text)
    out.seek(0)
    return out


def send_zip(browser: Browser, files: dict[str, str], slug: str = SLUG) -> int:
    """Upload a zip; the number of the draft."""
    browser.get("/teach")
    answer = browser.post("/teach/upload", {"zip": (zip_of(files, slug), f"{slug}.zip")})
    if answer.status_code == 200:  # it replaces files of a draft, and asks first
        agreed = re.findall(r'name="replace" value="(.*?)"', answer.text)[0]
        answer = browser.post("/teach/upload", {"replace": agreed})
    assert answer.status_code == 303, answer.text
    return int(re.findall(r"/drafts/(\d+)", answer.location)[0])


def found_fit(browser: Browser, draft: int) -> None:
    """A verification that found the draft fit, without the room."""
    with browser.service.database.write() as session:
        row = session.get_one(Draft, draft)
        tree = files.tree_hash(row.files)
        run = VerifyRun(draft_id=draft, slug=row.slug, tree=tree, files=row.files, fit=True)
        run.asked_by, run.state = row.owner_id, State.DONE
        run.report = {"findings": [], "matrices": {}}
        session.add(run)


def verified(browser: Browser, draft: int) -> dict[str, Any]:
    """Ask for a verification and wait for its end."""
    browser.get(f"/teach/drafts/{draft}")
    assert browser.post(f"/teach/drafts/{draft}/verify").status_code == 303
    run = int(re.findall(r'data-run="(\d+)"', browser.get(f"/teach/drafts/{draft}").text)[0])
    end = time.monotonic() + 240
    while time.monotonic() < end:
        seen = browser.get(f"/teach/runs/{run}/live?wait=20").json
        if seen["state"] == "done":
            return dict(seen)
    raise AssertionError("verify did not end")


def published(browser: Browser, draft: int, note: str = "") -> None:
    """Publish a verified draft."""
    browser.get(f"/teach/drafts/{draft}")
    answer = browser.post(f"/teach/drafts/{draft}/publish", {"note": note})
    assert answer.status_code == 303, answer.text
