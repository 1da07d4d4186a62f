"""A whole site on a free port of this machine, with people in it; for the browser's tests and for
the pictures of the documentation.
"""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from apiflask import APIFlask
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Playwright, expect

from grader.frameworks import has
from grader.model import Framework
from server import create_app
from server.settings import Settings
from server.web.context import NAME

REPOSITORY = Path(__file__).parents[2]
DIST = REPOSITORY / "server" / "web" / "static" / "dist"
CHROMIUM = "/usr/bin/chromium"
# the same engine without windows: there, each context costs a second of a core
SHELL = "/usr/bin/chromium-headless-shell"
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# a page of a test is gone before code that is compiled at length has paid for it
BRIEFLY = ["--js-flags=--no-turbofan"]
PASSWORD = "a password of a test"
PATIENCE_MS = 60_000  # against hangs: a cold room on a busy machine
START_S = 300  # against hangs: what a server imports and prepares, beside much other work
PROBLEMS = ("scaled_dot_product_attention", "masked_attention", "causal_mask", "stable_softmax")
SLUG = PROBLEMS[0]
GALLERY = Path(__file__).with_name("gallery")  # a lesson with a figure of every kind

FRAMEWORK = "torch" if has(Framework.TORCH) else "numpy"
RIGHT = {
    "torch": """import torch


def scaled_dot_product_attention(q, k, v, scale=None):
    factor = q.shape[-1] ** -0.5 if scale is None else scale
    weights = torch.softmax(q @ k.transpose(-2, -1) * factor, dim=-1)
    return weights @ v, weights
""",
    "numpy": """import numpy as np


def scaled_dot_product_attention(q, k, v, scale=None):
    factor = q.shape[-1] ** -0.5 if scale is None else scale
    scores = q @ k.swapaxes(-2, -1) * factor
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights = weights / weights.sum(-1, keepdims=True)
    return weights @ v, weights
""",
}[FRAMEWORK]
PASTE = """(editor, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    editor.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}"""
UNSCALED = RIGHT.replace(" * factor", "")
BROKEN = f"import {FRAMEWORK}\n\n\ndef scaled_dot_product_attention(q, k, v, scale=None):\n    return ((q\n"


def program() -> str:
    """The browser that drives the pages in tests."""
    return SHELL if Path(SHELL).exists() else CHROMIUM


def missing() -> str:
    """What keeps the browser's tests from running here; empty when nothing does."""
    if not Path(program()).exists():
        return f"{CHROMIUM} is missing: apt-get install chromium"
    if not (DIST / "manifest.json").exists():
        return "the front end is not built: cd server/web/frontend && npm ci && npm run build"
    return ""


@dataclass(frozen=True)
class Site:
    """A server that answers, and the command line that belongs to it."""

    url: str
    environment: dict[str, str]

    @cached_property
    def app(self) -> APIFlask:
        """The application over the site's database in this process, which judges nothing: a
        process of its own for each command would take seconds to start.
        """
        return create_app(Settings.from_environment(self.environment))

    def command(self, *words: str) -> str:
        """Run `flask --app server …` on its database; what it prints."""
        result = self.app.test_cli_runner().invoke(args=words)
        assert result.exit_code == 0, result.output
        return result.stdout.strip()

    def begin_session(self, context: BrowserContext, name: str, role: str = "learner") -> None:
        """Make an account, and sign it in without its pages."""
        password = self.command("users", "add", name, "--role", role).splitlines()[-1]
        client = self.app.test_client()
        token = re.findall(r'name="csrf_token" value="([^"]+)"', client.get("/sign-in").text)[0]
        form = {"csrf_token": token, "name": name, "password": password}
        assert client.post("/sign-in", data=form).status_code == 303
        session = client.get_cookie("judge_session")
        assert session is not None
        context.add_cookies(
            [{"name": "judge_session", "value": session.value, "url": self.url, "httpOnly": True}]
        )

    def ready(self) -> dict[str, str]:
        """What /readyz says."""
        try:
            with urllib.request.urlopen(f"{self.url}/readyz", timeout=10) as answer:
                return dict(json.load(answer))
        except urllib.error.HTTPError as error:
            return dict(json.load(error))
        except OSError as error:
            return {"status": "not there", "room": str(error)}


@contextmanager
def served(
    folder: Path,
    problems: tuple[str, ...] = PROBLEMS,
    lessons: tuple[Path, ...] = (GALLERY,),
    **settings: str,
) -> Iterator[Site]:
    """A site with a bank of these problems and lessons (no problem named: the whole bank), its
    files in `folder`; ended with the block.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("JUDGE_", "FLASK_"))
    } | {
        "JUDGE_INSTANCE": str(folder / "instance"),
        "JUDGE_SUBMIT_LIMIT": "1000/minute",
        "JUDGE_SIGN_IN_LIMIT": "1000/minute",
        "JUDGE_SIGN_UP_LIMIT": "1000/minute",
        "JUDGE_VISITOR_LIMIT": "1000/minute",
    }
    if problems:
        environment["JUDGE_BANK"] = str(_small_bank(folder / "bank", problems, lessons))
    environment |= settings
    log = (folder / "server.log").open("w")
    command = [sys.executable, "-m", "flask", "--app", "server", "serve", "-p", str(port)]
    server = subprocess.Popen(command, cwd=REPOSITORY, env=environment, stdout=log, stderr=log)
    site = Site(f"http://127.0.0.1:{port}", environment)
    try:
        _await(lambda: _settled(site.ready()) or server.poll() is not None)
        assert server.poll() is None, (folder / "server.log").read_text()
        yield site
    finally:
        server.terminate()
        server.wait(timeout=60)
        log.close()
        if "app" in vars(site):
            site.app.extensions[NAME].database.close()


def _settled(ready: dict[str, str]) -> bool:
    """It answers, and its worker has a room or knows why not."""
    return ready["status"] != "not there" and ready.get("room") not in (
        "the room is being opened",
        "no worker is running",
    )


def _small_bank(bank: Path, problems: tuple[str, ...], lessons: tuple[Path, ...]) -> Path:
    (bank / "lessons").mkdir(parents=True)
    shutil.copy(REPOSITORY / "lessons" / "words.toml", bank / "lessons")
    shutil.copytree(REPOSITORY / "lessons" / "why", bank / "lessons" / "why")
    for lesson in lessons:
        shutil.copytree(lesson, bank / "lessons" / lesson.name)
    for part in ("problems", "reference"):
        for slug in problems:
            shutil.copytree(REPOSITORY / part / slug, bank / part / slug)
    # nothing here comes after a problem that was left out
    for settings in bank.glob("problems/*/problem.toml"):
        kept = settings.read_text()
        asked = re.search(r"^requires = \[(.*)\]$", kept, re.MULTILINE)
        if asked and not all(slug in problems for slug in re.findall(r'"(\w+)"', asked[1])):
            settings.write_text(kept.replace(asked[0], "requires = []"))
    return bank


def _await(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + START_S
    while not condition():
        assert time.monotonic() < end, "the server does not answer"
        time.sleep(0.1)


def launch(playwright: Playwright, executable: str = "", flags: list[str] = FLAGS) -> Browser:
    """Debian's Chromium."""
    return playwright.chromium.launch(executable_path=executable or program(), args=flags)


def sign_up(page: Page, site: Site, name: str) -> None:
    """Make an account; the page is then signed in."""
    page.goto(f"{site.url}/sign-up")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password, once more").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign up").click()
    expect(page.get_by_role("banner").get_by_role("link", name=name)).to_be_visible()


def sign_in(page: Page, site: Site, name: str, password: str) -> None:
    """Begin a session."""
    page.goto(f"{site.url}/sign-in")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("banner").get_by_role("link", name=name)).to_be_visible()


def editor(page: Page) -> Locator:
    """What CodeMirror puts in place of the text field, once it is there."""
    return page.locator(".cm-content[role=textbox][aria-label=Source]")


def write(page: Page, source: str) -> None:
    """Paste a source over what is in the editor, which is loaded when it is near."""
    page.locator("#bench").scroll_into_view_if_needed()
    editor(page).click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.press("Delete")
    editor(page).evaluate(PASTE, source)


def submit(
    page: Page, site: Site, source: str, slug: str = SLUG, framework: str = FRAMEWORK
) -> str:
    """Submit from the editor and wait for the verdict; the path of the submission."""
    page.goto(f"{site.url}/problems/{slug}?framework={framework}")
    write(page, source)
    with page.expect_response("**/submit") as answer:
        page.get_by_role("button", name="Submit").click()
    sent = answer.value.json()
    page.locator(f"[data-submission='{sent['id']}'][data-state=done]").wait_for(timeout=PATIENCE_MS)
    return str(sent["url"])


def look_into(page: Page, site: Site, submission: str, title: str) -> str:
    """Press a button of a page and wait for what is found; the path of the exploration."""
    page.goto(site.url + submission)
    page.get_by_role("button", name=title).first.click()
    page.locator("[data-exploration][data-state=done]").wait_for(timeout=PATIENCE_MS)
    return page.url.removeprefix(site.url).partition("?")[0]


def run_first(context: BrowserContext, site: Site) -> str:
    """Run a visitor's first exercise and wait for what comes of it; the path of the result."""
    page = context.new_page()
    page.goto(f"{site.url}/start")
    page.get_by_role("button", name="Run samples").click()
    page.locator(".start-run[data-state=done]").wait_for(timeout=PATIENCE_MS)
    path = page.url.removeprefix(site.url).partition("#")[0]
    page.close()
    return path


def first_lesson(page: Page, site: Site) -> str:
    """The path of the first lesson of the list, once its numbers are there."""
    page.goto(f"{site.url}/lessons")
    page.locator(".lesson-list h2 a").first.click()
    page.locator("article.lesson:not([data-waiting])").wait_for(timeout=PATIENCE_MS)
    return page.url.removeprefix(site.url)


def begin_practice(page: Page, site: Site, slug: str = SLUG) -> str:
    """Ask for a problem's items and wait until they are made; the path of the list."""
    path = f"/problems/{slug}/practice"
    page.goto(site.url + path)
    if page.get_by_role("button", name="Make the items").count():
        page.get_by_role("button", name="Make the items").click()
    page.locator(".practice-items").first.wait_for(timeout=PATIENCE_MS)
    return path


def check_practice(page: Page) -> Locator:
    """Send the answer of an item's page and wait for what is said of it."""
    page.get_by_role("button", name="Check").click()
    page.locator("#told:not([data-waiting])").wait_for(timeout=PATIENCE_MS)
    return page.locator("#told")


def practise(page: Page, site: Site) -> dict[str, str]:
    """Answer a wrong expression, and find the wrong line of a program; the paths of the pages."""
    home = begin_practice(page, site)
    page.goto(f"{site.url}{home}/fill/1")
    page.locator(".blank").first.fill("q")
    check_practice(page)
    wrong = page.url.removeprefix(site.url).removesuffix("#told")
    page.goto(f"{site.url}{home}/bug/1")
    lines = page.locator("input[name=line]").count()
    for number in range(lines):
        page.locator("input[name=line]").nth(number).check()
        check_practice(page)
        if page.locator("textarea[name=text]").count():
            break
    assert page.locator("textarea[name=text]").count()
    page.goto(f"{site.url}{home}/beat/1")
    check_practice(page)
    beaten = page.url.removeprefix(site.url).removesuffix("#told")
    page.goto(site.url + home)
    row = page.locator(".practice-items a[href*=predict]").count()
    return {
        "practice": home,
        "practice_shape": f"{home}/predict/1",
        "practice_row": f"{home}/predict/{row}",  # rows come after shapes
        "practice_arrange": f"{home}/arrange/1",
        "practice_fill": wrong,
        "practice_bug": f"{home}/bug/2",
        "practice_mend": f"{home}/bug/1",
        "practice_beat": beaten,
    }


def answer_questions(page: Page, site: Site, lesson: str) -> None:
    """Answer a lesson's first question rightly and the second wrongly: those of the gallery, or of
    the first lesson of the whole bank.
    """
    page.goto(f"{site.url}{lesson}/questions")
    right = page.get_by_label("1", exact=True)
    right.or_(page.get_by_label("The dot product doubles, the cosine stays.")).check()
    page.get_by_role("button", name="Check 1", exact=True).click()
    page.get_by_label("Your number").first.fill("3")
    page.get_by_role("button", name="Check 2", exact=True).click()
    expect(page.locator(".told")).to_have_count(2)


@dataclass(frozen=True, slots=True)
class LivedIn:
    """A site where somebody has solved, failed and looked around; contexts are signed in."""

    site: Site
    visitor: BrowserContext
    learner: BrowserContext
    teacher: BrowserContext
    admin: BrowserContext
    paths: dict[str, str]  # by name

    def who_sees(self, name: str) -> BrowserContext:
        """Whose page it is."""
        if name in VISITORS:
            return self.visitor
        return self.teacher if name in TEACHERS else self.admin if name in ADMINS else self.learner


VISITORS = (
    "words",
    "start",
    "started",
    "sign_in",
    "sign_up",
    "sign_up_invited",
    "reset",
    "bank_for_visitors",
    "problem_for_visitors",
    "lessons",
    "lesson",
)
TEACHERS = (
    *(
        "teach",
        "draft",
        "draft_code",
        "versions",
        "versions_shipped",
        "versions_compare",
        "rejudge_choose",
        "rejudge",
        "document",
    ),
    *("courses", "course", "assignment", "assignment_learner", "assignment_submission", "mistakes"),
    "new_mistake",
    *("course_mistakes", "problem_mistakes"),
)
ADMINS = ("manage", "audit", "platforms")
PAGES = (
    *(
        "bank",
        "bank_empty",
        "progress",
        "today",
        "problem",
        "wrong_answer",
        "accepted",
        "compile_error",
        "heads",
        "history",
        "history_empty",
        "compare",
    ),
    *(
        "solution",
        "give_up",
        "leaderboard",
        "problem_leaderboard",
        "profile",
        "api",
        "not_found",
        "study",
        "study_course",
    ),
    *("shrunk", "traced", "try", "tried", "measured", "questions"),
    *("practice", "practice_shape", "practice_row", "practice_arrange", "practice_fill"),
    *("practice_bug", "practice_mend", "practice_beat"),
    *VISITORS,
    *TEACHERS,
    *ADMINS,
)


def live_in(site: Site, browser: Browser) -> LivedIn:
    """Fill a site with a learner's and an instructor's day, and say where its pages are."""
    from tests.browser.teaching import teach

    learner, teacher, admin, visitor = (browser.new_context() for _ in range(4))
    page = learner.new_page()
    sign_up(page, site, "learner")
    page.goto(f"{site.url}/profile")
    page.get_by_label("Show me as").fill("Learner")
    page.get_by_role("button", name="Save").click()
    right = submit(page, site, RIGHT)
    broken = submit(page, site, BROKEN)
    wrong = submit(page, site, UNSCALED)
    shrunk = look_into(page, site, wrong, "The smallest input that shows it")
    explored = {
        "shrunk": shrunk,
        "traced": look_into(page, site, wrong, "Step by step"),
        "try": f"/problems/{SLUG}/try",
        "tried": look_into(page, site, shrunk, "Step by step with this input"),
        "measured": look_into(page, site, f"/problems/{SLUG}/solution", "Measure time and memory"),
    }
    masked = (REPOSITORY / "reference" / "masked_attention" / "numpy.py").read_text()
    heads = submit(page, site, masked.replace("math.sqrt(", "(", 1), "masked_attention", "numpy")
    for context, name, role in ((admin, "operator", "admin"), (teacher, "teacher", "instructor")):
        sign_in(
            context.new_page(),
            site,
            name,
            site.command("users", "add", name, "--role", role).splitlines()[-1],
        )
    lesson = first_lesson(page, site)
    answer_questions(page, site, lesson)
    practised = practise(page, site)
    taught = teach(site, teacher.pages[0], page)
    for open_page in (page, teacher.pages[0], admin.pages[0]):
        open_page.close()
    numbers = [path.rsplit("/", 1)[1] for path in (wrong, right)]
    paths = {
        "bank": "/",
        "bank_empty": "/?q=nothing+is+called+so",
        "progress": "/progress",
        "today": "/today",
        "problem": "/problems/stable_softmax",
        "wrong_answer": wrong,
        "accepted": right,
        "compile_error": broken,
        "heads": heads,
        "history": f"/problems/{SLUG}/submissions",
        "history_empty": "/problems/causal_mask/submissions",
        "compare": f"/problems/{SLUG}/compare?a={numbers[0]}&b={numbers[1]}",
        "solution": f"/problems/{SLUG}/solution",
        "give_up": "/problems/causal_mask/solution",
        "leaderboard": "/leaderboard",
        "problem_leaderboard": f"/problems/{SLUG}/leaderboard",
        "profile": "/profile",
        "document": "/docs/add-a-problem",
        "api": "/api",
        "not_found": "/nothing-here",
        "words": "/words",
        "start": "/start",
        "started": run_first(visitor, site),
        "sign_in": "/sign-in",
        "sign_up": "/sign-up",
        "sign_up_invited": (
            f"/sign-up?invitation={site.command('users', 'invite').splitlines()[-1]}"
        ),
        "reset": site.command("users", "reset", "learner").splitlines()[-1],
        "bank_for_visitors": "/",
        "problem_for_visitors": f"/problems/{SLUG}",
        "manage": "/manage",
        "lessons": "/lessons",
        "lesson": lesson,
        "questions": f"{lesson}/questions",
        **explored,
        **practised,
        **taught,
    }
    assert set(paths) == set(PAGES)
    return LivedIn(site, visitor, learner, teacher, admin, paths)
